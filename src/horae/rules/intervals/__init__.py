"""Relations whose tuples hold in intervals, and their operators."""

"""DatalogMTL programs on Spark."""

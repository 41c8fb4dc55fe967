"""What runs every language and knows none: kernels in shards, their state, their reports."""

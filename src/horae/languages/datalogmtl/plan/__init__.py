"""How a program in DatalogMTL is spread over shards."""

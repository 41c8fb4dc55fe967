"""How a program in LARS is spread over shards."""

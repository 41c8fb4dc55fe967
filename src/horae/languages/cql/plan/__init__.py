"""How a program in CQL is spread over shards."""

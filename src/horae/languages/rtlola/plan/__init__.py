"""How a program in RTLola is spread over shards."""

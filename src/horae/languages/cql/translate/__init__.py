"""CQL as rules of LARS."""

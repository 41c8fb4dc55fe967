"""A program in CQL over live rows."""

"""RTLola over live rows."""

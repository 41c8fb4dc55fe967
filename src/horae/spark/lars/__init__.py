"""LARS programs on Spark."""

"""The evaluation of CQL on columns."""

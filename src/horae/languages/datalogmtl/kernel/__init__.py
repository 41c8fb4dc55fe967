"""The evaluation of DatalogMTL on columns."""

"""The evaluation of LARS on columns."""

"""The evaluation of RTLola on columns."""

"""The text of DatalogMTL and its tree: parser, formatter, printer."""

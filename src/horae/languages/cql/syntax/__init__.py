"""The text of CQL and its tree: parser, formatter, printer."""

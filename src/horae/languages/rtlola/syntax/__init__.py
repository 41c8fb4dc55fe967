"""The text of RTLola and its tree: parser, formatter, printer."""

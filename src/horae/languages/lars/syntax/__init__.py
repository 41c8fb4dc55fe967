"""The text of LARS and its tree: parser, formatter, printer."""

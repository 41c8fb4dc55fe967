"""One file per format of input."""

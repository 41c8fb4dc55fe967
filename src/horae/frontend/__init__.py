"""What all front ends share: scanning, brackets, the LALR driver, comments and layout of formatters."""

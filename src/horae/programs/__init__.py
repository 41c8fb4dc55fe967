"""What can be done with a program: one file per language, the same names in each."""

"""What a program in DatalogMTL must satisfy, and the passes that make it ready."""

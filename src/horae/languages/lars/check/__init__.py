"""What a program in LARS must satisfy, and the passes that make it ready."""

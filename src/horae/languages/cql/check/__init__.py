"""What a program in CQL must satisfy, and the passes that make it ready."""

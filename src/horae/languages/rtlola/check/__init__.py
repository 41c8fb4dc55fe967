"""What a program in RTLola must satisfy, and the passes that make it ready."""

"""What is known of a program in LARS before it runs."""

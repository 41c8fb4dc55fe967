"""What is known of a program in CQL before it runs."""

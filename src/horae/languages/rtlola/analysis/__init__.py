"""What is known of a program in RTLola before it runs."""

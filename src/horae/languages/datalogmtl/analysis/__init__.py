"""What is known of a program in DatalogMTL before it runs."""

"""What tables are and what time is: readers of files and of Python values, schemas, exact times."""

"""What tables are and what time is: readers of files and Python values, schemas, exact times, constants."""

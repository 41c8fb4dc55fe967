"""Where answers go from Spark: tables that the workers write, and sorted lines in the driver."""

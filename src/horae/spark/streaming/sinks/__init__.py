"""Where the results of a stream go, micro-batch by micro-batch, each answer once."""

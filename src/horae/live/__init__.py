"""Programs over live rows, without Spark: what a shard of a stream does between two micro-batches."""

"""What several others read is computed once.

Spark's plans are trees: whatever is read twice stands in them twice, and queries inside queries
double it again and again. A frame that is kept here is a leaf for all that read it. Its rows stay
with the executors until nobody knows the frame.
"""

from __future__ import annotations

from pyspark.sql import DataFrame


def keep(frame: DataFrame) -> DataFrame:
    """Its rows are computed when first needed; Spark may run the shuffles before them at once."""
    return frame.localCheckpoint(eager=False)

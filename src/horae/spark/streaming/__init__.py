"""Any language on Structured Streaming: one stateful operator over shards.

    rows ─ route ─▶ parcels per shard ─ stateful operator ─▶ parcels of answers ─ open ─▶ answers

A *parcel* is a row of Spark that carries a whole table as bytes. Spark shuffles and stores few
large values instead of many small ones, and types of languages stay out of the operator.
"""

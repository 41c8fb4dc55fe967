"""One file per format of input; `data/endings.py` lists them.

A module of a format with columns has a function `open_table`, which gives a `TableFile`. JSON Lines have
no columns before their lines are read (`jsonl.py`).
"""

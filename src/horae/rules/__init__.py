"""What rule languages share: terms, safety, strata, pivots, and relations of intervals."""

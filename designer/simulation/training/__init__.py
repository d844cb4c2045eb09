"""A training step: its groups, its formulas, and where its time goes."""

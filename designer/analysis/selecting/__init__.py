"""Selecting by expression, such as "role:leaf su:2 free>0": what it says, and which things of a design it fits."""

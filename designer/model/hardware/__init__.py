"""Hardware types: what can be bought. Facts come from the catalog and travel inside the design.

A figure that no public source states is None, never a guess.
"""

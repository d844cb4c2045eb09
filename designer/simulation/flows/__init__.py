"""Rates of flows: max-min fair shares, all-to-all without its flows written out, pauses that spread."""

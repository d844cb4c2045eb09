"""Renaming many things at once: by a pattern, from a list, by find and replace; with every fault before it is done."""

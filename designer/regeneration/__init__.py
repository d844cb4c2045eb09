"""Generating again: the recipe a fabric came from, the hand edits made since, and their replay on a new result."""

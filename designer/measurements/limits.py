"""What a file of measurements may hold at most: beyond any campaign, and little enough to be read in seconds."""

MOST_BYTES = 64 * 10**6
"""Of a file."""
MOST_RUNS = 10_000
"""Runs of one file."""
MOST_ROWS = 200_000
"""Lines with a result in one file."""
MOST_RANKS = 200_000
LONGEST_LINE = 20_000
"""Characters of a line that is looked at; what follows is left out."""
LONGEST_TEXT = 4_000
"""Characters of a note or another text of a record."""
MOST_ENVIRONMENT = 500
"""Variables of one run."""

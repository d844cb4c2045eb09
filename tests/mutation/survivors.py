"""Mutants that no test can notice, since the program does the same with them, and why."""

SURVIVORS: dict[tuple[str, str, str], str] = {}
"""By file, line as written (without indentation) and text of the change."""

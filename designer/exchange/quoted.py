"""Texts of a design inside files of YAML and JSON: always between quotation marks, and never more than a text."""

import json

from designer.model.shown_text import visible_line


def quoted(text: str) -> str:
    """The text as JSON has it, which YAML reads alike: nothing in it is a number, a key, a tag or a comment."""
    return json.dumps(visible_line(text))

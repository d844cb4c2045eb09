"""Texts of a design inside files of YAML and JSON: always between quotation marks, and never more than a text."""

import json
import re

from designer.model.shown_text import visible_line

_UNPRINTABLE = re.compile("[\ufeff\ufffe\uffff]")
"""What YAML takes as an escape alone, in addition to what `visible_line` escapes."""


def quoted(text: str) -> str:
    """The text as JSON has it, which YAML reads alike: nothing in it is a number, a key, a tag or a comment.

    Letters stand as themselves: YAML knows no pairs of surrogates.
    """
    made = json.dumps(visible_line(text), ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", made)

"""Texts of strangers, as they are shown: nothing in them commands a terminal, turns lines round or draws pictures."""

import re
from html import escape

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb"
_UNSEEN = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_DIRECTION}]")
_MARKUP = re.compile(r"<(?=\s*[A-Za-z/!?])|&(?=[A-Za-z#])")
_NOTHING = "\u200b"
"""A blank of no width."""


def visible(text: str) -> str:
    r"""The text to show or print: what would command a terminal or turn the reading direction stands as \u001b.

    Line breaks and tabs stay. The escapes are those of JSON, so that JSON stays what it was.
    """
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def visible_line(text: str) -> str:
    """The text on one line: as `visible`, with line breaks and tabs escaped too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def plain_text(text: str) -> str:
    """The text for where Qt guesses whether it is markup, as in tooltips: looks the same and never is.

    Markup could open files and load pictures of its author's choice.
    """
    return _MARKUP.sub(lambda found: found[0] + _NOTHING, visible(text))


def escaped(text: str) -> str:
    """The text for within markup that the program itself writes."""
    return escape(visible(text))


def in_menu(text: str) -> str:
    """The text for where an ampersand marks the letter that chooses an entry: none is marked."""
    return visible_line(text).replace("&", "&&")

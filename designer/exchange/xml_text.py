"""Texts in XML: any text becomes one that every parser reads back, and nothing in it is markup."""

import re
from xml.sax.saxutils import escape, quoteattr

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Any text between tags: what XML cannot hold becomes U+FFFD, line breaks outlive a parser."""
    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def quoted(text: str) -> str:
    """Any text as the value of an attribute, with its quotation marks."""
    return quoteattr(_NOT_XML.sub("\ufffd", text))


def plain(value: float) -> str:
    """A length in hundredths, without zeros at its end."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text

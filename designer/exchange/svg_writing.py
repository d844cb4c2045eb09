"""How SVG writes texts and numbers."""

import re
from xml.sax.saxutils import escape

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BLANKS = re.compile(r"^\s|\s$|\s\s|[\t\n\r]")


def lines(*texts: str) -> str:
    """The texts that there are, one below the other."""
    return "\n".join(text for text in texts if text)


def text(text: str) -> str:
    """Any text between tags: what XML cannot hold becomes U+FFFD, line breaks outlive a parser."""
    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def kept(text: str) -> str:
    """The attribute that keeps blanks which SVG would otherwise close up."""
    return ' xml:space="preserve"' if _BLANKS.search(text) else ""


def number(value: float) -> str:
    """A length in user units, in hundredths."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tenths(value: int) -> str:
    """A length in user units, given in tenths of one."""
    whole, rest = divmod(abs(value), 10)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"

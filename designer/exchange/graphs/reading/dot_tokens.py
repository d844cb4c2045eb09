"""The words of a DOT file, each with its line. Source: graphviz.org, "DOT Language"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from designer.exchange.reading.found import ImportFailure

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)
    |"(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"
    |(?P<sign>--|->|[{}\[\];,=:+])
    |(?P<word>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|[^\W\d][\w]*|[\w]+)
    |(?P<html><)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r'\\(\n|["\\nlr])')
_ANGLE = re.compile("[<>]")
MOST_SHOWN = 20


class Token(NamedTuple):
    """A word or a sign. `is_sign` for punctuation, `is_plain` for a word without quotation marks."""

    text: str
    line: int
    is_sign: bool
    is_plain: bool


def tokens(text: str, file: str) -> Iterator[Token]:
    """All of them, without blanks and comments. Raises ImportFailure, which names file and line."""
    at, line, end = 0, 1, len(text)
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            what = "a quotation mark without its partner" if text[at] == '"' else repr(text[at : at + MOST_SHOWN])
            raise ImportFailure(f"{file}, line {line}: {what} is not DOT")
        kind, stop = found.lastgroup, found.end()
        if kind == "quoted":
            yield Token(_unescaped(found["quoted"]), line, False, False)
        elif kind == "sign":
            yield Token(found[0], line, True, True)
        elif kind == "word":
            yield Token(found[0], line, False, True)
        elif kind == "html":
            stop = _html_end(text, at, file, line)
            yield Token(text[at + 1 : stop - 1], line, False, False)
        line += text.count("\n", at, stop)
        at = stop


def _unescaped(text: str) -> str:
    r"""A text without its escapes: \" and \\ stand for one sign, \n, \l and \r for the end of a line of a label."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda found: {"n": "\n", "l": "\n", "r": "\n", "\n": ""}.get(found[1], found[1]), text)


def _html_end(text: str, at: int, file: str, line: int) -> int:
    depth = 0
    for found in _ANGLE.finditer(text, at):
        depth += 1 if found[0] == "<" else -1
        if not depth:
            return found.end()
    raise ImportFailure(f"{file}, line {line}: < has no > that ends it")

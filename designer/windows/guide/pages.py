"""The pages of the guide as sections that can be listed and searched. Needs no Qt."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from designer.paths import guide_dir

PAGES = (
    "draw",
    "check",
    "simulation",
    "models",
    "queues",
    "claims",
    "explore",
    "opensm",
    "hand-over",
    "growth",
    "exchange",
    "import",
    "merge",
    "python",
    "fabrics",
    "published",
    "rules",
    "command-line",
    "file-format",
)
"""Names of files in guide_dir(), without their suffix, in the order they are listed in."""

_HEADING = re.compile(r"^(#{1,3}) +(.+?) *$")
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page and what stands under it up to the next one."""

    page: str
    title: str
    level: int
    """1 for the title of the page, 2 or 3 below."""
    text: str
    anchor: str
    """What a link to the section ends in after "#", as GitHub makes it; a second one of a page ends in "-1"."""

    def holds(self, words: Iterable[str]) -> bool:
        """Whether title and text contain all words, which are in small letters."""
        haystack = f"{self.title}\n{self.text}".lower()
        return all(word in haystack for word in words)


def anchor_of(title: str) -> str:
    """The anchor of a heading as GitHub makes it: "Find the hot link" is "find-the-hot-link"."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return kept.replace(" ", "-")


@cache
def sections() -> tuple[Section, ...]:
    """Every section of every page, in order. Raises OSError where a page is missing."""
    found: list[Section] = []
    for page in PAGES:
        found += read(page, page_path(page).read_text(encoding="utf-8"))
    return tuple(found)


def page_path(page: str) -> Path:
    """The file of a page."""
    return guide_dir() / f"{page}.md"


def read(page: str, text: str) -> list[Section]:
    """The sections of a page; a line in a block of code is no heading."""
    found: list[Section] = []
    anchors: Counter[str] = Counter()
    title, level, lines, in_code = "", 0, list[str](), False

    def close() -> None:
        if level:
            anchor = anchor_of(title)
            number = anchors[anchor]
            anchors[anchor] += 1
            found.append(Section(page, title, level, "\n".join(lines), f"{anchor}-{number}" if number else anchor))

    for line in text.splitlines():
        in_code ^= line.startswith(_FENCE)
        heading = None if in_code else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        close()
        title, level, lines = heading[2], len(heading[1]), []
    close()
    return found


def find(topic: str) -> Section | None:
    """The section of "page#anchor", the beginning of a page without an anchor; None where there is none."""
    page, _, anchor = topic.partition("#")
    of_page = [one for one in sections() if one.page == page]
    return next((one for one in of_page if not anchor or one.anchor == anchor), None)

"""Bookmarks of a set of drawings: its sections, and below each what the index lists of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from designer.drawing.sheets.book import Page


class Bookmark(NamedTuple):
    """A name for a place in a file: of a page, counted from 0, and of those below it."""

    title: str
    page: int
    below: "tuple[Bookmark, ...]" = ()


def bookmarks_of(pages: Mapping[int, Page]) -> Sequence[Bookmark]:
    """The bookmarks of pages by their places in a file, section by section in their order."""
    found: dict[str, list[Bookmark]] = {}
    heads: dict[str, Bookmark] = {}
    for place, page in sorted(pages.items()):
        heads.setdefault(page.heading, Bookmark(page.heading, place))
        found.setdefault(page.heading, []).extend(Bookmark(name, place) for name in page.marks)
    # The one subject of a section is the section itself.
    return [one._replace(below=tuple(held) if len(held := found[title]) > 1 else ()) for title, one in heads.items()]

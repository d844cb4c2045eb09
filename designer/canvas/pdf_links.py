"""Bookmarks and links of a PDF, which Qt's writer has none of, added at its end as PDF allows: ISO 32000-1, 7.5.6.

What Qt wrote stays as it is, byte for byte. Each of its pages has an empty list of annotations of its own; that list,
and the catalog, are stated again with what leads from page to page. The same pages give the same bytes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.drawing.geometry import Rect
from designer.drawing.sheets.outline import Bookmark
from designer.errors import ExportError

_TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$", re.DOTALL)
_CATALOG = re.compile(rb"<<\s*/Type /Catalog(.*?)>>\s*endobj", re.DOTALL)
_KIDS = re.compile(rb"/Kids\s*\[(.*?)\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Jump:
    """A rectangle of a page, in points from its left bottom corner, that leads to a page, counted from 0."""

    rect: Rect
    page: int


def with_links(data: bytes, jumps: Mapping[int, Sequence[Jump]], bookmarks: Sequence[Bookmark]) -> bytes:
    """The PDF with links by page, and with bookmarks; unchanged where there are none. Raises ExportError."""
    if not bookmarks and not any(jumps.values()):
        return data
    return _Addition(data).made(jumps, bookmarks)


@dataclass(slots=True)
class _Addition:
    """What is added to a PDF of Qt's: objects, and where each begins."""

    data: bytes
    _found: dict[int, int] = field(default_factory=dict)
    _written: list[bytes] = field(default_factory=list)
    _length: int = 0

    def made(self, jumps: Mapping[int, Sequence[Jump]], bookmarks: Sequence[Bookmark]) -> bytes:
        """All of it."""
        trailer = _TRAILER.search(self.data)
        if trailer is None:
            raise ExportError("the PDF has no trailer that links and bookmarks could be added to")
        table = int(trailer[2])
        offsets = _offsets(self.data, table)
        root, size = _number(trailer[1], b"/Root"), _number(trailer[1], b"/Size")
        catalog = _CATALOG.search(self.data, offsets[root])
        if catalog is None:
            raise ExportError("the PDF has no catalog that links and bookmarks could be added to")
        kids = _KIDS.search(self.data, offsets[_number(catalog[1], b"/Pages")])
        pages = [int(one) for one in re.findall(rb"(\d+) 0 R", kids[1])] if kids is not None else []
        self._length = len(self.data)
        for place, found in sorted(jumps.items()):
            if found:
                notes = _number(self.data[offsets[pages[place]] :][:400], b"/Annots")
                self._add(notes, b"[" + b"\n".join(_annotation(one, pages) for one in found) + b"]")
        if bookmarks:
            self._add(root, b"<< /Type /Catalog%s/Outlines %d 0 R\n/PageMode /UseOutlines\n>>" % (catalog[1], size))
            for number, body in _outline(bookmarks, pages, size):
                self._add(number, body)
        return self._ended(trailer[1], max([size - 1, *self._found]) + 1, table)

    def _add(self, number: int, body: bytes) -> None:
        text = b"%d 0 obj\n%s\nendobj\n" % (number, body)
        self._found[number] = self._length
        self._written.append(text)
        self._length += len(text)

    def _ended(self, trailer: bytes, size: int, before: int) -> bytes:
        rows = [b"%d 1\n%010d 00000 n \n" % (number, offset) for number, offset in sorted(self._found.items())]
        kept = re.sub(rb"/Size \d+", b"/Size %d" % size, trailer).strip()
        end = b"xref\n0 1\n0000000000 65535 f \n%strailer\n<<\n%s\n/Prev %d\n>>\nstartxref\n%d\n%%%%EOF\n"
        return b"".join((self.data, *self._written, end % (b"".join(rows), kept, before, self._length)))


def _number(text: bytes, name: bytes) -> int:
    """The number after a name: of an object, or a size."""
    found = re.search(name + rb" (\d+)", text)
    if found is None:
        raise ExportError(f"the PDF does not state {name.decode()}: links and bookmarks cannot be added")
    return int(found[1])


def _offsets(data: bytes, table: int) -> dict[int, int]:
    """Where each object begins, by its number."""
    lines = data[table:].split(b"\n")
    first, count = map(int, lines[1].split())
    return {first + number: int(line[:10]) for number, line in enumerate(lines[2 : 2 + count])}


def _annotation(jump: Jump, pages: Sequence[int]) -> bytes:
    return b"<</Subtype/Link/Rect[%d %d %d %d]/Border[0 0 0]/Dest[%d 0 R/Fit]>>" % (
        *(round(one) for one in jump.rect),
        pages[jump.page],
    )


def _outline(bookmarks: Sequence[Bookmark], pages: Sequence[int], root: int) -> Iterator[tuple[int, bytes]]:
    """The objects of the bookmarks, the first being their root; those below others are folded."""
    heads = [root + 1 + number for number in range(len(bookmarks))]
    yield root, b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (heads[0], heads[-1], len(heads))
    free = heads[-1] + 1
    for number, (own, one) in enumerate(zip(heads, bookmarks, strict=True)):
        below = range(free, free + len(one.below))
        folded = b"/First %d 0 R/Last %d 0 R/Count -%d" % (below[0], below[-1], len(below)) if one.below else b""
        yield own, _item(one, root, heads, number, pages, folded)
        for place, (inner, item) in enumerate(zip(below, one.below, strict=True)):
            yield inner, _item(item, own, below, place, pages, b"")
        free += len(one.below)


def _item(one: Bookmark, parent: int, beside: Sequence[int], number: int, pages: Sequence[int], below: bytes) -> bytes:
    before = b"/Prev %d 0 R" % beside[number - 1] if number else b""
    after = b"/Next %d 0 R" % beside[number + 1] if number + 1 < len(beside) else b""
    title = "feff" + one.title.encode("utf-16-be", "replace").hex()
    dest = b"/Dest[%d 0 R/Fit]" % pages[one.page]
    return b"<</Title<%s>/Parent %d 0 R%s%s%s%s>>" % (title.encode(), parent, before, after, below, dest)

"""A book of drawings: pages that are numbered before any is drawn, so that each can name others."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from designer.drawing.geometry import Rect
from designer.drawing.parts.document import Document
from designer.drawing.parts.primitives import Group, Ink, Part
from designer.drawing.parts.primitives import Rect as Box
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.title_block import HEIGHT, TitleBlock, title_block_parts
from designer.drawing.theme import Theme
from designer.model.entities import End
from designer.units import format_span, spans_of

INSET = 10.0
"""From the frame to what is drawn in it."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Where things are in a book, by number of the page."""

    first: Mapping[str, int]
    """The first page of each section and subject: by name, or by id of a rack, a switch, a group."""
    every: Mapping[str, Sequence[int]]
    """All pages of each subject."""
    ends: Mapping[End, int]
    """The page that lists what is on a port: that of the switch, else that of the rack."""

    def span(self, name: str) -> str:
        """ "12–40" or "12, 15", the pages of a subject; "" where it has none."""
        return ", ".join(format_span(first, last, "–") for first, last in spans_of(self.every.get(name, ())))


@dataclass(frozen=True, slots=True)
class Draft:
    """A page without a number. `draw` is given the numbers of all pages and yields layers, in units of the paper."""

    section: str
    title: str
    draw: Callable[[Numbers], Iterable[Group]]
    subject: str = ""
    """What it is about; the first page of a subject is where others refer to."""
    name: str = ""
    """What the index calls the subject."""
    scale: str = ""
    """As stated in the title block; "" where it is not to scale."""
    ends: tuple[End, ...] = ()
    """The ends of cables that it lists."""
    others: tuple[tuple[str, str], ...] = ()
    """Further subjects on it, each with what the index calls it."""
    more_of: tuple[str, ...] = ()
    """Subjects whose pages it goes on with; without any, and without one of its own, those of the page before it."""

    @property
    def subjects(self) -> tuple[tuple[str, str], ...]:
        """All subjects on it, each with what the index calls it."""
        own = ((self.subject, self.name or self.title),) if self.subject else ()
        return (*own, *self.others)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a set, drawn when its layers are asked for. `number` counts from 1."""

    section: str
    heading: str
    """What the section is called."""
    title: str
    scale: str
    marks: tuple[str, ...]
    """The subjects whose first page it is, as the index calls them."""
    number: int
    of: int
    paper: Paper
    block: TitleBlock
    theme: Theme
    _draw: Callable[[Numbers], Iterable[Group]] = field(repr=False)
    _numbers: Numbers = field(repr=False)

    @property
    def width_mm(self) -> float:
        """Width of the paper."""
        return self.paper.width_mm

    @property
    def height_mm(self) -> float:
        """Height of the paper."""
        return self.paper.height_mm

    @property
    def area(self) -> Rect:
        """Left, top, width and height of the page in units of its paper."""
        return 0.0, 0.0, *self.paper.size

    def layers(self) -> tuple[Group, ...]:
        """What is on the page, in units: the paper, the drawing's layers, and the frame with the title block."""
        width, height = self.paper.size
        paper: tuple[Part, ...] = (Box(0.0, 0.0, width, height, Ink(self.theme.background)),)
        frame = title_block_parts(
            self.block,
            self.title,
            self.scale,
            self.number,
            self.of,
            self.paper.frame,
            self.theme,
            self._numbers.first.get("index") if self.section != "index" else None,
        )
        return (
            Group(paper, "paper", label="Paper"),
            *self._draw(self._numbers),
            Group(tuple(frame), "title-block", label="Frame and title block"),
        )

    def document(self) -> Document:
        """The page as one document, to be written once."""
        return Document(
            f"{self.block.design}: {self.title}", f"Page {self.number} of {self.of}", self.area, self.layers()
        )


def room_of(paper: Paper) -> Rect:
    """Left, top, right and bottom of what a page has room for, over its title block, in units."""
    left, top, right, bottom = paper.frame
    return left + INSET, top + INSET, right - INSET, bottom - HEIGHT - INSET


def bound(
    drafts: Iterable[Draft], paper: Paper, block: TitleBlock, theme: Theme, headings: Mapping[str, str]
) -> list[Page]:
    """The pages in their order, with their numbers, under these headings of sections."""
    every = list(drafts)
    first: dict[str, int] = {}
    of: dict[str, list[int]] = {}
    ends: dict[End, int] = {}
    before: tuple[str, ...] = ()
    for number, draft in enumerate(every, start=1):
        own = tuple(subject for subject, _ in draft.subjects)
        about = (*own, *draft.more_of) or (before if draft.section in first else ())
        for name in dict.fromkeys(about):
            of.setdefault(name, []).append(number)
        for name in (draft.section, *own):
            first.setdefault(name, number)
        before = about[-1:]
        ends.update(dict.fromkeys(draft.ends, number))
    numbers = Numbers(first, of, ends)
    return [
        Page(
            one.section,
            headings[one.section],
            one.title,
            one.scale,
            tuple(name for subject, name in one.subjects if first[subject] == number),
            number,
            len(every),
            paper,
            block,
            theme,
            one.draw,
            numbers,
        )
        for number, one in enumerate(every, start=1)
    ]

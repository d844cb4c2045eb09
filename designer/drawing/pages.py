"""Pages: what is drawn on one sheet of paper, for whoever shows, prints or writes it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from designer.drawing.geometry import Rect
from designer.drawing.parts.document import MOST_HEIGHT_PX, MOST_SCALE, SCREEN_WIDTH, Document, Size
from designer.drawing.parts.primitives import Group, Part
from designer.drawing.sheets.paper import Paper

MM_PER_PX = 25.4 / 96
PX_PER_POINT = 96 / 72


class Page(Protocol):
    """One sheet. `area` is left, top, width and height in the units that `layers` are drawn in, as often as asked."""

    @property
    def title(self) -> str:
        """What is on it."""

    @property
    def area(self) -> Rect:
        """The whole sheet."""

    @property
    def width_mm(self) -> float:
        """Width of the paper."""

    @property
    def height_mm(self) -> float:
        """Height of the paper."""

    def layers(self) -> Iterable[Part]:
        """What is on it, back to front."""


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """A document as a page of its own size: as large as a window would show it. It can be drawn again and again."""

    document: Document

    @staticmethod
    def of(document: Document) -> "DocumentPage":
        """The page of a document, whose parts are kept."""
        return DocumentPage(replace(document, layers=kept(document.layers)))

    @property
    def title(self) -> str:
        """The title of the document."""
        return self.document.title

    @property
    def area(self) -> Rect:
        """Left, top, width and height in units of the document."""
        return self.document.area

    @property
    def scale(self) -> float:
        """Pixels per unit."""
        _, _, width, height = self.document.area
        return self.document.unit_px or min(MOST_SCALE, SCREEN_WIDTH / width, MOST_HEIGHT_PX / height)

    @property
    def width_mm(self) -> float:
        """Width of the page."""
        return self.document.area[2] * self.scale * MM_PER_PX

    @property
    def height_mm(self) -> float:
        """Height of the page."""
        return self.document.area[3] * self.scale * MM_PER_PX

    def layers(self) -> tuple[Group, ...]:
        """The layers of the document."""
        return self.document.layers


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A page fitted to the middle of a paper, within its margins. `area` is in points."""

    page: Page
    paper: Paper

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.page.title

    @property
    def area(self) -> Rect:
        """Left, top, width and height of the paper."""
        return 0.0, 0.0, *self.paper.size

    @property
    def width_mm(self) -> float:
        """Width of the paper."""
        return self.paper.width_mm

    @property
    def height_mm(self) -> float:
        """Height of the paper."""
        return self.paper.height_mm

    def layers(self) -> tuple[Group, ...]:
        """Those of the page, as large as there is room for."""
        x, y, width, height = self.page.area
        left, top, right, bottom = self.paper.frame
        zoom = min((right - left) / width, (bottom - top) / height)
        at = (left + right - width * zoom) / 2 - x * zoom, (top + bottom - height * zoom) / 2 - y * zoom
        return (Group(self.page.layers(), at=at, zoom=zoom),)


def size_on(paper: Paper) -> Size:
    """What a picture is laid out for that fills the frame of a paper, its texts as large as those of a screen."""
    left, top, right, bottom = paper.frame
    width, height = (right - left) * PX_PER_POINT, (bottom - top) * PX_PER_POINT
    return Size(width, height, window=width)


def kept(groups: Iterable[Group]) -> tuple[Group, ...]:
    """The groups with all that is in them made, so that they can be drawn more than once."""
    return tuple(group._replace(parts=tuple(map(_kept, group.parts))) for group in groups)


def _kept(part: Part) -> Part:
    return part._replace(parts=tuple(map(_kept, part.parts))) if isinstance(part, Group) else part

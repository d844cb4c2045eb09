"""The comparison with another file on the drawing: colors of what differs, and dashed what only the other side has."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtGui import QPainter

from designer.canvas.ghost_bundles import OtherSide, paint_bundles, paint_counts
from designer.canvas.ghost_layer import GhostLayer, rects_of
from designer.canvas.ghosts import ghosts_of
from designer.canvas.glyphs import Fonts
from designer.canvas.marks import Frame
from designer.canvas.painting import paint
from designer.drawing.camera import Viewport
from designer.drawing.colour_by import Marks
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken
from designer.drawing.display_list import Picture
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.geometry import Rect
from designer.drawing.palette import PLAIN, colour_in
from designer.drawing.parts.boxes import name_in
from designer.drawing.parts.primitives import Group, Part
from designer.drawing.parts.row_captions import everything_written
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import lines_on
from designer.drawing.theme import Theme
from designer.exchange.comparison.compared import Compared
from designer.late import Late
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Link
from designer.model.shown_text import visible_line
from designer.session.comparison import ComparisonJob

beside = Late("designer.drawing.parts.names_beside")
marking = Late("designer.exchange.comparison.marking")

MOST_GHOSTS = 5000
"""Links that only the other side has; of more, devices alone are drawn."""


class ComparisonLayer:
    """What a comparison adds to the picture."""

    def __init__(self, job: ComparisonJob) -> None:
        self._job = job
        self.given: Marks | None = None
        """Those of a comparison that another design makes with this one, which has none itself."""
        self._of: tuple[object, int] | None = None
        self._layers: tuple[GhostLayer, ...] = ()
        self._other: OtherSide | None = None

    @property
    def marks(self) -> Marks | None:
        """The classes that things are colored by; None without a comparison."""
        found = self._job.found
        return self.given if found is None else found.marked.marks

    @property
    def is_shown(self) -> bool:
        """Whether the drawing has what only the other side has."""
        return self._job.found is not None

    def boxes_in(self, composition: Composition) -> tuple[Rect, ...]:
        """Where a drawing has boxes of their own for what only the other side has; none without a comparison."""
        found = self._job.found
        if found is None:
            return ()
        self._follow(found, composition.design)
        if isinstance(composition.projection, FoldedProjection):
            other = self._other_side(found, composition.design)
            return tuple(rect for rect, _ in other.gathered(composition).boxes)
        return tuple(rect for rect, _ in self._named_boxes())

    def _named_boxes(self) -> Iterator[tuple[Rect, str]]:
        """Left, top, right and bottom of what is drawn each for itself, with its name; "" of a rack."""
        for layer in self._layers:
            if (ghosts := layer.shown) is not None:
                yield from zip(rects_of(ghosts.boxes), ghosts.names, strict=False)

    def _follow(self, found: Compared, design: Design) -> None:
        """Make the layers again for another comparison, or after an edit."""
        key = (found, design.revision)
        if key != self._of:
            self._of, self._layers = key, tuple(_layers(design, found.marked.marks, found.marked.edit))
            self._other = None

    def _other_side(self, found: Compared, design: Design) -> OtherSide:
        self._other = self._other or OtherSide(design, marking.both(design, found.marked), found.marked.marks)
        return self._other

    def paint(self, painter: QPainter, frame: Frame, view: Viewport, fonts: Fonts) -> bool:
        """Paint what only the other side has, in the colors of its classes; whether there is any comparison."""
        found, design = self._job.found, frame.composition.design
        if found is None:
            return False
        self._follow(found, design)
        if isinstance(frame.composition.projection, FoldedProjection):
            gathered = self._other_side(found, design).gathered(frame.composition)
            paint_bundles(painter, frame, gathered, found.marked.marks, fonts)
            return True
        for layer in self._layers:
            layer.paint(painter, frame, view)
        return True

    def paint_texts(self, painter: QPainter, frame: Frame, fonts: Fonts, picture: Picture, sheet: Sheet) -> None:
        """Paint names of what only the other side has, or how many links its bundles stand for, where there is room."""
        found = self._job.found
        if found is None:
            return
        taken = everything_written(picture, sheet)
        if not isinstance(frame.composition.projection, FoldedProjection):
            paint(painter, self._names(frame, picture, taken.copy(), sheet), fonts)
        elif self._other is not None:
            paint_counts(painter, frame, self._other.gathered(frame.composition), found.marked.marks, fonts, taken)

    def _names(self, frame: Frame, picture: Picture, taken: Taken, sheet: Sheet) -> Iterator[Part]:
        """The names in their boxes, or next to whole rows of these, as those of the drawing are."""
        named = [one for one in self._named_boxes() if one[1]]
        places = np.array([sheet.seen(rect) for rect, _ in named], float).reshape(-1, 4)
        seen = np.flatnonzero(sheet.boxes_on(places)).tolist()
        if len(seen) > beside.MOST_BOXES:
            return
        if frame.detail.names:
            for number in seen:
                x, y, width, height = places[number].tolist()
                is_alone = not frame.detail.models
                name = name_in(named[number][1], sheet, width, height, sheet.theme.text, is_alone=is_alone)
                yield Group((name,), at=(x, y))
            return
        rows: dict[int, list[int]] = defaultdict(list)
        for number in seen:
            x, y, width, height = places[number].tolist()
            taken.take(x, y, width, height)
            rows[round(y)].append(number)
        own = [frame.camera.points_to_view(one.lines) for one in self._layers]
        lines = np.vstack((lines_on(picture, sheet), *own))
        for row in rows.values():
            names = [visible_line(named[one][1]) for one in row]
            yield from beside.row_of_names(names, places[row], taken, lines, sheet)


def _layers(design: Design, marks: Marks, edit: Edit) -> Iterator[GhostLayer]:
    """One for the links of each class, with the boxes that they lead to in the first."""
    links: dict[int, list[Change]] = defaultdict(list)
    others = list[Change]()
    for change in edit.changes:
        one = change.after
        if isinstance(one, Link):
            links[marks.of.get(one.id, 0)].append(change)
        elif one is not None and design.entity(one.id) is None:
            others.append(change)
    for number, code in enumerate(sorted(links) or ([max(marks.of.values(), default=0)] if others else [])):
        lines = links[code] if len(edit.changes) <= MOST_GHOSTS else []
        ghosts = ghosts_of(design, Edit("", (*others, *lines)))
        layer = GhostLayer(marks.classes[code].colour)
        layer.show(ghosts if number == 0 else replace(ghosts, boxes=()))
        yield layer


def tints(job: ComparisonJob, theme: Theme) -> Mapping[str, str] | None:
    """Colors of the devices and racks that differ, or hold what does, by id, as #rrggbb; None without a comparison."""
    found = job.found
    if found is None:
        return None
    classes = found.marked.marks.classes
    return {
        one: colour_in(classes[code].colour, theme, "")
        for one, code in found.places.items()
        if classes[code].colour != PLAIN
    }

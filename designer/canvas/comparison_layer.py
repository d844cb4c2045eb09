"""The comparison with another file on the drawing: colors of what differs, and dashed what only the other side has."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from PySide6.QtGui import QPainter

from designer.canvas.ghost_bundles import OtherSide, paint_bundles, paint_counts
from designer.canvas.ghost_layer import GhostLayer
from designer.canvas.ghosts import ghosts_of
from designer.canvas.glyphs import Fonts
from designer.canvas.marks import Frame
from designer.drawing.camera import Viewport
from designer.drawing.colour_by import Marks
from designer.drawing.counts import Taken
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.geometry import Rect
from designer.drawing.palette import PLAIN, colour_in
from designer.drawing.theme import Theme
from designer.late import Late
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Link
from designer.session.comparison import ComparisonJob

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
    def boxes(self) -> tuple[Rect, ...]:
        """Where what only the other side has was last painted in boxes of its own; none without a comparison."""
        return () if self._other is None or self._job.found is None else self._other.boxes

    def paint(self, painter: QPainter, frame: Frame, view: Viewport, fonts: Fonts) -> bool:
        """Paint what only the other side has, in the colors of its classes; whether there is any comparison."""
        found, design = self._job.found, frame.composition.design
        if found is None:
            return False
        key = (found, design.revision)
        if key != self._of:
            self._of, self._layers = key, tuple(_layers(design, found.marked.marks, found.marked.edit))
            self._other = None
        if isinstance(frame.composition.projection, FoldedProjection):
            self._other = self._other or OtherSide(design, marking.both(design, found.marked), found.marked.marks)
            paint_bundles(painter, frame, self._other.gathered(frame.composition), found.marked.marks, fonts)
            return True
        for layer in self._layers:
            layer.paint(painter, frame, view)
        return True

    def paint_counts(self, painter: QPainter, frame: Frame, fonts: Fonts, taken: Taken) -> None:
        """Paint how many links of the other side each bundle stands for, where nothing is written yet."""
        found = self._job.found
        if found is not None and self._other is not None and isinstance(frame.composition.projection, FoldedProjection):
            paint_counts(painter, frame, self._other.gathered(frame.composition), found.marked.marks, fonts, taken)


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

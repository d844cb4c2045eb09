"""The colors of boxes and lines where some boxes stand for many devices: chosen for devices and links one by one."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from designer.drawing.colour_by import Codes
from designer.drawing.colouring import Colouring
from designer.drawing.display_list import Coloured
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.lines import Lines
from designer.drawing.projection import Projection
from designer.drawing.theme import Theme

NO_CLASS = -1
"""Of a box that stands for many: it has colors of its own."""


def coloured_boxes(
    colouring: Colouring,
    projection: Projection,
    theme: Theme,
    lines: Lines,
    managed: Iterable[int],
    *,
    are_links_hot: bool,
) -> Coloured:
    """The colors of a projection's boxes and lines; the coloring knows each device and link."""
    if not isinstance(projection, FoldedProjection):
        return colouring.shown(theme, lines, managed, are_links_hot=are_links_hot)
    managed, found = projection.managed_of_base, projection.lines_of_base(lines)
    stacks = _marked_inside(colouring, projection)
    inside = () if stacks is None else np.unique(stacks[stacks != NO_CLASS]).tolist()
    alone = projection.row_now < projection.n_own if colouring.marks is None else None  # what is the same is explained
    coloured = colouring.shown(theme, found, managed, are_links_hot=are_links_hot, alone=alone, inside=inside)
    if coloured.boxes is None:
        return coloured
    codes = np.full(len(projection.device_ids), NO_CLASS, coloured.boxes.dtype)
    codes[projection.row_now] = coloured.boxes
    codes[projection.n_own :] = NO_CLASS
    return replace(coloured, boxes=codes, stacks=stacks)


def _marked_inside(colouring: Colouring, projection: FoldedProjection) -> Codes | None:
    """The last class among the marks of each box that stands for many: of itself, its devices, and links inside."""
    marks = colouring.marks
    if marks is None:
        return None
    base, folds = projection.base, projection.folds
    devices, links = marks.on(base.device_ids).codes, marks.on(base.link_ids).codes
    codes = np.full(len(projection.device_ids), NO_CLASS, devices.dtype)
    for row, fold in enumerate(folds, start=projection.n_own):
        codes[row] = max(marks.of.get(fold.key.id, 0), devices[fold.rows].max(initial=0))
    inner = projection.inner_links
    if len(inner):
        np.maximum.at(codes, projection.row_now[base.ends[inner, 0]], links[inner])
    codes[codes == 0] = NO_CLASS  # what has no mark inside looks as ever
    return codes

"""Which servers belong to which job: a colored foot on each, or the whole box where it is small; and their names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from designer.drawing.composition import Composition
from designer.drawing.job_feet import FOOT_SHARE, LEAST_FOOT, MOST_FOOT, JobFeet, job_feet
from designer.drawing.job_names import (
    AFTER_SWATCH,
    GAP,
    HEIGHT,
    INSET,
    NAME_MOST,
    NAME_SIZE,
    SWATCH,
    JobNames,
    job_names,
)
from designer.drawing.parts.paper import plate
from designer.drawing.parts.primitives import Ink, Part, Rect, Rects, Text
from designer.drawing.parts.ruler import Ruler, baseline
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import Theme
from designer.model.entities import PlacedJob

LEAST_BOX_PX = 14.0
# Lower boxes are colored whole; those that bear a name lightly enough that it is read.
TINT, TINT_OVER_NAMES = 0.9, 0.35


class JobMarks:
    """Remembers where on the drawing the servers are, until the design or the jobs change."""

    def __init__(self) -> None:
        self._of: tuple[object, int, object] = (None, -1, None)
        self._feet: JobFeet = {}

    def parts(
        self, composition: Composition, sheet: Sheet, servers: Mapping[str, Sequence[str]], are_named: bool
    ) -> Iterator[Part]:
        """`servers` are device ids by the color of their job; one in several jobs has a foot they share.

        `are_named` says whether the boxes bear names.
        """
        projection = composition.projection
        if self._of[:2] != (servers, composition.design.revision) or self._of[2] is not projection:
            self._of = dict(servers), composition.design.revision, projection
            self._feet = job_feet(projection.box_of, servers)
        for colour, (rows, place, parts) in self._feet.items():
            rects = sheet.boxes(composition.boxes[rows])
            seen = sheet.boxes_on(rects)
            rects[:, 2] = np.maximum(rects[:, 2], 1.0) / parts
            rects[:, 0] += rects[:, 2] * place
            tall = rects[:, 3] >= LEAST_BOX_PX
            foot = np.clip(FOOT_SHARE * rects[:, 3], LEAST_FOOT, MOST_FOOT)
            rects[tall, 1] += (rects[:, 3] - foot)[tall]
            rects[tall, 3] = foot[tall]
            tint = TINT_OVER_NAMES if are_named else TINT
            for chosen, alpha in ((tall & seen, 1.0), (~tall & seen, tint)):
                if chosen.any():
                    yield Rects(rects[chosen], Ink(colour, alpha), crisp=True)


def job_line(jobs: Iterable[PlacedJob], ruler: Ruler, room: float) -> JobNames:
    """What the plate with the names of the jobs holds."""
    return job_names(
        jobs,
        room,
        lambda name: ruler.cut(name, NAME_MOST, NAME_SIZE),
        lambda text: ruler.width(text, NAME_SIZE),
    )


def job_legend(jobs: Iterable[PlacedJob], theme: Theme, ruler: Ruler, room: float) -> Iterator[Part]:
    """A plate with the names of the jobs, its left top corner at 0, 0; those without room are counted."""
    line = job_line(jobs, ruler, room)
    if not line.entries:
        return
    yield plate(line.width, HEIGHT, theme)
    x, y = INSET, baseline(ruler, HEIGHT / 2, NAME_SIZE)
    for entry in line.entries:
        yield Rect(x, (HEIGHT - SWATCH) / 2, SWATCH, SWATCH, Ink(entry.colour))
        yield Text(x + SWATCH + AFTER_SWATCH, y, entry.name, NAME_SIZE, theme.text)
        x += entry.width + GAP
    if line.tail:
        yield Text(x, y, line.tail, NAME_SIZE, theme.muted)

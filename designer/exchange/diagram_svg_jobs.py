"""Jobs in an SVG diagram: a foot in its colour on each server, and a line that names them."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.display_list import Picture
from designer.drawing.job_feet import FOOT_SHARE, LEAST_FOOT, MOST_FOOT, job_feet
from designer.drawing.job_names import AFTER_SWATCH, GAP, HEIGHT, INSET, NAME_MOST, NAME_SIZE, SWATCH, job_names
from designer.drawing.text import elided, width_of
from designer.drawing.theme import Theme
from designer.exchange.svg_writing import number, text
from designer.model.design import Design
from designer.model.placed_jobs import servers_by_colour
from designer.model.records import ordered


def feet(design: Design, picture: Picture) -> Iterator[str]:
    """One path for each colour."""
    row_of = {device_id: row for row, device_id in enumerate(picture.device_ids)}
    for colour, (rows, place, parts) in job_feet(row_of, servers_by_colour(design)).items():
        x, y, width, height = picture.boxes[rows].T
        foot = np.clip(FOOT_SHARE * height, LEAST_FOOT, MOST_FOOT)
        drawn = np.stack([x + width / parts * place, y + height - foot, width / parts, foot], axis=1).tolist()
        yield f'<path fill="{colour}" d="{"".join(_rect(*one) for one in drawn)}"/>'


def _rect(x: float, y: float, width: float, height: float) -> str:
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"


def names(design: Design, theme: Theme, room: float) -> Iterator[str]:
    """A plate with the name and colour of each job, its left top corner at 0, 0; those without room are counted."""
    jobs = ordered(design.jobs)
    line = job_names(
        jobs, room, lambda name: elided(name, NAME_MOST, NAME_SIZE), lambda said: width_of(said, NAME_SIZE)
    )
    if not line.entries:
        return
    plate = f'width="{number(line.width)}" height="{number(HEIGHT)}" rx="6"'
    yield f'<rect {plate} fill="{theme.plate}" stroke="{theme.plate_border}"/>'
    x, middle = INSET, HEIGHT / 2
    baseline = f'y="{number(middle + 0.36 * NAME_SIZE)}"'
    for entry in line.entries:
        yield f'<path fill="{entry.colour}" d="{_rect(x, middle - SWATCH / 2, SWATCH, SWATCH)}"/>'
        place = f'x="{number(x + SWATCH + AFTER_SWATCH)}" {baseline}'
        yield f'<text {place} fill="{theme.text}">{text(entry.name)}</text>'
        x += entry.width + GAP
    if line.tail:
        yield f'<text x="{number(x)}" {baseline} fill="{theme.muted}">{line.tail}</text>'

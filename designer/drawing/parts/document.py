"""A design as one page: its picture in canvas units, what lies over it, and the legends beneath."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition, laid_over
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect
from designer.drawing.heat import Heat
from designer.drawing.overlay import Overlay
from designer.drawing.parts.jobs import JobMarks
from designer.drawing.parts.legend import MARGIN_PX
from designer.drawing.parts.lit import overlaid
from designer.drawing.parts.marks import badges
from designer.drawing.parts.paper import paper
from designer.drawing.parts.picture import as_asked, layers, legend_room, legends, states
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.picture import document_picture
from designer.drawing.theme import Theme
from designer.errors import ExportError
from designer.model.design import Design
from designer.model.placed_jobs import servers_by_colour
from designer.model.records import ordered
from designer.units import format_count

MARGIN = 40.0
"""Around the drawing; of a wide one so much on the screen on which it is first seen."""
SCREEN_WIDTH = 1600.0
"""A wider drawing is first seen shrunk to about this; its legend and titles are the larger."""
LEAST_NAME = 8.0
"""Names get as small before they are elided."""


@dataclass(frozen=True, slots=True)
class Document:
    """A page with `area` (left, top, width, height) in canvas units, and the layers on it, to be written once."""

    title: str
    description: str
    area: Rect
    layers: tuple[Group, ...]


def document(
    design: Design,
    theme: Theme | str,
    heat: Heat | None,
    hidden: frozenset[str],
    overlay: Overlay,
    ruler: Ruler,
) -> Document:
    """The design without the hidden networks, and what lies over it. Raises ExportError where that is nothing."""
    composition = Composition(design, hidden) if overlay.counts else laid_over(design, hidden)
    composition.notes.are_shown = overlay.annotations
    composition.colouring.choose(overlay.colours)
    composition.colouring.show_status(overlay.status)
    composition.colouring.show_marks(overlay.marks)
    picture = document_picture(composition, theme, heat)
    picture = as_asked(picture, overlay)
    if picture.bounds is None:
        raise ExportError("the design is empty: there is nothing to draw")
    left, top, right, bottom = picture.bounds
    jobs_drawn = overlay.jobs and bool(design.jobs)
    names_jobs, heat_legend = jobs_drawn and overlay.legend, picture.legend if overlay.legend else None
    zoom = max(1.0, (right - left) / (SCREEN_WIDTH - 2 * MARGIN))
    edge, margin = float(round(MARGIN * zoom)), MARGIN_PX * zoom
    shown = picture.keys if overlay.legend else ()
    least, foot = legend_room(heat_legend, shown, ruler, jobs=names_jobs)
    foot *= zoom
    width = max(right - left + 2 * edge, (least * zoom + 2 * margin) if least else 0.0)
    height = bottom - top + 2 * edge + (foot + margin if foot else 0.0)
    area = (left + right - width) / 2, top - edge, width, height
    sheet = Sheet(Camera(), area, picture.theme, ruler, zoom, LEAST_NAME)
    drawn = (
        Group(paper(sheet), "paper", label="Paper"),
        *layers(picture, sheet, has_titles=overlay.labels),
        *_over(composition, picture, heat, sheet, overlay, jobs_drawn),
        *legends(heat_legend, ordered(design.jobs) if names_jobs else (), sheet, shown),
    )
    described = _description(design, picture) if overlay.counts else "Two designs laid over each other"
    return Document(design.name, described, area, drawn)


def _over(
    composition: Composition, picture: Picture, heat: Heat | None, sheet: Sheet, overlay: Overlay, jobs_drawn: bool
) -> Iterator[Group]:
    if jobs_drawn:
        servers = servers_by_colour(composition.design)
        feet = JobMarks().parts(composition, sheet, servers, picture.detail.names)
        yield Group(feet, "jobs", label="Jobs")
    yield from overlaid(composition, picture, heat, sheet, overlay)
    yield from states(composition, sheet, picture.detail, overlay)
    yield Group(badges(composition, sheet, picture.detail, overlay.badges), "findings", label="Findings")


def _description(design: Design, picture: Picture) -> str:
    drawn = len(picture.device_ids)
    parts = [f"{_counted(drawn, 'device')}, {_counted(len(design.links), 'link')}"]
    if drawn < len(design.devices):
        parts.append(f"not drawn, having no place: {_counted(len(design.devices) - drawn, 'device')}")
    if picture.legend is not None:
        parts += [": ".join(part for part in (picture.legend.title, picture.legend.label) if part), picture.legend.note]
    return "; ".join(parts)


def _counted(count: int, word: str) -> str:
    return f"{format_count(count)} {word}{'' if count == 1 else 's'}"

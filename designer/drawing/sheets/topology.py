"""The logical topology on paper: all of it on one page, and each unit as large as its names need."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from designer.analysis.cable_places import by_name
from designer.analysis.summary import network_summary
from designer.analysis.summary_text import network_text
from designer.analysis.tiers import server_word
from designer.analysis.topology_text import topology_text
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import COUNTS_FROM, MODELS_FROM, detail_at, detail_of_document
from designer.drawing.parts.boxes import LEFT, RIGHT
from designer.drawing.parts.picture import layers
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.sheet import Sheet
from designer.drawing.projection import Projection
from designer.drawing.sheets.book import Draft, Numbers, room_of
from designer.drawing.sheets.contents import Shown, in_lines, keys_in, kinds_in
from designer.drawing.sheets.lettering import LEAST_SIZE, RULER, broken, jump_of, label, width
from designer.drawing.sheets.off_page import (
    ARROW_ROOM,
    connector_parts,
    one_for_each_page,
    out_of_unit,
    part_of,
    places_of,
    shown_in,
    to_other_parts,
)
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.rest_map import draw_rest_map, kinds_of, parts_of, rest_map
from designer.drawing.sheets.tiles import Tile, fitting_scale, tiles
from designer.drawing.sheets.unit_blocks import Blocks, in_blocks
from designer.drawing.sheets.unit_layout import around_middle, in_rows, on_both_sides, under_servers
from designer.drawing.sheets.unit_links import link_drafts, unit_links
from designer.drawing.sheets.unit_map import draw_unit_map, unit_map
from designer.drawing.sheets.unit_notes import NOTE_SIZE, ON_PAGE, Out, notes_of
from designer.drawing.sheets.unit_pairs import pair_drafts
from designer.drawing.theme import Theme
from designer.errors import ParameterError
from designer.model.annotation import LEGEND, TITLE_BLOCK
from designer.model.design import Design, from_entities
from designer.model.entities import FABRIC
from designer.model.entities import Group as Unit
from designer.model.fragments import copy_fragment
from designer.model.networks import COMPUTE, TITLES, WORDS, network_of_link, networks_of
from designer.placement.layouts.sketch import is_direct, levels_of, sketch_of
from designer.placement.metrics import BOX_HEIGHT, GAP, SWITCH_WIDTH, box_size
from designer.units import format_counted

OVERVIEW, UNITS = "overview", "units"
PARTS, REST = "parts of the overview", "devices in no unit"
"""Subjects of pages, or how they begin."""
MOST_SCALE = 1.0
"""Points a canvas unit: a box is then as large as on a screen."""
LEAST_SCALE = 0.2
MARGIN = 30.0
"""Around a picture, canvas units, for titles of groups."""
MUCH_LARGER = 1.15
"""Boxes of a unit leave their places on the canvas where they are so much larger otherwise."""
ZOOM = 0.6
"""Of what keeps its size on a screen: paper is read closer."""
NOTE_LINE = 11.0
GOES_ON = "Arrows name what links lead to on other pages. This picture is on pages"
"""The note of a picture in parts, before the numbers of their pages."""
POINTS_TO_PX = 96 / 72
LEGEND_GAP, LEGEND_ROOM = 6.0, 36.0
"""Below the whole topology: a legend of two lines."""


def overview_drafts(design: Design, paper: Paper, theme: Theme) -> Iterator[Draft]:
    """The whole on one page, and in parts where its names need them and no unit has a page of its own."""
    bounds = _bounds(_opened(design))
    if bounds is None:
        return
    left, top, right, bottom = whole_room = room_of(paper)
    stated = topology_text(design)
    sentences = (stated.text, *(f"Note: {one}" for one in stated.cautions))
    lines = [line for one in sentences for line in broken(one, (right - left) / NOTE_SIZE)]
    room = left, top, right, bottom - LEGEND_ROOM - NOTE_LINE * (2 + len(lines))
    scale, named = fitting_scale(bounds, room, MOST_SCALE), name_scale(design)
    linked = unit_map(design, units(design)) if scale < named else None
    if linked is not None:
        draw = partial(draw_unit_map, linked, whole_room, theme, stated=lines)
        yield Draft(OVERVIEW, "Topology", draw, OVERVIEW, "Units and their links")
        yield from pair_drafts(design, linked, OVERVIEW, paper, theme)
        return
    elsewhere = UNITS if units(design) else PARTS
    networks = networks_of(design)
    for network in networks:
        # Lines of all networks over each other cannot be followed: each has a page of its own.
        hidden = frozenset(networks) - {network}
        shown = design if network == COMPUTE else under_servers(design, network)
        seen = _bounds(_opened(shown, hidden))
        if seen is None:
            continue
        whole = next(tiles(seen, room, fitting_scale(seen, room, MOST_SCALE), (0.0, 0.0)))
        is_all = len(networks) == 1
        title, name = ("Topology", "All of it") if is_all else (f"Topology: {WORDS[network]}", TITLES[network])
        said = lines if network == COMPUTE else _stated(design, network, right - left)
        draw_whole = partial(_draw_whole, shown, hidden, whole, room, theme, elsewhere, said)
        subject = OVERVIEW if network == networks[0] else f"{OVERVIEW} {network}"
        yield Draft(OVERVIEW, title, draw_whole, subject, name)
    if scale < named and elsewhere == PARTS:
        found, in_part, cut = _in_parts(bounds, whole_room, named)
        parts = _Parts(design, found, in_part, theme, PARTS)
        for number, one in enumerate(found):
            draw_part = partial(_draw, parts, number, cut)
            yield Draft(OVERVIEW, f"Topology{one.name}", draw_part, PARTS, "In parts")


def _stated(design: Design, network: str, room: float) -> Sequence[str]:
    """What a network is built of, in lines."""
    return broken(
        f"{TITLES[network]}: {network_text(network_summary(design, network), server_word(design))}.", room / NOTE_SIZE
    )


OVERLAP = (SWITCH_WIDTH + GAP, BOX_HEIGHT + GAP)


def units(design: Design) -> list[Unit]:
    """The groups that have devices of their own, as people list them; not the frame around a whole fabric."""
    held = {device.group_id for device in design.devices.values()}
    found = [one for one in design.groups.values() if one.id in held and one.kind != FABRIC]
    return sorted(found, key=by_name)


def unit_drafts(design: Design, paper: Paper, theme: Theme) -> Iterator[Draft]:
    """The pages of each unit, then those of the devices that are in none."""
    chosen = units(design)
    if not chosen:
        return
    inside, homes = {one.id for one in chosen}, dict[str, _Home]()
    for one in chosen:
        devices = [device.id for device in design.devices.values() if device.group_id == one.id]
        yield from _pictures(design, one.name, [one.id], devices, paper, theme, one.id, homes)
    rest = [device.id for device in design.devices.values() if device.group_id not in inside]
    names = {one.id: one.name for one in chosen}
    for title, ids in kinds_of(design, rest).items():
        yield from _rest_drafts(design, title, ids, names, paper, theme, homes)


class _Home(NamedTuple):
    """Where a device is drawn: so many pages after the first of a subject."""

    subject: str
    after: int


def _rest_drafts(
    design: Design,
    title: str,
    ids: Sequence[str],
    names: Mapping[str, str],
    paper: Paper,
    theme: Theme,
    homes: dict[str, _Home],
) -> Iterator[Draft]:
    """Devices of one kind in no unit: with lines to the units, or where those have no room, by name."""
    room, subject = room_of(paper), f"{REST}: {title}"
    parts = parts_of(rest_map(design, title, ids, names), design, room)
    for number, one in enumerate(parts):
        part = f", part {number + 1} of {len(parts)}" if len(parts) > 1 else ""
        draw = partial(draw_rest_map, one, design, room, theme)
        homes.update(dict.fromkeys(one.device_ids, _Home(subject, number)))
        yield Draft(UNITS, f"Topology: {title}{part}", draw, subject, title)
    if not parts:
        yield from _pictures(design, title, ids, ids, paper, theme, subject, homes)


def _pictures(
    design: Design,
    name: str,
    ids: Sequence[str],
    devices: Sequence[str],
    paper: Paper,
    theme: Theme,
    subject: str,
    homes: dict[str, _Home],
) -> Iterator[Draft]:
    """The pages of some devices; notes in `homes` which of them shows each, and reads there where all others are."""
    try:
        part = from_entities(copy_fragment(design, ids).entities(), design.settings)
    except ParameterError:
        return
    bounds = _bounds(_opened(part))
    if bounds is None:
        return
    left, top, right, bottom = room_of(paper)
    sketch = sketch_of(part, list(part.devices))
    linked = unit_links(design, name, devices) if is_direct(sketch, levels_of(sketch)) else None
    notes = notes_of(design, devices, linked, right - left)
    room = left, top, right, bottom - NOTE_LINE * len(notes)
    laid = _laid_out(in_rows(part, bounds), room) if subject.startswith(REST) else _laid_larger(part, room)
    shown = shown_in(laid.composition.boxes, laid.tiles, 0, laid.room)
    for device_id, number in zip(laid.composition.projection.device_ids, shown.home.tolist(), strict=True):
        homes[device_id] = _Home(subject, max(number, 0))
    others = _Others(design, homes) if linked is None else None
    parts = _Parts(laid.design, laid.tiles, laid.room, theme, subject, is_whole=False, others=others)
    for number, one in enumerate(laid.tiles):
        draw = partial(_draw, parts, number, (*laid.cut, *notes))
        yield Draft(UNITS, f"Topology: {name}{one.name}", draw, subject, name)
    if linked is not None:
        yield from link_drafts(design, linked, UNITS, paper, theme)


class _Laid(NamedTuple):
    """The devices of a unit as they stand on its pages."""

    design: Design
    composition: Composition
    tiles: Sequence[Tile]
    room: Rect
    cut: tuple[str, ...]
    """The note of several pages."""

    @property
    def scale(self) -> float:
        """Points a canvas unit."""
        return self.tiles[0].camera.scale


def _laid_larger(part: Design, room: Rect) -> _Laid:
    """A unit as it stands on the canvas, or where that takes fewer pages or is much larger, laid out for paper."""
    laid = _laid_out(part, room)
    if len(laid.tiles) > 1:
        other = around_middle(part.snapshot()) or on_both_sides(part.snapshot())
        laid = laid if other is None else _laid_out(other, room)
    left, top, right, bottom = room
    blocks = in_blocks(part.snapshot(), (right - left, bottom - top - NOTE_LINE), name_scale(part), MOST_SCALE)
    if blocks is None:
        return laid
    blocked = _on_pages(blocks, room) if len(blocks.pages) > 1 else _laid_out(blocks.design, room)
    fewer = len(blocked.tiles) - len(laid.tiles)
    return blocked if fewer < 0 or (fewer == 0 and blocked.scale > MUCH_LARGER * laid.scale) else laid


def _laid_out(part: Design, room: Rect) -> _Laid:
    """Devices where they stand, on as many pages as their names need."""
    composition = _opened(part)
    bounds = _bounds(composition) or room
    scale = max(fitting_scale(bounds, room, MOST_SCALE), name_scale(part))
    return _Laid(part, composition, *_in_parts(bounds, room, scale))


def _on_pages(blocks: Blocks, room: Rect) -> _Laid:
    """Blocks of a unit, each page as large as the fullest allows."""
    left, top, right, bottom = room
    room = left, top, right, bottom - NOTE_LINE
    scale = min(fitting_scale(page, room, MOST_SCALE) for page in blocks.pages)
    found = []
    for number, page in enumerate(blocks.pages, start=1):
        (tile,) = tiles(page, room, scale, OVERLAP)
        found.append(tile._replace(column=number, name=f", part {number} of {len(blocks.pages)}"))
    return _Laid(blocks.design, _opened(blocks.design), found, room, (GOES_ON,))


class _Others(NamedTuple):
    """What a unit is linked to: the whole design, and where its other devices are drawn."""

    design: Design
    homes: Mapping[str, _Home]

    def pages(self, numbers: Numbers) -> dict[str, int]:
        """The page of each device that is drawn."""
        first = numbers.first
        return {one: first[home.subject] + home.after for one, home in self.homes.items() if home.subject in first}


def _in_parts(bounds: Rect, room: Rect, scale: float) -> tuple[list[Tile], Rect, tuple[str, ...]]:
    """The parts of a picture with the room of each; several leave room for arrows, and a line to say where they are."""
    found = list(tiles(bounds, room, scale, OVERLAP))
    if len(found) == 1:
        return found, room, ()
    left, top, right, bottom = room
    room = left + ARROW_ROOM, top, right - ARROW_ROOM, bottom - NOTE_LINE
    return list(tiles(bounds, room, scale, OVERLAP)), room, (GOES_ON,)


def name_scale(design: Design) -> float:
    """The least scale at which the smallest letters have room for every name, in points a canvas unit."""
    rooms = ((one.name, box_size(design.is_switch(one.id))[0] - LEFT - RIGHT) for one in design.devices.values())
    least = max((width(name) * LEAST_SIZE / room for name, room in rooms), default=0.0)
    return min(MOST_SCALE, max(LEAST_SCALE, least))


def _opened(design: Design, hidden: frozenset[str] = frozenset()) -> Composition:
    """The drawing of every device for itself: whoever builds needs them all, whatever is collapsed on the canvas.

    The title block and the legend on the canvas are of that: a page states its own number, scale and colors. A note on
    a device is only where that is drawn.
    """
    made = Composition(design, projection=Projection(design, hidden))
    made.notes.follow_pins = True
    made.notes.left_out = frozenset((LEGEND, TITLE_BLOCK))
    return made


def _bounds(composition: Composition) -> Rect | None:
    if composition.bounds is None:
        return None
    left, top, right, bottom = composition.bounds
    return left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN


def _draw_whole(
    design: Design,
    hidden: frozenset[str],
    tile: Tile,
    room: Rect,
    theme: Theme,
    elsewhere: str,
    said: Sequence[str],
    numbers: Numbers,
) -> Iterator[Group]:
    """All, or one network, on one page: what it is, and where the names are that it has no room for."""
    are_named = tile.camera.scale >= name_scale(design)
    first, by_port = None if are_named else numbers.first.get(elsewhere), numbers.first.get("switches")
    notes: list[tuple[str, int | None]] = [(one, None) for one in said]
    if first is not None:
        notes.append((f"Names of all devices: from page {first} on", first))
    left, _, right, bottom = room
    composition = _opened(design, hidden)
    undrawn = _undrawn(design, hidden, composition)
    if undrawn and by_port is not None:
        links = format_counted(undrawn, "link")
        notes.append((f"{links} to switches of other networks: by port from page {by_port} on", by_port))
    drawn = _drawn(design, tile, theme, is_whole=True, composition=composition)
    yield from _layers(drawn, tile, room, theme)
    shown = [*_kinds_in(design, composition, drawn, theme), *keys_in(drawn.coloured.keys, theme)]
    yield Group(tuple(in_lines(shown, left, bottom + LEGEND_GAP, right - left, theme)), "legend", label="Legend")
    yield _noted([text for text, _ in notes], room, LEGEND_ROOM, theme, [page for _, page in notes])


def _undrawn(design: Design, hidden: frozenset[str], composition: Composition) -> int:
    """How many links of the networks shown lead to devices of hidden ones: ports by which switches are managed."""
    if not hidden:
        return 0
    shown = set(composition.projection.device_ids)
    return sum(
        link.a.device_id not in shown or link.b.device_id not in shown
        for link in design.links.values()
        if network_of_link(design, link) not in hidden
    )


def _kinds_in(design: Design, composition: Composition, drawn: Picture, theme: Theme) -> list[Shown]:
    """The kinds of devices that are drawn, unless something else colors their boxes."""
    if not drawn.coloured.is_by_kind:
        return []
    return kinds_in(design, theme, composition.projection.device_ids)


class _Parts(NamedTuple):
    """A picture in one part or more, each on a page."""

    design: Design
    tiles: Sequence[Tile]
    room: Rect
    theme: Theme
    subject: str
    """Of its pages."""
    is_whole: bool = True
    others: _Others | None = None
    """Of a unit; None where all its links are listed on a page of their own."""


def _draw(parts: _Parts, number: int, notes: Sequence[str | Out], numbers: Numbers) -> Iterator[Group]:
    """The part of this number with its notes. Those that end in ON_PAGE go on with the page after the last part."""
    design, every, room, theme, subject, is_whole, others = parts
    first = numbers.first.get(subject, 0)
    page = first + len(every)
    tile, composition = every[number], _opened(design)
    drawn = _drawn(design, tile, theme, is_whole=is_whole, composition=composition)
    shown = shown_in(composition.boxes, every, number, room)
    connectors = list(out_of_unit(others.design, composition, shown, others.pages(numbers))) if others else []
    if len(every) > 1:
        drawn = part_of(drawn, composition, shown, first)
        cut = to_other_parts(composition, shown, first)
        connectors += cut if others is not None or is_whole else one_for_each_page(cut)
    whole = others.design if others is not None else design
    arrows = connector_parts(connectors, whole, composition, tile.camera, room, theme) if connectors else None
    yield from _layers(drawn, tile, room, theme, () if arrows is None else places_of(arrows))
    if arrows is not None:
        yield arrows
    noted: list[tuple[str, int | None]] = []
    for one in notes:
        if isinstance(one, Out):
            noted.append(one.on(numbers))
        elif one.endswith(ON_PAGE):
            noted.append((f"{one} {page}", page))
        elif one == GOES_ON:
            noted.append((f"{one} {first} to {page - 1}", first))
        else:
            noted.append((one, None))
    yield _noted([text for text, _ in noted], room, 0.0, theme, [leads for _, leads in noted])


def _drawn(
    design: Design, tile: Tile, theme: Theme, *, is_whole: bool, composition: Composition | None = None
) -> Picture:
    composition = _opened(design) if composition is None else composition
    scale, bundles = tile.camera.scale, composition.bundles
    if scale < name_scale(design):
        detail = detail_at(scale * POINTS_TO_PX, bundles.n_ends, len(bundles.pairs), len(design.links))
    else:
        detail = detail_of_document(bundles.n_ends, len(bundles.pairs))
    # Of a part of a design the ports in use are not all known, which stand beside the model.
    # Where names can be read, so can counts: they stand where lines have room for them.
    counted = detail.counts and scale >= min(COUNTS_FROM, name_scale(design))
    detail = replace(detail, models=is_whole and scale >= MODELS_FROM, counts=counted)
    return composition.picture(theme, detail)


def _layers(drawn: Picture, tile: Tile, room: Rect, theme: Theme, reserved: tuple[Rect, ...] = ()) -> Iterator[Group]:
    """The picture in the room of a page; its texts keep clear of what is `reserved` there."""
    left, top, right, bottom = room
    area = left, top, right - left, bottom - top
    for group in layers(drawn, Sheet(tile.camera, area, theme, RULER, ZOOM, LEAST_SIZE, reserved=reserved)):
        yield group._replace(clip=area)


def _noted(notes: Sequence[str], room: Rect, below: float, theme: Theme, pages: Sequence[int | None]) -> Group:
    """Notes in lines below what a page has room for, and the pages that they lead to."""
    left, _, right, bottom = room
    texts = [
        label(text, left, bottom + below + NOTE_LINE * (number + 0.8), right - left, NOTE_SIZE, theme.muted)
        for number, text in enumerate(notes)
    ]
    jumps = (jump for text, page in zip(texts, pages, strict=True) for jump in jump_of(text, page))
    return Group((*texts, *jumps), "notes", label="Notes")

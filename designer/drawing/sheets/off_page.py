"""Connectors: at a device, an arrow that names what its links lead to on another page, and that page.

A picture in parts draws the links between devices of one part. What leads to another part has a connector at both of
its ends, as links out of a unit have.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from designer.analysis.tiers import device_word
from designer.drawing.arches import BOTTOM, LEFT, RIGHT, TOP
from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Group, Ink, Part, Path, Pen, Rect, Text
from designer.drawing.sheets.lettering import LEAST_SIZE, broken, jump_of, width
from designer.drawing.sheets.tiles import Tile
from designer.drawing.sheets.unit_notes import runs
from designer.drawing.theme import Theme
from designer.drawing.tori import FarEnds
from designer.model.design import Design
from designer.model.naming import natural
from designer.units import format_counted

AWAY = 1e7
"""Where boxes and lines are put that a part does not show, in canvas units."""
SIZE, LINE = LEAST_SIZE, 7.4
REACH, HEAD, GAP = 9.0, 3.4, 2.0
"""Length of an arrow and of its head, and the gap to its text, points."""
MOST_ROOM = 180.0
"""A text is no wider, however much room there is."""
SPARE = 7.0
"""Of the room of a page, between it and the frame, that texts may use."""
ARROW_ROOM = 22.0
"""At the left and right edge of a page, for arrows with the shortest text."""
MOST_LINES = 4
"""Of connectors on one side of a device; further pages are gathered in the last."""
FREE_ROOM = 60.0
"""Canvas units over or under a box, for an arrow out of the unit between two rows of boxes."""
CORNER = 5.0
"""From the left edge of a box to an arrow on its upper or lower edge."""
MOST_NAMED = 9
"""Lines on one side of a device where names are broken into several."""
TOLERANCE = 0.5
MANY = (
    "{links} to {names} (page {page})",
    "{links} to {count} (page {page})",
    "{links} to {count} (p. {page})",
    "{links} (p. {page})",
    "p. {page}",
)
SINGLE = "{names} (page {page})", "{count} (page {page})", "{count} (p. {page})", "p. {page}"
"""What a connector says, in the order in which they are tried; the latter where each device has one link."""
GATHERED = "{links} on pages {page} to {last}", "p. {page} to {last}"


class Connector(NamedTuple):
    """Links from one side of a device to devices on another page."""

    row: int
    """Of its box."""
    side: int
    page: int
    far_ids: Sequence[str]
    """What each link leads to."""
    is_out: bool = False
    """Whether that is outside of the picture, not in another part of it."""
    is_short: bool = False
    """Whether names are left out, as they are listed elsewhere."""


class Shown(NamedTuple):
    """What a part of a picture shows, and where else the other boxes are."""

    whole: Flags  # (n_boxes,) those that it shows whole
    home: Ints  # (n_boxes,) the part that shows a box whole, by its number; the nearest where several do, -1 for none


def shown_in(boxes: Floats, tiles: Sequence[Tile], number: int, room: Area) -> Shown:
    """What the part of this number shows whole, and which parts show the others."""
    own, home = tiles[number], np.full(len(boxes), -1, np.int64)

    def steps(one: int) -> int:
        return abs(tiles[one].row - own.row) + abs(tiles[one].column - own.column)

    for one in sorted(range(len(tiles)), key=steps, reverse=True):
        home[_inside(boxes, tiles[one].camera, room)] = one
    return Shown(home == number, home)


def _inside(boxes: Floats, camera: Camera, room: Area) -> Flags:
    low = np.array(camera.to_canvas(room[0], room[1])) - TOLERANCE
    high = np.array(camera.to_canvas(room[2], room[3])) + TOLERANCE
    found: Flags = np.asarray(((boxes[:, :2] >= low) & (boxes[:, :2] + boxes[:, 2:] <= high)).all(axis=1))
    return found


def part_of(drawn: Picture, composition: Composition, shown: Shown, first: int) -> Picture:
    """The picture with the boxes that a part shows whole and the lines between these; `first` is the page of part 0.

    Of links that are drawn as stubs, those of its boxes stay, with the pages of their far ends.
    """
    bundles, lines, stubs, ends = composition.bundles, drawn.lines, composition.stubs, drawn.far_ends
    if not len(lines.xy):
        return replace(drawn, boxes=np.where(shown.whole[:, None], drawn.boxes, AWAY))
    both: Flags = np.asarray(shown.whole[bundles.pairs].all(axis=1))
    hidden: Flags = ~lines.holding(both[bundles.of_link])
    if stubs is not None and ends is not None:
        of = bundles.of_link[lines.links[lines.starts]]
        near = bundles.pairs[of, np.where(lines.direct, 0, 1)]
        hidden = np.where(np.isin(of, stubs.numbers), ~shown.whole[near], hidden)
        ends = _stubbed(ends, bundles.pairs[stubs.numbers].reshape(-1), shown, first)
    return replace(
        drawn,
        boxes=np.where(shown.whole[:, None], drawn.boxes, AWAY),
        lines=replace(lines, xy=np.where(hidden[:, None], AWAY, lines.xy)),
        far_ends=ends,
    )


def _stubbed(ends: FarEnds, near: Ints, shown: Shown, first: int) -> FarEnds:
    """The names at the stubs of these boxes, with the pages of those on other parts."""
    notes = []
    for circuit, home, is_here in zip(ends.circuits, shown.home[ends.names], shown.whole[ends.names], strict=True):
        page = "" if is_here or home < 0 else f"p. {first + home}"
        notes.append(", ".join(filter(None, (circuit, page))))
    return replace(ends, at=np.where(shown.whole[near][:, None], ends.at, AWAY), circuits=notes)


def to_other_parts(composition: Composition, shown: Shown, first: int) -> list[Connector]:
    """A connector for each side of a box of this part and each page that its links go on with; none for stubs."""
    projection, bundles = composition.projection, composition.bundles
    stubbed = composition.stubs.numbers if composition.stubs is not None else ()
    cut = shown.whole[bundles.pairs].sum(axis=1) == 1
    cut[list(stubbed)] = False
    found: dict[tuple[int, int, int], list[str]] = {}
    for number in np.flatnonzero(cut).tolist():
        pair, anchors = bundles.pairs[number].tolist(), composition.anchors.bundles[number].tolist()
        near = 0 if shown.whole[pair[0]] else 1
        row, far = pair[near], pair[1 - near]
        if shown.home[far] < 0:
            continue
        side = _side(composition.boxes[row].tolist(), *anchors[2 * near : 2 * near + 2])
        key = row, side, first + int(shown.home[far])
        found.setdefault(key, []).extend([projection.device_ids[far]] * int(bundles.counts[number]))
    return [Connector(*key, far_ids) for key, far_ids in sorted(found.items())]


def one_for_each_page(connectors: Iterable[Connector]) -> Iterator[Connector]:
    """One connector without names for each box and page, on the side from which most of the links lead."""
    found: dict[tuple[int, int], list[Connector]] = {}
    for one in connectors:
        found.setdefault((one.row, one.page), []).append(one)
    for of_page in found.values():
        most = max(of_page, key=lambda one: len(one.far_ids))
        yield most._replace(far_ids=[far for one in of_page for far in one.far_ids], is_short=True)


def _side(box: Sequence[float], x: float, y: float) -> int:
    """The side of a box that a point of its edge is on."""
    left, top, wide, high = box
    away = {TOP: abs(y - top), BOTTOM: abs(y - top - high), LEFT: abs(x - left), RIGHT: abs(x - left - wide)}
    return min(away, key=lambda one: away[one])


def out_of_unit(
    design: Design, composition: Composition, shown: Shown, pages: Mapping[str, int]
) -> Iterator[Connector]:
    """A connector for each switch with a free upper or lower side and each page that shows what it is linked to.

    `pages` of devices that are not in the picture, by id.
    """
    inside, boxes, pairs = set(composition.projection.device_ids), composition.boxes, composition.bundles.pairs
    for row in np.flatnonzero(shown.whole).tolist():
        device_id = composition.projection.device_ids[row]
        partners = np.concatenate((pairs[pairs[:, 0] == row, 1], pairs[pairs[:, 1] == row, 0]))
        side = _free_side(boxes, row, partners) if design.is_switch(device_id) else None
        if side is None:
            continue
        found: dict[int, list[str]] = {}
        for link in design.links_of(device_id):
            far = link.b.device_id if link.a.device_id == device_id else link.a.device_id
            if far not in inside and far in pages:
                found.setdefault(pages[far], []).append(far)
        yield from (Connector(row, side, page, far_ids, is_out=True) for page, far_ids in sorted(found.items()))


def _free_side(boxes: Floats, row: int, partners: Ints) -> int | None:
    """TOP or BOTTOM, where no box stands over or under this one; else where none is near, and no partner's link."""
    x, y, wide, high = boxes[row].tolist()
    tops, bottoms = boxes[:, 1], boxes[:, 1] + boxes[:, 3]
    column = (boxes[:, 0] < x + wide) & (boxes[:, 0] + boxes[:, 2] > x)
    over, under = column & (tops < y), column & (tops > y)
    if not over.any():
        return TOP
    if not under.any():
        return BOTTOM
    if (tops[partners] > y).all() and (bottoms[over] <= y - FREE_ROOM).all():
        return TOP
    is_free = (tops[partners] < y).all() and (tops[under] >= y + high + FREE_ROOM).all()
    return BOTTOM if is_free else None


class _Place(NamedTuple):
    """Where the texts of one side of a box stand, in points."""

    box: tuple[float, float, float, float]
    side: int
    room: float
    """How wide a text may be before it meets another box or the edge of the page."""
    lines: int
    """How many have room above each other."""
    is_before: bool
    """Whether texts stand before an arrow at the upper edge: names at stubs stand after it."""
    plate: str | None
    """The color under texts that may lie on lines; None where there are none."""


def connector_parts(
    connectors: Iterable[Connector], design: Design, composition: Composition, camera: Camera, room: Area, theme: Theme
) -> Group:
    """All connectors of a page: an arrow out of each side of a device, and a line for each page that it leads to."""
    boxes = np.vstack((composition.boxes, _noted(composition)))
    boxes = np.hstack((camera.points_to_view(boxes)[:, :2], boxes[:, 2:] * camera.scale))
    sides: dict[tuple[int, int], list[Connector]] = {}
    for one in connectors:
        sides.setdefault((one.row, one.side), []).append(one)
    parts: list[Part] = []
    for (row, side), found in sides.items():
        is_before = side == LEFT or (side == TOP and composition.stubs is not None)
        across, down = _room(boxes, row, side, room, is_before=is_before)
        box = (*boxes[row].tolist(),)
        place = _Place(box, side, min(MOST_ROOM, across), int(down / LINE), is_before, theme.background)
        if found[0].is_out:
            place = place._replace(lines=1, plate=None)
        parts += _arrow_parts(list(_texts(found, design, place)), place, theme)
    return Group(tuple(parts), "connectors", label="To other pages")


def _noted(composition: Composition) -> Floats:
    """Left, top, width and height of annotations over the fabric, (n, 4): texts end before them, as before boxes."""
    found = [one.rect for one in composition.notes.seen if not (one.is_behind or one.is_straight)]
    rects: Floats = np.array(found, np.float64).reshape(-1, 4)
    return np.hstack((rects[:, :2], rects[:, 2:] - rects[:, :2]))


def places_of(connectors: Group) -> tuple[Area, ...]:
    """Left, top, width and height of what is drawn of connectors, which the texts of the picture keep clear of."""
    found = list[Area]()
    for part in connectors.parts:
        if isinstance(part, Path):
            (left, top), (right, bottom) = np.min(part.points, axis=0).tolist(), np.max(part.points, axis=0).tolist()
            found.append((left, top, right - left, bottom - top))
        elif isinstance(part, Text):
            found.append((part.x, part.y - LINE * 0.8, width(part.text) * SIZE, LINE))
    return tuple(found)


def _room(boxes: Floats, row: int, side: int, room: Area, *, is_before: bool) -> tuple[float, float]:
    """How wide texts at an arrow may be, and how high, before they meet another box or the edge of the page."""
    x, y, wide, high = boxes[row].tolist()
    lefts, tops, rights, bottoms = *boxes[:, :2].T, *(boxes[:, :2] + boxes[:, 2:]).T
    beside, column = (tops < y + high) & (bottoms > y), (lefts < x + wide) & (rights > x)
    before = float(np.max(rights[beside & (lefts < x)], initial=room[0] - SPARE))
    after = float(np.min(lefts[beside & (lefts > x)], initial=room[2] + SPARE))
    if side == LEFT:
        return x - before - REACH - 2 * GAP, high
    if side == RIGHT:
        return after - x - wide - REACH - 2 * GAP, high
    if not (beside & (lefts > x)).any() and (beside & (lefts < x)).any():
        after = min(after, x + x - float(np.max(lefts[beside & (lefts < x)])))  # as wide as those before it
    above = y - float(np.max(bottoms[column & (tops < y)], initial=room[1]))
    below = float(np.min(tops[column & (tops > y)], initial=room[3])) - y - high
    across = x - before + CORNER if is_before else after - x - CORNER
    return across - HEAD / 2 - 2 * GAP, above if side == TOP else below


def _arrow_parts(texts: Sequence[tuple[str, int]], place: _Place, theme: Theme) -> Iterator[Part]:
    x, y, wide, high = place.box
    tall = len(texts) * LINE
    way = -1.0 if place.side in (TOP, LEFT) else 1.0
    if place.side in (TOP, BOTTOM):
        at, edge = x + CORNER, y if place.side == TOP else y + high
        tip = edge + way * max(REACH, tall + GAP)
        shaft = (at, edge), (at, tip)
        head = (at, tip), (at - HEAD / 2, tip - way * HEAD), (at + HEAD / 2, tip - way * HEAD)
        start = at + (-1 if place.is_before else 1) * (HEAD / 2 + GAP)
        top = edge + way - (tall if place.side == TOP else 0.0)
    else:
        edge, middle = x if place.side == LEFT else x + wide, y + high / 2
        tip = edge + way * REACH
        shaft = (edge, middle), (tip, middle)
        head = (tip, middle), (tip - way * HEAD, middle - HEAD / 2), (tip - way * HEAD, middle + HEAD / 2)
        start, top = tip + way * GAP, middle - tall / 2
    yield Path(shaft, None, Pen(theme.muted, 0.8))
    yield Path(head, Ink(theme.muted), closed=True)
    for number, (text, page) in enumerate(texts):
        across = width(text) * SIZE
        left, line_top = start - across if place.is_before else start, top + number * LINE
        if place.plate is not None:
            yield Rect(left - 0.5, line_top, across + 1.0, LINE, Ink(place.plate))
        line = Text(left, line_top + LINE * 0.8, text, SIZE, theme.text)
        yield line
        yield from jump_of(line, page)


def _texts(found: Sequence[Connector], design: Design, place: _Place) -> Iterator[tuple[str, int]]:
    """What each line says, and the page that it leads to: names in lines where all have room, else shorter texts."""
    kept = found if len(found) <= MOST_LINES else found[: MOST_LINES - 1]
    forms = [(_forms(one, design), one.page) for one in kept]
    if rest := found[len(kept) :]:
        links = format_counted(sum(len(one.far_ids) for one in rest), "link")
        pages = [one.page for one in rest]
        forms.append(([one.format(links=links, page=min(pages), last=max(pages)) for one in GATHERED], min(pages)))
    lines = [(line, page) for (first, *_), page in forms for line in broken(first, place.room / SIZE)]
    are_words_whole = " ".join(text for text, _ in lines) == " ".join(first for (first, *_), _ in forms)
    if are_words_whole and len(lines) <= min(place.lines, MOST_NAMED):
        yield from lines
    else:
        yield from ((_fitting(texts, place.room), page) for texts, page in forms)


def _forms(one: Connector, design: Design) -> list[str]:
    """What a connector says, the longest first."""
    ids = dict.fromkeys(one.far_ids)
    names = ", ".join(runs(sorted((design.devices[far].name for far in ids), key=natural)))
    words = {device_word(design, far) for far in ids}
    count = format_counted(len(ids), words.pop() if len(words) == 1 else "device")
    links = format_counted(len(one.far_ids), "link")
    forms = SINGLE if len(ids) == len(one.far_ids) else MANY
    texts = [form.format(links=links, names=names, count=count, page=one.page) for form in forms]
    return texts[1:] if one.is_short else texts


def _fitting(texts: Iterable[str], room: float) -> str:
    """The first of these that is no wider than the room, else the last."""
    text = ""
    for text in texts:
        if width(text) * SIZE <= room:
            break
    return text

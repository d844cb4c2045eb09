"""What is written at rows of boxes: above a tier what it is, and below narrow boxes what is in each."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.counts import Taken, corners_of, n_crossed
from designer.drawing.display_list import Picture
from designer.drawing.folding.folds import FOLDED
from designer.drawing.folding.stacks import Stacks
from designer.drawing.parts.annotations import zone_titles
from designer.drawing.parts.frames import NOTE_GAP, TITLE_PX, TITLE_SIZE
from designer.drawing.parts.primitives import Group, Ink, Part, Point, Rect, Text
from designer.drawing.parts.ruler import line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stack_words import name_size, words_of
from designer.drawing.parts.standing import NO_PLATES, BoxPlate, box_plates, fabric, lines_on, over_drawing, standing
from designer.drawing.parts.tori import far_ends, layers_of_torus
from designer.drawing.text import first_to_last
from designer.drawing.tier_titles import TierTitle
from designer.model.shown_text import visible_line
from designer.placement.metrics import BOX_HEIGHT

_Around = tuple[Taken, Floats]
"""What captions of rows keep off: all that stands on a sheet, and all lines."""

SIZE_PX = 11.0
GAP_PX = 11.0
"""From the boxes, and the plates of their stacks, to the line below them."""
LEAST_BOXES, MOST_SORTS = 2, 3
NARROW_PX, LOW_PX, LOW_WIDTH_PX = 110.0, 24.0, 220.0
"""Boxes that are wider say themselves what is in them; low ones where they are wider still."""
MOST_GAP = 0.6
"""Of the width of the widest, between two boxes of a row."""
LEAST_SHARE_OF_ALL = 0.5
"""Of fewer of all boxes for many nobody would know which one line below the drawing means."""
ABOVE_PX, PLATE_PX, AFTER_PX = 3.0, 2.0, 6.0
"""From the title of a tier to its boxes, beside its letters, and after an annotation in its place."""
BESIDE_PX, RAISED_PX = 8.0, 12.0
"""From a title next to its tier to the boxes, and above its tier where lines end at these."""
ABOVE, LEFT, RIGHT = SIDES = "above", "left", "right"
"""Of the tiers of a drawing, on which their titles may stand, the best first."""
NOTED, UNNOTED = 1.0, 0.8
"""How well a title stands with its note and without; half as well where it covers ends of lines."""
TITLE_SIDE, KEPT_FROM = "side of titles", 0.75
"""The side chosen before is kept from such a share of how well titles stand on the best."""
DIFFERENT = "of different sizes"
NAMES, COUNTS, BUSES, HOT_BOXES, LIT_NAMES = LAYERS = "names", "counts", "buses", "hot boxes", "names of what is lit"
"""Those that look for places, in the order in which they are drawn."""


class RowCaption(NamedTuple):
    """A line of text with its place on the sheet."""

    text: str
    x: float
    y: float
    width: float
    height: float
    rows: tuple[int, ...] = ()
    """The boxes that it explains."""

    @property
    def is_whole(self) -> bool:
        """Whether it says of each box what is in it."""
        return not self.text.endswith(DIFFERENT)

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        return self[1:5]


def row_captions(picture: Picture, sheet: Sheet) -> list[RowCaption]:
    """The lines below rows of narrow boxes, where nothing else stands in their place."""
    return picture.once_on(sheet, _captions)


def _captions(picture: Picture, sheet: Sheet) -> list[RowCaption]:
    if picture.stacks is None or not picture.stacks.are_all or not (picture.detail.names or picture.detail.counts):
        return []
    places = sheet.boxes(picture.boxes)
    width, height = (places[:, 2:] / sheet.zoom).T
    narrow = (picture.kinds == FOLDED) & (width < np.where(height < LOW_PX, LOW_WIDTH_PX, NARROW_PX))
    narrow |= _cut(picture.stacks, places, np.flatnonzero((picture.kinds == FOLDED) & ~narrow), sheet)
    if np.count_nonzero(narrow) < LEAST_BOXES:
        return []
    numbers, taken = np.flatnonzero(narrow).tolist(), (standing(picture, sheet), lines_on(picture, sheet))
    found = []
    for rows in _rows(places, numbers):
        texts = _said(picture.stacks, rows) if len(rows) >= LEAST_BOXES else []
        caption = _placed(texts, places[rows], taken, sheet) if texts else None
        if caption is not None:
            found.append(caption._replace(rows=tuple(rows)))
    are_explained = sum(len(one.rows) for one in found) == len(numbers)
    if are_explained or len(numbers) <= LEAST_SHARE_OF_ALL * np.count_nonzero(picture.kinds == FOLDED):
        return found
    return _of_all(picture.stacks, places, numbers, taken, sheet) or found


def _cut(stacks: Stacks, places: Floats, rows: Ints, sheet: Sheet) -> Flags:
    """The boxes in whose rows one does not say all of its devices; of these rows."""
    found, known = np.zeros(len(places), np.bool_), dict[tuple[str, int, int, int], bool]()
    for row in rows.tolist():
        stack, (width, height) = stacks.at(row), places[row, 2:].tolist()
        name = visible_line(stack.name)
        key = stack.devices, len(name), round(width), round(height)
        if stack.devices and key not in known:
            words = words_of(stack, name, lambda: "", sheet, (width, height), name_size(height, sheet))
            known[key] = not words.says(stack.devices)
        found[row] = known.get(key, False)
    lines = np.round(places[:, (1, 3)])
    for line in np.unique(lines[found], axis=0):
        alike = rows[(lines[rows] == line).all(axis=1)]
        found[[row for row in alike.tolist() if stacks.at(row).devices]] = True
    return found


def _of_all(stacks: Stacks, places: Floats, rows: list[int], taken: _Around, sheet: Sheet) -> list[RowCaption]:
    """One line below all boxes where not all stand in rows, as around a middle, and are alike."""
    devices = {stacks.at(row).devices for row in rows}
    if len(devices) != 1 or not min(devices):
        return []
    first, last = places[rows, :2].min(axis=0), (places[rows, :2] + places[rows, 2:]).max(axis=0)
    around = np.hstack((first, last - first))[None]
    said = first_to_last([visible_line(stacks.at(row).name) for row in rows]) or f"{len(rows)} boxes"
    caption = _placed([f"{said}: {min(devices)} each"], around, taken, sheet)
    return [] if caption is None else [caption._replace(rows=tuple(rows))]


def caption_parts(captions: Sequence[RowCaption], sheet: Sheet) -> Iterator[Part]:
    """The lines, over plates that cover what is beneath."""
    size = whole(SIZE_PX * sheet.zoom)
    for one in captions:
        plate = Rect(-2.0, 0.0, one.width + 4, one.height, Ink(sheet.theme.background))
        text = Text(0.0, sheet.ruler.ascent(size), one.text, size, sheet.theme.muted)
        yield Group((plate, text), at=(one.x, one.y))


def _rows(places: Floats, rows: list[int]) -> Iterator[list[int]]:
    """Boxes beside each other, with the same upper edge and height, each row from left to right."""
    by_place: dict[tuple[int, int], list[int]] = {}
    for row in sorted(rows, key=lambda one: float(places[one, 0])):
        by_place.setdefault((round(places[row, 1]), round(places[row, 3])), []).append(row)
    for alike in by_place.values():
        x, _, width, _ = places[alike].T
        gaps = np.flatnonzero(x[1:] - (x + width)[:-1] > MOST_GAP * width.max())
        cuts = [0, *(gaps + 1).tolist(), len(alike)]
        yield from (alike[first:last] for first, last in pairwise(cuts))


def _said(stacks: Stacks, rows: list[int]) -> list[str]:
    """Runs of boxes with the same devices, "SU 1 to SU 8: 18 servers, 4 leaf switches each"; the longest text first."""
    runs: list[list[str]] = []  # devices, first name, last name
    models = {stacks.at(row).models for row in rows}
    for row in rows:
        stack = stacks.at(row)
        name = visible_line(stack.name)
        if not stack.devices:
            return []
        if runs and runs[-1][0] == stack.devices:
            runs[-1][2] = name
        else:
            runs.append([stack.devices, name, name])
    if len(runs) > MOST_SORTS:
        return [f"{runs[0][1]} to {runs[-1][2]}: {DIFFERENT}"]
    texts = ["; ".join(_run(*one) for one in runs), "; ".join(_run(*one, short=True) for one in runs)]
    alike = models.pop() if len(models) == 1 else ""
    return [*([f"{texts[0]} ({alike})"] if alike else []), *texts]


def _run(devices: str, first: str, last: str, *, short: bool = False) -> str:
    if first == last:
        return f"{first}: {devices}"
    return f"each: {devices}" if short else f"{first} to {last}: {devices} each"


def _placed(texts: list[str], row: Floats, around: _Around, sheet: Sheet) -> RowCaption | None:
    """The first text that fits below a row of boxes that shows, in its middle or at an end of it, off all lines.

    None where none does, or something stands or runs there.
    """
    (left, top, across, down), (taken, lines) = sheet.area, around
    ruler, size = sheet.ruler, whole(SIZE_PX * sheet.zoom)
    first, last = row[0], row[-1]
    begin, end = max(float(first[0]), left + 4.0), min(float(last[0] + last[2]), left + across - 4.0)
    y, height = float(first[1] + first[3]) + GAP_PX * sheet.zoom, line_height(ruler, size)
    if not top <= y <= top + down:
        return None
    for text in texts:
        width = ruler.width(text, size)
        for share in (0.5, 0.0, 1.0) if width <= end - begin else ():
            x = begin + (end - begin - width) * share
            spot = np.array([[x + width / 2, y + height / 2]])
            if taken.is_free(x, y, width, height) and not n_crossed(lines, spot, width, height).any():
                return RowCaption(text, x, y, width, height)
    return None


class PlacedTitle(NamedTuple):
    """A title with its plate on the sheet: left, top, width, height, and the size of its letters."""

    text: str
    note: str
    x: float
    y: float
    width: float
    height: float
    size: int

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        return self[2:6]


def placed_titles(picture: Picture, sheet: Sheet) -> list[PlacedTitle]:
    """The titles that show, all on one side of their tiers, with their notes where these have room too.

    None where boxes stand in their place; where an annotation does, after that.
    """
    return picture.once_on(sheet, _titles)


def _titles(picture: Picture, sheet: Sheet) -> list[PlacedTitle]:
    if not picture.tier_titles:
        return []
    taken = standing(picture, sheet)
    zones = (part[:4] for part in zone_titles(picture, sheet) if type(part) is Rect)
    for place in (*(one.place for one in row_captions(picture, sheet)), *zones):
        taken.take(*place)
    found = {side: _on_side(side, picture, taken.copy(), sheet) for side in SIDES}
    chosen = _chosen(picture, {side: worth for side, (_, worth) in found.items()}, sheet)
    return [one for one in found[chosen][0] if sheet.touches(*one.place)]


def _on_side(side: str, picture: Picture, taken: Taken, sheet: Sheet) -> tuple[list[PlacedTitle], float]:
    """The titles that have room on one side of their tiers, and how well all of them stand there."""
    room, found, worth = _Room(taken, over_drawing(picture, sheet), lines_on(picture, sheet)), list[PlacedTitle](), 0.0
    for title in picture.tier_titles:
        placed = _title_of(title, side, room, sheet)
        if placed is not None:
            taken.take(*placed[0].place)
            found.append(placed[0])
            worth += placed[1]
    return found, worth


def _chosen(picture: Picture, worth: Mapping[str, float], sheet: Sheet) -> str:
    """The side on which the titles stand best; on a screen the one chosen before, while it is nearly as good.

    So titles stay where they are while devices are added and moved.
    """
    best = max(SIDES, key=lambda side: worth[side])
    if not sheet.has_signs:
        return best
    before = picture.kept.get(TITLE_SIDE, best)
    if worth[before] < KEPT_FROM * worth[best]:
        before = best
    if worth[before] > 0.0:
        picture.kept[TITLE_SIDE] = before
    return before


def tiers(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The titles on plates that cover the links beneath."""
    theme, ruler = sheet.theme, sheet.ruler
    for one in placed_titles(picture, sheet):
        x, foot = one.x + PLATE_PX, one.y + ruler.ascent(one.size, True)
        yield Rect(*one.place, Ink(theme.background))
        yield Text(x, foot, one.text, one.size, theme.text, True)
        if one.note:
            yield Text(
                x + ruler.width(one.text, one.size, True) + NOTE_GAP * sheet.zoom,
                foot,
                one.note,
                _small(one),
                theme.muted,
            )


def _small(title: PlacedTitle) -> int:
    return whole(title.size - 1.5)


class _Room(NamedTuple):
    """What titles keep clear of: what stands there, what lies over the drawing, and lines, (n, 4)."""

    taken: Taken
    over: Taken
    lines: Floats


def _title_of(title: TierTitle, side: str, room: _Room, sheet: Sheet) -> tuple[PlacedTitle, float] | None:
    """The title on that side of its tier, with its note or without, and how well it stands there; None without room.

    It covers no line. Above it begins at the left end of its tier; where something lies over the drawing there, after
    that; where it would cover lines, so far higher that their ends are seen below it.
    """
    above = list[tuple[PlacedTitle, float]]()
    for sized in _sized(title, sheet):
        places = _above(title, sized, room, sheet) if side == ABOVE else _beside(side, title, sized, sheet)
        worth = NOTED if sized.note else UNNOTED
        for placed in (sized._replace(x=x, y=y) for x, y in places):
            if _has_room(placed, room, sheet) and not _covers_lines(placed, room.lines):
                return placed, worth
            if side == ABOVE:
                above += ((placed._replace(y=placed.y - rise), worth / 2) for rise in (RAISED_PX * sheet.zoom, 0.0))
    return next((one for one in above if _has_room(one[0], room, sheet)), None)


def _sized(title: TierTitle, sheet: Sheet) -> Iterator[PlacedTitle]:
    """The title with its note and without, as large as it is drawn."""
    size = whole(max(min(TITLE_PX[1], TITLE_SIZE * sheet.scale), TITLE_PX[0] * sheet.zoom))
    for note in dict.fromkeys((title.note, "")):
        found = PlacedTitle(title.text, note, 0.0, 0.0, 0.0, line_height(sheet.ruler, size, True), size)
        width = sheet.ruler.width(title.text, size, True) + 2 * PLATE_PX
        width += NOTE_GAP * sheet.zoom + sheet.ruler.width(note, _small(found)) if note else 0.0
        yield found._replace(width=width)


def _has_room(title: PlacedTitle, room: _Room, sheet: Sheet) -> bool:
    """Whether a title ends on the sheet, where nothing stands."""
    return title.x + title.width <= sheet.area[0] + sheet.area[2] and room.taken.is_free(*title.place)


def _covers_lines(title: PlacedTitle, lines: Floats) -> bool:
    middle = np.array([[title.x + title.width / 2, title.y + title.height / 2]])
    return bool(n_crossed(lines, middle, title.width, title.height).any())


def _above(title: TierTitle, placed: PlacedTitle, room: _Room, sheet: Sheet) -> Iterator[Point]:
    left, top, wide, _ = sheet.seen(title.rect)
    y = top - placed.height - ABOVE_PX * sheet.zoom
    yield left, y
    after = (x + AFTER_PX * sheet.zoom for x in sorted(room.over.ends_in(y, placed.height)))
    yield from ((x, y) for x in after if left < x < left + wide)


def _beside(side: str, title: TierTitle, placed: PlacedTitle, sheet: Sheet) -> Iterator[Point]:
    """Level with the middle of its lowest row, outside its first box, where that is on the sheet, or its last."""
    left, top, wide, high = sheet.seen(title.rect)
    y = top + high - min(high, BOX_HEIGHT * sheet.scale) / 2 - placed.height / 2
    x = left - BESIDE_PX * sheet.zoom - placed.width if side == LEFT else left + wide + BESIDE_PX * sheet.zoom
    if side != LEFT or x >= sheet.area[0]:
        yield x, y


# -- what has failed in boxes for many -------------------------------------------------------------------------------


def failed_plates(picture: Picture, sheet: Sheet) -> Mapping[int, BoxPlate]:
    """By row of their boxes, the plates that have room: texts of links keep off them, as off titles."""
    return picture.once_on(sheet, _failed_plates) if picture.failed_in else NO_PLATES


def differing_plates(picture: Picture, sheet: Sheet) -> Mapping[int, BoxPlate]:
    """The same of how many devices inside a comparison marks."""
    return picture.once_on(sheet, _differing_plates) if picture.differing_in else NO_PLATES


def _failed_plates(picture: Picture, sheet: Sheet) -> dict[int, BoxPlate]:
    return box_plates(picture.failed_in, 8.0, titles_written(picture, sheet), picture, sheet, fit=True)


def _differing_plates(picture: Picture, sheet: Sheet) -> dict[int, BoxPlate]:
    texts = {row: (text,) for row, (text, _) in picture.differing_in.items()}
    return box_plates(texts, 5.0, _with_failed(picture, sheet), picture, sheet)


# -- the list of what is taken, that the layers share --------------------------------------------------------------


def taken_before(layer: str, picture: Picture, sheet: Sheet) -> Taken:
    """A list for the texts of a layer: what stands on the sheet, and what the layers before it have written there."""
    lists = picture.once_on(sheet, _lists)
    before = [lists[one] for one in ("", *LAYERS[: LAYERS.index(layer)]) if one in lists]
    lists[layer] = before[-1].copy()
    return lists[layer]


def everything_written(picture: Picture, sheet: Sheet) -> Taken:
    """What stands on the sheet, and what all layers have written there, for marks that lie over them."""
    lists = picture.once_on(sheet, _lists)
    return [lists[one] for one in ("", *LAYERS) if one in lists][-1]


def titles_of(picture: Picture, sheet: Sheet) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of what is written at rows of boxes: titles of tiers, and lines below rows."""
    return [*(one.place for one in row_captions(picture, sheet)), *(one.place for one in placed_titles(picture, sheet))]


def foot_of(picture: Picture, sheet: Sheet) -> float:
    """The lowest point of boxes, frames, and what is written at them."""
    feet = fabric(picture, sheet).corners[:, 3].tolist()
    places = (*titles_of(picture, sheet), *(sheet.seen(one.rect) for one in picture.containers))
    return max((*feet, *(y + height for _, y, _, height in places)), default=0.0)


def written(picture: Picture, sheet: Sheet) -> Floats:
    """Corners of what is written at rows of boxes, zones, layers and far ends of tori, and plates at boxes."""
    return picture.once_on(sheet, _written)


def _written(picture: Picture, sheet: Sheet) -> Floats:
    return np.vstack((_with_failed(picture, sheet), _corners(differing_plates(picture, sheet))))


def _with_failed(picture: Picture, sheet: Sheet) -> Floats:
    return np.vstack((titles_written(picture, sheet), _corners(failed_plates(picture, sheet))))


def _corners(plates: Mapping[int, BoxPlate]) -> Floats:
    return corners_of(np.array([one.place for one in plates.values()], np.float64).reshape(-1, 4))


def titles_written(picture: Picture, sheet: Sheet) -> Floats:
    """The same without what has failed or differs."""
    names = (*zone_titles(picture, sheet), *layers_of_torus(picture, sheet), *far_ends(picture, sheet))
    plates = [part[:4] for part in names if type(part) is Rect]
    return corners_of(np.array([*titles_of(picture, sheet), *plates], np.float64).reshape(-1, 4))


def _lists(picture: Picture, sheet: Sheet) -> dict[str, Taken]:
    """By layer; under "" what is there before them all."""
    return {"": Taken(np.vstack((standing(picture, sheet).corners, written(picture, sheet))))}

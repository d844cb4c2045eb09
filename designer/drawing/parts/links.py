"""Links: lines, cool before hot, arrows of single directions, counts on bundles, and marks of what is hottest."""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.counts import MOST_COUNTS, CountPlaces
from designer.drawing.display_list import (
    CONGESTED_CLASS,
    LEAST_HOT_WIDTH,
    SHORT_PX,
    Picture,
    colour_of_class,
)
from designer.drawing.hot_spots import LEAST_DEMAND, LIKE, HotLines, demand_text, foremost, spot_text
from designer.drawing.level_of_detail import LinkDetail
from designer.drawing.lines import Lines as Straight
from designer.drawing.link_rates import COUNTED, MORE, OWN, SILENT
from designer.drawing.parts.hot_boxes import leave_to_beacons
from designer.drawing.parts.keys import MARK_PX, diamond
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Point, Rect, Text, dashes
from designer.drawing.parts.row_captions import COUNTS, foot_of, taken_before
from designer.drawing.parts.ruler import baseline, clamped, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import corners_with_plates
from designer.drawing.parts.standing import lines_seen, note_lines
from designer.drawing.theme import mixed
from designer.drawing.tier_titles import TierNote
from designer.late import Late
from designer.units import format_count

tier_notes = Late("designer.drawing.parts.tier_notes")

COUNT_SIZE = 10.0
COUNT_PX = (9.0, 11.0)
MOST_SAME, MOST_ALIKE = 8, 40
"""Of more lines between two tiers counts that are alike are written once; where that has no room, on so many."""
MOST_AVOIDED = 3000
"""Of more lines that show, texts keep clear of a share."""
MOST_HOT_TEXTS, MOST_HOT_TEXTS_AFAR = 40, 12
"""Lines whose hot links are counted beside them, and from where bundles have no counts."""
HALO_PX, HALO_SHARE = 9.0, 0.45
"""Width of what lies under a marked line, and how much of the color of its mark that has."""
MOST_NAMED = 6
"""Of so many marked lines in sight the ends are named."""
MOST_ALIKE_HOT, MOST_TRIED = 6, 12
"""Of more lines that are wanted about as much one says so for all; how many are tried until one has room for it."""
LED_PX, LED_WAYS = ((14.0, 24.0), (40.0, 64.0), (100.0, 150.0)), 16
"""How far from its mark a plate stands that has no room on its line, the nearest first, and in how many directions."""
MOST_UNMARKED_TEXTS = 4
"""Texts of lines without a mark, where there are some with one: more would drown those out."""
MOST_WIDE = 5000
"""Hot lines of one color; more are drawn as pairs of thin ones while the picture moves."""
MOST_ARROWS = 400
"""With more links in and around the view, arrows would be all there is to see."""
ARROW_PX = 9.0
ARROW_PLACE = 0.72
"""Where on a line its arrow stands: those of the two directions of a link stand apart."""
LEAST_LINE_PX = 60.0
MOST_ASKED = 2000
"""Lines of single links that are asked for their labels; with more in sight none could be read."""
NO_ROWS = np.empty(0, np.int64)


def links(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """All lines that show, those of one color and width together."""
    shown = lines_seen(picture, sheet)
    if not len(shown):
        return
    yield from _halos(picture, sheet, shown)
    for stroke in picture.strokes(sheet.scale, shown):
        width = stroke.width
        if width < LEAST_HOT_WIDTH:  # on paper, which is read closer, thinner, as texts are smaller there
            width *= min(1.0, sheet.zoom)
        xy = sheet.camera.points_to_view(stroke.xy)
        if not sheet.smooth:
            is_hot = width >= LEAST_HOT_WIDTH
            width = LEAST_HOT_WIDTH if is_hot and len(xy) <= MOST_WIDE else 0.0
            if is_hot and not width:  # two thin lines beside each other are drawn sooner than a wide one
                yield Lines(xy + _aside(xy), Pen(stroke.colour, 0.0, fixed=True))
        dash = dashes(stroke.line, width) if width and len(xy) <= (MOST_WIDE if sheet.smooth else MOST_ARROWS) else ()
        yield Lines(xy, Pen(stroke.colour, width, dash=dash, fixed=True))
    if sheet.smooth:
        yield from _arrows(picture, sheet, shown)


def _halos(picture: Picture, sheet: Sheet, shown: Ints) -> Iterator[Part]:
    """What makes marked lines wider than all others, under them."""
    marked = shown[picture.hot_lines.marked[shown]] if picture.hot_lines is not None else NO_ROWS
    if len(marked):
        colour = mixed(colour_of_class(CONGESTED_CLASS, sheet.theme), sheet.theme.background, HALO_SHARE)
        yield Lines(sheet.camera.points_to_view(picture.lines.xy[marked]), Pen(colour, HALO_PX, fixed=True))


def _aside(xy: Floats) -> Floats:
    """One pixel across each line, for both of its ends."""
    steep = np.abs(xy[:, 3] - xy[:, 1]) > np.abs(xy[:, 2] - xy[:, 0])
    return np.tile(np.stack((steep, ~steep), axis=1).astype(np.float64), 2)


def _arrows(picture: Picture, sheet: Sheet, shown: Ints) -> Iterator[Part]:
    """An arrow on each direction of the shown lines that carries anything, in its heat's color."""
    if not picture.detail.both_ways or len(picture.lines.near(sheet.around(0.0))) > MOST_ARROWS:
        return
    for stroke in picture.directions(sheet.scale, shown):
        xy = sheet.camera.points_to_view(stroke.xy)
        along = xy[:, 2:] - xy[:, :2]
        length = np.hypot(along[:, 0], along[:, 1])
        rows = length >= LEAST_LINE_PX
        unit = along[rows] / length[rows, None]
        tip = xy[rows, :2] + along[rows] * ARROW_PLACE + unit * ARROW_PX
        side = np.stack((-unit[:, 1], unit[:, 0]), axis=1) * (ARROW_PX / 2)
        foot = tip - unit * ARROW_PX
        ink = Ink(stroke.colour)
        for a, b, c in np.stack((tip, foot + side, foot - side), axis=1).tolist():
            yield Path(((a[0], a[1]), (b[0], b[1]), (c[0], c[1])), ink, closed=True)


def counts(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """How many links a line stands for, on a plate where nothing else stands; first how many of them are hot.

    Counts of links between two tiers that are the same on many lines, or would cover other lines, are written once.
    """
    lines, hot = picture.lines, picture.hot_lines if sheet.smooth else None
    tiers = picture.tiers() if sheet.smooth and hot is None else None  # hot links alone should be read
    own_only = picture.detail.names and not picture.detail.counts and picture.has_own_labels()
    if not len(lines.xy) or not (picture.detail.counts or own_only or hot is not None or tiers is not None):
        return
    shown = lines_seen(picture, sheet)
    alike = _alike(hot, shown) if hot is not None else {}
    texts = alike or (_hot_texts(picture, hot, shown) if hot is not None else {})
    counted = shown[lines.direct[shown] & (lines.counts[shown] > 1)] if picture.detail.counts else NO_ROWS
    labelled = _labelled(picture, shown[lines.direct[shown] & (lines.counts[shown] == 1)])
    if own_only:  # from afar, as names are: what the user wrote
        labelled = shown[lines.direct[shown]]
        labelled = labelled[_amounts(picture, labelled) == OWN]
    marked = shown[hot.marked[shown]] if hot is not None else NO_ROWS
    if not (texts or len(counted) or len(labelled) or len(marked) or (tiers is not None and tiers.notes)):
        return
    taken = taken_before(COUNTS, picture, sheet)
    taken.take_all(corners_with_plates(picture, sheet))
    own_lines = [*texts, *counted[:MOST_COUNTS], *labelled]
    crossed = np.zeros(len(lines.xy), np.bool_)
    crossed[shown[:: 1 + len(shown) // MOST_AVOIDED]] = True
    crossed[np.array(own_lines, np.int64)] = True
    pointing = note_lines(picture, sheet)
    is_overview = picture.stacks is not None and picture.stacks.are_all  # few lines, each of a whole tier or unit
    around = np.vstack((sheet.camera.points_to_view(lines.xy[crossed]), pointing))
    places = CountPlaces(around, taken, sheet.area, across=is_overview)
    if hot is not None and alike:
        yield from _first_of_alike(lines, alike, hot, marked, places, sheet)
        texts = dict.fromkeys(shown[hot.held_by(shown)[0] > 0].tolist(), "")  # the others are silent
    else:
        beyond = _named(hot, marked)
        leave_to_beacons(picture, sheet, beyond, texts)
        yield from _hot_spots(lines, texts, beyond, places, sheet)
    single = counted[[row not in texts for row in counted.tolist()]]
    bare = [rows[_amounts(picture, rows) < OWN] for rows in (single, labelled)]
    own = np.concatenate([rows[_amounts(picture, rows) == OWN] for rows in (single, labelled)])
    if len(own) <= MOST_COUNTS:  # what the user wrote has its place before what is counted
        yield from _labels(picture, own, shown, places, sheet)
    single, labelled = bare
    if tiers is not None:
        of, of_crossed = (tiers.of_link[lines.links[lines.starts[rows]]] for rows in (single, np.flatnonzero(crossed)))
        of_crossed = np.append(of_crossed, np.full(len(pointing), -1))
        foot, frames = foot_of(picture, sheet), tier_notes.frames_of_groups(picture.containers, sheet)
        for number, note in ((number, note) for number, note in enumerate(tiers.notes) if note is not None):
            own = single[(of == number) & note.holds(lines.xy[single])]  # those that run elsewhere say it themselves
            shown_note = _heated(picture, tiers.of_link == number, note)
            is_few = 0 < len(own) <= MOST_SAME and shown_note is note  # what is hot is stated once for all of them
            plates = _counted(picture, own, places, sheet, clear=True) if is_few else None
            if plates is None:
                rest = of_crossed != number, foot, frames
                plates = _noted(picture, (number, shown_note), places, rest, sheet)
                own = own[~_say_more(picture, own)]
                if not plates:  # what is the same on all is left out rather than piled up
                    plates = _counted(picture, own[:MOST_ALIKE], places, sheet, clear=True, some=True) or []
            yield from plates
            is_left = np.ones(len(lines.xy), np.bool_)
            is_left[own] = False
            single, of = single[is_left[single]], of[is_left[single]]
    says_more = _say_more(picture, single)
    for rows in (single[says_more], single[~says_more], labelled):
        if len(rows) <= MOST_COUNTS:
            piled = _are_piled(picture, rows)
            yield from _counted(picture, rows, places, sheet, clear=piled, some=piled) or ()


def _are_piled(picture: Picture, rows: Ints) -> bool:
    """Whether these lines say the same so often that some may be silent: those whose text would cover other lines."""
    return len(rows) > MOST_SAME * len({_texts(picture, row) for row in rows.tolist()})


def _heated(picture: Picture, of: Flags, note: TierNote) -> TierNote:
    """A note with what of its links is hot; as it is where none is."""
    if picture.hot is None or picture.loads is None:
        return note
    found: TierNote = tier_notes.heated(note, of, picture.hot, picture.loads)
    return found


def _noted(
    picture: Picture,
    numbered: tuple[int, TierNote],
    places: CountPlaces,
    around: tuple[Flags, float, Floats],
    sheet: Sheet,
) -> list[Part]:
    """The note of that number on its plate, whose place is kept; nothing where it has no room."""
    number, note = numbered
    placed = tier_notes.tier_note(note, places, tier_notes.Surroundings(*around), sheet)
    if placed is None:
        return []
    picture.note_places[number] = placed.place
    return [placed.part]


def _counted(
    picture: Picture, rows: Ints, places: CountPlaces, sheet: Sheet, *, clear: bool = False, some: bool = False
) -> list[Part] | None:
    """What is written on these lines; where all texts have to be `clear` of other lines and one cannot be, None.

    Of `some` those that can be are written. No short text stands next to long ones that say the same.
    """
    size, n_taken, found = whole(clamped(COUNT_SIZE * sheet.scale, COUNT_PX)), places.n_taken, list[Part]()
    lines, theme = picture.lines, sheet.theme
    counted, short = set(rows[_amounts(picture, rows) == COUNTED].tolist()), list[tuple[int, str]]()
    for row in rows.tolist():
        texts = _texts(picture, row)
        line, colour = _on(sheet, lines, row), theme.muted if lines.counts[row] > 1 else theme.text
        for text in texts[:1] if row in counted else texts:
            plate = list(_plate(line, (text,), size, places, sheet, colour, clear=clear))
            found += plate
            if plate:
                break
            if clear and not some:
                places.give_back(n_taken)
                return None  # else a short line has room for the count alone
        else:
            short += ((row, text) for text in texts[1:2] if row in counted)
    if not found and not clear:
        for row, text in short:
            found += _plate(_on(sheet, lines, row), (text,), size, places, sheet, theme.muted)
    return found


def _labels(picture: Picture, own: Ints, shown: Ints, places: CountPlaces, sheet: Sheet) -> Iterator[Part]:
    """What the user wrote on these lines; where one is too short, across it or another piece of its way."""
    lines, size, first = picture.lines, whole(clamped(COUNT_SIZE * sheet.scale, COUNT_PX)), picture.lines.first
    for row in own.tolist():
        plates = _counted(picture, np.array([row]), places, sheet)
        pieces = [] if plates else shown[(first[shown] == first[row]) & (lines.counts[shown] == lines.counts[row])]
        tried = [*((text, True) for text in _texts(picture, row)), (_texts(picture, row)[-1], False)]
        for (text, clear), one in itertools.product(tried, pieces):
            line, room = _on(sheet, lines, one), _size_of((text,), size, sheet)
            if (middle := places.place_on(line, *room, across=True, clear=clear)) is not None:
                plates = [_on_plate(middle, (text,), size, sheet, sheet.theme.text, is_hot=False)]
                break
        yield from plates or ()


def _texts(picture: Picture, row: int) -> tuple[str, ...]:
    """What may be written on a line, the longest first."""
    lines = picture.lines
    return picture.link_texts(lines.links[lines.starts[row] : lines.starts[row] + lines.counts[row]])


def _labelled(picture: Picture, single: Ints) -> Ints:
    """Those of these lines of single links on which something is written; none where there are too many to read."""
    if not picture.detail.counts or len(single) > MOST_ASKED:
        return NO_ROWS
    found = single[picture.link_amounts(picture.lines, single) != SILENT]
    return found if len(found) <= MOST_COUNTS else NO_ROWS


def _say_more(picture: Picture, rows: Ints) -> Flags:
    """On which of these lines more than count and rate is written."""
    return np.asarray(_amounts(picture, rows) >= MORE)


def _amounts(picture: Picture, rows: Ints) -> Ints:
    """SILENT to OWN for each of these lines; COUNTED where there are too many to ask."""
    if len(rows) > MOST_ASKED:
        return np.full(len(rows), COUNTED, np.int64)
    return picture.link_amounts(picture.lines, rows)


def _on(sheet: Sheet, lines: Straight, row: int) -> Floats:
    """A line on the sheet, (4,)."""
    seen: Floats = sheet.camera.points_to_view(lines.xy[row : row + 1])[0]
    return seen


def _hot_texts(picture: Picture, hot: HotLines, rows: Ints) -> dict[int, str]:
    """By line the text about its hot links: of bundles, of lines from afar, and of the piece that is marked of others.

    Only of so many, those with the greatest demand and the most hot links; "" of others, which then say nothing at all.
    """
    lines = picture.lines
    rows = rows[lines.direct[rows] | (picture.detail.links is LinkDetail.REGIONS) | hot.marked[rows]]
    n_hot, demands = hot.held_by(rows)
    most = MOST_HOT_TEXTS if picture.detail.counts else MOST_HOT_TEXTS_AFAR
    chosen = foremost(np.flatnonzero(n_hot), demands, n_hot, most)
    is_marked = hot.marked[rows[chosen]]
    silent: dict[int, str] = {}
    if MOST_UNMARKED_TEXTS < np.count_nonzero(~is_marked) < len(chosen):
        chosen, silent = chosen[is_marked], dict.fromkeys(rows[n_hot > 0].tolist(), "")
    said = ((one, spot_text(n_hot[one], lines.counts[rows[one]], demands[one])) for one in chosen.tolist())
    return silent | {int(rows[one]): text for one, text in said if text}


def _alike(hot: HotLines, rows: Ints) -> dict[int, str]:
    """Of many lines that are wanted about as much, what one of the foremost says for all; {} where they are few."""
    _, demands = hot.held_by(rows)
    if not len(rows) or demands.max() < LEAST_DEMAND:
        return {}
    like = np.flatnonzero(demands >= LIKE * demands.max())
    if len(like) <= MOST_ALIKE_HOT:
        return {}
    first = like[np.argsort(-demands[like], kind="stable")][:MOST_TRIED]
    more = f"{format_count(hot.n_like(float(demands.max())) - 1)} more like it"
    return {int(rows[one]): f"{demand_text(float(demands[one]))}; {more}" for one in first.tolist()}


def _first_of_alike(
    lines: Straight, texts: dict[int, str], hot: HotLines, marked: Ints, places: CountPlaces, sheet: Sheet
) -> Iterator[Part]:
    """The plate of the first of these lines that has room for one, clear of the marks of all that are marked."""
    middles = {row: _on(sheet, lines, row).reshape(2, 2).mean(axis=0).tolist() for row in marked.tolist()}
    for row, (x, y) in middles.items():
        if row != next(iter(texts)):
            places.keep_clear(x, y, 2 * MARK_PX * sheet.zoom)
    size, plate = whole(COUNT_SIZE * sheet.zoom), list[Part]()
    for row, text in texts.items():
        ends = hot.ends_text(row)
        said = (ends, text) if ends else (text,)
        plate = list(_plate(_on(sheet, lines, row), said, size, places, sheet, sheet.theme.text, marked=True))
        if plate:
            middles.pop(row, None)
            break
    for at in middles.values():
        yield Group((diamond(sheet.theme),), at=tuple(at), zoom=sheet.zoom)
    yield from plate


def _named(hot: HotLines | None, marked: Ints) -> dict[int, tuple[str, str]]:
    """The marked lines, each with what it runs between, or which of its links is worst; of many without."""
    if hot is None or len(marked) > MOST_NAMED:
        return dict.fromkeys(marked.tolist(), ("", ""))
    return {row: hot.named(row) for row in marked.tolist()}


def _hot_spots(
    lines: Straight, texts: dict[int, str], beyond: dict[int, tuple[str, str]], places: CountPlaces, sheet: Sheet
) -> Iterator[Part]:
    """The texts, and a mark on each line whose demand is beyond the scale: next to its plate where it has one.

    `beyond` are those lines, with what stands before and after the text of each: what they run between, or "".
    """
    unplaced = set(beyond)
    size, plates, theme = whole(COUNT_SIZE * sheet.zoom), [], sheet.theme
    for row, text in ((row, text) for row, text in texts.items() if text):
        line = _on(sheet, lines, row)
        colour = theme.text if row in beyond or not beyond else theme.muted
        for said in _sayings(text, beyond.get(row)):
            plate = list(_plate(line, said, size, places, sheet, colour, marked=row in beyond))
            if plate:
                plates += plate
                unplaced.discard(row)
                break
    for row in sorted(unplaced):
        x1, y1, x2, y2 = _on(sheet, lines, row).tolist()
        at = (x1 + x2) / 2, (y1 + y2) / 2
        is_long = math.hypot(x2 - x1, y2 - y1) >= SHORT_PX * sheet.zoom  # on a short direct one a beacon stands
        is_few = len(beyond) <= MOST_NAMED and (is_long or not lines.direct[row])
        if is_few or is_long:
            if is_few and texts.get(row):
                yield from _led(at, list(_sayings(texts[row], beyond[row])), size, places, sheet)
            yield Group((diamond(sheet.theme),), at=at, zoom=sheet.zoom)
    yield from plates


def _led(at: Point, sayings: list[tuple[str, ...]], size: int, places: CountPlaces, sheet: Sheet) -> Iterator[Part]:
    """What a line with no room for it may say, on a plate in the nearest free place, with a leader from its mark."""
    angles = np.arange(LED_WAYS) * (2 * np.pi / LED_WAYS)
    ways = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    for is_led, reaches, clear, said in itertools.product((True, False), LED_PX, (True, False), sayings):
        room = np.array(_size_of(said, size, sheet))
        spots = np.vstack([np.array(at) + ways * (reach * sheet.zoom + room / 2) for reach in reaches])
        leaders = np.hstack((np.tile(at, (len(spots), 1)), np.clip(at, spots - room / 2, spots + room / 2)))
        if is_led:  # first of all over no other text, then on no other line
            spots = spots[~places.are_struck(leaders)]
        middle = places.place_in(spots, *room.tolist(), clear=clear) if len(spots) else None
        if middle is not None:
            end = np.clip(at, middle - room / 2, middle + room / 2)
            yield Lines(np.array([[*at, *end]]), Pen(colour_of_class(CONGESTED_CLASS, sheet.theme), 1.0))
            yield _on_plate(middle, said, size, sheet, sheet.theme.text, is_hot=True)
            return


def _sayings(text: str, ends: tuple[str, str] | None) -> Iterator[tuple[str, ...]]:
    """What a line may say, row by row, the longest first: a short line has room for what it is marked for alone."""
    counted, _, wanted = text.partition(", ")
    short = counted if ends is None else wanted or counted
    before, after = ends or ("", "")
    for said in dict.fromkeys((text, short)):  # a figure without its ends would mark the worst link and not name it
        yield tuple(part for part in (before, said, after) if part)


def _plate(
    line: Floats,
    said: tuple[str, ...],
    size: int,
    places: CountPlaces,
    sheet: Sheet,
    colour: str,
    *,
    marked: bool = False,
    clear: bool = False,
) -> Iterator[Part]:
    """The rows of text on a plate on its line, where there is room; next to it the mark of demand beyond the scale."""
    room, bold = _size_of(said, size, sheet), len(said) > 1
    middle = places.place_on(line, *room, across=bold, clear=clear)
    if middle is None:
        return
    yield _on_plate(middle, said, size, sheet, colour, is_hot=marked or bold)
    if marked:
        at = places.place_next_to(line, middle, room, 2 * MARK_PX * sheet.zoom)
        yield Group((diamond(sheet.theme),), at=at, zoom=sheet.zoom)


def _size_of(said: tuple[str, ...], size: int, sheet: Sheet) -> tuple[float, float]:
    """Width and height of a plate with these rows."""
    width = max(sheet.ruler.width(one, size, len(said) > 1) for one in said)
    return width + 6, line_height(sheet.ruler, size) * len(said)


def _on_plate(middle: Point, said: tuple[str, ...], size: int, sheet: Sheet, colour: str, *, is_hot: bool) -> Group:
    """Rows of text on a plate with its middle there."""
    (x, y), (width, height), theme = middle, _size_of(said, size, sheet), sheet.theme
    high, bold = line_height(sheet.ruler, size), len(said) > 1
    rows = [
        Text(x, baseline(sheet.ruler, y - height / 2 + high * (n + 0.5), size, bold), one, size, colour, bold, "middle")
        for n, one in enumerate(said)
    ]
    ink, pen = (Ink(theme.plate), Pen(theme.plate_border)) if is_hot else (Ink(theme.background), None)
    return Group((Rect(x - width / 2, y - height / 2, width, height, ink, pen, 3.0), *rows))

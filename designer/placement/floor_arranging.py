"""Verbs that bring racks on the floor into line, space them, or copy them; all racks have the same footprint."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from designer.errors import ParameterError
from designer.model.arranging import EDGES
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, netted
from designer.model.entities import Rack, order_key
from designer.model.fixture import FLOOR_FARTHEST_M
from designer.model.transforming import require_spacing, spaced
from designer.placement.arrays import named_on, require_copies
from designer.placement.floor import Point, copy_to, overlaps, place_of, place_racks
from designer.placement.floor import rows as floor_rows
from designer.units import format_counted

Places = dict[str, Point]


def align_racks(design: Design, rack_ids: Iterable[str], edge: str) -> Edit:
    """The racks on the floor with one edge or the middle in line, as `arranging.align` says.

    Raises ParameterError for fewer than two, and where they would stand on each other.
    """
    axis, side = EDGES[edge]
    places = _places(design, rack_ids, 2, "align")
    values = [_along(axis, place) for place in places.values()]
    line = (min(values), (min(values) + max(values)) / 2, max(values))[side + 1]
    return _moved(design, {one: _with(axis, place, line) for one, place in places.items()}, "Align")


def distribute_racks(design: Design, rack_ids: Iterable[str], axis: str) -> Edit:
    """The racks on the floor with equal gaps along x or y; the first and the last stay. Raises ParameterError."""
    places = _places(design, rack_ids, 3, "distribute")
    row = sorted(places, key=lambda one: (_along(axis, places[one]), order_key(one)))
    first, last = _along(axis, places[row[0]]), _along(axis, places[row[-1]])
    step = (last - first) / (len(row) - 1)
    spread = {one: _with(axis, places[one], first + number * step) for number, one in enumerate(row)}
    return _moved(design, spread, "Distribute")


def space_racks(design: Design, rack_ids: Iterable[str], axis: str, gap_m: float) -> Edit:
    """The racks with this gap from edge to edge along x or y; the first stays, and what stood in line stays so.

    Raises ParameterError for fewer than two, another axis or such a gap, and where they would stand on each other.
    """
    places, size = _places(design, rack_ids, 2, "space"), _footprint_m(design)
    moved = spaced(places, axis, gap_m, dict.fromkeys(places, size), FLOOR_FARTHEST_M)
    return _moved(design, {one: (round(x, 4), round(y, 4)) for one, (x, y) in moved.items()}, "Space")


def array_of_racks(
    design: Design, rack_ids: Sequence[str], columns: int, rows: int, gaps_m: Point, name: str = ""
) -> Edit:
    """The racks, and copies of them with all that stands in them, in columns and rows that far apart, edge to edge.

    Copies are named on from their originals; with a `name` all racks are named from that, along the rows of the
    originals and then of each copy. On the canvas copies stand below all that is there. Raises ParameterError for an
    array of nothing, of one, or of too much, for gaps that are none, and where racks would stand on each other.
    """
    require_copies(columns, rows, sum(len(design.mounted(one)) for one in rack_ids))
    for gap_m in gaps_m:
        require_spacing(gap_m, FLOOR_FARTHEST_M)
    ids = [one for row in floor_rows(design) for one in row.rack_ids if one in rack_ids]
    if not ids:
        raise ParameterError("select racks on the floor to make an array of them")
    places = [place for one in ids if (place := place_of(design.racks[one])) is not None]
    extents = (max(along) - min(along) for along in zip(*places, strict=True))
    steps = [extent + own + gap for extent, own, gap in zip(extents, _footprint_m(design), gaps_m, strict=True)]
    after, changes, copies = design.snapshot(), list[Change](), list[str]()
    for number in range(1, columns * rows):
        shift_m = round(number % columns * steps[0], 4), round(number // columns * steps[1], 4)
        edit = copy_to(after, shift_m, ids)
        after.apply(edit)
        changes += edit.changes
        copies += _copies_of(design, ids, edit)
    _require_floor(design, after, copies)
    originals, new = [design.racks[one] for one in ids], [after.racks[one] for one in copies]
    named = {one.id: one for one in named_on(design.racks, originals, new, name)}
    renamed = [Change(one, now) for one in originals if (now := named.get(one.id, one)) != one]
    held = [one for one in changes if not isinstance(one.subject, Rack)]
    arrived = added([named.get(one.id, one) for one in new])
    return netted(Edit(f"Array of {columns} x {rows}", (*renamed, *arrived, *held)))


def _copies_of(design: Design, rack_ids: Sequence[str], edit: Edit) -> list[str]:
    """The copies of the racks that an edit brings, in the order of these; it has them in that of the design."""
    new = (one.after.id for one in edit.changes if one.before is None and isinstance(one.after, Rack))
    copy_of = dict(zip(sorted(rack_ids, key=order_key), new, strict=True))
    return [copy_of[one] for one in rack_ids]


def lock_racks(design: Design, rack_ids: Iterable[str], *, locked: bool) -> Edit:
    """Racks on the floor that dragging and arranging leave where they are; or that they move again."""
    racks = [rack for one in dict.fromkeys(rack_ids) if place_of(rack := design.racks[one]) is not None]
    if not racks:
        raise ParameterError("select racks on the floor first")
    changes = tuple(Change(one, replace(one, is_locked=locked)) for one in racks if one.is_locked != locked)
    return Edit(f"{'Lock' if locked else 'Unlock'} {format_counted(len(changes) or len(racks), 'rack')}", changes)


def _places(design: Design, rack_ids: Iterable[str], least: int, verb: str) -> Places:
    """Where the racks stand that are not locked. Raises ParameterError for too few."""
    racks = [design.racks[one] for one in dict.fromkeys(rack_ids)]
    found = {one.id: place for one in racks if not one.is_locked and (place := place_of(one)) is not None}
    if len(found) < least:
        locked = sum(one.is_locked for one in racks)
        more = f"; {format_counted(locked, 'rack')} {'is' if locked == 1 else 'are'} locked" if locked else ""
        raise ParameterError(f"select at least {'two' if least == 2 else 'three'} racks on the floor to {verb}{more}")
    return found


def _along(axis: str, place: Point) -> float:
    return place[0] if axis == "x" else place[1]


def _with(axis: str, place: Point, value: float) -> Point:
    value = round(value, 4)
    return (value, place[1]) if axis == "x" else (place[0], value)


def _moved(design: Design, places: Mapping[str, Point], verb: str) -> Edit:
    edit = place_racks(design, places)
    after = design.snapshot()
    after.apply(edit)
    _require_floor(design, after, places)
    return Edit(f"{verb} {len(places)} racks", edit.changes)


def _require_floor(design: Design, after: Design, rack_ids: Collection[str]) -> None:
    """Raises ParameterError where one of these racks stands on another one that it did not stand on before."""
    there = {frozenset(pair) for pair in overlaps(design)}
    for pair in overlaps(after):
        if frozenset(pair) not in there and not set(pair).isdisjoint(rack_ids):
            one, other = (after.racks[rack_id].name for rack_id in pair)
            raise ParameterError(f"{one} and {other} would stand on the same floor")


def _footprint_m(design: Design) -> Point:
    return design.settings.rack_width_m, design.settings.rack_depth_m

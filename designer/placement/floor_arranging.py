"""Verbs that bring racks on the floor into line or spread them evenly; all racks have the same footprint."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from designer.errors import ParameterError
from designer.model.arranging import EDGES
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import order_key
from designer.placement.floor import Point, overlaps, place_of, place_racks
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
    there = {frozenset(pair) for pair in overlaps(design)}
    for pair in overlaps(after):
        if frozenset(pair) not in there and not set(pair).isdisjoint(places):
            one, other = (design.racks[rack_id].name for rack_id in pair)
            raise ParameterError(f"{one} and {other} would stand on the same floor")
    return Edit(f"{verb} {len(places)} racks", edit.changes)

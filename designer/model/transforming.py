"""Verbs that turn an arrangement round: swap, rotate, mirror, set the spacing; and lock what should stay."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from designer.errors import ParameterError
from designer.model.arranging import Sizes, move
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import order_key

Cell = tuple[float, float]
Point = tuple[float, float]

MOST_SPACING = 100_000.0


def lock(design: Design, ids: Iterable[str], *, locked: bool) -> Edit:
    """Placed things that dragging and arranging leave where they are; or that they move again."""
    places = [design.placements[one] for one in dict.fromkeys(ids) if one in design.placements]
    if not places:
        raise ParameterError("select devices or racks on the canvas first")
    changes = tuple(Change(one, replace(one, locked=locked)) for one in places if one.locked != locked)
    return Edit(f"{'Lock' if locked else 'Unlock'} {_things(len(changes) or len(places))}", changes)


def swap_places(design: Design, ids: Iterable[str]) -> Edit:
    """Two placed things, each where the other stands on the canvas; they stay in the racks they are mounted in."""
    places = _movable(design, ids, least=2)
    if len(places) != 2:
        raise ParameterError(f"select two things to swap, not {len(places)}")
    (a, at_a), (b, at_b) = places.items()
    return Edit("Swap 2 things", move(design, {a: at_b, b: at_a}).changes)


def rotate(design: Design, ids: Iterable[str], *, clockwise: bool = True, cell: Cell = (1.0, 1.0)) -> Edit:
    """The things turned by 90° round their middle, each still upright.

    A row of boxes becomes a column and keeps its steps: `cell` is the width and height of one step.
    """
    places = _movable(design, ids, least=2)
    middle_x, middle_y = _middle(places)
    stretch, sign = cell[0] / cell[1], 1.0 if clockwise else -1.0

    def turn(at: Point) -> Point:
        return middle_x - sign * (at[1] - middle_y) * stretch, middle_y + sign * (at[0] - middle_x) / stretch

    turned = {one: turn(at) for one, at in places.items()}
    return Edit(f"Rotate {_things(len(places))}", move(design, turned, turn).changes)


def mirror(design: Design, ids: Iterable[str], axis: str) -> Edit:
    """The things in reverse order along x (left and right swapped) or y, round their middle."""
    if axis not in ("x", "y"):
        raise ParameterError(f"{axis!r} is not an axis to mirror along: choose x or y")
    places = _movable(design, ids, least=2)
    middle_x, middle_y = _middle(places)

    def turn(at: Point) -> Point:
        return (2 * middle_x - at[0], at[1]) if axis == "x" else (at[0], 2 * middle_y - at[1])

    turned = {one: turn(at) for one, at in places.items()}
    return Edit(f"Mirror {_things(len(places))}", move(design, turned, turn).changes)


def set_spacing(design: Design, ids: Iterable[str], axis: str, gap: float, sizes: Sizes | None = None) -> Edit:
    """The things with this gap from edge to edge along x or y; the first stays, and what stood in line stays so."""
    places = _movable(design, ids, least=2)
    moved = spaced(places, axis, gap, {one: (sizes or {}).get(one, (0.0, 0.0)) for one in places}, MOST_SPACING)
    return Edit(f"Space {_things(len(places))}", move(design, moved).changes)


def require_spacing(gap: float, most: float) -> None:
    """Raises ParameterError for a gap that is negative, no number, or larger than that."""
    if not 0 <= gap <= most:
        raise ParameterError(f"spacing is {gap:g}: it should be 0 to {most:,.0f}")


def spaced(places: Mapping[str, Point], axis: str, gap: float, sizes: Sizes, most: float) -> dict[str, Point]:
    """Where things of these sizes stand with such gaps from edge to edge between their rows or columns.

    Raises ParameterError for another axis than x and y, and for a gap that is not from 0 to `most`.
    """
    if axis not in ("x", "y"):
        raise ParameterError(f"{axis!r} is not an axis to space along: choose x or y")
    require_spacing(gap, most)
    number = 0 if axis == "x" else 1
    extent = {one: sizes[one][number] for one in places}
    moved: dict[str, Point] = {}
    edge = None
    for line in _lines({one: at[number] for one, at in places.items()}, extent):
        first = min(places[one][number] - extent[one] / 2 for one in line)
        shift = 0.0 if edge is None else edge + gap - first
        for one in line:
            x, y = places[one]
            moved[one] = (x + shift, y) if axis == "x" else (x, y + shift)
        edge = max(places[one][number] + extent[one] / 2 for one in line) + shift
    return moved


def _lines(at: dict[str, float], extent: dict[str, float]) -> list[list[str]]:
    """Rows or columns: things whose middles lie within the first one's half extent."""
    lines: list[list[str]] = []
    for one in sorted(at, key=lambda one: (at[one], order_key(one))):
        if lines and at[one] - at[lines[-1][0]] <= extent[lines[-1][0]] / 2:
            lines[-1].append(one)
        else:
            lines.append([one])
    return lines


def _movable(design: Design, ids: Iterable[str], *, least: int) -> dict[str, Point]:
    """Where the placed things stand that are not locked. Raises ParameterError for too few."""
    chosen = [one for one in dict.fromkeys(ids) if one in design.placements]
    racks = {one for one in chosen if one in design.racks}
    places = {}
    for one in chosen:
        place = design.placements[one]
        if not place.locked and place.rack_id not in racks:  # a rack takes what is mounted in it along
            places[one] = (place.x, place.y)
    if len(places) < least:
        locked = sum(design.placements[one].locked for one in chosen)
        more = f"; {_things(locked)} {'is' if locked == 1 else 'are'} locked" if locked else ""
        raise ParameterError(f"select at least {least} things to arrange{more}")
    return places


def _middle(places: dict[str, Point]) -> Point:
    xs, ys = zip(*places.values(), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _things(count: int) -> str:
    return f"{count:,} thing{'' if count == 1 else 's'}"

"""Rows of racks: room for new racks between others, and the names that rows keep whatever else moves."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Rack
from designer.model.fixture import TRAY
from designer.model.furnishing import TOUCH_M
from designer.model.naming import checked_name
from designer.placement.floor import Point, Row, place_of, row_names, rows, rows_of


@dataclass(frozen=True, slots=True)
class Opening:
    """Room for racks in a row: their places and facing, and the racks that move over, by id."""

    places: tuple[Point, ...]
    facing: str
    moved: dict[str, Point]


def opening(design: Design, row: Row, index: int, count: int) -> Opening:
    """Room for so many racks before the rack of that index, at the end of the row for its length.

    They stand against the rack to their left, or at the left end against the one to their right. Racks to the right
    that would be in the way move over, no further than they must.
    """
    width = design.settings.rack_width_m
    xs = [design.racks[one].x_m or 0.0 for one in row.rack_ids]
    first = xs[index - 1] + width if index else xs[0] - count * width
    places = tuple((round(first + number * width, 4), row.y_m) for number in range(count))
    return Opening(places, row_facing(design, row.rack_ids), _moved(design, row, index, places[-1][0]))


def row_facing(design: Design, rack_ids: Sequence[str]) -> str:
    """Where most fronts of these racks look."""
    return Counter(design.racks[one].facing for one in rack_ids).most_common(1)[0][0]


def _moved(design: Design, row: Row, index: int, last_m: float) -> dict[str, Point]:
    width = design.settings.rack_width_m
    moved: dict[str, Point] = {}
    for one in row.rack_ids[index:]:
        at = place_of(design.racks[one])
        if at is None or at[0] - last_m >= width - TOUCH_M:
            break
        last_m = round(last_m + width, 4)
        moved[one] = last_m, at[1]
    return moved


# -- names -------------------------------------------------------------------------------------------------------------


ROW_KEY = "row of "
"""Before the id of a rack this stands for its row, where something with a name is asked for by id."""


def row_keyed(design: Design, key: str) -> Row | None:
    """The row that a key stands for; None for any other id."""
    rack_id = key.removeprefix(ROW_KEY)
    return row_of(design, rack_id) if rack_id != key and rack_id in design.racks else None


def row_of(design: Design, rack_id: str) -> Row | None:
    """The row that a rack stands in; None where it has no place on the floor."""
    return next((row for row in rows(design) if rack_id in row.rack_ids), None)


def rename_row(design: Design, rack_id: str, name: str) -> Edit:
    """The row that a rack stands in under another name, its tray too; "" gives it its letter from the top again.

    The other rows keep their names. Raises EditError where another row has the name.
    """
    all_rows = rows(design)
    number = next((number for number, one in enumerate(all_rows) if rack_id in one.rack_ids), None)
    if number is None:
        raise EditError("the rack stands in no row: it has no place on the floor")
    row = all_rows[number]
    name = checked_name(name, "the name of a row") if name.strip() else ""
    claims = [(0, place, one.name) for place, one in enumerate(all_rows) if one != row]
    if name.casefold() in {one.casefold() for *_, one in claims}:
        raise EditError(f"another row is called {name}: give this one a different name")
    names = row_names(len(all_rows), [*claims, *([(0, number, name)] if name else [])])
    racks = {**design.racks, **{one: replace(design.racks[one], row=name) for one in row.rack_ids}}
    kept = _keeping(racks, {one.rack_ids: own for one, own in zip(all_rows, names, strict=True)})
    trays = (one for one in design.fixtures.values() if one.kind == TRAY and one.name == row.name != names[number])
    changes = [Change(design.racks[one], after) for one, after in kept.items() if after != design.racks[one]]
    changes += [Change(one, replace(one, name=names[number])) for one in trays]
    return Edit(f"Rename row {row.name} to {names[number]}", tuple(changes))


def issued_names(design: Design) -> Edit:
    """All rows with the names they have now as names of their own, as documents that are handed over state them."""
    named = ((design.racks[one], row.name) for row in rows(design) for one in row.rack_ids)
    changes = (Change(rack, replace(rack, row=name)) for rack, name in named if rack.row != name)
    return Edit("Keep the names of rows", tuple(changes))


def with_row_names(design: Design, edit: Edit) -> Edit:
    """The edit, with names for the rows whose letters would change though nobody moved their racks.

    A row keeps its name with the racks that stay; one whose racks all move together takes it along.
    """
    if not design.racks or Rack not in edit.kinds:
        return edit
    racks, touched = dict(design.racks), dict[str, None]()
    for change in edit.changes:
        if isinstance(change.subject, Rack):
            touched[change.subject.id] = None
            racks.pop(change.subject.id, None)
            if isinstance(change.after, Rack):
                racks[change.after.id] = change.after
    moved = {one for one in touched if _place_in(design.racks, one) != _place_in(racks, one)}
    if not moved:
        return edit
    after = rows_of(racks.values())
    claims = sorted(_claims(design, racks, after, moved))
    names = row_names(len(after), ((0, number, name) for _, _, number, name in claims))
    kept = _keeping(racks, {one.rack_ids: name for one, name in zip(after, names, strict=True)})
    changes = tuple(Change(racks[one], rack) for one, rack in kept.items() if rack != racks[one])
    return Edit(edit.label, (*edit.changes, *changes)) if changes else edit


def _place_in(racks: Mapping[str, Rack], rack_id: str) -> Point | None:
    return place_of(racks[rack_id]) if rack_id in racks else None


def _claims(
    design: Design, racks: Mapping[str, Rack], after: Sequence[Row], moved: Set[str]
) -> list[tuple[int, int, int, str]]:
    """Which row has which claim to a name, the best first: racks that stayed, a row that moved whole, what came."""
    before = rows(design)
    name_of = {one: row.name for row in before for one in row.rack_ids}
    whole: dict[frozenset[str], Row] = {}
    for row in before:
        left = frozenset(one for one in row.rack_ids if _place_in(racks, one) is not None)
        if left:
            whole[left] = row
    has_stayed = not name_of.keys() <= moved
    are_as_before = whole.keys() == {frozenset(row.rack_ids) for row in after}
    claims = []
    for number, row in enumerate(after):
        stayed = Counter(name_of[one] for one in row.rack_ids if one in name_of and one not in moved)
        came = Counter(own for one in row.rack_ids if one not in name_of and (own := racks[one].row))
        claims += [(0, -count, number, name) for name, count in stayed.items()]
        claims += [(2, -count, number, name) for name, count in came.items()]
        here = set(row.rack_ids)
        for left, old in whole.items():
            if left <= here and (has_stayed or are_as_before or any(design.racks[one].row for one in old.rack_ids)):
                claims.append((1, -len(left), number, old.name))  # else all racks were placed again
    return claims


def _keeping(racks: Mapping[str, Rack], names: Mapping[tuple[str, ...], str]) -> dict[str, Rack]:
    """The racks as their rows have these names, by the racks of a row: with a name where the letter would differ."""
    kept = {
        one: rack if place_of(rack) is not None or not rack.row else replace(rack, row="")
        for one, rack in racks.items()
    }

    def give(rack_ids: Sequence[str], name: str) -> None:
        kept.update((one, replace(kept[one], row=name)) for one in rack_ids if kept[one].row != name)

    for rack_ids, name in names.items():
        give(rack_ids, name if any(kept[one].row == name for one in rack_ids) else "")
    while wrong := [row for row in rows_of(kept.values()) if row.name != names[row.rack_ids]]:
        for row in wrong:
            give(row.rack_ids, names[row.rack_ids])
    return kept

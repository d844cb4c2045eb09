"""A change order as rows: all facts of both plans for programs, and what an installer reads on paper."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from designer.exchange.plans.change_order import MOVE, PULL, REMOVE, SWAP, UNKNOWN, A, Change, Z
from designer.exchange.plans.snapshot import CableEnd, PlannedCable
from designer.tables.columns import Column, Columns

_END_COLUMNS = (
    ("rack", "rack", ""),
    ("u", "unit", "U"),
    ("device", "device", ""),
    ("port", "port", ""),
    ("optic_model", "transceiver", ""),
    ("optic_pn", "transceiver part number", ""),
    ("label", "label", ""),
)
_END_VALUES = {"u": "unit", "optic_model": "optic", "optic_pn": "optic_number"}
_CABLE_COLUMNS = (
    ("cable_id", "Cable", "", "number"),
    ("medium", "Medium", "", "medium"),
    ("cable_model", "Model", "", "part.model"),
    ("cable_pn", "Part number", "", "part.number"),
    ("stock_length_m", "Stock length", "m", "stock_length_m"),
    ("length_m", "Length", "m", "length_m"),
    ("color", "Color", "", "colour"),
)


def _value_of(which: str, path: str) -> Callable[[Change], Any]:
    get = attrgetter(path)

    def value(change: Change) -> Any:
        cable = getattr(change, which)
        return None if cable is None else get(cable) or None

    return value


def _facts() -> Iterator[Column]:
    """What the cable was and will be, fact by fact."""
    for which in ("before", "after"):
        title = which.title()
        for end in ("a", "z"):
            for key, name, unit in _END_COLUMNS:
                path = f"{end}.{_END_VALUES.get(key, key)}"
                value = _value_of(which, path)
                yield Column(f"{which}_{end}_{key}", f"{title}: {end.upper()} {name}", value, unit=unit)
        for key, name, unit, path in _CABLE_COLUMNS:
            yield Column(f"{which}_{key}", f"{title}: {name}", _value_of(which, path), unit=unit, right=bool(unit))


FULL_COLUMNS: Columns = (
    Column("step", "Step", right=True),
    Column("action", "Action"),
    Column("cable_id", "Cable", "number"),
    Column("ends", "End"),
    Column("reason", "Reason"),
    *_facts(),
)
"""Everything, for programs."""


def _part(cable: PlannedCable) -> str:
    """ "MFP7E10-N030, 30 m": what is pulled out or in."""
    stated = [cable.part.text or cable.medium or UNKNOWN]
    length_m = cable.stock_length_m if cable.stock_length_m is not None else cable.length_m
    stated.append("length unknown" if length_m is None else f"{length_m:g} m")
    return ", ".join([*stated, *([cable.colour] if cable.colour else [])])


def place(end: CableEnd) -> str:
    """ "A01 U40 leaf-1 1/1": where an end is plugged in, as somebody walks there."""
    unit = f"U{end.unit}" if end.unit else ""
    return " ".join(text for text in (end.rack, unit, end.device, end.port) if text)


def _both(cable: PlannedCable) -> str:
    return f"{place(cable.a)} to {place(cable.z)}"


def _wanted_ends(change: Change) -> tuple[str, ...]:
    return tuple(end for end in (A, Z) if end in change.ends.split(" and "))


def _at(change: Change, cable: PlannedCable | None, say: Callable[[CableEnd], str]) -> str:
    """What to say of each end that the change is about."""
    if cable is None:
        return ""
    ends = {A: cable.a, Z: cable.z}
    stated = [(end, say(ends[end])) for end in _wanted_ends(change)]
    return "; ".join(f"{end}: {text}" if len(stated) > 1 else text for end, text in stated)


def _optics(change: Change, cable: PlannedCable | None) -> str:
    return _at(change, cable, lambda end: end.optic or "no transceiver")


def _from(change: Change) -> str:
    before = change.before
    if before is None:
        return ""
    if change.is_of_name:
        return before.a.device or before.a.rack
    if change.action == REMOVE:
        return _both(before)
    if change.action == SWAP:
        return _optics(change, before) if change.is_of_transceivers else _part(before)
    return _at(change, before, place if change.action == MOVE else attrgetter("label"))


def _to(change: Change) -> str:
    after = change.after
    if after is None:
        return ""
    if change.is_of_name:
        return after.a.device or after.a.rack
    if change.action == PULL:
        return _both(after)
    if change.action == SWAP:
        return _optics(change, after) if change.is_of_transceivers else _part(after)
    return _at(change, after, place if change.action == MOVE else attrgetter("label"))


def _runs(change: Change) -> str:
    """Where the cable of a row is found: both its ends, or for a moved end the other one."""
    if change.is_of_name:
        return place(change.cable.a) if change.cable.a.device else ""
    if change.action in (REMOVE, PULL):
        return _part(change.cable)
    after = change.cable
    if change.action == MOVE and change.ends in (A, Z):
        other = after.z if change.ends == A else after.a
        return f"other end {place(other)}"
    return _both(after)


PAPER_COLUMNS: Columns = (
    Column("step", "Step", right=True),
    Column("action", "Action"),
    Column("cable_id", "Cable", "number"),
    Column("ends", "End"),
    Column("from", "From", _from),
    Column("to", "To", _to),
    Column("cable", "Cable and place", _runs),
    Column("reason", "Reason"),
)
"""What an installer reads: what is done with which cable, at which end, from where to where."""

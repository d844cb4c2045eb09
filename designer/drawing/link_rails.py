"""The rail that each link and device is drawn on; rails that share leafs are one."""

from collections.abc import Iterable
from typing import Any

from designer.drawing.projection import Projection
from designer.late import Late
from designer.units import all_of

rails = Late("designer.model.link_rails")

_RAILS = "Rails "

Value = str | int | float | None
"""What a class is of: a number, words, or None where it is not known."""


def link_rails(projection: Projection) -> list[Value]:
    """The rail of each link by row: the number of the NIC that its server has there, from 1, where that is known.

    Links between switches are on the rail that one states or has all its NICs on; not where its NICs are on several.
    Rails that share all their leafs are one, as "Rails 1 and 5".
    """
    known = _known(projection)
    return [_value(known.classes.get(one[0], one) if one else one) for one in known.of_links()]


def device_rails(projection: Projection) -> list[Value]:
    """The rail of each device by row: that which it states, and of a leaf of several rails all of these."""
    known = _known(projection)
    return [_value(known.of_device(one)) for one in projection.device_ids]


def shared(one: Value, other: Value) -> Value:
    """What a link belongs to by its ends: what both have, or the only one that has any."""
    if one is None or other is None:
        return other if one is None else one
    return one if one == other else None


def first_rail(value: Value) -> int | None:
    """The first of rails that share leafs: 5 of "Rails 5 and 6"; None for other values."""
    if not isinstance(value, str) or not value.startswith(_RAILS):
        return None
    first = value.removeprefix(_RAILS).split(" ")[0].rstrip(",")
    return int(first) if first.isdecimal() else None


def rails_text(numbers: Iterable[int]) -> str:
    """ "Rails 1 and 5"."""
    return f"{_RAILS}{all_of([str(one) for one in sorted(numbers)])}"


def _known(projection: Projection) -> Any:
    return rails.LinkRails(projection.design, [*map(projection.design.links.__getitem__, projection.link_ids)])


def _value(numbers: tuple[int, ...]) -> Value:
    return None if not numbers else numbers[0] if len(numbers) == 1 else rails_text(numbers)

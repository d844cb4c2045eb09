"""The rail that each link and device is on, as the NICs say that are linked there; rails that share leafs are one."""

from collections.abc import Iterable

from designer.drawing.projection import Projection
from designer.model.design import Design
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, PURPOSE_OF
from designer.units import all_of

Value = str | int | float | None
"""What a class is of: a number, words, or None where it is not known."""


def link_rails(projection: Projection) -> list[Value]:
    """The rail of each link by row: the number of the NIC that its server has there, from 1, where that is known.

    Links between switches are on the rail that one states or has all its NICs on; not where its NICs are on several.
    Rails that share all their leafs are one, as "Rails 1 and 5".
    """
    found, below, ends = *_of_nics(projection), projection.ends.tolist()
    stated, names = _stated(projection, below), _names(below.values())
    return [
        shared(stated[a], stated[b]) if rail is None else names.get(rail, rail)
        for rail, (a, b) in zip(found, ends, strict=True)
    ]


def device_rails(projection: Projection) -> list[Value]:
    """The rail of each device by row: that which it states, and of a leaf of several rails all of these."""
    devices, rails = projection.design.devices, list[Value]()
    rails += (devices[one].rail for one in projection.device_ids)
    below = _of_nics(projection)[1]
    names = _names(below.values())
    for row, held in below.items():
        rails[row] = names.get(min(held), rails[row])
    return rails


def shared(one: Value, other: Value) -> Value:
    """What a link belongs to by its ends: what both have, or the only one that has any."""
    if one is None or other is None:
        return other if one is None else one
    return one if one == other else None


def _of_nics(projection: Projection) -> tuple[list[int | None], dict[int, set[int]]]:
    """The number of the NIC at each link by row, and all that are linked to each switch by row."""
    design, found, below = projection.design, list[int | None](), dict[int, set[int]]()
    of_ports: dict[str, dict[str, int]] = {}
    for link_id, (a, b) in zip(projection.link_ids, projection.ends.tolist(), strict=True):
        link, rail = design.links[link_id], None
        for end, other in ((link.a, b), (link.b, a)):
            if end.device_id not in of_ports:
                of_ports[end.device_id] = _rails_of_ports(design, end.device_id)
            number = of_ports[end.device_id].get(end.port)
            if number is not None:
                rail = number
                below.setdefault(other, set()).add(number)
        found.append(rail)
    return found, below


def _stated(projection: Projection, below: dict[int, set[int]]) -> list[Value]:
    """The rail of each device by row as far as its links to other switches are on it."""
    devices, stated = projection.design.devices, list[Value]()
    stated += (devices[one].rail for one in projection.device_ids)
    names = _names(below.values())
    for row, rails in below.items():
        if len(rails) > 1:
            stated[row] = names.get(min(rails))
        elif stated[row] is None:
            stated[row] = next(iter(rails))
    return stated


def _names(held: Iterable[set[int]]) -> dict[int, str]:
    """What rails are called that share their leafs with others; {} where leafs do not share them evenly.

    Empty too where every leaf has all rails, as in racks with a switch on top: nothing would be distinguished.
    """
    sets = {frozenset(one) for one in held}
    sizes = {len(one) for one in sets}
    if len(sets) < 2 or len(sizes) > 1 or 1 in sizes or sum(map(len, sets)) > len(frozenset().union(*sets)):
        return {}
    return {rail: rails_text(one) for one in sets for rail in one}


def rails_text(rails: Iterable[int]) -> str:
    """ "Rails 1 and 5"."""
    return f"Rails {all_of([str(one) for one in sorted(rails)])}"


def _rails_of_ports(design: Design, device_id: str) -> dict[str, int]:
    """The number of the compute NIC that each of a GPU server's ports is on, from 1; {} for others, and for one NIC."""
    type_ = design.device_type(device_id)
    if not isinstance(type_, ServerType) or not type_.gpus:
        return {}
    slots = [slot.name for slot in type_.slots if slot.purpose == PURPOSE_OF[COMPUTE]]
    number = {name: place for place, name in enumerate(slots, start=1)} if len(slots) > 1 else {}
    return {
        port.name: number[port.slot]
        for port in design.ports(device_id)
        if port.slot in number and port.purpose == PURPOSE_OF[COMPUTE]
    }

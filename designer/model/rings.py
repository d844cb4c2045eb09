"""Closing a row of switches or nodes into a ring, as the rings of a torus are."""

import itertools
from collections.abc import Iterator, Sequence

from designer.errors import ParameterError
from designer.model import matching
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.entities import End, Link
from designer.model.free_ports import FreePorts
from designer.model.hardware.ports import Port
from designer.model.wiring import links_between

RING_OF_TWO = "a ring of two has one link, as both ways round are the same"


def row_order(design: Design, device_ids: Sequence[str]) -> list[str]:
    """The devices in order of position, along x or y, whichever way they reach further."""
    ids = list(dict.fromkeys(device_ids))
    spots = {one: (p.x, p.y) if (p := design.placements.get(one)) else (0.0, 0.0) for one in ids}
    across = max(x for x, _ in spots.values()) - min(x for x, _ in spots.values()) if ids else 0.0
    down = max(y for _, y in spots.values()) - min(y for _, y in spots.values()) if ids else 0.0
    axis = 0 if across >= down else 1
    return sorted(ids, key=lambda one: (spots[one][axis], spots[one][1 - axis], ids.index(one)))


def close_ring(design: Design, device_ids: Sequence[str], double: bool = False) -> Edit:
    """Each of a row joined to the next, the last to the first; links that are there already stay.

    Two have one link, the same either way round, or with `double` two in parallel. Ports go in pairs, the
    first of a pair onward and the second back, as a generated torus has them, so that dimension-order routing reads the
    ring. Raises ParameterError, NoFreePortError, PortMismatchError.
    """
    row = row_order(design, device_ids)
    if len(row) < 2:
        raise ParameterError("choose two or more switches or servers of one row")
    steps = list(itertools.pairwise(row))
    if len(row) > 2 or double:
        steps.append((row[-1], row[0]))
    there = links_between(design, row)
    missing = []
    for a_id, b_id in steps:
        pair = frozenset((a_id, b_id))
        if there.get(pair, 0):
            there[pair] -= 1
        else:
            missing.append((a_id, b_id))
    needed = {one: [b if a == one else a for a, b in missing if one in (a, b)] for one in row}
    budget = FreePorts(design)
    for one, partners in needed.items():
        if partners:
            budget.require(one, partners, len(partners))
    seats = _Seats(design, row)
    ends = [seats.take(a_id, b_id) for a_id, b_id in missing]
    ids = design.new_ids("links", len(ends))
    links = [Link(link_id, a, b) for link_id, (a, b) in zip(ids, ends, strict=True)]
    return Edit(f"Close a ring of {len(row)}", added(links))


class _Seats:
    """Which port leads onward and which back, for every device of a ring."""

    def __init__(self, design: Design, row: Sequence[str]) -> None:
        self._design = design
        self._free = {one: design.free_ports(one) for one in row}
        self._pairs = {one: self._pair(one, set(row)) for one in row}

    def take(self, a_id: str, b_id: str) -> tuple[End, End]:
        """The onward port of a and the back port of b where they match, else the first two free ports that do."""
        for a, b in itertools.chain(
            [(self._pairs[a_id][0], self._pairs[b_id][1])],
            itertools.product(self._free[a_id], self._free[b_id]),
        ):
            if a in self._free[a_id] and b in self._free[b_id] and matching.port_compatibility(a, b) is None:
                self._free[a_id].remove(a)
                self._free[b_id].remove(b)
                return End(a_id, a.name), End(b_id, b.name)
        name, other = self._design.device(a_id).name, self._design.device(b_id).name
        raise ParameterError(f"{name} and {other} have too few matching free ports for the ring")

    def _pair(self, device_id: str, row: set[str]) -> tuple[Port | None, Port | None]:
        """The pair that the ring's links there use already, else the first of which both are free."""
        ports = [port for port in self._design.ports(device_id) if port.purpose == "fabric"]
        pairs = list(zip(ports[::2], ports[1::2], strict=False))
        names = set(self._ring_ports(device_id, row))
        for pair in pairs:
            if any(port.name in names for port in pair):
                return pair
        free = self._free[device_id]
        return next(((a, b) for a, b in pairs if a in free and b in free), (None, None))

    def _ring_ports(self, device_id: str, row: set[str]) -> Iterator[str]:
        for link in self._design.links_of(device_id):
            own, other = (link.a, link.b) if link.a.device_id == device_id else (link.b, link.a)
            if other.device_id in row:
                yield own.port

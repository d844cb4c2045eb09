"""Which cable a link takes: the plainest kind that joins its cages and reaches far enough.

A cage holds one module or cable end, so cages that links join to each other are decided on together: two cages take a
straight cable, one split cage and its partners a splitter, anything else a transceiver in every cage and fibre between.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from designer.errors import UnknownEntityError
from designer.model.design import Design, ordered
from designer.model.edit import Change, Edit, added
from designer.model.entities import End, Link
from designer.model.hardware import HardwareType, MediumType, Port
from designer.model.matching import port_takes

PLAINNESS = ("DAC", "DAC splitter", "ACC", "LACC", "AOC", "AOC splitter", "transceiver")
"""Kinds of medium, the plainest first: copper draws no power, an optic in every cage the most."""

Cage = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Bunch:
    """Links whose cages depend on each other."""

    links: tuple[Link, ...]
    ports: Mapping[Cage, tuple[Port, ...]]
    """The ports in use in each cage."""

    @property
    def length_m(self) -> float | None:
        """Of the longest; None where one is not known."""
        lengths = [link.length_m for link in self.links]
        return None if None in lengths else max(length for length in lengths if length is not None)


def pick_media(
    design: Design,
    types: Mapping[str, HardwareType],
    link_ids: Iterable[str] | None = None,
    *,
    chosen_too: bool = False,
) -> Edit:
    """Cables and optics for all links, or for these and what shares their cages, from the types given.

    Links whose length is not known, or which nothing of known reach joins, stay as they are, and so do bunches in which
    a cable was chosen already unless `chosen_too`.
    """
    wanted = set(design.links) if link_ids is None else set(link_ids)
    for one in wanted:
        if one not in design.links:
            raise UnknownEntityError(f"there is no link with id {one!r}")
    known = {**types, **design.types}
    media = [one for one in known.values() if isinstance(one, MediumType) and one.kind in PLAINNESS]
    media.sort(key=lambda one: (PLAINNESS.index(one.kind), one.max_length_m or 0.0, one.id))
    changes: list[Change] = []
    new: dict[str, MediumType] = {}
    for bunch in _bunches(design):
        if not any(link.id in wanted for link in bunch.links):
            continue
        if not chosen_too and any(link.medium_id for link in bunch.links):
            continue
        found = next((one for one in media if fits(one, bunch)), None)
        if found is None:
            continue
        altered = [link for link in bunch.links if link.medium_id != found.id]
        changes += [Change(link, replace(link, medium_id=found.id)) for link in altered]
        if altered and found.id not in design.types:
            new[found.id] = found
    count = len(changes)
    return Edit(f"Choose {count} cable{'s' if count != 1 else ''}", (*added(new.values()), *changes))


def fits(medium: MediumType, bunch: _Bunch) -> bool:
    """Whether a medium joins the cages of a bunch and reaches as far as its longest link."""
    length_m = bunch.length_m
    if length_m is None or medium.max_length_m is None or length_m > medium.max_length_m:
        return False
    if medium.lengths_m and length_m > max(medium.lengths_m):
        return False
    ports = [port for cage in bunch.ports.values() for port in cage]
    if any(port.rate_gbps != medium.link_gbps for port in ports):
        return False
    if any(not set(medium.protocols) & set(port.protocols) for port in ports):
        return False
    if medium.kind == "transceiver":
        return _optics_fit(medium, bunch)
    return _splits(medium, bunch) if "splitter" in medium.kind else _joins(medium, bunch)


def _optics_fit(medium: MediumType, bunch: _Bunch) -> bool:
    """An optic is named for the widest cages; narrower ones take the module of their own form that goes with it."""
    widest = max(port.ports_per_cage for cage in bunch.ports.values() for port in cage)
    wide = [cage[0] for cage in bunch.ports.values() if cage[0].ports_per_cage == widest]
    return widest == medium.links and all(any(port_takes(port, shell) for shell in medium.ends) for port in wide)


def _joins(medium: MediumType, bunch: _Bunch) -> bool:
    """A straight cable from one cage to one other, with room for all their links."""
    if len(bunch.ports) != 2 or len(bunch.links) > medium.links or len(medium.ends) != 2:
        return False
    one, other = (ports[0] for ports in bunch.ports.values())
    if one.ports_per_cage != other.ports_per_cage or one.ports_per_cage != medium.links:
        return False
    first, second = medium.ends
    straight = port_takes(one, first) and port_takes(other, second)
    return straight or (port_takes(other, first) and port_takes(one, second))


def _splits(medium: MediumType, bunch: _Bunch) -> bool:
    """A cable from one split cage to as many others, each with a single link."""
    if len(medium.ends) != 2 or len(bunch.links) > medium.links:
        return False
    wide = [ports for ports in bunch.ports.values() if ports[0].ports_per_cage == medium.links]
    narrow = [ports for ports in bunch.ports.values() if ports[0].ports_per_cage == 1]
    if len(wide) != 1 or len(wide) + len(narrow) != len(bunch.ports):
        return False
    return port_takes(wide[0][0], medium.ends[0]) and all(port_takes(one[0], medium.ends[1]) for one in narrow)


def _bunches(design: Design) -> list[_Bunch]:
    """Links in bunches that share cages, in design order; links to ports that do not exist are left out."""
    parent: dict[Cage, Cage] = {}

    def root(cage: Cage) -> Cage:
        while parent.setdefault(cage, cage) != cage:
            parent[cage] = parent[parent[cage]]
            cage = parent[cage]
        return cage

    ends: dict[str, tuple[tuple[Cage, Port], tuple[Cage, Port]]] = {}
    for link in ordered(design.links):
        a, b = _cage(design, link.a), _cage(design, link.b)
        if a is not None and b is not None:
            ends[link.id] = a, b
            parent[root(a[0])] = root(b[0])
    heaps: dict[Cage, list[str]] = {}
    for link_id, (a, _) in ends.items():
        heaps.setdefault(root(a[0]), []).append(link_id)
    return [_bunch(design, heap, ends) for heap in heaps.values()]


def _bunch(
    design: Design, link_ids: Sequence[str], ends: Mapping[str, tuple[tuple[Cage, Port], tuple[Cage, Port]]]
) -> _Bunch:
    ports: dict[Cage, list[Port]] = {}
    for link_id in link_ids:
        for cage, port in ends[link_id]:
            ports.setdefault(cage, []).append(port)
    return _Bunch(
        tuple(design.links[one] for one in link_ids), {cage: tuple(found) for cage, found in ports.items()}
    )


def _cage(design: Design, end: End) -> tuple[Cage, Port] | None:
    port = design.port(end)
    return None if port is None else ((end.device_id, port.cage), port)

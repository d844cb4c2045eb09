"""Which cable a link takes: the simplest kind that joins its cages and reaches far enough.

A cage holds one module or cable end, so cages that links join to each other are decided on together: two cages take a
straight cable, one split cage and its partners a splitter, anything else a transceiver in every cage and fiber between.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from designer.errors import UnknownEntityError
from designer.model.circuits import circuit_switch
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import PICKED, Link
from designer.model.hardware.media import TWINAX_KINDS, MediumType
from designer.model.hardware.ports import Port
from designer.model.hardware.types import HardwareType
from designer.model.matching import are_geared, port_takes
from designer.model.records import ordered
from designer.placement.bunches import Bunch, Bunches, in_bunches
from designer.placement.cable_lengths import routed_lengths

PLAINNESS = (
    "copper",
    "DAC",
    "DAC splitter",
    "ACC",
    "ACC splitter",
    "LACC",
    "LACC splitter",
    "AEC",
    "AEC splitter",
    "AOC",
    "AOC splitter",
    "transceiver",
)
"""Kinds of medium, the simplest first: copper draws no power, an optic in every cage the most."""

OPTIC = "transceiver"

Lengths = NDArray[np.float64]

Reason = tuple[str, str]
"""Why a link has no length or cable: for one link, and for several."""

NO_PORT = ("an end names a port that does not exist", "their ends name ports that do not exist")
LENGTH_UNKNOWN = ("its length is not known", "their lengths are not known")


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """What each bunch of links takes."""

    bunches: Bunches
    media: tuple[MediumType, ...]
    medium: NDArray[np.int64]  # (n_bunches,) index into media; -1 where none joins and reaches
    longest_m: NDArray[np.float64]  # (n_bunches,) NaN where no length is known
    fitting: tuple[tuple[MediumType, ...], ...]
    """By kind of bunch the media that join its cages, the simplest first."""
    through_circuits: NDArray[np.bool_]  # (n_bunches,) only optics do

    def of_link(self, number: int) -> MediumType | None:
        """The cable or optic of a link by its number; None where no medium joins its ports and reaches."""
        bunch = int(self.bunches.of_link[number])
        found = int(self.medium[bunch]) if bunch >= 0 else -1
        return self.media[found] if found >= 0 else None

    def simplest(self, number: int, longest_m: float) -> MediumType | None:
        """The medium of a link by its number if the longest of its bunch were as long as that; None where none is."""
        bunch = int(self.bunches.of_link[number])
        fitting = self.fitting[int(self.bunches.kind[bunch])] if bunch >= 0 else ()
        if bunch >= 0 and self.through_circuits[bunch]:
            fitting = tuple(one for one in fitting if one.kind == OPTIC)
        return next((one for one in fitting if (reach_m := reach_of(one)) is not None and longest_m <= reach_m), None)

    def why_none(self, number: int) -> Reason:
        """Why a link gets no medium, for it alone and for several; for one that `of_link` gives none."""
        bunch = int(self.bunches.of_link[number])
        if bunch < 0:
            return NO_PORT
        kind, longest_m = int(self.bunches.kind[bunch]), float(self.longest_m[bunch])
        cages = self.bunches.examples[kind].cage_words
        if not self.fitting[kind]:
            return (f"the catalog has no cable for {cages}",) * 2
        if math.isnan(longest_m):
            return LENGTH_UNKNOWN
        reaches = self._reaches_m(kind)
        if not reaches:
            return (f"the reach of cables for {cages} is not known",) * 2
        if longest_m <= max(reaches):
            only = f"only copper is known for {cages}, and"
            return f"{only} the link leaves its rack", f"{only} the links leave their racks"
        return (f"no cable for {cages} reaches {longest_m:g} m; the longest reaches {max(reaches):g} m",) * 2

    def is_reach_known(self, number: int) -> bool:
        """Whether the reach is known of any cable that fits the cages of a link; also where no cable fits them."""
        bunch = int(self.bunches.of_link[number])
        kind = int(self.bunches.kind[bunch]) if bunch >= 0 else -1
        return kind < 0 or not self.fitting[kind] or bool(self._reaches_m(kind))

    def _reaches_m(self, kind: int) -> list[float]:
        return [reach_m for one in self.fitting[kind] if (reach_m := reach_of(one)) is not None]


def pick_media(
    design: Design,
    types: Mapping[str, HardwareType],
    link_ids: Iterable[str] | None = None,
    *,
    chosen_too: bool = False,
) -> Edit:
    """Cables and optics for all links, or for these and what shares their cages, from the types given.

    A link without a length gets the one that its route, or the design's default, gives it. Links that still have none,
    or which nothing of known reach joins, stay as they are, and so do bunches in which a cable was chosen already
    unless `chosen_too`.
    """
    wanted = None if link_ids is None else set(link_ids)
    for one in wanted or ():
        if one not in design.links:
            raise UnknownEntityError(f"there is no link with id {one!r}")
    changes: list[Change] = []
    new: dict[str, MediumType] = {}
    links = ordered(design.links)
    unmeasured = [link for link in links if link.length_m is None]
    routed = zip(unmeasured, routed_lengths(design, unmeasured), strict=True)
    lengths = {link.id: found for link, found in routed if found[0] is not None}
    measured = [_with_length(link, lengths.get(link.id)) for link in links]
    made = choices(design, links, known_lengths_m(measured), types)
    kept = set() if chosen_too else made.bunches.with_any(link.medium_id != "" for link in links)
    asked = None if wanted is None else made.bunches.with_any(link.id in wanted for link in links)
    for number, link in enumerate(links):
        bunch, found = int(made.bunches.of_link[number]), made.of_link(number)
        if found is None or bunch in kept or (asked is not None and bunch not in asked) or link.medium_id == found.id:
            continue
        changes.append(Change(link, replace(measured[number], medium_id=found.id, medium_source=PICKED)))
        if found.id not in design.types:
            new[found.id] = found
    count = len(changes)
    return Edit(f"Select {count} cable{'s' if count != 1 else ''}", (*added(new.values()), *changes))


def _with_length(link: Link, found: tuple[float | None, str] | None) -> Link:
    return link if found is None else replace(link, length_m=found[0], length_source=found[1])


def choices(
    design: Design,
    links: Sequence[Link],
    lengths_m: Lengths,
    types: Mapping[str, HardwareType],
    *,
    copper_between_racks: bool = True,
) -> Choices:
    """For every bunch of these links the simplest medium that joins its cages and reaches as far as its longest link.

    A bunch with some known lengths takes a medium for those: its cages hold one module or cable end each.
    Links to ports that do not exist are in no bunch. Lengths are NaN where unknown. Without `copper_between_racks`,
    twinax is for bunches whose links all stay in their rack, or stand in none. Links through optical circuit switches
    take optics.
    """
    known = {**types, **design.types}
    media = [one for one in known.values() if isinstance(one, MediumType) and one.kind in PLAINNESS]
    media.sort(key=_preference)
    made = in_bunches(design, links)
    there = made.of_link >= 0
    longest_m = np.full(made.n_bunches, np.nan)
    measured = there & ~np.isnan(lengths_m)
    np.fmax.at(longest_m, made.of_link[measured], lengths_m[measured])
    fitting = tuple(tuple(one for one in media if joins(one, bunch, media)) for bunch in made.examples)
    apart = np.zeros(made.n_bunches, dtype=bool)
    if not copper_between_racks:
        apart[made.of_link[there & _between_racks(design, links)]] = True
    through_circuits = np.zeros(made.n_bunches, dtype=bool)
    through_circuits[made.of_link[there & np.fromiter(map(_has_circuit, links), dtype=bool, count=len(links))]] = True
    medium = np.full(made.n_bunches, -1, dtype=np.int64)
    for kind, candidates in enumerate(fitting):
        members = np.flatnonzero(made.kind == kind)
        for one in candidates:
            reach_m = reach_of(one)
            if reach_m is not None:
                allowed = ~apart[members] if one.kind in TWINAX_KINDS else True
                allowed = allowed if one.kind == OPTIC else allowed & ~through_circuits[members]
                takes = members[(medium[members] < 0) & (longest_m[members] <= reach_m) & allowed]
                medium[takes] = media.index(one)
    return Choices(made, tuple(media), medium, longest_m, fitting, through_circuits)


def _has_circuit(link: Link) -> bool:
    """Whether nothing but light passes the link: only an optic at each end does for it."""
    return bool(circuit_switch(link))


def _preference(medium: MediumType) -> tuple[int, bool, bool, float, str]:
    """The simplest kind first; then what has a part number, and what fits cages that say nothing of their modules.

    Those are taken to be air-cooled, whose modules are finned.
    """
    flat = any("flat-top" in end for end in medium.ends[:1])
    return PLAINNESS.index(medium.kind), not medium.parts, flat, medium.max_length_m or 0.0, medium.id


def _between_racks(design: Design, links: Sequence[Link]) -> NDArray[np.bool_]:
    """(n_links,) whether both ends stand in racks, and not in the same."""
    rack_of = {one.id: one.rack_id for one in design.placements.values() if one.rack_id is not None}
    pairs = ((rack_of.get(link.a.device_id), rack_of.get(link.b.device_id)) for link in links)
    return np.fromiter((a != b and a is not None and b is not None for a, b in pairs), dtype=bool, count=len(links))


def known_lengths_m(links: Sequence[Link]) -> Lengths:
    """The lengths that the links have; NaN where unknown."""
    return np.array([math.nan if link.length_m is None else link.length_m for link in links], dtype=np.float64)


def reach_of(medium: MediumType) -> float | None:
    """How far a piece of it may lead: what it reaches, and no further than the longest that is sold."""
    if medium.max_length_m is None:
        return None
    return min(medium.max_length_m, max(medium.lengths_m, default=medium.max_length_m))


def joins(medium: MediumType, bunch: Bunch, known: Sequence[MediumType]) -> bool:
    """Whether a medium fits the cages of a bunch, whatever its length; `known` are all media."""
    ports = [port for cage in bunch.cages for port in cage]
    if any(port.rate_gbps != medium.link_gbps for port in ports):
        return False
    if any(not set(medium.protocols) & set(port.protocols) for port in ports):
        return False
    if medium.kind == "transceiver":
        return _optics_meet(medium, bunch, known) if _is_geared(bunch) else _optics_fit(medium, bunch)
    return _splits(medium, bunch) if "splitter" in medium.kind else _is_straight(medium, bunch)


def _is_geared(bunch: Bunch) -> bool:
    firsts = [cage[0] for cage in bunch.cages]
    return any(are_geared(one, other) for one, other in combinations(firsts, 2))


def _optics_meet(medium: MediumType, bunch: Bunch, known: Sequence[MediumType]) -> bool:
    """Of cages with lanes of different speeds each takes the optic, or one that has its kind of fiber and reaches."""
    alike = [
        one
        for one in known
        if one.kind == medium.kind
        and (one.socket, one.fibre, one.link_gbps) == (medium.socket, medium.fibre, medium.link_gbps)
        and (one.max_length_m or 0.0) >= (medium.max_length_m or 0.0)
    ]
    cages = [cage[0] for cage in bunch.cages]
    return any(_goes_into(medium, port) for port in cages) and all(
        any(_goes_into(one, port) for one in alike) for port in cages
    )


def _goes_into(optic: MediumType, port: Port) -> bool:
    """Whether a cage takes the optic, with as many links as it is split into."""
    has_protocol = bool(set(optic.protocols) & set(port.protocols))
    return has_protocol and optic.links == port.ports_per_cage and any(port_takes(port, one) for one in optic.ends)


def _optics_fit(medium: MediumType, bunch: Bunch) -> bool:
    """An optic is named for the widest cages; narrower ones take the module of their own form that goes with it."""
    widest = max(port.ports_per_cage for cage in bunch.cages for port in cage)
    wide = [cage[0] for cage in bunch.cages if cage[0].ports_per_cage == widest]
    return widest == medium.links and all(any(port_takes(port, shell) for shell in medium.ends) for port in wide)


def _is_straight(medium: MediumType, bunch: Bunch) -> bool:
    """A straight cable from one cage to one other, with room for all their links."""
    if len(bunch.cages) != 2 or bunch.n_links > medium.links or len(medium.ends) != 2:
        return False
    one, other = (ports[0] for ports in bunch.cages)
    if one.ports_per_cage != other.ports_per_cage or one.ports_per_cage != medium.links:
        return False
    first, second = medium.ends
    straight = port_takes(one, first) and port_takes(other, second)
    return straight or (port_takes(other, first) and port_takes(one, second))


def _splits(medium: MediumType, bunch: Bunch) -> bool:
    """A cable from one split cage to as many others, each with a single link."""
    if len(medium.ends) != 2 or bunch.n_links > medium.links:
        return False
    wide = [ports for ports in bunch.cages if ports[0].ports_per_cage == medium.links]
    narrow = [ports for ports in bunch.cages if ports[0].ports_per_cage == 1]
    if len(wide) != 1 or len(wide) + len(narrow) != len(bunch.cages):
        return False
    return port_takes(wide[0][0], medium.ends[0]) and all(port_takes(one[0], medium.ends[1]) for one in narrow)

"""Devices that neither ids nor names tell: those with the same cables to devices that are known are the same.

First colors are refined over both designs at once: a device's color is made of its type and, round by round, of the
ports and colors of its neighbors; devices that are known have colors of their own. Who alone has a color in each design
is known then, and so is who hangs at the same ports of known devices. Where a fabric is symmetric any choice is as
good, and the first by name is taken.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from designer.analysis.counterparts.names import natural
from designer.analysis.counterparts.pairs import Pairs
from designer.model.design import Design
from designer.model.entities import End

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]

DEPTH = 3
"""Rounds of refining: farther away one fault would color everything."""
MOST_CHOICES = 96
"""Choices among equal devices, each of which settles whatever hangs on it."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
_MORE = np.uint64(0xC2B2AE3D27D4EB4F)


def match_by_structure(before: Design, after: Design, pairs: Pairs, check: Callable[[], None] = lambda: None) -> None:
    """Add pairs of devices without a partner. `check` may raise Cancelled."""
    if not _both_left(before, after, pairs):
        return
    neighbours = _Neighbours(before, after, pairs)
    neighbours.follow(pairs.later.copy())
    colours: _Colours | None = None
    for _ in range(MOST_CHOICES):
        if not _both_left(before, after, pairs):
            return
        check()
        colours = colours or _Colours(before, after)
        found = colours.pairs(pairs)
        if not found:
            return
        neighbours.follow({one: other for one, other in found if pairs.join(one, other)})


def _both_left(before: Design, after: Design, pairs: Pairs) -> bool:
    left = next(pairs.left_before(before.devices), None)
    return left is not None and next(pairs.left_after(after.devices), None) is not None


class _Neighbours:
    """Joins what hangs at the same ports of devices that are pairs."""

    def __init__(self, before: Design, after: Design, pairs: Pairs) -> None:
        self._designs, self._pairs = (before, after), pairs

    def follow(self, new: dict[str, str]) -> None:
        """Join the neighbors of the new pairs, those of these, and so on, who has most cables in common first."""
        while new:
            votes = Counter(pair for one, other in new.items() for pair in self._beside(one, other))
            before, after = self._designs
            ranked = sorted(votes, key=lambda pair: (-votes[pair], _name(before, pair[0]), _name(after, pair[1])))
            new = {one: other for one, other in ranked if self._agree(one, other) and self._pairs.join(one, other)}

    def _agree(self, one: str, other: str) -> bool:
        """Whether at least half of the cables of each to devices that are known are at the same ports there."""
        before, after = self._designs
        pairs = self._pairs
        ours = {
            (pairs.later[far.device_id], far.port) for far in _far_ends(before, one) if far.device_id in pairs.later
        }
        theirs = {(far.device_id, far.port) for far in _far_ends(after, other) if far.device_id in pairs.earlier}
        return 2 * len(ours & theirs) >= max(len(ours), len(theirs))

    def _beside(self, one: str, other: str) -> Iterable[tuple[str, str]]:
        before, after = self._designs
        there = after.used_ports(other)
        for port, links in before.used_ports(one).items():
            met = there.get(port, ())
            if len(links) != 1 or len(met) != 1:
                continue
            near, far = _far(before, links[0], one), _far(after, met[0], other)
            if near in self._pairs.later or far in self._pairs.earlier:
                continue
            if _kind(before, near) == _kind(after, far):
                yield near, far


def _far(design: Design, link_id: str, device_id: str) -> str:
    link = design.links[link_id]
    return link.b.device_id if link.a.device_id == device_id else link.a.device_id


def _far_ends(design: Design, device_id: str) -> Iterator[End]:
    return (link.b if link.a.device_id == device_id else link.a for link in design.links_of(device_id))


def _name(design: Design, device_id: str) -> tuple[object, ...]:
    return (natural(design.devices[device_id].name), len(device_id), device_id)


def _kind(design: Design, device_id: str) -> tuple[str, str, str]:
    """What a type is called, whatever its id is in the design."""
    type_ = design.device_type(device_id)
    return type(type_).__name__, type_.vendor, type_.model


@dataclass(frozen=True, slots=True)
class _Arcs:
    """Every link from both of its ends, over the devices of both designs."""

    source: Ints
    target: Ints
    ports: Hashes


class _Colours:
    """The colors of the devices of two designs."""

    def __init__(self, before: Design, after: Design) -> None:
        self._before, self._after = before, after
        self._ids = (*before.devices, *after.devices)
        self._n_before = len(before.devices)
        self._kinds = np.array(
            [_number(_kind(before, one)) for one in before.devices]
            + [_number(_kind(after, one)) for one in after.devices],
            np.uint64,
        )
        self._arcs = _arcs(before, after)

    def pairs(self, known: Pairs) -> list[tuple[str, str]]:
        """Devices that are alone in having a color, of the deepest round that tells any; else one choice."""
        rounds = self._refined(known)
        cabled = set(self._arcs.source.tolist())  # without cables nothing but the type would tell
        lefts = [number for number in sorted(cabled) if not self._is_known(number, self._ids[number], known)]
        choice: list[tuple[str, str]] = []
        for colours in reversed(rounds):
            classes: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
            for number in lefts:
                classes[int(colours[number])][number >= self._n_before].append(number)
            both = [(ours, theirs) for ours, theirs in classes.values() if ours and theirs]
            alone = [(self._ids[a[0]], self._ids[b[0]]) for a, b in both if len(a) == len(b) == 1]
            if alone:
                return alone
            if both and not choice:
                choice = [self._first(*min(both, key=lambda one: (len(one[0]) != len(one[1]), len(one[0]))))]
        return choice

    def _first(self, ours: list[int], theirs: list[int]) -> tuple[str, str]:
        one = min((self._ids[number] for number in ours), key=lambda one: _name(self._before, one))
        other = min((self._ids[number] for number in theirs), key=lambda one: _name(self._after, one))
        return one, other

    def _is_known(self, number: int, one: str, known: Pairs) -> bool:
        return one in (known.later if number < self._n_before else known.earlier)

    def _refined(self, known: Pairs) -> list[Hashes]:
        """Colors after each round but the one that knows types alone."""
        colours = self._kinds.copy()
        place = {one: number for number, one in enumerate(self._ids[self._n_before :], start=self._n_before)}
        for number, one in enumerate(self._ids[: self._n_before]):
            partner = known.later.get(one)
            if partner is not None:
                colours[number] = colours[place[partner]] = _number(("known", number))
        rounds = []
        for _ in range(DEPTH):
            sums = np.zeros(len(colours), np.uint64)
            np.add.at(sums, self._arcs.source, _mixed(colours[self._arcs.target] ^ self._arcs.ports))
            colours = _mixed(colours * _MORE + sums)
            rounds.append(colours)
        return rounds


def _arcs(before: Design, after: Design) -> _Arcs:
    source, target, ports = list[int](), list[int](), list[int]()
    numbers: dict[tuple[str, str], int] = {}

    def port(near: End, far: End) -> int:
        key = (near.port, far.port)
        if key not in numbers:
            numbers[key] = _number(key)
        return numbers[key]

    first = 0
    for design in (before, after):
        place = {one: number for number, one in enumerate(design.devices, start=first)}
        first += len(place)
        for link in design.links.values():
            a, b = place[link.a.device_id], place[link.b.device_id]
            source += (a, b)
            target += (b, a)
            ports += (port(link.a, link.b), port(link.b, link.a))
    return _Arcs(np.array(source, np.int64), np.array(target, np.int64), np.array(ports, np.uint64))


def _number(key: tuple[object, ...]) -> int:
    """A number of 64 bits for a key, the same in every process."""
    found = 0xCBF29CE484222325
    for byte in chain.from_iterable(f"{one}\0".encode() for one in key):
        found = (found ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return found


def _mixed(values: Hashes) -> Hashes:
    """Numbers whose every bit depends on every bit of what they come from."""
    mixed = (values ^ (values >> np.uint64(29))) * _ODD
    mixed = (mixed ^ (mixed >> np.uint64(32))) * _MORE
    found: Hashes = mixed ^ (mixed >> np.uint64(29))
    return found

"""Links in bunches: those whose cages depend on each other and therefore take one kind of cable or optic.

A cage holds one module or cable end, so links that share a cage, at either end, are in one bunch.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.model.design import Design
from designer.model.entities import Link
from designer.model.hardware.ports import Port
from designer.units import format_rate

MIX = np.uint64(0x9E3779B97F4A7C15)
"""Spreads sums of small numbers over 64 bits, so that unlike bunches get unlike ones: 2^64 over the golden ratio."""


@dataclass(frozen=True, slots=True)
class Bunch:
    """How many links a bunch has, and the ports in use in each of its cages."""

    n_links: int
    cages: tuple[tuple[Port, ...], ...]

    @property
    def cage_words(self) -> str:
        """ "OSFP 2x400G to QSFP112 400G": the kinds of cage that the links join."""
        return " to ".join(dict.fromkeys(_cage_word(ports[0]) for ports in self.cages))


@dataclass(frozen=True, slots=True, eq=False)
class Bunches:
    """The bunch of each link, and what kind each bunch is of: bunches of a kind have like ports in like cages."""

    of_link: NDArray[np.int64]  # (n_links,) -1 where an end names a port that does not exist
    kind: NDArray[np.int64]  # (n_bunches,) index into examples
    examples: tuple[Bunch, ...]

    @property
    def n_bunches(self) -> int:
        """Number of bunches."""
        return len(self.kind)

    def with_any(self, marks: Iterable[bool]) -> set[int]:
        """The bunches that hold a marked link."""
        marked = np.fromiter(marks, dtype=bool, count=len(self.of_link))
        return set(self.of_link[marked].tolist()) - {-1}


def in_bunches(design: Design, links: Sequence[Link]) -> Bunches:
    """The bunches of these links; the design holds the devices they join, and need not hold the links."""
    ports, kinds, rows = _ends(design, links)
    there = (rows >= 0).all(axis=0)
    of_link = np.full(len(links), -1, dtype=np.int64)
    if not there.any():
        return Bunches(of_link, np.zeros(0, dtype=np.int64), ())
    rows = rows[:, there]
    devices = _device_numbers(links)[:, there]
    cages_of_port = np.array([port.cage for port in ports], dtype=np.int64)
    cages = np.unique(devices * (cages_of_port.max() + 1) + cages_of_port[rows], return_inverse=True)[1].reshape(2, -1)
    label = _joined(cages[0], cages[1])
    first, bunch = np.unique(label[cages[0]], return_inverse=True)
    of_link[there] = bunch
    # A cage is known by how many ports of each kind it has, a bunch by how many cages of each kind.
    of_cage = np.zeros(len(label), dtype=np.uint64)
    kind_of_port = _mixed(np.array(kinds, dtype=np.uint64) + np.uint64(1))
    for end in (0, 1):
        np.add.at(of_cage, cages[end], kind_of_port[rows[end]])
    of_bunch = np.zeros(len(first), dtype=np.uint64)
    np.add.at(of_bunch, np.searchsorted(first, label), _mixed(of_cage))
    _, example, kind = np.unique(of_bunch, return_index=True, return_inverse=True)
    found = tuple(_example(ports, rows[:, bunch == one], cages[:, bunch == one]) for one in example.tolist())
    return Bunches(of_link, kind, found)


def _ends(design: Design, links: Sequence[Link]) -> tuple[list[Port], list[int], NDArray[np.int64]]:
    """All ports that devices of a kind have, the number of each port's own kind, and rows (2, n_links) into them."""
    ports: list[Port] = []
    kinds: list[int] = []
    numbers: dict[tuple[object, ...], int] = {}
    rows_of: dict[int, Mapping[str, int]] = {}
    of_device: dict[str, Mapping[str, int]] = {}
    for device_id in {device_id for link in links for device_id in (link.a.device_id, link.b.device_id)}:
        its = design.port_map(device_id)
        if id(its) not in rows_of:  # devices of a kind share one map of ports
            rows_of[id(its)] = {name: len(ports) + number for number, name in enumerate(its)}
            ports += its.values()
            for one in its.values():
                kind = (one.rate_gbps, one.form_factor, one.heat_sink, one.ports_per_cage, one.protocols)
                kinds.append(numbers.setdefault(kind, len(numbers)))
        of_device[device_id] = rows_of[id(its)]
    rows = np.array(
        [
            [of_device[link.a.device_id].get(link.a.port, -1) for link in links],
            [of_device[link.b.device_id].get(link.b.port, -1) for link in links],
        ],
        dtype=np.int64,
    )
    return ports, kinds, rows


def _device_numbers(links: Sequence[Link]) -> NDArray[np.int64]:
    numbers: dict[str, int] = {}
    return np.array(
        [
            [numbers.setdefault(link.a.device_id, len(numbers)) for link in links],
            [numbers.setdefault(link.b.device_id, len(numbers)) for link in links],
        ],
        dtype=np.int64,
    )


def _joined(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n_cages,) the lowest cage that links lead to from each, over any number of links."""
    label = np.arange(int(max(a.max(), b.max())) + 1)
    while True:
        at_a, at_b = label[a], label[b]
        if (at_a == at_b).all():
            return label
        low = np.minimum(at_a, at_b)
        np.minimum.at(label, at_a, low)
        np.minimum.at(label, at_b, low)
        while (label[label] != label).any():
            label = label[label]


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(31))) * MIX
        return (values ^ (values >> np.uint64(29))) * MIX


def _example(ports: Sequence[Port], rows: NDArray[np.int64], cages: NDArray[np.int64]) -> Bunch:
    found: dict[int, list[Port]] = {}
    for pair, at in zip(rows.T.tolist(), cages.T.tolist(), strict=True):
        for row, cage in zip(pair, at, strict=True):
            found.setdefault(cage, []).append(ports[row])
    return Bunch(rows.shape[1], tuple(map(tuple, found.values())))


def _cage_word(port: Port) -> str:
    rate = format_rate(port.rate_gbps)
    lanes = rate if port.ports_per_cage == 1 else f"{port.ports_per_cage}x{rate}"
    return f"{port.form_factor} {lanes}".strip()

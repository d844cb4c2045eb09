"""The parts of a fabric that are tested by themselves: the whole, each unit, each rail, each pair of units."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.graph.arrays import Graph
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants

WHOLE, UNIT, RAIL, PAIR, HOSTS = "whole", "unit", "rail", "pair", "hosts"
"""Kinds of parts; hosts are any that a measurement names."""
MOST_PAIRS = 66
"""Pairs of units that are all tested: those of 12; of more, each unit with the next."""
MOST_RAILS = 16


@dataclass(frozen=True, slots=True)
class Part:
    """Ranks that are tested together. `name` is a mark for logs, "pair 1 2"; `title` is what people read."""

    kind: str
    name: str
    title: str
    ranks: tuple[int, ...]


def parts_of(design: Design, graph: Graph, scenario: Scenario) -> tuple[Part, ...]:
    """The parts of what the scenario's ranks are of, the whole first; those of fewer than two ranks are left out.

    Units are those of the design, or else servers that share their leaf switches. Of more than MOST_RAILS rails none is
    tested by itself.
    """
    ranks = tuple(sorted(participants(network(graph), scenario).tolist()))
    units = _by_unit(design, graph, ranks)
    rails = _by_rail(design, graph, ranks)
    found = [Part(WHOLE, WHOLE, "Whole fabric", ranks)]
    if len(units) > 1:
        found += [Part(UNIT, f"unit {name}", f"Unit {name}", of) for name, of in units.items()]
    if 1 < len(rails) <= MOST_RAILS:
        found += [Part(RAIL, f"rail {name}", f"Rail {name}", of) for name, of in rails.items()]
    if len(units) > 2:  # a pair of two units is the whole
        found += [
            Part(PAIR, f"pair {one} {other}", f"Units {one} and {other}", tuple(sorted(units[one] + units[other])))
            for one, other in _pairs(tuple(units))
        ]
    return tuple(part for part in found if len(part.ranks) > 1)


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    every = list(itertools.combinations(names, 2))
    if len(every) <= MOST_PAIRS:
        return every
    return list(zip(names, [*names[1:], names[0]], strict=True))


def _by_unit(design: Design, graph: Graph, ranks: Sequence[int]) -> Mapping[str, tuple[int, ...]]:
    """Ranks by the unit of their server, by its number; without numbers by the set of leaf switches of the server."""
    device = graph.device[: graph.n_endpoints]
    unit_of = {index: design.device(graph.device_ids[index]).unit for index in np.unique(device[list(ranks)]).tolist()}
    found: dict[str, list[int]] = {}
    if all(unit is not None for unit in unit_of.values()):
        for rank in ranks:
            found.setdefault(str(unit_of[int(device[rank])]), []).append(rank)
        ordered = sorted(found, key=lambda name: (len(name), name))
        return {name: tuple(found[name]) for name in ordered}
    leaf = network(graph).ends.leaf
    leafs: dict[int, set[int]] = {}
    for rank in ranks:
        leafs.setdefault(int(device[rank]), set()).update(one for one in leaf[rank].tolist() if one >= 0)
    number: dict[frozenset[int], str] = {}
    for rank in ranks:
        name = number.setdefault(frozenset(leafs[int(device[rank])]), str(len(number) + 1))
        found.setdefault(name, []).append(rank)
    return {name: tuple(of) for name, of in found.items()}


def _by_rail(design: Design, graph: Graph, ranks: Sequence[int]) -> Mapping[str, tuple[int, ...]]:
    """Ranks by the rail of the leaf that their first NIC is on, or else by the place of that NIC in the server.

    Of GPUs of a server that share a NIC the first one stands for all.
    """
    rails = rail_of_ranks(design, graph, ranks)
    nic = network(graph).ends.nic[:, 0]
    taken: set[int] = set()
    found: dict[int, list[int]] = {}
    for rank, rail in zip(ranks, rails, strict=True):
        if rail is not None and int(nic[rank]) not in taken:
            taken.add(int(nic[rank]))
            found.setdefault(rail, []).append(rank)
    return {str(rail): tuple(found[rail]) for rail in sorted(found)}


def rail_of_ranks(design: Design, graph: Graph, ranks: Sequence[int]) -> list[int | None]:
    """The rail of each rank, from 1; None for one without a NIC of its own."""
    ends = network(graph).ends
    places: dict[int, dict[int, int]] = {}
    found: list[int | None] = []
    for rank in ranks:
        nic, facing = int(ends.nic[rank, 0]), int(ends.facing[rank, 0])
        if nic < 0 or ends.borrowed[rank] or facing < 0:
            found.append(None)
            continue
        rail = design.device(graph.device_ids[int(graph.device[facing])]).rail
        in_server = places.setdefault(int(graph.device[rank]), {})
        place = in_server.setdefault(nic, len(in_server) + 1)
        found.append(place if rail is None else rail)
    return found

"""Cycles of buffers: found in rings of leafs and spines, not where all paths climb and descend."""

from itertools import pairwise

import networkx
import numpy as np
import pytest

from designer.analysis import buffer_cycles
from designer.analysis.adjacency import Adjacency, adjacency
from designer.analysis.buffer_cycles import is_up_and_down, shortest_cycle
from designer.analysis.survey import survey
from designer.model.edit import Edit, removed
from designer.validation.engine import validate


def found(design):
    return [one for one in validate(design).findings if one.code == "DEADLOCK-001"]


def ring(bare, n):
    """N leafs and n spines around a ring, a host on each leaf."""
    leafs, spines, hosts = ([f"{word}-{number}" for number in range(n)] for word in ("leaf", "spine", "host"))
    bare.add("generic-switch-8x400g", *leafs, *spines)
    bare.add("generic-host", *hosts)
    for number in range(n):
        bare.join(hosts[number], leafs[number])
        bare.join(leafs[number], spines[number])
        bare.join(leafs[number], spines[(number + 1) % n])
    return bare


def test_a_tree_has_no_cycle(fabric):
    near = adjacency(survey(fabric.design))
    assert is_up_and_down(near, near.of_switches)
    assert shortest_cycle(near, near.of_switches) == []
    assert found(fabric.design) == []


def test_three_leafs_in_a_ring_share_spines_pairwise_and_do_not_block(bare):
    design = ring(bare, 3).design
    near = adjacency(survey(design))
    assert is_up_and_down(near, near.of_switches)
    assert shortest_cycle(near, near.of_switches) == []


def test_four_leafs_in_a_ring_can_block(bare):
    design = ring(bare, 4).design
    (finding,) = found(design)
    assert finding.value == 8
    assert finding.message.startswith("Shortest paths form a cycle of 8 buffers: leaf-0 to spine-")
    assert set(finding.subjects) == {one.id for one in design.switches()}


def test_a_ring_that_is_open_cannot_block(bare):
    design = ring(bare, 4).design
    cut = next(link for link in design.links_of(bare.id("spine-0")))
    design.apply(Edit("cut", removed([cut])))
    near = adjacency(survey(design))
    assert not is_up_and_down(near, near.of_switches)
    assert found(design) == []


@pytest.mark.parametrize(("n", "is_found"), [(3, False), (4, True), (5, True)])
def test_switches_in_a_ring(bare, n, is_found):
    names = [f"s{number}" for number in range(n)]
    bare.add("generic-switch-8x400g", *names)
    bare.add("generic-host", *(f"h{number}" for number in range(n)))
    for number in range(n):
        bare.join(f"h{number}", names[number])
        bare.join(names[number], names[(number + 1) % n])
    assert bool(found(bare.design)) == is_found


def test_the_cycle_is_one_of_the_graph_of_channels_and_none_is_shorter(bare):
    near = adjacency(survey(ring(bare, 5).design))
    graph = networkx.DiGraph()
    switches = networkx.Graph()
    for pair in near.of_switches.tolist():
        switches.add_edge(int(near.low[pair]), int(near.high[pair]))
    leafs = sorted({int(near.high[pair]) for pair in near.of_servers.tolist()})
    for source in leafs:
        for target in leafs:
            for path in networkx.all_shortest_paths(switches, source, target):
                channels = list(pairwise(path))
                networkx.add_path(graph, channels)
    cycle = shortest_cycle(near, near.of_switches)
    channels = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    assert all(graph.has_edge(a, b) for a, b in zip(channels, [*channels[1:], channels[0]], strict=True))
    assert len(cycle) == min(len(one) for one in networkx.simple_cycles(graph, length_bound=12))


def test_a_search_that_would_take_too_long_is_not_made_and_said(bare, monkeypatch):
    design = ring(bare, 4).design
    monkeypatch.setattr(buffer_cycles, "MOST_STEPS", 8 * 4 + 8 * 2 * 2)  # pairs times leafs, and channels in a row
    assert len(found(design)) == 1
    monkeypatch.setattr(buffer_cycles, "MOST_STEPS", 8 * 4 + 8 * 2 * 2 - 1)
    assert found(design) == []
    (said,) = (one for one in validate(design).not_checked if one.code == "DEADLOCK-001")
    assert said.reason == "too many switches whose paths do not only climb and descend"


def two_tiers(n_leafs, n_spines, *more):
    """A server on each leaf, a link from each leaf to each spine, and further links between switches."""
    pairs = [(leaf, n_leafs + leaf) for leaf in range(n_leafs)]
    pairs += [(n_leafs + leaf, 2 * n_leafs + spine) for leaf in range(n_leafs) for spine in range(n_spines)]
    low, high = np.array([*pairs, *((n_leafs + a, n_leafs + b) for a, b in more)]).T
    ids = tuple(map(str, range(2 * n_leafs + n_spines)))
    tier = np.repeat([0, 1, 2], [n_leafs, n_leafs, n_spines]).astype(np.int16)
    ones, numbers = np.ones(len(low), dtype=np.int64), np.arange(len(low) + 1)
    return Adjacency(ids, {}, n_leafs, tier, low, high, ones, ones.astype(float), numbers[:-1], numbers)


def test_links_of_dense_fabrics_are_counted_before_they_are_searched():
    near = two_tiers(48, 16, (0, 1))
    assert shortest_cycle(near, near.of_switches) == []
    near = two_tiers(256, 64, (0, 1))
    assert shortest_cycle(near, near.of_switches) is None

"""Folded fabrics after links, switches and NICs were deleted: as every flow by itself, and as without folding."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import Catalog, load
from designer.graph.arrays import Graph, without
from designer.graph.building.build import build
from designer.graph.failures import broken
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.routing.network import network
from designer.routing.policies import SPRAYED, policy_named
from designer.simulation.flows import fluid, folding, uniform
from designer.simulation.flows import uniform_flow_classes as flow_kinds
from designer.simulation.flows.folding import Folded, folded
from designer.simulation.flows.surveys import SprayedSurveyor
from designer.simulation.flows.uniform_flow_classes import by_kinds
from designer.simulation.flows.uniform_hosts import hosts_of
from designer.topologies.families import FAMILIES
from designer.units import BYTES_PER_S_PER_GBPS

PAIR_BYTES = 1e6
FABRICS: dict[str, tuple[str, dict[str, Any]]] = {
    "two tiers": ("pgft", {"children": (3, 5), "parents": (1, 3)}),
    "three tiers": ("pgft", {"children": (3, 3, 3), "parents": (1, 2, 3)}),
    "parallel links": ("pgft", {"children": (3, 4), "parents": (1, 2), "parallel": (1, 2)}),
    "k-ary fat-tree": ("k-ary-fat-tree", {"k": 6}),
    "rails": ("rail-optimized", {"servers": 9, "servers_per_su": 3, "rails": 2}),
    "rails with spines of their own": (
        "rail-optimized",
        {"servers": 12, "servers_per_su": 2, "rails": 4, "tiers": "3"},
    ),
    "dragonfly+": ("dragonfly-plus", {"leafs": 3, "spines": 2, "p": 2, "h": 2}),
}


@cache
def catalog() -> Catalog:
    return load()


@cache
def design_of(name: str) -> Design:
    family_name, values = FABRICS[name]
    family, design = next(family for family in FAMILIES if family.name == family_name), Design()
    design.apply(family.build(design, family.parameters(**values), catalog()))
    return design


@cache
def graph_of(name: str) -> Graph:
    return build(design_of(name))


def less(name: str, ids: frozenset[str]) -> Graph:
    return without(graph_of(name), broken(design_of(name), ids), ids) if ids else graph_of(name)


def is_between(design: Design, link: Link) -> bool:
    """Whether a link joins two switches."""
    return not any(map(design.is_server, (link.a.device_id, link.b.device_id)))


@cache
def things(name: str) -> list[str]:
    """What can be deleted: links between switches twice, for they are what is deleted most."""
    design = design_of(name)
    between = [link_id for link_id, link in design.links.items() if is_between(design, link)]
    return [*between, *design.links, *design.devices, *design.modules]


def members_of(graph: Graph) -> np.ndarray:
    """GPUs with a NIC on a switch."""
    return np.flatnonzero(network(graph).ends.leaf[:, 0] >= 0)


def folded_members(graph: Graph) -> Folded:
    return folded(network(graph), hosts_of(network(graph), members_of(graph)))


def unfolded(patch: pytest.MonkeyPatch) -> None:
    """Makes every switch one of a kind."""
    apart = lambda switches, _mark: np.arange(1, switches.n_switches + 1, dtype=np.uint64)  # noqa: E731
    patch.setattr(folding, "_rows", apart)


def ends_of(result) -> np.ndarray:
    return np.sort(np.repeat(result.finish_s, result.counts))


def assert_as_unfolded(graph: Graph, routing: str, capacity: np.ndarray | None = None) -> None:
    net, members = policy_named(routing).prepared(network(graph)), members_of(graph)
    assert uniform.applies(net, members)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS if capacity is None else capacity

    def run():
        found = uniform.run(net, members, PAIR_BYTES, SPRAYED, capacity)
        kinds = by_kinds(net, hosts_of(net, members), PAIR_BYTES, SPRAYED, capacity, found.flows_on, 1e-12, None)
        return found, kinds

    def colours() -> np.ndarray:
        hosts, first = hosts_of(net, members), flow_kinds.mixed(np.round(capacity).view(np.uint64))
        settled = flow_kinds._settled(net, hosts, SprayedSurveyor(net, hosts, first), first, None)
        assert settled is not None
        return settled[0]

    found, kinds = run()
    seen = colours()
    with pytest.MonkeyPatch.context() as patch:
        unfolded(patch)
        assert folded(net, hosts_of(net, members)).n_goals == len(np.unique(net.ends.leaf[members, 0]))
        wanted, wanted_kinds = run()
        assert np.array_equal(seen, colours())
    assert found.flows_on == pytest.approx(wanted.flows_on, rel=1e-12, abs=0)
    assert found.latency_ns == pytest.approx(wanted.latency_ns, rel=1e-12)
    for one, other in ((found, wanted), (kinds, wanted_kinds)):
        assert one.end_s == pytest.approx(other.end_s, rel=1e-12)
        assert one.peak == pytest.approx(other.peak, rel=1e-9, abs=1e-12)
        assert ends_of(one) == pytest.approx(ends_of(other), rel=1e-9)
    assert np.array_equal(np.sort(kinds.counts), np.sort(wanted_kinds.counts))


def assert_as_written_out(graph: Graph, routing: str) -> None:
    policy = policy_named(routing)
    net, members = policy.prepared(network(graph)), members_of(graph)
    src, dst = np.repeat(members, len(members)), np.tile(members, len(members))
    src, dst = src[src != dst], dst[src != dst]
    size_bytes, capacity = np.full(len(src), PAIR_BYTES), graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    paths = policy.route(net, src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 0)
    every = fluid.run(paths.start, paths.arcs, paths.weights, capacity, size_bytes)
    found = uniform.run(net, members, PAIR_BYTES, SPRAYED, capacity)
    assert found.flows_on * PAIR_BYTES == pytest.approx(paths.bytes_on, rel=1e-9, abs=1e-3)
    if not net.ends.borrowed.any():  # a GPU with a longer way out has mates it sends to over its crossbar alone
        assert found.latency_ns == pytest.approx(paths.latency_ns.max(), rel=1e-9)
    assert ends_of(found) == pytest.approx(np.sort(every.finish_s), rel=1e-6)


@pytest.mark.parametrize("name", FABRICS)
@settings(max_examples=4)
@given(data=st.data())
def test_what_was_deleted_leaves_what_every_flow_by_itself_gives(name, data):
    deleted = data.draw(st.lists(st.sampled_from(things(name)), max_size=3, unique=True))
    routing = data.draw(st.sampled_from(["spray", "weighted-spray"]))
    graph = less(name, frozenset(deleted))
    assume(len(members_of(graph)) > 1 and uniform.applies(network(graph), members_of(graph)))
    assert_as_unfolded(graph, routing)
    assert_as_written_out(graph, routing)


@pytest.mark.parametrize("name", FABRICS)
@settings(max_examples=2)
@given(rates=st.lists(st.sampled_from([1.0, 1.0, 1.0, 0.5]), min_size=2, max_size=9), by=st.integers(1, 7))
def test_links_with_rates_and_latencies_of_their_own_are_told_apart(name, rates, by):
    """Rates and lengths that recur, so that some of the fabric is still alike."""
    whole = graph_of(name)
    share = np.array([rates[link // by % len(rates)] if link >= 0 else 1.0 for link in whole.link])
    graph = replace(whole, capacity_gbps=whole.capacity_gbps * share, derived={})
    assert_as_unfolded(graph, "spray")
    assert_as_unfolded(replace(whole, latency_ns=whole.latency_ns * share, derived={}), "spray")
    # Payload that differs where rates do not, as with protocols.
    by_arc = np.array([rates[arc // by % len(rates)] for arc in range(whole.n_arcs)])
    by_arc[whole.link < 0] = 1.0
    assert_as_unfolded(whole, "spray", whole.capacity_gbps * by_arc * BYTES_PER_S_PER_GBPS)


FOLDED = {
    "two tiers": (1, 3),
    "three tiers": (3, 14),
    "k-ary fat-tree": (6, 33),
    "rails": (2, 5),
    "rails with spines of their own": (4, None),
}


@pytest.mark.parametrize("name", FOLDED)
def test_a_healthy_fabric_folds_and_a_deleted_link_unfolds_only_what_is_next_to_it(name):
    """Goals: leafs of one block of each kind. A link on a leaf makes its block one of a kind."""
    design, graph = design_of(name), graph_of(name)
    healthy = folded_members(graph)
    n_goals, n_nodes = FOLDED[name]
    assert healthy.n_goals == n_goals
    assert n_nodes is None or len(healthy.folds.size) == n_nodes
    assert healthy.folds.size.sum() == network(graph).switches.n_switches
    assert healthy.folds.n_like.sum() == len(network(graph).switches.leafs)

    switches, ends = network(graph).switches, network(graph).ends
    leafs = {graph.device_name(switches.first + leaf) for leaf in switches.leafs.tolist()}
    on_leaf = next(
        link
        for link in design.links.values()
        if is_between(design, link) and leafs & {design.devices[end.device_id].name for end in (link.a, link.b)}
    )
    edited = less(name, frozenset({on_leaf.id}))
    of_server = ends.leaf[graph.device[: graph.n_endpoints] == graph.device[0], 0]
    assert folded_members(edited).n_goals == n_goals + len(np.unique(of_server))


def test_lengths_of_cables_leave_loads_folded():
    graph = graph_of("k-ary fat-tree")
    latency_ns = graph.latency_ns + np.where(graph.link >= 0, graph.link % 7, 0)
    graph = replace(graph, latency_ns=latency_ns, derived={})
    assert folded_members(graph).n_goals == 6
    assert_as_unfolded(graph, "spray")
    assert_as_written_out(graph, "spray")


NIC_TYPE = NicType("nic", "", "", (), 1, 100.0)
SWITCH = SwitchType("switch", "", "", (), (CageGroup(32, ""),), (PortMode("", 1, 100.0),))
PAIRED = ServerType("paired", "", "", 2, slots=(Slot("n0", gpu=0), Slot("n1", gpu=1)), scale_up=ScaleUp("X", 60.0))
LENT = ServerType("lent", "", "", 2, slots=(Slot("n0", gpu=0),), scale_up=ScaleUp("X", 60.0))


def by_hand(server: ServerType, n_servers: int, wires: list[tuple[str, str]], of_server) -> Graph:
    """Servers on switches: wires by name, `of_server` the switches of each."""
    used: dict[str, int] = {}

    def end(switch: str) -> End:
        used[switch] = used.get(switch, 0) + 1
        return End(switch, str(used[switch]))

    names = sorted({name for wire in wires for name in wire})
    devices = [Device(f"h{n}", f"h{n}", server.id) for n in range(n_servers)]
    devices += [Device(name, name, "switch") for name in names]
    slots = [slot.name for slot in server.slots]
    modules = [Module(f"m{n}{slot}", f"h{n}", slot, "nic") for n in range(n_servers) for slot in slots]
    links = [Link(f"l{n}", end(a), end(b)) for n, (a, b) in enumerate(wires)]
    links += [
        Link(f"k{n}{slot}", End(f"h{n}", slot), end(switch))
        for n in range(n_servers)
        for slot, switch in zip(slots, of_server(n), strict=True)
    ]
    return build(from_entities([NIC_TYPE, SWITCH, server, *devices, *modules, *links]))


def test_blocks_whose_leafs_are_joined_directly_are_not_exchanged():
    """Each first leaf is joined to every second one: to that of its own block, which few flows need, and to others."""
    wires = [(f"a{n}", f"b{m}") for n in range(3) for m in range(3)] * 2
    graph = by_hand(PAIRED, 3, wires, lambda n: (f"a{n}", f"b{n}"))
    assert folded_members(graph).n_goals == 6
    assert_as_unfolded(graph, "spray")
    assert_as_written_out(graph, "spray")


def test_servers_that_are_spread_over_leafs_in_different_ways_are_told_apart():
    """Two blocks of two leafs: in one each server has a NIC on both, in the other the first two share a leaf."""
    wires = [(leaf, spine) for leaf in ("a0", "a1", "b0", "b1") for spine in ("s0", "s1")]
    places = {0: ("a0", "a1"), 1: ("a0", "a1"), 2: ("b0", "b0"), 3: ("b1", "b1"), 4: ("a1", "a0"), 5: ("b0", "b1")}
    graph = by_hand(PAIRED, 6, wires, lambda n: places[n])
    assert folded_members(graph).n_goals == 4
    assert_as_unfolded(graph, "spray")


def test_gpus_that_share_a_nic_are_not_exchanged():
    wires = [(f"a{n}", spine) for n in range(4) for spine in ("s0", "s1")]
    for server, n_goals in ((LENT, 4), (PAIRED, 1)):
        graph = by_hand(server, 4, wires, lambda n, server=server: (f"a{n}",) * len(server.slots))
        assert folded_members(graph).n_goals == n_goals
        assert_as_unfolded(graph, "spray")


@pytest.mark.parametrize("down", [False, True])
def test_a_leaf_with_slower_links_in_one_direction_is_told_apart(down):
    graph = graph_of("two tiers")
    switches = network(graph).switches
    leaf = switches.first + switches.leafs[1]
    far, near = (graph.source, graph.target) if down else (graph.target, graph.source)
    slower = (near == leaf) & (far >= switches.first)
    assert slower.any()
    assert_as_unfolded(graph, "spray", graph.capacity_gbps * np.where(slower, 0.5, 1.0) * BYTES_PER_S_PER_GBPS)


@pytest.mark.parametrize("side", ["to_domain", "from_domain"])
def test_a_server_with_a_slower_crossbar_is_told_apart(side):
    graph = graph_of("rails")
    arc = getattr(network(graph).ends, side)[-1]
    slower = np.where(np.arange(graph.n_arcs) == arc, 0.01, 1.0)
    assert_as_unfolded(graph, "spray", graph.capacity_gbps * slower * BYTES_PER_S_PER_GBPS)

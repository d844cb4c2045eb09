"""Programs that are not ours read our InfiniBand files, count the same hops, and call the same trees trees."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from fabric_tools import checked, histogram, simulated

from designer.catalog.catalog import load
from designer.graph.arrays import NIC, SWITCH
from designer.graph.building.build import build
from designer.graph.switches import switch_graph
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Link
from designer.topologies import rail_optimized
from designer.validation.engine import validate

pytestmark = pytest.mark.slow
CATALOG = load()


def tree(**more):
    made = Design()
    wanted = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 127, "servers_per_su": 32, **more}
    parameters = rail_optimized.RailOptimizedParameters(**wanted)
    made.apply(rail_optimized.build(made, parameters, CATALOG))
    return made


@pytest.fixture(scope="module")
def superpod():
    """48 switches and 1,016 adapters."""
    return tree(reserve_leaf_ports=4)


def counted(design):
    """Ours: pairs of adapters by links between them; pairs of switch and adapter by ports on a shortest way."""
    graph = build(design)
    of = switch_graph(graph)
    joins = (graph.kind[graph.source] == NIC) & (graph.kind[graph.target] == SWITCH)
    adapters = np.bincount(graph.target[joins] - of.first, minlength=of.n_switches)[of.leafs]
    apart, ports = Counter(), Counter()
    n_links = np.diff(of.arc_start)
    for leaf, here in enumerate(adapters):
        hops = of.distance[leaf]
        for other, there in enumerate(adapters):
            apart[int(hops[of.leafs[other]]) + 2] += int(here * (there - (leaf == other)))
        nearer = hops[of.head] + 1 == hops[of.tail]
        lead = np.bincount(of.tail[nearer], n_links[nearer], minlength=of.n_switches)
        lead[of.leafs[leaf]] = 1  # the adapter's own port
        for count in lead:
            ports[int(count)] += int(here)
    return {hops: pairs for hops, pairs in apart.items() if pairs}, ports


TREES = {
    "SuperPOD of 127 servers": {"reserve_leaf_ports": 4},
    "eight servers a unit": {"servers": 24, "servers_per_su": 8},
    "2:1": {"servers": 32, "servers_per_su": 16, "oversubscription": 2.0},
    "one unit": {"servers": 16, "servers_per_su": 16},
}


@pytest.mark.parametrize("wanted", TREES.values(), ids=TREES)
def test_ibdmchk_counts_the_hops_and_alternate_ports_that_we_count(wanted, tmp_path):
    design = tree(**wanted)
    report = checked(design, tmp_path / "ibdm", f"{design.servers()[0].name}/mlx5_0")
    apart, ports = counted(design)
    assert histogram(report, "CA to CA : MIN HOP HISTOGRAM") == apart
    assert histogram(report, "NUM ALTERNATE PORTS TO CA HISTOGRAM") == ports
    assert "no credit loops found" in report


def test_ibdmchk_sees_a_missing_uplink_as_we_do(superpod, tmp_path):
    shorter = superpod.snapshot()
    change(shorter, (ups(shorter, "leaf-su1-r1")[0], None))
    report = checked(shorter, tmp_path / "ibdm", "gpu-001/mlx5_0")
    apart, ports = counted(shorter)
    assert ports[31] and ports != counted(superpod)[1]
    assert histogram(report, "CA to CA : MIN HOP HISTOGRAM") == apart
    assert histogram(report, "NUM ALTERNATE PORTS TO CA HISTOGRAM") == ports


def test_superpod_has_48_switches_and_1016_adapters_under_ibnetdiscover(superpod, tmp_path):
    with simulated(superpod, tmp_path / "sim", "gpu-001 mlx5_0") as running:
        found = running.run("ibnetdiscover")
    names = [line.partition('# "')[2].partition('"')[0] for line in found.split("\n")]
    kinds = [line.split()[0] for line in found.split("\n") if line.startswith(("Switch", "Ca"))]
    assert (kinds.count("Switch"), kinds.count("Ca")) == (48, 1016)
    assert {"leaf-su4-r8", "spine-16", "gpu-127 mlx5_7"} <= set(names)


@pytest.mark.parametrize("wanted", TREES.values(), ids=TREES)
def test_opensm_routes_every_tree_that_we_call_closed(wanted, tmp_path):
    design = tree(**wanted)
    assert not faults(design)
    with simulated(design, tmp_path / "sim", f"{design.servers()[0].name} mlx5_0") as running:
        log = running.managed("ftree")
    assert "ftree tables configured on all switches" in log


def change(design, *pairs):
    design.apply(Edit("seed a fault", tuple(Change(before, after) for before, after in pairs)))


def by_name(design, name):
    return next(one for one in design.devices.values() if one.name == name)


def at(link, device):
    return link.a if link.a.device_id == device.id else link.b


def ups(design, leaf):
    """The links of a leaf to spines, in port order."""
    links = design.links_of(by_name(design, leaf).id)
    return [link for link in links if not any(design.is_server(end.device_id) for end in (link.a, link.b))]


def up_to(design, leaf, spine):
    top = by_name(design, spine)
    return next(link for link in ups(design, leaf) if top.id in (link.a.device_id, link.b.device_id))


def no_uplink(design):
    change(design, (ups(design, "leaf-su1-r1")[0], None))


def two_leafs_joined(design):
    one, other = ups(design, "leaf-su1-r1")[0], ups(design, "leaf-su1-r2")[0]
    ends = at(one, by_name(design, "leaf-su1-r1")), at(other, by_name(design, "leaf-su1-r2"))
    change(design, (one, None), (other, None), (None, Link(design.new_ids("links", 1)[0], *ends)))


def two_spines_joined(design):
    first, second = by_name(design, "spine-01"), by_name(design, "spine-02")
    one, other = up_to(design, "leaf-su1-r1", first.name), up_to(design, "leaf-su1-r2", second.name)
    ends = at(one, first), at(other, second)
    change(design, (one, None), (other, None), (None, Link(design.new_ids("links", 1)[0], *ends)))


def uplinks_crossed(design):
    """A leaf with three links to a spine and one to another, where two are meant."""
    leaf, neighbour = by_name(design, "leaf-su1-r1"), by_name(design, "leaf-su1-r2")
    one, other = up_to(design, leaf.name, "spine-01"), up_to(design, neighbour.name, "spine-06")
    low, high = at(one, by_name(design, "spine-01")), at(other, by_name(design, "spine-06"))
    change(
        design,
        (one, replace(one, a=at(one, leaf), b=high)),
        (other, replace(other, a=at(other, neighbour), b=low)),
    )


def server_on_a_spine(design):
    server, spine = by_name(design, "gpu-001"), by_name(design, "spine-01")
    link, up = design.links_of(server.id)[0], up_to(design, "leaf-su1-r1", spine.name)
    change(design, (up, None), (link, replace(link, a=at(link, server), b=at(up, spine))))


SEEDS = (no_uplink, two_leafs_joined, two_spines_joined, uplinks_crossed, server_on_a_spine)
OF_TREES = ("TIER", "SPREAD", "RAIL")


def faults(design):
    return [one for one in validate(design).findings if one.code.startswith(OF_TREES)]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.__name__)
def test_opensm_refuses_the_trees_in_which_we_find_faults(superpod, tmp_path, seed):
    design = superpod.snapshot()
    seed(design)
    assert faults(design)
    with simulated(design, tmp_path / "sim", "gpu-002 mlx5_0") as running:
        log = running.managed("ftree")
    assert "Fabric topology is not a fat-tree" in log

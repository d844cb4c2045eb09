"""Single points of failure: found where one loss parts servers elsewhere, and nowhere else."""

import random
from dataclasses import replace

import networkx
import pytest

from designer.analysis.adjacency import Adjacency, adjacency
from designer.analysis.single_points import SinglePoints
from designer.analysis.survey import survey
from designer.model import policies
from designer.model.edit import Edit, removed
from designer.model.entities import Placement, Rack
from designer.validation.engine import validate


def found(design, family="SPOF"):
    return [one for one in validate(design).findings if one.code.startswith(family)]


def cut(fabric, a, b, keep=0):
    """Removes the links between two devices, but for some."""
    ids = {fabric.id(a), fabric.id(b)}
    links = [link for link in fabric.design.links.values() if {link.a.device_id, link.b.device_id} == ids]
    fabric.design.apply(Edit("cut", removed(links[keep:])))


def test_a_fabric_with_two_spines_has_no_single_point(fabric):
    assert found(fabric.design) == []


def test_the_only_spine_left_is_a_single_point(fabric):
    cut(fabric, "leaf-1", "spine-2")
    (finding,) = found(fabric.design)
    assert finding.code == "SPOF-002"
    assert finding.message == "The loss of spine-1 cuts off 2 servers"
    assert (finding.value, finding.subjects) == (2, (fabric.id("spine-1"),))


def test_a_leaf_with_one_uplink_hangs_on_a_link_and_with_two_it_does_not(fabric):
    cut(fabric, "leaf-1", "spine-2")
    cut(fabric, "leaf-1", "spine-1", keep=2)
    assert [one.code for one in found(fabric.design)] == ["SPOF-002"]
    cut(fabric, "leaf-1", "spine-1", keep=1)
    link, switch = found(fabric.design)
    assert (link.code, switch.code) == ("SPOF-001", "SPOF-002")
    assert link.message.startswith("The loss of leaf-1 port ") and link.message.endswith(" cuts off 2 servers")
    assert len(link.subjects) == 1 and link.subjects[0] in fabric.design.links


def test_links_alike_are_one_finding(fabric):
    for leaf in ("leaf-1", "leaf-2"):
        cut(fabric, leaf, "spine-2")
        cut(fabric, leaf, "spine-1", keep=1)
    assert found(fabric.design)[0].message.startswith("2 links: the loss of any cuts off 2 servers: leaf-1 port ")


@pytest.mark.parametrize("n", [2, 6])
def test_each_bridge_names_its_link_and_the_pairs_are_listed_once_for_all(bare, monkeypatch, n):
    leafs = [f"leaf-{number}" for number in range(n)]
    bare.add("generic-switch-16x400g", "spine", *leafs)
    bare.add("generic-host", *(f"host-{number}" for number in range(n)))
    for number, leaf in enumerate(leafs):
        bare.join(f"host-{number}", leaf)
        bare.join(leaf, "spine")
    asked = []
    pairs = Adjacency.of_switches
    monkeypatch.setattr(Adjacency, "of_switches", property(lambda near: asked.append(1) or pairs.fget(near)))
    (finding,) = validate(bare.design, codes={"SPOF-001"}).findings
    spine, links = bare.id("spine"), bare.design.links
    assert set(finding.subjects) == {one.id for one in links.values() if spine in (one.a.device_id, one.b.device_id)}
    assert len(finding.subjects) == n
    assert len(asked) < 6


def test_servers_on_two_leafs_are_not_parted_by_one(bare):
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2", "spine-1")
    bare.add("dgx-h100", "host-1", "host-2")
    for host in ("host-1", "host-2"):
        for leaf in ("leaf-1", "leaf-2"):
            bare.join(host, leaf, 4)
    for leaf in ("leaf-1", "leaf-2"):
        bare.join(leaf, "spine-1", 8)
    assert found(bare.design) == []


def test_a_rack_with_all_spines_counts_where_the_policy_asks(fabric):
    design = fabric.design
    rack_type = fabric.catalog.get("rack-48u-1200") if "rack-48u-1200" in fabric.catalog.types else None
    rack_type = rack_type or next(one for one in fabric.catalog.types.values() if type(one).__name__ == "RackType")
    fabric.put(rack_type, Rack("r1", "net-1", rack_type.id), Placement("r1", 0, 0))
    for unit, name in enumerate(("spine-1", "spine-2"), start=1):
        place = design.placements[fabric.id(name)]
        fabric.change(place, replace(place, rack_id="r1", unit=unit))
    assert found(design) == []
    design.apply(policies.set_limits(design, survives_rack=True))
    (finding,) = found(design)
    assert finding.code == "SPOF-003"
    assert finding.message == "The loss of net-1 with 2 switches cuts off 2 servers in other racks"
    place = design.placements[fabric.id("spine-2")]
    fabric.change(place, replace(place, rack_id=None, unit=None))
    assert found(design) == []


def test_a_plane_whose_switches_join_the_others_is_a_single_point(fabric):
    for name, plane in (("leaf-1", 1), ("leaf-2", 2), ("spine-1", 1), ("spine-2", 1)):
        device = fabric.device(name)
        fabric.change(device, replace(device, plane=plane))
    assert found(fabric.design) == []  # the servers of plane 1 are on its leaf alone, and lost with it by choice
    leaf = fabric.device("leaf-1")
    fabric.change(leaf, replace(leaf, plane=2))
    (finding,) = found(fabric.design)
    assert finding.code == "SPOF-004"
    assert finding.message == "The loss of plane 1 cuts off 2 servers on other planes"


@pytest.mark.parametrize("seed", range(12))
def test_links_and_switches_are_those_that_removing_each_finds(bare, seed):
    """Against networkx: a switch or link counts where without it servers elsewhere lie in different parts."""
    dice = random.Random(seed)
    names = [f"s{number}" for number in range(9)]
    bare.add("generic-switch-16x400g", *names)
    bare.add("generic-host", *(f"h{number}" for number in range(6)))
    home = {f"h{number}": dice.choice(names) for number in range(6)}
    for host, switch in home.items():
        bare.join(host, switch)
    graph = networkx.Graph()
    graph.add_nodes_from(names)
    for _ in range(10):
        a, b = dice.sample(names, 2)
        bare.join(a, b)
        graph.add_edge(a, b, n=graph.get_edge_data(a, b, {"n": 0})["n"] + 1)

    def apart(left, hosts):
        """Servers beyond the largest part, of those that could reach each other before."""
        n_apart = 0
        for piece in networkx.connected_components(graph):
            own = [
                sum(home[host] in part for host in hosts)
                for part in networkx.connected_components(left)
                if part <= piece
            ]
            n_apart += sum(own) - max(own, default=0)
        return n_apart

    points = SinglePoints(adjacency(survey(bare.design)))
    ids = adjacency(survey(bare.design)).ids
    name = {bare.id(one): one for one in names}
    wanted = {}
    for one in names:
        left = graph.copy()
        left.remove_node(one)
        if n := apart(left, [host for host in home if home[host] != one]):
            wanted[one] = n
    assert {name[ids[one.lost[0]]]: one.n_servers for one in points.switches()} == wanted
    sets = [[number] for number in range(6, 15)]
    assert {name[ids[one.lost[0]]]: one.n_servers for one in points.together(sets)} == wanted
    bridges = {}
    for a, b, n_links in graph.edges(data="n"):
        left = graph.copy()
        left.remove_edge(a, b)
        if n_links == 1 and (n := apart(left, list(home))):
            bridges[frozenset((a, b))] = n
    assert {frozenset(name[ids[end]] for end in one.lost): one.n_servers for one in points.links()} == bridges

"""Leafs as asked for: NICs on two leafs, servers per leaf, several leafs of a rail in a unit, planes by port or NIC."""

from collections import Counter, defaultdict

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from designer import api
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.regeneration.recipes import written
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate

CATALOG = load()
TWIN = {"switch": "generic-switch-64x200g", "server": "generic-server-8x2x200g"}
DUAL_RAILS = RailOptimizedParameters(**TWIN, servers=24, leafs_per_nic=2)
DUAL_TREE = FatTreeParameters(**TWIN, servers=12, leafs_per_nic=2)


def built(parameters) -> Design:
    design = Design()
    family = fat_tree if isinstance(parameters, FatTreeParameters) else rail_optimized
    design.apply(family.build(design, parameters, CATALOG))
    return design


@pytest.fixture(scope="module")
def dual_rails() -> Design:
    return built(DUAL_RAILS)


def leafs_of_nics(design: Design) -> dict[tuple[str, str], list[str]]:
    """Names of the leafs that the ports of each NIC lead to, by names of server and slot."""
    found = defaultdict(list)
    for link in design.links.values():
        if design.is_server(link.a.device_id):
            server, port = design.devices[link.a.device_id], design.port(link.a)
            found[server.name, port.slot].append(design.devices[link.b.device_id].name)
    return found


def test_two_ports_of_a_nic_go_to_the_two_leafs_of_its_rail(dual_rails):
    nics = leafs_of_nics(dual_rails)
    assert nics["gpu-01", "nic1"] == ["leaf-su1-r1-1", "leaf-su1-r1-2"]
    assert nics["gpu-24", "nic8"] == ["leaf-su1-r8-1", "leaf-su1-r8-2"]
    assert all(len(set(leafs)) == 2 for leafs in nics.values())
    assert Counter(one.rail for one in dual_rails.devices.values() if one.role == "leaf") == dict.fromkeys(
        range(1, 9), 2
    )
    # Two leafs take 24 of the links that one would take 48 of.
    assert rail_optimized.counts(DUAL_RAILS, CATALOG).switches["leaf"] == 16
    assert not validate(dual_rails).findings


@pytest.mark.parametrize("collective", ["all-reduce", "all-to-all"])
def test_dual_top_of_rack_carries_traffic_and_outlives_a_leaf(collective, dual_rails):
    whole = api.simulate(dual_rails, collective=collective, size_bytes=2**26)
    broken = Design()
    broken.apply(rail_optimized.build(broken, DUAL_RAILS, CATALOG))
    leaf = next(one for one in broken.devices.values() if one.name == "leaf-su1-r1-1")
    broken.apply(operations.delete(broken, [leaf.id]))
    after = api.simulate(broken, collective=collective, size_bytes=2**26)
    assert whole.time_s < after.time_s < 3 * whole.time_s


def test_a_fat_tree_has_pairs_of_leafs_under_common_spines():
    design = built(DUAL_TREE)
    nics = leafs_of_nics(design)
    assert nics["gpu-01", "nic1"] == nics["gpu-01", "nic8"] == ["leaf-01", "leaf-02"]
    assert nics["gpu-12", "nic1"] == ["leaf-05", "leaf-06"]
    assert not validate(design).findings


def test_planes_by_nic_keep_all_ports_of_a_nic_in_one_plane():
    shared = {**TWIN, "servers": 4, "planes": 8}
    by_port, by_nic = (FatTreeParameters(**shared, plane_by=one) for one in ("port", "nic"))
    ports = leafs_of_nics(built(by_port))["gpu-01", "nic2"]
    assert ports == ["leaf-p3-01", "leaf-p4-01"]
    nics = leafs_of_nics(built(by_nic))
    assert [nics["gpu-01", f"nic{nic}"] for nic in (1, 2, 8)] == [[f"leaf-p{nic}-01"] * 2 for nic in (1, 2, 8)]


def test_planes_by_nic_and_two_leafs_for_each_of_them():
    design = built(RailOptimizedParameters(**TWIN, servers=20, planes=4, plane_by="nic", leafs_per_nic=2))
    nics = leafs_of_nics(design)
    assert nics["gpu-20", "nic6"] == ["leaf-su1-r2-1-p2", "leaf-su1-r2-2-p2"]
    assert not validate(design).findings


def test_servers_per_leaf_leave_ports_free_and_get_uplinks_for_as_many():
    shared = {"switch": "nvidia-qm9700", "server": "generic-server-4x1x400g"}
    asked = FatTreeParameters(**shared, servers=10, servers_per_leaf=4)
    counts = fat_tree.counts(asked, CATALOG)
    assert counts.switches == {"leaf": 3, "spine": 1}
    assert counts.links == {"server-leaf": 40, "leaf-spine": 48}
    per_leaf = Counter(leafs[0] for leafs in leafs_of_nics(built(asked)).values())
    assert per_leaf == {"leaf-01": 16, "leaf-02": 16, "leaf-03": 8}
    assert fat_tree.counts(FatTreeParameters(**shared, servers=10), CATALOG).switches["leaf"] == 2


@pytest.mark.parametrize(("units", "leafs", "spines", "cores"), [(1, 32, 9, 0), (4, 128, 96, 36), (16, 512, 384, 144)])
def test_gb200_units_have_one_leaf_for_each_rack_and_rail(units, leafs, spines, cores):
    asked = {"servers": 144 * units, "servers_per_su": 144, "leafs_per_rail": 8}
    if cores:
        asked |= {"spines": spines, "pod_size": 8}
    parameters = RailOptimizedParameters(switch="nvidia-qm9700", server="generic-server-4x1x400g", **asked)
    counts = rail_optimized.counts(parameters, CATALOG)
    assert [counts.switches.get(role, 0) for role in ("leaf", "spine", "core")] == [leafs, spines, cores]
    if units == 4:
        design = built(parameters)
        assert len(design.groups) == 4
        racks = leafs_of_nics(design)
        assert {racks[f"gpu-{server:03}", "nic1"][0] for server in range(1, 19)} == {"leaf-su1-r1-1"}
        assert racks["gpu-019", "nic1"] == ["leaf-su1-r1-2"]
        assert racks["gpu-576", "nic4"] == ["leaf-su4-r4-8"]
        assert Counter(one.rail for one in design.devices.values() if one.role == "spine") == dict.fromkeys(
            range(1, 5), 24
        )
        assert not validate(design).findings


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            RailOptimizedParameters(servers=4, leafs_per_nic=2),
            "a NIC of DGX H100 .*has 1 port in the fabric, which do not spread evenly over 2 leaf switches: "
            "choose NICs, or a NIC mode, with a multiple of 2 ports",
        ),
        (
            RailOptimizedParameters(**TWIN, servers=4, leafs_per_nic=2, rails=16),
            "8 NICs of Server 8 GPUs, 2 x 200G each do not spread evenly over 16 rails: with 2 leaf switches per NIC "
            "all ports of a NIC should be on one rail",
        ),
        (
            FatTreeParameters(**TWIN, servers=4, planes=3, plane_by="nic"),
            "8 fabric NICs of Server 8 GPUs, 2 x 200G each do not spread evenly over 3 planes",
        ),
        (
            FatTreeParameters(**TWIN, servers=4, servers_per_leaf=3),
            "3 servers per leaf switch need 48 ports down; a Switch 64 x 200G has 32 for servers: 2 servers at most",
        ),
        (
            RailOptimizedParameters(servers=4, servers_per_su=2, leafs_per_rail=4),
            "2 servers per scalable unit cannot be on 4 leaf switches of each rail",
        ),
        (
            RailOptimizedParameters(servers=64, servers_per_su=66, leafs_per_rail=2),
            "66 servers per scalable unit need 33 ports down on each leaf; a QM9700 at 1:1 has 32",
        ),
    ],
)
def test_leafs_that_cannot_be_are_refused_with_numbers(parameters, sentence):
    with pytest.raises(ParameterError, match=sentence):
        built(parameters)


def test_recipes_leave_out_what_earlier_ones_did_not_have():
    names = {name for name, _ in written(RailOptimizedParameters())}
    assert not names & {"leafs_per_nic", "leafs_per_rail", "plane_by"}
    assert dict(written(DUAL_RAILS))["leafs_per_nic"] == "2"


@st.composite
def composed(draw: st.DrawFn):
    planes, per_nic = draw(st.sampled_from([(1, 1), (1, 2), (1, 4), (2, 1), (2, 2), (2, 4), (4, 4)]))
    shared = {
        "switch": f"generic-switch-{draw(st.integers(8, 40))}x100g",
        "server": f"generic-server-{draw(st.sampled_from([1, 2, 4]))}x{per_nic}x100g",
        "servers": draw(st.integers(1, 60)),
        "planes": planes,
        "plane_by": draw(st.sampled_from(["port", "nic"])),
        "leafs_per_nic": draw(st.sampled_from([1, 1, 2, 4])),
        "oversubscription": draw(st.sampled_from([0.5, 1.0, 2.0, 3.0])),
        "spine_oversubscription": draw(st.sampled_from([1.0, 2.0])),
        "tiers": draw(st.sampled_from(["auto", "auto", "2", "3"])),
        "reserve_leaf_ports": draw(st.sampled_from([0, 0, 3])),
        "uplinks": draw(st.none() | st.none() | st.integers(1, 12)),
        "spines": draw(st.none() | st.none() | st.integers(1, 12)),
        "cores": draw(st.none() | st.none() | st.integers(1, 8)),
    }
    if draw(st.booleans()):
        return fat_tree, FatTreeParameters(**shared, servers_per_leaf=draw(st.none() | st.integers(1, 8)))
    return rail_optimized, RailOptimizedParameters(
        **shared,
        servers_per_su=draw(st.none() | st.integers(1, 16)),
        leafs_per_rail=draw(st.sampled_from([1, 1, 2, 3])),
        spine_groups=draw(st.sampled_from(["rail", "common"])),
    )


@given(composed())
@settings(max_examples=60, deadline=None)
def test_leaf_rules_compose_in_every_fabric(fabric):
    family, parameters = fabric
    try:
        counts = family.counts(parameters, CATALOG)
    except ParameterError:
        assume(False)
    design = built(parameters)
    nics = leafs_of_nics(design)
    planes = {one.name: one.plane for one in design.devices.values()}
    reached = Counter(server for server, _ in {(server, leaf) for (server, _), all_ in nics.items() for leaf in all_})
    if family is fat_tree and max(reached.values()) > parameters.planes * parameters.leafs_per_nic:
        nics = {}  # a server with more ports than a leaf has for servers is on several
    for leafs in nics.values():
        spread = Counter(leafs)
        of_planes = Counter(planes[leaf] for leaf in leafs)
        # Each NIC has as many ports in each of its planes, on as many leafs as were asked for, alike on each.
        assert len(set(of_planes.values())) == len(set(spread.values())) == 1
        assert len(of_planes) == (1 if parameters.plane_by == "nic" else min(parameters.planes, len(leafs)))
        assert len(spread) == len(of_planes) * parameters.leafs_per_nic
    assert len({one.plane for one in design.devices.values() if one.role == "leaf"}) == parameters.planes
    roles = Counter(one.role for one in design.devices.values() if one.role)
    assert roles == dict(counts.switches)
    pairs = Counter((link.a.device_id, link.b.device_id) for link in design.links.values())
    for low, high, word in (("leaf", "spine", "spines"), ("spine", "core", "cores")):
        lanes = {n for (a, b), n in pairs.items() if (design.devices[a].role, design.devices[b].role) == (low, high)}
        # Parallel links are as many for every pair, or one more for some where a remark says so.
        assert len(lanes) <= 1 or (max(lanes) - min(lanes) == 1 and "spread unevenly over" in counts.remark)
        assert (len(lanes) == 2) <= (word in counts.remark)
    capacity = {"down": Counter(), "up": Counter()}
    for link in design.links.values():
        a, b = design.devices[link.a.device_id], design.devices[link.b.device_id]
        if b.role == "leaf":
            capacity["down"][b.id] += 1
        elif a.role == "leaf":
            capacity["up"][a.id] += 1
    if "spine" in roles:
        most = max(capacity["down"][leaf] / capacity["up"][leaf] for leaf in capacity["up"])
        if parameters.uplinks is None:
            assert most <= parameters.oversubscription + 1e-9
        else:
            assert set(capacity["up"].values()) == {parameters.uplinks}
    ends = [(end.device_id, end.port) for link in design.links.values() for end in (link.a, link.b)]
    assert len(set(ends)) == len(ends)
    codes = {one.code for one in validate(design).findings if one.severity.value == "error"}
    assert not codes - {"OVER-001", "OVER-002"}  # a design keeps limits of its own

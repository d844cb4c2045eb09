"""Devices drawn by hand go into racks by a policy, with switches near their servers, and no unit taken twice."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.errors import EditError
from designer.model import operations
from designer.model.design import Design
from designer.model.equipping import units_of
from designer.placement.rack_contents import rack_power, standing_in
from designer.regeneration.recipes import family_named
from designer.topologies.equipment import types_of
from designer.topologies.hand_racks import mounted
from designer.topologies.rack_policy import MIDDLE, OWN, TOP, RackPolicy

CATALOG = load()


def pod(**values):
    """A fabric in no rack."""
    wanted = {"server": "dgx-h100", "switch": "nvidia-qm9700", "servers": 16, "racks": "none", **values}
    return new_design(family_named("fat-tree"), wanted, CATALOG, "pod", "none").design


@pytest.fixture(scope="module")
def drawn():
    return pod()


def put(design, ids=None, **policy):
    """The design with these devices mounted, and what there is to know about it."""
    after = design.snapshot()
    found = mounted(design, ids or list(design.devices), RackPolicy(**policy), types_of(design, CATALOG))
    after.apply(found.edit)
    return after, found


def in_racks(design):
    """Names in each rack by unit, the lowest first."""
    return {
        rack.name: [(one.unit, design.device(one.device_id).name) for one in standing_in(design, rack.id)]
        for rack in design.racks.values()
    }


def test_servers_are_four_to_a_rack_with_their_leaf_switches_on_top_and_the_rest_apart(drawn):
    after, found = put(drawn)
    racks = in_racks(after)
    assert [[name for _, name in racks[f"rack-0{number}"] if name.startswith("gpu")] for number in range(1, 5)] == [
        [f"gpu-{first + step:02d}" for step in range(4)] for first in (1, 5, 9, 13)
    ]
    leafs = {name: unit for its in racks.values() for unit, name in its if name.startswith("leaf")}
    assert leafs and set(leafs.values()) <= {42, 41, 48, 47}
    spines = racks["net-01"]
    assert all(name.startswith("spine") for _, name in spines)
    (top,) = (units_of(after, one.id) for one in after.racks.values() if one.name == "net-01")
    assert [unit for unit, _ in spines] == list(range(top - len(spines) + 1, top + 1))  # hung from the top
    assert found.summary == f"{len(after.devices)} devices in 5 racks"
    assert found.edit.label == f"Mount {found.summary}"


def test_switches_stand_among_their_servers_or_in_racks_of_their_own(drawn):
    middle, _ = put(drawn, switches=MIDDLE)
    for rack in middle.racks.values():
        names = [middle.device(one.device_id).name[:4] for one in standing_in(middle, rack.id)]
        if "leaf" in names and "gpu-" in names:
            first, last = names.index("leaf"), len(names) - names[::-1].index("leaf")
            assert abs(first - (len(names) - last)) <= 1, "as many servers below as above"
    own, _ = put(drawn, switches=OWN)
    assert not [its for name, its in in_racks(own).items() if name.startswith("rack") and "leaf" in str(its)]


def test_a_switch_is_between_the_racks_of_its_servers():
    design = pod(servers=64)
    after, _ = put(design)
    place = {one: int(after.racks[p.rack_id].name[-2:]) for one, p in after.placements.items() if p.rack_id}
    for device in after.switches():
        ends = (end.device_id for link in after.links_of(device.id) for end in (link.a, link.b))
        near = sorted(place[one] for one in ends if after.is_server(one))
        if near:
            assert near[0] <= place[device.id] <= near[-1]


@given(
    st.integers(1, 24),
    st.one_of(st.none(), st.integers(1, 9)),
    st.sampled_from((TOP, MIDDLE, OWN)),
    st.one_of(st.none(), st.integers(11_000, 60_000)),
)
def test_no_unit_is_taken_twice_and_no_limit_is_passed(servers, per_rack, switches, power_w):
    design = pod(servers=servers)
    after, _ = put(design, servers_per_rack=per_rack, switches=switches, power_w=power_w)
    assert all(after.placements[one].rack_id is not None for one in after.devices)
    for rack in after.racks.values():
        standing = standing_in(after, rack.id)
        taken = Counter(unit for one in standing for unit in range(one.unit, one.unit + one.units))
        assert max(taken.values()) == 1 and min(taken) >= 1 and max(taken) <= units_of(after, rack.id)
        count = sum(after.is_server(one.device_id) for one in standing)
        assert per_rack is None or count <= per_rack
        assert power_w is None or rack_power(after, rack.id).draw_w <= power_w


@pytest.mark.parametrize(("free_units", "shares"), [(4, [20, 20]), (2, [40]), (25, [14, 14, 12]), (60, [1] * 40)])
def test_switches_in_racks_of_their_own_are_spread_evenly_and_leave_units_free(free_units, shares):
    design, catalog_types = Design(), CATALOG.types
    for _ in range(40):
        type_ = CATALOG.get("nvidia-qm9700")
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types=catalog_types, role="spine"))
    after, found = put(design, free_units=free_units)
    assert sorted(map(len, in_racks(after).values()), reverse=True) == shares
    assert found.racks == len(shares)


def test_what_is_in_racks_stays_there_and_new_racks_are_numbered_on(drawn):
    servers = [one.id for one in drawn.servers()]
    half, _ = put(drawn, servers[:4])
    stood = {one: half.placements[one] for one in servers[:4]}
    after, _ = put(half)
    assert {one: after.placements[one] for one in servers[:4]} == stood
    assert sorted(rack.name for rack in after.racks.values())[-4:] == ["rack-01", "rack-02", "rack-03", "rack-04"]
    with pytest.raises(EditError, match="all of these devices are in racks already"):
        put(after)


def test_generic_devices_stay_out_and_are_counted():
    design = pod(server="generic-host", switch="generic-switch-64x400g")
    with pytest.raises(EditError, match="generic devices have no height"):
        put(design)
    type_ = CATALOG.get("dgx-h100")
    design.apply(operations.add_device(design, type_, 0, 0, catalog_types=CATALOG.types, name="real"))
    after, found = put(design)
    assert found.summary == "1 device in 1 rack"
    assert f"{len(design.devices) - 1} generic devices without a height are left out: " in found.remark
    assert isinstance(after, Design)


def test_a_server_that_needs_more_power_than_a_rack_is_refused_with_both_figures(drawn):
    with pytest.raises(EditError, match=r"gpu-01 draws up to 10.2 kW, a rack 5 kW: allow more power"):
        put(drawn, power_w=5_000.0)


def test_leaf_switches_of_the_rails_of_a_unit_are_spread_over_the_racks_of_its_servers():
    design = new_design(
        family_named("rail-optimized"),
        {"server": "dgx-h100", "switch": "nvidia-qm9700", "servers": 64, "racks": "none"},
        CATALOG,
        "pods",
        "none",
    ).design
    after, found = put(design)
    for rack in after.racks.values():
        held = [after.device(one.device_id) for one in standing_in(after, rack.id)]
        leafs, servers = ([one for one in held if (one.role == "leaf") is is_leaf] for is_leaf in (True, False))
        if rack.name.startswith("rack"):
            assert len(leafs) == 1 and {one.unit for one in leafs} == {one.unit for one in servers}
    assert found.spread == "Switches: 1 in each of 16 racks of the servers they connect, 8 in 1 rack of their own."
    assert put(design, switches=OWN)[1].spread == "Switches: 24 in 1 rack of their own."
    assert put(design, [one.id for one in design.devices.values() if not one.role])[1].spread == ""


def test_a_switch_with_most_of_its_links_in_one_rack_goes_there_even_where_others_are():
    design = Design()
    servers = [add(design, "dgx-h100") for _ in range(6)]
    first, second = add(design, "nvidia-qm9700"), add(design, "nvidia-qm9700")
    for switch in (first, second):
        for server in servers[:4]:
            design.apply(operations.connect_devices(design, server, switch))
        design.apply(operations.connect_devices(design, servers[4], switch))
    after, _ = put(design)
    assert after.placements[first].rack_id == after.placements[second].rack_id == after.placements[servers[0]].rack_id


def add(design, type_id):
    design.apply(edit := operations.add_device(design, CATALOG.get(type_id), 0.0, 0.0, catalog_types=CATALOG.types))
    return next(one.after.id for one in edit.changes if one.after.id in design.devices)

"""What keeps a fix from making things worse: it takes no reserved port, and is not offered where ports run out."""

from dataclasses import replace

import pytest

from designer.model import policies
from designer.model.entities import Device, End, Link, Module, Placement, Rack
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.validation.engine import validate


def findings(design, code):
    return [finding for finding in validate(design).findings if finding.code == code]


def free_ports(fabric, name):
    device = fabric.device(name)
    used = fabric.design.used_ports(device.id)
    return [port for port in fabric.design.port_map(device.id) if port not in used]


@pytest.fixture
def thin(fabric):
    """leaf-1 has three links less to spine-2 than to spine-1, so it is uneven and oversubscribed."""
    design = fabric.design
    leaf, spine = fabric.id("leaf-1"), fabric.id("spine-2")
    links = [link for link in design.links_of(leaf) if spine in (link.a.device_id, link.b.device_id)]
    for link in links[:3]:
        fabric.change(link, None)
    return fabric


def reserve(fabric, name, ports):
    device = fabric.device(name)
    fabric.change(device, replace(device, reserved_ports=tuple(ports)))


@pytest.mark.parametrize("code", ["SPREAD-001", "OVER-001"])
@pytest.mark.parametrize("name", ["leaf-1", "spine-2"])
def test_a_fix_takes_no_reserved_port(thin, code, name):
    free = free_ports(thin, name)
    reserve(thin, name, free[:4])
    (finding,) = findings(thin.design, code)
    made = {
        end.port
        for change in finding.fix.changes
        for end in (change.after.a, change.after.b)
        if end.device_id == thin.id(name)
    }
    assert len(made) == 3
    assert made <= set(free[4:])


@pytest.mark.parametrize("code", ["SPREAD-001", "OVER-001"])
@pytest.mark.parametrize(("links_to_core", "offered"), [(0, True), (13, False), (15, False), (16, True)])
def test_uplinks_are_added_where_the_spine_carries_them_on_to_the_cores(thin, code, links_to_core, offered):
    """spine-2 has 13 downlinks, and 16 after the fix."""
    thin.add("nvidia-qm9700", "core-1")
    if links_to_core:
        thin.join("spine-2", "core-1", links_to_core)
        thin.join("spine-1", "core-1", 16)
    (finding,) = (one for one in findings(thin.design, code) if one.subjects[0] == thin.id("leaf-1"))
    assert (finding.fix is not None) is offered


@pytest.mark.parametrize(("links_to_core", "offered"), [(14, False), (15, True)])
def test_uplinks_are_moved_where_the_spine_carries_them_on_to_the_cores(fabric, links_to_core, offered):
    """Of seven links to spine-1 and five to spine-2 one moves: nothing else is free."""
    for spine, count in (("spine-1", 1), ("spine-2", 3)):
        ends = {fabric.id("leaf-1"), fabric.id(spine)}
        between = [one for one in fabric.design.links.values() if {one.a.device_id, one.b.device_id} == ends]
        for link in between[:count]:
            fabric.change(link, None)
    fabric.add("nvidia-qm9700", "core-1")
    fabric.join("spine-1", "core-1", 16)
    fabric.join("spine-2", "core-1", links_to_core)
    reserve(fabric, "leaf-1", free_ports(fabric, "leaf-1"))
    fabric.join("leaf-2", "spine-2")  # spine-2 has 14 downlinks, 15 after the fix
    (finding,) = (one for one in findings(fabric.design, "SPREAD-001") if one.subjects[0] == fabric.id("leaf-1"))
    assert (finding.fix is not None) is offered


@pytest.mark.parametrize("name", ["leaf-1", "spine-2"])
def test_three_missing_uplinks_are_added_where_three_ports_are_free_and_not_where_two_are(thin, name):
    free = free_ports(thin, name)
    for left, offered in ((3, True), (2, False), (0, False)):
        reserve(thin, name, free[left:])
        (uneven,) = findings(thin.design, "SPREAD-001")
        assert (uneven.fix is not None) is offered, left
        (over,) = findings(thin.design, "OVER-001")
        assert (over.fix is not None) is offered, left


@pytest.mark.parametrize(("limit", "missing"), [(0.5, 19), (1.0, 3), (1.1, 2), (1.2, 1)])
def test_as_many_uplinks_are_added_as_the_limit_asks_for(thin, limit, missing):
    """16 links of 400G come up to leaf-1, and 13 go on."""
    design = thin.design
    design.apply(policies.set_limits(design, leaf_oversubscription=limit))
    fixes = [finding.fix for finding in findings(design, "OVER-001") if finding.subjects == (thin.id("leaf-1"),)]
    assert [fix.label for fix in fixes] == [f"Add {missing} uplink{'s' if missing > 1 else ''} to leaf-1"]
    assert 16 / (13 + missing) <= limit < 16 / (13 + missing - 1)


def test_uplinks_are_added_to_the_spines_that_have_fewest(thin):
    (over,) = findings(thin.design, "OVER-001")
    spine = thin.id("spine-2")
    assert [spine in (change.after.a.device_id, change.after.b.device_id) for change in over.fix.changes] == [True] * 3


def test_a_leaf_with_fewer_free_ports_than_spines_lack_links_is_offered_no_half_fix(bare):
    """Three spines lack a link each, and the leaf has two ports left."""
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2", *(f"spine-{number}" for number in range(1, 5)))
    bare.add("dgx-h100", *(f"host-{number}" for number in range(1, 4)))
    for number in (1, 2, 3):
        bare.join(f"host-{number}", "leaf-1" if number < 3 else "leaf-2")
    for leaf, counts in (("leaf-1", (2, 1, 1, 1)), ("leaf-2", (1, 1, 1, 1))):
        for number, count in enumerate(counts, start=1):
            bare.join(leaf, f"spine-{number}", count)
    free = free_ports(bare, "leaf-1")
    for left, offered in ((3, True), (2, False)):
        reserve(bare, "leaf-1", free[left:])
        (uneven,) = findings(bare.design, "SPREAD-001")
        assert (uneven.fix is not None) is offered


def in_rack(fabric, places):
    """Switches of two rack units each stand in one rack with these lowest units."""
    fabric.put(fabric.catalog.get("rack-42u"), Rack("r1", "A01", "rack-42u"), Placement("r1", 0, 0))
    for name, unit in places.items():
        device_id = fabric.id(name)
        before = fabric.design.placements[device_id]
        fabric.change(before, replace(before, rack_id="r1", unit=unit))


def test_a_third_device_is_compared_with_the_one_that_reaches_highest(bare):
    """The tall server below still stands where the third device is put, though the second one ends under it."""
    bare.add("dgx-h100", "tall")
    bare.add("nvidia-qm9700", "inside", "third")
    in_rack(bare, {"tall": 1, "inside": 3, "third": 6})
    assert [(f.message, f.value) for f in findings(bare.design, "RACK-001")] == [
        ("inside and tall both take U3 of A01", 3),
        ("third and tall both take U6 of A01", 6),
    ]


def test_devices_that_touch_do_not_overlap(bare):
    bare.add("dgx-h100", "tall")
    bare.add("nvidia-qm9700", "next")
    height = int(bare.catalog.get("dgx-h100").rack_units)
    in_rack(bare, {"tall": 1, "next": height + 1})
    assert findings(bare.design, "RACK-001") == []


def with_a_nic_of_two_modes(bare, far):
    """A NIC in the mode of two InfiniBand ports, linked to Ethernet switches; its other mode has one port of Ethernet.

    `far`: protocol and rate of each switch that a port of the NIC is linked to.
    """
    modes = (PortMode("ib", 2, 400.0, protocols=("infiniband",)), PortMode("eth", 1, 400.0, protocols=("ethernet",)))
    bare.put(NicType("nic", "Acme", "Both", ("ethernet", "infiniband"), 2, 400.0, modes=modes))
    bare.put(ServerType("srv", "Acme", "Box", 1, slots=(Slot("s1"),)))
    bare.put(Device("d0", "host", "srv"), Module("m1", "d0", "s1", "nic"))
    names = [port.name for port in bare.design.ports("d0")]
    for number, (name, (protocol, rate_gbps)) in enumerate(zip(names, far, strict=False), start=1):
        mode = (PortMode("4x", 1, rate_gbps),)
        bare.put(SwitchType(f"t{number}", "Acme", "S", (protocol,), (CageGroup(4, ""),), mode))
        bare.put(Device(f"d{number}", f"leaf-{number}", f"t{number}"))
        bare.put(Link(f"l{number}", End("d0", name), End(f"d{number}", "1")))


@pytest.mark.parametrize(
    ("far", "offered"),
    [
        ([("ethernet", 400.0)], True),
        ([("ethernet", 400.0), ("ethernet", 400.0)], False),  # the other mode has one port
    ],
)
def test_another_mode_of_a_nic_is_offered_where_it_has_ports_for_all_its_links(bare, far, offered):
    with_a_nic_of_two_modes(bare, far)
    fixes = [finding.fix for finding in findings(bare.design, "PORT-007")]
    assert [fix and fix.label for fix in fixes] == ["Set host slot s1 to eth" if offered else None] * len(far)


def test_a_nic_that_is_taken_out_takes_the_links_of_its_own_slot_alone(bare):
    small, large = Slot("s1", form_factor="OCP3"), Slot("s2")
    nic = NicType("nic", "Acme", "Card", ("ethernet",), 1, 400.0, form_factors=("PCIe",))
    mode = (PortMode("4x", 1, 400.0),)
    bare.put(nic, ServerType("srv", "Acme", "Box", 2, slots=(small, large)))
    bare.put(SwitchType("sw", "Acme", "S", ("ethernet",), (CageGroup(4, ""),), mode))
    bare.put(Device("d1", "host", "srv"), Module("m1", "d1", "s1", "nic"), Module("m2", "d1", "s2", "nic"))
    bare.put(Device("d2", "leaf", "sw"))
    for number, port in enumerate(bare.design.ports("d1"), start=1):
        bare.put(Link(f"l{number}", End("d1", port.name), End("d2", str(number))))
    (finding,) = [one for one in validate(bare.design).findings if one.fix and one.fix.label.startswith("Remove the")]
    bare.design.apply(finding.fix)
    assert list(bare.design.modules) == ["m2"]
    assert list(bare.design.links) == ["l2"]


def test_a_link_whose_speed_no_mode_can_mend_moves_to_a_port_that_has_it(bare):
    """Splitting cage 1 would rename the port of another link, but cage 2 is split already."""
    running = SwitchType(
        "sw",
        "Acme",
        "Running numbers",
        ("ethernet",),
        (CageGroup(4, ""),),
        (PortMode("4x400G", 1, 400.0), PortMode("8x200G", 2, 200.0)),
    )
    bare.put(NicType("nic", "Acme", "Card", ("ethernet",), 1, 200.0))
    bare.put(ServerType("srv", "Acme", "Box", 1, slots=(Slot("s1"),)))
    bare.put(running, Device("d1", "host", "srv"), Module("m1", "d1", "s1", "nic"), Device("d2", "other", "sw"))
    bare.put(Device("d3", "leaf", "sw", cage_modes=((2, "8x200G"),)))
    ports = {port.name: port.rate_gbps for port in bare.design.ports("d3")}
    assert ports == {"1": 400.0, "2": 200.0, "3": 200.0, "4": 400.0, "5": 400.0}
    bare.put(Link("l1", End("d1", "s1"), End("d3", "1")), Link("l2", End("d2", "1"), End("d3", "4")))
    (finding,) = findings(bare.design, "PORT-003")
    assert finding.fix.label.startswith("Move")
    bare.design.apply(finding.fix)
    link = bare.design.links["l1"]
    assert link.b.device_id == "d3" and bare.design.port(link.b).rate_gbps == 200.0
    assert findings(bare.design, "PORT-003") == []


QUARTERS = SwitchType(
    "q",
    "Acme",
    "Quarters",
    ("ethernet",),
    (CageGroup(4, ""),),
    tuple(PortMode(name, n, 800.0 / n, "{cage}/{lane}") for name, n in (("one", 1), ("halves", 2), ("quarters", 4))),
)


def with_a_cage_in_the_wrong_mode(bare, *joined):
    """Leaf d1 and spine d2 in halves, joined at these ports of the leaf; then cage 1 of the leaf is quartered."""
    bare.put(QUARTERS, Device("d1", "leaf", "q", port_mode="halves"), Device("d2", "spine", "q", port_mode="halves"))
    for number, port in enumerate(joined, start=1):
        bare.put(Link(f"l{number}", End("d1", port), End("d2", port)))
    bare.change(bare.device("leaf"), replace(bare.device("leaf"), cage_modes=((1, "quarters"),)))


def test_a_cage_that_other_links_share_is_set_back_to_the_mode_of_all_of_them(bare):
    with_a_cage_in_the_wrong_mode(bare, "1/1", "1/2", "2/1")
    links = dict(bare.design.links)
    one, other = findings(bare.design, "PORT-003")
    assert one.fix.label == other.fix.label == "Set cage 1 of leaf to halves"
    bare.design.apply(other.fix)
    assert findings(bare.design, "PORT-003") == []
    assert bare.design.links == links


def test_a_cage_keeps_its_mode_where_a_link_in_it_needs_that(bare):
    with_a_cage_in_the_wrong_mode(bare, "1/1")
    bare.put(Device("d3", "far", "q", port_mode="quarters"), Link("l9", End("d1", "1/2"), End("d3", "1/1")))
    for port in ("2/1", "2/2", "3/1", "3/2", "4/1", "4/2"):  # no free port to move to
        bare.put(Link(f"x{port}", End("d1", port), End("d2", port)))
    reserve(bare, "spine", ["1/2"])
    (found,) = findings(bare.design, "PORT-003")
    assert found.fix is None or not found.fix.label.startswith("Set cage 1 of leaf")


def test_two_links_of_a_cage_do_not_get_one_port(bare):
    """Cage 1 of the leaf would have one port of 800G, which both of its links could have."""
    bare.put(QUARTERS, Device("d1", "leaf", "q", port_mode="one", cage_modes=((1, "halves"),)))
    for number in (1, 2):
        bare.put(Device(f"s{number}", f"spine-{number}", "q", port_mode="one"))
        bare.put(Link(f"l{number}", End("d1", f"1/{number}"), End(f"s{number}", "1/1")))
    labels = [one.fix.label for one in findings(bare.design, "PORT-003")]
    assert labels == ["Set cage 1 of spine-1 to halves", "Set cage 1 of spine-2 to halves"]

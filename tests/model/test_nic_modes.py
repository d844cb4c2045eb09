"""Modes of NICs: a ConnectX-8 is one port of 800G InfiniBand or two of 400G Ethernet."""

from dataclasses import replace

import pytest

from designer.errors import NoFreePortError, PortMismatchError, UnknownEntityError
from designer.model import limits, operations
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.model.hardware.device_ports import server_ports
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import PortMode
from designer.model.hardware.servers import ServerType

XDR = NicType(
    "xdr",
    "Acme",
    "XDR",
    ("infiniband", "ethernet"),
    1,
    800.0,
    ("OSFP",),
    modes=(
        PortMode("1x800G", 1, 800.0, protocols=("infiniband",)),
        PortMode("2x400G", 2, 400.0, protocols=("ethernet",)),
    ),
)


@pytest.fixture
def server(pen):
    return pen.add("dgx-b300", "gpu-001")


def module_of(design, server, slot):
    return next(one for one in design.modules_of(server) if one.slot == slot)


def rail_ports(design, server, slot="rail1"):
    return [(p.name, p.rate_gbps, p.protocols, p.cage, p.lane) for p in design.ports(server) if p.slot == slot]


def test_a_nic_runs_in_the_mode_it_is_delivered_in_until_it_is_set_to_another(pen, design, server):
    assert rail_ports(design, server) == [("rail1", 800.0, ("infiniband",), 1, 1)]
    pen.do(operations.set_nic_mode(design, [module_of(design, server, "rail1").id], "2x400G"))
    assert rail_ports(design, server) == [
        ("rail1/1", 400.0, ("ethernet",), 1, 1),
        ("rail1/2", 400.0, ("ethernet",), 1, 2),
    ]
    assert rail_ports(design, server, "rail2") == [("rail2", 800.0, ("infiniband",), 2, 1)]
    pen.do(operations.set_nic_mode(design, [module_of(design, server, "rail1").id], "1x800G"))
    assert module_of(design, server, "rail1").port_mode == ""


def test_ports_follow_the_modules_the_type_and_each_snapshot_of_a_design(pen, design, server):
    there = rail_ports(design, server)
    mode = operations.set_nic_mode(design, [module_of(design, server, "rail1").id], "2x400G")
    copy = design.snapshot()
    copy.apply(mode)
    assert (len(rail_ports(copy, server)), len(rail_ports(design, server))) == (2, 1)
    assert set(copy.port_map(server)) - set(design.port_map(server)) == {"rail1/1", "rail1/2"}
    nic = design.nic_type(module_of(design, server, "rail1").id)
    pen.do(Edit("type", (Change(nic, replace(nic, rate_gbps=100.0, modes=())),)))
    assert rail_ports(design, server)[0][1] == design.port_map(server)["rail1"].rate_gbps == 100.0
    assert rail_ports(copy, server)[0][1] == 400.0
    assert there[0][1] == 800.0


def test_links_stay_on_their_nic_when_its_mode_changes(pen, design, server):
    switch = pen.add("nvidia-q3400-ra", "leaf-01")
    pen.do(operations.connect(design, End(server, "rail2"), End(switch, design.ports(switch)[0].name)))
    link = next(iter(design.links.values()))
    pen.do(operations.set_nic_mode(design, [one.id for one in design.modules_of(server)], "2x400G"))
    assert design.links[link.id].a == End(server, "rail2/1")
    pen.do(operations.set_nic_mode(design, [module_of(design, server, "rail2").id], "1x800G"))
    assert design.links[link.id].a == End(server, "rail2")


def test_ports_that_go_with_a_mode_are_reserved_no_more(pen, design, server):
    device = design.device(server)
    pen.do(Edit("Reserve", (Change(device, replace(device, reserved_ports=("rail1", "rail2", "elsewhere"))),)))
    pen.do(operations.set_nic_mode(design, [module_of(design, server, "rail1").id], "2x400G"))
    assert design.device(server).reserved_ports == ("rail2", "elsewhere")


def test_a_mode_with_fewer_ports_than_the_nic_has_links_is_refused(pen, design, server):
    modules = [one.id for one in design.modules_of(server)]
    pen.do(operations.set_nic_mode(design, modules, "2x400G"))
    leafs = [pen.add("nvidia-sn5600", name) for name in ("leaf-01", "leaf-02")]
    for leaf in leafs:
        pen.do(operations.set_port_mode(design, leaf, "128x400G"))
    for port, leaf in zip(("rail1/1", "rail1/2"), leafs, strict=True):
        pen.do(operations.connect(design, End(server, port), End(leaf, design.ports(leaf)[0].name)))
    with pytest.raises(NoFreePortError, match="gpu-001 slot rail1 uses 2 ports, 1x800G has 1: remove 1 of its links"):
        operations.set_nic_mode(design, modules, "1x800G")


def test_a_mode_the_nic_does_not_have_is_refused_with_those_it_has(pen, design, server):
    with pytest.raises(UnknownEntityError, match=r"ConnectX-8 .*has no mode '1x400G': it has 1x800G, 2x400G"):
        operations.set_nic_mode(design, [module_of(design, server, "rail1").id], "1x400G")


def test_the_mode_it_runs_in_changes_nothing(design, server):
    assert not operations.set_nic_mode(design, [module_of(design, server, "rail1").id], "1x800G")


def test_a_port_that_would_match_in_another_mode_of_its_nic_is_refused_with_that_way_out(pen, design, server):
    leaf = pen.add("nvidia-sn5600", "leaf-01")
    pen.do(operations.set_port_mode(design, leaf, "128x400G"))
    with pytest.raises(PortMismatchError, match="set the NIC to a 400G mode or select another switch"):
        operations.connect(design, End(server, "rail1"), End(leaf, design.ports(leaf)[0].name))


def test_a_copied_server_keeps_the_modes_of_its_nics(pen, design, server):
    pen.do(operations.set_nic_mode(design, [one.id for one in design.modules_of(server)], "2x400G"))
    pen.do(operations.duplicate(design, [server], 0, 400))
    copy = next(one.id for one in design.servers() if one.id != server)
    assert [p.name for p in design.ports(copy)] == [p.name for p in design.ports(server)]


def test_a_server_of_another_type_keeps_the_modes_of_the_nics_it_keeps(pen, design, catalog, server):
    pen.do(operations.set_nic_mode(design, [module_of(design, server, "rail1").id], "2x400G"))
    leaf = pen.add("nvidia-sn5600", "leaf-01")
    pen.do(operations.set_port_mode(design, leaf, "128x400G"))
    pen.do(operations.connect(design, End(server, "rail1/2"), End(leaf, design.ports(leaf)[0].name)))
    pen.do(operations.set_type(design, server, catalog.get("dgx-b200"), catalog_types=catalog.types))
    assert [name for name, *_ in rail_ports(design, server)] == ["rail1/1", "rail1/2"]
    assert list(design.used_ports(server)) == ["rail1/2"]


def test_the_lanes_of_a_cage_that_two_nics_share_follow_their_modes():
    type_ = ServerType("srv", "Acme", "Box", 2, slots=(Slot("a", cage=1), Slot("b", cage=1), Slot("c")))
    ports = server_ports(type_, (("a", XDR), ("b", XDR), ("c", XDR)), (("b", "2x400G"), ("c", "2x400G")))
    assert [(p.name, p.cage, p.lane, p.ports_per_cage) for p in ports] == [
        ("a", 1, 1, 3),
        ("b/1", 1, 2, 3),
        ("b/2", 1, 3, 3),
        ("c/1", 2, 1, 2),
        ("c/2", 2, 2, 2),
    ]


@pytest.mark.parametrize(
    ("nic", "fault"),
    [
        (replace(XDR, rate_gbps=400.0), "1x800G is 1 x 800 Gb/s; 1 x 400 Gb/s are stated for the delivered mode"),
        (replace(XDR, modes=(XDR.modes[0], XDR.modes[0])), "'1x800G' is used twice"),
        (replace(XDR, modes=(XDR.modes[0], replace(XDR.modes[1], ports_per_cage=1025))), "makes 1,025 ports"),
        (replace(XDR, modes=(XDR.modes[0], replace(XDR.modes[1], port_name="{cage}"))), "several ports one name"),
        (replace(XDR, protocols=("infiniband",)), "'ethernet' is none of the protocols of the type"),
        (replace(XDR, modes=XDR.modes[::-1], rate_gbps=400.0), "2x400G is 2 x 400 Gb/s; 1 x 400 Gb/s are stated"),
    ],
)
def test_modes_that_contradict_the_type_are_faults(nic, fault):
    assert any(fault in sentence for _, sentence in limits.type_faults(nic))


def test_a_nic_with_modes_that_agree_has_no_fault():
    assert not list(limits.type_faults(XDR))

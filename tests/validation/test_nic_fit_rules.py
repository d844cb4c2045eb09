"""Rules about NICs and what is around them."""

from dataclasses import replace

import pytest

from designer.model.edit import Edit, removed
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.servers import ServerType
from designer.model.host_interface import interface_gbps
from designer.validation.engine import validate

TWIN = NicType("twin", "", "Twin NIC", ("infiniband",), 2, 400, host_interface="PCIe Gen6 x16")
SLOTS = (
    Slot("a", 0, nic_type_id="twin"),
    Slot("b", nic_type_id="twin"),
    Slot("s", purpose="storage", nic_type_id="twin"),
)
HOST = ServerType("host", "", "Host", 1, slots=SLOTS)


@pytest.fixture
def hosts(bare):
    """Three hosts with a NIC of two ports, each port on another leaf."""
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2")
    bare.put(TWIN, HOST)
    for number in (1, 2, 3):
        host = Device(f"d9{number}", f"host-{number}", "host")
        bare.put(host, Module(f"m9{number}", host.id, "a", "twin"))
        bare.put(*(link(bare, number, port, leaf) for port, leaf in (("a/1", "leaf-1"), ("a/2", "leaf-2"))))
    return bare


def link(fabric, number, port, leaf):
    free = fabric.design.free_ports(fabric.id(leaf))[number].name
    return Link(f"l9{number}{port[-1]}", End(f"d9{number}", port), End(fabric.id(leaf), free))


def found(design, code):
    return [one for one in validate(design).findings if one.code == code]


@pytest.mark.parametrize(
    ("text", "gbps"),
    [
        ("PCIe Gen5 x16", 504.1),
        ("PCIe 5.0 x16", 504.1),
        ("PCIe Gen4 x8", 126.0),
        ("PCIe Gen6 x16", 968.0),
        ("PCIe Gen5 x16 with x16 extension", 1008.2),
        ("PCIe Gen6 x16 (48 lanes with the integrated switch)", 2904.0),
        ("OCP 3.0", None),
        ("PCIe Gen9 x16", None),
        ("", None),
    ],
)
def test_what_a_host_interface_carries(text, gbps):
    assert interface_gbps(text) == (gbps if gbps is None else pytest.approx(gbps, abs=0.1))


def test_an_800g_nic_behind_pcie_5_is_refused(hosts):
    assert found(hosts.design, "NIC-005") == []
    hosts.change(TWIN, replace(TWIN, host_interface="PCIe Gen5 x16"))
    (finding,) = found(hosts.design, "NIC-005")
    assert finding.message == "Twin NIC: 2 ports of 400G behind PCIe Gen5 x16, which carries 504 Gb/s; 3 NICs"
    assert (finding.value, finding.limit) == (800, 504.1)
    assert finding.subjects == ("m91", "m92", "m93")


def test_a_nic_that_states_no_host_interface_is_not_checked(hosts):
    hosts.change(TWIN, replace(TWIN, host_interface=""))
    report = validate(hosts.design)
    assert [one.reason for one in report.not_checked if one.code == "NIC-005"] == [
        "the host interface of 3 NICs is not known"
    ]
    assert "NIC-005" not in {one.code for one in report.findings}


def test_nics_of_two_rates_in_a_server(hosts):
    slow = replace(TWIN, id="slow", ports=1)
    hosts.put(slow, Module("m99", "d92", "s", "slow"))
    assert found(hosts.design, "NIC-006") == []  # that one is for storage
    hosts.put(Module("m98", "d93", "b", "slow"))
    (finding,) = found(hosts.design, "NIC-006")
    assert finding.message == "host-3 has compute NICs of 400G and 800G"
    assert finding.subjects == ("d93",)


def test_both_ports_of_a_nic_on_one_switch(hosts):
    assert found(hosts.design, "NIC-007") == []
    second = hosts.design.links["l932"]
    free = hosts.design.free_ports(hosts.id("leaf-1"))[0].name
    hosts.change(second, replace(second, b=End(hosts.id("leaf-1"), free)))
    (finding,) = found(hosts.design, "NIC-007")
    assert finding.message == "host-3: all ports of a are on leaf-1; on other servers they are on different switches"
    assert finding.subjects == ("d93", "m93")


def test_one_cable_is_no_port_on_the_wrong_switch(hosts):
    hosts.design.apply(Edit("cut", removed([hosts.design.links["l932"]])))
    assert found(hosts.design, "NIC-007") == []


def test_slots_that_are_delivered_with_a_nic_and_empty(hosts):
    (finding,) = found(hosts.design, "NIC-008")
    assert finding.message == "host-1, host-2, host-3: slot b is empty; Host is delivered with a NIC there"
    hosts.put(*(Module(f"m8{number}", f"d9{number}", "b", "twin") for number in (1, 2, 3)))
    assert found(hosts.design, "NIC-008") == []
    module = hosts.design.modules["m93"]
    gone = [hosts.design.links["l931"], hosts.design.links["l932"], module]
    hosts.design.apply(Edit("take out", removed(gone)))
    assert found(hosts.design, "NIC-008") == []  # the GPU's own: NIC-004 finds that

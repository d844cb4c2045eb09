"""Ports are named as the chassis is printed where a source states that, and else as the design names them."""

from dataclasses import replace

import pytest

from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.model.port_labels import port_label, reserved_text


@pytest.mark.parametrize(
    ("type_id", "port", "printed"),
    [
        ("dgx-h100", "rail3", "OSFP3P1"),
        ("dgx-b200", "rail3", "rail3"),
        ("nvidia-qm9700", "swp3/1", "swp3/1"),
        ("nvidia-qm9700", "mgmt0", "mgmt0"),
        ("dgx-h100", "rail99", "rail99"),
    ],
)
def test_a_port_is_called_what_the_chassis_prints_at_it(pen, type_id, port, printed):
    assert port_label(pen.design, End(pen.add(type_id), port)) == printed


def test_each_port_of_a_delivered_server_is_printed_differently(pen):
    one = pen.add("dgx-h100")
    ports = pen.design.ports(one)
    assert len({port_label(pen.design, End(one, port.name)) for port in ports}) == len(ports) == 8


def reserve(pen, one, ports, purposes):
    device = pen.design.device(one)
    pen.do(Edit("Reserve", (Change(device, replace(device, reserved_ports=ports, reserved_for=purposes)),)))


def told(pen, one, *ports):
    return [reserved_text(pen.design.device(one), port) for port in ports]


def test_a_reserved_port_is_told_with_what_it_is_kept_for(pen):
    one = pen.add("nvidia-qm9700")
    reserve(pen, one, ("1/1", "1/2"), (("1/2", "the core"),))
    assert told(pen, one, "1/1", "1/2", "2/1") == ["reserved", "reserved for the core", ""]


def test_purposes_go_with_their_ports(pen):
    one = pen.add("nvidia-sn5600")
    reserve(pen, one, ("swp1", "swp2"), (("swp1", "storage servers"), ("swp2", "the core")))
    pen.do(operations.set_port_mode(pen.design, one, "128x400G"))
    device = pen.design.device(one)
    assert device.reserved_ports == ("swp1s0", "swp2s0")
    assert device.reserved_for == (("swp1s0", "storage servers"), ("swp2s0", "the core"))
    reserve(pen, one, ("swp1s0", "swp2s0"), (("swp1s0", "storage servers"),))
    pen.do(operations.set_port_mode(pen.design, one, "256x200G"))
    assert told(pen, one, "swp1s0", "swp2s0") == ["reserved for storage servers", "reserved"]

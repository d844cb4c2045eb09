"""Ports are named as the chassis is printed where a source states that, and else as the design names them."""

import pytest

from designer.model.entities import End
from designer.model.port_labels import port_label


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

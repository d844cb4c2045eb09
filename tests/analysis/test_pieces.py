"""Which links run in one piece of cable: so many as it has lanes for, of the cages it joins."""

from collections import Counter

import pytest

from designer.analysis.parts import cable_ids
from designer.analysis.survey import survey
from designer.model.design import from_entities
from designer.model.entities import Device, End, Link
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.media import MediumType
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.switches import SwitchType


@pytest.mark.parametrize(
    ("kind", "lanes", "pieces"),
    [
        ("DAC", 1, [1, 1, 1, 1]),
        ("DAC", 2, [2, 2]),
        ("DAC", 3, [3, 1]),
        ("DAC", 4, [4]),
        ("transceiver", 4, [1, 1, 1, 1]),  # of optics each fiber is a piece
        ("fiber", 4, [1, 1, 1, 1]),
    ],
)
def test_four_links_between_two_cages_take_as_many_pieces_as_their_lanes_need(kind, lanes, pieces):
    switch = SwitchType("s", "Acme", "S", ("ethernet",), (CageGroup(2, "OSFP"),), (PortMode("8x100G", 4, 100.0),))
    cable = MediumType("m", "Acme", "M", kind, links=lanes)
    names = [port.name for port in switch_ports(switch)[:4]]
    links = [Link(f"l{n}", End("d1", name), End("d2", name), medium_id="m") for n, name in enumerate(names, start=1)]
    design = from_entities([switch, cable, Device("d1", "a", "s"), Device("d2", "b", "s"), *links])
    found = cable_ids(survey(design).runs, design.types)
    assert sorted(Counter(found.values()).values(), reverse=True) == pieces
    assert found["l1"] == "l1"

"""Ports by which switches are managed stand apart from those of the fabric, and join the out-of-band network."""

from dataclasses import replace

import pytest

from designer.analysis.survey import link_kind, survey
from designer.analysis.tiers import tier_of
from designer.errors import NoFreePortError
from designer.model import limits, operations
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.model.hardware.switches import ManagementPort
from designer.model.networks import OUT_OF_BAND, network_of_link


def tor(pen, name="tor"):
    one = pen.add("nvidia-sn2201", name)
    switch = pen.design.device(one)
    pen.do(Edit("Network", (Change(switch, replace(switch, network=OUT_OF_BAND)),)))
    return one


def test_a_management_port_is_none_of_the_ports_of_the_fabric(pen):
    leaf = pen.add("nvidia-qm9700", "leaf")
    design = pen.design
    assert len(design.ports(leaf)) == 64 and "mgmt0" not in {port.name for port in design.ports(leaf)}
    port = design.port(End(leaf, "mgmt0"))
    assert (port.form_factor, port.rate_gbps, port.purpose, port.cage) == ("RJ45", 1, "management", 33)
    assert [one.name for one in design.free_ports(leaf, "management")] == ["mgmt0"]
    assert "mgmt0" not in {one.name for one in design.free_ports(leaf)}


def test_a_switch_drawn_to_an_out_of_band_switch_is_linked_by_its_management_port(pen):
    leaf, oob = pen.add("nvidia-qm9700", "leaf"), tor(pen)
    pen.join(leaf, oob)
    (link,) = pen.design.links.values()
    assert (link.a, link.b) == (End(leaf, "mgmt0"), End(oob, "swp1"))
    assert network_of_link(pen.design, link) == OUT_OF_BAND
    assert pen.design.n_used_ports(leaf) == 0
    with pytest.raises(NoFreePortError, match=r"leaf has no free 1G port left \(1 of 1 used\)"):
        pen.join(leaf, oob)


def test_out_of_band_switches_are_linked_by_their_ports(pen):
    a, b = tor(pen, "a"), tor(pen, "b")
    pen.join(a, b)
    (link,) = pen.design.links.values()
    assert {link.a.port, link.b.port} == {"swp1"}


@pytest.mark.parametrize("turned", [False, True])
def test_the_managed_switch_is_the_low_end_and_lends_no_tier(pen, turned):
    oob = tor(pen)
    spine = pen.add("nvidia-qm9700", "spine", role="spine")
    ends = [(spine, "mgmt0"), (oob, "swp7")]
    pen.wire(*ends[turned], *ends[not turned])
    surveyed = survey(pen.design, OUT_OF_BAND)
    (run,) = surveyed.managing_runs
    assert (run.low, run.high, run.managing) == (End(spine, "mgmt0"), End(oob, "swp7"), True)
    assert link_kind(surveyed, run) == "switch-other"
    assert surveyed.own_runs == ()
    assert oob not in tier_of(pen.design)


def test_another_type_takes_the_management_link_along(pen):
    leaf, oob = pen.add("nvidia-sn5600", "leaf"), tor(pen)
    pen.join(leaf, oob)
    pen.wire(leaf, "swp3", pen.add("nvidia-sn5600", "other"), "swp1")
    pen.do(operations.set_type(pen.design, leaf, pen.catalog.get("arista-7060x6-64pe")))
    ports = {end.port for link in pen.design.links.values() for end in (link.a, link.b) if end.device_id == leaf}
    assert ports == {"Management1", "Ethernet3/1"}


def test_a_type_without_a_stated_management_port_cannot_take_the_link(pen):
    leaf, oob = pen.add("nvidia-qm9700", "leaf"), tor(pen)
    pen.join(leaf, oob)
    with pytest.raises(NoFreePortError, match="leaf uses 1 management ports, QM9790 has 0: remove 1 links first"):
        operations.set_type(pen.design, leaf, pen.catalog.get("nvidia-qm9790"))


def test_another_port_mode_leaves_the_management_link(pen):
    leaf, oob = pen.add("nvidia-sn5600", "leaf"), tor(pen)
    pen.join(leaf, oob)
    pen.do(operations.set_port_mode(pen.design, leaf, "128x400G"))
    (link,) = pen.design.links.values()
    assert link.a == End(leaf, "eth0")


def test_two_management_ports_have_two_names(pen):
    type_ = replace(pen.catalog.get("nvidia-sn5600"), management_ports=(ManagementPort("eth0"), ManagementPort("eth0")))
    assert list(limits.type_faults(type_)) == [("management_ports[1].name", "'eth0' is used twice")]

"""What is left for a line, a module or a device: free of how many, by what matches."""

from dataclasses import replace

import pytest

from designer.model import operations
from designer.model.budgets import Budget, PortBudgets, slot_budget, unit_budget
from designer.model.edit import Change, Edit


def test_a_switch_has_the_free_ports_that_match_the_source(pen):
    leaf, spine = pen.add("nvidia-qm9700"), pen.add("nvidia-qm9700")
    budgets = PortBudgets(pen.design, [leaf])
    assert budgets.of(spine) == Budget(64, 64, "", True, 400)
    assert budgets.of(spine).text == "64 of 64 at 400G"
    assert budgets.of(leaf) is None
    pen.join(leaf, spine, 24)
    device = pen.design.device(spine)
    pen.do(Edit("reserve", (Change(device, replace(device, reserved_ports=("32/1", "32/2"))),)))
    assert PortBudgets(pen.design, [leaf]).of(spine).text == "38 of 64 at 400G"


def test_ports_that_match_nothing_are_no_budget(pen):
    leaf, other = pen.add("nvidia-qm9700"), pen.add("nvidia-qm8700")
    found = PortBudgets(pen.design, [leaf]).of(other)
    assert (found.total, found.fits, found.text) == (0, False, "no match")


def test_several_sources_need_a_port_each(pen):
    small, *hosts = pen.add("generic-switch-2x400g"), *(pen.add("generic-host") for _ in range(3))
    assert PortBudgets(pen.design, hosts[:2]).of(small).fits
    assert not PortBudgets(pen.design, hosts).of(small).fits


def test_a_server_has_the_nics_of_the_network_that_the_switch_is_in(pen):
    leaf, server = pen.add("nvidia-qm9700"), pen.add("dgx-h100")
    assert PortBudgets(pen.design, [leaf]).of(server).text == "8 of 8 at 400G"
    pen.join(leaf, server, 3)
    assert PortBudgets(pen.design, [leaf]).of(server).text == "5 of 8 at 400G"


def test_one_port_is_matched_by_itself(pen):
    server, leaf, slow = pen.add("dgx-h100"), pen.add("nvidia-qm9700"), pen.add("nvidia-qm8700")
    budgets = PortBudgets(pen.design, [server], "rail1")
    assert (budgets.of(leaf).text, budgets.of(slow).text) == ("64 of 64 at 400G", "no match")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_budget_and_refusal_agree(pen, count):
    small, spine = pen.add("generic-switch-2x400g"), pen.add("generic-switch-2x400g")
    for _ in range(count - 1):
        pen.join(small, spine)
    fits = PortBudgets(pen.design, [small]).of(spine).fits
    assert fits is (operations.connectable(pen.design, small, spine) is None) is (count < 3)


def test_slots_that_take_a_module(pen):
    server = pen.add("dgx-h100")
    nic = pen.catalog.get("connectx-7-ndr-2p")
    found = slot_budget(pen.design, server, nic)
    fitting = found.total
    assert found.text == f"{found.free} of {fitting} slots"
    assert found.fits
    assert not slot_budget(pen.design, server, nic, found.free + 1).fits
    pen.do(operations.install_module(pen.design, server, nic))
    assert slot_budget(pen.design, server, nic).free == found.free - 1


def test_units_of_a_rack_have_to_lie_together(pen):
    rack, server = pen.rack("rack-42u"), pen.catalog.get("dgx-h100")
    assert unit_budget(pen.design, rack, server, 5) == Budget(42, 42, "U", True)
    assert not unit_budget(pen.design, rack, server, 6).fits
    switch = pen.add("nvidia-qm9700")
    pen.do(operations.mount(pen.design, switch, rack, 20))
    found = unit_budget(pen.design, rack, server, 4)  # units 1 to 19 and 21 to 42 hold two of eight units each
    assert (found.text, found.fits) == ("41 of 42 U", True)
    assert not unit_budget(pen.design, rack, server, 5).fits

"""Part numbers that a design states for servers, switches, NICs and racks."""

from dataclasses import replace

import pytest

from designer.errors import EditError
from designer.exchange.exporter import plan_gaps_of
from designer.model.edit import Change, Edit
from designer.model.part_numbers import state_part_number
from designer.session.commands import is_simulated
from designer.topologies import rail_optimized


@pytest.fixture
def pod(design, catalog):
    wanted = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=4)
    design.apply(rail_optimized.build(design, wanted, catalog))
    return design


def test_a_stated_number_is_of_the_type_and_can_be_undone_and_taken_back(pod):
    before = pod.types["dgx-h100"]
    edit = state_part_number(pod, "dgx-h100", " A-4711 ")
    assert edit.label == "State part number of DGX H100"
    pod.apply(edit)
    assert pod.types["dgx-h100"].part_number == "A-4711"
    assert not state_part_number(pod, "dgx-h100", "A-4711").changes
    pod.apply(edit.inverted())
    assert pod.types["dgx-h100"] == before
    pod.apply(edit)
    pod.apply(state_part_number(pod, "dgx-h100", ""))
    assert pod.types["dgx-h100"] == before


def test_the_points_of_parts_without_a_number_are_closed_by_stating_them(pod):
    open_parts = plan_gaps_of(pod).of_parts
    assert {gap.part for gap in open_parts} == {"server", "switch", "rack"}
    for gap in open_parts:
        pod.apply(state_part_number(pod, gap.type_id, f"PN-{gap.type_id}"))
    gaps = plan_gaps_of(pod)
    assert not gaps.of_parts and "part number" not in gaps.summary


def test_no_run_is_out_of_date_by_a_part_number_and_every_one_is_by_another_figure(pod):
    assert not is_simulated(state_part_number(pod, "dgx-h100", "A-4711"))
    type_ = pod.types["dgx-h100"]
    assert is_simulated(Edit("Other", (Change(type_, replace(type_, gpus=4)),)))


@pytest.mark.parametrize("type_id", ["dgx-b200", "tr-800-2sr4", ""])
def test_a_number_is_refused_for_what_the_design_does_not_have_and_for_cables(pod, type_id):
    with pytest.raises(EditError, match=r"no device, NIC or rack of type .*it has .*dgx-h100"):
        state_part_number(pod, type_id, "A-4711")

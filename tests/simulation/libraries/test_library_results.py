"""A run under a library's model: its time is the library's, its loads are those of the algorithm it chooses."""

from dataclasses import replace

import pytest

from designer.errors import ParameterError
from designer.model.design import Design
from designer.simulation.curve import curves
from designer.simulation.designs import graph_for, simulate_design
from designer.simulation.scenario import Scenario

MIB = 2**20
NCCL = Scenario(collective="all-reduce", model="nccl", size_bytes=64 * MIB)


def test_the_model_says_what_the_library_chose_and_what_it_rests_on(ten_h100: Design) -> None:
    result = simulate_design(ten_h100, NCCL)
    model = result.model
    assert (model.algorithm, model.protocol, model.channels) == ("NVLS tree", "Simple", 16)
    assert model.chosen_because and "before Tree LL128" in model.chosen_because
    assert model.measured_constants and model.unknown_to_the_library == ("CPU vendor (Intel is assumed)",)
    assert result.unstated_note == "The design does not state the CPU vendor (Intel is assumed)"
    assert result.time_note == ""
    assert simulate_design(ten_h100, replace(NCCL, model="ideal")).model.protocol is None


def test_links_carry_the_bytes_of_the_algorithm_and_no_more_than_they_can(ten_h100: Design) -> None:
    result = simulate_design(ten_h100, NCCL)
    rail = [link for link in result.links(None) if link.source.startswith("gpu") or link.target.startswith("gpu")]
    # Each of 8 GPUs takes an eighth of the buffer through two trees: at most twice that leaves by its NIC.
    assert max(link.bytes for link in rail) == pytest.approx(2 * 64 * MIB / 8)
    assert max(link.utilization_mean for link in rail) < 1
    ideal = simulate_design(ten_h100, replace(NCCL, model="ideal"))
    assert result.time_s > ideal.time_s


def test_a_curve_has_the_times_of_single_runs(ten_h100: Design) -> None:
    graph, scenario = graph_for(ten_h100, NCCL)
    (curve,) = curves(graph, [scenario], (1024, 64 * MIB), design=ten_h100)
    assert [point.algorithm for point in curve.points] == ["Tree", "NVLS tree"]
    assert curve.points[1].time_s == pytest.approx(simulate_design(ten_h100, NCCL).time_s)
    assert curve.title == "NCCL, spray" and curve.start_note == ""
    with pytest.raises(ParameterError, match="needs the design"):
        curves(graph, [scenario], (1024,))


def test_an_algorithm_that_the_library_lacks_is_refused_by_name(ten_h100: Design) -> None:
    with pytest.raises(ParameterError, match="NCCL has no hierarchical for this collective on this machine; it has"):
        simulate_design(ten_h100, replace(NCCL, algorithm="hierarchical"))

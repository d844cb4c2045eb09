"""NCCL's and RCCL's own choice among algorithms and protocols, as their logs and sources show it."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from designer.errors import CatalogError, ParameterError
from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.libraries.constants import Library, calibration_dir, library, read
from designer.simulation.libraries.prediction import predict
from designer.simulation.libraries.runs import FREE, Forced, Prediction, Setup, prepare
from designer.simulation.scenario import Scenario

Fabric = Callable[..., Design]
MIB = 2**20
SIZES = tuple(2**power for power in range(3, 35))
RCCL = Setup(model="rccl")


def predicted(design: Design, collective: str = "all-reduce", *, gpus: int | None = None) -> Prediction:
    return predict(design, Scenario(collective=collective, ranks=gpus), SIZES)


def sizes_of(found: Prediction, algorithm: str, protocol: str) -> list[float]:
    return [row.size_bytes for row in found.rows if (row.algorithm, row.protocol) == (algorithm, protocol)]


def test_one_hopper_node_takes_ring_ll_up_to_a_mebibyte_and_nvls_above(ten_h100: Design) -> None:
    found = predicted(ten_h100, gpus=8)
    assert sizes_of(found, "Ring", "LL") == list(SIZES[: SIZES.index(MIB) + 1])
    assert sizes_of(found, "NVLS", "Simple") == list(SIZES[SIZES.index(2 * MIB) :])


def test_one_ampere_node_takes_ring_ll_then_ll128_then_simple(fabric: Fabric) -> None:
    found = predicted(fabric("dgx-a100", 2, "nvidia-qm8790"), gpus=8)
    assert max(sizes_of(found, "Ring", "LL")) == 2 * MIB
    assert sizes_of(found, "Ring", "LL128") == [4 * MIB, 8 * MIB, 16 * MIB]
    assert min(sizes_of(found, "Ring", "Simple")) == 32 * MIB


def test_eighty_hopper_gpus_take_the_nvls_tree_up_to_two_gibibytes_and_the_ring_above(ten_h100: Design) -> None:
    found = predicted(ten_h100)
    assert max(sizes_of(found, "NVLS tree", "Simple")) == 2048 * MIB
    assert min(sizes_of(found, "Ring", "Simple")) == 4096 * MIB
    assert found.rows[-1].channels == 16
    assert predicted(ten_h100, "all-gather", gpus=8).rows[-1].channels == 24


def test_efa_of_the_first_generation_allows_simple_alone_and_adds_its_latency(fabric: Fabric) -> None:
    """Its messages may arrive out of order, so that the plugin sets NCCL_PROTO=simple; 8.4 + 2 x (7 x 4 + 14 + 150)."""
    found = predicted(fabric("aws-p4de", 2, "generic-switch-64x100g"))
    assert {row.protocol for row in found.rows} == {"Simple"}
    assert found.rows[0].library_estimate_us == pytest.approx(392.4, abs=0.1)
    one_node = predicted(fabric("aws-p4de", 2, "generic-switch-64x100g"), gpus=8)
    assert one_node.rows[0].protocol == "LL"


def test_tcpx_allows_simple_alone_between_nodes(fabric: Fabric) -> None:
    """Only Simple unpacks what the network device received: src/device/prims_simple.h."""
    design = fabric("gcp-a3-high", 2, "generic-switch-64x200g")
    assert {row.protocol for row in predicted(design, "all-gather").rows} == {"Simple"}
    assert predicted(design, "all-gather", gpus=8).rows[0].protocol == "LL"


def test_rccl_chooses_on_two_nodes_of_mi350x_what_its_log_shows(fabric: Fabric) -> None:
    """The column "before" of github.com/ROCm/rocm-systems/pull/9406; 64 MiB, estimated with Simple, go with LL128."""
    design = fabric("mi350x-8gpu", 2, "generic-switch-128x400g")
    rows = predict(design, Scenario(collective="all-reduce"), [32 * MIB, 64 * MIB, 128 * MIB], RCCL).rows
    found = [(row.algorithm, row.protocol) for row in rows]
    assert found == [("Tree", "LL128"), ("Ring", "LL128"), ("Ring", "Simple")]
    assert rows[1].reason.endswith("; LL128 by its size in place of Simple")
    assert "in place of" not in rows[0].reason + rows[2].reason
    # What the environment sets is not replaced.
    forced = replace(RCCL, forced=Forced(protocol=0))
    row = predict(design, Scenario(collective="all-reduce"), [64 * MIB], forced).rows[0]
    assert row.protocol == "LL"
    assert row.reason.startswith("estimated at")
    assert "in place of" not in row.reason


def test_rccl_sends_an_all_reduce_by_its_whole_size_and_other_collectives_by_the_part_of_a_rank(fabric: Fabric) -> None:
    """rcclGetSizePerRank; LL128 of an all-reduce reaches 3.8 times as far on more than two nodes."""

    def largest(servers: int, collective: str) -> list[float]:
        scenario = Scenario(collective=collective)
        rows = predict(fabric("mi350x-8gpu", servers, "generic-switch-128x400g"), scenario, SIZES, RCCL).rows
        return [max(row.size_bytes for row in rows if row.protocol == name) for name in ("LL", "LL128")]

    assert largest(2, "all-reduce") == [MIB / 4, 64 * MIB]
    assert largest(4, "all-reduce") == [MIB / 4, 256 * MIB]
    assert largest(2, "all-gather") == largest(2, "reduce-scatter") == [MIB, 128 * MIB]
    assert largest(4, "all-gather") == [2 * MIB, 256 * MIB]


def test_nvls_runs_on_as_many_channels_as_the_library_s_source_says(ten_h100: Design, fabric: Fabric) -> None:
    """ncclNvlsTuning: 16 on Hopper; on Blackwell 24 in one domain, 32 on two nodes, 24 on more with NICs of 400G."""

    def channels(design: Design, gpus: int) -> int:
        forced = Setup(forced=Forced(("nvls", "nvls-tree")))
        return predict(design, Scenario(collective="all-reduce", ranks=gpus), [MIB], forced).rows[0].channels

    assert channels(ten_h100, 8) == channels(ten_h100, 80) == 16
    b200 = fabric("dgx-b200", 3)
    assert [channels(b200, gpus) for gpus in (8, 16, 24)] == [24, 32, 24]
    b300 = fabric("hgx-b300-oem", 3, "nvidia-q3400-ra")
    assert [channels(b300, gpus) for gpus in (8, 16, 24)] == [24, 32, 24]


def test_a_rack_adds_up_on_32_gpus_at_most(fabric: Fabric) -> None:
    """NCCL_MAX_NVLS_ARITY: a round of chunks of 128 KiB on 24 channels, 32 parts of it on 72 GPUs as on 32."""
    rack = fabric("gb200-nvl72", 2, "generic-switch-128x400g")
    graph, forced = build(rack), Setup(forced=Forced(("nvls",)))
    loops = [
        prepare(rack, graph, Scenario(collective="all-reduce", ranks=gpus), forced).terms(MIB).loop_bytes
        for gpus in (16, 32, 72)
    ]
    assert loops == [24 * 16 * 131072, 24 * 32 * 131072, 24 * 32 * 131072]


def test_one_channel_may_use_the_whole_speed_that_the_search_found(fabric: Fabric) -> None:
    """8 A100: 12 channels of 20 GB/s are searched and 24 run; the one of 32 KiB is as fast as a twelfth."""
    design = fabric("dgx-a100", 2, "nvidia-qm8790")
    run = prepare(design, build(design), Scenario(collective="all-reduce", ranks=8), Setup())
    one, every = run.terms(32 * 1024), run.terms(2 * MIB)
    assert one.inside_s_per_byte / every.inside_s_per_byte == pytest.approx(12)


def test_the_library_s_latencies_are_those_worked_out_from_its_source(ten_h100: Design, fabric: Fabric) -> None:
    one_node = predicted(ten_h100, gpus=8).rows[0]
    assert one_node.library_estimate_us == pytest.approx(15.0, abs=0.01)
    sixteen = predicted(fabric("dgx-h100", 16)).rows[0]
    assert sixteen.library_estimate_us == pytest.approx(55.2, abs=0.01)


def test_a_forced_algorithm_is_the_only_one_left_and_says_so(ten_h100: Design) -> None:
    ring = predict(ten_h100, Scenario(collective="all-reduce", algorithm="ring"), SIZES)
    assert {row.algorithm for row in ring.rows} == {"Ring"}
    setup = Setup(forced=Forced(("tree",), 2))
    tree = predict(ten_h100, Scenario(collective="all-reduce"), [MIB], setup).rows[0]
    assert (tree.algorithm, tree.protocol, tree.reason) == ("Tree", "Simple", "the only one that remains")
    with pytest.raises(ParameterError, match="has no CollNet chain for this collective on this machine; it has"):
        predict(
            ten_h100,
            Scenario(collective="all-reduce"),
            [MIB],
            Setup(forced=Forced(("collnet-chain",))),
        )
    assert FREE.algorithms is None


def test_in_network_reduction_gives_the_library_collnet(ten_h100: Design) -> None:
    with_sharp = Scenario(collective="all-reduce", in_network_reduction=True)
    names = {row.algorithm for row in predict(ten_h100, with_sharp, SIZES).rows}
    assert names & {"CollNet direct", "CollNet chain", "NVLS"}


def test_gpus_without_constants_are_named_with_those_that_have_them(ten_h100: Design, fabric: Fabric) -> None:
    with pytest.raises(ParameterError, match=r"RCCL has no constants for the GPU 'H100 80 GB' .*MI300X.*model ideal"):
        predict(ten_h100, Scenario(collective="all-reduce"), [MIB], Setup(model="rccl"))
    with pytest.raises(ParameterError, match="is for collectives; shift:1 is a pattern of flows"):
        predict(ten_h100, Scenario(traffic="shift:1"), [MIB])


@pytest.mark.parametrize("collective", ["all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast"])
def test_no_result_is_faster_than_the_bytes_over_the_port_rate(ten_h100: Design, collective: str) -> None:
    """A GPU receives (n - 1)/n of what the collective gives it at least, over 450 GB/s inside and 50 GB/s outside."""
    for gpus in (8, 80):
        found = predicted(ten_h100, collective, gpus=gpus)
        for row in found.rows:
            least_us = row.size_bytes * (gpus - 1) / gpus / 500e3
            assert row.time_us > least_us


def test_a_broken_file_of_constants_is_named_with_the_field(tmp_path: Path) -> None:
    copy = tmp_path / "nccl.yaml"
    shutil.copy(calibration_dir() / "nccl.yaml", copy)
    text = copy.read_text()
    copy.write_text(text.replace("compute_capability: 9.0", "compute_capability: nine"))
    with pytest.raises(CatalogError, match=r"nccl.yaml, generations\[2\].compute_capability: expected"):
        read(copy, Library)
    assert library("nccl").generation_of("H200 141 GB") is library("nccl").generations[2]

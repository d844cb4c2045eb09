"""Times of real machines, predicted with the delivered constants: see tests/benchmarks/measured_collectives.py."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.simulation.designs import simulate_design
from designer.simulation.libraries.prediction import predict
from designer.simulation.libraries.runs import Setup
from designer.simulation.scenario import Scenario

MIB, GIB = 2**20, 2**30
Fabric = Callable[..., Design]


def busbw(design: Design, collective: str, gpus: int | None, size: float, model: str = "nccl") -> float:
    scenario = Scenario(collective=collective, ranks=gpus)
    return predict(design, scenario, [size], Setup(model=model)).rows[0].busbw_gbs


def test_large_buffers_on_hopper_reach_what_was_measured(ten_h100: Design) -> None:
    """482 GB/s by NVLS on 8 H100 (xx-h100-ar-8-n1), 362 by the ring of an all-gather (xx-h100-ag-8-n1)."""
    assert busbw(ten_h100, "all-reduce", 8, 16 * GIB) == pytest.approx(482.3, rel=0.05)
    assert busbw(ten_h100, "all-reduce", 8, 64 * MIB) == pytest.approx(374.4, rel=0.08)
    assert busbw(ten_h100, "all-gather", 8, 16 * GIB) == pytest.approx(361.9, rel=0.06)
    # NVLS tree on two nodes passes a NIC's line rate in busbw: each byte crosses once (h100-ib-ar-16-309).
    assert busbw(ten_h100, "all-reduce", 16, 16 * GIB) == pytest.approx(469.2, rel=0.05)


def test_small_buffers_on_two_hopper_nodes_take_the_measured_time(ten_h100: Design) -> None:
    found = predict(ten_h100, Scenario(collective="all-reduce", ranks=16), [1024, 16384, MIB / 2]).rows
    for row, measured_us in zip(found, (29.8, 32.7, 77.7), strict=True):
        assert row.time_us == pytest.approx(measured_us, rel=0.25)


def test_a_mesh_of_four_reaches_more_than_disjoint_rings_would(fabric: Fabric) -> None:
    """339 GB/s on 4 GH200 of Alps (alps-gh200-ar-4-ofi1130): all three links of each GPU carry rings."""
    alps = fabric("alps-gh200-node", 4, "generic-switch-64x200g")
    assert busbw(alps, "all-reduce", 4, 4 * GIB) == pytest.approx(339.0, rel=0.05)
    assert busbw(alps, "all-reduce", 16, 4 * GIB) == pytest.approx(92.5, rel=0.05)


def test_rings_leave_by_the_gpus_that_have_nics(fabric: Fabric) -> None:
    """36.5 GB/s on two nodes of Polaris, of two NICs each (polaris-a100-ag-8-n18s5): not of one NIC for both rings."""
    polaris = fabric("polaris-a100-node", 2, "generic-switch-64x200g")
    assert busbw(polaris, "all-gather", 8, GIB) == pytest.approx(36.5, rel=0.05)


def test_mi300x_reaches_what_rccl_was_measured_at(fabric: Fabric) -> None:
    amd = fabric("mi300x-8gpu", 2)
    assert busbw(amd, "all-reduce", 8, 4 * GIB, "rccl") == pytest.approx(315.7, rel=0.05)
    assert busbw(amd, "all-reduce", 16, 16 * GIB, "rccl") == pytest.approx(357.5, rel=0.05)


def test_mi355x_takes_the_measured_time_where_rccl_changes_from_tree_to_ring(fabric: Fabric) -> None:
    """177, 262 and 861 us on two nodes (vultr-mi355x-ar-16): the tree with LL128 to 32 MiB, the ring from 64 MiB on."""
    sizes = [16 * MIB, 32 * MIB, 128 * MIB]
    rows = predict(
        fabric("mi355x-8gpu", 2, "generic-switch-128x400g"),
        Scenario(collective="all-reduce"),
        sizes,
        Setup(model="rccl"),
    ).rows
    assert [row.time_us for row in rows] == [pytest.approx(measured, rel=0.15) for measured in (177.1, 262.2, 860.7)]


def test_tcpx_takes_the_measured_time_below_the_sizes_where_bandwidth_decides(fabric: Fabric) -> None:
    """1,010 and 1,063 us of 16 MiB, 1,162 and 1,117 us of 32 MiB: gcp-a3-high-ag-16-dstack, -highgpu-gke-a3-h-ag-16."""
    design = fabric("gcp-a3-high", 2, "generic-switch-64x200g")
    rows = predict(design, Scenario(collective="all-gather"), [16 * MIB, 32 * MIB]).rows
    assert [row.time_us for row in rows] == [pytest.approx(measured, rel=0.2) for measured in (1036.9, 1139.1)]


def test_nvls_on_blackwell_is_held_by_its_channels_not_by_the_port(fabric: Fabric) -> None:
    """480 GB/s of algbw on 8 GPUs as on 64 (oci-gb300-ar-8, -ar-64): a port alone would give a tenth less to the 8."""
    b200 = fabric("dgx-b200", 2)
    eight, seven = (busbw(b200, "all-reduce", gpus, 16 * GIB) * gpus / 2 / (gpus - 1) for gpus in (8, 7))
    assert eight == pytest.approx(477.0, rel=0.05)
    assert seven == pytest.approx(eight, rel=0.02)


def test_tcpxo_and_first_generation_efa_take_the_measured_times(fabric: Fabric) -> None:
    """123 us and 48 ms of two A3 Mega (gcp-a3-mega-ar-16-ztan), 171 us and 26 ms of two p4de (aws-p4de-ar-16)."""
    for server, switch, small_us, large_us, large in (
        ("gcp-a3-mega", "generic-switch-64x200g", 123.3, 47535, 8 * GIB),
        ("aws-p4de", "generic-switch-64x100g", 161.5, 26217, GIB),
    ):
        design = fabric(server, 2, switch)
        rows = predict(design, Scenario(collective="all-reduce"), [64, large]).rows
        assert rows[0].time_us == pytest.approx(small_us, rel=0.15)
        assert rows[1].time_us == pytest.approx(large_us, rel=0.15)


def test_the_way_from_gpu_to_nic_is_that_of_the_drawn_types(fabric: Fabric) -> None:
    """An 800G NIC behind a GPU, or an interface of its own, of PCIe Gen5 x16 sends 504 Gb/s; Gen6 lets it send all."""
    design = fabric("hgx-b300-oem", 2, "nvidia-q3400-ra")
    server = next(one for one in design.types.values() if isinstance(one, ServerType))
    nic = next(one for one in design.types.values() if isinstance(one, NicType) and one.rate_gbps == 800)
    whole = busbw(design, "all-gather", None, 16 * GIB)

    def of(before: ServerType | NicType, after: ServerType | NicType) -> tuple[float, tuple[str, ...]]:
        edit = Edit("types", (Change(before, after),))
        design.apply(edit)
        found = simulate_design(design, Scenario(collective="all-gather", model="nccl", size_bytes=16 * GIB))
        design.apply(edit.inverted())
        return found.busbw_gbytes_per_s or 0.0, found.model.notes

    rate, notes = of(server, replace(server, gpu_model="B200 180 GB"))
    assert "B200 180 GB on PCIe Gen5 x16 carries 504 of 800 Gb/s" in notes
    assert rate < 8 * 504.1 / 8 < whole
    rate, notes = of(nic, replace(nic, host_interface="PCIe Gen5 x16"))
    assert f"{nic.model} on PCIe Gen5 x16 carries 504 of 800 Gb/s" in notes
    assert rate < 8 * 504.1 / 8
    assert not any("carries" in note for note in of(nic, replace(nic, host_interface=""))[1])


def test_what_the_library_would_ask_is_asked_only_where_it_matters(ten_h100: Design, fabric: Fabric) -> None:
    """The vendor of the CPU counts between nodes of x86; Grace is no question, and RCCL does not ask."""

    def unknown(design: Design, gpus: int | None, model: str = "nccl") -> tuple[str, ...]:
        scenario = Scenario(collective="all-reduce", ranks=gpus)
        return predict(design, scenario, [MIB], Setup(model=model)).unknown

    assert unknown(ten_h100, None) == ("CPU vendor (Intel is assumed)",)
    assert unknown(ten_h100, 8) == unknown(fabric("alps-gh200-node", 4, "generic-switch-64x200g"), None) == ()
    assert unknown(fabric("mi300x-8gpu", 2), None, "rccl") == ()

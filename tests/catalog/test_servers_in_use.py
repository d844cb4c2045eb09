"""Every server and switch of the catalog generates, validates without errors, and runs traffic."""

import pytest

from designer.catalog.catalog import load
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree, networks, rail_optimized, torus
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.torus import TorusParameters
from designer.validation.engine import validate
from designer.validation.findings import Severity

CATALOG = load()
SERVERS = [type_ for type_ in CATALOG.servers() if type_.id not in ("generic-host", "generic-node", "generic-storage")]
CHIPS = [type_.id for type_ in SERVERS if type_.vendor == "Google"]

SWITCHES = {
    ("infiniband", 200.0): "nvidia-qm8790",
    ("infiniband", 400.0): "nvidia-qm9700",
    ("infiniband", 800.0): "nvidia-q3400-ra",
    ("ethernet", 100.0): "nvidia-sn5600",
    ("ethernet", 200.0): "nvidia-sn5600",
    ("ethernet", 400.0): "nvidia-sn5600",
    ("ethernet", 800.0): "nvidia-sn6600",
    ("nvlink", 400.0): "nvlink-5-switch-tray",
}
"""A switch for each way NICs meet one, by protocol and rate."""
FOR_SHELL = {(("QSFP56",), ("ethernet", 200.0)): "nvidia-sn4600"}
"""Where the lanes of a shell are slower than those of the switch above."""


def ways(type_: ServerType) -> list[tuple[str, str]]:
    """(server, switch) for each mode of its fabric NICs."""
    nic = CATALOG.get(next(slot.nic_type_id for slot in type_.slots if slot.purpose == "fabric"))
    assert isinstance(nic, NicType)
    met = {(word, mode.rate_gbps) for mode in nic.port_modes for word in mode.protocols or nic.protocols}
    known = [way for way in sorted(met) if way in SWITCHES]
    return [(type_.id, FOR_SHELL.get((nic.form_factors, way), SWITCHES[way])) for way in known]


WAYS = [way for type_ in SERVERS if type_.id not in CHIPS and not type_.is_storage for way in ways(type_)]


def check(design: Design) -> None:
    errors = [finding for finding in validate(design).findings if finding.severity is Severity.ERROR]
    assert not errors, errors[0]
    result = simulate(build(design), Scenario(traffic="permutation:1", size_bytes=1e6))
    assert result.time_s > 0


@pytest.mark.parametrize(("server", "switch"), WAYS)
def test_a_server_is_built_into_a_fat_tree_and_carries_traffic(server, switch):
    design = Design()
    parameters = FatTreeParameters(server=server, switch=switch, servers=2, tiers="2")
    design.apply(fat_tree.build(design, parameters, CATALOG))
    check(design)


@pytest.mark.parametrize(("server", "switch"), [way for way in WAYS if CATALOG.get(way[0]).gpus <= 16])
def test_a_server_is_built_into_a_rail_optimized_fabric_and_carries_traffic(server, switch):
    design = Design()
    design.apply(
        rail_optimized.build(design, RailOptimizedParameters(server=server, switch=switch, servers=4), CATALOG)
    )
    check(design)


@pytest.mark.parametrize("switch", [type_.id for type_ in CATALOG.switches() if "nvlink" not in type_.protocols])
def test_a_switch_is_built_into_a_fat_tree_of_hosts_at_its_rate_and_carries_traffic(switch):
    type_ = CATALOG.get(switch)
    assert isinstance(type_, SwitchType)
    design = Design()
    parameters = FatTreeParameters(
        server="generic-host", switch=switch, servers=6, tiers="2", nic_rate_gbps=type_.modes[0].rate_gbps
    )
    design.apply(fat_tree.build(design, parameters, CATALOG))
    check(design)


@pytest.mark.parametrize("chip", CHIPS)
def test_a_chip_is_the_node_of_a_torus_and_carries_traffic(chip):
    design = Design()
    dims = (4, 4) if chip == "tpu-v6e-chip" else (3, 3, 3)
    design.apply(torus.build(design, TorusParameters(dims=dims, node=chip), CATALOG))
    check(design)


def test_there_is_a_way_for_every_server():
    assert {server for server, _ in WAYS} | set(CHIPS) == {type_.id for type_ in SERVERS}


@pytest.mark.parametrize(("server", "dpus"), [("dgx-b200", 2), ("gb200-nvl72", 36)])
def test_ports_of_one_card_go_into_the_storage_and_the_in_band_network(server, dpus):
    design = Design()
    design.apply(fat_tree.build(design, FatTreeParameters(server=server, servers=2, tiers="2"), CATALOG))
    both = NetworkParameters(storage_switch="nvidia-qm9700", in_band_switch="nvidia-sn5600")
    design.apply(networks.build(design, both, CATALOG))
    cards = [module for module in design.modules.values() if module.type_id == "bluefield-3-dpu-2p"]
    assert len(cards) == 2 * dpus
    ports = [port for server_ in design.servers() for port in design.ports(server_.id) if port.purpose != "fabric"]
    assert [len([port for port in ports if port.purpose == purpose]) for purpose in ("in-band", "storage")] == [
        2 * dpus,
        2 * dpus,
    ]
    used = {end for link in design.links.values() for end in (link.a, link.b)}
    assert sum(1 for end in used if "dpu" in end.port) == 4 * dpus
    assert not [finding for finding in validate(design).findings if finding.severity is Severity.ERROR]

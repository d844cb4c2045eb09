"""NICs that lack a cable, GPUs that lack a NIC: found where the rail or plane is built, and only there."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, removed
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.regeneration import recipes
from designer.simulation.explain.reasons import way_name
from designer.storage import document
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.families import FAMILIES
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.networks import build as build_networks
from designer.validation.engine import validate
from designer.validation.findings import Severity


def found(design, code):
    return [finding for finding in validate(design).findings if finding.code == code]


def pull(design, server, *ports):
    """Takes the cables off these ports of a server."""
    ids = [design.links_at(End(design.find(server).id, port))[0] for port in ports]
    design.apply(Edit("pull", removed([design.links[one] for one in ids])))


def take_out(design, server, slot):
    """Takes the NIC, with its cables, out of a slot."""
    server_id = design.find(server).id
    (module,) = (one for one in design.modules_of(server_id) if one.slot == slot)
    design.apply(operations.delete(design, [module.id]))


def reserving(device, names):
    return Edit("reserve", (Change(device, replace(device, reserved_ports=names)),))


def rails(catalog, **fields):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(**{"servers": 32, "servers_per_su": 16, **fields})
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


def tree(catalog, **fields):
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters(**{"servers": 8, **fields}), catalog))
    return design


def test_nics_without_a_cable_are_one_finding_and_the_fix_connects_them_to_their_own_rails(catalog):
    design = rails(catalog)
    missing = ("rail1", "rail3", "rail5", "rail7")
    server = design.find("gpu-18").id
    before = {port: design.links[design.links_at(End(server, port))[0]].b.device_id for port in missing}
    pull(design, "gpu-18", *missing)
    (finding,) = found(design, "NIC-003")
    assert finding.message == "gpu-18: 4 of 8 fabric NICs have no cable: " + (
        "rail1 (OSFP4P2), rail3 (OSFP3P1), rail5 (OSFP1P2), rail7 (OSFP2P1)"
    )
    assert (finding.subjects, finding.value, finding.limit) == ((server,), 4, 0)
    assert finding.fix.label == "Connect 4 NICs of gpu-18"
    design.apply(finding.fix)
    assert not found(design, "NIC-003")
    assert {port: design.links[design.links_at(End(server, port))[0]].b.device_id for port in missing} == before


def test_a_nic_whose_leaf_is_full_is_named_with_the_reason_and_has_no_fix(catalog):
    design = rails(catalog, servers=31)
    pull(design, "gpu-02", "rail3")
    leaf = design.find("leaf-su1-r3")
    free = tuple(port.name for port in design.free_ports(leaf.id))
    taken = next(iter(design.used_ports(leaf.id)))
    design.apply(reserving(leaf, (taken, *free)))  # one of them is in use, and counts as that alone
    (finding,) = found(design, "NIC-003")
    assert finding.message == "gpu-02: 1 of 8 fabric NICs has no cable: rail3 (OSFP3P1)"
    assert finding.fix is None
    assert "leaf-su1-r3 has no free port for rail3 (OSFP3P1) (" in finding.reason
    assert f"{len(free)} reserved)" in finding.reason


def test_a_port_of_a_plane_that_is_built_needs_its_cable(catalog):
    design = tree(catalog, server="generic-server-8x2x200g", switch="nvidia-sn5600", planes=2, nic_rate_gbps=200.0)
    assert not found(design, "NIC-003")
    server = design.find("gpu-03").id
    ports = [port.name for port in design.ports(server) if port.purpose == "fabric"]
    leaf = design.links[design.links_at(End(server, ports[1]))[0]].b.device_id
    pull(design, "gpu-03", ports[1])
    (finding,) = found(design, "NIC-003")
    assert finding.message == f"gpu-03: 1 of 16 fabric NIC ports has no cable: {ports[1]}"
    design.apply(finding.fix)
    assert design.links[design.links_at(End(server, ports[1]))[0]].b.device_id == leaf


def test_a_leaf_switch_that_states_the_rail_makes_it_a_rail_that_is_built(bare):
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2")
    bare.add("dgx-h100", "host-1")
    for number, name in enumerate(("leaf-1", "leaf-2"), start=1):
        leaf = bare.device(name)
        bare.change(leaf, replace(leaf, rail=number))
    bare.join("host-1", "leaf-2")
    (finding,) = (one for one in found(bare.design, "NIC-003") if one.fix is not None)
    assert finding.message == "host-1: 1 of 8 fabric NICs has no cable: rail1 (OSFP4P2)"
    bare.design.apply(finding.fix)
    (link,) = bare.design.links_of(bare.id("leaf-1"))
    assert {link.a, link.b} >= {End(bare.id("host-1"), "rail1")}


def test_a_nic_of_which_few_servers_have_a_cable_is_no_rail(catalog):
    assert not found(tree(catalog, nics_per_server=4), "NIC-003")
    design = tree(catalog)
    for server in design.servers()[:4]:
        pull(design, server.name, "rail5")
    assert len(found(design, "NIC-003")) == 4
    pull(design, "gpu-05", "rail5")
    (finding,) = found(design, "NIC-003")
    assert finding.message == "5 of 40 compute ports of 5 servers have no link: rail5 (OSFP1P2)"


def test_nics_that_lose_their_cables_on_all_servers_are_one_finding(catalog):
    design = tree(catalog)
    for server in design.servers():
        pull(design, server.name, "rail5", "rail6")
    (finding,) = found(design, "NIC-003")
    assert finding.message == "16 of 64 compute ports of 8 servers have no link: rail5 (OSFP1P2), rail6 (OSFP2P2)"
    assert finding.subjects == tuple(server.id for server in design.servers())
    assert (finding.severity, finding.value, finding.limit) == (Severity.WARNING, 16, 0)
    for server in design.servers():
        design.apply(reserving(server, ("rail5", "rail6")))
    assert not found(design, "NIC-003")


def test_servers_of_two_types_with_idle_nics_are_two_findings_and_one_server_is_named(bare):
    bare.add("nvidia-qm9700", "leaf-1")
    bare.add("dgx-h100", "host-1")
    bare.add("dgx-b200", "host-2")
    bare.join("host-1", "leaf-1", 7)
    bare.join("host-2", "leaf-1", 6)
    heads = [one.message.partition(":")[0] for one in found(bare.design, "NIC-003")]
    assert heads == ["1 of 8 compute ports of host-1 has no link", "2 of 8 compute ports of host-2 have no link"]


def test_a_second_port_of_a_nic_in_use_and_what_another_plane_would_use_may_be_free(catalog):
    design = tree(catalog, server="generic-server-8x2x200g", switch="nvidia-sn5600", planes=2, nic_rate_gbps=200.0)
    for server in design.servers():
        ports = [port for port in design.ports(server.id) if port.purpose == "fabric"]
        pull(design, server.name, *(port.name for port in ports[1::2]))
    assert not found(design, "NIC-003")
    row = next(one for one in FAMILIES if one.name == "fat-tree")
    one_plane = Design()
    one_plane.apply(recipes.generated(one_plane, row, row.parameters(servers=8, planes=2, only_plane=1), catalog))
    assert any(
        not one_plane.links_at(End(server.id, port.name))
        for server in one_plane.servers()
        for port in one_plane.ports(server.id)
        if port.purpose == "fabric"
    )
    assert not found(one_plane, "NIC-003")


def test_a_reserved_port_of_a_server_needs_no_cable(catalog):
    design = rails(catalog)
    pull(design, "gpu-02", "rail2")
    server = design.find("gpu-02")
    design.apply(reserving(server, ("rail2",)))
    assert not found(design, "NIC-003")


def test_servers_without_gpus_may_leave_nics_without_a_cable(fabric):
    dgx = fabric.catalog.get("dgx-h100")
    slots = tuple(replace(slot, gpu=None) for slot in dgx.slots)
    node = replace(dgx, id="storage-node", gpus=0, slots=slots)
    for name in ("store-1", "store-2"):
        fabric.design.apply(
            operations.add_device(fabric.design, node, 0, 0, catalog_types=fabric.catalog.types, name=name)
        )
    fabric.join("store-1", "leaf-1", 4)
    fabric.join("store-2", "leaf-1", 1)
    assert not found(fabric.design, "NIC-003")


def test_a_gpu_whose_slot_is_empty_is_named_and_the_fix_installs_and_connects_the_nic(catalog):
    design = rails(catalog)
    server = design.find("gpu-07").id
    leaf = design.links[design.links_at(End(server, "rail3"))[0]].b.device_id
    take_out(design, "gpu-07", "rail3")
    (finding,) = found(design, "NIC-004")
    assert finding.message == "gpu-07: 1 of 8 GPUs has no NIC of its own: GPU 2 (slot rail3 is empty)"
    assert (finding.subjects, finding.value, finding.limit) == ((server,), 1, 0)
    assert not found(design, "NIC-003")
    design.apply(finding.fix)
    assert not found(design, "NIC-004") and not found(design, "NIC-003")
    assert design.links[design.links_at(End(server, "rail3"))[0]].b.device_id == leaf


def test_no_nic_is_offered_where_its_leaf_has_no_port_for_it(catalog):
    design = rails(catalog)
    take_out(design, "gpu-07", "rail3")
    leaf = design.find("leaf-su1-r3")
    design.apply(reserving(leaf, tuple(port.name for port in design.free_ports(leaf.id))))
    (finding,) = found(design, "NIC-004")
    assert finding.fix is None
    assert "leaf-su1-r3 has no free port for rail3" in finding.reason


def test_slots_that_most_servers_leave_empty_are_no_finding(catalog):
    design = rails(catalog)
    for server in design.servers()[1:]:
        take_out(design, server.name, "rail3")
    assert not found(design, "NIC-004")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_no_family_leaves_a_nic_behind_with_or_without_the_other_networks(family, catalog):
    design = Design()
    design.apply(family.build(design, family.parameters(), catalog))
    assert not found(design, "NIC-003") and not found(design, "NIC-004")
    if not any(design.device_type(one.id).id == "dgx-h100" for one in design.servers()):
        return
    design.apply(build_networks(design, NetworkParameters(storage_switch="nvidia-qm9700"), catalog))
    assert not found(design, "NIC-003") and not found(design, "NIC-004")


def test_eight_of_many_nics_are_named_and_the_others_counted(bare):
    server = replace(
        bare.catalog.get("dgx-h100"),
        id="wide",
        gpus=10,
        slots=tuple(Slot(f"n{number}", gpu=number) for number in range(10)),
    )
    bare.put(NicType("nic", "Acme", "Card", ("infiniband",), 1, 400.0), server)
    bare.add("nvidia-qm9700", "leaf")
    bare.put(Device("d100", "a", "wide"), Device("d101", "b", "wide"))
    for device, first in (("d100", 0), ("d101", 10)):
        bare.put(*(Module(f"m{first + number + 1}", device, f"n{number}", "nic") for number in range(10)))
    free = [port.name for port in bare.design.free_ports(bare.id("leaf"))]
    for number in range(20):
        device, name = ("d100", "d101")[number // 10], f"n{number % 10}"
        bare.put(Link(f"l{number + 1}", End(device, name), End(bare.id("leaf"), free[number])))
    names = [f"n{number}" for number in range(10)]
    pull(bare.design, "b", *names[:8])
    (finding,) = found(bare.design, "NIC-003")
    assert finding.message == f"b: 8 of 10 fabric NICs have no cable: {', '.join(names[:8])}"
    pull(bare.design, "b", names[8])
    (finding,) = found(bare.design, "NIC-003")
    assert finding.message == f"b: 9 of 10 fabric NICs have no cable: {', '.join(names[:8])} and 1 more"


def test_a_port_is_named_as_in_the_design_and_as_the_chassis_prints_it():
    design = document.load(Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric")
    server = design.find("gpu-001")
    link = next(one for one in design.links_of(server.id) if "rail1" in (one.a.port, one.b.port))
    design.apply(Edit("cut", (Change(link, None),)))
    (finding,) = [one for one in validate(design).findings if one.code == "NIC-003"]
    assert finding.message == "gpu-001: 1 of 8 fabric NICs has no cable: rail1 (OSFP4P2)"
    graph = build(design)
    arc = next(one for one in range(graph.n_arcs) if graph.port_name(one) == "rail2")
    assert way_name(graph, arc).startswith("gpu-001 rail2 (OSFP")
    assert "(" not in way_name(graph, arc).partition(" -> ")[2]

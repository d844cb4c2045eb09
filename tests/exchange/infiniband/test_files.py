"""InfiniBand subnets as files: nodes as subnet managers call them, every link at both ends, and clear refusals."""

import re
import zipfile
from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.errors import ExportError
from designer.exchange.exporters import BUILT_IN
from designer.exchange.infiniband.files import ibsim_text, topo_text
from designer.exchange.infiniband.subnet import MOST_NAME_BYTES, subnet
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.topologies import networks, rail_optimized

CATALOG = load()
EXPORTER = {one.name: one for one in BUILT_IN}


def built(**more):
    made = Design()
    wanted = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 4, "servers_per_su": 2, **more}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), CATALOG))
    return made


@pytest.fixture(scope="module")
def pod():
    return built()


def changed(design, *pairs):
    made = design.snapshot()
    made.apply(Edit("change", tuple(Change(before, after) for before, after in pairs)))
    return made


def renamed(design, device_id, name):
    device = design.device(device_id)
    return changed(design, (device, replace(device, name=name)))


def records(text):
    """(kind, ports, name) -> {port: (peer, peer port)} of a netlist."""
    found = {}
    for record in text.split("\n\n"):
        head, *lines = record.strip().split("\n")
        kind, ports, name = re.fullmatch(r'(Switch|Hca) (\d+) "([^"]+)"', head).groups()
        wires = (re.fullmatch(r'\[(\d+)\] "([^"]+)"\[(\d+)\]', line).groups() for line in lines)
        found[kind, int(ports), name] = {int(port): (peer, int(far)) for port, peer, far in wires}
    return found


def test_netlist_has_an_adapter_for_each_port_of_a_server_and_every_link_at_both_ends(pod):
    found = records(ibsim_text(subnet(pod)))
    adapters = [name for kind, ports, name in found if kind == "Hca" and ports == 1]
    assert adapters[:3] == ["gpu-01 mlx5_0", "gpu-01 mlx5_1", "gpu-01 mlx5_2"]
    assert len(adapters) == 32
    assert {ports for kind, ports, _ in found if kind == "Switch"} == {64}
    by_name = {name: wires for (_, _, name), wires in found.items()}
    assert sum(len(wires) for wires in by_name.values()) == 2 * len(pod.links)
    for name, wires in by_name.items():
        for port, (peer, far) in wires.items():
            assert by_name[peer][far] == (name, port)


def test_switch_ports_are_numbered_through_split_cages(pod):
    leaf = next(one for one in pod.switches() if one.name == "leaf-su1-r1")
    wires = records(ibsim_text(subnet(pod)))["Switch", 64, leaf.name]
    numbers = {port.name: number for number, port in enumerate(pod.ports(leaf.id), start=1)}
    used = {end.port for link in pod.links_of(leaf.id) for end in (link.a, link.b) if end.device_id == leaf.id}
    assert set(wires) == {numbers[name] for name in used}
    assert numbers["2/1"] == 3


def test_a_network_is_written_alone():
    both = built()
    both.apply(networks.build(both, networks.NetworkParameters(storage_switch="nvidia-qm9700"), CATALOG))
    export = EXPORTER["ibsim"].read
    every = subnet(both).nodes
    compute, storage = (subnet(both, export({"networks": name}).networks).nodes for name in ("compute", "storage"))
    assert 0 < len(storage) < len(compute) < len(every)
    assert {node.device_id for node in storage if node.is_switch}.isdisjoint(
        node.device_id for node in compute if node.is_switch
    )


def test_topology_names_systems_that_come_with_it(pod, tmp_path):
    path = tmp_path / "pod.zip"
    EXPORTER["topo"].write(pod, path)
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    topology = next(text for name, text in texts.items() if name.endswith(".topo"))
    kinds = {line.split()[0] for line in topology.split("\n") if line and not line.startswith(" ")}
    assert {f"ibnl/{kind}.ibnl" for kind in kinds} == {name for name in texts if name.startswith("ibnl/")}
    assert "   mlx5_0/P1 -> nvidia_qm9700 leaf-su1-r1 P1\n" in topology
    assert "NODE SW 64 nvidia_qm9700 U1\n   1 -> P1\n" in texts["ibnl/nvidia_qm9700.ibnl"]
    assert texts["ibnl/dgx_h100.ibnl"].count("NODE CA 1 ") == 8
    alone = tmp_path / "pod.topo"
    EXPORTER["topo"].write(pod, alone)
    assert alone.read_text() == topology


def test_servers_with_other_adapters_cabled_are_other_systems(pod):
    server = pod.servers()[0]
    first = pod.links_of(server.id)[0]
    kinds = {line.split()[0] for line in topo_text_of(changed(pod, (first, None))).split("\n") if line[:1].strip()}
    assert kinds == {"dgx_h100", "dgx_h100_2", "nvidia_qm9700"}


def topo_text_of(design):
    return topo_text(design, subnet(design))


def test_the_same_design_gives_the_same_bytes(pod, tmp_path):
    for name, suffix in (("ibsim", ".net"), ("topo", ".zip")):
        for stem in ("one", "two"):
            EXPORTER[name].write(pod, tmp_path / f"{stem}{suffix}")
        assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_the_order_of_nodes_does_not_depend_on_what_was_undone(pod):
    design = pod.snapshot()
    edit = operations.delete(design, [design.servers()[0].id])
    design.apply(edit)
    design.apply(edit.inverted())
    assert next(iter(design.devices)) != next(iter(pod.devices))
    assert ibsim_text(subnet(design)) == ibsim_text(subnet(pod))


def test_a_link_from_a_port_to_itself_is_refused(pod):
    link = pod.links_of(pod.servers()[0].id)[0]
    looped = changed(pod, (link, replace(link, b=link.a)))
    with pytest.raises(ExportError, match=r"is linked to itself: remove the link first$"):
        subnet(looped)


def test_names_are_data_and_stay_apart(pod):
    first, second = pod.servers()[:2]
    hostile = renamed(renamed(pod, first.id, 'a"] [1] "b'), second.id, "a__ _1_ _b")
    text = ibsim_text(subnet(hostile))
    found = records(text)
    assert len(found) == len(records(ibsim_text(subnet(pod))))
    assert {name.split()[0] for kind, _, name in found if kind == "Hca"} >= {"a____1___b", "a____1___b_2"}


def test_a_name_that_no_node_can_have_is_refused(pod):
    server = pod.servers()[0]
    fits = "x" * (MOST_NAME_BYTES - len(" mlx5_0"))
    subnet(renamed(pod, server.id, fits))
    with pytest.raises(ExportError, match="is longer than the 63 letters"):
        subnet(renamed(pod, server.id, fits + "x"))


def test_two_links_in_a_port_are_refused(pod):
    one, other = pod.links_of(pod.servers()[0].id)[:2]
    near = next(end for end in (one.a, one.b) if pod.is_server(end.device_id))
    far = other.b if pod.is_server(other.a.device_id) else other.a
    twice = changed(pod, (other, replace(other, a=near, b=far)))
    with pytest.raises(ExportError, match=r"gpu-01 port .* has two links: remove one of them first"):
        subnet(twice)


def test_a_link_into_no_port_and_an_ethernet_fabric_are_left_out(pod):
    link = pod.links_of(pod.servers()[0].id)[0]
    broken = changed(pod, (link, replace(link, a=End(link.a.device_id, "none"))))
    assert sum(len(node.wires) for node in subnet(broken).nodes) == 2 * len(pod.links) - 2
    with pytest.raises(ExportError, match="there is no InfiniBand link to write"):
        subnet(built(switch="nvidia-sn5600"))

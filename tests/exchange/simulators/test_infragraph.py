"""InfraGraph: kinds of devices, an instance per device, an edge per link, and the graph that InfraGraph makes of it."""

import pytest
import yaml
from exported_designs import CATALOG, family, outcome, rails, renamed, written

from designer.errors import ExportError
from designer.model.design import Design
from designer.topologies import networks


@pytest.fixture(scope="module")
def pod():
    return rails()


def read(design, tmp_path, **options):
    return yaml.safe_load(written("infragraph", design, tmp_path, **options))


def test_every_device_is_an_instance_of_its_kind_and_every_link_an_edge(pod, tmp_path):
    found = read(pod, tmp_path)
    assert [one["name"] for one in found["devices"]] == ["dgx-h100", "nvidia-qm9700"]
    assert {one["name"]: one["device"] for one in found["instances"]} == {
        device.name: device.type_id for device in pod.devices.values()
    }
    assert found["links"] == [
        {"name": "400G", "physical": {"bandwidth": {"choice": "gigabits_per_second", "gigabits_per_second": 400}}}
    ]
    place = {one.id: {port.name: n for n, port in enumerate(pod.ports(one.id))} for one in pod.devices.values()}

    def end(one):
        kind = "nic" if pod.is_server(one.device_id) else "port"
        return f"{pod.device(one.device_id).name}[0]", f"{kind}[{place[one.device_id][one.port]}]"

    ours = {frozenset((end(link.a), end(link.b))) for link in pod.links.values()}
    theirs = {frozenset((e["instance"], e["component"]) for e in (one["ep1"], one["ep2"])) for one in found["edges"]}
    assert ours == theirs and len(found["edges"]) == len(pod.links)
    assert outcome("infragraph", pod) == f"{len(pod.devices)} instances, {len(pod.links)} edges"


def test_a_network_is_written_alone(tmp_path):
    both = rails()
    both.apply(networks.build(both, networks.NetworkParameters(storage_switch="nvidia-qm9700"), CATALOG))
    every, storage = read(both, tmp_path), read(both, tmp_path, networks="storage")
    assert 0 < len(storage["edges"]) < len(every["edges"])
    host = next(one for one in storage["devices"] if one["name"] == "dgx-h100")
    assert any(one["name"] == "host" for one in host["components"])


def test_names_are_data(pod, tmp_path):
    hostile = renamed(pod, gpu_01="a[0:2].nic[0]", gpu_02='"}\\', gpu_03="!!python/x: {}", gpu_04="yes")
    names = [one["name"] for one in read(hostile, tmp_path)["instances"]][:4]
    assert names == ["a-0-2--nic-0", "node", "python-x", "yes"]
    assert "3 names changed to what an instance of InfraGraph can be called" in outcome("infragraph", hostile)


def test_an_empty_design_is_refused_and_the_same_gives_the_same_bytes(pod, tmp_path):
    with pytest.raises(ExportError, match="there is no link to write: connect servers and switches first"):
        read(Design(), tmp_path)
    assert written("infragraph", pod, tmp_path) == written("infragraph", pod.snapshot(), tmp_path)


DESIGNS = {
    "rails": rails,
    "pairs": lambda: rails(server="mi300x-8gpu", servers=2, servers_per_su=1),
    "dragonfly": lambda: family("dragonfly", a=4, p=2, h=2, groups=3),
    "rack": lambda: rails(server="gb200-nvl72", servers=2, servers_per_su=1),
    "names": lambda: renamed(rails(), gpu_01="a[0:2].nic[0]", gpu_02="spine-01", leaf_su1_r1="0"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DESIGNS)
def test_infragraph_builds_its_graph_with_the_same_nodes_and_edges(kind, tmp_path):
    service = pytest.importorskip("infragraph.infragraph_service", reason="infragraph is not installed")
    design = DESIGNS[kind]()
    reader = service.InfraGraphService()
    reader.set_graph(written("infragraph", design, tmp_path))
    graph = reader.get_networkx_graph()
    inside = outside = 0
    for device in design.devices.values():
        ports, type_ = len(design.ports(device.id)), design.device_type(device.id)
        if design.is_switch(device.id):
            inside += 1 + ports
            outside += ports
            continue
        inside += ports + type_.gpus
        paired = type_.scale_up is not None and type_.scale_up.gbytes_per_s_per_pair is not None
        crossbar = type_.scale_up is not None and not paired and type_.gpus > 1
        inside += crossbar
        outside += type_.gpus if crossbar else type_.gpus * (type_.gpus - 1) // 2 if paired else 0
        fabric = [port for port in design.ports(device.id) if port.purpose == "fabric"]
        outside += sum(type_.gpus if port.gpu is None else 1 for port in fabric)
        apart = ports - len(fabric)
        inside += bool(apart)
        outside += apart + (type_.gpus if apart else 0)
    assert graph.number_of_nodes() == inside
    assert graph.number_of_edges() == outside + len(design.links)
    between = [one for one in graph.edges(data=True) if one[0].split(".")[0] != one[1].split(".")[0]]
    assert len(between) == len(design.links)
    assert all("bandwidth" in data for _, _, data in between)

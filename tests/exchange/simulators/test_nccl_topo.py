"""Topologies of NCCL: what a server type has, with nothing that no source states."""

import zipfile
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from exported_designs import EXPORTER, family, outcome, rails, written

from designer.errors import ExportError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit

NCCL = EXPORTER["nccl-topo"]


@pytest.fixture(scope="module")
def pod():
    return rails()


def system(design, tmp_path, **options):
    text = written("nccl-topo", design, tmp_path, ".xml", **options)
    assert text.startswith('<system version="1">\n') and "  <?xml" not in text
    assert max(len(value) for one in ET.fromstring(text).iter() for value in one.attrib.values()) < 255
    return ET.fromstring(text)


def test_a_server_has_its_gpus_each_with_its_nic_behind_one_bridge(pod, tmp_path):
    root = system(pod, tmp_path)
    (cpu,) = root.findall("cpu")
    bridges = cpu.findall("pci")
    assert len(bridges) == 8
    for number, bridge in enumerate(bridges):
        assert bridge.get("class") == "0x060400"
        gpu, net = bridge.find("pci/gpu"), bridge.find("pci/nic/net")
        assert (gpu.get("dev"), gpu.get("rank"), gpu.get("sm")) == (str(number), str(number), "90")
        assert (net.get("name"), net.get("dev"), net.get("speed")) == (f"mlx5_{number}", str(number), "400000")
        link = gpu.find("nvlink")
        assert (link.get("count"), link.get("tclass")) == ("18", "0x068000")
    ids = [one.get("busid") for one in root.iter("pci")]
    assert len(set(ids)) == len(ids) == 24 and ids == sorted(ids) and ids == [one.lower() for one in ids]


def test_what_is_not_known_is_left_out_and_said(pod, tmp_path):
    root = system(pod, tmp_path)
    assert root.find("cpu").attrib == {"numaid": "0"}
    assert {one.get("link_speed") for one in root.iter("pci")} == {""}
    said = outcome("nccl-topo", pod)
    assert said.startswith("dgx-h100: 8 GPUs, 8 NIC ports; Addresses on the PCI bus are stand-ins")
    assert said.endswith("The processor is left out: choose it with cpu=.")


def test_hosts_without_gpus_are_left_out_next_to_others(tmp_path):
    groups = {"groups": 2, "other_groups": (("io", (1, 4, 1)),), "kind_servers": (("io", "generic-node"),)}
    machine = family("dragonfly", p=2, server="polaris-a100-node", link_rate_gbps=200.0, **groups)
    assert outcome("nccl-topo", machine).startswith("polaris-a100-node: 4 GPUs, 2 NIC ports; ")
    assert len(list(system(machine, tmp_path).iter("gpu"))) == 4
    with pytest.raises(ExportError, match="generic-node-200g has no GPU"):
        system(machine, tmp_path, server="generic-node-200g")


def test_processor_and_numa_nodes_are_options(pod, tmp_path):
    root = system(pod, tmp_path, cpu="amd", numa=2)
    cpus = root.findall("cpu")
    assert [one.get("vendor") for one in cpus] == ["AuthenticAMD"] * 2
    assert [len(one.findall("pci")) for one in cpus] == [4, 4]
    with pytest.raises(ExportError, match="dgx-h100 has 8 GPUs, fewer than 9 NUMA nodes"):
        system(pod, tmp_path, numa=9)


def test_a_rack_is_written_as_one_tray(tmp_path):
    racks = rails(server="gb200-nvl72", servers=2, servers_per_su=1)
    assert len(list(system(racks, tmp_path).iter("gpu"))) == 4
    assert "The host is one compute tray; its scale-up domain spans the rack." in outcome("nccl-topo", racks)


def test_scale_up_links_that_nccl_does_not_know_are_left_out(tmp_path):
    paired = rails(server="mi300x-8gpu", servers=2, servers_per_su=1)
    root = system(paired, tmp_path)
    assert not list(root.iter("nvlink")) and all(gpu.get("sm") is None for gpu in root.iter("gpu"))
    assert "Links of Infinity Fabric are left out" in outcome("nccl-topo", paired)


def test_servers_with_other_nics_are_other_files_of_an_archive(pod, tmp_path):
    fewer = pod.snapshot()
    fewer.apply(operations.delete(fewer, [fewer.modules_of(fewer.servers()[1].id)[0].id]))
    with pytest.raises(ExportError, match=r"has 2 kinds of servers \(dgx-h100, dgx-h100-2\), .*: write a .zip"):
        system(fewer, tmp_path)
    for name in ("one.zip", "two.zip"):
        NCCL.write(fewer, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        nets = {name: archive.read(name).count(b"<net ") for name in archive.namelist()}
    assert nets == {"dgx-h100.xml": 8, "dgx-h100-2.xml": 7}


def test_a_type_is_chosen_by_name(pod, tmp_path):
    assert system(pod, tmp_path, server="dgx-h100").tag == "system"
    with pytest.raises(ExportError, match="the design has no server of type dgx-b200; it has dgx-h100"):
        system(pod, tmp_path, server="dgx-b200")
    with pytest.raises(ExportError, match="there is no server to write"):
        system(Design(), tmp_path)


def test_names_of_types_are_data(pod, tmp_path):
    hostile = pod.snapshot()
    type_ = hostile.types["dgx-h100"]
    hostile.apply(Edit("rename", (Change(type_, replace(type_, gpu_model='--><gpu sm="9"/> X')),)))
    root = system(hostile, tmp_path)
    assert len(list(root.iter("gpu"))) == 8 and all(gpu.get("sm") is None for gpu in root.iter("gpu"))


def test_infragraph_reads_it_as_a_server(pod, tmp_path):
    translator = pytest.importorskip("infragraph.translators.nccl_translator", reason="infragraph is not installed")
    service = pytest.importorskip("infragraph.infragraph_service")
    for design, gpus, nics, edges in ((pod, 8, 8, 48), (family("fat-tree", servers=4, server="dgx-h200"), 8, 8, 48)):
        system(design, tmp_path, cpu="amd")
        reader = service.InfraGraphService()
        reader.set_graph(translator.NcclParser(str(tmp_path / "written.xml"), "host").parse())
        graph = reader.get_networkx_graph()
        kinds = [data["type"] for _, data in graph.nodes(data=True)]
        assert (kinds.count("xpu"), kinds.count("nic"), graph.number_of_edges()) == (gpus, nics, edges)

"""Slurm's topology: scalable units as leaves, tiers above them, scale-up domains as blocks, names that Slurm takes."""

import pytest
import yaml
from exported_designs import family, renamed
from scheduler_files import SLURM, expanded, rails, stated, written

from designer.errors import ExportError
from designer.exchange.schedulers.host_lists import hostlist
from designer.model import operations
from designer.model.design import Design


@pytest.fixture(scope="module")
def pod():
    return rails()


@pytest.fixture(scope="module")
def racks():
    """Two racks of 18 compute trays."""
    return rails(server="gb200-nvl72", servers=2, servers_per_su=1)


def test_a_scalable_unit_is_a_leaf_and_the_spines_join_them(pod, tmp_path):
    assert stated(written(pod, tmp_path)) == {
        "SU-1": "Nodes=gpu-[01-04]",
        "SU-2": "Nodes=gpu-[05-08]",
        "SU-3": "Nodes=gpu-[09-12]",
        "spines": "Switches=SU-[1-3]",
    }
    assert "# SU-1 stands for leaf-su1-r[1-8]\n" in written(pod, tmp_path)


def test_a_server_that_lacks_a_rail_stays_in_its_unit(pod, tmp_path):
    fewer = pod.snapshot()
    fewer.apply(operations.delete(fewer, [fewer.links_of(fewer.servers()[0].id)[0].id]))
    assert stated(written(fewer, tmp_path)) == stated(written(pod, tmp_path))


def test_a_server_without_a_link_is_in_no_leaf_and_is_named(pod, tmp_path):
    fewer = pod.snapshot()
    fewer.apply(operations.delete(fewer, [link.id for link in fewer.links_of(fewer.servers()[5].id)]))
    text = written(fewer, tmp_path)
    assert stated(text)["SU-2"] == "Nodes=gpu-[05,07-08]"
    assert "# Without a link, and in no leaf: gpu-06\n" in text
    assert SLURM.outcome(fewer, SLURM.read({})) == "11 hosts in 3 leaves, 1 host without a link left out"


def test_leaf_switches_of_a_fat_tree_are_leaves_under_their_pods(tmp_path):
    found = stated(written(family("k-ary-fat-tree", k=4), tmp_path))
    assert found["leaf-01"] == "Nodes=host-[01-02]"
    assert found["Pod-1"] == "Switches=leaf-[01-02]"
    assert found["cores"] == "Switches=Pod-[1-4]"
    assert len(found) == 8 + 4 + 1


def test_routers_of_a_dragonfly_are_under_their_groups(tmp_path):
    found = stated(written(family("dragonfly", a=4, p=2, h=2, groups=3), tmp_path))
    assert found["Group-2"] == "Switches=router-g2-[1-4]"
    assert found["fabric"] == "Switches=Group-[1-3]"


def test_trays_of_a_rack_are_the_hosts_of_a_block(racks, tmp_path):
    assert stated(written(racks, tmp_path, topology="block")) == {
        "gpu-01": "Nodes=gpu-01-t[01-18]",
        "gpu-02": "Nodes=gpu-02-t[01-18]",
    }
    assert written(racks, tmp_path, topology="block").endswith("BlockSizes=18\n")
    assert stated(written(racks, tmp_path))["Rack-1"] == "Nodes=gpu-01-t[01-18]"


def test_servers_that_share_scale_up_switches_are_a_block_and_no_tree(tmp_path):
    domain = family("scale-up")
    assert stated(written(domain, tmp_path)) == {"domain": "Nodes=gpu-[01-18]"}
    with pytest.raises(ExportError, match="there is no tree: no server is linked to a switch"):
        written(domain, tmp_path, topology="tree")


def test_the_smallest_block_is_the_base_size(tmp_path):
    domains = family("scale-up", groups=2)
    fewer = domains.snapshot()
    fewer.apply(operations.delete(fewer, [fewer.servers()[0].id]))
    text = written(fewer, tmp_path)
    assert [len(expanded(one.partition("=")[2])) for one in stated(text).values()] == [17, 18]
    assert text.endswith("BlockSizes=17\n")


def test_yaml_has_the_tree_and_the_blocks(racks, tmp_path):
    tree, blocks = yaml.safe_load(written(racks, tmp_path, ".yaml"))
    assert (tree["topology"], tree["cluster_default"]) == ("fabric", True)
    assert tree["tree"]["switches"][0] == {"switch": "Rack-1", "nodes": "gpu-01-t[01-18]"}
    assert tree["tree"]["switches"][-1] == {"switch": "spines", "children": "Rack-[1-2]"}
    assert (blocks["topology"], blocks["cluster_default"]) == ("scale-up", False)
    assert blocks["block"]["block_sizes"] == [18]
    assert [one["block"] for one in blocks["block"]["blocks"]] == ["gpu-01", "gpu-02"]
    (only,) = yaml.safe_load(written(racks, tmp_path, ".yaml", topology="block"))
    assert only["cluster_default"] is True


def test_blocks_of_single_servers_are_refused_with_the_way_out(pod, tmp_path):
    with pytest.raises(ExportError, match=r"there are no blocks: .* Write the tree instead \(topology=tree\)"):
        written(pod, tmp_path, topology="block")
    assert [one["topology"] for one in yaml.safe_load(written(pod, tmp_path, ".yaml"))] == ["fabric"]


def test_an_empty_design_is_refused(tmp_path):
    with pytest.raises(ExportError, match="there is no server to list"):
        written(Design(), tmp_path)


def test_names_are_data(pod, tmp_path):
    hostile = renamed(
        pod,
        gpu_01='x SwitchName=evil Nodes=gpu-[02-03] #"',
        gpu_02="DEFAULT",
        gpu_03="10.0.0.1",
        gpu_04="gpu-05",
        leaf_su1_r1="a, b",
    )
    text = written(hostile, tmp_path)
    first = expanded(stated(text)["SU-1"].partition("=")[2])
    assert first == ["x-SwitchName-evil-Nodes-gpu--02-03", "DEFAULT-2", "host-10-0-0-1", "gpu-05"]
    assert stated(text)["SU-2"] == "Nodes=gpu-05-2,gpu-[06-08]"
    assert len(stated(text)) == 4
    assert "a--b" in text and "a, b" not in text
    said = SLURM.outcome(hostile, SLURM.read({}))
    assert "4 names changed to what a host can be called: x Switch" in said and "DEFAULT is DEFAULT-2" in said
    assert said.endswith(" and 1 more")
    assert yaml.safe_load(written(hostile, tmp_path, ".yaml"))[0]["tree"]["switches"][0]["switch"] == "SU-1"


def test_a_name_that_no_host_can_have_is_refused(pod, tmp_path):
    written(renamed(pod, gpu_01="x" * 63), tmp_path)
    with pytest.raises(ExportError, match="has 64 letters, and a host has at most 63: give it a shorter name"):
        written(renamed(pod, gpu_01="x" * 64), tmp_path)


def test_the_same_design_gives_the_same_bytes_whatever_was_undone(pod, tmp_path):
    again = pod.snapshot()
    edit = operations.delete(again, [again.servers()[0].id])
    again.apply(edit)
    again.apply(edit.inverted())
    for suffix in (".conf", ".yaml"):
        assert written(again, tmp_path, suffix) == written(pod, tmp_path, suffix)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["gpu-01", "gpu-02", "gpu-04"], "gpu-[01-02,04]"),
        (["gpu-9", "gpu-10", "gpu-11"], "gpu-[9,10-11]"),
        (["a", "b1", "b2", "a"], "a,b[1-2],a"),
        (["b1", "c1"], "b1,c1"),
        (["gpu-2", "gpu-1"], "gpu-[2,1]"),
        (["r1-t1", "r1-t2", "r2-t1"], "r1-t[1-2],r2-t1"),
        ([], ""),
    ],
)
def test_runs_of_names_become_ranges(names, text):
    assert hostlist(names) == text
    assert expanded(text) == names

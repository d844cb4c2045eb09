"""Hedgehog, Air and containerlab: nodes and links as each calls them, refusals, and names as data."""

import json
import re
from dataclasses import replace
from functools import partial

import exported_designs
import pytest
import yaml
from exported_designs import CATALOG, EXPORTER, changed, family, outcome, renamed, written

from designer.errors import ExportError
from designer.exchange.labs.options import AirOptions
from designer.model.design import Design
from designer.topologies import networks

LABS = ("hedgehog", "air", "containerlab")
rails = partial(exported_designs.rails, switch="nvidia-sn5600")


@pytest.fixture(scope="module")
def pod():
    return rails()


def ends_of(design):
    """Both ends of each link as (device, port name)."""
    return {
        frozenset((design.device(end.device_id).name, end.port) for end in (link.a, link.b))
        for link in design.links.values()
    }


def hedgehog(design, tmp_path, **options):
    """Objects by (kind, name)."""
    documents = yaml.safe_load_all(written("hedgehog", design, tmp_path, **options))
    found = {}
    for one in documents:
        assert one["apiVersion"] == "wiring.githedgehog.com/v1beta1"
        key = one["kind"], one["metadata"]["name"]
        assert key not in found and re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", key[1])
        found[key] = one["spec"]
    return found


def test_air_has_nodes_with_images_and_links_with_the_ports_of_the_design(pod, tmp_path):
    found = json.loads(written("air", pod, tmp_path, switch_os="cumulus-vx-5.14"))
    nodes, links = found["content"]["nodes"], found["content"]["links"]
    assert (found["format"], found["content"]["oob"]) == ("JSON", False)
    assert nodes["gpu-01"] == {"os": "generic/ubuntu2404"}
    assert nodes["spine-01"] == {"os": "cumulus-vx-5.14"} and len(nodes) == len(pod.devices)
    assert {frozenset((end["node"], end["interface"]) for end in link) for link in links} == ends_of(pod)
    assert outcome("air", pod) == (
        "4 servers, 17 switches, 64 links; switches run cumulus-vx-5.16.1, servers generic/ubuntu2404"
    )
    with pytest.raises(ExportError, match="Air needs an image for each node: write switch-os="):
        EXPORTER["air"].write(pod, tmp_path / "air.json", AirOptions(switch_os=" "))


def test_air_names_ports_of_other_makers_as_cumulus_does(tmp_path):
    found = json.loads(written("air", rails(switch="arista-7060x6-64pe"), tmp_path))
    names = {end["interface"] for link in found["content"]["links"] for end in link if end["node"].startswith("leaf")}
    assert names and all(re.fullmatch(r"swp[0-9]+(s[0-9]+)?", name) for name in names)


def test_containerlab_numbers_ports_and_says_their_names(pod, tmp_path):
    text = written("containerlab", pod, tmp_path)
    found = yaml.safe_load(text)["topology"]
    assert found["nodes"]["gpu-01"] == {"kind": "linux"}
    assert found["nodes"]["leaf-su1-r1"] == {"kind": "nvidia_cumulusvx"}
    place = {one.id: {port.name: n for n, port in enumerate(pod.ports(one.id), 1)} for one in pod.devices.values()}
    ours = {
        frozenset(f"{pod.device(end.device_id).name}:eth{place[end.device_id][end.port]}" for end in (link.a, link.b))
        for link in pod.links.values()
    }
    assert {frozenset(link["endpoints"]) for link in found["links"]} == ours
    link = pod.links_of(pod.servers()[0].id)[0]
    assert f"# {', '.join(sorted((link.a.port, link.b.port)))}\n" in text
    assert outcome("containerlab", pod).endswith("images are left out: state them with switch-image and server-image")


def test_kinds_and_images_of_containerlab_are_options(pod, tmp_path):
    options = {"switch_kind": "arista_ceos", "switch_image": "ceos:4.34", "server_image": "alpine:3"}
    nodes = yaml.safe_load(written("containerlab", pod, tmp_path, **options))["topology"]["nodes"]
    assert nodes["spine-01"] == {"kind": "arista_ceos", "image": "ceos:4.34"}
    assert nodes["gpu-01"] == {"kind": "linux", "image": "alpine:3"}
    arista = yaml.safe_load(written("containerlab", rails(switch="arista-7060x6-64pe"), tmp_path))
    assert arista["topology"]["nodes"]["spine-01"] == {"kind": "arista_ceos"}
    generic = yaml.safe_load(written("containerlab", family("k-ary-fat-tree", k=4), tmp_path))
    assert generic["topology"]["nodes"]["leaf-01"] == {"kind": "sonic-vs"}


def test_hedgehog_has_leafs_spines_servers_and_their_connections(pod, tmp_path):
    found = hedgehog(pod, tmp_path)
    kinds = [kind for kind, _ in found]
    assert (kinds.count("Switch"), kinds.count("Server")) == (17, 4)
    assert found["Switch", "leaf-su1-r1"]["role"] == "server-leaf"
    assert found["Switch", "spine-01"]["role"] == "spine"
    assert found["Switch", "leaf-su1-r1"]["portBreakouts"]["E1/1"] == "2x400G"
    assert "profile" not in found["Switch", "leaf-su1-r1"]
    joined = set()
    for (kind, _), spec in found.items():
        if kind == "Connection":
            ((word, body),) = spec.items()
            for link in body.get("links", [body.get("link")]):
                assert set(link) == {"unbundled": {"server", "switch"}, "fabric": {"leaf", "spine"}}[word]
                joined.add(frozenset(one["port"] for one in link.values()))

    def port(end):
        name, one = pod.device(end.device_id).name, pod.port(end)
        return f"{name}/{end.port}" if pod.is_server(end.device_id) else f"{name}/E1/{one.cage}/{one.lane}"

    assert joined == {frozenset(map(port, (link.a, link.b))) for link in pod.links.values()}
    fabric = found["Connection", "spine-01--fabric--leaf-su1-r1"]["fabric"]["links"]
    assert len(fabric) == 2 and all(one["leaf"]["port"].startswith("leaf-su1-r1/E1/64/") for one in fabric)


def test_a_profile_of_hedgehog_is_an_option(pod, tmp_path):
    assert hedgehog(pod, tmp_path, profile="vs")["Switch", "spine-01"]["profile"] == "vs"
    with pytest.raises(ExportError, match="a profile of Hedgehog is called like celestica-ds5000"):
        hedgehog(pod, tmp_path, profile="VS 1")
    assert "profiles of 17 switches are left out" in outcome("hedgehog", pod)


def test_what_hedgehog_has_no_words_for_is_refused(pod, tmp_path):
    with pytest.raises(ExportError, match=r"^core-01 is neither a leaf nor a spine switch, .*: set its role"):
        hedgehog(family("k-ary-fat-tree", k=4), tmp_path)
    link = pod.links_of(pod.servers()[0].id)[0]
    up = next(one for one in pod.links.values() if not any(pod.is_server(e.device_id) for e in (one.a, one.b)))
    spine = next(end for end in (up.a, up.b) if pod.device(end.device_id).role == "spine")
    server = next(end for end in (link.a, link.b) if pod.is_server(end.device_id))
    moved = pod.snapshot()
    moved = changed(changed(moved, up, None), link, replace(link, a=server, b=spine))
    with pytest.raises(ExportError, match="gpu-01 is linked to spine-01, and Hedgehog links servers to leaf switches"):
        hedgehog(moved, tmp_path)


@pytest.mark.parametrize("name", LABS)
def test_infiniband_and_nothing_are_refused(name, tmp_path):
    with pytest.raises(ExportError, match=r"^none of the 64 links speaks Ethernet at both ends and is of the networks"):
        written(name, rails(switch="nvidia-qm9700"), tmp_path)
    with pytest.raises(ExportError, match="there is no link to write: connect servers and switches first"):
        written(name, Design(), tmp_path)


def test_management_ports_and_other_protocols_are_left_out_and_counted(pod, tmp_path):
    managed = pod.snapshot()
    managed.apply(networks.build(managed, networks.NetworkParameters(oob_switch="nvidia-sn2201"), CATALOG))
    nodes = json.loads(written("air", managed, tmp_path))["content"]
    assert not any(end["interface"] == "eth0" for link in nodes["links"] for end in link)
    assert re.search(r"; \d+ links left out: not Ethernet, or of a switch's management port", outcome("air", managed))
    alone = json.loads(written("air", managed, tmp_path, networks="compute"))["content"]
    assert alone == json.loads(written("air", pod, tmp_path))["content"]


@pytest.mark.parametrize("name", LABS)
def test_names_are_data_and_stay_apart(pod, tmp_path, name):
    hostile = renamed(pod, gpu_01='a: [b] "#\\', gpu_02="GPU-03", gpu_03="gpu-03", gpu_04="- !!x {y}", spine_01="yes")
    text = written(name, hostile, tmp_path)
    n_nodes = {
        "air": lambda: len(json.loads(text)["content"]["nodes"]),
        "containerlab": lambda: len(yaml.safe_load(text)["topology"]["nodes"]),
        "hedgehog": lambda: sum(one["kind"] != "Connection" for one in yaml.safe_load_all(text)),
    }[name]()
    assert n_nodes == len(pod.devices)
    assert "!!x" not in text
    assert "names changed to what a" in outcome(name, hostile)


@pytest.mark.parametrize("name", LABS)
def test_the_same_design_gives_the_same_bytes(pod, tmp_path, name):
    assert written(name, pod, tmp_path) == written(name, pod.snapshot(), tmp_path)
    assert EXPORTER[name].group == "Deployment"


def test_two_links_in_a_port_are_refused(pod, tmp_path):
    one, other = pod.links_of(pod.servers()[0].id)[:2]
    near = next(end for end in (one.a, one.b) if pod.is_server(end.device_id))
    far = other.b if pod.is_server(other.a.device_id) else other.a
    twice = changed(pod, other, replace(other, a=near, b=far))
    with pytest.raises(ExportError, match=r"gpu-01 port .* has two links: remove one of them first"):
        written("air", twice, tmp_path)

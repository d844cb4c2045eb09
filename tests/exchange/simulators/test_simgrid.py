"""Platforms of SimGrid: GPUs, links in both directions, the route of each pair, and what cannot be written."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from exported_designs import EXPORTER, family, outcome, rails, renamed, written

from designer.errors import Cancelled, ExportError
from designer.exchange.simulators import simgrid
from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.routing.network import network
from designer.routing.policies import policy_named
from designer.simulation.payload_rate import payload_rate


@pytest.fixture(scope="module")
def pod():
    return rails()


def read(text):
    """(hosts, links by id, routes by pair)."""
    zone = ET.fromstring(text).find("zone")
    hosts = [one.get("id") for one in zone.findall("host")]
    links = {one.get("id"): one.attrib for one in zone.findall("link")}
    routes = {
        (one.get("src"), one.get("dst")): [link.get("id") for link in one.findall("link_ctn")]
        for one in zone.findall("route")
    }
    return hosts, links, routes


def test_a_platform_has_the_gpus_and_a_route_for_each_pair(pod, tmp_path):
    hosts, links, routes = read(written("simgrid", pod, tmp_path))
    assert len(hosts) == 32 and hosts[:2] == ["gpu-01.gpu0", "gpu-01.gpu1"]
    assert set(routes) == {(a, b) for a in hosts for b in hosts if a != b}
    assert {link for route in routes.values() for link in route} == set(links)
    assert routes["gpu-01.gpu0", "gpu-01.gpu1"] == [
        "gpu-01.gpu0_to_gpu-01.scale-up",
        "gpu-01.scale-up_to_gpu-01.gpu1",
    ]
    assert outcome("simgrid", pod).startswith("32 hosts, 992 routes by destination; each computes 1 flop/s")


@pytest.mark.parametrize("routing", ["destination", "ecmp"])
def test_routes_are_those_of_the_routing(pod, tmp_path, routing):
    hosts, links, routes = read(written("simgrid", pod, tmp_path, routing=routing, seed=7))
    graph = build(pod)
    policy = policy_named(routing)
    src, dst = np.divmod(np.arange(32 * 32), 32)
    src, dst = src[src != dst], dst[src != dst]
    paths = policy.route(network(graph), src, dst, np.ones(len(src)), np.zeros(len(src), np.int64), 7)
    capacity = payload_rate(graph, None).capacity
    for pair, (a, b) in enumerate(zip(src, dst, strict=True)):
        arcs = paths.arcs[paths.start[pair] : paths.start[pair + 1]]
        route = [links[name] for name in routes[hosts[a], hosts[b]]]
        assert [float(one["bandwidth"].removesuffix("Bps")) for one in route] == pytest.approx(
            [rate if np.isfinite(rate) else 1e18 for rate in capacity[arcs]]
        )
        nanoseconds = [float(one["latency"].removesuffix("s")) * 1e9 for one in route]
        assert nanoseconds == pytest.approx(graph.latency_ns[arcs])
        assert [one["sharing_policy"] for one in route] == [
            "SHARED" if np.isfinite(rate) else "FATPIPE" for rate in capacity[arcs]
        ]


def test_links_name_both_their_ports(pod, tmp_path):
    _, links, _ = read(written("simgrid", pod, tmp_path))
    link = pod.links_of(pod.servers()[0].id)[0]
    ends = {pod.device(end.device_id).name: end.port for end in (link.a, link.b)}
    leaf = next(name for name in ends if name.startswith("leaf"))
    assert f"{leaf}:{ends[leaf].replace('/', '-')}_to_gpu-01.nic0:{ends['gpu-01']}" in links


def test_some_gpus_are_written_alone(pod, tmp_path):
    hosts, _, routes = read(written("simgrid", pod, tmp_path, ranks="0,9,17"))
    assert hosts == ["gpu-01.gpu0", "gpu-02.gpu1", "gpu-03.gpu1"] and len(routes) == 6


def test_latencies_can_be_left_out_and_a_speed_be_given(pod, tmp_path):
    text = written("simgrid", pod, tmp_path, latency="no", speed="9.9e14")
    assert {one["latency"] for one in read(text)[1].values()} == {"0s"}
    assert 'speed="9.9e+14f"' in text and "stands in" not in text
    assert outcome("simgrid", pod, latency="no", speed="9.9e14") == "32 hosts, 992 routes by destination"
    assert "1 flop/s stands in" in written("simgrid", pod, tmp_path)


@pytest.mark.parametrize("routing", ["spray", "valiant", "adaptive"])
def test_a_routing_that_splits_flows_is_refused_with_the_way_out(pod, tmp_path, routing):
    with pytest.raises(ExportError, match=f"routing {routing} splits a flow .* write routing=destination"):
        written("simgrid", pod, tmp_path, routing=routing)


def test_too_many_gpus_are_refused_before_routes_are_found(tmp_path):
    with pytest.raises(ExportError, match=r"^1,040 GPUs have 1,080,560 routes, .* write some of the GPUs \(ranks=1024"):
        written("simgrid", rails(servers=130, servers_per_su=26), tmp_path)


def test_what_cannot_be_reached_and_an_empty_design_are_refused(pod, tmp_path):
    with pytest.raises(ExportError, match="there is no GPU to simulate"):
        written("simgrid", Design(), tmp_path)
    apart = family("fat-tree", servers=4)
    cut = apart.snapshot()
    cut.apply(operations.delete(cut, [link.id for link in cut.links_of(cut.servers()[0].id)]))
    hosts, _, _ = read(written("simgrid", cut, tmp_path))
    assert len(hosts) < len(read(written("simgrid", apart, tmp_path))[0])
    with pytest.raises(ExportError, match=r"there is no route for each pair: .* cannot reach "):
        written("simgrid", cut, tmp_path, ranks=len(build(cut).device[: build(cut).n_endpoints]))


def test_names_are_data(pod, tmp_path):
    hostile = renamed(pod, gpu_01='"/><host id="evil', gpu_02="--> &lt;", gpu_03="gpu-04", leaf_su1_r1="a b")
    hosts, links, routes = read(written("simgrid", hostile, tmp_path))
    assert len(hosts) == 32 and len(set(hosts)) == 32 and len(routes) == 992
    assert hosts[0] == "host-id--evil.gpu0"
    assert len(links) == len(read(written("simgrid", pod, tmp_path))[1])


def test_the_same_design_gives_the_same_bytes(pod, tmp_path):
    assert written("simgrid", pod, tmp_path) == written("simgrid", pod.snapshot(), tmp_path)


def test_writing_can_be_stopped(pod, tmp_path):
    def stop(share):
        if 0 < share < 1:
            raise Cancelled

    path = tmp_path / "platform.xml"
    with pytest.raises(Cancelled):
        EXPORTER["simgrid"].write(pod, path, {}, stop)
    assert not path.exists()
    assert simgrid.ROWS_AT_ONCE < 32

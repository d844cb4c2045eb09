"""The topology of SimAI: GPUs, NVSwitches and switches in the order its ns-3 counts, one line per pair of nodes."""

import numpy as np
import pytest
from exported_designs import family, outcome, rails, renamed, written

from designer.catalog.generic import generic_host, generic_node
from designer.errors import ExportError
from designer.graph.arrays import SWITCH
from designer.graph.building.build import build
from designer.model import operations, wiring
from designer.model.design import Design


@pytest.fixture(scope="module")
def pod():
    return rails()


def read(text):
    """(head, switches, {(a, b): (Gb/s, ms, error rate)}), as SimAI's ns-3 reads it: words apart by blanks."""
    words = iter(text.split())
    n_nodes, per_server, n_nvswitches, n_switches, n_links = (int(next(words)) for _ in range(5))
    gpu_type = next(words)
    switches = [int(next(words)) for _ in range(n_nvswitches + n_switches)]
    links = {}
    for _ in range(n_links):
        a, b, rate, delay, error = (next(words) for _ in range(5))
        assert (int(a), int(b)) not in links
        links[int(a), int(b)] = float(rate.removesuffix("Gbps")), float(delay.removesuffix("ms")), float(error)
    assert next(words, None) is None
    return (n_nodes, per_server, n_nvswitches, n_switches, gpu_type), switches, links


def test_nodes_stand_in_the_order_that_ns3_counts(pod, tmp_path):
    head, switches, links = read(written("simai", pod, tmp_path))
    assert head == (32 + 4 + len(pod.switches()), 8, 4, len(pod.switches()), "H100")
    assert switches == list(range(32, head[0]))
    for gpu in range(32):
        assert links[gpu, 32 + gpu // 8][0] == 3600
    leafs = [device for device in pod.switches() if device.role == "leaf"]
    up = {b for a, b in links if a < 32 and b >= 36}
    assert up == set(range(36, 36 + len(leafs)))


def test_links_side_by_side_are_one_with_the_sum_of_their_rates(pod, tmp_path):
    _, _, links = read(written("simai", pod, tmp_path))
    total = sum(rate for (a, _), (rate, _, _) in links.items() if a >= 36)
    between = [
        link for link in pod.links.values() if pod.is_switch(link.a.device_id) and pod.is_switch(link.b.device_id)
    ]
    assert total == 400 * len(between)
    merged = len(pod.links) - (len(links) - 32)
    assert merged and outcome("simai", pod).endswith(f"{merged} links side by side with another counted in its rate")


def test_delays_add_up_to_those_of_the_simulation_there_and_back(pod, tmp_path):
    _, _, links = read(written("simai", pod, tmp_path))
    graph = build(pod)
    arcs = np.flatnonzero(
        (graph.link >= 0) & (graph.kind[graph.target] == SWITCH) & (graph.kind[graph.source] != SWITCH)
    )
    arc = int(arcs[0])
    nic = next(one for one in range(graph.n_arcs) if graph.target[one] == graph.source[arc] and graph.link[one] < 0)
    both_ns = sum(graph.latency_ns[one] for pair in (arc, nic) for one in (pair, pair ^ 1))
    assert links[0, 36][1] * 1e6 == pytest.approx(both_ns / 2, abs=1e-3)


def test_a_torus_has_no_nvswitch(tmp_path):
    head, _, links = read(written("simai", family("torus", dims=(3, 3)), tmp_path))
    assert head[:4] == (18, 1, 0, 9) and len(links) == 9 + 18


def test_the_type_and_the_error_rate_are_options(pod, tmp_path):
    head, _, links = read(written("simai", pod, tmp_path, gpu="H800", **{"error-rate": "0.001"}))
    assert head[-1] == "H800" and {error for _, _, error in links.values()} == {0.001}
    with pytest.raises(ExportError, match="the GPU type should be a word such as H100"):
        written("simai", pod, tmp_path, gpu="H 800")


def test_what_simai_has_no_words_for_is_refused(pod, tmp_path):
    with pytest.raises(ExportError, match=r"the GPUs of a .* are joined pairwise, and SimAI joins"):
        written("simai", rails(server="mi300x-8gpu", servers=2, servers_per_su=1), tmp_path)
    with pytest.raises(ExportError, match="there is no GPU to simulate"):
        written("simai", Design(), tmp_path)
    bare = pod.snapshot()
    bare.apply(operations.delete(bare, [bare.links_of(bare.servers()[0].id)[0].id]))
    with pytest.raises(ExportError, match=r"gpu-01 GPU 0 has no link of its own, .*: link it"):
        written("simai", bare, tmp_path)


def test_servers_without_gpus_are_left_out_with_their_links(pod, tmp_path):
    """SimAI's nodes are GPUs and switches; what is left of the file is that of the GPUs alone."""
    more = pod.snapshot()
    node = generic_node(400, 2)
    more.apply(operations.add_device(more, node[0], 0, 900, catalog_types={one.id: one for one in node}))
    server = more.servers()[-1]
    leaf = next(one for one in more.switches() if one.role == "leaf" and more.n_free_ports(one.id) > 1)
    more.apply(wiring.connect_devices(more, server.id, leaf.id, 2))
    assert written("simai", more, tmp_path) == written("simai", pod, tmp_path)
    assert outcome("simai", more) == outcome("simai", pod) + "; 1 node without GPUs left out, with 2 links"


def test_what_has_no_gpus_at_all_or_different_numbers_is_refused_with_the_way_out(pod, tmp_path):
    nodes = family("dragonfly", p=1, a=2, h=1, server="generic-node-400g")
    with pytest.raises(ExportError, match=r"host-01 and 5 more nodes have no GPUs, .*: choose a type with GPUs in"):
        written("simai", nodes, tmp_path)
    mixed = pod.snapshot()
    host = generic_host(400)
    mixed.apply(operations.add_device(mixed, host[0], 0, 900, catalog_types={one.id: one for one in host}))
    with pytest.raises(ExportError, match=r"different numbers of GPUs \(.* has 1, .* has 8\), .*: save a copy"):
        written("simai", mixed, tmp_path)


def test_names_play_no_part_and_bytes_stay(pod, tmp_path):
    assert written("simai", renamed(pod, gpu_01="1 2 3 0Gbps", leaf_su1_r1="x Gbps"), tmp_path) == written(
        "simai", pod, tmp_path
    )

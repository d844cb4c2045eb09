"""A design as arrays: what becomes a vertex, what becomes an arc, and what is left out."""

from dataclasses import replace

import numpy as np
import pytest

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import UnknownEntityError
from designer.graph.arrays import CROSSBAR, EITHER, ETHERNET, GPU, INFINIBAND, INTERNAL, NIC, SCALE_UP, SWITCH, Graph
from designer.graph.building.build import build
from designer.graph.building.delays import UNKNOWN_LENGTH
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.settings import Settings
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters


def superpod(catalog: Catalog, servers: int = 127) -> Design:
    design = Design()
    reserved = 4 if servers % 32 else 0
    parameters = RailOptimizedParameters(servers=servers, servers_per_su=32, reserve_leaf_ports=reserved)
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


@pytest.fixture(scope="module")
def pod(catalog: Catalog) -> Design:
    return superpod(catalog, 32)


def changed(design: Design, *changes: Change) -> Design:
    copy = design.snapshot()
    copy.apply(Edit("Test", changes))
    return copy


def arcs_of_link(graph: Graph, link_id: str) -> np.ndarray:
    return np.flatnonzero(graph.link == graph.link_ids.index(link_id))


def test_a_superpod_has_its_gpus_crossbars_nics_and_switches_as_vertices(catalog):
    graph = build(superpod(catalog))

    counts = [len(graph.vertices_of(kind)) for kind in (GPU, CROSSBAR, NIC, SWITCH)]
    assert counts == [1016, 127, 1016, 48]
    assert graph.n_endpoints == 1016
    assert np.count_nonzero(graph.link >= 0) == 2 * 2040
    assert np.count_nonzero(graph.protocol == SCALE_UP) == np.count_nonzero(graph.protocol == INTERNAL) == 2 * 1016
    assert not graph.ignored


def test_ranks_count_gpus_server_by_server_in_design_order(pod):
    graph = build(pod)

    names = [graph.device_names[graph.device[v]] for v in range(graph.n_endpoints)]
    assert names == [server.name for server in pod.servers() for _ in range(8)]
    assert graph.local[:10].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]
    assert graph.vertex_name(9) == f"{names[9]} GPU 1"


def test_arcs_come_in_pairs_there_and_back(pod):
    graph = build(pod)

    assert (graph.source[::2] == graph.target[1::2]).all()
    assert (graph.target[::2] == graph.source[1::2]).all()
    assert (graph.capacity_gbps[::2] == graph.capacity_gbps[1::2]).all()


def test_capacities_are_half_of_the_nvlink_sum_the_port_rate_and_unlimited_over_pcie(pod):
    graph = build(pod)

    assert set(graph.capacity_gbps[graph.protocol == SCALE_UP]) == {3600.0}
    assert set(graph.capacity_gbps[graph.link >= 0]) == {400.0}
    assert set(graph.capacity_gbps[graph.protocol == INTERNAL]) == {np.inf}
    assert set(graph.protocol[graph.link >= 0]) == {INFINIBAND}


def test_a_links_capacity_is_the_lower_of_its_ports_rates(catalog):
    design = Design()
    parameters = FatTreeParameters(servers=8, switch="generic-switch-16x400g", server="generic-host")
    design.apply(fat_tree.build(design, parameters, catalog))
    leaf = next(device for device in design.switches() if device.role == "leaf")
    slower = generic.generic_switch(16, 200.0)

    graph = build(changed(design, Change(None, slower), Change(leaf, replace(leaf, type_id=slower.id))))

    for link in design.links.values():
        rates = graph.capacity_gbps[arcs_of_link(graph, link.id)]
        assert set(rates) == {200.0 if leaf.id in (link.a.device_id, link.b.device_id) else 400.0}
    assert set(graph.protocol[graph.link >= 0]) == {EITHER}


def test_a_link_speaks_what_both_types_speak(catalog):
    design = Design()
    parameters = FatTreeParameters(servers=8, switch="nvidia-sn5600", link_rate_gbps=400.0)
    design.apply(fat_tree.build(design, parameters, catalog))

    graph = build(design)

    assert set(graph.protocol[graph.link >= 0]) == {ETHERNET}


def test_a_link_to_a_port_that_does_not_exist_is_left_out_and_counted(pod):
    link = next(iter(pod.links.values()))
    wrong = replace(link, b=End(link.b.device_id, "99/9"))

    graph = build(changed(pod, Change(link, wrong)))

    assert graph.ignored == {"a port it names does not exist": 1}
    assert link.id not in graph.link_ids


def test_a_port_used_twice_keeps_both_links_and_is_counted(pod):
    link, other = list(pod.links.values())[:2]
    second = Link("l999999", link.a, other.b)

    graph = build(changed(pod, Change(None, second)))

    assert graph.ignored == {"kept, though its port carries another link too": 1}
    assert len(arcs_of_link(graph, link.id)) == len(arcs_of_link(graph, second.id)) == 2


def test_latency_is_cable_length_and_the_switch_entered(pod):
    link = next(link for link in pod.links.values() if pod.is_server(link.a.device_id))

    graph = build(changed(pod, Change(link, replace(link, length_m=30.0))))
    by_rule = build(changed(pod, Change(pod.settings, Settings(default_cable_length_m=10.0))))

    assert graph.latency_ns[arcs_of_link(graph, link.id)].tolist() == [30 * 5.0 + 130, 30 * 5.0]
    assert graph.unknown[UNKNOWN_LENGTH] == len(pod.links) - 1
    assert by_rule.latency_ns[arcs_of_link(by_rule, link.id)].tolist() == [10 * 5.0 + 130, 10 * 5.0]
    assert UNKNOWN_LENGTH not in by_rule.unknown


def test_the_same_design_gives_the_same_arrays(pod):
    a, b = build(pod), build(pod.snapshot())

    for name in ("source", "target", "capacity_gbps", "link", "out_arcs", "device"):
        assert (getattr(a, name) == getattr(b, name)).all()


def test_arcs_out_of_a_vertex_are_in_port_order(pod):
    graph = build(pod)

    for vertex in graph.vertices_of(SWITCH):
        arcs = graph.out_arcs[graph.out_start[vertex] : graph.out_start[vertex + 1]]
        assert (graph.source[arcs] == vertex).all()
        ports = [port.name for port in pod.ports(graph.device_ids[graph.device[vertex]])]
        places = [ports.index(graph.port_name(int(arc))) for arc in arcs]
        assert places == sorted(places)


@pytest.mark.parametrize("by", ["name", "id"])
def test_a_failed_switch_is_absent_with_all_its_links(pod, by):
    spine = next(switch for switch in pod.switches() if switch.role == "spine")

    graph = build(pod, failed=frozenset({getattr(spine, by)}))

    assert len(graph.vertices_of(SWITCH)) == len(pod.switches()) - 1
    assert np.count_nonzero(graph.link >= 0) == 2 * (len(pod.links) - len(pod.links_of(spine.id)))
    assert spine.name not in {graph.device_name(v) for v in range(graph.n_vertices)}
    assert graph.source.max() < graph.n_vertices


def test_a_failed_server_takes_its_gpus_with_it(pod):
    server = pod.servers()[3]

    graph = build(pod, failed=frozenset({server.name}))

    assert graph.n_endpoints == 8 * 31
    assert graph.device_name(3 * 8) == pod.servers()[4].name
    assert all(graph.kind[v] == CROSSBAR for v in graph.scale_up_name)


def test_failed_links_ports_and_modules_are_absent(pod):
    link = next(link for link in pod.links.values() if pod.is_server(link.a.device_id))
    server = pod.device(link.a.device_id)
    module = next(module for module in pod.modules_of(server.id) if module.slot == link.a.port)

    for failure in (link.id, f"{server.name}:{link.a.port}", f"{server.id}:{link.a.port}", module.id):
        graph = build(pod, failed=frozenset({failure}))
        assert len(arcs_of_link(graph, link.id)) == 0
        assert np.count_nonzero(graph.link >= 0) == 2 * (len(pod.links) - 1)


def test_a_failure_that_names_nothing_is_refused_by_name(pod):
    with pytest.raises(UnknownEntityError, match="spine-99"):
        build(pod, failed=frozenset({"spine-99"}))
    with pytest.raises(UnknownEntityError, match="has no port 'x'"):
        build(pod, failed=frozenset({f"{pod.servers()[0].name}:x"}))


def test_an_empty_design_is_an_empty_graph():
    graph = build(Design())

    assert graph.n_vertices == graph.n_arcs == graph.n_endpoints == 0


@pytest.mark.parametrize(
    ("medium_id", "ns_per_m"),
    [
        ("dac-ndr-twin", 4.5),
        ("dac-ndr-split2", 4.5),
        ("acc-ndr-twin", 4.5),
        ("gen-acc-800-split2", 4.5),
        ("gen-aec-800-split2", 4.5),
        ("tr-800-2sr4", 5.0),
        ("", 5.0),
    ],
)
def test_a_metre_of_copper_takes_less_time_than_a_metre_of_fibre(pod, catalog, medium_id, ns_per_m):
    link = next(one for one in pod.links.values() if pod.is_switch(one.a.device_id) and pod.is_switch(one.b.device_id))
    medium = () if not medium_id else (Change(None, catalog.get(medium_id)),)
    cabled = changed(pod, *medium, Change(link, replace(link, length_m=2.0, medium_id=medium_id)))
    bare = changed(pod, Change(link, replace(link, length_m=0.0)))
    added = [build(one).latency_ns[arcs_of_link(build(one), link.id)] for one in (cabled, bare)]
    assert (added[0] - added[1]).tolist() == [2 * ns_per_m, 2 * ns_per_m]

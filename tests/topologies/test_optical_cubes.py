"""Tori of cubes with optical circuit switches, twisted tori, and other rates by dimension: counts in closed form."""

import math
from collections import Counter

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer import api
from designer.analysis.summary import summarize
from designer.catalog import generic
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.circuits import CIRCUIT_PORTS, circuit_switch
from designer.model.design import Design
from designer.regeneration import recipes
from designer.topologies import torus
from designer.topologies.families import FAMILIES
from designer.topologies.torus import TorusParameters
from designer.validation.engine import validate
from designer.validation.findings import Severity

CATALOG = load()
TORUS = next(one for one in FAMILIES if one.name == "torus")


def built(parameters: TorusParameters) -> Design:
    design = Design()
    design.apply(torus.build(design, parameters, CATALOG))
    return design


def routers_of(design: Design) -> nx.MultiGraph:
    """Routers by number, with the dimension of each link by its port."""
    number = {device.id: n for n, device in enumerate(design.switches())}
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(len(number)))
    for link in design.links.values():
        if link.a.device_id in number and link.b.device_id in number:
            graph.add_edge(
                number[link.a.device_id], number[link.b.device_id], dimension=(int(link.a.port) - 1) // 2, link=link
            )
    return graph


def circuits_of(design: Design) -> dict[str, Counter[int]]:
    """How often each port of each circuit switch is used."""
    found: dict[str, Counter[int]] = {}
    for link in design.links.values():
        if name := circuit_switch(link):
            ports = dict(link.fields)[CIRCUIT_PORTS]
            found.setdefault(name, Counter()).update(map(int, ports.split("/")))
    return found


@pytest.mark.parametrize(
    ("dims", "cubes", "inside", "between", "ports"),
    [((16, 16, 16), 64, 9216, 3072, 128), ((16, 24, 24), 144, 20736, 6912, 288)],
    ids=["TPU v4", "Ironwood"],
)
def test_the_published_counts_of_tpu_pods_come_out(dims, cubes, inside, between, ports):
    parameters = TorusParameters(dims, cube=(4, 4, 4))
    counts, found = torus.counts(parameters, CATALOG), parameters.cubes
    assert found is not None
    assert (found.n_cubes, found.n_switches, found.most_ports) == (cubes, 48, ports)
    assert (counts.links["torus"], counts.links["optical"]) == (inside, between)
    assert 2 * found.n_links / parameters.n_nodes == 1.5  # optical modules of a chip
    assert counts.remark.endswith("1.5 for each node.")


def test_a_circuit_switch_with_fewer_ports_serves_fewer_rings():
    whole = TorusParameters((16, 24, 24), cube=(4, 4, 4)).cubes
    found = TorusParameters((16, 24, 24), cube=(4, 4, 4), ocs_ports=136).cubes
    assert whole is not None and found is not None
    # 36 rings of four cubes along the first dimension, 8 ports each: 17 on a switch; 24 rings of six along others: 11.
    assert [found.switches_of_place(dimension) for dimension in range(3)] == [3, 3, 3]
    assert found.n_switches == 3 * whole.n_switches
    assert found.most_ports <= 136


cubic = st.lists(
    st.tuples(st.integers(1, 3), st.integers(1, 3)).filter(lambda pair: pair[0] * pair[1] > 1), min_size=1, max_size=3
)


@given(cubic, st.booleans(), st.none() | st.integers(12, 24))
@settings(max_examples=60, deadline=None)
def test_any_torus_of_cubes_is_the_same_torus_and_uses_every_circuit_port_once(sizes, mesh, ocs_ports):
    cube, n_cubes = tuple(side for side, _ in sizes), math.prod(count for _, count in sizes)
    dims = tuple(side * count for side, count in sizes)
    parameters = TorusParameters(dims, mesh=mesh, cube=cube, ocs_ports=ocs_ports)
    design, plain = built(parameters), built(TorusParameters(dims, mesh=mesh))
    graph, peer = routers_of(design), routers_of(plain)
    assert Counter(map(frozenset, graph.edges())) == Counter(map(frozenset, peer.edges()))
    group = {device.id: device.group_id for device in design.switches()}
    assert len(set(group.values())) == n_cubes == len(design.groups)
    found, counts = parameters.cubes, torus.counts(parameters, CATALOG)
    optical = [link for *_, link in graph.edges(data="link") if circuit_switch(link)]
    assert len(optical) == counts.links.get("optical", 0) == found.n_links
    for *_, link in graph.edges(data="link"):
        if group[link.a.device_id] != group[link.b.device_id]:
            assert circuit_switch(link)
    circuits = circuits_of(design)
    assert len(circuits) == found.n_switches
    for ports in circuits.values():
        assert set(ports.values()) == {1}
        assert sorted(ports) == list(range(1, len(ports) + 1))
    if circuits:
        assert max(map(len, circuits.values())) == found.most_ports <= (ocs_ports or math.inf)


@pytest.mark.parametrize(("dims", "straight", "twisted"), [((4, 8), 6, 4), ((4, 4, 8), 8, 6), ((4, 8, 8), 10, 6)])
def test_a_twisted_torus_has_shorter_paths_and_the_same_load_on_all_dimensions(dims, straight, twisted):
    graph = routers_of(built(TorusParameters(dims, twisted=True)))
    assert {degree for _, degree in graph.degree()} == {2 * len(dims)}
    assert graph.number_of_edges() == len(dims) * math.prod(dims)
    assert nx.diameter(routers_of(built(TorusParameters(dims)))) == straight
    assert nx.diameter(graph) == twisted
    load = nx.edge_betweenness_centrality(nx.Graph(graph), normalized=False)
    assert max(load.values()) == pytest.approx(min(load.values()))


def test_an_all_to_all_gains_what_the_loads_of_a_twisted_torus_say():
    """64 and 73.3 flows on the busiest link where straight dimensions carry 64 and 128: 1.75 times as fast."""
    times = [
        api.simulate(built(TorusParameters((4, 4, 8), twisted=twisted)), collective="all-to-all", size_bytes=2**30)
        for twisted in (False, True)
    ]
    assert times[0].time_s / times[1].time_s == pytest.approx(128 / 73.3, rel=0.01)


def test_links_of_each_dimension_have_a_rate_of_their_own():
    rates = (400.0, 200.0, 100.0)
    parameters = TorusParameters((3, 3, 4), dimension_rates_gbps=rates)
    design = built(parameters)
    for *_, data in routers_of(design).edges(data=True):
        for end in (data["link"].a, data["link"].b):
            assert design.port_map(end.device_id)[end.port].rate_gbps == rates[data["dimension"]]
    assert not [one for one in validate(design).findings if one.severity is Severity.ERROR]
    type_ = design.device_type(design.switches()[0].id)
    assert generic.parse(type_.id) == type_
    assert type_.id == "generic-router-2x400g-2x200g-2x100g-1x1400g"
    free = {one.rate_gbps: one.free for one in torus.counts(parameters, CATALOG).ports}
    assert free == dict.fromkeys((*rates, 1400.0), 0)
    for collective in ("all-reduce", "all-to-all"):
        assert api.simulate(design, collective=collective, size_bytes=2**20).time_s > 0


def test_the_summary_counts_links_through_circuit_switches_apart():
    parameters = TorusParameters((4, 4), cube=(2, 2))
    design = built(parameters)
    assert summarize(design).links == torus.counts(parameters, CATALOG).links
    assert [group.name for group in design.groups.values()] == ["Cube 0-0", "Cube 1-0", "Cube 0-1", "Cube 1-1"]
    assert not [one for one in validate(design).findings if one.severity is not Severity.INFO]


@pytest.mark.parametrize(
    "parameters",
    [
        TorusParameters((4, 8), twisted=True, cube=(4, 4), dimension_rates_gbps=(400.0, 112.5)),
        TorusParameters((4, 4), mesh=True, cube=(2, 4), ocs_ports=8),
        TorusParameters((4, 4)),
    ],
    ids=["twisted", "mesh", "plain"],
)
def test_what_a_torus_was_made_with_is_read_back(parameters):
    design = Design()
    design.apply(recipes.generated(design, TORUS, parameters, CATALOG))
    group = next(one for one in design.groups.values() if one.recipe is not None)
    assert recipes.parameters_of(group) == parameters


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"dims": (6, 4), "cube": (4, 4)}, "cubes of 4x4 do not fill 6x4: every dimension should be a multiple"),
        ({"dims": (4, 4), "cube": (4,)}, "cubes of 4 do not fill 4x4"),
        ({"dims": (8, 8), "cube": (2, 2), "ocs_ports": 7}, "needs 8 ports for one ring of cubes and has 7"),
        ({"dims": (4, 4), "ocs_ports": 8}, "circuit switch ports mean nothing without cubes"),
        ({"dims": (4, 4), "twisted": True}, "a 4x4 torus cannot be twisted: a torus can where one dimension"),
        ({"dims": (4, 8), "twisted": True, "mesh": True}, "a 4x8 mesh cannot be twisted"),
        ({"dims": (2, 4), "twisted": True}, "a 2x4 torus cannot be twisted"),
        ({"dims": (4, 8), "twisted": True, "cube": (2, 8)}, "cubes of 2x8 do not fit the twist of 4x8"),
        ({"dims": (4, 8), "twisted": True, "cube": (2, 2), "ocs_ports": 8}, "one circuit switch for each place"),
        ({"dims": (4, 8), "dimension_rates_gbps": (400.0,)}, "1 rates by dimension do not match 2 dimensions"),
        ({"dims": (4, 8), "dimension_rates_gbps": (400.0, 0.0)}, "rates by dimension should be above 0, not 0"),
    ],
)
def test_a_torus_of_cubes_that_cannot_be_built_is_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        TorusParameters(**fields)

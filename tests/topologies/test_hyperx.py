"""HyperX against its paper (Ahn et al., SC 2009) and against networkx."""

import math
from collections import Counter
from dataclasses import replace

import networkx as nx
import pytest
from direct import built, faultless, ports_in_order, switches_of
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.summary import summarize
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.design import Design
from designer.topologies import hyperx
from designer.topologies.hyperx import HyperXParameters
from designer.validation.engine import validate

CATALOG = load()
SHAPES = st.lists(st.integers(2, 5), min_size=1, max_size=4).filter(lambda dims: math.prod(dims) <= 150).map(tuple)


@settings(max_examples=40, deadline=None)
@given(SHAPES, st.data())
def test_the_formulas_of_the_paper_hold(dims, data):
    widths = tuple(data.draw(st.lists(st.integers(1, 3), min_size=len(dims), max_size=len(dims))))
    parameters = HyperXParameters(dims, widths, p=2)
    counts, graph = hyperx.counts(parameters, CATALOG), switches_of(built(hyperx, parameters))
    n_routers = math.prod(dims)
    per_router = sum(width * (size - 1) for size, width in zip(dims, widths, strict=True))
    assert counts.switches == {"router": n_routers}
    assert counts.servers == 2 * n_routers
    assert counts.links == {"server-router": 2 * n_routers, "router-router": n_routers * per_router // 2}
    assert {degree for _, degree in graph.degree()} == {per_router}
    assert graph.number_of_edges() == counts.links["router-router"]
    assert nx.diameter(nx.Graph(graph)) == len(dims)


@pytest.mark.parametrize("dims", [(5,), (4, 4), (3, 2, 4), (2, 2, 2, 2)])
def test_a_hyperx_is_the_product_of_complete_graphs(dims):
    peer = nx.complete_graph(dims[0])
    for size in dims[1:]:
        peer = nx.cartesian_product(nx.complete_graph(size), peer)
    graph = nx.Graph(switches_of(built(hyperx, HyperXParameters(dims))))
    assert nx.is_isomorphic(graph, peer)


def test_parallel_links_follow_the_width_of_their_dimension():
    graph = switches_of(built(hyperx, HyperXParameters((3, 2), (1, 4))))
    assert graph.number_of_edges(0, 1) == graph.number_of_edges(0, 2) == 1
    assert graph.number_of_edges(0, 3) == 4
    assert graph.number_of_edges(0, 4) == 0


def test_ports_follow_dimensions_and_in_them_the_neighbours_by_coordinate():
    design = built(hyperx, HyperXParameters((3, 2), (1, 2), p=1))
    assert ports_in_order(design, "router-1-0") == [
        "host-02",
        "router-0-0",
        "router-2-0",
        "router-1-1",
        "router-1-1",
    ]


@pytest.mark.parametrize(("dims", "width"), [((4, 4), 1), ((4, 4), 3), ((6, 4), 1), ((8,), 1), ((2, 2, 2, 2), 1)])
def test_the_bisection_is_an_upper_bound_that_meets_the_one_of_the_paper(dims, width):
    """Half of dimension k against the other half: K * S * N / 4 links, the least of them over even dimensions."""
    parameters = HyperXParameters(dims, (width,) * len(dims), p=max(dims) * width)
    found = summarize(built(hyperx, parameters))
    assert not found.bisection.exact
    least = min(width * size * math.prod(dims) // 4 for size in dims if size % 2 == 0)
    assert found.bisection.gbps >= least * 400
    assert found.bisection.gbps <= 1.5 * least * 400
    assert found.diameter_hops == len(dims)


def test_a_server_with_several_nics_has_them_all_on_one_router():
    parameters = HyperXParameters((3, 3), p=16, server="dgx-h100")
    counts, design = hyperx.counts(parameters, CATALOG), built(hyperx, parameters)
    assert (counts.servers, counts.endpoints) == (18, 144)
    assert faultless(design)


def test_servers_and_switches_of_known_height_stand_in_racks_unless_none_are_wanted():
    parameters = HyperXParameters((3, 3), p=16, server="dgx-h100", switch="nvidia-qm9700")
    counts, design = hyperx.counts(parameters, CATALOG), built(hyperx, parameters)
    assert counts.racks == len(design.racks) == 5 + 1  # 18 servers four a rack, 9 switches in one
    names = [rack.name for rack in design.racks.values()]
    assert names == ["rack-01", "rack-02", "rack-03", "rack-04", "rack-05", "net-01"]
    in_racks = [placement.rack_id for placement in design.placements.values()]
    assert None not in in_racks
    assert max(in_racks.count(rack) for rack in list(design.racks)[:5]) == 4
    tops = [design.placements[switch.id].unit for switch in design.switches()]
    assert tops == sorted(tops, reverse=True)
    without = replace(parameters, racks="none")
    assert hyperx.counts(without, CATALOG).racks == len(built(hyperx, without).racks) == 0
    assert hyperx.counts(HyperXParameters(), CATALOG).racks == 0
    with pytest.raises(ParameterError, match="racks should be auto or none, not 'some'"):
        replace(parameters, racks="some")


def test_heights_that_are_assumed_are_told():
    parameters = HyperXParameters((2, 2), p=8, server="dgx-h100", switch="generic-switch")
    assert hyperx.counts(parameters, CATALOG).remark == ""
    helios = HyperXParameters((2, 2), p=216, server="mi455x-helios")
    remark = hyperx.counts(helios, CATALOG).remark
    assert remark.startswith("The height of Helios rack (72 MI455X) is not known: ")
    assert hyperx.counts(replace(helios, racks="none"), CATALOG).remark == ""


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"dims": ()}, "a HyperX has 1 to 8 dimensions: write them like 8x8x4"),
        ({"dims": (2,) * 9}, "a HyperX has 1 to 8 dimensions"),
        ({"dims": (1, 4)}, "a dimension should be 2 or more, not 1"),
        ({"dims": (4, 4), "widths": (1,)}, "1 widths do not match 2 dimensions: give one for each"),
        ({"dims": (4, 4), "widths": (1, 0)}, "a width should be 1 or more, not 0"),
        ({"dims": (4, 4), "p": 0}, "p should be 1 or more, not 0"),
        ({"dims": (1000, 1000)}, "are more than a design holds"),
        ({"dims": (1500, 2)}, "are more than a design holds"),
        ({"dims": (4, 4), "p": 9, "server": "dgx-h100"}, "p is 9: DGX H100 has 8 fabric ports"),
    ],
)
def test_a_hyperx_that_cannot_be_built_is_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        hyperx.build(Design(), HyperXParameters(**fields), CATALOG)


def test_racks_of_switches_are_filled_evenly_and_not_to_the_last_unit():
    parameters = HyperXParameters((7, 6), p=8, server="dgx-h100", switch="nvidia-qm9700")
    counts, design = hyperx.counts(parameters, CATALOG), built(hyperx, parameters)
    held = Counter(design.placements[switch.id].rack_id for switch in design.switches())
    assert list(held.values()) == [21, 21]
    assert counts.racks == len(design.racks) == 11 + 2  # 42 servers four a rack
    assert [one.code for one in validate(design, codes={"RACK-012"}).findings] == []

"""Slim Fly against its paper (Besta and Hoefler, SC 2014) and the graphs of McKay, Miller and Siran."""

import itertools
from collections import Counter

import networkx as nx
import pytest
from direct import built, faultless, switches_of

from designer.analysis.summary import summarize
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.graph.building.build import build
from designer.model.entities import SLIM_FLY_GROUP
from designer.topologies import slim_fly
from designer.topologies.slim_fly import Field, SlimFlyParameters, edges, prime_of
from designer.validation.engine import validate

CATALOG = load()
LEGAL = [
    3,
    4,
    5,
    7,
    8,
    9,
    11,
    13,
    16,
    17,
    19,
    23,
    25,
    27,
    29,
    31,
    32,
    37,
    41,
    43,
    47,
    49,
    53,
    59,
    61,
    64,
    67,
    71,
    73,
    79,
    81,
    83,
]


@pytest.mark.parametrize("q", [3, 4, 5, 7, 8, 9, 11, 13, 16, 17])
def test_no_two_of_2_q_q_routers_of_3q_less_d_over_2_links_are_more_than_two_hops_apart(q):
    pairs = list(edges(q))
    graph = nx.Graph(pairs)
    d = {0: 0, 1: 1, 3: -1}[q % 4]
    assert len(graph) == 2 * q * q
    assert len(pairs) == graph.number_of_edges()  # no pair twice
    assert {degree for _, degree in graph.degree()} == {(3 * q - d) // 2}
    assert all(max(nx.single_source_shortest_path_length(graph, one).values()) == 2 for one in list(graph)[:: q + 1])


def test_q_of_5_is_the_graph_of_hoffman_and_singleton():
    assert nx.is_isomorphic(nx.Graph(list(edges(5))), nx.hoffman_singleton_graph())


@pytest.mark.parametrize(
    ("q", "routers", "degree", "p", "hosts"),
    [
        (5, 50, 7, 4, 200),  # the cluster of M. Blach et al. (NSDI 2024)
        (19, 722, 29, 15, 10_830),  # the paper's own example
        (17, 578, 25, 13, 7_514),
    ],
)
def test_a_published_slim_fly_comes_out_as_published(q, routers, degree, p, hosts):
    parameters = SlimFlyParameters(q)
    counts = slim_fly.counts(parameters, CATALOG)
    assert (parameters.degree, parameters.n_host_ports) == (degree, p)
    assert counts.switches == {"router": routers}
    assert counts.servers == hosts
    assert counts.links == {"server-router": hosts, "router-router": routers * degree // 2}


@pytest.mark.parametrize("q", [3, 4, 5, 7, 9])
def test_each_two_of_q_groups_of_2q_routers_are_joined_by_2q_links(q):
    design = built(slim_fly, SlimFlyParameters(q, p=2))
    groups = [one for one in design.groups.values() if one.kind == SLIM_FLY_GROUP]
    assert [one.name for one in groups] == [f"Group {number + 1}" for number in range(q)]
    of = {}
    for group in groups:
        members = [design.devices[one] for one in design.members(group.id)]
        of |= {one.id: group.id for one in members}
        names = sorted(one.name for one in members if one.role == "router")
        number = group.name.split()[1]
        assert names == sorted(f"router-{half}{number}-{place + 1}" for half in "ab" for place in range(q))
        assert len(members) == 3 * 2 * q
    assert set(of) == set(design.devices)
    between = Counter(frozenset((of[one.a.device_id], of[one.b.device_id])) for one in design.links.values())
    pairs = [frozenset(pair) for pair in itertools.combinations([one.id for one in groups], 2)]
    assert {pair: between[pair] for pair in pairs} == dict.fromkeys(pairs, 2 * q)


def test_its_groups_are_none_of_a_dragonfly_to_routing_and_rules():
    design = built(slim_fly, SlimFlyParameters(5))
    assert (build(design).dragonfly_group < 0).all()
    assert not [one for one in validate(design).findings if one.code.startswith("DFLY")]
    assert summarize(design).links == {"server-router": 200, "router-router": 175}


def test_the_design_is_the_graph_and_has_no_fault():
    design = built(slim_fly, SlimFlyParameters(7))
    assert {tuple(sorted(edge)) for edge in nx.Graph(switches_of(design)).edges()} == set(edges(7))
    assert summarize(design).diameter_hops == 2
    assert not summarize(design).bisection.exact
    assert faultless(design)


@pytest.mark.parametrize("q", [4, 8, 9, 25])
def test_the_arithmetic_of_a_field_is_one(q):
    field = Field(q)
    numbers = range(q)
    for a, b in itertools.product(numbers, numbers):
        assert field.plus(field.minus(a, b), b) == a
        assert field.times(a, b) == field.times(b, a)
    for a in range(1, q):
        assert sorted(field.times(a, b) for b in numbers) == list(numbers)
    for a, b, c in itertools.product(numbers[:6], repeat=3):
        assert field.times(a, field.plus(b, c)) == field.plus(field.times(a, b), field.times(a, c))
        assert field.times(a, field.times(b, c)) == field.times(field.times(a, b), c)


def test_legal_numbers_are_the_prime_powers_that_a_design_holds():
    assert [q for q in range(3, 84) if prime_of(q) is not None] == LEGAL
    assert sum(slim_fly.counts(SlimFlyParameters(83, p=1), CATALOG).links.values()) <= 1_000_000
    assert (3 * 89 - 1) // 2 * 89**2 > 1_000_000


@pytest.mark.parametrize(
    ("q", "nearest"),
    [
        (6, "are 5 and 7"),
        (2, "is 3"),
        (1, "is 3"),
        (10, "are 9 and 11"),
        (12, "are 11 and 13"),
        (15, "are 13 and 16"),
        (63, "are 61 and 64"),
        (84, "is 83"),
        (89, "is 83"),
        (121, "is 83"),
        (128, "is 83"),
        (10**18, "is 83"),
    ],
)
def test_other_numbers_are_refused_with_the_nearest_that_are_legal(q, nearest):
    with pytest.raises(ParameterError, match=f"it must be a prime power from 3 to 83, and the nearest {nearest}$"):
        SlimFlyParameters(q)


def test_host_ports_may_be_given():
    assert slim_fly.counts(SlimFlyParameters(5, p=1), CATALOG).servers == 50
    with pytest.raises(ParameterError, match="p should be 1 or more"):
        SlimFlyParameters(5, p=0)

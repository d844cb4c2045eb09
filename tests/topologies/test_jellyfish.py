"""Jellyfish against its paper (Singla et al., NSDI 2012): random, regular, whole, and the same for the same seed."""

import hashlib

import networkx as nx
import pytest
from direct import built, faultless, switches_of
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.summary import summarize
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.design import Design
from designer.storage import document
from designer.topologies import jellyfish
from designer.topologies.jellyfish import JellyfishParameters, n_parts, random_edges

CATALOG = load()
SIZES = (
    st.integers(2, 40)
    .flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n - 1)))
    .filter(lambda size: size[0] * size[1] % 2 == 0)
)


@settings(max_examples=150, deadline=None)
@given(SIZES, st.integers(0, 2**32 - 1))
def test_every_router_has_its_links_each_to_another_router_and_none_twice(size, seed):
    routers, degree = size
    pairs = random_edges(routers, degree, seed)
    assert len(set(pairs)) == len(pairs) == routers * degree // 2
    assert all(0 <= low < high < routers for low, high in pairs)
    graph = nx.Graph(pairs)
    assert {its for _, its in graph.degree()} == {degree}
    assert n_parts(routers, pairs) == nx.number_connected_components(graph)


@pytest.mark.parametrize(("n", "k", "r"), [(20, 10, 6), (98, 14, 11), (150, 24, 18)])
def test_n_switches_of_k_ports_with_r_links_hold_n_times_k_less_r_servers(n, k, r):
    """RRG(N, k, r) of the paper, section 3."""
    parameters = JellyfishParameters(switches=n, degree=r, p=k - r)
    counts, design = jellyfish.counts(parameters, CATALOG), built(jellyfish, parameters)
    assert counts.servers == n * (k - r)
    assert (counts.switches, counts.links["router-router"]) == ({"router": n}, n * r // 2)
    graph = nx.Graph(switches_of(design))
    assert {its for _, its in graph.degree()} == {r}
    assert graph.number_of_edges() == n * r // 2
    assert summarize(design).diameter_hops == nx.diameter(graph)
    assert not summarize(design).bisection.exact
    assert faultless(design)


def test_the_same_seed_gives_the_same_bytes_and_another_another_network():
    texts = []
    for seed in (1, 1, 2):
        jellyfish._joined_edges.cache_clear()
        design = Design()
        design.apply(jellyfish.build(design, JellyfishParameters(seed=seed), CATALOG))
        texts.append(document.encode(design))
    assert texts[0] == texts[1] != texts[2]


def test_a_seed_gives_the_network_that_it_gave_before():
    """Files and papers quote seeds, so that no version may draw others."""
    assert random_edges(8, 3, 1) == EIGHT
    digest = hashlib.sha256(repr(random_edges(200, 12, 7)).encode()).hexdigest()
    assert digest == TWO_HUNDRED


def test_links_are_drawn_evenly():
    """Over many seeds each pair of routers is joined about as often as any other."""
    times = dict.fromkeys([(low, high) for low in range(6) for high in range(low + 1, 6)], 0)
    for seed in range(600):
        for pair in random_edges(6, 2, seed):
            times[pair] += 1
    assert sum(times.values()) == 600 * 6
    assert all(180 < count < 300 for count in times.values()), times  # 240 on average


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"switches": 4, "degree": 4}, "a router of 4 can be joined to 3 others, not to 4"),
        ({"switches": 5, "degree": 3}, "5 routers of 3 links each leave one link without a second end"),
        ({"switches": 1, "degree": 1}, "routers should be 2 or more, not 1"),
        ({"seed": 2**32}, "seed should be 0 to 4,294,967,295, not 4,294,967,296"),
        ({"seed": -1}, "seed should be 0 to"),
        ({"switches": 8, "degree": 1}, "seed 1 joins 8 routers into 4 networks without a link between them: choose"),
        ({"switches": 300_000, "degree": 4}, "are more than a design holds"),
        ({"switches": 4_000, "degree": 3_998}, "are more than a design holds"),
        ({"switches": 100_000, "degree": 99_998}, "are more than a design holds"),  # before any link is drawn
    ],
)
def test_a_jellyfish_that_cannot_be_built_is_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        jellyfish.counts(JellyfishParameters(**fields), CATALOG)


def test_a_large_network_falls_short_of_nothing():
    counts = jellyfish.counts(JellyfishParameters(switches=4000, degree=24, p=8), CATALOG)
    assert counts.links == {"server-router": 32_000, "router-router": 48_000}


EIGHT = ((0, 1), (0, 5), (0, 7), (1, 3), (1, 4), (2, 4), (2, 5), (2, 6), (3, 6), (3, 7), (4, 6), (5, 7))
TWO_HUNDRED = "db5e5b692133d542213ea58f0102a87e69f4669c38bbb696d996dd793c7f7164"

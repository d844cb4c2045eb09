"""A dragonfly under its worst traffic at every load: what minimal, Valiant and adaptive routing accept and add in hops.

Every host offers a share of its rate: all of it to the next group (adversarial), or a part of it, the rest to hosts
everywhere. As a fluid a network accepts all that is offered up to where its hottest link is full.
"""

from functools import cache

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.arrays import NIC, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.routing.policies import POLICIES
from designer.topologies import dragonfly
from designer.topologies.dragonfly import DragonflyParameters

SHAPES = [(2, 4, 2), (1, 4, 2), (3, 6, 3), (2, 6, 3), (4, 8, 4)]
LOADS = np.arange(0.05, 1.0001, 0.05)


@cache
def graph_of(shape: tuple[int, int, int]) -> Graph:
    design = Design()
    design.apply(dragonfly.build(design, DragonflyParameters(*shape), load()))
    return build(design)


def offered(graph: Graph, shape: tuple[int, int, int], adversarial: float) -> tuple[np.ndarray, ...]:
    """One unit from each host: that share to the next group, the rest to eight hosts spread over all others."""
    p, a, _ = shape
    n = graph.n_endpoints
    hosts = np.arange(n)
    away = [p * a, *((2 * k + 1) * n // 18 + 1 for k in range(8))]
    sizes = [adversarial, *([(1 - adversarial) / 8] * 8)]
    kept = [(step, size) for step, size in zip(away, sizes, strict=True) if size > 0]
    src = np.concatenate([hosts for _ in kept])
    dst = np.concatenate([(hosts + step) % n for step, _ in kept])
    return src, dst, np.repeat([size for _, size in kept], n)


def accepted_and_hops(graph: Graph, routing: str, src: np.ndarray, dst: np.ndarray, size: np.ndarray) -> np.ndarray:
    """(share of the hosts' rate accepted at saturation, mean hops between switches)."""
    channel = np.zeros(len(src), dtype=np.int64)
    paths = POLICIES[routing].route(network(graph), src, dst, size, channel, 0)
    is_host = (graph.kind[graph.source] == NIC) | (graph.kind[graph.target] == NIC)
    cables = graph.link >= 0
    rate = float(graph.capacity_gbps[cables & is_host].max())
    hottest = float((paths.bytes_on[cables] / graph.capacity_gbps[cables]).max())
    return np.array([1 / (hottest * rate), paths.bytes_on[cables & ~is_host].sum() / size.sum()])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_against_the_next_group_minimal_takes_one_link_valiant_half_and_adaptive_the_better_at_every_load(shape):
    """J. Kim et al. (2008), sec. 4: a*p hosts share the one link to the next group, 1/(a*h) of injection if p = h."""
    p, a, h = shape
    graph = graph_of(shape)
    sent = offered(graph, shape, 1.0)
    found = {name: accepted_and_hops(graph, name, *sent)[0] for name in ("spray", "valiant", "adaptive")}

    assert found["spray"] == pytest.approx(1 / (a * p))
    # Each of the a*h-1 third groups passes its part of a*p hosts' traffic on; a global link carries parts out and on.
    assert found["valiant"] == pytest.approx((a * h - 1) / (2 * a * p))
    assert found["adaptive"] > found["valiant"], "a part goes the direct way besides"
    if p == h:
        assert found["spray"] == pytest.approx(1 / (a * h))
        assert 0.4 < found["valiant"] < 0.5
    for share in LOADS:
        throughput = {name: min(share, most) for name, most in found.items()}
        assert throughput["adaptive"] >= 0.9 * max(throughput["spray"], throughput["valiant"])


@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
@pytest.mark.parametrize("adversarial", [0.05, 0.3, 0.6, 0.9])
def test_at_every_share_of_adversarial_traffic_adaptive_is_within_a_tenth_of_the_better(shape, adversarial):
    graph = graph_of(shape)
    sent = offered(graph, shape, adversarial)
    minimal, valiant, adaptive = (accepted_and_hops(graph, name, *sent) for name in ("spray", "valiant", "adaptive"))
    better = max(minimal[0], valiant[0])
    for share in LOADS:
        assert min(share, adaptive[0]) >= 0.9 * min(share, better)
    assert minimal[1] - 1e-9 <= adaptive[1] <= valiant[1] * 1.001, "never more hops than when all go the long way"


@pytest.mark.parametrize("shape", SHAPES[:3], ids=str)
def test_traffic_that_minimal_paths_can_carry_stays_on_them(shape):
    """One host in each group sends to the next group, less than the one link there carries: nothing to leave for."""
    p, a, _ = shape
    graph = graph_of(shape)
    src = np.arange(0, graph.n_endpoints, p * a)
    dst = (src + p * a) % graph.n_endpoints
    minimal, adaptive = (accepted_and_hops(graph, name, src, dst, np.ones(len(src))) for name in ("spray", "adaptive"))
    assert adaptive == pytest.approx(minimal)

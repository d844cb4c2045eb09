"""Fabrics to run traffic over."""

from collections.abc import Callable

import pytest

from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design

Generate = Callable[..., Design]


@pytest.fixture(scope="session")
def superpod(generate: Generate) -> Design:
    """DGX SuperPOD H100 of 4 scalable units. Not to be changed."""
    return generate("rail-optimized", servers=127, servers_per_su=32, reserve_leaf_ports=4)


@pytest.fixture(scope="session")
def superpod_graph(superpod: Design) -> Graph:
    return build(superpod)


@pytest.fixture(scope="session")
def two_to_one(generate: Generate) -> Graph:
    """8 leaf switches of 8 hosts with 4 uplinks each, 400G: 2:1."""
    return build(generate("pgft", children=(8, 8), parents=(1, 4)))

"""Machines whose collectives libraries run."""

from collections.abc import Callable

import pytest

from designer.model.design import Design

Fabric = Callable[..., Design]


@pytest.fixture(scope="session")
def fabric(generate: Fabric) -> Fabric:
    """fabric("dgx-h100", 10) -> Design: rail-optimized, of two servers at least."""

    def make(server: str, servers: int, switch: str = "nvidia-qm9700") -> Design:
        return generate("rail-optimized", server=server, servers=max(servers, 2), switch=switch)

    return make


@pytest.fixture(scope="session")
def ten_h100(fabric: Fabric) -> Design:
    """Ten DGX H100. Not to be changed."""
    return fabric("dgx-h100", 10)

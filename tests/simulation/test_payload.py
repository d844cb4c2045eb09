"""Which share of the line rate is payload: by the protocol's headers at its usual packet size, or as it is given."""

import pytest

from designer.graph.building.build import build
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario


@pytest.mark.parametrize(
    ("switch", "server", "payload", "headers"),
    [("nvidia-qm9700", "dgx-h100", 4096, 26), ("nvidia-sn5600", "dgx-h100", 4096, 82)],
)
def test_packets_of_4096_bytes_carry_their_share_beside_the_headers(generate, switch, server, payload, headers):
    """InfiniBand: LRH, BTH, ICRC, VCRC; RoCEv2: over IPv4 with preamble and gap. One flow on a 400G port of its own."""
    graph = build(generate("fat-tree", servers=2, switch=switch, server=server))
    result = simulate(graph, Scenario(traffic="shift:8", size_bytes=1e9, latency=False))
    share = payload / (payload + headers)
    assert result.time_s == pytest.approx(1e9 / (400e9 / 8 * share), rel=1e-4)
    as_given = simulate(graph, Scenario(traffic="shift:8", size_bytes=1e9, latency=False, efficiency=0.5))
    assert as_given.time_s == pytest.approx(1e9 / (400e9 / 8 * 0.5), rel=1e-9)

"""Flows in pieces on random fabrics: nothing is lost on the way, and ports get whole pieces."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_fabrics import assembled, fabrics, random_flows

from designer.graph.building.build import build
from designer.routing import pieces
from designer.routing.given import PORT_CHOICES, Switching
from designer.routing.network import network


@given(fabrics(), st.sampled_from([word.name for word in PORT_CHOICES]), st.floats(1e6, 5e9), st.data())
def test_bytes_in_are_bytes_out_and_every_port_has_whole_pieces(fabric, choice, packet_bytes, data):
    graph = build(assembled(*fabric))
    src, dst, size = random_flows(data.draw, graph)
    net = replace(network(graph), switching=Switching(packet_bytes=packet_bytes, port_choice=choice))
    paths = pieces.packets(net, src, dst, size, np.zeros(len(src), dtype=np.int64), 7)
    surplus = np.bincount(graph.target, paths.bytes_on, graph.n_vertices)
    surplus -= np.bincount(graph.source, paths.bytes_on, graph.n_vertices)
    surplus -= np.bincount(dst, size, graph.n_vertices) - np.bincount(src, size, graph.n_vertices)
    assert np.abs(surplus).max() <= 1e-6 * size.sum()
    flow = np.repeat(np.arange(len(src)), np.diff(paths.start))
    assert len(set(zip(flow.tolist(), paths.arcs.tolist(), strict=True))) == len(flow), "an arc is in a row twice"
    assert np.bincount(paths.arcs, paths.weights * size[flow], graph.n_arcs) == pytest.approx(paths.bytes_on)
    if net.ends.n_ways == 1:
        count = pieces.PACKETS.count(net.switching, size)[flow]
        assert paths.weights * count == pytest.approx(np.round(paths.weights * count), abs=1e-6)

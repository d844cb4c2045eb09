"""The tooltip of a piece of a bus says what this piece carries, and what the whole bus does."""

import numpy as np
import pytest

from designer.canvas.hits import Target, links_of_bus
from designer.drawing.level_of_detail import LinkDetail
from designer.topologies.rail_optimized import RailOptimizedParameters, build


@pytest.fixture
def units(hand, catalog):
    """Two units of 24 servers and 8 leaf switches, each with a bus of 192 links, seen as a whole."""
    parameters = RailOptimizedParameters(
        switch="nvidia-qm9700", server="dgx-h100", servers=48, servers_per_su=24, racks="none"
    )
    hand.session.push(build(hand.design, parameters, catalog))
    hand.view.resize(1000, 600)
    hand.view.zoom_to_fit()
    hand.view.grab()
    return hand


def test_each_piece_of_a_bus_states_its_own_links_of_the_same_whole(units):
    fabric = units.view.fabric
    detail = fabric.detail(fabric._scale)
    assert detail.links is LinkDetail.TRUNKS
    lines = fabric.seen.lines(detail)
    ids, tooltips = fabric.seen.projection.link_ids, set()
    for line in np.flatnonzero(~lines.direct).tolist():
        own = lines.links[lines.starts[line] : lines.starts[line] + lines.counts[line]].tolist()
        piece = tuple(ids[link] for link in own)
        assert links_of_bus(fabric.seen, detail, piece) == 192
        tooltips.add(fabric.tooltip(Target(link_ids=piece)).partition("</b>")[0])
    assert {"<b>8 of 192 links of this bus", "<b>24 of 192 links of this bus"} <= tooltips
    assert all("of 192 links of this bus" in one for one in tooltips if one != "<b>192 links")


def test_a_line_of_its_own_is_no_piece_of_a_bus(units):
    fabric = units.view.fabric
    detail = fabric.detail(fabric._scale)
    lines = fabric.seen.lines(detail)
    line = int(np.flatnonzero(lines.direct)[0])
    own = lines.links[lines.starts[line] : lines.starts[line] + lines.counts[line]].tolist()
    piece = tuple(fabric.seen.projection.link_ids[link] for link in own)
    assert links_of_bus(fabric.seen, detail, piece) == len(piece)
    assert "of this bus" not in fabric.tooltip(Target(link_ids=piece))

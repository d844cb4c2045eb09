"""Loads of links, arrays that read like a mapping."""

import numpy as np
import pytest

from designer.graph.link_loads import LinkLoads

LOADS = {"l1": (0.5, 1.0), "l2": (0.0, 0.25), "l10": (0.75, 0.1)}


def test_they_read_like_the_mapping_they_are_of():
    loads = LinkLoads.of(LOADS)
    assert dict(loads) == LOADS
    assert loads == LOADS
    assert len(loads) == 3
    assert loads.get("l9") is None
    assert LinkLoads.of(loads) is loads
    with pytest.raises(KeyError):
        loads["l9"]


def test_the_busier_direction_counts():
    assert LinkLoads.of(LOADS).busier.tolist() == [1.0, 0.25, 0.75]
    assert len(LinkLoads.of({}).busier) == 0


def test_they_are_taken_in_any_order_and_what_is_missing_is_said():
    loads = LinkLoads.of(LOADS)
    assert loads.taken_for(["l1", "l2", "l10"], -1.0) is loads.values_of_links
    assert loads.taken_for(["l10", "l9", "l1"], -1.0).tolist() == [[0.75, 0.1], [-1.0, -1.0], [0.5, 1.0]]
    assert np.array_equal(LinkLoads.of({}).taken_for(["l1"], 0.0), [[0.0, 0.0]])

"""What is drawn at which scale."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import (
    COMBS_FROM_DEVICES,
    MANY_BUNDLES,
    REGION_PX,
    LinkDetail,
    detail_at,
    detail_of_document,
)
from designer.drawing.parts.document import document_picture
from designer.model import operations
from designer.placement.metrics import BOX_HEIGHT

FROM_FAR_TO_NEAR = list(LinkDetail)
scales = st.floats(0.005, 12)
numbers = st.integers(0, 20_000)


@given(st.lists(scales, min_size=2, max_size=8), numbers, numbers, numbers)
def test_nearer_never_shows_less(chosen, n_devices, n_bundles, more_links):
    details = [detail_at(scale, n_devices, n_bundles, n_bundles + more_links) for scale in sorted(chosen)]
    for far, near in pairwise(details):
        assert FROM_FAR_TO_NEAR.index(far.links) <= FROM_FAR_TO_NEAR.index(near.links)
        assert not far.region or near.region <= far.region
        for flag in ("round_boxes", "names", "models", "counts", "ports", "both_ways"):
            assert getattr(far, flag) <= getattr(near, flag)


@given(scales, numbers, numbers)
def test_links_are_gathered_by_squares_large_enough_to_see_and_only_where_there_are_very_many(scale, devices, bundles):
    detail = detail_at(scale, devices, bundles, bundles)
    assert (detail.links is LinkDetail.REGIONS) == (detail.region > 0)
    if detail.region:
        assert bundles > MANY_BUNDLES
        assert detail.region * scale >= REGION_PX * (1 - 1e-9)
        assert math.log2(detail.region / BOX_HEIGHT).is_integer()


@given(st.floats(0.2, 1.0))
def test_wheeling_within_a_step_keeps_the_picture(share):
    one, other = detail_at(1.0 + 0.1 * share, 100, 500, 500), detail_at(1.1, 100, 500, 500)
    assert one == other


def test_parallel_links_come_apart_near_by_and_only_where_there_are_any():
    assert detail_at(3.0, 100, 500, 1000).links is LinkDetail.SINGLES
    assert detail_at(3.0, 100, 500, 500).links is LinkDetail.BUNDLES


def test_crowds_of_servers_hang_on_trunks_until_ports_are_drawn():
    assert [detail_at(scale, 100, 500, 500).links for scale in (0.8, 0.9, 1.4, 1.5)] == [
        LinkDetail.TRUNKS,
        LinkDetail.CROWDS,
        LinkDetail.CROWDS,
        LinkDetail.BUNDLES,
    ]
    assert detail_at(1.0, COMBS_FROM_DEVICES - 1, 500, 500).links is LinkDetail.BUNDLES
    assert detail_at(1.0, 10_000, MANY_BUNDLES + 1, 20_000).links is LinkDetail.BUNDLES, "what an edit costs stays"


@pytest.mark.parametrize(
    ("name", "links"), [("fat-tree-16-2to1", LinkDetail.BUNDLES), ("superpod-h100-4su", LinkDetail.TRUNKS)]
)
def test_a_document_shows_all_texts_and_tidies_the_links_of_large_designs(example, name, links):
    design = example(name)
    detail = document_picture(Composition(design)).detail
    assert detail == detail_of_document(len(design.devices), len(Composition(design).bundles.pairs))
    assert detail.links is links
    assert detail.names
    assert detail.models
    assert detail.counts
    assert (len(design.devices) >= COMBS_FROM_DEVICES) == (links is LinkDetail.TRUNKS)


def test_the_lines_last_drawn_are_remembered_until_something_moves(example):
    design = example("superpod-h100-4su")
    composition = Composition(design)
    detail = detail_at(0.6, 175, 1528, 2040)
    lines = composition.lines(detail)
    assert composition.lines(detail) is lines
    composition.shift({composition.projection.device_ids[0]: (1.0, 1.0)})
    assert composition.lines(detail) is not lines


def scattered(design, catalog, spots):
    """The design with servers at those places that are linked to nothing."""
    server = catalog.types["dgx-h100"]
    design.apply(operations.add_devices(design, server, spots, catalog_types=catalog.types))


def drawn(design, scale):
    """The lines of each link, as numbers."""
    composition = Composition(design)
    lines = composition.lines(composition.detail_at(scale))
    held = np.split(lines.links, lines.starts[1:])
    return sorted(
        (tuple(np.round(xy, 6)), tuple(composition.projection.link_ids[one] for one in row))
        for xy, row in zip(lines.xy.tolist(), held, strict=True)
    )


@pytest.mark.parametrize("scale", [0.3, 0.6, 1.0, 3.0])
@pytest.mark.parametrize("dy", [-55.0, 80.0, 300.0])
def test_devices_without_links_change_nothing_of_how_links_are_drawn(example, catalog, scale, dy):
    design = example("fat-tree-16-2to1")
    before = drawn(design, scale)
    servers = [design.placements[one] for one in design.devices if design.is_server(one)]
    right = max(one.x for one in servers) + 160.0
    scattered(design, catalog, [(right + 150.0 * number, servers[0].y) for number in range(4)])
    scattered(design, catalog, [(right + 150.0 * number, servers[0].y + dy) for number in range(4)])
    if dy > 0:  # below those that are linked, out of the way of every line
        scattered(design, catalog, [(one.x, one.y + dy) for one in servers[:8]])
    assert len(design.devices) >= COMBS_FROM_DEVICES
    assert drawn(design, scale) == before
    assert Composition(design).detail_at(scale) == Composition(example("fat-tree-16-2to1")).detail_at(scale)

"""New heat gives the very picture that a view paints which had none before, whatever is kept between two heats."""

from contextlib import contextmanager

import numpy as np
import pytest
import shiboken6
from PySide6.QtGui import QImage

from designer.canvas.view import CanvasView
from designer.drawing.heat import Heat
from designer.graph.link_loads import LinkLoads
from designer.topologies import k_ary_fat_tree

SIZE = 900, 600


def heat_of(design, seed):
    """Loads of which some are full, and some of these congested; every other one is of fewer links than there are."""
    random, ids = np.random.default_rng(seed), tuple(design.links)[:: 1 + seed % 2]
    loads, is_full = random.random((len(ids), 2)), random.random((len(ids), 2)) < 0.05
    loads[is_full] = 1.0
    demands = np.where(is_full & (random.random((len(ids), 2)) < 0.5), 1.0 + 8 * random.random((len(ids), 2)), 0.0)
    return Heat(design.revision, LinkLoads(ids, loads), congested=LinkLoads(ids, demands))


@contextmanager
def another(view):
    """A view of the same that has painted nothing yet."""
    fresh = CanvasView(view.session)
    fresh.resize(*SIZE)
    fresh.camera, fresh._unfitted = view.camera, False
    yield fresh
    shiboken6.delete(fresh)


def painted(view, heat, *, moving):
    """The bytes of the picture, with quick lines or with all care."""
    view.fabric._heat, view._moving = heat, moving
    view.fabric.backing._smooth_s = 1.0 if moving else 0.0
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    view.render(image)
    assert view.fabric.backing._smooth != moving
    return bytes(image.constBits())


@pytest.mark.parametrize("scale", [0.0, 0.05, 0.3, 1.2])
@pytest.mark.parametrize("moving", [True, False])
def test_recoloring_gives_the_picture_of_a_view_that_had_no_heat_before(view, session, catalog, scale, moving):
    parameters = k_ary_fat_tree.KAryFatTreeParameters(k=8)
    session.push(k_ary_fat_tree.build(session.design, parameters, catalog))
    view.resize(*SIZE)
    view.zoom_to_fit()
    if scale:
        view.zoom_by(scale / view.camera.scale)
    seen = set()
    for seed in range(4):
        heat = heat_of(session.design, seed)
        seen.add(recolored := painted(view, heat, moving=moving))
        with another(view) as fresh:
            assert recolored == painted(fresh, heat, moving=moving)
    assert len(seen) == 4

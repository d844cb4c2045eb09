"""A canvas that shows everything still does after its size changed; one that was moved stays where it is."""

from designer.canvas.view import CanvasView
from designer.drawing.parts.legend import HEIGHT_PX, WIDTH_PX
from designer.topologies import fat_tree


def test_a_smaller_view_shows_everything_again_unless_it_was_moved(session, catalog, qtbot):
    view = CanvasView(session)
    qtbot.addWidget(view)
    view.resize(900, 800)
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    view.show()
    view.zoom_to_fit()
    view.resize(900, 400)
    left, top, right, bottom = view.fabric.composition.bounds
    seen = view.sight.seen()
    assert seen[0] <= left and seen[1] <= top and right <= seen[2] and bottom <= seen[3]
    view.move_camera(view.camera.zoomed(2.0, 450, 200))
    scale = view.camera.scale
    view.resize(900, 600)
    assert view.camera.scale == scale


def test_in_a_low_view_nothing_of_the_drawing_is_below_the_legend_once_there_is_one(session, catalog, qtbot):
    view = CanvasView(session)
    qtbot.addWidget(view)
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=64, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    view.resize(640, 362)
    view.show()
    view.zoom_to_fit()
    alone = view.camera.scale
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: view.fabric.heat is not None, timeout=60_000)
    view.zoom_to_fit()
    left, _, _, bottom = view.fabric.composition.bounds
    x, y = view.camera.to_view(left, bottom)
    assert 0.5 * alone <= view.camera.scale
    assert x >= WIDTH_PX or y <= view.height() - HEIGHT_PX

"""*Bring to Front* and *Send to Back*: what is drawn on top is what a click finds, on screen and in files."""

from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage

from designer.canvas.export import render_png
from designer.exchange.diagram_svg import svg_of
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawio import drawio_text
from designer.exchange.graphs.options import DrawioOptions
from designer.model import operations
from designer.model.annotating import annotate
from designer.windows.commands.menus import CONTEXT_ON_SELECTION

LEFT = Qt.MouseButton.LeftButton
RED, GREEN = "#ff0000", "#00ff00"


@pytest.fixture
def two(window):
    """A switch with two filled texts over its middle; the ids of the texts and of the switch."""
    session, ids = window.session, []
    types = session.catalog.types
    session.push(operations.add_device(session.design, types["nvidia-qm9700"], 0.0, 0.0, catalog_types=types))
    device = next(iter(session.design.devices))
    window.resize(1100, 700)
    window.show()
    window.views.canvas.zoom_to_fit()
    for fill in (RED, GREEN):
        edit = annotate(session.design, "text", (-300.0, -200.0), (300.0, 200.0), fill=fill)
        session.push(edit)
        ids.append(edit.changes[0].after.id)
    window.views.canvas.zoom_to_fit()
    return *ids, device


def seen(window, at):
    return window.views.canvas.grab().toImage().pixelColor(at).name()


def press(window, command, one):
    window.session.select([one])
    window.actions_table.refresh()
    window.actions_table.trigger(command)


def clicked(window, qtbot, at):
    window.session.select([])
    qtbot.mouseClick(window.views.canvas, LEFT, pos=at)
    return set(window.session.selection)


def test_what_is_drawn_on_top_is_what_a_click_finds(window, two, qtbot):
    red, green, device = two
    canvas = window.views.canvas
    box = canvas.box_px(red).toRect()
    corner, middle = QPoint(box.left() + 12, box.top() + 12), canvas.box_px(device).center().toPoint()
    assert (seen(window, corner), clicked(window, qtbot, corner)) == (GREEN, {green})
    assert clicked(window, qtbot, middle) == {green}
    press(window, "arrange.to_front", red)
    window.session.select([])
    assert (seen(window, corner), clicked(window, qtbot, corner)) == (RED, {red})
    window.session.undo_stack.undo()
    assert clicked(window, qtbot, corner) == {green}
    for one in (red, green):
        press(window, "arrange.to_back", one)
    window.session.select([])
    assert (seen(window, corner), clicked(window, qtbot, corner)) == (RED, {red}), "behind the fabric, red on top"
    assert clicked(window, qtbot, middle) == {device}
    assert seen(window, middle + QPoint(0, 4)) not in (RED, GREEN)


def test_diagrams_and_draw_io_pages_lay_them_over_each_other_as_the_canvas_does(window, two, tmp_path):
    red, green, device = two
    press(window, "arrange.to_back", green)
    design = window.session.design
    text = svg_of(design)
    assert text.index(GREEN) < text.index('id="boxes"') < text.index(RED)
    order = [cell.get("id") for cell in ElementTree.fromstring(drawio_text(drawn(design), DrawioOptions())).iter()]
    assert order.index(f"note-{green}") < order.index(f"node-{device}") < order.index(f"note-{red}")
    press(window, "arrange.to_front", green)
    render_png(design, tmp_path / "two.png", width=800)
    image = QImage(str(tmp_path / "two.png"))
    assert image.pixelColor(400, image.height() // 4).name() == GREEN


def test_the_commands_are_in_the_menu_of_what_is_selected(window, two):
    assert {"arrange.to_front", "arrange.to_back"} <= set(CONTEXT_ON_SELECTION)
    window.session.select([two[2]])
    window.actions_table.refresh()
    assert not window.actions_table["arrange.to_front"].isEnabled()
    window.session.select([two[0]])
    window.actions_table.refresh()
    assert window.actions_table["arrange.to_back"].isEnabled()

"""The tooltip of a port says what the chassis prints at it, and what it is kept for."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage, QPainter

from designer.canvas.hits import Target
from designer.canvas.marks import Frame, paint_hover
from designer.canvas.tooltips import tooltip_of
from designer.catalog.catalog import load
from designer.drawing.camera import Camera
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End


@pytest.fixture
def design():
    catalog, made = load(), Design()
    for type_id in ("nvidia-qm9700", "dgx-h100"):
        made.apply(operations.add_device(made, catalog.get(type_id), 0, 0, catalog_types=catalog.types))
    return made


def tooltip(design, device, port):
    return tooltip_of(design, Target(end=End(device.id, port)), None, "")


def test_a_free_port_of_a_server_is_told_as_it_is_printed(design):
    text = tooltip(design, design.servers()[0], "rail3")
    assert "OSFP3P1" in text and "drag to another port" in text


def test_a_reserved_port_says_what_it_is_kept_for(design):
    switch = design.switches()[0]
    kept = replace(switch, reserved_ports=("1/1", "1/2"), reserved_for=(("1/1", "storage <servers>"),))
    design.apply(Edit("Reserve", (Change(switch, kept),)))
    assert "reserved for storage &lt;servers&gt;" in tooltip(design, switch, "1/1")
    assert "reserved" in tooltip(design, switch, "1/2") and "reserved for" not in tooltip(design, switch, "1/2")
    assert "reserved" not in tooltip(design, switch, "2/1")


@pytest.mark.parametrize("scale", [1.6, 5.0, 11.0])
def test_the_mark_of_a_port_under_the_mouse_is_no_larger_than_the_port(hand, scale):
    switch = hand.add("nvidia-qm9700", 0.0, 0.0)
    composition, theme = hand.view.fabric.composition, hand.view.theme
    handle = composition.ports(composition.projection.row_of[switch])[0]
    camera = Camera(scale, handle.x - 50 / scale, handle.y - 50 / scale)
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    frame = Frame(composition, camera, composition.detail_at(scale), theme)
    paint_hover(painter, frame, Target(end=End(switch, handle.name)), False)
    painter.end()
    marked = [x for x in range(100) if image.pixelColor(x, 50).value()]
    assert 0 < len(marked) <= handle.size * scale + 1

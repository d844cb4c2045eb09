"""A chosen link keeps the color of its heat: what brings it out stands on either side."""

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from designer.canvas import marks
from designer.canvas.marks import BESIDE_PX, Frame, paint_selection
from designer.drawing.camera import Camera, Viewport
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model import operations


@pytest.mark.parametrize("heated", [True, False])
def test_a_chosen_link_with_heat_is_brought_out_beside_its_line(hand, heated):
    ends = [hand.add("generic-switch", 0.0, 300.0 * number) for number in range(2)]
    hand.session.push(operations.connect_devices(hand.design, *ends))
    composition = Composition(hand.design)
    detail = Detail(LinkDetail.BUNDLES)
    lines = composition.lines(detail)
    x, y = (lines.xy[0, :2] + lines.xy[0, 2:]) / 2
    camera = Camera(1.0, x - 50, y - 50)
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    sheet = Sheet.of_view(Viewport(camera, 100.0, 100.0), LIGHT, EstimatedRuler())
    paint_selection(painter, Frame(composition, camera, detail, LIGHT), sheet, frozenset(hand.design.links), heated)
    painter.end()
    across = [image.pixelColor(50 + by, 50).name() for by in range(-8, 9)]
    assert (across[8] == "#ffffff") == heated
    if heated:
        side = round(BESIDE_PX)
        accent = QColor(LIGHT.accent).name()
        assert accent in across[8 - side - 1 : 8 - side + 2]
        assert accent in across[8 + side - 1 : 8 + side + 2]


def test_of_very_many_chosen_boxes_those_in_sight_are_outlined(hand, monkeypatch):
    monkeypatch.setattr(marks, "MOST_OUTLINES", 2)
    placed = [hand.add("generic-switch", 400.0 * number, 0.0) for number in range(4)]
    composition = Composition(hand.design)
    x, y, width, height = composition.boxes[composition.projection.row_of[placed[-1]]].tolist()
    camera = Camera(1.0, x - 20, y - 20)
    image = QImage(int(width) + 40, int(height) + 40, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    sheet = Sheet.of_view(Viewport(camera, image.width(), image.height()), LIGHT, EstimatedRuler())
    frame = Frame(composition, camera, Detail(LinkDetail.BUNDLES), LIGHT)
    paint_selection(painter, frame, sheet, frozenset(placed), False)
    painter.end()
    assert QColor(LIGHT.accent).name() in {image.pixelColor(20 + int(width) // 2, row).name() for row in range(14, 22)}

"""A chosen link keeps the color of its heat: what brings it out stands on either side."""

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from designer.canvas.marks import BESIDE_PX, Frame, paint_selection
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
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
    paint_selection(painter, Frame(composition, camera, detail, LIGHT), frozenset(hand.design.links), heated)
    painter.end()
    across = [image.pixelColor(50 + by, 50).name() for by in range(-8, 9)]
    assert (across[8] == "#ffffff") == heated
    if heated:
        side = round(BESIDE_PX)
        accent = QColor(LIGHT.accent).name()
        assert accent in across[8 - side - 1 : 8 - side + 2]
        assert accent in across[8 + side - 1 : 8 + side + 2]

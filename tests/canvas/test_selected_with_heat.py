"""A chosen link keeps the color of its heat: what brings it out stands on either side."""

import numpy as np
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


@pytest.fixture
def many_chosen(hand, monkeypatch):
    """All links of a pod chosen, and so many of them that a picture is kept; returns what was painted with care."""
    servers = [hand.add("generic-switch", 260.0 * number, 400.0) for number in range(4)]
    leaf = hand.add("generic-switch", 300.0, 0.0)
    for server in servers:
        hand.session.push(operations.connect_devices(hand.design, leaf, server))
    hand.session.select(list(hand.design.links))
    monkeypatch.setattr(marks, "MOST_LINKS_AT_ONCE", 1)
    hand.view.zoom_to_fit()
    hand.view._come_to_rest()
    painted, chosen_links = [], marks.chosen_links

    def counted(*given, **options):
        painted.append(options["smooth"])
        return chosen_links(*given, **options)

    monkeypatch.setattr(marks, "chosen_links", counted)
    return painted


def test_very_many_chosen_links_are_painted_once_while_the_view_rests_or_moves(hand, many_chosen):
    hand.view.grab()
    hand.view.grab()
    assert many_chosen == [True]
    kept = hand.view.fabric._chosen_links
    kept._smooth_s = kept._quick_s = 1.0  # as of a very large fabric
    for _ in range(3):
        hand.view.move_camera(hand.view.camera.moved(5.0, 3.0))
        hand.view.grab()
    assert many_chosen == [True]
    hand.view._come_to_rest()
    hand.view.grab()
    assert many_chosen == [True, True]
    hand.session.select(list(hand.design.links)[:2])
    hand.view.grab()
    assert many_chosen == [True, True, True]


def test_the_kept_picture_of_chosen_links_looks_as_if_painted_directly(hand, many_chosen, monkeypatch):
    kept = pixels_of(hand.view)
    assert many_chosen == [True]
    monkeypatch.undo()
    direct = pixels_of(hand.view)
    assert np.abs(kept.astype(int) - direct).max() <= 2


def pixels_of(view):
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()

"""Chosen links, and links of chosen devices, keep their colors: what brings them out stands beside or beneath."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from designer.canvas import marks
from designer.canvas.marks import BESIDE_PX, MOST_LINKED, Chosen, Frame, paint_selection
from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.display_list import class_of, colour_of_class
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.lit import Lit, lit_around, lit_picture
from designer.drawing.parts.lit import MOST_BROAD, brought_out, lit_layers
from designer.drawing.parts.primitives import Lines
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT, mixed
from designer.model import operations
from designer.topologies import rail_optimized


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


# -- the links of chosen devices -----------------------------------------------------------------------------------


@pytest.fixture
def rails(session, catalog):
    """Two units of four servers of eight rails, links colored by rail."""
    parameters = rail_optimized.RailOptimizedParameters(servers=8, servers_per_su=4)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    session.attempt(lambda: operations.set_settings(session.design, color_links_by="rail"))
    return session


def seen(session, links=LinkDetail.TRUNKS, heat=None):
    composition, detail = Composition(session.design), Detail(links)
    sheet = Sheet.of_view(Viewport(fitting(composition.bounds, 1600.0, 900.0), 1600.0, 900.0), LIGHT, EstimatedRuler())
    return composition, composition.picture(LIGHT, detail, heat), sheet


def pens(parts):
    return [(part.pen.colour, part.pen.width, len(part.xy)) for part in parts if isinstance(part, Lines)]


def rail_colours(picture):
    (key,) = (one for one in picture.keys if one.is_of_links)
    return {one.colour for one in key.swatches if one.text.startswith("Rail ")}


def test_links_of_a_chosen_server_have_the_colours_of_their_rails_on_a_halo(rails):
    server = next(iter(rails.design.servers()))
    composition, picture, sheet = seen(rails)
    bright = Chosen().links_of_devices(composition, picture, frozenset([server.id]))
    (halo, wide_px, n_lines), (core, core_px, _), *own = pens(brought_out(bright, sheet))
    assert halo not in (LIGHT.accent, *rail_colours(picture)) and n_lines == len(bright.lines.xy)
    assert core == LIGHT.background and max(width for _, width, _ in own) < core_px < wide_px
    assert {colour for colour, *_ in own} == rail_colours(picture) and len(rail_colours(picture)) == 8
    assert sum(count for *_, count in own) == n_lines


def test_links_of_a_chosen_device_keep_the_colours_of_their_loads(rails):
    loads = dict.fromkeys(rails.design.links, (0.3, 0.3))
    leaf = next(one for one in rails.design.switches() if one.role == "leaf")
    hot, *_ = (one.id for one in rails.design.links_of(leaf.id))
    composition, picture, sheet = seen(rails, heat=Heat(rails.design.revision, loads | {hot: (0.9, 0.1)}))
    bright = Chosen().links_of_devices(composition, picture, frozenset([leaf.id]))
    _, _, *own = pens(brought_out(bright, sheet))
    assert {colour for colour, *_ in own} == {colour_of_class(class_of(load), LIGHT) for load in (0.3, 0.9)}


def test_where_colours_say_nothing_links_of_a_chosen_device_have_that_of_the_selection(rails):
    rails.attempt(lambda: operations.set_settings(rails.design, color_links_by="network"))
    server = next(iter(rails.design.servers()))
    composition, picture, sheet = seen(rails)
    bright = Chosen().links_of_devices(composition, picture, frozenset([server.id]))
    assert {colour for colour, *_ in pens(brought_out(bright, sheet))} == {LIGHT.accent}


def test_more_links_than_show_apart_have_a_narrower_halo(rails):
    composition, picture, sheet = seen(rails, LinkDetail.SINGLES)
    widths = {}
    for kept in (frozenset(list(rails.design.devices)[:1]), frozenset(rails.design.devices)):
        bright = Chosen().links_of_devices(composition, picture, kept)
        (_, width, n_lines), *_ = pens(brought_out(bright, sheet))
        widths[n_lines > MOST_BROAD] = width
    assert 2.0 < widths[True] < widths[False]


def test_links_of_very_many_chosen_devices_are_not_brought_out(rails, monkeypatch):
    composition, picture, _ = seen(rails)
    everything = frozenset(rails.design.devices)
    assert len(everything) < MOST_LINKED and Chosen().links_of_devices(composition, picture, everything) is not None
    monkeypatch.setattr(marks, "MOST_LINKED", len(everything) - 1)
    assert Chosen().links_of_devices(composition, picture, everything) is None
    assert Chosen().links_of_devices(composition, picture, frozenset()) is None


def test_what_is_brought_out_is_kept_until_selection_colours_or_drawing_change(rails):
    chosen, server = Chosen(), frozenset([next(iter(rails.design.servers())).id])
    composition, picture, _ = seen(rails)
    kept = [chosen.links_of_devices(composition, picture, server)]
    assert chosen.links_of_devices(composition, composition.picture(LIGHT, picture.detail), server) is kept[0]
    leaf = frozenset([next(iter(rails.design.switches())).id])
    heat = Heat(rails.design.revision, dict.fromkeys(rails.design.links, (0.5, 0.5)))
    kept.append(chosen.links_of_devices(composition, picture, leaf))
    kept.append(chosen.links_of_devices(composition, composition.picture(LIGHT, picture.detail, heat), leaf))
    composition.generation += 1
    kept.append(chosen.links_of_devices(composition, composition.picture(LIGHT, picture.detail, heat), leaf))
    assert all(one is not other for one, other in pairwise(kept))


def test_what_the_mouse_rests_on_has_the_colours_of_its_links_too(rails):
    server = next(iter(rails.design.servers())).id
    composition, picture, sheet = seen(rails)
    lit = lit_around(composition, server)
    bright = lit_picture(composition, picture, None, lit)
    found = pens(next(parts_of(lit_layers(composition, picture, bright, sheet, lit))))
    assert {colour for colour, *_ in found} == rail_colours(picture)
    of_chosen = set()
    for one in lit.links:
        chosen = Lit(lit.links, lit.devices, frozenset([one]), (server,))
        bright = lit_picture(composition, picture, None, chosen)
        *_, (colour, _, n_lines) = pens(next(parts_of(lit_layers(composition, picture, bright, sheet, chosen))))
        assert n_lines == 1
        of_chosen.add(colour)
    assert of_chosen == rail_colours(picture)


def parts_of(groups):
    return (group.parts for group in groups if group.id == "lit-links")


@pytest.fixture
def across(hand):
    """The colors on the canvas from side to side over the middle of a link, and the ids of its ends."""
    ends = [hand.add("generic-switch", 0.0, 300.0 * number) for number in range(2)]
    hand.session.push(operations.connect_devices(hand.design, *ends))
    hand.view.zoom_to_fit()
    hand.session.select([])
    hand.view._come_to_rest()
    fabric, camera = hand.view.fabric, hand.view.camera
    xy = camera.points_to_view(fabric.composition.lines(fabric.detail(camera.scale)).xy)
    x, y = ((xy[0, :2] + xy[0, 2:]) / 2).tolist()

    def colours():
        image, ratio = hand.view.grab().toImage(), hand.view.devicePixelRatioF()
        return [image.pixelColor(round((x + by) * ratio), round(y * ratio)).name() for by in range(-8, 9)]

    return colours, ends


def test_the_canvas_shows_links_of_a_selected_device_with_heat(hand, across):
    colours, ends = across
    loads = dict.fromkeys(hand.design.links, (0.5, 0.5))
    hand.session.workbench.heat_view.show_jobs(Heat(hand.design.revision, loads))
    halo = mixed(LIGHT.accent, LIGHT.background, 0.40)
    assert halo not in colours()
    hand.session.select([ends[0]])
    beside, heat = colours(), QColor(colour_of_class(class_of(0.5), LIGHT))
    assert beside.count(halo) >= 2
    assert min(abs(QColor(one).blue() - heat.blue()) + abs(QColor(one).red() - heat.red()) for one in beside) < 50


@pytest.mark.parametrize("by", ["network", "tier"])
def test_a_selected_link_keeps_the_colour_of_what_links_are_coloured_by(hand, across, by):
    hand.session.attempt(lambda: operations.set_settings(hand.design, color_links_by=by))
    colours, _ = across
    before = colours()
    hand.session.select(list(hand.design.links))
    found = [number for number, one in enumerate(colours()) if one == LIGHT.accent]
    on_line = [number for number, one in enumerate(before) if one != before[0]]
    assert found and (not set(found) & set(on_line)) == (by == "tier")

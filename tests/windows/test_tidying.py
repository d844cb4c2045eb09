"""Tidy with its preview, swap, rotate, mirror, spacing and lock, from the window."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit

from designer.model import annotating, operations
from designer.model.edit import Change, Edit
from designer.model.entities import order_key
from designer.placement.layouts.tidy import tidy
from designer.storage import document
from designer.topologies import hand_racks, torus


@pytest.fixture
def pod(window, catalog):
    """Two spines, two leafs and four servers, thrown about."""
    session, ids = window.session, []
    for place, type_id in enumerate(["nvidia-qm9700"] * 4 + ["dgx-h100"] * 4):
        at = 37.0 * place * place % 500, 91.0 * place % 300
        edit = operations.add_device(session.design, catalog.get(type_id), *at, catalog_types=catalog.types)
        session.push(edit)
        ids.append(next(c.after.id for c in edit.changes if c.after.id in session.design.devices))
    session.push(operations.connect_evenly(session.design, ids[2:4], ids[:2], 4))
    session.push(operations.connect_evenly(session.design, ids[4:], ids[2:4], 2))
    return ids


def heights(design, ids):
    return {design.placements[one].y for one in ids}


def test_everything_is_tidied_in_one_step_after_a_preview(window, pod, qtbot):
    session, bar = window.session, window.construction
    session.select([])
    before = document.encode(session.design)
    window.actions_table.trigger("arrange.tidy")
    assert bar.isVisible()
    assert bar.text.text() == "Moves 8 devices."
    drawn = window.views.canvas.fabric.composition
    assert (drawn.centres != drawn.projection.centres).any()
    assert document.encode(session.design) == before
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    design = session.design
    assert [len(heights(design, part)) for part in (pod[:2], pod[2:4], pod[4:])] == [1, 1, 1]
    assert max(heights(design, pod[:2])) < max(heights(design, pod[2:4])) < max(heights(design, pod[4:]))
    assert (drawn.centres == drawn.projection.centres).all()
    window.actions_table.trigger("edit.undo")
    assert document.encode(session.design) == before


def test_all_of_a_preview_is_in_view_and_cancel_gives_the_former_view_back(window, pod, qtbot):
    session, bar, canvas = window.session, window.construction, window.views.canvas
    session.select([])
    canvas.zoom_onto(pod[:1])
    before = canvas.camera
    window.actions_table.trigger("arrange.tidy")
    seen = canvas.rect().adjusted(0, 0, 0, -bar.height())
    assert all(seen.contains(canvas.box_px(one).toRect()) for one in pod)
    assert not any(canvas.box_px(one).toRect().intersects(bar.geometry()) for one in pod)
    bar.cancel_button.click()
    assert canvas.camera == before
    window.actions_table.trigger("arrange.tidy")
    canvas.zoom_in()
    moved = canvas.camera
    bar.close_bar()
    assert canvas.camera == moved, "moved by hand"


def test_the_floor_plan_stays_where_nothing_is_seen_to_be_tidied(window, pod, qtbot):
    window.views.show_view(window.views.floor)
    tidy = window.actions_table["arrange.tidy"]
    qtbot.waitUntil(lambda: not tidy.isEnabled())
    window.actions_table.trigger("arrange.tidy")
    assert window.views.current is window.views.floor and not window.construction.isVisible()
    window.views.show_canvas()
    qtbot.waitUntil(tidy.isEnabled)


def test_what_is_tidy_already_is_called_so(window, pod):
    bar = window.construction
    window.actions_table.trigger("arrange.tidy")
    bar.accept()
    window.session.select([])
    window.actions_table.trigger("arrange.tidy")
    assert bar.text.text() == "Nothing moves: the layout is already tidy."
    assert not bar.do_button.isEnabled()


def test_legends_lie_over_nothing_of_a_preview(window, catalog, qtbot):
    session, bar, canvas = window.session, window.construction, window.views.canvas
    session.push(torus.build(session.design, torus.TorusParameters(dims=(4, 4, 4)), catalog))
    canvas.zoom_to_fit()
    canvas.grab()  # a legend has a place once it is painted
    window.actions_table.trigger("arrange.tidy")
    combo = bar._fields["layout"].findChild(QComboBox)
    combo.setCurrentIndex(combo.findText("Oblique cube"))
    qtbot.waitUntil(lambda: bar.text.text() == "Moves 128 devices.")
    taken = [QRectF(x, y, end - x, low - y) for x, y, end, low in canvas.subject.taken_px(canvas.sight)]
    boxes = [canvas.box_px(one) for one in session.design.devices]
    assert taken and not any(one.intersects(box) for one in taken for box in boxes)
    assert all(box.bottom() < canvas.height() - bar.height() for box in boxes)


def test_a_preview_in_view_moves_nothing_and_what_is_done_stays_in_view(window, pod):
    session, bar, canvas = window.session, window.construction, window.views.canvas
    canvas.zoom_to_fit()
    canvas.zoom_out()
    canvas.zoom_out()
    session.select(pod[:2])
    before = canvas.camera
    window.actions_table.trigger("arrange.array")
    bar.close_bar()
    assert canvas.camera == before
    canvas.zoom_onto(pod[:2])
    window.actions_table.trigger("arrange.array")
    shown = canvas.camera
    bar.accept()
    assert canvas.camera == shown
    assert all(canvas.rect().contains(canvas.box_px(one).toRect()) for one in session.selection)


def test_a_preview_that_is_dismissed_puts_everything_back(window, pod, qtbot):
    bar, drawn = window.construction, window.views.canvas.fabric.composition
    before = document.encode(window.session.design)
    window.actions_table.trigger("arrange.tidy")
    combo = bar._fields["layout"].findChild(QComboBox)
    combo.setCurrentIndex(combo.findText("Sheets of a torus"))
    qtbot.waitUntil(lambda: "choose another layout" in bar.text.text())
    assert not bar.do_button.isEnabled()
    combo.setCurrentIndex(combo.findText("Circle"))
    qtbot.waitUntil(bar.do_button.isEnabled)
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert (drawn.centres == drawn.projection.centres).all()
    assert document.encode(window.session.design) == before


def test_a_selection_is_turned_mirrored_and_swapped_by_keys(window, pod, qtbot):
    session = window.session
    session.push(operations.align(session.design, pod[4:], "top"))
    session.select(pod[4:])
    for action in ("rotate_right", "rotate_left", "mirror_x", "mirror_y"):
        window.actions_table.trigger(f"arrange.{action}")
    assert len(heights(session.design, pod[4:])) == 1
    window.actions_table.trigger("arrange.rotate_right")
    assert len(heights(session.design, pod[4:])) == 4
    places = session.design.placements
    a, b = pod[:2]
    stood = [(places[one].x, places[one].y) for one in (a, b)]
    session.select([a, b])
    window.actions_table.trigger("arrange.swap")
    assert [(session.design.placements[one].x, session.design.placements[one].y) for one in (b, a)] == stood


def test_spacing_is_typed_into_the_bar(window, pod, qtbot):
    session, bar = window.session, window.construction
    session.push(operations.align(session.design, pod[4:], "top"))
    session.push(operations.distribute(session.design, pod[4:], "x"))
    session.select(pod[4:])
    window.actions_table.trigger("arrange.spacing")
    bar._fields["gap"].findChild(QLineEdit).setText("50")
    qtbot.waitUntil(lambda: bar.do_button.isEnabled())
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    xs = sorted(session.design.placements[one].x for one in pod[4:])
    assert [b - a for a, b in pairwise(xs)] == [146.0] * 3


def test_what_is_locked_is_checked_in_the_menu_and_stays_when_nudged(window, pod):
    session, table = window.session, window.actions_table
    session.select(pod[:1])
    table.refresh()
    assert not table["arrange.lock"].isChecked()
    table.trigger("arrange.lock")
    table.refresh()
    assert table["arrange.lock"].isChecked()
    canvas = window.views.canvas
    assert canvas.fabric.movable(session.selection) == ()
    table.trigger("arrange.lock")
    assert canvas.fabric.movable(session.selection) == (pod[0],)


def test_the_inspector_shows_and_changes_the_layout_of_a_group(window, pod, qtbot):
    session = window.session
    session.push(operations.group(session.design, pod, "pod"))
    group = max(session.design.groups, key=order_key)
    session.select([group])
    page = window.docks.inspector.container_page
    qtbot.waitUntil(lambda: page.layout_field.count() > 1)
    assert page.layout_field.value == ""
    page.layout_field.activated.emit([text for _, text in page.layout_field._choices].index("Circle"))
    assert session.design.groups[group].layout == "circle"
    page.layout_field.activated.emit([text for _, text in page.layout_field._choices].index("Sheets of a torus"))
    assert session.design.groups[group].layout == page.layout_field.value == "circle"


def zone_around(session, ids, margin=60.0):
    """A zone around these devices; its id."""
    at = [session.design.placements[one] for one in ids]
    low = min(one.x for one in at) - margin - 60, min(one.y for one in at) - margin
    high = max(one.x for one in at) + margin + 60, max(one.y for one in at) + margin
    session.push(edit := annotating.annotate(session.design, "zone", low, high, text="Servers"))
    return next(c.after.id for c in edit.changes if c.after.id in session.design.annotations)


def inside(design, zone, device):
    note, at, its = design.annotations[zone], design.placements[zone], design.placements[device]
    return abs(its.x - at.x) <= abs(note.dx) / 2 - 48 and abs(its.y - at.y) <= abs(note.dy) / 2 - 22


def test_a_zone_goes_along_with_the_servers_it_frames_and_grows_with_them(window, pod):
    session = window.session
    for place, server in enumerate(pod[4:]):  # close to each other, far from the rest
        before = session.design.placements[server]
        session.push(Edit("move", (Change(before, replace(before, x=2000.0, y=1000.0 + 60 * place)),)))
    zone = zone_around(session, pod[4:])
    empty = zone_around(session, pod[:1], margin=-30.0)
    stays = session.design.placements[empty]
    session.push(tidy(session.design))
    assert all(inside(session.design, zone, one) for one in pod[4:])
    assert not any(inside(session.design, zone, one) for one in pod[:4])
    assert session.design.placements[empty] == stays, "it framed nothing"


def test_a_locked_zone_stays(window, pod):
    session = window.session
    zone = zone_around(session, pod)
    at = session.design.placements[zone]
    session.push(Edit("lock", (Change(at, replace(at, locked=True)),)))
    session.push(tidy(session.design))
    assert session.design.placements[zone] == replace(at, locked=True)


def test_copies_of_racked_devices_are_said_to_be_in_no_rack(window, pod, catalog):
    session = window.session
    session.select(pod[4:6])
    window.actions_table.trigger("edit.duplicate")
    assert "no rack" not in window.notice.text.text(), "nothing is in racks yet"
    session.push(hand_racks.mounted(session.design, pod[4:6], hand_racks.RackPolicy(), catalog.get).edit)
    session.select(pod[4:6])
    window.actions_table.trigger("edit.duplicate")
    assert "2 copies are in no rack" in window.notice.text.text()
    assert window.notice.isVisible()

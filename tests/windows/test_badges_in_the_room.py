"""Floor plan and elevation bear badges of findings, as the canvas does; tooltip and click lead to the finding."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.canvas.glyphs import Fonts
from designer.canvas.hits import Target
from designer.canvas.room.elevation_view import LEAST_SIGNED_UNIT_PX
from designer.drawing.camera import Camera
from designer.drawing.overlay import worst_by_subject
from designer.drawing.parts.marks import BADGE
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.room.elevation import HEADER, UNIT
from designer.model import operations
from designer.validation.findings import Severity
from designer.windows.commands import view_commands

LEFT = Qt.MouseButton.LeftButton
SIGNS = {severity.value for severity in Severity}


@pytest.fixture
def faulty(window, generate, qtbot):
    """A small fabric whose first server has NICs without a cable."""
    session, design = window.session, generate("rail-optimized", server="dgx-h100", servers=8, servers_per_su=8)
    server = design.servers()[0]
    design.apply(operations.delete(design, [link.id for link in design.links_of(server.id)][:3]))
    session.replace(design, None)
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=20_000)
    return window


@pytest.fixture
def server(faulty):
    return faulty.session.design.servers()[0]


@pytest.fixture
def rack_id(faulty, server):
    return faulty.session.design.placements[server.id].rack_id


def signs(view):
    """Severity and place of what is drawn as badge, or as dot of one."""
    parts = view.subject.parts(view.sight.sheet(Fonts(view.font())))
    return [(one.title, one.at) for one in parts if isinstance(one, Group) and one.title in SIGNS]


def at(view, rect):
    """A rectangle of the picture in the view."""
    (left, top), (right, bottom) = (view.camera.to_view(*rect[:2]), view.camera.to_view(*rect[2:]))
    return left, top, right, bottom


def frame_of(view, rack_id):
    return next(frame for frame in view.subject.frames if frame.rack_id == rack_id)


def is_at(place, rect, around=4.0):
    return rect[0] - around <= place[0] <= rect[2] + around and rect[1] - around <= place[1] <= rect[3] + around


def shown(window, show):
    show(window)
    view = window.views.current
    view.zoom_to_fit()
    return view


def look_at(view, one, scale):
    """Show a rack or device in the left top of the view."""
    left, top, _, _ = view.subject.rect_of(one)
    view.move_camera(Camera(scale, left - 40 / scale, top - 40 / scale))


@pytest.mark.parametrize("scale", [0.12, 0.3, 0.4, 1.0])
def test_the_elevation_bears_a_badge_at_a_device_or_where_units_are_low_at_its_rack(faulty, server, rack_id, scale):
    view = shown(faulty, view_commands.show_elevation)
    is_low = scale * UNIT < LEAST_SIGNED_UNIT_PX
    look_at(view, rack_id if is_low else server.id, scale)
    ((severity, place),) = signs(view)
    assert severity == "warning" and is_at(place, at(view, view.subject.rect_of(rack_id if is_low else server.id)))
    if is_low:  # the upper corner of a rack, not what stands in it
        assert abs(place[1] - at(view, frame_of(view, rack_id).rect)[1]) < HEADER


def test_the_floor_plan_bears_the_worst_of_each_rack(faulty, rack_id):
    view = shown(faulty, view_commands.show_floor)
    ((severity, place),) = signs(view)
    assert severity == "warning" and is_at(place, at(view, view.subject.rect_of(rack_id)))


@pytest.mark.parametrize("show", [view_commands.show_elevation, view_commands.show_floor])
def test_a_click_on_the_badge_of_a_rack_selects_it_and_its_finding(faulty, server, rack_id, show):
    view, session = shown(faulty, show), faulty.session
    if show is view_commands.show_elevation:
        look_at(view, rack_id, 0.25)
    ((_, (x, y)),) = signs(view)
    for spot in (QPoint(round(x), round(y) - 4), QPoint(round(x), round(y) + 4)):
        session.select(())
        QTest.mouseClick(view, LEFT, Qt.KeyboardModifier.NoModifier, spot)
        assert session.selection == {rack_id}
        assert faulty.docks.findings.current_finding() in session.workbench.validation.about([server.id])
    session.show_badges(False)
    session.select(())
    QTest.mouseClick(view, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(round(x), round(y) - 4))
    assert session.selection != {rack_id}


def test_what_is_written_on_a_device_keeps_clear_of_its_badge(faulty, server):
    view = shown(faulty, view_commands.show_elevation)
    look_at(view, server.id, 1.0)
    sheet = view.sight.sheet(Fonts(view.font()))
    ((_, (x, y)),) = signs(view)
    left, _, right, _ = at(view, view.subject.rect_of(server.id))
    texts = [one for one in flat(view.subject.parts(sheet)) if isinstance(one, Text) and left < one.x < right]
    (model,) = [one for one in texts if one.anchor == "end" and abs(one.y - y) < 8]
    assert model.x <= x - BADGE


def flat(parts):
    for one in parts:
        yield one
        if isinstance(one, Group):
            yield from flat(one.parts)


def test_the_badge_of_devices_in_no_rack_is_at_the_highest_of_them(faulty, server):
    session = faulty.session
    session.push(operations.mount(session.design, server.id, None, None))
    session.push(operations.add_device(session.design, session.design.device_type(server.id), 0, 0, catalog_types={}))
    for frame in faulty.views.elevation.subject.frames:
        if frame.rack_id is None:
            assert frame.filled[1] == min(box.rect[1] for box in frame.boxes)
        else:
            assert frame.filled == frame.rect


def test_badges_that_are_hidden_are_hidden_in_the_room_too(faulty):
    view = shown(faulty, view_commands.show_floor)
    assert signs(view)
    view_commands.toggle_badges(faulty)
    assert not signs(view)


def test_badges_follow_what_is_found(faulty, server, qtbot):
    view, session = shown(faulty, view_commands.show_floor), faulty.session
    assert signs(view)
    session.undo_stack.clear()
    design = session.design
    session.push(operations.delete(design, [link.id for link in design.links_of(server.id)]))
    session.push(operations.delete(design, [server.id]))
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=20_000)
    assert server.id not in view.subject.worst
    open_about = {one for found in session.workbench.validation.report_now.open for one in found.subjects}
    assert view.subject.worst.keys() <= open_about


def test_the_tooltip_says_what_a_badge_is_about(faulty, server, rack_id):
    (first, *_) = faulty.session.workbench.validation.about([server.id])
    for view, target in (
        (faulty.views.elevation, Target(device_id=server.id)),
        (faulty.views.elevation, Target(container_id=rack_id)),
        (faulty.views.floor, Target(container_id=rack_id)),
    ):
        assert "Warning: " in view.subject.tooltip(target) and first.message.split(":")[0] in view.subject.tooltip(
            target
        )
    assert faulty.views.floor.subject.tooltip(Target()) == ""


def test_a_click_on_a_rack_with_a_badge_makes_its_finding_current(faulty, server, rack_id):
    view, panel = shown(faulty, view_commands.show_floor), faulty.docks.findings
    QTest.mouseClick(view, LEFT, Qt.KeyboardModifier.NoModifier, view.box_px(rack_id).center().toPoint())
    assert faulty.session.selection == {rack_id}
    assert panel.current_finding() in faulty.session.workbench.validation.about([server.id])


def test_a_badge_goes_with_its_device_into_another_rack_and_not_into_another_design(faulty, server, rack_id, generate):
    session, plan = faulty.session, faulty.views.floor.subject
    assert plan.worst_in_racks().keys() == {rack_id}
    other = next(one for one in session.design.racks if one != rack_id)
    session.workbench.validation.forget()  # as while very much is checked in the background
    session.push(operations.mount(session.design, server.id, other, 33))
    assert session.workbench.validation.report_now is None
    assert plan.worst_in_racks().keys() == {other}
    session.replace(generate("rail-optimized", server="dgx-h100", servers=8, servers_per_su=8), None)
    assert not plan.worst and not plan.worst_in_racks()


def test_names_are_cut_for_badges_only_where_devices_bear_them(faulty, server):
    view, session = shown(faulty, view_commands.show_elevation), faulty.session
    look_at(view, server.id, 0.25)
    written = []
    for are_shown in (True, False):
        session.show_badges(are_shown)
        parts = flat(view.subject.parts(view.sight.sheet(Fonts(view.font()))))
        written.append([one.text for one in parts if isinstance(one, Text)])
    assert server.name in written[1] and set(written[1]) <= set(written[0])


def test_what_is_under_construction_has_no_badge_yet(faulty, server):
    found = faulty.session.workbench.validation.about([server.id])
    assert server.id in worst_by_subject(found) and server.id not in worst_by_subject(found, {server.id})

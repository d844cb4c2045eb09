"""A badge leads to its finding: in the tooltip, in the inspector and in the list, and back."""

import pytest

from designer.canvas.hits import Target
from designer.canvas.tooltips import tooltip_of
from designer.drawing.parts.marks import badges
from designer.model import operations
from designer.validation.findings import Severity


@pytest.fixture
def faulty(window, generate, qtbot):
    """A small fabric whose first and last servers have NICs without a cable."""
    session, design = window.session, generate("rail-optimized", server="dgx-h100", servers=8, servers_per_su=8)
    for one in (design.servers()[0], design.servers()[-1]):
        design.apply(operations.delete(design, [link.id for link in design.links_of(one.id)][:3]))
    session.replace(design, None)
    validation = session.workbench.validation
    qtbot.waitUntil(lambda: validation.is_current, timeout=20_000)
    return window


def about(window, device_id):
    found = window.session.workbench.validation.about([device_id])
    assert found and all(one.severity is not Severity.INFO for one in found)
    return found


def test_the_tooltip_has_the_findings_and_how_many_more_there_are(faulty):
    fabric, server = faulty.views.canvas.fabric, faulty.session.design.servers()[0]
    found = about(faulty, server.id)
    tip = fabric.tooltip(Target(device_id=server.id))
    for one in found[:3]:
        assert f"{one.severity.value.capitalize()}: " in tip and one.message.split(":")[0] in tip
    assert "<td>server, unit 1</td>" in tip
    for count, more in ((3, ""), (5, "and 2 more")):
        many = tooltip_of(faulty.session.design, Target(device_id=server.id), None, "", findings=[found[0]] * count)
        assert many.count("Warning: ") == 3 and (more in many if more else "more" not in many)


def test_a_tooltip_says_that_a_device_is_in_no_rack_where_there_are_racks(faulty):
    fabric, session = faulty.views.canvas.fabric, faulty.session
    server = session.design.servers()[0]
    assert session.design.racks[session.design.placements[server.id].rack_id].name in fabric.tooltip(
        Target(device_id=server.id)
    )
    session.push(operations.mount(session.design, server.id, None, None))
    assert "<td>none</td>" in fabric.tooltip(Target(device_id=server.id))


def test_what_is_selected_shows_its_finding_in_the_list_and_in_the_inspector(faulty, qtbot):
    session, panel, inspector = faulty.session, faulty.docks.findings, faulty.docks.inspector
    servers = (session.design.servers()[0], session.design.servers()[-1])
    for server in servers:
        session.select([server.id])
        assert panel.current_finding() in about(faulty, server.id)
    last = about(faulty, servers[-1].id)[-1]
    panel.show_finding(last)
    session.select([servers[0].id])
    session.select([servers[-1].id])
    inspector.refresh()
    bar = inspector.findings_bar
    assert bar.isVisible() and last.message.split(":")[0] in bar.lines.text()
    first = about(faulty, servers[-1].id)[0]
    faulty.docks.show("simulation")
    bar.lines.linkActivated.emit("0")
    assert panel.current_finding() is first and faulty.docks.shown("findings")
    session.select(())
    inspector.refresh()
    assert bar.isHidden()


def test_a_finding_that_comes_while_one_edits_moves_no_field(faulty, qtbot):
    session, inspector = faulty.session, faulty.docks.inspector
    server = next(one for one in session.design.servers() if not session.workbench.validation.about([one.id]))
    faulty.docks.show("inspector")
    session.select([server.id])
    inspector.refresh()
    fields = [inspector.device_page.name, inspector.device_page.rack]
    inspector.grab()  # lays it out
    before = [one.mapTo(inspector, one.rect().topLeft()) for one in fields]
    session.push(operations.delete(session.design, [link.id for link in session.design.links_of(server.id)][:3]))
    qtbot.waitUntil(lambda: inspector.findings_bar.isVisible(), timeout=20_000)
    inspector.grab()
    assert [one.mapTo(inspector, one.rect().topLeft()) for one in fields] == before
    bar = inspector.findings_bar
    assert bar.mapTo(inspector, bar.rect().bottomLeft()).y() == inspector.rect().bottom()


def test_a_finding_that_is_about_what_is_selected_stays_the_current_one(faulty):
    session, panel = faulty.session, faulty.docks.findings
    server = session.design.servers()[0]
    last = about(faulty, server.id)[-1]
    panel.show_finding(last)
    session.select([server.id])
    assert panel.current_finding() is last


def test_the_badge_of_what_the_mouse_rests_on_stays(faulty, qtbot, monkeypatch):
    canvas, server = faulty.views.canvas, faulty.session.design.servers()[0]
    about(faulty, server.id)
    painted = []
    monkeypatch.setattr(
        "designer.canvas.fabric_picture.badges",
        lambda composition, sheet, detail, worst, *more: (
            painted.append(set(worst)) or badges(composition, sheet, detail, worst, *more)
        ),
    )
    canvas.subject.rest_on(Target(device_id=server.id))
    qtbot.waitUntil(lambda: canvas.fabric._spotlight.strength == 1.0)
    painted.clear()
    canvas.grab()
    assert painted == [{server.id}]

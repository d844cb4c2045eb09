"""What a fix will do is shown on the canvas and in words before it is applied."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage

from designer.analysis.cable_numbers import number_cables
from designer.canvas.ghosts import ghosts_of
from designer.model import operations
from designer.model.edit import Change, Edit, added
from designer.model.entities import End, Link
from designer.storage import document
from designer.topologies import fat_tree

NAMES = ("leaf-a", "leaf-b", "leaf-c")


@pytest.fixture
def faulty(window, qtbot, catalog):
    """Three switches in a row: two links on one port, one from a switch to itself, and a name given twice."""
    session = window.session
    for x, name in enumerate(NAMES):
        edit = operations.add_device(
            session.design, catalog.get("nvidia-qm9700"), 300.0 * x, 0, catalog_types=catalog.types, name=name
        )
        session.push(edit)
    a, b, c = (session.design.find(name).id for name in NAMES)
    session.push(operations.connect_devices(session.design, a, b))
    first = next(iter(session.design.links.values()))
    twice = Link("l900", End(first.a.device_id, first.a.port), End(c, "32/2"))
    itself = Link("l901", End(b, "30/1"), End(b, "30/2"))
    session.push(Edit("Break it", added([twice, itself])))
    window.docks.show("findings")
    settle(window, qtbot)
    return window


def settle(window, qtbot):
    validation = window.session.workbench.validation
    validation.check_all()
    qtbot.waitUntil(lambda: validation.is_current and validation.report is not None, timeout=10_000)


def choose(window, code):
    panel = window.docks.findings
    number = next(n for n, row in enumerate(panel.model.rows) if row.code == code and row.finding is not None)
    panel.table.setCurrentIndex(panel.filter.mapFromSource(panel.model.index(number, 0)))
    panel.table.setFocus()
    return panel.current_finding()


def preview(window, qtbot, code, key=Qt.Key.Key_Space):
    finding = choose(window, code)
    qtbot.keyClick(window.docks.findings.table, key)
    qtbot.waitUntil(lambda: window.construction.isVisible(), timeout=5000)
    return finding


def shown(window):
    return window.views.canvas.fabric.ghosts.shown


def reds(window):
    """Pixels of the canvas in the color of what is removed or moved."""
    canvas = window.views.canvas
    picture = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    wanted = QColor(canvas.theme.error).rgb() & 0xFFFFFF
    found = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), -1)
    return int(((found & 0xFFFFFF) == wanted).sum())


def test_space_on_a_finding_shows_what_its_fix_removes_and_esc_ends_it(faulty, qtbot):
    session, bar = faulty.session, faulty.construction
    before = document.encode(session.design)
    bare = reds(faulty)
    finding = preview(faulty, qtbot, "LINK-001")
    assert shown(faulty).removed == {"l901"}
    assert bar.title.text() == f"LINK-001: {finding.fix.label}"
    assert bar.text.text() == "Removes 1 link."
    assert bar.key.text() == "Crossed: removed."
    assert not session.selection
    with_badges = reds(faulty)
    session.show_badges(False)
    assert reds(faulty) == with_badges > 20  # badges would hide what is previewed
    session.show_badges(True)
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Escape)
    assert not bar.isVisible() and shown(faulty) is None
    assert reds(faulty) <= bare
    assert faulty.docks.findings.table.hasFocus()
    assert document.encode(session.design) == before


def test_a_previewed_fix_is_applied_as_one_edit(faulty, qtbot):
    session, bar = faulty.session, faulty.construction
    before, count = document.encode(session.design), session.undo_stack.count()
    preview(faulty, qtbot, "LINK-001")
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    assert "l901" not in session.design.links
    assert session.undo_stack.count() == count + 1
    assert shown(faulty) is None and not bar.isVisible()
    assert "Fixed LINK-001" in faulty.notice.text.text()
    faulty.actions_table.trigger("edit.undo")
    assert document.encode(session.design) == before


def test_a_link_that_moves_is_drawn_in_red_where_it_is_and_where_it_will_be(faulty, qtbot):
    finding = preview(faulty, qtbot, "PORT-002")
    (change,) = finding.fix.changes
    ghosts = shown(faulty)
    assert ghosts.moved_links == {change.after.id} and len(ghosts.moved) == 3  # beside leaf-b, as links are drawn
    assert not len(ghosts.lines) and not ghosts.removed and not ghosts.changed
    name, end = faulty.session.design.device(change.after.a.device_id).name, change.after.a
    connected = f"Connects port {end.port} of {name} to port 32/2 of leaf-c."
    assert faulty.construction.text.text() == f"Moves 1 link. {connected}"
    assert faulty.docks.findings.detail.fix_label.text().endswith(f". {connected}")
    assert reds(faulty) > 50


def test_the_preview_follows_the_finding_that_is_gone_to(faulty, qtbot):
    bar = faulty.construction
    preview(faulty, qtbot, "LINK-001")
    choose(faulty, "PORT-002")
    qtbot.waitUntil(lambda: bar.title.text().startswith("PORT-002"), timeout=5000)
    assert shown(faulty).moved_links
    panel = faulty.docks.findings
    number = next(n for n, row in enumerate(panel.model.rows) if not row.fix)
    panel.table.setCurrentIndex(panel.filter.mapFromSource(panel.model.index(number, 0)))
    assert not bar.isVisible() and shown(faulty) is None


def test_all_fixes_of_a_rule_are_previewed_together(faulty, qtbot):
    session, bar, panel = faulty.session, faulty.construction, faulty.docks.findings
    session.push(operations.rename(session.design, session.design.find("leaf-b").id, "leaf-a"))
    session.push(operations.rename(session.design, session.design.find("leaf-c").id, "leaf-a"))
    settle(faulty, qtbot)
    choose(faulty, "NAME-001")
    assert panel.detail.preview_all.isVisible()
    qtbot.mouseClick(panel.detail.preview_all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bar.isVisible(), timeout=5000)
    assert bar.title.text() == "Fix all of NAME-001"
    assert bar.text.text() == "Renames 2 switches. Fixes 2 of 2 findings."
    assert len(shown(faulty).changed) == 2
    count = session.undo_stack.count()
    qtbot.mouseClick(bar.do_button, Qt.MouseButton.LeftButton)
    assert session.undo_stack.count() == count + 1
    assert len({device.name for device in session.design.devices.values()}) == 3


def test_a_preview_of_a_design_that_has_changed_since_cannot_be_applied(faulty, qtbot):
    session, bar = faulty.session, faulty.construction
    preview(faulty, qtbot, "LINK-001")
    link = session.design.links["l901"]
    session.push(operations.delete(session.design, [link.id]))
    qtbot.waitUntil(lambda: not bar.do_button.isEnabled() or not bar.isVisible(), timeout=5000)
    assert shown(faulty) is None


def test_a_preview_of_all_fixes_says_that_the_design_has_changed(faulty, qtbot):
    session, bar = faulty.session, faulty.construction
    faulty.actions_table.trigger("check.preview_all")
    qtbot.waitUntil(bar.isVisible, timeout=10_000)
    assert "Fixes" in bar.text.text() and bar.do_button.isEnabled()
    session.push(operations.rename(session.design, session.design.find("leaf-c").id, "leaf-d"))
    qtbot.waitUntil(lambda: not bar.do_button.isEnabled(), timeout=5000)
    assert "preview it again" in bar.text.text() and shown(faulty) is None
    count = session.undo_stack.count()
    bar.accept()
    assert session.undo_stack.count() == count
    bar.close_bar()


def test_a_preview_being_made_ends_when_the_design_changes(faulty, qtbot):
    session, bar = faulty.session, faulty.construction
    choose(faulty, "LINK-001")
    faulty.actions_table.trigger("check.preview")
    session.push(operations.rename(session.design, session.design.find("leaf-c").id, "leaf-d"))
    settle(faulty, qtbot)
    qtbot.wait(50)
    assert not bar.isVisible()


def test_changes_that_take_each_other_back_have_no_ghosts(faulty):
    design = faulty.session.design
    link = design.links["l901"]
    gone = operations.delete(design, [link.id])
    ghosts = ghosts_of(design, Edit("There and back", (*gone.changes, *gone.inverted().changes)))
    assert not ghosts.removed and not len(ghosts.lines) and not ghosts.key


def test_near_by_new_links_run_from_port_to_port(faulty, qtbot):
    canvas, design = faulty.views.canvas, faulty.session.design
    a, b = design.find("leaf-a").id, design.find("leaf-b").id
    edit = operations.connect_devices(design, a, b)
    canvas.show_ghosts(ghosts_of(design, edit))
    far = lines_drawn(faulty)
    canvas.zoom_onto([a, b])
    canvas.move_camera(canvas.camera.zoomed(1.6 / canvas.camera.scale, 200, 200))
    near = lines_drawn(faulty)
    assert len(near) == len(far) == 1
    assert not np.allclose(near, far)


def lines_drawn(window):
    window.views.canvas.grab()
    return window.views.canvas.fabric.ghosts._come


@pytest.fixture
def thin(window, qtbot, catalog):
    """A fabric whose cables are numbered, with two links of a leaf switch to a spine taken out; and its links."""
    session = window.session
    made = fat_tree.FatTreeParameters(switch="nvidia-qm9700", server="dgx-h100", servers=12)
    session.push(fat_tree.build(session.design, made, catalog))
    session.push(number_cables(session.design))
    ends = {session.design.find(name).id for name in ("leaf-01", "spine-01")}
    between = [one.id for one in session.design.links.values() if {one.a.device_id, one.b.device_id} == ends]
    session.push(operations.delete(session.design, between[:2]))
    window.docks.show("findings")
    settle(window, qtbot)
    return window


@pytest.mark.parametrize("is_previewed", [False, True])
def test_a_cable_that_a_fix_adds_is_numbered_like_all_others(thin, qtbot, is_previewed):
    session, there = thin.session, set(thin.session.design.links)
    panel = thin.docks.findings
    code = next(
        row.code
        for row in panel.model.rows
        if row.finding is not None
        and row.finding.fix is not None
        and any(isinstance(change.after, Link) and change.before is None for change in row.finding.fix.changes)
    )
    if is_previewed:
        preview(thin, qtbot, code)
        qtbot.keyClick(thin.construction.do_button, Qt.Key.Key_Return)
    else:
        choose(thin, code)
        with qtbot.waitSignal(session.changed):
            panel.apply_fix()
    new = [link.cable for one, link in session.design.links.items() if one not in there]
    cables = [link.cable for link in session.design.links.values()]
    assert new and all(new) and len(set(cables)) == len(cables)


@pytest.fixture
def apart(window, qtbot, catalog):
    """Two storage switches, of two servers each, with no link between the two; and one link that leads nowhere else."""
    session = window.session
    for x, side in enumerate("ab"):
        names = {"nvidia-qm9700": f"store-{side}", "dgx-h100": f"gpu-{side}"}
        for type_id, name in names.items():
            type_ = catalog.get(type_id)
            edit = operations.add_device(session.design, type_, 400.0 * x, 0, catalog_types=catalog.types, name=name)
            session.push(edit)
        switch, server = (session.design.find(name) for name in names.values())
        session.push(Edit("Storage", (Change(switch, replace(switch, network="storage")),)))
        nic = catalog.get("connectx-7-ndr-2p")
        session.push(operations.install_module(session.design, server.id, nic, "storage1"))
        session.push(operations.connect_devices(session.design, server.id, switch.id, 2))
    window.docks.show("findings")
    settle(window, qtbot)
    return window


def test_the_preview_of_a_fix_that_joins_switches_states_their_oversubscription(apart, qtbot):
    bar, ratios = apart.construction, "Oversubscription then: 1:1 at store-a, store-b."
    preview(apart, qtbot, "NET-003")
    assert bar.text.text().endswith(f" of store-a. {ratios}")
    apart.actions_table.trigger("check.preview_alike")
    qtbot.waitUntil(lambda: bar.title.text() == "Fix all of NET-003", timeout=5000)
    assert f" of store-a. {ratios} Fixes 1 of 1 findings." in bar.text.text()
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Escape)
    apart.actions_table.trigger("check.fix_alike")
    qtbot.waitUntil(lambda: "findings fixed" in apart.notice.text.text(), timeout=5000)
    assert apart.notice.text.text() == f"1 of 1 findings fixed. {ratios}"

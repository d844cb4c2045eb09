"""Findings under headings: by severity, rule, device, rack and network."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from designer.model import operations
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, End, Link, Rack
from designer.panels.findings.grouping import BY_NAME, GROUPINGS, GroupHead
from designer.panels.findings.panel import FindingsPanel
from designer.panels.widgets.row_table import ROW_ROLE

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot, session, appearance, catalog):
    """Three switches, two in a rack each; a port used twice, a link from a switch to itself, a name given twice."""
    ids = []
    for x, name in enumerate(("leaf-1", "leaf-2", "leaf-10")):
        edit = operations.add_device(
            session.design, catalog.get("nvidia-qm9700"), 300.0 * x, 0, catalog_types=catalog.types, name=name
        )
        session.push(edit)
        ids.append(next(change.after.id for change in edit.changes if isinstance(change.after, Device)))
    a, b, c = ids
    session.push(operations.connect_devices(session.design, a, b))
    first = next(iter(session.design.links.values()))
    links = [
        Link("l900", End(a, first.a.port), End(c, "32/2")),
        Link("l901", End(b, "30/1"), End(b, "30/2")),
        Link("l902", End(c, "30/1"), End(c, "30/2")),
    ]
    session.push(Edit("Break it", added(links)))
    rack_type = catalog.racks()[0]
    if rack_type.id not in session.design.types:
        session.push(Edit("Type", added([rack_type])))
    racks = [Rack("r1", "row 1", rack_type.id), Rack("r2", "row 2", rack_type.id)]
    session.push(Edit("Racks", added(racks)))
    for one, rack_id in ((b, "r1"), (c, "r2")):
        place = session.design.placements[one]
        session.push(Edit("Mount", (Change(place, replace(place, rack_id=rack_id, unit=1)),)))
    made = FindingsPanel(session, appearance)
    qtbot.addWidget(made)
    made.resize(1100, 400)
    made.show()
    session.workbench.validation.check_all()
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    return made


def heads(panel):
    return [row for row in panel.model.rows if isinstance(row, GroupHead)]


def titles(panel):
    return [head.title for head in heads(panel)]


def shown(panel):
    return [panel.filter.index(row, 0).data(ROW_ROLE) for row in range(panel.filter.rowCount())]


def choose(panel, row):
    panel.table.setCurrentIndex(panel.filter.mapFromSource(panel.model.index(list(panel.model.rows).index(row), 0)))
    panel.table.setFocus()


@pytest.mark.parametrize("name", [one.name for one in GROUPINGS])
def test_every_finding_stands_under_one_heading(panel, name):
    flat = list(panel.model.rows)
    panel.group(name)
    rows = [row for row in panel.model.rows if not isinstance(row, GroupHead)]
    assert sorted(map(id, rows)) == sorted(map(id, flat))
    assert bool(heads(panel)) == (name != "none")
    assert len(set(titles(panel))) == len(titles(panel))
    assert [row for head in heads(panel) for row in head.rows] == (rows if heads(panel) else [])


def test_headings_name_rules_with_their_titles_and_count_what_is_under_them(panel):
    panel.group("rule")
    head = next(head for head in heads(panel) if head.code == "LINK-001")
    assert head.title.startswith("LINK-001  ") and len(head.title) > 12
    assert head.summary == "2 errors"


def test_headings_are_sorted_worst_first_then_by_name_as_people_count(panel):
    panel.group("device")
    named = [title for title in titles(panel) if title.startswith("leaf")]
    assert named == ["leaf-1", "leaf-2", "leaf-10"]
    assert titles(panel)[-1] == "No device"


def test_findings_about_things_in_several_racks_and_in_none_stand_apart(panel):
    panel.group("rack")
    by_title = {head.title: {row.code for row in head.rows} for head in heads(panel)}
    assert "LINK-001" in by_title["row 1"] and "LINK-001" in by_title["row 2"]
    assert "No rack" in by_title


def test_findings_stand_under_their_network(panel):
    panel.group("network")
    assert "LINK-001" in {row.code for head in heads(panel) if head.title == "Compute network" for row in head.rows}


def test_left_and_right_close_and_open_a_heading_and_left_goes_to_it(panel, qtbot):
    panel.group("rule")
    count = panel.filter.rowCount()
    head = next(head for head in heads(panel) if head.code == "LINK-001")
    choose(panel, head.rows[1])
    qtbot.keyClick(panel.table, Qt.Key.Key_Left)
    assert panel.current_row() == head
    qtbot.keyClick(panel.table, Qt.Key.Key_Left)
    assert panel.filter.rowCount() == count - 2
    assert panel.current_row().title == head.title and not panel.current_row().is_open
    qtbot.keyClick(panel.table, Qt.Key.Key_Right)
    assert panel.filter.rowCount() == count
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert panel.filter.rowCount() == count - 2


def test_a_click_on_the_arrow_closes_a_heading_and_a_new_check_leaves_it_closed(panel, session, qtbot):
    panel.group("rule")
    count = panel.filter.rowCount()
    head = next(head for head in heads(panel) if head.code == "LINK-001")
    choose(panel, head)
    rect = panel.table.visualRect(panel.table.currentIndex())
    qtbot.mouseClick(panel.table.viewport(), LEFT, pos=QPoint(10, rect.center().y()))
    assert panel.filter.rowCount() == count - 2
    session.push(operations.rename(session.design, session.design.find("leaf-1").id, "leaf-3"))
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    assert not next(head for head in heads(panel) if head.code == "LINK-001").is_open


def test_the_findings_under_a_selected_heading_count_as_selected_but_for_those_filtered_out(panel):
    panel.group("severity")
    head = heads(panel)[0]
    choose(panel, head)
    assert panel.chosen_findings() == [row.finding for row in head.rows]
    panel.search.setText("LINK-001")
    head = next(row for row in shown(panel) if isinstance(row, GroupHead))
    choose(panel, head)
    assert {one.code for one in panel.chosen_findings()} == {"LINK-001"}


def test_a_heading_with_nothing_under_it_is_hidden_and_sorting_stays_within_headings(panel):
    panel.group("rule")
    panel.search.setText("link-001")
    assert [type(row) is GroupHead for row in shown(panel)] == [True, False, False]
    panel.search.clear()
    before = titles(panel)
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        panel.table.sortByColumn(2, order)
        now = shown(panel)
        assert [row.title for row in now if isinstance(row, GroupHead)] == before
        for number, row in enumerate(now):
            if isinstance(row, GroupHead):
                assert set(map(id, row.rows)) == set(map(id, now[number + 1 : number + 1 + len(row.rows)]))
    own = [row.message for row in now if row.code == "LINK-001" and not isinstance(row, GroupHead)]
    assert own == sorted(own, reverse=True)


def test_stepping_passes_over_headings(panel):
    panel.group("rule")
    for _ in range(len(panel.model.rows)):
        panel.step(1)
        assert not isinstance(panel.current_row(), GroupHead)
    panel.step(-1)
    assert not isinstance(panel.current_row(), GroupHead)


def test_the_choice_is_said_and_shown_and_taken_up_again(panel, session, appearance, qtbot):
    with qtbot.waitSignal(panel.grouping_changed) as caught:
        panel.group_by.setCurrentIndex(2)
    assert caught.args == ["rule"]
    assert panel.grouping is BY_NAME["rule"]
    again = FindingsPanel(session, appearance, "rule")
    qtbot.addWidget(again)
    assert again.group_by.currentData() == "rule" and heads(again)
    other = FindingsPanel(session, appearance, "no such way")
    qtbot.addWidget(other)
    assert other.grouping.name == "none"


def test_the_whole_of_a_finding_is_read_next_to_the_list(panel):
    row = next(row for row in panel.model.rows if row.code == "PORT-002")
    choose(panel, row)
    detail = panel.detail
    assert detail.message.text() == row.message and detail.reason.text() == row.reason
    assert detail.fix_label.text() == f"Fix: {row.fix}. Connects port 1/2 of leaf-1 to port 32/2 of leaf-10."
    assert detail.where.text().startswith("Where: leaf-1")
    assert detail.message.hasSelectedText() is False
    assert detail.message.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_the_panel_stays_as_high_whatever_is_shown(panel):
    before = panel.minimumSizeHint().height()
    row = next(row for row in panel.model.rows if row.code == "LINK-001")
    choose(panel, row)
    assert panel.detail.fix_all.isVisible()
    assert panel.minimumSizeHint().height() == before


def test_the_strip_counts_waived_and_not_checked_also_where_there_are_none(panel):
    assert panel.toggles["waived"].isVisible() and panel.toggles["waived"].text() == "0 waived"
    assert panel.toggles["not checked"].isVisible()
    assert not panel.toggles["fixed"].isVisible()


def test_in_a_small_panel_list_and_finding_share_the_width_and_codes_give_way(panel, qtbot):
    host = QWidget()  # a window of its own would not get narrower than it likes
    qtbot.addWidget(host)
    host.resize(1200, 400)
    panel.setParent(host)
    host.show()
    panel.show()
    panel.resize(460, 236)
    panel.table.setCurrentIndex(panel.table.model().index(0, 0))
    qtbot.waitUntil(lambda: panel.table.width() < 240)
    assert panel.detail.width() <= 240
    assert panel.table.isColumnHidden(1) and panel.table.columnWidth(2) > 120
    assert panel.toggles["error"].text().isdigit()
    panel.resize(1100, 236)
    qtbot.waitUntil(lambda: not panel.table.isColumnHidden(1))
    assert panel.detail.width() >= 330
    assert panel.toggles["error"].text().endswith("errors")
    panel.setParent(None)


def test_a_width_that_somebody_chose_stays(panel, qtbot):
    panel._body.moveSplitter(500, 1)
    width = panel.detail.width()
    panel.resize(1120, 400)
    assert abs(panel.detail.width() - width) < 60

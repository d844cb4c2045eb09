"""The list of what a hand-over still lacks: each point leads to its place and to what closes it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from designer.exchange.plan_gaps import ADD_SLACK, TO_BE_DECIDED, Gap
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.placement.mounting import turn_mounted
from designer.placement.preparation import PLACE, REDRAW, ROUTE, prepare
from designer.placement.rack_contents import FLIP, of_unknown_port_side
from designer.regeneration import recipes
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.units import all_of
from designer.windows.commands.room_commands import ROWS
from designer.windows.dialogs.hand_over import COLUMNS

SMALL = RailOptimizedParameters(servers=4, servers_per_su=4, rails=2)


@pytest.fixture
def fabric(window):
    session = window.session
    family = recipes.family_named("rail-optimized")
    session.push(recipes.generated(session.design, family, SMALL, session.catalog))
    return session.design


@pytest.mark.parametrize("point", [FLIP, ADD_SLACK])
def test_what_is_to_be_decided_names_a_command_that_the_room_menu_has(point):
    names = [row.text.removesuffix("…") for row in ROWS if f"Room > {row.text.removesuffix('…')}" in point]
    assert names and set(names) <= {"Flip", "Room Dimensions"}


def test_the_dialog_says_how_to_decide_what_documents_leave_open():
    reason = next(column for column in COLUMNS if column.key == "reason")
    assert reason.of(Gap("port side", "not stated", (), how=FLIP)) == f"Not stated; {FLIP}"


@pytest.fixture
def dialog(window, fabric, qtbot):
    window.dialogs.show("hand_over")
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(lambda: bool(dialog.table.rows), timeout=20_000)
    return dialog


def test_points_are_listed_with_their_reason_and_close_one_after_the_other(window, dialog, fabric, qtbot):
    row = dialog.table.texts(0)
    assert [column.title for column in dialog.table.shown.columns][:2] == ["Kind", "Open point"]
    assert (
        row[:2] == ["Missing for ordering", "Length"]
        and "no place on the floor" in row[2]
        and row[4] == dialog.remedy.text()
    )
    assert dialog.table.current.remedy == PLACE
    dialog.remedy.click()
    qtbot.waitUntil(lambda: dialog.table.current.remedy == ROUTE, timeout=20_000)
    dialog.remedy.click()
    qtbot.waitUntil(lambda: dialog.remedy.text() == "Select cables by reach", timeout=20_000)
    assert all(link.length_m for link in fabric.links.values())
    dialog.remedy.click()
    qtbot.waitUntil(lambda: dialog.remedy.text() == "Number cables", timeout=20_000)
    dialog.remedy.click()
    qtbot.waitUntil(
        lambda: not any(gap.links for gap in dialog.table.rows if gap.kind != TO_BE_DECIDED), timeout=20_000
    )
    parts = [gap for gap in dialog.table.rows if gap.kind != TO_BE_DECIDED]
    assert [gap.what for gap in dialog.table.rows] == [*["no part number"] * len(parts), "port side", "no reserve"]
    counted = all_of([gap.counted for gap in parts])
    assert dialog.state.text().startswith(f"{counted} have no part number. To be decided: port side of ")
    dialog.table.choose(len(parts) - 1)
    assert dialog.show_links.text() == "Show Racks" and dialog.remedy.text() == "State part number"
    dialog.go()
    assert window.session.selection == frozenset(fabric.racks) and window.views.current is window.views.elevation
    dialog.table.choose(len(parts))
    assert dialog.table.texts(len(parts))[0] == "To be decided"
    assert dialog.table.texts(len(parts))[4] == "Set the port side in the elevation" and not dialog.remedy.isVisible()
    dialog.go()
    assert window.session.selection == frozenset(of_unknown_port_side(fabric))
    typed = [Change(link, replace(link, length_source="typed")) for link in fabric.links.values()]
    window.session.push(Edit("type the lengths", tuple(typed)))
    window.session.push(turn_mounted(fabric, list(of_unknown_port_side(fabric))))
    qtbot.waitUntil(lambda: [gap.what for gap in dialog.table.rows] == ["no part number"] * len(parts), timeout=20_000)
    assert dialog.state.text() == f"{counted} have no part number."


def test_show_links_selects_those_of_the_point(window, dialog, fabric, qtbot):
    wanted = dialog.table.current.links
    dialog.show_links.click()
    assert window.session.selection == frozenset(wanted)


def test_the_command_prepares_numbers_the_cables_and_lists_what_stays_open(window, fabric, qtbot):
    window.session.push(operations.mount(fabric, fabric.servers()[0].id, None))
    window.actions_table.trigger("room.prepare")
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(lambda: bool(dialog.table.rows) and all(one.cable for one in fabric.links.values()), timeout=60_000)
    qtbot.waitUntil(lambda: f"{fabric.servers()[0].name} stands in no rack" in dialog.table.texts(0)[2], timeout=20_000)
    dialog.remedy.click()
    assert window.views.current is window.views.elevation
    assert window.session.selection == {fabric.servers()[0].id}


def test_a_part_without_a_number_is_said_when_preparing_and_shown_in_the_catalog(window, fabric, qtbot):
    session = window.session
    session.push(prepare(fabric, session.catalog.types).edit)
    link = next(iter(fabric.links.values()))
    session.push(operations.set_cable(fabric, [link.id], session.catalog.get("gen-cat6"), 3.0))
    stated = []
    window.notice.say = stated.append
    window.actions_table.trigger("room.prepare")
    qtbot.waitUntil(lambda: bool(stated), timeout=60_000)
    assert " Open: 1 link without a part number; 4 servers, 3 switches and 3 racks without a part number; " in stated[0]
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(lambda: [gap.what for gap in dialog.table.rows][:1] == ["no part number"], timeout=20_000)
    window.dialogs.show("catalog")
    window.dialogs["catalog"].search.setText("qm9700")
    dialog.remedy.click()
    assert window.dialogs["catalog"].chosen.id == "gen-cat6"


def test_the_number_of_a_part_is_typed_next_to_its_point_and_closes_it(window, fabric, qtbot):
    session = window.session
    session.push(prepare(fabric, session.catalog.types).edit)
    window.dialogs.show("hand_over")
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(lambda: any(gap.n_parts for gap in dialog.table.rows), timeout=20_000)
    servers = next(number for number, gap in enumerate(dialog.table.rows) if gap.part == "server")
    dialog.table.choose(servers)
    assert dialog.number.isVisible() and dialog.remedy.text() == "State part number"
    assert dialog.number.placeholderText() == f"Part number of {fabric.types[fabric.servers()[0].type_id].model}"
    dialog.remedy.click()
    assert dialog.number.hasFocus() and not session.undo_stack.undoText().startswith("State part number")
    qtbot.keyClicks(dialog.number, "A-4711")
    qtbot.keyClick(dialog.number, Qt.Key.Key_Return)
    assert fabric.types[fabric.servers()[0].type_id].part_number == "A-4711" and not dialog.number.text()
    qtbot.waitUntil(lambda: not any(gap.part == "server" for gap in dialog.table.rows), timeout=20_000)
    dialog.table.choose(next(number for number, gap in enumerate(dialog.table.rows) if not gap.n_parts))
    assert not dialog.number.isVisible()


def test_what_is_typed_for_one_part_is_not_taken_for_another(window, fabric, qtbot):
    session = window.session
    session.push(prepare(fabric, session.catalog.types).edit)
    window.dialogs.show("hand_over")
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(lambda: any(gap.n_parts for gap in dialog.table.rows), timeout=20_000)
    servers, racks = (
        next(number for number, gap in enumerate(dialog.table.rows) if gap.part == part) for part in ("server", "rack")
    )
    dialog.table.choose(servers)
    qtbot.keyClicks(dialog.number, "A-4711")
    dialog.refresh()  # as after an edit elsewhere
    qtbot.waitUntil(lambda: dialog.busy.isHidden(), timeout=20_000)
    assert dialog.number.text() == "A-4711"
    dialog.table.choose(racks)
    assert dialog.number.isVisible() and not dialog.number.text()


def test_an_empty_design_says_so(window, qtbot):
    window.dialogs.show("hand_over")
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(lambda: bool(dialog.state.text()), timeout=20_000)
    assert dialog.state.text() == "The design has no links yet." and not dialog.prepare.isEnabled()


def test_a_link_to_a_port_that_does_not_exist_is_shown(window, fabric, qtbot):
    link = next(iter(fabric.links.values()))
    window.session.push(Edit("Fault", (Change(link, replace(link, b=replace(link.b, port="99/1"))),)))
    window.dialogs.show("hand_over")
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(lambda: any(gap.remedy == REDRAW for gap in dialog.table.rows), timeout=20_000)
    dialog.table.choose(next(number for number, gap in enumerate(dialog.table.rows) if gap.remedy == REDRAW))
    dialog.remedy.click()
    assert window.session.selection == {link.id}


def test_the_dialog_lists_what_each_step_did_and_leads_on_to_the_package(window, fabric, qtbot):
    window.session.push(operations.mount(fabric, fabric.servers()[0].id, None))
    window.actions_table.trigger("room.prepare")
    dialog = window.dialogs["hand_over"]
    qtbot.waitUntil(dialog.steps.isVisible, timeout=60_000)
    texts = [one.text() for one in dialog.steps.findChildren(QLabel)]
    steps = dict(zip(texts[::2], texts[1::2], strict=True))
    n_links = len(fabric.links)
    assert steps["Place racks on floor"].startswith(f"{len(fabric.racks)} racks placed; the floor has ")
    assert f"Skipped: 8 links: {fabric.servers()[0].name} stands in no rack" in steps["Calculate cable lengths"]
    assert steps["Calculate cable lengths"].startswith(f"{n_links - 8} cables routed: ")
    assert steps["Select cables and optics"].startswith(f"Selected for {n_links - 8} links: ")
    assert "Skipped: 8 links: their lengths are not known" in steps["Select cables and optics"]
    assert steps["Number cables for labels"] == f"{n_links} cables numbered"
    dialog.do()
    qtbot.waitUntil(lambda: any("already on the floor" in one.text() for one in dialog.steps.findChildren(QLabel)))
    dialog.export.click()
    assert window.dialogs["pack"].isVisible()
    window.session.new()
    assert not dialog.steps.isVisible()

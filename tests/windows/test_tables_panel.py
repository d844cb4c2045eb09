"""Tables of devices, cables and ports: complete, sorted, filtered, and one selection with the canvas."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel

from designer.analysis.cable_numbers import cable_name, number_cables
from designer.analysis.inventory import Inventory
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.panels.table_titles import TABS
from designer.panels.tables import EXAMPLES, HOW
from designer.storage import document
from designer.topologies.families import FAMILIES
from designer.windows.picker.quick_picker import VISIBLE_ROWS

pytestmark = pytest.mark.own_window

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"
MOST_ROWS_ASKED = 200


@pytest.fixture
def panel(window, qtbot):
    window.session.replace(document.load(SUPERPOD), None)
    window.docks.show("tables")
    found = window.docks.tables
    qtbot.waitUntil(lambda: len(found.table.rows) == 175)
    return found


def cells(panel, key, most=None):
    number = panel.table.column(key)
    return [panel.table.texts(row)[number] for row in range(len(panel.table.rows))[:most]]


def click_heading(panel, key):
    panel.table.header().sectionClicked.emit(panel.table.column(key))


def test_every_device_is_listed_with_its_place_and_ports(panel, window):
    design = window.session.design
    assert sorted(cells(panel, "name")) == sorted(one.name for one in design.devices.values())
    row = cells(panel, "name").index("leaf-su2-r3")
    leaf = design.find("leaf-su2-r3")
    shown = dict(zip((one.key for one in panel.table.shown.columns), panel.table.texts(row), strict=True))
    assert (shown["role"], shown["type"], shown["unit"], shown["rail"]) == ("leaf", "QM9700", "2", "3")
    assert shown["rack"] == design.racks[design.placements[leaf.id].rack_id].name
    assert (shown["used"], shown["free"], shown["network"]) == ("64", "0", "compute")


def test_cables_have_their_numbers_ends_and_lengths(panel, window):
    session = window.session
    link = next(iter(session.design.links.values()))
    session.push(operations.set_cable(session.design, [link.id], session.design.types[link.medium_id], 7.5))
    session.push(number_cables(session.design))
    panel.show_table("Cables")
    assert len(panel.table.rows) == 2040
    row = [one.id for one in panel.table.rows].index(link.id)
    texts = panel.table.texts(row)
    a, b = (session.design.device(end.device_id).name for end in (link.a, link.b))
    number = cable_name(session.design.links[link.id].cable)
    assert {number, a, b, "7.5 m", "typed in", "MMA4Z00-NS"} <= set(texts) and number


def test_ports_say_what_they_lead_to_and_which_are_free(panel, window):
    panel.show_table("Ports")
    design = window.session.design
    assert len(panel.table.rows) == sum(len(design.ports(one)) for one in design.devices)
    states = cells(panel, "state")
    assert states.count("free") == sum(len(design.free_ports(one)) for one in design.devices)
    row = next(n for n, one in enumerate(panel.table.rows) if design.links_at(one.end))
    link = design.links[design.links_at(panel.table.rows[row].end)[0]]
    far = link.b if link.a == panel.table.rows[row].end else link.a
    assert panel.table.texts(row)[panel.table.column("to")].startswith(design.device(far.device_id).name)


def test_rows_of_what_is_deleted_can_be_painted_until_they_go(panel, window, qtbot):
    """An edit is followed a moment later; what the table is asked for meanwhile is of the design before."""
    session = window.session
    for title in ("Devices", "Cables", "Ports"):
        panel.show_table(title)
        count = len(panel.table.rows)
        before = panel.table.texts(0)
        session.push(operations.delete(session.design, list(session.design.devices)))
        assert len(panel.table.rows) == count and panel.table.texts(0) == before
        panel.table.viewport().grab()
        session.undo_stack.undo()
        qtbot.waitUntil(lambda: not panel._soon.isActive())


def test_headings_sort_as_people_count_and_give_the_first_order_back(panel):
    as_it_came = cells(panel, "name")
    click_heading(panel, "name")
    assert cells(panel, "name", 3) == ["gpu-001", "gpu-002", "gpu-003"]
    click_heading(panel, "name")
    assert cells(panel, "name", 1) == ["spine-16"]
    click_heading(panel, "name")
    assert cells(panel, "name") == as_it_came
    click_heading(panel, "unit")
    assert cells(panel, "unit", 1) == [""]  # unknown first


def test_the_filter_takes_the_expressions_that_select(panel, qtbot):
    qtbot.keyClicks(panel.filter, "role:leaf su:2")
    qtbot.waitUntil(lambda: len(panel.table.rows) == 8)
    assert panel.note.text() == "8 of 175 devices"
    panel.show_table("Ports")
    assert panel.note.text() == f"{8 * 64:,} of {16 * 64 + 32 * 64 + 127 * 8:,} ports"
    panel.show_table("Cables")
    panel.filter.setText("end:gpu-001")
    panel.refresh()
    assert panel.note.text() == "8 of 2,040 links"
    panel.filter.setText("zzz:1")
    panel.refresh()
    assert panel.fault.isVisible() and "nothing is called 'zzz'" in panel.fault.text()
    assert len(panel.table.rows) == 8, "those that fitted before"


def test_a_filter_that_fits_nothing_says_so_in_place_of_the_table(panel):
    panel.tabs.setCurrentIndex(TABS.index("Ports"))
    panel.filter.setText("free")
    panel.refresh()
    what, how = panel.nothing.texts
    assert what == "No port fits 'free'." and how.endswith("such as state:free.")
    assert panel.nothing.isVisible() and not panel.table.isVisible()
    for title, example in EXAMPLES.items():
        panel.tabs.setCurrentIndex(TABS.index(title))
        panel.filter.setText(example)
        panel.refresh()
        assert panel.fault.isHidden() and f"such as {example}." in HOW.format(example)
    panel.filter.setText("")
    assert panel.table.isVisible() and not panel.nothing.isVisible()


def test_another_tab_shows_its_own_table_whatever_is_wrong_with_the_filter(panel):
    width = panel.filter.width()
    panel.show_table("Ports")
    panel.filter.setText("leaf-su1-r3 sate:free rolle:x")
    panel.refresh()
    assert panel.filter.width() >= width - 40, "the message stands below"
    for title, count in (("Devices", 175), ("Cables", 2040)):
        panel.show_table(title)
        assert len(panel.table.rows) == count and panel.fault.isVisible()
    panel.filter.setText("")
    panel.refresh()
    assert panel.fault.isHidden()


FILTERS = [
    ("Ports", "leaf-su4 state:free", lambda row: "leaf-su4" in row["device"] and row["state"] == "free"),
    ("Ports", "leaf-su4 state!=used", lambda row: "leaf-su4" in row["device"] and row["state"] != "used"),
    ("Ports", "role:leaf not state:used,reserved", lambda row: "leaf" in row["device"] and row["state"] == "free"),
    ("Ports", "rate>=400G to:spine-0[12]*", lambda row: row["to"].startswith(("spine-01", "spine-02"))),
    ("Ports", "leaf-su4-r2 to:none", lambda row: row["device"] == "leaf-su4-r2" and not row["to"]),
    ("Ports", "(gpu-001 or to:gpu-001)", lambda row: "gpu-001" in (row["device"], row["to"].split(" ")[0])),
    ("Cables", "from:gpu-001", lambda row: row["from"] == "gpu-001"),
    ("Cables", '"far port":1/1', lambda row: "1/1" in row["to_port"]),
    ("Devices", '"rack unit">40', lambda row: int(row["height_u"]) > 40),
]
"""Table, filter, and whether a row fits it."""


def test_the_filter_knows_the_columns_that_are_shown(panel):
    for tab, text, fits in FILTERS:
        panel.filter.setText("")
        panel.show_table(tab)
        panel.refresh()
        keys = [one.key for one in panel.table.shown.columns]
        every = [dict(zip(keys, panel.table.texts(number), strict=True)) for number in range(len(panel.table.rows))]
        panel.filter.setText(text)
        panel.refresh()
        assert panel.fault.isHidden(), (text, panel.fault.text())
        found = [dict(zip(keys, panel.table.texts(number), strict=True)) for number in range(len(panel.table.rows))]
        assert found == [row for row in every if fits(row)] and len(every) > len(found) > 0, text


NO_COLUMNS = [
    ("sate:free", "Character 1: nothing is called 'sate'; did you mean state?"),
    ("gpu-001 qqqqq:1", "Character 9: nothing is called 'qqqqq'; columns are "),
    ("state>free", "Character 1: state is no number: write state:VALUE."),
    ("rate>fast", "Character 6: "),
]
"""Filter, and how what is said of it begins."""


def test_a_filter_that_asks_for_no_column_says_which_there_are(panel):
    panel.show_table("Ports")
    for text, said in NO_COLUMNS:
        panel.filter.setText(text)
        panel.refresh()
        assert panel.fault.text().startswith(said), text


def test_a_row_selects_on_the_canvas_and_the_selection_shows_in_the_table(panel, window):
    session = window.session
    flags = QItemSelectionModel.SelectionFlag
    panel.table.selectionModel().select(panel.table.index_of(3), flags.ClearAndSelect | flags.Rows)
    assert session.selection == {panel.table.rows[3].id}
    chosen = frozenset(one.id for one in panel.table.rows[10:12])
    session.select(chosen)
    assert {one.id for one in panel.table.selected_rows()} == chosen
    chosen = frozenset(panel.table.rows[number].id for number in (3, 10, 11, 20))
    session.select(chosen)
    assert {one.id for one in panel.table.selected_rows()} == chosen
    session.select(())
    assert panel.table.selected_rows() == []


def test_the_row_of_a_port_selects_its_link_and_stays_the_only_row(panel, window):
    session, design = window.session, window.session.design
    panel.show_table("Ports")
    number = next(number for number, one in enumerate(panel.table.rows) if design.links_at(one.end))
    flags = QItemSelectionModel.SelectionFlag
    panel.table.selectionModel().select(panel.table.index_of(number), flags.ClearAndSelect | flags.Rows)
    row = panel.table.rows[number]
    assert session.selection == set(design.links_at(row.end)) and panel.table.selected_rows() == [row]
    link = design.links[next(iter(session.selection))]
    session.select(())
    session.select((link.id,))
    assert {one.end for one in panel.table.selected_rows()} == {link.a, link.b}


def test_nothing_is_listed_while_nobody_looks(window, qtbot):
    panel = window.docks.tables
    window.session.replace(document.load(SUPERPOD), None)
    panel.refresh()
    assert not panel.isVisible() and not panel.table.rows


def test_an_edit_is_followed_and_what_is_copied_is_what_is_shown(panel, window, qtbot):
    session = window.session
    session.push(operations.rename(session.design, session.design.find("gpu-001").id, "head-node"))
    qtbot.waitUntil(lambda: "head-node" in cells(panel, "name"))
    click_heading(panel, "name")
    results = panel.results()
    assert results.headings[:3] == ["name", "role", "type"]
    assert [row[0] for row in results.values] == cells(panel, "name")


def test_it_is_found_by_what_people_call_it(window, panel, qtbot):
    for word, found in (
        ("table", "Go to Tables"),
        ("cables", "Cables in a Table"),
        ("devices", "Devices in a Table"),
        ("ports", "Ports in a Table"),
        ("bisection", "Go to Inspector"),
    ):
        window.desk.show_commands()
        qtbot.keyClicks(window.desk.picker.line, word)
        listed = window.desk.picker.list
        rows = [listed.item(row).text() for row in range(listed.count())]
        assert found in rows[:VISIBLE_ROWS], word
        window.desk.picker.close_picker()
    window.actions_table.trigger("tables.ports")
    assert panel.tabs.tabText(panel.tabs.currentIndex()) == "Ports"


def test_only_rows_in_sight_are_asked_for_their_cells(window, catalog, qtbot, monkeypatch):
    design = Design()
    row = next(one for one in FAMILIES if one.name == "k-ary-fat-tree")
    design.apply(row.build(design, row.parameters(k=16), catalog))
    asked = set()
    free_ports = Design.free_ports
    monkeypatch.setattr(Design, "free_ports", lambda self, one, *more: asked.add(one) or free_ports(self, one, *more))
    window.session.replace(design, None)
    window.docks.show("tables")
    panel = window.docks.tables
    qtbot.waitUntil(lambda: len(panel.table.rows) == 16**3 // 4 + 5 * 16**2 // 4)
    window.repaint()
    assert len(asked) < MOST_ROWS_ASKED


def test_reserved_ports_are_not_free():
    design = document.load(SUPERPOD)
    leaf = design.find("leaf-su1-r1")
    port = design.ports(leaf.id)[0].name
    design.apply(Edit("Reserve", (Change(leaf, replace(leaf, reserved_ports=(port,))),)))
    listed = Inventory(design).ports([leaf.id])
    state = next(one for one in listed.columns if one.key == "state")
    links = [design.links[one] for one in design.links_at(listed.rows[0].end)]
    assert state.of(listed.rows[0]) == "used"
    design.apply(operations.delete(design, [one.id for one in links]))
    assert state.of(listed.rows[0]) == "reserved"

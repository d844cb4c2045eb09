"""Building by hand from the window: a preview that follows the selection, one edit when it is done."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton

from designer.analysis.even_uplinks import tiers_of
from designer.analysis.selecting.finder import Finder
from designer.model import operations
from designer.model.cage_runs import cage_runs
from designer.model.entities import DRAGONFLY_GROUP
from designer.model.wiring import links_between
from designer.storage import document
from designer.topologies import hand_racks


@pytest.fixture
def rows(window, catalog):
    """Puts a row of one type on the canvas; returns its ids in order."""

    def row(type_id, count, y=0.0, role=""):
        design, made = window.session.design, []
        for number in range(count):
            edit = operations.add_device(
                design, catalog.get(type_id), 160.0 * number, y, catalog_types=catalog.types, role=role
            )
            window.session.push(edit)
            made.append(next(c.after.id for c in edit.changes if c.after.id in design.devices))
        return made

    return row


def test_rails_are_previewed_with_ghosts_and_done_as_one_edit(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 8, -300), rows("dgx-h100", 4)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.select([*leafs, *servers])
    before = document.encode(design)
    window.actions_table.trigger("build.rails")
    assert bar.isVisible()
    assert bar.text.text() == "Adds 32 links; 60 ports left on each leaf."
    assert len(window.views.canvas.fabric.ghosts.shown.lines) == 32
    assert document.encode(design) == before
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    assert not bar.isVisible()
    assert window.views.canvas.fabric.ghosts.shown is None
    assert len(design.links) == 32
    window.actions_table.trigger("edit.undo")
    assert document.encode(design) == before


def test_the_preview_follows_the_selection_and_says_why_not(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 8, -300), rows("dgx-h100", 2)
    bar = window.construction
    window.session.select([*leafs[:3], *servers])
    window.actions_table.trigger("build.rails")
    assert "8 NICs per server do not spread evenly over 3 leaf switches" in bar.text.text()
    assert not bar.do_button.isEnabled()
    assert window.views.canvas.fabric.ghosts.shown is None
    window.session.select([*leafs, *servers])
    qtbot.waitUntil(bar.do_button.isEnabled)
    assert bar.text.text().startswith("Adds 16 links")
    window.session.select([])
    qtbot.waitUntil(lambda: not bar.isVisible())


def test_rails_without_leafs_add_leafs_of_the_chosen_type(window, rows, qtbot):
    servers = rows("dgx-h100", 4)
    bar = window.construction
    window.session.select(servers)
    window.actions_table.trigger("build.rails")
    combo = bar._fields["leaf_type"].findChild(QComboBox)
    combo.setCurrentIndex(combo.findData("nvidia-qm9700"))
    bar._fields["per_leaf"].findChild(QLineEdit).setText("2")
    qtbot.waitUntil(lambda: "16 leaf switches" in bar.text.text())
    assert len(window.views.canvas.fabric.ghosts.shown.boxes) == 16
    window.views.canvas.grab()
    bar.accept()
    assert sum(device.role == "leaf" for device in window.session.design.devices.values()) == 16
    window.session.select(servers)
    window.actions_table.trigger("build.rails")
    bar._fields["per_leaf"].findChild(QLineEdit).setText("many")
    qtbot.waitUntil(lambda: "is not a whole number" in bar.text.text())
    qtbot.keyClick(bar, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_a_ring_of_two_says_why_it_has_one_link(window, rows, qtbot):
    window.session.select(rows("generic-switch", 2))
    window.actions_table.trigger("build.ring")
    bar = window.construction
    assert bar.text.text().startswith("Adds 1 link;")
    assert "A ring of two has one link" in bar.text.text()
    bar._fields["double"].findChild(QCheckBox).setChecked(True)
    qtbot.waitUntil(lambda: bar.text.text().startswith("Adds 2 links"))
    bar.accept()
    assert len(window.session.design.links) == 2


def test_routers_become_groups_and_groups_are_joined(window, rows):
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    lines = [rows("generic-switch", 3, 200.0 * number) for number in range(3)]
    for line in lines:
        window.session.select(line)
        window.actions_table.trigger("build.router_group")
        assert bar.text.text().startswith("Adds 3 links and 1 group")
        bar.accept()
    assert [group.kind for group in design.groups.values()] == [DRAGONFLY_GROUP] * 3
    window.session.select([one for line in lines for one in line])
    window.actions_table.trigger("build.join_groups")
    assert bar.text.text().startswith("Adds 3 links; 61 to 62 ports left on each router. 3 groups, with ports for")
    bar.accept()
    assert len(design.links) == 12


def test_going_from_the_canvas_to_another_view_closes_the_preview(window, rows):
    window.session.select(rows("generic-switch", 2))
    window.actions_table.trigger("build.ring")
    assert window.construction.isVisible()
    window.views.show_view(window.views.floor)
    assert window.construction.isHidden() and window.views.canvas.fabric.ghosts.shown is None


def test_esc_clears_the_selection_and_then_leaves_the_tool_for_select(window, rows, qtbot):
    window.session.select(rows("generic-switch", 2))
    window.views.choose_tool("connect")
    canvas = window.views.canvas
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.session.selection and window.views.tool == "connect"
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert {view.tool for view in window.views.all} == {"select"} and window.views.tool == "select"


def test_another_document_closes_the_preview(window, rows):
    window.session.select(rows("generic-switch", 2))
    window.actions_table.trigger("build.ring")
    window.session.undo_stack.setClean()
    window.session.new()
    assert not window.construction.isVisible()


@pytest.mark.own_window
def test_connect_evenly_proposes_what_the_links_below_need_and_takes_typing_at_once(window, rows, qtbot):
    spines, leafs, servers = rows("nvidia-qm9700", 2, -600), rows("nvidia-qm9700", 2, -300), rows("dgx-h100", 4)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.push(operations.connect_evenly(design, servers, leafs))
    window.session.select([*spines, *leafs])
    window.actions_table.trigger("link.connect_evenly")
    field = bar.findChild(QLineEdit, "editor")
    assert field.text() == "8"
    assert bar.text.text() == "Adds 32 links; 32 to 48 ports left on each switch. Oversubscription 1:1."
    assert bar.focusWidget() is field
    qtbot.keyClicks(field, "4")
    qtbot.waitUntil(lambda: bar.text.text().startswith("Adds 16 links"))
    assert bar.text.text().endswith("Oversubscription 2:1.")
    most = next(button for button in bar.findChildren(QPushButton) if button.text() == "Most")
    most.click()
    qtbot.waitUntil(lambda: bar.text.text().startswith("Adds 96 links"))
    qtbot.keyClicks(field, "8")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert not bar.isVisible()
    assert len(design.links) == 32 + 32


@pytest.mark.own_window
def test_connect_evenly_proposes_the_most_where_nothing_is_below(window, rows):
    window.session.select([*rows("nvidia-qm9700", 2, -600), *rows("nvidia-qm9700", 2, -300)])
    window.actions_table.trigger("link.connect_evenly")
    field = window.construction.findChild(QLineEdit, "editor")
    assert (field.text(), field.placeholderText()) == ("", "most")
    assert window.construction.text.text().startswith("Adds 128 links")


@pytest.mark.own_window
def test_connect_evenly_counts_links_that_are_there_and_proposes_what_makes_pairs_even(window, rows, qtbot):
    spines, leafs = rows("nvidia-qm9700", 3, -600, "spine"), rows("nvidia-qm9700", 2, -300, "leaf")
    servers, (design, bar) = rows("dgx-h100", 4), (window.session.design, window.construction)
    window.session.push(operations.connect_evenly(design, servers, leafs))
    window.session.push(operations.connect_evenly(design, leafs, spines[:2], 8))
    for chosen in ([*spines, *leafs], [*leafs, spines[2]]):
        window.session.select(chosen)
        window.actions_table.trigger("link.connect_evenly")
        assert bar.findChild(QLineEdit, "editor").text() == "8", len(chosen)
        assert bar.text.text().startswith("Adds 16 links")
        assert "leaf switches to spine" not in bar.text.text()
        bar.close_bar()
    window.session.select([*spines, *leafs])
    window.actions_table.trigger("link.connect_evenly")
    assert "Counts the 32 existing links." in bar.text.text()
    bar.accept()
    pairs = links_between(design, [*spines, *leafs])
    assert {pairs[frozenset((one, leaf))] for one in spines for leaf in leafs} == {8}
    window.actions_table.trigger("link.connect_evenly")
    assert bar.text.text() == "Every pair has 8 links or more already: ask for 9 or more to add any."
    assert not bar.do_button.isEnabled()


def test_connect_evenly_can_move_the_links_there_are_in_place_of_adding_some(window, rows, qtbot):
    spines, leafs = rows("nvidia-qm9700", 3, -600, "spine"), rows("nvidia-qm9700", 2, -300, "leaf")
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.push(operations.connect_evenly(design, leafs, spines[:2], 6))
    window.session.select([*spines, *leafs])
    window.actions_table.trigger("link.connect_evenly")
    flag = bar._fields["spread"].findChild(QCheckBox)
    assert flag.text() == "Move the links there are" and not bar._fields["spread"].isHidden()
    flag.setChecked(True)
    qtbot.waitUntil(lambda: bar.text.text() == "Moves 8 links. 4 links per pair.")
    assert bar._fields["per_pair"].isHidden(), "a number would say something else"
    bar.accept()
    pairs = links_between(design, [*spines, *leafs])
    assert len(design.links) == 24 and {pairs[frozenset((one, leaf))] for one in spines for leaf in leafs} == {4}
    window.actions_table.trigger("link.connect_evenly")
    assert bar._fields["spread"].isHidden()


@pytest.mark.own_window
def test_connect_evenly_gives_a_server_with_some_of_its_links_the_others(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 8, -300), rows("dgx-h100", 3)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.push(operations.connect_evenly(design, servers[:2], leafs, 1))
    window.session.push(operations.connect_devices(design, servers[2], leafs[0]))
    window.session.select([*leafs, *servers])
    window.actions_table.trigger("link.connect_evenly")
    assert bar.findChild(QLineEdit, "editor").text() == "1"
    assert bar.text.text().startswith("Adds 7 links;")
    bar.accept()
    assert all(len(design.links_of(one)) == 8 for one in servers)


@pytest.mark.own_window
def test_connect_evenly_connects_three_tiers_each_to_the_next_above(window, rows, qtbot):
    spines, leafs = rows("nvidia-qm9700", 2, -600, "spine"), rows("nvidia-qm9700", 4, -300, "leaf")
    servers, (design, bar) = rows("dgx-h100", 16), (window.session.design, window.construction)
    window.session.select([*spines, *leafs, *servers])
    window.actions_table.trigger("link.connect_evenly")
    assert bar.text.text().startswith("Adds 256 links")
    assert bar.text.text().endswith(
        "Links per pair: 2 from servers to leaf switches, 16 from leaf switches to spine switches."
    )
    assert not any(editor.isVisible() for editor in bar.findChildren(QLineEdit, "editor"))
    bar.accept()
    pairs = links_between(design, [*spines, *leafs, *servers])
    assert {pairs.get(frozenset((one, leaf))) for one in servers for leaf in leafs} == {2}
    assert {pairs.get(frozenset((one, leaf))) for one in spines for leaf in leafs} == {16}
    assert not any(frozenset((one, spine)) in pairs for one in servers for spine in spines)
    assert window.session.undo_stack.undoText() == "Connect 3 tiers evenly"
    window.actions_table.trigger("link.connect_evenly")
    assert bar.text.text().startswith("All of these tiers are connected: select two of them to add links")
    window.session.push(operations.delete(design, [one.id for spine in spines for one in design.links_of(spine)]))
    window.actions_table.trigger("link.connect_evenly")
    assert bar.text.text().endswith("Links per pair: 16 from leaf switches to spine switches.")


def test_switches_without_a_role_are_no_tier(window, rows):
    spines, leafs, servers = rows("nvidia-qm9700", 2, -600), rows("nvidia-qm9700", 4, -300, "leaf"), rows("dgx-h100", 4)
    assert tiers_of(window.session.design, [*spines, *leafs, *servers]) == []
    assert tiers_of(window.session.design, [*servers, *leafs]) == [servers, leafs]


def test_an_array_is_previewed_as_ghosts_and_added_in_one_step(window, rows, qtbot):
    servers = rows("dgx-h100", 2)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.select(servers)
    before = document.encode(design)
    window.actions_table.trigger("arrange.array")
    columns, n_rows = (bar._fields[name].findChild(QLineEdit, "editor") for name in ("columns", "rows"))
    assert columns.hasFocus() or not window.isActiveWindow()
    qtbot.keyClicks(columns, "2")  # over what stands there, which is selected
    n_rows.setText("3")
    bar._fields["name"].findChild(QLineEdit, "editor").setText("gpu-101")
    qtbot.waitUntil(lambda: bar.text.text() == "Adds 10 servers, renames 2 servers. Named gpu-101 to gpu-112.")
    assert len(window.views.canvas.fabric.ghosts.shown.boxes) == 10
    assert document.encode(design) == before
    qtbot.keyClick(columns, Qt.Key.Key_Return)
    assert [one.name for one in design.devices.values()] == [f"gpu-{number}" for number in range(101, 113)]
    assert window.session.selection == set(design.devices), "all of the array"
    window.actions_table.trigger("edit.undo")
    assert document.encode(design) == before


def test_selected_devices_go_into_racks_by_the_policy_that_is_chosen(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 2, -300), rows("dgx-h100", 6)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.select([*leafs, *servers])
    window.actions_table.trigger("build.rails")
    bar.close_bar()
    window.actions_table.trigger("room.mount")
    assert bar.text.text() == "Adds 3 racks, moves 8 devices. 8 devices in 3 racks. Switches: 2 in 1 rack of their own."
    bar._fields["servers"].findChild(QLineEdit).setText("2")
    qtbot.waitUntil(lambda: "8 devices in 4 racks" in bar.text.text())
    bar._fields["power_kw"].findChild(QLineEdit).setText("5")
    qtbot.waitUntil(lambda: "draws up to 10.2 kW, a rack 5 kW" in bar.text.text())
    assert not bar.do_button.isEnabled()
    bar._fields["power_kw"].findChild(QLineEdit).setText("")
    combo = bar._fields["switches"].findChild(QComboBox)
    combo.setCurrentIndex(combo.findData("own"))
    qtbot.waitUntil(bar.do_button.isEnabled)
    before = document.encode(design)
    bar.accept()
    assert len(design.racks) == 4
    assert all(design.placements[one].rack_id for one in (*leafs, *servers))
    assert window.session.undo_stack.undoText() == "Mount 8 devices in 4 racks"
    stated = "8 devices mounted in 4 racks: rack-01 to rack-03 and net-01. Ctrl+Z takes them out again."
    assert window.notice.text.text() == stated
    window.actions_table.trigger("edit.undo")
    assert document.encode(design) == before


def test_with_nothing_selected_all_that_is_in_no_rack_is_mounted_and_what_is_left_out_is_named(window, rows, add):
    mounted, servers = rows("dgx-h100", 1, -300), rows("dgx-h100", 2)
    generic = add("generic-host")
    design, session = window.session.design, window.session
    catalog = session.catalog.types
    session.push(hand_racks.mounted(design, mounted, hand_racks.RackPolicy(), catalog.get).edit)
    held = design.placements[mounted[0]].rack_id
    session.select([])
    window.actions_table.trigger("room.mount")
    assert window.construction.isVisible()
    window.construction.accept()
    assert all(design.placements[one].rack_id not in (None, held) for one in servers)
    assert design.placements[mounted[0]].rack_id == held and design.placements[generic].rack_id is None
    stated = window.notice.text.text()
    assert stated.startswith("2 devices mounted in 1 rack: rack-02.")
    assert f"1 generic device without a height is left out: {design.device(generic).name}." in stated
    window.actions_table.trigger("room.mount")
    assert "generic devices have no height" in window.construction.text.text().lower()
    assert not window.construction.do_button.isEnabled()


def test_connecting_servers_to_an_out_of_band_switch_installs_their_bmc(window, rows, qtbot):
    (oob,), servers = rows("nvidia-sn2201", 1, -300), rows("dgx-h100", 3)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.push(operations.set_network(design, [oob], "oob"))
    before = document.encode(design)
    window.session.select([oob, *servers])
    window.actions_table.trigger("link.connect_evenly")
    said = "Adds 3 links and 3 NICs; 45 ports of 1G left on the switch. New in each of 3 servers: 1 × NIC 1G."
    assert bar.text.text() == said
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    assert [design.end_name(link.a).split()[-1] for link in design.links.values()] == ["bmc"] * 3
    window.actions_table.trigger("edit.undo")
    assert document.encode(design) == before


def test_switches_above_leaf_switches_become_spines_and_management_has_no_ratio(window, rows, qtbot):
    spines, leafs, servers = rows("nvidia-qm9700", 2, -600), rows("nvidia-qm9700", 4, -300), rows("dgx-h100", 4)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.push(operations.make_rails(design, servers, leafs))
    window.session.select([*spines, *leafs])
    window.actions_table.trigger("link.connect_evenly")
    assert bar.text.text().endswith("Oversubscription 1:1.")
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    assert {design.devices[one].role for one in spines} == {"spine"}
    (oob,) = rows("nvidia-sn2201", 1, 300)
    window.session.push(operations.set_network(design, [oob], "oob"))
    window.session.select([oob, *servers])
    window.actions_table.trigger("link.connect_evenly")
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    window.session.select([oob, *leafs])
    window.actions_table.trigger("link.connect_evenly")
    assert bar.text.text().startswith("Adds 4 links") and "Oversubscription" not in bar.text.text()
    qtbot.keyClick(bar.do_button, Qt.Key.Key_Return)
    assert design.devices[oob].role == ""


def test_fields_that_need_more_than_a_row_stand_in_two(window, rows):
    bar = window.construction
    window.session.select(rows("dgx-h100", 4))
    window.actions_table.trigger("room.mount")
    for option, held in bar._fields.items():
        assert held.width() >= held.minimumSizeHint().width(), option
        for child in held.findChildren(QPushButton):
            assert child.width() >= child.minimumSizeHint().width(), "nothing is covered"


def combo_of(bar, name):
    return next(one for one in bar.findChildren(QComboBox) if one.accessibleName() == name)


def test_connect_evenly_says_which_port_mode_would_fit_and_sets_it_with_its_links(window, rows, qtbot):
    leafs, servers = rows("nvidia-sn5600", 2, -300), rows("dgx-h100", 4)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.select([*leafs, *servers])
    window.actions_table.trigger("link.connect_evenly")
    assert not bar.do_button.isEnabled()
    assert bar.text.text().endswith("; 128x400G, as the ports above are, would fit.")
    above = combo_of(bar, "Ports above")
    assert not above.isHidden() and above.currentText() == "as they are"
    above.setCurrentIndex(above.findData("128x400G"))
    qtbot.waitUntil(bar.do_button.isEnabled)
    assert bar.text.text() == "Adds 32 links, changes 2 switches; 112 ports left on each switch."
    shown = [combo for combo in (above, combo_of(bar, "Ports below")) if not combo.isHidden()]
    for combo in shown:
        assert combo.sizeHint().width() > combo.fontMetrics().horizontalAdvance(combo.currentText())
    qtbot.waitUntil(lambda: all(combo.width() >= combo.sizeHint().width() for combo in shown))  # once it is laid out
    assert not design.links and not any(design.device(one).port_mode for one in leafs)
    bar.do_button.click()
    assert len(design.links) == 32
    assert {design.device(one).port_mode for one in leafs} == {"128x400G"}
    window.actions_table.trigger("edit.undo")
    assert not design.links and not any(design.device(one).port_mode for one in leafs)


def test_what_is_to_be_joined_is_seen_above_the_bar_and_where_it_was_afterwards(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 2, -300), rows("dgx-h100", 4, 300)
    canvas, bar = window.views.canvas, window.construction
    canvas.zoom_to_fit()
    before = canvas.camera
    window.session.select([*leafs, *servers])
    window.actions_table.trigger("link.connect_evenly")
    foot = canvas.mapTo(window, canvas.rect().bottomLeft()).y() - bar.mapTo(window, bar.rect().topLeft()).y()
    for one in servers:
        _, _, right, bottom = canvas.fabric.rect_of(one)
        assert canvas.camera.to_view(right, bottom)[1] < canvas.height() - foot
    bar.accept()
    assert canvas.camera == before


@pytest.mark.own_window
def test_the_port_modes_that_are_offered_follow_what_is_selected(window, rows, qtbot):
    leafs, spines = rows("nvidia-sn5600", 2), rows("nvidia-sn5600", 2, -300)
    mixed = [*rows("nvidia-sn5600", 1, -600), *rows("nvidia-qm9700", 1, -600)]
    bar = window.construction
    window.session.select([*leafs, *spines])
    window.actions_table.trigger("link.connect_evenly")
    above, below = combo_of(bar, "Ports above"), combo_of(bar, "Ports below")
    assert above.count() == below.count() > 2
    above.setCurrentIndex(above.findData("128x400G"))
    qtbot.waitUntil(lambda: not bar.do_button.isEnabled())
    window.session.select([*leafs[:1], *spines])
    qtbot.waitUntil(lambda: not bar._later.isActive())
    assert above.currentData() == "128x400G", "what is still offered stays chosen"
    window.session.select([*spines, *mixed])
    qtbot.waitUntil(lambda: above.count() == 1)
    assert above.currentData() == ""


@pytest.mark.own_window
def test_rails_that_share_leaf_switches_are_named_before_they_are_made(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 8, -300), rows("dgx-h100", 2)
    bar, name = window.construction, [window.session.design.device(one).name for one in leafs]
    window.session.select([*leafs[:4], *servers])
    window.actions_table.trigger("build.rails")
    said = f"Rails 1 and 5 share {name[0]}, rails 2 and 6 {name[1]}, rails 3 and 7 {name[2]}, rails 4 and 8 {name[3]}."
    assert bar.text.text().endswith(said)
    sharing = combo_of(bar, "Rails that share")
    sharing.setCurrentIndex(sharing.findText("next to each other"))
    said = f"Rails 1 and 2 share {name[0]}, rails 3 and 4 {name[1]}, rails 5 and 6 {name[2]}, rails 7 and 8 {name[3]}."
    qtbot.waitUntil(lambda: bar.text.text().endswith(said))
    window.session.select([*leafs, *servers])
    qtbot.waitUntil(lambda: "share" not in bar.text.text())
    assert bar._fields["sharing"].isHidden()


def test_rails_are_made_in_the_mode_of_the_leaf_switches_that_is_chosen(window, rows, qtbot):
    leafs, servers, spine = rows("nvidia-sn5600", 8, -300), rows("dgx-h100", 2), rows("nvidia-sn5600", 1, -600)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.push(operations.connect_evenly(design, leafs, spine, 2))
    before = document.encode(design)
    window.session.select([*leafs, *servers])
    window.actions_table.trigger("build.rails")
    assert bar.text.text().endswith(
        "port rail1 at 400G: set the switch to a 400G mode or select another NIC; "
        "128x400G, as the ports of the leaf switches are, would fit."
    )
    ports = bar._fields["leaf_mode"].findChild(QComboBox)
    assert ports.currentText() == "as they are" and bar._fields["nic_mode"].isHidden()
    ports.setCurrentIndex(ports.findData("128x400G"))
    said = "Adds 16 links, changes 8 leaf switches; 122 ports of 400G left on each leaf."
    qtbot.waitUntil(lambda: bar.text.text() == said)
    assert document.encode(design) == before
    bar.accept()
    runs = [(run.first, run.last, run.mode) for run in cage_runs(design, leafs[0])]
    assert runs == [(1, 2, "64x800G"), (3, 64, "128x400G")], "links to the spine stay as they are"
    assert {design.port(link.b).rate_gbps for link in design.links_of(servers[0])} == {400.0}
    window.actions_table.trigger("edit.undo")
    assert document.encode(design) == before


def test_rails_of_nics_in_another_mode_have_a_link_from_each_of_their_ports(window, rows, qtbot):
    leafs, servers = rows("nvidia-sn5600", 8, -300), rows("dgx-b300", 2)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.select([*leafs, *servers])
    window.actions_table.trigger("build.rails")
    for name, mode in (("leaf_mode", "128x400G"), ("nic_mode", "2x400G")):
        field = bar._fields[name].findChild(QComboBox)
        field.setCurrentIndex(field.findData(mode))
    qtbot.waitUntil(lambda: bar.text.text().startswith("Adds 32 links, changes"))
    bar.accept()
    assert [len(design.links_of(one)) for one in (servers[0], leafs[0])] == [16, 4]
    names = {one.slot: design.module_mode(one.id).name for one in design.modules_of(servers[0])}
    assert [name for name in names.values() if "400G" in name or "800G" in name] == ["2x400G"] * 8


def test_nics_in_a_mode_of_two_ports_lead_to_two_planes_of_leaf_switches(window, rows, qtbot):
    leafs, servers = rows("nvidia-sn5600", 16, -300), rows("dgx-b300", 1)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.select([*leafs, *servers])
    window.actions_table.trigger("build.rails")
    assert "8 NICs per server do not spread evenly over 16 leaf switches" in bar.text.text()
    for name, mode in (("leaf_mode", "128x400G"), ("nic_mode", "2x400G")):
        field = bar._fields[name].findChild(QComboBox)
        field.setCurrentIndex(field.findData(mode))
    qtbot.waitUntil(bar.do_button.isEnabled)
    bar.accept()
    assert {(design.device(one).rail, design.device(one).plane) for one in leafs} == {
        (rail, plane) for rail in range(1, 9) for plane in (1, 2)
    }


def test_the_links_of_a_rail_are_reconnected_from_their_leaf_switch_to_another(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 4, -300), rows("dgx-h100", 3)
    window.resize(1100, 700)
    design, bar = window.session.design, window.construction
    window.session.push(operations.make_rails(design, servers, leafs))
    assert not window.actions_table["link.reconnect"].isEnabled()
    window.session.select(Finder(design).find("kind:link rail:8").ids)
    before = document.encode(design)
    window.actions_table.trigger("link.reconnect")
    combo = bar._fields["to"].findChild(QComboBox)
    offered = [combo.itemData(place) for place in range(combo.count())]
    assert set(offered[:3]) == set(leafs[:3]) and set(offered[3:]) == set(servers), "alike ones first"
    combo.setCurrentIndex(combo.findData(leafs[2]))
    said = "Moves 3 links. From switch-04 to switch-03, which has 58 free ports before."
    qtbot.waitUntil(lambda: bar.text.text() == said)
    bar.accept()
    assert len(design.links_of(leafs[2])) == 9 and len(design.links_of(leafs[3])) == 3
    window.actions_table.trigger("edit.undo")
    assert document.encode(design) == before


def test_links_without_a_device_in_common_are_not_reconnected(window, rows, qtbot):
    leafs, servers = rows("nvidia-qm9700", 2, -300), rows("dgx-h100", 2)
    for server, leaf in zip(servers, leafs, strict=True):
        window.session.push(operations.connect_devices(window.session.design, server, leaf))
    links = list(window.session.design.links)
    window.session.select(links[:1])
    window.actions_table.trigger("link.reconnect")
    bar = window.construction
    assert bar.do_button.isEnabled()
    window.session.select(links)
    qtbot.waitUntil(lambda: bar.text.text() == "Select links that all end at one device.")
    assert not bar.do_button.isEnabled()


@pytest.mark.parametrize(("size_pt", "columns"), [(0, 2), (20, 1)])
def test_names_and_fields_of_a_form_stand_in_columns(window, add, qtbot, qapp, size_pt, columns):
    usual = qapp.font()
    try:
        window.appearance.set_text_size(size_pt)
        window.session.select(frozenset([add("nvidia-qm9700")]))
        window.actions_table.trigger("arrange.array")
        names, fields = window.construction._names.values(), window.construction._fields.values()
        qtbot.waitUntil(lambda: len({one.x() for one in fields}) == columns)
        assert len(fields) == 5 and len({one.x() for one in names}) == columns
        assert len({(one.x(), one.width()) for one in fields}) == columns, "all of a column are as wide"
        for name, field in zip(names, fields, strict=True):
            assert name.geometry().right() < field.x()
            assert abs(name.geometry().center().y() - field.geometry().center().y()) <= 2
            assert field.findChild(QLineEdit, "editor").width() == field.width()
    finally:
        window.appearance.set_text_size(0)
        qapp.setFont(usual)

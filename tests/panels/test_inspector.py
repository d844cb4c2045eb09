"""The inspector shows what is selected and edits it through the session."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication

from designer.analysis.cable_numbers import cable_name, number_cables
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import SLIM_FLY_GROUP, Device, Link
from designer.model.hardware.modules import NicType
from designer.panels.inspector import inspector_many
from designer.panels.inspector.panel import InspectorPanel
from designer.panels.widgets.rows import DETAIL_ROLE
from designer.placement.many import gathered
from designer.session import shapes
from designer.storage import document
from designer.topologies import fat_tree

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture
def inspector(qtbot, session, appearance):
    panel = InspectorPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(360, 800)
    panel.show()
    return panel


@pytest.fixture
def drawn(session, catalog):
    """A switch, a server with its NICs, and one link between them."""
    types = catalog.types
    session.push(
        operations.add_device(session.design, catalog.get("nvidia-qm9700"), 0, 0, catalog_types=types, role="leaf")
    )
    session.push(operations.add_device(session.design, catalog.get("dgx-h100"), 0, 200, catalog_types=types))
    switch, server = session.design.switches()[0], session.design.servers()[0]
    session.push(operations.connect_devices(session.design, server.id, switch.id))
    return switch.id, server.id, next(iter(session.design.links))


def choose(inspector, session, *ids):
    session.select(ids)
    inspector.refresh()


def enter(qtbot, field, text):
    field.line.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, text)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)


def test_typing_a_name_renames_the_device_and_undo_brings_it_back(inspector, session, drawn, qtbot):
    switch, _, _ = drawn
    before = session.design.device(switch).name
    choose(inspector, session, switch)
    enter(qtbot, inspector.device_page.name, "leaf-07")
    assert session.design.device(switch).name == "leaf-07"
    session.undo_stack.undo()
    inspector.refresh()
    assert inspector.device_page.name.line.text() == before


def test_the_kind_of_a_group_is_written_as_it_is(inspector, session, drawn):
    session.push(operations.group(session.design, [drawn[0]], "Group 1", SLIM_FLY_GROUP))
    (group,) = session.design.groups
    choose(inspector, session, group)
    assert inspector.container_page.kind.text() == "Slim Fly group"


def test_an_empty_name_is_refused_in_place(inspector, session, drawn, qtbot):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    before = session.undo_stack.count()
    inspector.device_page.name.line.clear()
    qtbot.keyClick(inspector.device_page.name.line, Qt.Key.Key_Return)
    assert inspector.device_page.name.refusal.text() == "Enter a name for the device."
    assert session.undo_stack.count() == before


def test_a_switch_shows_its_port_budget_and_its_links(inspector, session, drawn):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    page = inspector.device_page
    assert page.budget.whole_text == "64 ports:  1 used,  63 free;  1 management port"
    *cells, management = page.port_map._cells
    assert len(cells) == 64
    assert [cell.use for cell in cells].count("used") == 1
    assert (management.use, management.tooltip) == ("other", "Port mgmt0, 1G: for management")
    assert len(page.links.table.rows) == 1


def test_reserved_ports_tell_what_they_are_kept_for(inspector, session, drawn):
    switch, _, _ = drawn
    free = [port.name for port in session.design.free_ports(switch)][-3:]
    purposes = ((free[0], "storage servers"), (free[1], "storage servers"))
    device = session.design.device(switch)
    session.push(Edit("Reserve", (Change(device, replace(device, reserved_ports=tuple(free), reserved_for=purposes)),)))
    choose(inspector, session, switch)
    page = inspector.device_page
    assert (
        page.budget.whole_text == "64 ports:  1 used,  60 free,  3 reserved (2 for storage servers);  1 management port"
    )
    told = [cell.tooltip.split(": ")[1] for cell in page.port_map._cells if cell.use == "reserved"]
    assert told == ["reserved for storage servers", "reserved for storage servers", "reserved"]


def test_ports_are_told_as_the_chassis_prints_them(inspector, session, drawn):
    _, server, _ = drawn
    choose(inspector, session, server)
    printed = [cell.tooltip.split(",")[0] for cell in inspector.device_page.port_map._cells]
    assert printed[:2] == ["Port rail1 (OSFP4P2)", "Port rail2 (OSFP3P2)"]


def test_clicking_a_link_of_a_device_asks_to_go_there(inspector, session, drawn, qtbot):
    switch, _, link = drawn
    choose(inspector, session, switch)
    table = inspector.device_page.links.table
    with qtbot.waitSignal(inspector.going) as caught:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.rect_of(0).center())
    assert caught.args == [frozenset((link,))]


def test_clicking_a_used_port_in_the_port_map_asks_to_go_to_its_link(inspector, session, drawn, qtbot):
    switch, _, link = drawn
    choose(inspector, session, switch)
    port_map = inspector.device_page.port_map
    number = next(n for n, cell in enumerate(port_map._cells) if cell.use == "used")
    with qtbot.waitSignal(inspector.going) as caught:
        qtbot.mouseClick(port_map, Qt.MouseButton.LeftButton, pos=port_map._rect(number).center())
    assert caught.args == [frozenset((link,))]


def test_another_port_mode_is_one_edit(inspector, session, drawn):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    page = inspector.device_page
    other = session.design.device_type(switch).modes[1].name
    page.mode.setCurrentIndex(1)
    page.mode.activated.emit(1)
    assert session.design.device(switch).port_mode == other
    assert len(session.design.ports(switch)) == 128


def test_the_cages_that_are_named_get_a_port_mode_of_their_own(inspector, session, drawn, qtbot):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    page = inspector.device_page
    first, other = (mode.name for mode in session.design.device_type(switch).modes[:2])
    assert not page.runs.isVisibleTo(inspector)
    page.cages.line.setText("17-32")
    assert page.cages.finish() and page.mode.value == first
    page.mode.activated.emit(page.mode.findText(other))
    assert session.design.device(switch).cage_modes == tuple((cage, other) for cage in range(17, 33))
    assert page.runs.isVisibleTo(inspector)
    ports = [f"{mode.ports_per_cage} × {mode.rate_gbps:g}G" for mode in session.design.device_type(switch).modes[:2]]
    assert page.runs.text() == f"1-16: {ports[0]} each, 17-32: {ports[1]} each"
    assert (page.mode.currentText(), page.cages.line.text()) == (other, "17-32")
    page.cages.line.setText("")
    assert page.cages.finish() and page.mode.currentText() == "Mixed"
    with qtbot.assertNotEmitted(session.message):
        page.mode.activated.emit(page.mode.findText("Mixed"))
    assert len(session.design.device(switch).cage_modes) == 16
    session.undo_stack.undo()
    choose(inspector, session, switch)
    assert page.mode.currentText() == first and not page.runs.isVisibleTo(inspector)


def test_cages_that_are_not_there_are_refused_and_no_mode_is_set(inspector, session, drawn):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    page = inspector.device_page
    page.cages.line.setText("30-33")
    assert not page.cages.finish()
    assert page.cages.refusal.text() == "Cages must be 1 to 32, lower ones first, not '30-33'."
    page.mode.activated.emit(1)
    assert (session.design.device(switch).port_mode, session.design.device(switch).cage_modes) == ("", ())


def test_uplinks_with_a_mode_of_their_own_are_listed_and_leave_nothing_to_choose(inspector, session):
    tor = session.catalog.get("nvidia-sn2201")
    session.push(operations.add_device(session.design, tor, 0, 0, catalog_types=session.catalog.types, name="tor"))
    one = session.design.find("tor").id
    choose(inspector, session, one)
    page = inspector.device_page
    assert page.runs.text() == "1-48: 1 × 1G each, 49-52: 1 × 100G each" and page.runs.isVisibleTo(inspector)
    assert not page.mode.isVisibleTo(inspector)


def test_uplinks_with_modes_of_their_own_are_set_by_cage(inspector, session):
    tor = session.catalog.get("nvidia-sn2201")
    up = tor.cages[1].modes[0]
    split = replace(up, name="16x25G", ports_per_cage=4, rate_gbps=25.0, port_name="swp{cage}s{lane0}")
    own = replace(tor, id="tor", cages=(tor.cages[0], replace(tor.cages[1], modes=(up, split))))
    session.push(operations.add_device(session.design, own, 0, 0, catalog_types=session.catalog.types, name="tor"))
    one = session.design.find("tor").id
    choose(inspector, session, one)
    page = inspector.device_page
    assert page.mode.isVisibleTo(inspector) and page.mode.value == "48x1G"
    page.cages.line.setText("49-50")
    assert page.cages.finish() and page.mode.value == "4x100G"
    page.mode.activated.emit(page.mode.findText("16x25G"))
    assert session.design.device(one).cage_modes == ((49, "16x25G"), (50, "16x25G"))
    assert page.runs.text() == "1-48: 1 × 1G each, 49-50: 4 × 25G each, 51-52: 1 × 100G each"
    page.cages.line.setText("")
    assert page.cages.finish() and page.mode.value == "48x1G"


def test_cages_that_another_type_lacks_are_no_longer_named(inspector, session, drawn):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    page = inspector.device_page
    page.cages.line.setText("17-32")
    assert page.cages.finish()
    small = session.catalog.get("generic-switch-8x400g")
    session.push(operations.set_type(session.design, switch, small, catalog_types=session.catalog.types))
    choose(inspector, session, switch)
    assert page.cages.line.text() == "" and page.mode.value == small.modes[0].name


def test_a_role_is_chosen_and_undone(inspector, session, drawn):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    index = inspector.device_page.role.findText("spine")
    inspector.device_page.role.activated.emit(index)
    assert session.design.device(switch).role == "spine"
    session.undo_stack.undo()
    assert session.design.device(switch).role == "leaf"


def test_a_switch_is_put_in_another_network_and_servers_have_none_to_choose(inspector, session, drawn):
    switch, server, link = drawn
    choose(inspector, session, switch)
    field = inspector.device_page.network
    assert field.currentText() == "Compute"
    field.activated.emit(field.findText("Storage"))
    assert session.design.device(switch).network == "storage"
    assert session.undo_stack.undoText().endswith("in the storage network")
    assert link in session.design.links
    choose(inspector, session, server)
    assert field.isHidden()
    session.undo_stack.undo()
    assert session.design.device(switch).network == ""


def test_removing_a_nic_takes_its_link_and_installing_one_fills_the_slot(inspector, session, drawn, catalog):
    _, server, link = drawn
    choose(inspector, session, server)
    nics = inspector.device_page.slots
    rows = {nics.tree.topLevelItem(n).text(0): nics.tree.topLevelItem(n) for n in range(nics.tree.topLevelItemCount())}
    slot = session.design.links[link].a.port
    rows[slot].setSelected(True)
    nics.remove.click()
    assert link not in session.design.links
    assert slot not in {module.slot for module in session.design.modules_of(server)}
    inspector.refresh()
    nic = catalog.get("connectx-7-ndr")
    assert isinstance(nic, NicType)
    nics._install(nic)
    assert slot in {module.slot for module in session.design.modules_of(server)}


def test_the_nics_of_a_server_are_set_to_another_mode_as_one_edit(inspector, session, catalog):
    session.push(operations.add_device(session.design, catalog.get("dgx-b300"), 0, 0, catalog_types=catalog.types))
    server = session.design.servers()[0].id
    choose(inspector, session, server)
    nics = inspector.device_page.slots
    assert nics.mode.value == "1x800G"
    before = session.undo_stack.count()
    nics.mode.setCurrentIndex(1)
    nics.mode.activated.emit(1)
    assert {one.port_mode for one in session.design.modules_of(server)} == {"2x400G"}
    assert session.undo_stack.count() == before + 1
    assert "2x400G" in nics.tree.topLevelItem(0).text(1)
    nics.tree.topLevelItem(0).setSelected(True)
    nics.mode.activated.emit(0)
    assert [one.port_mode for one in session.design.modules_of(server)][:2] == ["", "2x400G"]


def test_nics_with_one_mode_have_no_mode_to_choose(inspector, session, drawn):
    _, server, _ = drawn
    choose(inspector, session, server)
    assert not inspector.device_page.slots.mode.isVisibleTo(inspector)


def test_the_line_cards_of_a_chassis_are_pulled_swapped_and_installed(inspector, session, catalog):
    session.push(operations.add_device(session.design, catalog.get("arista-7804r4"), 0, 0, catalog_types=catalog.types))
    chassis = session.design.switches()[0].id
    choose(inspector, session, chassis)
    page, slots = inspector.device_page, inspector.device_page.slots
    assert (page.kind.text(), page._slots_title.text()) == ("Chassis", "Line cards")
    assert [slots.tree.topLevelItem(n).text(0) for n in range(slots.tree.topLevelItemCount())] == list("3456")
    assert slots.tree.topLevelItem(0).text(1) == "7800R4C-36PE  ·  36x800G"
    assert slots.tree.topLevelItem(0).text(2) == "0 of 36 used"
    assert page.budget.text().startswith("144 ports")
    slots.tree.topLevelItem(1).setSelected(True)
    slots.remove.click()
    inspector.refresh()
    assert (slots.tree.topLevelItem(1).text(1), page.budget.text()[:9]) == ("empty", "108 ports")
    slots._offer()
    offered = [action.text() for action in slots._menu.actions()]
    assert [text.split()[0] for text in offered] == ["7800R4C-36PE", "7800R4-36PE", "7800R4K-36PE"]
    for row in (0, 1):
        slots.tree.topLevelItem(row).setSelected(True)
    slots._menu.actions()[2].trigger()
    held = {one.slot: one.type_id for one in session.design.modules_of(chassis)}
    assert (held["3"], held["4"], held["5"]) == ("arista-7800r4k-36pe", "arista-7800r4k-36pe", "arista-7800r4c-36pe")


def test_the_port_of_a_link_is_chosen_among_the_free_ones_that_match(inspector, session, drawn):
    switch, _, link_id = drawn
    choose(inspector, session, link_id)
    page, link = inspector.link_page, session.design.links[link_id]
    place = 0 if link.a.device_id == switch else 1
    field = page.ports[place]
    assert field.value == "1/1" and field.count() == 64
    assert page.ports[1 - place].count() == 8, "storage ports of the server are for another network"
    field.setCurrentIndex(field.findText("5/2"))
    field.activated.emit(field.currentIndex())
    after = session.design.links[link_id]
    assert (after.a, after.b)[place].port == "5/2"
    inspector.refresh()
    assert field.value == "5/2"


def test_nics_to_install_are_listed_by_vendor(inspector, session, drawn):
    _, server, _ = drawn
    choose(inspector, session, server)
    slots = inspector.device_page.slots
    slots._offer()
    menus = {action.text(): action.menu() for action in slots._menu.actions()}
    assert None not in menus.values() and {"NVIDIA", "Broadcom", "Generic"} <= menus.keys()
    every = {one.vendor for one in session.catalog.nics()}
    assert len(menus) == len(every)
    assert sum(len(menu.actions()) for menu in menus.values()) == len(session.catalog.nics())
    slots.tree.topLevelItem(0).setSelected(True)
    menus["NVIDIA"].actions()[0].trigger()
    first = next(one for one in session.catalog.nics() if one.vendor == "NVIDIA")
    slot = slots.tree.topLevelItem(0).text(0)
    assert {one.slot: one.type_id for one in session.design.modules_of(server)}[slot] == first.id


def test_a_switch_without_slots_shows_no_line_cards(inspector, session, drawn):
    switch, _, _ = drawn
    choose(inspector, session, switch)
    assert not inspector.device_page.slots.isVisibleTo(inspector)


def test_a_full_server_refuses_one_more_nic_with_a_message(inspector, session, drawn, catalog, qtbot):
    _, server, _ = drawn
    choose(inspector, session, server)
    with qtbot.waitSignal(session.message):
        for _ in range(12):
            inspector.device_page.slots._install(catalog.get("connectx-7-ndr"))


def test_a_single_switch_and_a_single_link_have_the_fields_that_several_have(inspector, session, drawn, qtbot):
    switch, server, link = drawn
    choose(inspector, session, switch)
    shown = inspector.device_page.others.widgets
    assert {name for _, name in shown} == {"unit", "rail", "plane"}
    with qtbot.waitSignal(inspector.entered):
        enter(qtbot, shown[Device, "rail"], "3")
    assert session.design.device(switch).rail == 3
    choose(inspector, session, server)
    assert inspector.device_page.others.widgets[Device, "rail"].line.text() == ""
    choose(inspector, session, switch)
    assert inspector.device_page.others.widgets[Device, "rail"].line.text() == "3"
    choose(inspector, session, link)
    shown = inspector.link_page.others.widgets
    assert {name for _, name in shown} == {"colour", "notes", "style", "line_colour", "line_width", "line_style"}
    enter(qtbot, shown[Link, "notes"], "by hand")
    assert session.design.links[link].notes == "by hand"
    assert not inspector.link_page.others.own.isVisible()


def test_a_link_names_its_cable_number_racks_source_of_length_reach_and_fiber(inspector, session):
    design = document.load(SUPERPOD)
    design.apply(number_cables(design))
    session.replace(design, None)
    link = next(one for one in design.links.values() if not design.is_server(one.a.device_id) and one.length_m)
    choose(inspector, session, link.id)
    shown = {name: widget.whole_text for name, widget in inspector.link_page.facts.items()}
    assert shown["Number"] == cable_name(link.cable)
    for end in (link.a, link.b):
        place = design.placements[end.device_id]
        assert f"{design.racks[place.rack_id].name} U{place.unit}" in shown["Racks"]
    assert shown["Length is"] == "calculated along its route"
    assert shown["Reach"] == "up to 50 m" and shown["Fiber"].endswith("(MM fiber)")
    session.push(operations.set_cable(design, [link.id], None, None))
    inspector.refresh()
    assert inspector.link_page.facts["Reach"].isHidden() and not inspector.link_page.facts["Number"].isHidden()


def test_a_group_says_how_many_devices_of_which_role_it_holds(inspector, session):
    design = document.load(SUPERPOD)
    session.replace(design, None)
    choose(inspector, session, next(one.id for one in design.groups.values() if one.name == "SU 2"))
    page = inspector.container_page
    assert page.what.whole_text == "32 servers, 8 leaf switches, 9 racks"
    shown = [page.list.item(row).text() for row in range(page.list.count())]
    assert shown[:9] == [f"gpu-{number:03d}" for number in range(33, 42)], "devices before racks, by name"
    assert shown[32:40] == [f"leaf-su2-r{number}" for number in range(1, 9)]
    assert not [name for name in shown[40:] if name.startswith(("gpu", "leaf"))]
    member = design.find("gpu-033")
    place = design.placements[member.id]
    rack = design.racks[place.rack_id].name
    assert page.list.item(0).data(DETAIL_ROLE) == f"{rack}  U {place.unit}  DGX H100"
    choose(inspector, session, place.rack_id)
    assert page.list.item(0).data(DETAIL_ROLE).startswith("U "), "the rack is what is shown"


def test_one_port_is_one_port(inspector, session, catalog):
    session.push(fat_tree.build(session.design, fat_tree.FatTreeParameters(servers=2, nics_per_server=1), catalog))
    choose(inspector, session, session.design.servers()[0].id)
    assert inspector.device_page.budget.whole_text.startswith("1 port:  1 used")


def test_a_link_takes_a_length_and_refuses_nonsense(inspector, session, drawn, qtbot):
    _, _, link = drawn
    choose(inspector, session, link)
    enter(qtbot, inspector.link_page.length, "far")
    assert "is not a length" in inspector.link_page.length.refusal.text()
    assert session.design.links[link].length_m is None
    enter(qtbot, inspector.link_page.length, "12.5 m")
    assert session.design.links[link].length_m == 12.5
    assert session.design.links[link].length_source == "typed"


def test_choosing_a_cable_brings_its_type_into_the_design(inspector, session, drawn):
    _, _, link = drawn
    choose(inspector, session, link)
    combo = inspector.link_page.medium
    assert combo.count() > 1
    combo.activated.emit(1)
    medium = session.design.links[link].medium_id
    assert medium
    assert medium in session.design.types


def test_of_generic_hosts_the_ports_are_shown_and_no_gpus(inspector, session, catalog):
    counts = inspector.design_page.counts

    def shown(*type_ids):
        for number, type_id in enumerate(type_ids):
            edit = operations.add_device(
                session.design, catalog.get(type_id), 300 * number, 0, catalog_types=catalog.types
            )
            session.push(edit)
        choose(inspector, session)
        names = ("Hosts", "Without GPUs", "GPUs", "Host ports")
        return {name: counts[name].whole_text for name in names if not counts[name].isHidden()}

    assert shown() == {"GPUs": "0"}
    assert shown("dgx-h100", "generic-node") == {"GPUs": "8"}, "it is known to have none"
    assert shown("generic-host") == {"GPUs": "8", "Host ports": "2"}
    session.push(operations.delete(session.design, [session.design.servers()[0].id]))
    assert shown() == {"Hosts": "1", "Without GPUs": "1", "Host ports": "2"}


def test_of_a_design_with_too_many_links_the_page_says_where_its_figures_are(
    inspector, session, drawn, qtbot, monkeypatch
):
    monkeypatch.setattr(shapes, "MOST_FIGURES_LINKS", 0)
    choose(inspector, session)
    inspector.show()
    figures = inspector.design_page.figures
    qtbot.waitUntil(lambda: figures.text() != "", timeout=60_000)
    assert "fabric-designer info" in figures.text() and not figures.isHidden()


def test_nothing_selected_shows_the_design_and_sets_its_cable_length(inspector, session, drawn, qtbot):
    choose(inspector, session)
    page = inspector.design_page
    assert page.counts["GPUs"].whole_text == "8"
    enter(qtbot, page.fields["default_cable_length_m"], "2")
    assert session.design.settings.default_cable_length_m == 2.0
    enter(qtbot, page.fields["default_cable_length_m"], "lots")
    assert page.fields["default_cable_length_m"].refusal.text()
    assert session.design.settings.default_cable_length_m == 2.0
    assert page.policy.whole_text == "default"


def test_the_title_block_and_the_label_template_of_the_design_are_typed_here(inspector, session, drawn, qtbot):
    choose(inspector, session)
    page = inspector.design_page
    enter(qtbot, page.fields["customer"], "Acme")
    enter(qtbot, page.fields["label_template"], "{near.rak}")
    assert session.design.settings.label_template == ""
    assert "{near.rack}" in page.fields["label_template"].refusal.text()
    enter(qtbot, page.fields["label_template"], "{cable}")
    settings = session.design.settings
    assert (settings.customer, settings.label_template) == ("Acme", "{cable}")
    enter(qtbot, page.fields["customer"], " ")
    assert session.design.settings.customer == ""


def test_notes_on_the_design_are_shown_and_typed_and_undone(inspector, session, drawn, qtbot):
    choose(inspector, session)
    notes = inspector.design_page.notes
    notes.setPlainText("Two rows\nof racks")
    QApplication.sendEvent(notes, QFocusEvent(QEvent.Type.FocusOut))
    assert session.design.settings.notes == "Two rows\nof racks"
    session.undo_stack.undo()
    assert session.design.settings.notes == ""
    choose(inspector, session)
    assert notes.toPlainText() == ""


def test_several_things_are_summed_up(inspector, session, drawn):
    switch, server, link = drawn
    choose(inspector, session, switch, server, link)
    assert inspector.many_page.title.text() == "3 selected"
    figures = {name: figure.whole_text for name, figure in inspector.many_page.figures.items()}
    assert figures["QM9700"] == "1"
    assert figures["Ports used"] == "2"
    assert figures["Links between them"] == "1"


def test_very_many_things_are_counted_by_a_worker(inspector, session, drawn, monkeypatch, qtbot):
    monkeypatch.setattr(inspector_many, "AT_ONCE", 1)
    choose(inspector, session, *drawn)
    assert inspector.many_page.title.text() == "3 selected"
    assert "Ports used" not in inspector.many_page.figures
    qtbot.waitUntil(lambda: "Ports used" in inspector.many_page.figures)
    assert inspector.many_page.figures["Links between them"].whole_text == "1"


def test_a_rack_lists_what_stands_in_it(inspector, session, drawn, catalog):
    switch, _, _ = drawn
    session.push(operations.add_rack(session.design, catalog.racks()[0], 400, 0, "r-01"))
    rack = next(iter(session.design.racks))
    choose(inspector, session, rack)
    assert inspector.container_page.empty.isVisible()
    session.push(operations.mount(session.design, switch, rack, 40))
    inspector.refresh()
    assert inspector.container_page.list.count() == 1
    choose(inspector, session, switch)
    assert inspector.device_page.rack.currentText() == "r-01"
    assert inspector.device_page.unit.line.text() == "40"


def test_links_of_one_line_are_listed_and_one_is_chosen_by_a_click(inspector, session, drawn, qtbot):
    switch, server, first = drawn
    session.push(operations.connect_devices(session.design, server, switch, 3))
    choose(inspector, session, *session.design.links)
    page = inspector.links_page
    assert page.isVisible()
    assert page.title.text() == "4 links"
    assert page.between.text() == f"{session.design.device(server).name} to {session.design.device(switch).name}"
    assert len(page.table.rows) == 4
    with qtbot.assertNotEmitted(inspector.going):  # the line is in sight: the view goes nowhere
        page.table.chosen.emit(page.table.rows[0])
    assert session.selection == {first}


def test_tags_and_fields_are_typed_and_shown_on_every_page(inspector, session, drawn, qtbot):
    switch, _, link = drawn
    session.push(operations.group(session.design, [switch], "pod"))
    (group,) = session.design.groups
    for one, page in ((switch, inspector.device_page), (link, inspector.link_page), (group, inspector.container_page)):
        choose(inspector, session, one)
        enter(qtbot, page.own.tags, "spare phase-2, Spare")
        enter(qtbot, page.own.adding, "Owner: net team")
        assert session.design.entity(one).tags == ("spare", "phase-2")
        inspector.refresh()
        assert page.own.tags.line.text() == "spare, phase-2"
        assert page.own.adding.line.text() == ""
        enter(qtbot, page.own.fields["Owner"], "storage team")
        assert session.design.entity(one).fields == (("Owner", "storage team"),)
        page.own.fields["Owner"].line.clear()
        enter(qtbot, page.own.fields["Owner"], "")
        inspector.refresh()
        assert not page.own.fields
        assert session.design.entity(one).fields == ()


def test_what_is_no_field_is_refused_in_place(inspector, session, drawn, qtbot):
    choose(inspector, session, drawn[0])
    own = inspector.device_page.own
    for text in ("Owner", "Owner:", ": x"):
        enter(qtbot, own.adding, text)
        assert own.adding.refusal.text().startswith("Write a name and a value with a colon between")
    enter(qtbot, own.tags, "x" * 101)
    assert "the most is 100" in own.tags.refusal.text()
    assert session.design.device(drawn[0]).tags == ()


def test_a_selected_nic_has_tags_of_its_own(inspector, session, drawn, qtbot):
    nic = session.design.modules_of(drawn[1])[0]
    choose(inspector, session, nic.id)
    enter(qtbot, inspector.device_page.own.tags, "spare")
    assert session.design.modules[nic.id].tags == ("spare",)
    assert session.design.device(drawn[1]).tags == ()


def test_the_page_of_the_design_says_what_each_network_is_built_of(inspector, session, catalog, qtbot):
    parameters = fat_tree.FatTreeParameters(switch="nvidia-qm9700", server="dgx-h100", servers=32)
    session.push(fat_tree.build(session.design, parameters, catalog))
    choose(inspector, session)
    page = inspector.design_page
    title, text = page.networks["compute"]
    qtbot.waitUntil(lambda: not text.isHidden(), timeout=60_000)
    lines = text.text().splitlines()
    assert lines == ["32 servers linked", "2 tiers: 8 leaf switches, 4 spines", "Oversubscription: leaf 1:1"]
    assert not title.isHidden()
    assert all(one.isHidden() for network in ("storage", "oob") for one in page.networks[network])
    leaf = next(one.id for one in session.design.switches() if one.role == "leaf")
    upper = [
        one.id
        for one in session.design.links.values()
        if {session.design.devices[end.device_id].role for end in (one.a, one.b)} == {"leaf", "spine"}
        and leaf in (one.a.device_id, one.b.device_id)
    ]
    session.push(operations.delete(session.design, upper[:16]))
    choose(inspector, session)
    qtbot.waitUntil(lambda: "leaf 2:1" in text.text(), timeout=60_000)
    inspector.hide()
    session.push(operations.delete(session.design, upper[16:17]))
    choose(inspector, session)
    assert not session.workbench.shapes.is_of_now, "nobody looks"


def test_counting_ends_when_something_else_is_selected(inspector, session, drawn, monkeypatch, qtbot):
    monkeypatch.setattr(inspector_many, "AT_ONCE", 1)
    asked, may_go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def counted(design, selection, go_on):
        asked.set()
        assert may_go_on.wait(5)
        try:
            go_on()
        finally:
            ended.set()
        raise AssertionError("counted what is no longer selected")

    monkeypatch.setattr(inspector_many, "counted", counted)
    session.select(list(session.design.devices))
    inspector.refresh()
    qtbot.waitUntil(asked.is_set)
    session.select([])
    may_go_on.set()
    assert ended.wait(5)
    assert not session.jobs.busy(inspector_many.LANE)


def test_a_worker_that_counts_is_asked_often_whether_to_go_on(drawn, session, monkeypatch):
    monkeypatch.setattr(inspector_many, "AT_ONCE", 1)
    asked = []
    selection = frozenset(session.design.devices) | frozenset(session.design.links)
    inspector_many.counted(session.design, selection, lambda: asked.append(1))
    assert len(asked) > len(selection)
    asked.clear()
    gathered(session.design, selection, session.catalog.types, lambda: asked.append(1))
    assert len(asked) > 5

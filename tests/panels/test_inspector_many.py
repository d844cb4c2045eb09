"""The inspector of several things: common values, *Mixed* where they differ, and edits of all in one step."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from designer.analysis.inventory import Inventory
from designer.canvas.hits import Target
from designer.canvas.tooltips import tooltip_of
from designer.drawing.link_rails import device_rails
from designer.drawing.projection import Projection
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Link
from designer.panels.inspector.panel import InspectorPanel
from designer.storage import document

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture(scope="module")
def example():
    return document.load(SUPERPOD)


@pytest.fixture
def inspector(qtbot, session, appearance, example):
    session.replace(example.snapshot(), None)
    panel = InspectorPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(360, 800)
    panel.show()
    return panel


@pytest.fixture
def leafs(inspector, session):
    ids = [session.design.find(f"leaf-su2-r{n}").id for n in range(1, 9)]
    choose(inspector, session, ids)
    return ids


def choose(inspector, session, ids):
    session.select(ids)
    inspector.refresh()


def enter(qtbot, field, text):
    field.line.setFocus()
    field.line.clear()
    qtbot.keyClicks(field.line, text)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)


def pick(field, value):
    index = [known for known, _ in field._choices].index(value)
    field.setCurrentIndex(index)
    field.activated.emit(index)


@pytest.fixture
def sharing(inspector, session, catalog):
    """Two leaf switches of four rails each and two servers below them, on their own."""
    design, made = Design(), []
    for type_id, count in (("nvidia-qm9700", 2), ("dgx-h100", 2)):
        for number in range(count):
            type_ = catalog.get(type_id)
            design.apply(operations.add_device(design, type_, 300.0 * number, 0.0, catalog_types=catalog.types))
        made.append([*design.devices][-count:])
    leafs, servers = made
    design.apply(operations.make_rails(design, servers, leafs, in_runs=True))
    session.replace(design, None)
    return leafs, servers


def test_a_leaf_switch_has_the_rails_of_its_nics_as_the_legend_says(inspector, session, sharing, qtbot):
    leafs, servers = sharing
    seen = [device_rails(Projection(session.design))[place] for place in (0, 1)]
    assert seen == ["Rails 1, 2, 3 and 4", "Rails 5, 6, 7 and 8"]
    for leaf, legend in zip(leafs, seen, strict=True):
        choose(inspector, session, [leaf])
        line = inspector.device_page.others.widgets[Device, "rail"].line
        assert f"Rails {line.text()}" == legend
        assert line.isReadOnly(), "links say it"
        qtbot.keyClick(line, Qt.Key.Key_Return)
        assert f"rails {line.text()}" in tooltip_of(session.design, Target(device_id=leaf), None, "")
    rails = [column for column in Inventory(session.design).devices().columns if column.key == "rail"]
    assert [rails[0].of(session.design.device(one)) for one in leafs] == [one[6:] for one in seen]
    choose(inspector, session, leafs)
    assert inspector.many_page.editor.widgets[Device, "rail"].line.placeholderText().startswith("Mixed")
    choose(inspector, session, servers[:1])
    assert not inspector.device_page.others.widgets[Device, "rail"].line.isReadOnly()


def test_leaf_switches_of_one_number_and_other_rails_are_mixed(inspector, session, sharing):
    leafs, _ = sharing
    for leaf in leafs:
        device = session.design.device(leaf)
        session.push(Edit("Rail", (Change(device, replace(device, rail=1)),)))
    choose(inspector, session, leafs)
    assert inspector.many_page.editor.widgets[Device, "rail"].line.placeholderText().startswith("Mixed")


def values(session, ids, name):
    return {getattr(session.design.entity(one), name) for one in ids}


def test_common_values_are_shown_and_differing_ones_are_mixed(inspector, leafs):
    widgets = inspector.many_page.editor.widgets
    assert widgets[Device, "role"].currentText() == "leaf"
    assert widgets[Device, "unit"].line.text() == "2"
    assert widgets[Device, "rail"].line.text() == ""
    assert widgets[Device, "rail"].line.placeholderText() == "Mixed; none clears all"
    assert widgets[Device, "rack"].currentText() == "net-02"
    assert inspector.many_page.title.text() == "8 selected"


def test_a_choice_sets_all_in_one_step_to_undo(inspector, session, leafs):
    field = inspector.many_page.editor.widgets[Device, "role"]
    pick(field, "spine")
    assert values(session, leafs, "role") == {"spine"}
    session.undo_stack.undo()
    assert values(session, leafs, "role") == {"leaf"} and not session.undo_stack.canUndo()
    inspector.refresh()
    assert field.currentText() == "leaf"


def test_typing_sets_all_and_none_clears_mixed_values(inspector, session, leafs, qtbot):
    field = inspector.many_page.editor.widgets[Device, "plane"]
    enter(qtbot, field, "3")
    assert values(session, leafs, "plane") == {3}
    rail = inspector.many_page.editor.widgets[Device, "rail"]
    rail.line.setFocus()
    qtbot.keyClick(rail.line, Qt.Key.Key_Return)
    assert len(values(session, leafs, "rail")) == 8, "an empty field that stands for several values sets nothing"
    enter(qtbot, rail, "none")
    assert values(session, leafs, "rail") == {None}


def test_a_mixed_choice_is_offered_as_mixed_and_picking_it_changes_nothing(inspector, session, leafs):
    session.push(operations.set_network(session.design, leafs[:1], "storage"))
    inspector.refresh()
    field = inspector.many_page.editor.widgets[Device, "network"]
    assert field.currentText() == "Mixed"
    count = session.undo_stack.count()
    field.activated.emit(field.currentIndex())
    assert session.undo_stack.count() == count
    pick(field, "oob")
    assert values(session, leafs, "network") == {"oob"}


def test_what_cannot_be_is_refused_with_which_and_how_many(inspector, session, leafs, qtbot):
    editor = inspector.many_page.editor
    pick(editor.widgets[Device, "type"], "nvidia-sn2201")
    assert editor.refusal.text().startswith(
        "8 of 8 cannot be changed (leaf-su2-r1, leaf-su2-r2, leaf-su2-r3 and 5 more)"
    )
    assert editor.widgets[Device, "type"].value == "nvidia-qm9700"
    assert values(session, leafs, "type_id") == {"nvidia-qm9700"}
    enter(qtbot, editor.widgets[Device, "unit"], "0")
    assert "1" in editor.widgets[Device, "unit"].refusal.text()
    choose(inspector, session, leafs[:2])
    assert not editor.refusal.isVisible()


def test_lines_of_many_links_are_set_in_one_step_and_a_style_is_changed_for_all_that_have_it(
    inspector, session, leafs, qtbot
):
    design, ids = session.design, sorted(session.design.links)[:12]
    before = document.encode(design)
    choose(inspector, session, ids)
    shown = inspector.links_page.editor.widgets
    enter(qtbot, shown[Link, "line_colour"], "teal")
    pick(shown[Link, "line_style"], "dashed")
    assert {(design.links[one].line_colour, design.links[one].line_style) for one in ids} == {("#09a383", "dashed")}
    choose(inspector, session, ids[:3])
    shown = inspector.links_page.editor.widgets
    pick(shown[Link, "style"], "+")
    (style,) = design.annotation_styles.values()
    assert (style.colour, style.line_style) == ("#09a383", "dashed")
    inspector.refresh()
    enter(qtbot, inspector.links_page.editor.widgets[Link, "line_width"], "3")
    assert design.annotation_styles[style.id].line_width == 3.0
    choose(inspector, session, ids[2:6])
    shown = inspector.links_page.editor.widgets
    assert shown[Link, "style"].currentText() == "Mixed"
    assert shown[Link, "line_width"].line.placeholderText().startswith("Mixed")
    assert shown[Link, "line_colour"].line.text() == "#09a383"
    for _ in range(4):
        session.undo_stack.undo()
    assert document.encode(design) == before


def test_tags_that_all_have_are_edited_and_those_of_some_stay(inspector, session, leafs, qtbot):
    session.push(operations.add_tags(session.design, leafs, ("spare",)))
    session.push(operations.add_tags(session.design, leafs[:3], ("odd",)))
    inspector.refresh()
    own = inspector.many_page.editor.own
    assert (own.tags.line.text(), own.some.text()) == ("spare", "Some: odd (3)")
    enter(qtbot, own.tags, "phase-2")
    assert values(session, leafs[:3], "tags") == {("odd", "phase-2")}
    assert values(session, leafs[3:], "tags") == {("phase-2",)}
    enter(qtbot, own.adding, "Owner: net team")
    assert values(session, leafs, "fields") == {(("Owner", "net team"),)}
    session.push(operations.set_field(session.design, leafs[:1], "Owner", "me"))
    inspector.refresh()
    assert own.fields["Owner"].line.placeholderText() == "Mixed"


def test_links_have_their_fields_above_their_list(inspector, session, qtbot):
    links = list(session.design.links)[:5]
    choose(inspector, session, links)
    editor = inspector.links_page.editor
    enter(qtbot, editor.widgets[Link, "label"], "trunk")
    enter(qtbot, editor.widgets[Link, "length_m"], "12.5 m")
    pick(editor.widgets[Link, "medium"], "dac-ndr-split2")
    assert values(session, links, "label") == {f"trunk-{number:02d}" for number in range(1, 6)}
    assert values(session, links, "length_m") == {12.5}
    assert values(session, links, "medium_id") == {"dac-ndr-split2"}
    enter(qtbot, editor.widgets[Link, "length_m"], "far")
    assert "is not a length" in editor.widgets[Link, "length_m"].refusal.text()


def test_things_of_several_kinds_have_a_section_each(inspector, session, leafs):
    choose(inspector, session, [*leafs, *list(session.design.links)[:3]])
    widgets = inspector.many_page.editor.widgets
    assert (Device, "role") in widgets and (Link, "label") in widgets


def test_very_many_are_gathered_and_changed_by_a_worker(inspector, session, qtbot):
    session.select([*session.design.links, *session.design.devices])
    inspector.refresh()
    editor = inspector.many_page.editor
    assert not editor.isEnabled()
    qtbot.waitUntil(editor.isEnabled)
    with qtbot.waitSignal(session.changed, timeout=10_000):
        editor.widgets[Link, "colour"].line.setText("blue")
        editor.widgets[Link, "colour"].finish()
    assert values(session, session.design.links, "colour") == {"blue"}


def test_a_name_of_a_field_is_text(inspector, session, leafs):
    session.push(operations.set_field(session.design, leafs, "<b>x</b>", "<i>y</i>"))
    inspector.refresh()
    assert "<b>x</b>" in inspector.many_page.editor.own.fields


def test_enter_in_a_field_gives_the_keyboard_back(inspector, leafs, qtbot):
    with qtbot.waitSignal(inspector.entered):
        enter(qtbot, inspector.many_page.editor.widgets[Device, "plane"], "4")
    with qtbot.waitSignal(inspector.entered):
        enter(qtbot, inspector.many_page.editor.own.tags, "x")


def test_the_types_of_several_devices_are_listed_by_vendor_as_those_of_one(inspector, session, leafs):
    field = inspector.many_page.editor.widgets[Device, "type"]
    several = list(field._choices)
    assert field.currentText().startswith("QM9700  ·  64 × 400G")
    choose(inspector, session, leafs[:1])
    assert several == inspector.device_page.type._choices and ("", "Arista") in several
    sn5600 = session.catalog.types["nvidia-sn5600"]
    session.push(operations.set_type(session.design, leafs[0], sn5600, catalog_types=session.catalog.types))
    choose(inspector, session, leafs)
    field = inspector.many_page.editor.widgets[Device, "type"]
    assert field.currentText() == "Mixed" and several == field._choices[1:]


def test_a_type_that_the_catalog_does_not_have_is_listed_with_the_others(inspector, session, leafs):
    own = replace(session.design.types["nvidia-qm9700"], id="own-switch", vendor="Acme", model="A-1")
    session.push(operations.set_type(session.design, leafs[0], own, catalog_types=session.catalog.types))
    choose(inspector, session, leafs)
    assert ("own-switch", "A-1  ·  64 × 400G") in inspector.many_page.editor.widgets[Device, "type"]._choices


@pytest.fixture
def spines(inspector, session):
    """Two switches of 64 cages, and one of 32 with modes of the same names."""
    large = session.catalog.get("nvidia-sn5600")
    small = replace(large, id="small", cages=(replace(large.cages[0], count=32),), modes=large.modes[:2])
    for name, type_ in (("a", large), ("b", large), ("c", small)):
        session.push(operations.add_device(session.design, type_, 0, 0, catalog_types=session.catalog.types, name=name))
    return [session.design.find(name).id for name in "abc"]


def test_some_cages_of_all_selected_switches_get_a_mode_in_one_step(inspector, session, qtbot, spines):
    a, b, _ = spines
    design, fields = session.design, inspector.many_page.editor
    choose(inspector, session, [a, b])
    enter(qtbot, fields.cages, "49-64")
    mode = fields.widgets[Device, "port_mode"]
    assert mode.currentText() == "64x800G"
    pick(mode, "128x400G")
    expected = tuple((cage, "128x400G") for cage in range(49, 65))
    assert [design.device(one).cage_modes for one in (a, b)] == [expected] * 2
    assert session.undo_stack.undoText() == "Set cages 49-64 of 2 devices to 128x400G"
    assert (mode.currentText(), fields.cages.line.text()) == ("128x400G", "49-64")
    inspector.refresh()
    enter(qtbot, fields.cages, "48-50")
    assert mode.currentText() == "Mixed"
    enter(qtbot, fields.cages, "")
    assert mode.currentText() == "Mixed"
    session.undo_stack.undo()
    assert [design.device(one).cage_modes for one in (a, b)] == [()] * 2
    inspector.refresh()
    assert mode.currentText() == "64x800G"


def test_a_switch_that_differs_in_these_cages_alone_makes_them_mixed(inspector, session, qtbot, spines):
    a, b, _ = spines
    fields = inspector.many_page.editor
    session.push(operations.set_cage_modes(session.design, b, [3], "128x400G"))
    choose(inspector, session, [a, b])
    mode = fields.widgets[Device, "port_mode"]
    for cages, shown in (("1-2", "64x800G"), ("3", "Mixed"), ("4-64", "64x800G"), ("", "Mixed")):
        enter(qtbot, fields.cages, cages)
        assert mode.currentText() == shown


def test_cages_that_not_all_selected_switches_have_are_refused(inspector, session, qtbot, spines):
    a, b, c = spines
    fields = inspector.many_page.editor
    choose(inspector, session, [a, b])
    enter(qtbot, fields.cages, "49-64")
    choose(inspector, session, [a, c])
    assert fields.cages.line.text() == "", "other switches are selected"
    enter(qtbot, fields.cages, "1-4")
    mode = fields.widgets[Device, "port_mode"]
    assert [name for name, _ in mode._choices] == ["64x800G", "128x400G"]
    choose(inspector, session, [b, c])
    assert fields.cages.line.text() == "" and fields.widgets[Device, "port_mode"].value == "64x800G"
    enter(qtbot, fields.cages, "49-64")
    assert fields.cages.refusal.text() == "Cages must be 1 to 32, lower ones first, not '49-64'."
    pick(fields.widgets[Device, "port_mode"], "128x400G")
    assert [session.design.device(one).port_mode for one in spines] == ["", "", ""], "a refused text is not all cages"


def test_links_that_find_no_port_in_these_cages_change_nothing_and_are_named(inspector, session, qtbot, spines):
    a, b, _ = spines
    design, fields = session.design, inspector.many_page.editor
    for one in (a, b):
        session.push(operations.set_port_mode(design, one, "128x400G"))
    session.push(operations.connect_devices(design, a, b, 2))
    choose(inspector, session, [a, b])
    enter(qtbot, fields.cages, "1")
    before = document.encode(design)
    mode = fields.widgets[Device, "port_mode"]
    pick(mode, "64x800G")
    assert fields.refusal.text().startswith("2 of 2 cannot be changed (a, b): a cage 1: 2 ports are in use")
    assert document.encode(design) == before and mode.currentText() == "128x400G"
    enter(qtbot, fields.cages, "70")
    assert fields.cages.refusal.text() == "Cages must be 1 to 64, lower ones first, not '70'."

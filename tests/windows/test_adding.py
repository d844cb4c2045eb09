"""Devices added without dragging: by the palette and the command palette, in the row of their tier, on free ground."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.model.collapsing import collapsed_keys
from designer.model.edit import Change, Edit
from designer.model.several import Wanted
from designer.windows.commands.adding import add_type
from designer.windows.shell.construction_bar import ConstructionBar

SWITCH, SERVER = "nvidia-qm9700", "dgx-h100"


@pytest.fixture
def by_hand(window):
    """Three leafs in a row, far from the middle of the view, and something that stands further on in that row."""
    session = window.session
    spots = [(-3000.0, 700.0), (-2800.0, 702.0), (-2600.0, 698.0), (-2400.0, 730.0), (-2400.0, 0.0)]
    for (x, y), name in zip(spots, ("leaf-01", "leaf-02", "leaf-04", "other", "spine-1"), strict=True):
        types = session.catalog.types
        edit = operations.add_devices(session.design, types[SWITCH], [(x, y)], catalog_types=types, name=name)
        session.push(edit)
    return session.design


def placed(design, name):
    place = design.placements[design.find(name).id]
    return place.x, place.y


def add(window, type_id, count=1, name=""):
    window.session.placing.ask(Wanted(count, name))
    add_type(window.desk, type_id)


def test_a_switch_named_by_its_role_stands_in_the_row_of_that_role_on_free_ground(window, by_hand):
    add(window, SWITCH, 2, "leaf")
    first, second = placed(by_hand, "leaf-05"), placed(by_hand, "leaf-06")
    assert first[1] == second[1] == pytest.approx(700.0, abs=2)
    assert first[0] == -2400.0 + 120.0 + 24.0, "right of what stands in the way"
    assert second[0] - first[0] == 120.0 + 24.0
    canvas = window.views.canvas
    assert all(canvas.rect().contains(canvas.box_px(one).toRect()) for one in window.session.selection)


def test_a_prefix_before_the_role_gives_the_role_and_the_row(window, by_hand):
    add(window, SWITCH, 1, "ib-spine")
    assert by_hand.find("ib-spine").role == "spine"
    assert placed(by_hand, "ib-spine")[1] == placed(by_hand, "spine-1")[1]


def test_where_one_fits_but_not_two_the_two_stand_beyond_what_is_in_the_way(window, by_hand):
    types = window.session.catalog.types
    for x, y in ((-2240.0, 700.0), (-2240.0, 800.0)):
        window.session.push(
            operations.add_devices(by_hand, types[SWITCH], [(x, y)], catalog_types=types, name="in-row")
        )
    window.session.push(operations.move(by_hand, {by_hand.find("other").id: (0.0, 3000.0)}))
    add(window, SWITCH, 2, "leaf")
    assert placed(by_hand, "leaf-05")[0] == -2240.0 + 120.0 + 24.0
    window.session.undo_stack.undo()
    add(window, SWITCH, 1, "leaf")
    assert placed(by_hand, "leaf-05")[0] == -2600.0 + 120.0 + 24.0


def test_servers_go_on_in_the_row_of_servers_and_a_switch_of_no_role_stands_in_the_view(window, by_hand):
    before = window.views.canvas.camera
    add(window, SWITCH)
    assert window.views.canvas.camera == before
    add(window, SERVER, 3)
    row = placed(by_hand, "server-01")[1]
    add(window, SERVER, 2)
    assert {placed(by_hand, f"server-0{number}")[1] for number in range(1, 6)} == {row}


def test_a_single_server_goes_on_in_the_row_of_servers_too(window, by_hand):
    add(window, SERVER, 3)
    row = placed(by_hand, "server-01")[1]
    add(window, SERVER)
    assert placed(by_hand, "server-04")[1] == row


def test_what_is_in_a_rack_that_stands_only_in_the_room_still_makes_a_row(window, by_hand):
    session = window.session
    session.push(operations.add_rack(by_hand, session.catalog.types["rack-42u"], -2000.0, 0.0))
    (rack,) = by_hand.racks
    spine = by_hand.find("spine-1").id
    session.push(operations.mount(by_hand, spine, rack, 1))
    session.push(Edit("Take the rack off the canvas", (Change(by_hand.placements[rack], None),)))
    row = by_hand.placements[spine].y
    add(window, SWITCH, 1, "spine-2")
    assert placed(by_hand, "spine-2")[1] == row


def test_what_is_in_racks_is_no_row(window, by_hand):
    session = window.session
    session.push(operations.add_rack(by_hand, session.catalog.types["rack-42u"], -2000.0, 0.0))
    (rack,) = by_hand.racks
    session.push(operations.mount(by_hand, by_hand.find("spine-1").id, rack, 1))
    before, canvas = set(by_hand.devices), window.views.canvas
    middle = canvas.camera.to_canvas(0.0, canvas.height() / 2)[1]
    add(window, SWITCH, 1, "spine-2")
    (new,) = set(by_hand.devices) - before
    assert by_hand.placements[new].y == pytest.approx(middle)


def picked(window, qtbot, text):
    window.actions_table.trigger("view.command_palette")
    window.picker.line.setText(text)
    return [choice.text for choice in window.picker._shown]


@pytest.mark.parametrize(
    ("text", "row", "count"),
    [
        ("12 dgx h100", "Add 12 × DGX H100", 12),
        ("12x dgx h100", "Add 12 × DGX H100", 12),
        ("dgx h100 x 12", "Add 12 × DGX H100", 12),
        ("2 qm9700 as spine-1", "Add 2 × QM9700, from spine-1", 2),
        ("qm9700", "Add QM9700", 1),
    ],
)
@pytest.mark.own_window
def test_the_command_palette_adds_devices(window, qtbot, text, row, count):
    assert picked(window, qtbot, text)[0] == row
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    assert len(window.session.design.devices) == count
    assert window.session.placing.wanted == Wanted()
    (type_id,) = {one.type_id for one in window.session.design.devices.values()}
    assert window.preferences.recent_types == [type_id]


def test_the_palette_finds_what_a_number_alone_asks_for(window):
    palette = window.docks.palette
    palette.search.setText("12 dgx h100")
    assert palette.tree.isVisibleTo(palette) and window.session.placing.wanted == Wanted(12)
    palette.search.setText("64 400g")
    assert palette.tree.isVisibleTo(palette) and window.session.placing.wanted == Wanted()


def test_of_commands_that_begin_alike_the_palette_puts_first_what_can_be_run(window, qtbot, by_hand):
    assert picked(window, qtbot, "expand")[:2] == ["Expand", "Expand All"]
    window.picker.close_picker()
    window.actions_table.trigger("view.collapse_all")
    window.session.select([])
    assert collapsed_keys(by_hand)
    assert picked(window, qtbot, "expand")[:2] == ["Expand All", "Expand"]


def test_what_collapses_is_selected_as_the_box_that_it_becomes(window, by_hand):
    session = window.session
    leafs = [by_hand.find(name).id for name in ("leaf-01", "leaf-02")]
    session.push(operations.group(by_hand, leafs, "pod"))
    (group,) = by_hand.groups
    session.select(leafs[:1])
    window.actions_table.trigger("view.collapse")
    assert session.selection == {group}
    window.actions_table.trigger("view.expand")
    session.select([by_hand.find("leaf-04").id])
    window.actions_table.trigger("view.collapse_role")
    session.select(leafs[:1])
    window.actions_table.trigger("view.collapse_role")
    assert session.selection == set(leafs), "of a role all devices, as a click on the box selects"


def test_an_array_begins_with_the_gap_of_the_row_and_of_the_column(window, by_hand):
    bar: ConstructionBar = window.construction
    types = window.session.catalog.types
    piled = [(0.0, 3000.0), (60.0, 3000.0)]
    window.session.push(operations.add_devices(by_hand, types[SWITCH], piled, catalog_types=types, name="piled-1"))
    piled_gaps = ("24", "24")  # one over the other they have no gap
    for name, gaps in (("leaf-01", ("80", "24")), ("other", ("24", "686")), ("piled-1", piled_gaps)):
        window.session.select([by_hand.find(name).id])
        window.actions_table.trigger("arrange.array")
        assert tuple(bar._fields[one].findChild(object, "editor").text() for one in ("gap_x", "gap_y")) == gaps
        bar.close_bar()

"""X and Y in the inspector: read, typed, refused."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.panels.inspector.inspector_container import ContainerPage
from designer.panels.inspector.position import PositionFields
from designer.placement import floor


@pytest.fixture
def device(session, catalog):
    type_ = catalog.get("nvidia-qm9700")
    session.push(operations.add_devices(session.design, type_, [(12.0, -7.256)], catalog_types=catalog.types))
    return next(iter(session.design.devices))


def typed(qtbot, field, text):
    field.line.selectAll()
    qtbot.keyClicks(field.line, text)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)


def test_a_place_is_shown_and_what_is_typed_moves_the_device_along_one_axis(qtbot, session, device):
    fields = PositionFields(session)
    qtbot.addWidget(fields)
    assert fields.show_thing(device)
    assert (fields.x_field.line.text(), fields.y_field.line.text()) == ("12", "-7.26")
    revision = session.design.revision
    typed(qtbot, fields.y_field, "-7.26")  # as shown: what is rounded stays
    assert session.design.revision == revision
    typed(qtbot, fields.x_field, "120,5")
    place = session.design.placements[device]
    assert (place.x, place.y) == (120.5, -7.256)
    typed(qtbot, fields.x_field, "left")
    assert "must be a number" in fields.x_field.refusal.text()
    typed(qtbot, fields.x_field, "1e300")
    assert fields.x_field.refusal.text()
    assert session.design.placements[device].x == 120.5
    assert not fields.show_thing("nothing")


def test_the_place_of_a_rack_on_the_floor_its_row_and_its_front_are_read_and_typed(qtbot, session, catalog):
    for number in range(3):
        session.push(operations.add_rack(session.design, catalog.get("rack-42u"), 300.0 * number, 0.0))
    racks = list(session.design.racks)
    page = ContainerPage(session)
    qtbot.addWidget(page)
    page.show_container(racks[1])
    assert not page._fields.isRowVisible(page.floor_position), "no place on the floor yet"
    session.push(floor.place_racks(session.design, {one: (0.6 * n, 0.0) for n, one in enumerate(racks)}))
    page.show_container(racks[1])
    fields = page.floor_position
    assert (fields.x_field.line.text(), fields.y_field.line.text()) == ("0.6", "0")
    assert (page.row.line.text(), page.place_in_row.text()) == ("A", "2 of 3")
    typed(qtbot, fields.y_field, "2,4")
    assert floor.place_of(session.design.racks[racks[1]]) == (0.6, 2.4)
    page.show_container(racks[1])
    assert (page.row.line.text(), page.place_in_row.text()) == ("B", "1 of 1")
    for chosen, facing in ((1, "up"), (1, "up"), (0, "")):
        page.front.activated.emit(chosen)
        assert session.design.racks[racks[1]].facing == facing

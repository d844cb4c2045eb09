"""X and Y in the inspector: read, typed, refused."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.panels.inspector.position import PositionFields


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

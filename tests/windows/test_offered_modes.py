"""A link that ports refuse because of their rates is offered in the port mode that would join them."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.model.mode_offers import connected_in_a_mode


@pytest.fixture
def window(emptied_window):
    return emptied_window


@pytest.fixture
def pair(window, add):
    """A switch of 800G, which can run at 400G, and a server of 400G."""
    return add("nvidia-sn5600"), add("dgx-h100")


def test_the_mode_that_fits_is_set_and_the_link_made_by_one_click(window, pair, qtbot):
    session = window.session
    session.select(pair)
    window.actions_table.trigger("link.connect")
    notice = window.notice
    assert not session.design.links and notice.isVisible()
    assert "set the switch to a 400G mode" in notice.text.text()
    assert notice._do.isVisible() and notice._do.text() == "Set switch-01 to 128x400G and connect"
    notice._do.click()
    assert session.design.device(pair[0]).port_mode == "128x400G" and len(session.design.links) == 1
    assert not notice.isVisible()
    session.undo_stack.undo()
    assert not session.design.links and not session.design.device(pair[0]).port_mode, "one step"


def test_after_a_drag_the_reason_stands_with_the_offer_alone(window, pair, add, qtbot):
    session, canvas = window.session, window.views.canvas
    session.push(
        operations.move(
            session.design, {pair[0]: (0.0, 0.0), pair[1]: (0.0, 200.0), add("nvidia-sn2201"): (400.0, 0.0)}
        )
    )
    canvas.zoom_to_fit()
    window.actions_table.trigger("tool.connect")
    lone = next(one.id for one in session.design.devices.values() if one.id not in pair)
    for other, is_offered in ((lone, False), (pair[0], True)):
        start, end = (canvas.box_px(one).center().toPoint() for one in (pair[1], other))
        qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(canvas, end)
        qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=end)
        assert window.notice._do.isVisible() == is_offered
        assert (canvas.notes.shown is None) == is_offered


def test_the_offer_goes_with_the_next_edit_and_other_notes_have_no_button(window, pair):
    window.session.select(pair)
    window.actions_table.trigger("link.connect")
    window.session.push(operations.rename(window.session.design, pair[0], "leaf-1"))
    assert not window.notice.isVisible()
    window.session.message.emit("something else")
    assert window.notice.isVisible() and not window.notice._do.isVisible()


def test_nothing_is_offered_where_ports_fit_or_no_mode_helps(window, pair, add):
    design = window.session.design
    assert connected_in_a_mode(design, add("nvidia-qm9700"), pair[1]) is None
    lone = add("nvidia-sn2201")
    assert connected_in_a_mode(design, pair[0], lone) is None
    window.session.select([pair[0], lone])
    window.actions_table.trigger("link.connect")
    assert window.notice.isVisible() and not window.notice._do.isVisible()


def test_all_nics_of_one_type_change_where_the_switch_has_one_mode(window, add):
    server, switch = add("dgx-b300"), add("arista-7804r3")
    window.session.select([server, switch])
    window.actions_table.trigger("link.connect")
    assert window.notice._do.text() == "Set 8 NICs to 2x400G and connect"
    window.notice._do.click()
    design = window.session.design
    assert len(design.links) == 1
    assert [one.port_mode for one in design.modules_of(server)].count("2x400G") == 8


def test_nothing_is_offered_to_link_a_device_to_itself(pair, window):
    assert connected_in_a_mode(window.session.design, pair[0], pair[0]) is None

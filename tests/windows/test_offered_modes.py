"""A link that ports refuse is offered with what would join them: another port mode, or the NICs that lack."""

from functools import partial

import pytest
from PySide6.QtCore import Qt

from designer.canvas.link_ends import link_ends
from designer.model import operations
from designer.model.edit import joined
from designer.model.mode_offers import made_possible


def offered(window, a, b):
    """What lets two devices be linked."""
    find = window.session.catalog.types.get
    return made_possible(window.session.design, partial(operations.connect_devices, a_id=a, b_id=b), (a, b), find)


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
            session.design, {pair[0]: (0.0, 0.0), pair[1]: (0.0, 200.0), add("nvidia-qm8700"): (400.0, 0.0)}
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


@pytest.mark.parametrize(
    ("server", "switch", "network", "why"),
    [
        (
            "dgx-h100",
            "nvidia-qm8700",
            "storage",
            "Installing 2 × ConnectX-7, two ports in server-01 would not help: ",
        ),
        ("dgx-b200", "nvidia-sn2201", "in-band", "DGX B200 names no NIC for it that could be offered"),
    ],
)
def test_why_no_nic_is_offered_is_said_with_the_refusal(window, add, qtbot, server, switch, network, why):
    session, pair = window.session, (add(switch), add(server))
    session.push(operations.set_network(session.design, [pair[0]], network))
    session.select(pair)
    window.actions_table.trigger("link.connect")
    said = window.notice.text.text().lower()
    assert window.notice.isVisible() and not window.notice._do.isVisible()
    assert said.startswith(f"server-01 has no {network} nic: install one first. {why.lower()}")
    assert network == "in-band" or (said.endswith("select another nic or another switch.") and "400g" in said)
    session.select(())
    canvas = window.views.canvas
    session.push(operations.move(session.design, {pair[0]: (0.0, 0.0), pair[1]: (0.0, 200.0)}))
    canvas.zoom_to_fit()
    window.actions_table.trigger("tool.connect")
    start, end = (canvas.box_px(one).center().toPoint() for one in reversed(pair))
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(canvas, end)
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=end)
    assert canvas.notes.shown is not None and why in canvas.notes.shown.text


def test_nothing_is_offered_where_ports_fit_or_no_mode_helps(window, pair, add):
    assert offered(window, add("nvidia-qm9700"), pair[1]) is None
    lone = add("nvidia-qm8700")
    assert offered(window, pair[0], lone) is None
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
    assert offered(window, pair[0], pair[0]) is None


def lead(window, link_id, from_id, to_id, qtbot):
    """Drag the end of a link from one device to another on the canvas."""
    canvas, session = window.views.canvas, window.session
    session.select([link_id])
    canvas.zoom_to_fit()
    fabric = canvas.fabric
    ends = link_ends(fabric.composition, fabric.detail(canvas.camera.scale), session.selected)
    at = next(one.at for one in ends if one.device_id == from_id)
    start, end = canvas.sight.point_px(*at).toPoint(), canvas.box_px(to_id).center().toPoint()
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(canvas, (start + end) / 2)
    qtbot.mouseMove(canvas, end)
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=end)


@pytest.fixture
def led(window, pair, add):
    """A link of the pair, whose switch runs at 400G, and a second such switch at 800G, apart on the canvas."""
    session, (leaf, server) = window.session, pair
    other = add("nvidia-sn5600")
    places = {leaf: (0.0, 0.0), other: (400.0, 0.0), server: (200.0, 250.0)}
    session.push(operations.move(session.design, places))
    session.push(operations.set_port_mode(session.design, leaf, "128x400G"))
    session.push(operations.connect_devices(session.design, server, leaf))
    return leaf, other, server


def test_a_link_led_to_a_switch_in_another_mode_is_offered_with_that_mode(window, led, qtbot):
    leaf, other, _ = led
    design, ((link_id, _),) = window.session.design, window.session.design.links.items()
    lead(window, link_id, leaf, other, qtbot)
    assert "port rail1 at 400G" in window.notice.text.text(), "the port that is moved"
    assert window.notice._do.text() == "Set switch-02 to 128x400G and connect"
    window.notice._do.click()
    assert design.device(other).port_mode == "128x400G" and design.links_of(other) and not design.links_of(leaf)


def test_of_a_switch_with_links_only_free_cages_change(window, led, add, qtbot):
    leaf, other, _ = led
    session, design = window.session, window.session.design
    spine = add("nvidia-sn5600")
    session.push(operations.set_cage_modes(design, other, range(1, 9), "128x400G"))
    session.push(operations.connect_devices(design, other, spine, 20))
    servers = [add("dgx-h100") for _ in range(2)]
    session.push(joined("Wire", [operations.connect_evenly(design, servers, [other], 8)]))
    link_id = next(one.id for one in design.links_of(leaf))
    lead(window, link_id, leaf, other, qtbot)
    assert "has no free 400G port left (16 of 16 used); 36 ports at 800G are free" in window.notice.text.text()
    assert window.notice._do.text() == "Set cage 29 of switch-02 to 128x400G and connect"
    before = {one.id: (one.a, one.b) for one in design.links_of(other)}
    window.notice._do.click()
    assert len(design.links_of(other)) == len(before) + 1
    assert {one.id: (one.a, one.b) for one in design.links_of(other) if one.id in before} == before


def test_nics_for_storage_are_offered_with_the_link(window, add):
    session = window.session
    server, switch = add("dgx-h100"), add("nvidia-sn5600")
    session.push(operations.set_network(session.design, [switch], "storage"))
    session.select([server, switch])
    window.actions_table.trigger("link.connect")
    assert window.notice._do.text().startswith("Install 2 × ConnectX-7"), window.notice._do.text()
    window.notice._do.click()
    assert len(session.design.links) == 1 and session.design.ports_for(server, "storage")
    session.undo_stack.undo()
    assert not session.design.links and not session.design.ports_for(server, "storage"), "one step"


def test_no_mode_is_offered_that_links_of_the_switch_do_not_fit(window, pair, add):
    session, (switch, server) = window.session, pair
    session.push(operations.connect_devices(session.design, switch, add("nvidia-sn5600"), 64))
    assert offered(window, switch, server) is None

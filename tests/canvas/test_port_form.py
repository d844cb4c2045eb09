"""The form that asks which ports a link takes: opened with Alt on a line, worked with the keyboard."""

from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from designer.model import operations
from designer.model.entities import End
from designer.storage import document
from designer.windows.picker.port_form import PortForm, ask_on

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def pair(hand):
    switch, server = hand.add("nvidia-qm9700", 0, 0), hand.add("dgx-h100", 0, 300)
    hand.view.zoom_to_fit()
    hand.view.ports_wanted.connect(partial(ask_on, hand.view))
    return switch, server


def form_of(hand):
    return hand.view.findChild(PortForm)


@pytest.fixture
def form(hand, pair):
    hand.view.set_tool("connect")
    hand.drag(hand.middle(pair[0]), hand.middle(pair[1]), ALT)
    return form_of(hand)


def ports(form):
    return [one.chosen.end.port for one in form.lists]


def key(form, which, number=0):
    QTest.keyClick(form.lists[number], which)


def test_with_alt_a_line_asks_for_the_ports_of_both_ends_and_enter_takes_the_usual_ones(form, hand, session, pair):
    before = document.encode(hand.design)
    assert form.isVisible() and ports(form) == ["1/1", "rail1"]
    assert hand.view.rect().contains(form.geometry())
    assert form.said.text() == "switch-01 1/1 to server-01 rail1 (OSFP4P2), 400G"
    key(form, Qt.Key.Key_Return)
    assert not form.isVisible()
    (link,) = hand.design.links.values()
    assert {link.a, link.b} == {End(pair[0], "1/1"), End(pair[1], "rail1")}
    session.undo_stack.undo()
    assert document.encode(hand.design) == before


def test_the_keyboard_chooses_a_port_and_its_match_follows(form, hand, pair):
    form.lists[1].setFocus()
    row = next(at for at, one in enumerate(form.lists[1].choices) if one.end.port == "rail5")
    for _ in range(row):
        key(form, Qt.Key.Key_Down, 1)
    assert ports(form) == ["1/1", "rail5"]
    key(form, Qt.Key.Key_Enter, 1)
    (link,) = hand.design.links.values()
    assert End(pair[1], "rail5") in (link.a, link.b)


def test_a_port_without_a_match_is_refused_with_the_reason_and_enter_links_nothing(form, hand):
    slow = next(at for at, one in enumerate(form.lists[0].choices) if one.port.rate_gbps < 100)
    form.lists[1].setFocus()
    form.lists[0].choose(slow)
    assert not form.button.isEnabled() and "runs at" in form.said.text()
    key(form, Qt.Key.Key_Return)
    assert form.isVisible() and not hand.design.links
    key(form, Qt.Key.Key_Escape)
    assert not form.isVisible() and not hand.design.links


def test_choosing_a_slow_port_moves_the_other_end_to_one_that_matches(form):
    form.lists[1].setFocus()
    for at, one in enumerate(form.lists[1].choices):
        fits = [other for other in form.lists[0].choices if other.is_free and other.matches(one)]
        form.lists[1].choose(at)
        if one.is_free and fits:
            assert form.lists[0].chosen.matches(one)
            assert form.button.isEnabled()


def test_a_line_between_ports_has_these_chosen_when_the_form_opens(hand, pair):
    hand.view.choose_ports(*pair, ("7/2", "rail4"), hand.middle(pair[0]).toPointF())
    form = form_of(hand)
    assert ports(form) == ["7/2", "rail4"]
    form.lists[1].setFocus()
    key(form, Qt.Key.Key_Down, 1)
    assert ports(form) == ["7/2", "rail5"], "a port that matches stays chosen"


def test_used_ports_stand_at_the_end_and_cannot_be_taken(hand, session, pair):
    session.push(operations.connect(session.design, End(pair[0], "1/1"), End(pair[1], "rail2")))
    hand.view.choose_ports(*pair, ("1/1", ""), QPoint(5, 5).toPointF())
    form = form_of(hand)
    assert form.lists[0].chosen.state.startswith("to server-01")
    assert not form.button.isEnabled()
    colours = [form.lists[0].topLevelItem(row).foreground(0).color() for row in (0, len(form.lists[0].choices) - 1)]
    assert form.lists[0].choices[-1].end.port == "1/1" and colours[0] != colours[1], "it is grey"


def test_the_form_closes_when_the_design_changes_and_when_the_keyboard_goes_elsewhere(form, hand, session, pair, qtbot):
    session.push(operations.connect_devices(session.design, *pair))
    assert not form.isVisible()
    hand.view.choose_ports(*pair)
    assert form.isVisible()
    form.lists[1].setFocus()
    assert form.isVisible(), "between its lists"
    hand.click(QPoint(8, 8))
    assert not form.isVisible()


def test_without_alt_a_line_links_at_once(hand, pair):
    hand.view.set_tool("connect")
    hand.drag(hand.middle(pair[0]), hand.middle(pair[1]))
    assert form_of(hand) is None and len(hand.design.links) == 1


def test_where_no_usual_ports_are_free_the_first_that_match_are_chosen(hand, session, pair):
    session.push(operations.connect_devices(session.design, *pair, 8))
    session.push(operations.connect_evenly(session.design, [hand.add("nvidia-qm9700", 900, 0)], [pair[0]], 56))
    hand.view.choose_ports(*pair)
    form = form_of(hand)
    assert ports(form) == ["mgmt0", "bmc"] and form.button.isEnabled()
    assert [one.chosen.port.rate_gbps for one in form.lists] == [1.0, 1.0]


def test_all_columns_have_room_for_what_is_in_them(form):
    for one in form.lists:
        assert sum(one.columnWidth(n) for n in range(4)) <= one.viewport().width() + 1
        assert all(one.columnWidth(n) >= one.sizeHintForColumn(n) for n in range(4))


def test_the_form_closes_when_another_widget_of_the_window_takes_the_keyboard(form, hand):
    hand.view.setFocus()
    if form.isVisible():  # of a window that is not active, Qt does not say so by itself
        QApplication.sendEvent(form.lists[0], QFocusEvent(QEvent.Type.FocusOut))
    assert not form.isVisible()

"""The inspector says what of the selection is marked as failed, and restores it."""

import pytest

from designer.model import operations
from designer.panels.inspector.panel import InspectorPanel


@pytest.fixture
def inspector(qtbot, session, appearance, catalog):
    """Two leaf switches and a spine with two links, the first leaf in a rack."""
    for name in ("leaf-1", "leaf-2", "spine-1"):
        type_, types = catalog.get("nvidia-qm9700"), catalog.types
        session.push(operations.add_device(session.design, type_, 0, 0, catalog_types=types, name=name))
    session.push(operations.connect_devices(session.design, "d1", "d3", 1))
    session.push(operations.connect_devices(session.design, "d2", "d3", 1))
    session.push(operations.add_rack(session.design, catalog.get("rack-42u"), 0, 0, "rack-1"))
    session.push(operations.mount(session.design, "d1", next(iter(session.design.racks)), 1))
    panel = InspectorPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def shown(inspector, session, *ids):
    session.select(ids)
    inspector.refresh()
    bar = inspector.failed_bar
    assert bar.isAncestorOf(bar.text) and bar.isAncestorOf(bar.restore)
    return (bar.text.text() if bar.isVisible() else "", bar.restore.isVisible())


def test_what_is_marked_as_failed_is_named_with_a_button_and_nothing_else_is(inspector, session):
    assert shown(inspector, session, "d1") == ("", False)
    session.mark_as_failed(frozenset(("d1", "l2")), "Fail")
    assert shown(inspector, session, "d1") == ("Marked as failed", True)
    assert shown(inspector, session, "l2") == ("Marked as failed", True)
    assert shown(inspector, session, "d2") == ("", False)
    assert shown(inspector, session, "d1", "l2") == ("Marked as failed", True)
    assert shown(inspector, session, "d1", "d2") == ("1 marked as failed", True)
    assert shown(inspector, session, next(iter(session.design.racks))) == ("1 marked as failed", True)
    assert shown(inspector, session) == ("", False)


def test_of_a_group_what_fails_in_the_groups_inside_it_counts(inspector, session):
    session.push(operations.group(session.design, ("d1", "d3"), "inner"))
    (inner,) = session.design.groups
    session.push(operations.group(session.design, ("d2",), "other"))
    (other,) = session.design.groups.keys() - {inner}
    session.push(operations.group(session.design, (inner,), "outer"))
    (outer,) = session.design.groups.keys() - {inner, other}
    assert session.design.groups[inner].parent_id == outer
    session.mark_as_failed(frozenset(("d1", "d3")), "Fail")
    assert shown(inspector, session, outer) == shown(inspector, session, inner) == ("2 marked as failed", True)
    assert shown(inspector, session, other) == ("", False)


def test_a_link_says_which_failed_device_takes_it_out_of_use(inspector, session):
    session.mark_as_failed(frozenset(("d1",)), "Fail")
    assert shown(inspector, session, "l1") == ("Out of use: leaf-1 marked as failed", False)
    assert shown(inspector, session, "l2") == ("", False)


def test_a_mark_shows_while_the_same_thing_stays_selected(inspector, session, qtbot):
    session.select(("d1",))
    session.mark_as_failed(frozenset(("d1",)), "Fail")
    qtbot.waitUntil(lambda: inspector.failed_bar.isVisible(), timeout=5_000)

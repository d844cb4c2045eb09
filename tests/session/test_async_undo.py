"""Undo and redo of large edits are made ready by a worker: what they lead to, and what is done meanwhile, is right."""

import pytest
from disposal import dispose_of

from designer.canvas.view import CanvasView
from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.model import operations
from designer.session.prepared import LARGE_EDIT
from designer.session.session import Session
from designer.storage import document
from designer.topologies import pgft

CATALOG = load()
SHAPE = pgft.PgftParameters((16, 16, 2), (1, 4, 2))


@pytest.fixture
def session(qtbot) -> Session:
    """A switch, then a generated fabric of thousands of records."""
    session = Session(CATALOG)
    add_switch(session)
    edit = pgft.build(session.design, SHAPE, CATALOG)
    assert len(edit.changes) > LARGE_EDIT
    session.push(edit)
    yield session
    dispose_of(session)


def add_switch(session: Session) -> None:
    type_ = CATALOG.types["nvidia-qm9700"]
    session.push(operations.add_device(session.design, type_, 0, 0, catalog_types=CATALOG.types))


def at_rest(session: Session, qtbot) -> None:
    qtbot.waitUntil(lambda: not session.async_undo.waiting)


def test_a_large_edit_is_undone_and_redone_in_a_worker_to_the_same_bytes(session, qtbot):
    after, stated = document.encode(session.design), []
    session.async_undo.began.connect(stated.append)
    session.async_undo.undo()
    assert session.async_undo.waiting and document.encode(session.design) == after
    at_rest(session, qtbot)
    assert len(session.design.devices) == 1 and session.undo_stack.index() == 1
    session.async_undo.redo()
    at_rest(session, qtbot)
    assert document.encode(session.design) == after and session.undo_stack.index() == 2
    assert [text.split()[0] for text in stated] == ["Undoing", "Redoing"]


def test_the_canvas_follows_it(session, qtbot):
    canvas = CanvasView(session)
    qtbot.addWidget(canvas)
    session.async_undo.undo()
    at_rest(session, qtbot)
    session.async_undo.redo()
    at_rest(session, qtbot)
    ours, from_scratch = canvas.fabric.composition.projection, Composition(session.design).projection
    assert ours.device_ids == from_scratch.device_ids and (ours.ends == from_scratch.ends).all()
    assert ours.design is session.design


def test_steps_asked_for_meanwhile_follow_in_turn(session, qtbot):
    session.async_undo.undo()
    session.async_undo.undo()
    session.async_undo.undo()  # there is none left for this one
    at_rest(session, qtbot)
    assert session.undo_stack.index() == 0 and not session.design.devices
    session.async_undo.redo()
    assert session.undo_stack.index() == 1  # few changes: at once
    session.async_undo.redo()
    at_rest(session, qtbot)
    assert session.undo_stack.index() == 2


def test_redo_takes_back_an_undo_that_waits(session, qtbot):
    before = document.encode(session.design)
    session.async_undo.undo()
    session.async_undo.redo()
    assert not session.async_undo.waiting
    assert (session.undo_stack.index(), document.encode(session.design)) == (2, before)


def test_an_edit_meanwhile_stands_and_the_step_is_given_up(session, qtbot):
    stated: list[str] = []
    session.message.connect(stated.append)
    session.async_undo.undo()
    add_switch(session)
    assert not session.async_undo.waiting
    assert len(stated) == 1 and "was not undone: the design has changed in the meantime" in stated[0]
    assert session.undo_stack.index() == 3 and len(session.design.devices) > 500
    session.async_undo.undo()
    session.async_undo.undo()
    at_rest(session, qtbot)
    assert session.undo_stack.index() == 1 and len(session.design.devices) == 1


def test_an_edit_instead_of_a_redo_that_waits_takes_its_place(session, qtbot):
    session.async_undo.undo()
    at_rest(session, qtbot)
    session.async_undo.redo()
    add_switch(session)
    assert not session.async_undo.waiting
    assert (session.undo_stack.count(), len(session.design.devices)) == (2, 2)


def test_things_taken_as_broken_meanwhile_give_the_step_up_too(session, qtbot):
    session.async_undo.undo()
    session.mark_as_failed(frozenset(list(session.design.devices)[:1]), "Take as broken")
    assert not session.async_undo.waiting and session.undo_stack.index() == 3


def test_another_document_meanwhile_is_left_alone(session, qtbot):
    stated: list[str] = []
    session.message.connect(stated.append)
    session.async_undo.undo()
    session.new()
    assert not session.async_undo.waiting and stated == []
    assert not session.design.devices and session.undo_stack.count() == 0


def test_it_can_be_stopped(session, qtbot):
    session.async_undo.undo()
    session.async_undo.cancel()
    assert not session.async_undo.waiting and session.undo_stack.index() == 2


def test_undone_to_what_is_saved_nothing_is_unsaved(session, qtbot, tmp_path):
    session.save(tmp_path / "pod.fabric")
    session.async_undo.undo()
    at_rest(session, qtbot)
    assert session.dirty
    session.async_undo.redo()
    at_rest(session, qtbot)
    assert not session.dirty


def test_selection_of_what_an_undo_takes_away_goes(session, qtbot):
    session.select(session.design.devices)
    session.async_undo.undo()
    at_rest(session, qtbot)
    assert len(session.selection) == 1


def test_an_edit_knows_the_kinds_it_changes_and_so_does_what_takes_it_back(session):
    edit = session.undo_stack.command(1).edit
    assert edit.kinds == {type(change.after) for change in edit.changes} == edit.inverted().kinds
    assert edit == type(edit)(edit.label, edit.changes)

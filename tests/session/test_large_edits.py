"""Edits of very many things are made by a worker: what they lead to, and what is done meanwhile, is right."""

import time

import pytest
from disposal import dispose_of

from designer.catalog.catalog import load
from designer.errors import Cancelled, EditError
from designer.model import operations
from designer.session import large_edits, prepared
from designer.session.session import Session
from designer.storage import document

CATALOG = load()
MANY = 1_000_000


@pytest.fixture
def session(qtbot, monkeypatch) -> Session:
    for module in (large_edits, prepared):
        monkeypatch.setattr(module, "LARGE_EDIT", 2)
    session = Session(CATALOG)
    for _ in range(4):
        add_switch(session)
    yield session
    dispose_of(session)


def add_switch(session: Session) -> None:
    type_ = CATALOG.types["nvidia-qm9700"]
    session.push(operations.add_device(session.design, type_, 0, 0, catalog_types=CATALOG.types))


def delete_all(session: Session) -> None:
    ids = list(session.design.devices)
    session.large_edits.attempt("Deleting all", MANY, lambda design: operations.delete(design, ids))


def at_rest(session: Session, qtbot) -> None:
    qtbot.waitUntil(lambda: not session.large_edits.waiting)


def test_it_is_one_step_to_undo_and_then_the_rest_is_done(session, qtbot):
    before, done = document.encode(session.design), []
    ids = list(session.design.devices)
    session.large_edits.attempt("Deleting", MANY, lambda design: operations.delete(design, ids), done.append)
    assert session.large_edits.waiting and len(session.design.devices) == 4 and not done
    at_rest(session, qtbot)
    assert not session.design.devices and done[0] is session.undo_stack.command(4).edit
    session.undo_stack.undo()
    assert document.encode(session.design) == before


def test_few_things_are_done_at_once(session):
    session.large_edits.attempt("Deleting", 1, lambda design: operations.delete(design, ["d1"]))
    assert not session.large_edits.waiting and len(session.design.devices) == 3


def test_an_edit_meanwhile_stands_and_it_is_given_up(session, qtbot):
    stated: list[str] = []
    session.message.connect(stated.append)
    delete_all(session)
    add_switch(session)
    assert not session.large_edits.waiting and len(session.design.devices) == 5
    assert stated == ["Deleting all was cancelled: the design has changed in the meantime."]


def test_what_a_verb_refuses_is_a_message(session, qtbot):
    stated: list[str] = []
    session.message.connect(stated.append)

    def refuse(_design):
        raise EditError("that cannot be done")

    session.large_edits.attempt("Trying", MANY, refuse)
    at_rest(session, qtbot)
    assert stated == ["that cannot be done"] and session.undo_stack.count() == 4


def test_it_can_be_stopped_and_another_document_is_left_alone(session, qtbot):
    delete_all(session)
    session.large_edits.cancel()
    delete_all(session)
    session.new()
    assert not session.large_edits.waiting and session.undo_stack.count() == 0


def test_what_takes_long_to_make_hears_that_it_is_cancelled(session, qtbot):
    """As *Fix All* of a very large design: its progress raises Cancelled, so that the worker is free again."""
    state: list[str] = []

    def make(design, progress):
        state.append("at it")
        try:
            while True:
                progress(0.5)
                time.sleep(0.001)
        except Cancelled:
            state.append("cancelled")
            raise

    session.large_edits.attempt_long("Fixing", MANY, make)
    qtbot.waitUntil(lambda: state == ["at it"])
    session.large_edits.cancel()
    qtbot.waitUntil(lambda: state == ["at it", "cancelled"])
    assert len(session.design.devices) == 4

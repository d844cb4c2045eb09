"""An edit that a worker applied and drew is taken over as if it had been pushed."""

from dataclasses import replace

import pytest
from disposal import dispose_of

from designer.canvas.view import CanvasView
from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.drawing.stencil import stencil_of
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.session.prepared import LARGE_EDIT, prepared
from designer.session.session import Session
from designer.storage import document
from designer.topologies import pgft

CATALOG = load()
SHAPE = pgft.PgftParameters((16, 16, 4), (1, 4, 4))


@pytest.fixture
def session(qapp):
    session = Session(CATALOG)
    session.push(operations.add_device(session.design, CATALOG.types["nvidia-qm9700"], 0, 0, catalog_types={}))
    yield session
    dispose_of(session)


def _ready(session: Session):
    base = session.snapshot()
    return prepared(base, pgft.build(base, SHAPE, CATALOG), frozenset())


def test_what_was_prepared_is_the_design_that_pushing_makes_and_is_undone_and_redone(session):
    before, ready = document.encode(session.design), _ready(session)
    assert len(ready.edit.changes) > LARGE_EDIT
    pushed = Design()
    pushed.apply(operations.add_device(pushed, CATALOG.types["nvidia-qm9700"], 0, 0, catalog_types={}))
    pushed.apply(ready.edit)
    design = session.design
    session.push_prepared(ready)
    after = document.encode(pushed)
    assert session.design is design and document.encode(design) == after
    assert design.revision == pushed.revision
    session.undo_stack.undo()
    assert document.encode(design) == before
    session.undo_stack.redo()
    assert document.encode(design) == after


def test_the_canvas_takes_the_drawing_over_and_follows_further_edits(session, qtbot):
    canvas = CanvasView(session)
    qtbot.addWidget(canvas)
    ready = _ready(session)
    session.push_prepared(ready)
    assert canvas.fabric.composition is ready.drawing and canvas.fabric.composition.design is session.design
    host = next(iter(session.design.servers())).id
    session.push(operations.delete(session.design, [host]))
    session.push(operations.add_device(session.design, CATALOG.types["nvidia-qm9700"], 9, 9, catalog_types={}))
    from_scratch = Composition(session.design).projection
    assert canvas.fabric.composition.projection.device_ids == from_scratch.device_ids
    assert (canvas.fabric.composition.projection.ends == from_scratch.ends).all()
    assert session.drawing is None


def test_a_design_that_was_changed_meanwhile_gets_the_edit_itself(session):
    ready = _ready(session)
    session.push(operations.set_settings(session.design, name="Changed meanwhile"))
    session.push_prepared(ready)
    assert session.design.settings.name == "Changed meanwhile"
    assert len(session.design.devices) > 1000


def test_a_small_edit_is_only_carried(session):
    base = session.snapshot()
    ready = prepared(base, operations.set_settings(base, name="Pod"), frozenset())
    assert ready.made is None
    session.push_prepared(ready)
    assert session.design.settings.name == "Pod"


def _tidied(base):
    return Edit("Move", tuple(Change(one, replace(one, x=one.x + 7)) for one in base.placements.values()))


def test_of_what_only_moves_the_boxes_and_links_are_those_of_the_canvas(session, qtbot, monkeypatch):
    monkeypatch.setattr("designer.session.prepared.LARGE_EDIT", 2)
    canvas = CanvasView(session)
    qtbot.addWidget(canvas)
    assert stencil_of(session.drawn).base.device_ids == ["d1"]
    session.push_prepared(_ready(session))
    shown, base = canvas.fabric.composition, session.snapshot()
    bundles = shown.bundles
    edit = _tidied(base)
    drawn = prepared(base, edit, frozenset(), stencil=stencil_of(session.drawn)).drawing
    assert drawn.bundles is bundles
    assert drawn._joined is shown._joined and drawn.tier_words is shown.tier_words
    with_hidden = prepared(base, edit, frozenset({"storage"}), stencil=stencil_of(session.drawn)).drawing
    assert with_hidden.base.hidden == {"storage"} and with_hidden.bundles is not bundles
    more = Edit("More", (*edit.changes, *operations.rename(base, "d1", "first").changes))
    assert prepared(base, more, frozenset(), stencil=stencil_of(session.drawn)).drawing.bundles is not bundles
    session.replace(Design(), None)
    assert stencil_of(session.drawn).base.device_ids == []


def test_annotations_and_marks_stay_as_they_were_when_a_drawing_is_taken_over(session, qtbot):
    canvas = CanvasView(session)
    qtbot.addWidget(canvas)
    session.show_annotations(False)
    session.mark_as_failed(frozenset({"d1"}), "Fail")
    was = canvas.fabric.composition.colouring._status
    session.push_prepared(_ready(session))
    composition = canvas.fabric.composition
    assert not composition.notes.are_shown and composition.colouring._status == was
    assert was.failed == {"d1"}

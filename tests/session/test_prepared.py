"""An edit that a worker applied and drew is taken over as if it had been pushed."""

import pytest

from designer.canvas.view import CanvasView
from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.model import operations
from designer.model.design import Design
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
    session.close()


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

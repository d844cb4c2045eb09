"""A window that a test made is gone after it, with its session and its design: the next one does not pay for it."""

import gc
import weakref

import pytest
from disposal import dispose_of, dispose_of_window
from shiboken6 import delete

from designer.model.bookmark import CANVAS
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.topologies.families import FAMILIES
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.windows.dialogs.questions import Questions
from designer.windows.shell.main_window import MainWindow


def fill(session):
    family = FAMILIES.named("rail-optimized")
    session.push(family.build(session.design, RailOptimizedParameters(servers=8, servers_per_su=4), session.catalog))


def test_a_window_that_is_disposed_of_is_freed_with_its_session_and_its_design(qtbot, qapp, catalog, icons, tmp_path):
    preferences = Preferences(tmp_path / "window.ini")
    window = MainWindow(Session(catalog), preferences, Appearance(qapp, "light", icons), Questions())
    window.show()
    qtbot.waitExposed(window)
    fill(window.session)
    window.docks.show("studies")
    qapp.processEvents()
    session = window.session
    left = [weakref.ref(one) for one in (window, session, session.design, window.views.canvas)]
    dispose_of_window(window, session)
    del window, session
    gc.collect()
    assert [one() for one in left] == [None] * len(left)


def test_a_session_that_is_disposed_of_is_freed_with_its_design(qtbot, catalog):
    session = Session(catalog)
    fill(session)
    left = weakref.ref(session), weakref.ref(session.design)
    dispose_of(session)
    del session
    gc.collect()
    assert [one() for one in left] == [None, None]


@pytest.mark.parametrize("name", ["export", "hand_over", "mapping", "queues"])
def test_a_dialog_that_is_destroyed_follows_the_design_no_more(window, name):
    """Else the edit would raise in what is connected."""
    window.dialogs.show(name)
    window.session.jobs.end_threads()
    delete(window.dialogs._made.pop(name))
    fill(window.session)
    window.empty()


@pytest.mark.parametrize("turn", ["first", "second"])
def test_what_a_test_did_in_an_emptied_window_is_gone(emptied_window, turn):
    session, views, docks = emptied_window.session, emptied_window.views, emptied_window.docks
    assert not session.design.devices and not session.undo_stack.count() and not session.selection
    assert views.tool == "select" and views.name == CANVAS and not docks.shown("studies")
    assert not emptied_window.preferences.recent_types
    with pytest.raises(KeyError):
        emptied_window.dialogs["generate"]
    fill(session)
    session.select(session.design.devices)
    views.choose_tool("pan")
    views.show_view(views.floor)
    docks.show("studies")
    emptied_window.preferences.add_recent_type("dgx-h100")
    emptied_window.dialogs.show("generate")

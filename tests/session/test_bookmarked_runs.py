"""Bookmarks keep the run in sight: the same settings and failures are shown again, or computed again."""

import pytest

from designer.model import operations
from designer.simulation.scenario import Scenario

PATIENCE_MS = 60_000


@pytest.fixture
def session(open_session):
    return open_session("rail-optimized", servers=4, servers_per_su=2)


@pytest.fixture
def bench(session):
    return session.workbench


def done(qtbot, bench):
    qtbot.waitUntil(lambda: bench.simulation.state == "current", timeout=PATIENCE_MS)


def ran(qtbot, bench, **scenario):
    bench.simulation.scenario = Scenario(**scenario)
    bench.simulation.run()
    done(qtbot, bench)


def mark(session, name):
    session.push(operations.add_bookmark(session.design, name, **session.workbench.bookmarked.kept()))
    return next(one for one in session.design.bookmarks.values() if one.name == name)


def test_without_a_run_in_sight_none_is_kept(session, bench, qtbot):
    assert bench.bookmarked.kept() == {}
    ran(qtbot, bench, collective="all-reduce")
    bench.heat_view.hide(True)
    assert bench.bookmarked.kept() == {}
    bench.heat_view.hide(False)
    assert bench.bookmarked.kept() == {"run": (("collective", "all-reduce"),), "failed": ()}
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    assert bench.bookmarked.kept() == {}


def test_steps_of_a_talk_come_back_without_computing_them_again(session, bench, qtbot):
    ran(qtbot, bench, collective="all-reduce")
    first, first_result = mark(session, "all-reduce"), bench.simulation.current_result
    leaf = next(one.id for one in session.design.switches())
    session.mark_as_failed(frozenset([leaf]), "Fail")
    ran(qtbot, bench, collective="all-to-all", size_bytes=2**20)
    second, second_result = mark(session, "failed leaf"), bench.simulation.current_result
    assert second.failed == (leaf,)
    said = bench.bookmarked.show(first)
    assert bench.simulation.current_result is first_result and session.failed == frozenset()
    assert said.startswith("all-reduce: all-reduce") and "computing" not in said
    bench.bookmarked.show(second)
    assert bench.simulation.current_result is second_result and session.failed == {leaf}
    assert bench.simulation.scenario.collective == "all-to-all"


def test_a_run_of_an_earlier_design_is_computed_again_and_said_to_be(session, bench, qtbot):
    ran(qtbot, bench, collective="all-reduce")
    one, before = mark(session, "first"), bench.simulation.current_result
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    changes = []
    bench.bookmarked.changed.connect(lambda: changes.append(bench.bookmarked.waiting))
    with qtbot.waitSignal(bench.bookmarked.finished, timeout=PATIENCE_MS) as finished:
        assert bench.bookmarked.show(one).startswith("first: computing all-reduce")
        assert bench.bookmarked.waiting == one.id and bench.heat_view.heat is None
    assert finished.args[0].startswith("first: all-reduce") and bench.bookmarked.waiting == ""
    assert changes == [one.id, ""]
    assert bench.simulation.current_result is not before


def test_what_had_failed_and_is_gone_is_counted(session, bench, qtbot):
    leaf, *_others = [one.id for one in session.design.switches()]
    session.mark_as_failed(frozenset([leaf]), "Fail")
    ran(qtbot, bench, collective="all-reduce")
    one = mark(session, "without a leaf")
    session.push(operations.delete(session.design, [leaf]))
    assert "1 thing that had failed then, no longer in the design" in bench.bookmarked.show(one)
    done(qtbot, bench)
    assert session.failed == frozenset()


def test_hidden_loads_and_a_phase_give_way_to_the_whole_run(session, bench, qtbot):
    ran(qtbot, bench, collective="all-reduce", algorithm="hierarchical")
    one = mark(session, "whole")
    bench.heat_view.show_phase(1)
    bench.heat_view.hide(True)
    bench.bookmarked.show(one)
    assert not bench.heat_view.is_hidden and bench.heat_view.phase is None


def test_a_run_that_cannot_be_is_a_sentence_and_changes_nothing(session, bench):
    session.push(operations.add_bookmark(session.design, "odd", run=(("collective", "all-magic"),)))
    before = bench.simulation.scenario
    (one,) = session.design.bookmarks.values()
    assert bench.bookmarked.show(one).startswith("The run of odd cannot be shown: there is no collective 'all-magic'")
    assert bench.simulation.scenario == before and bench.simulation.state == "idle"


def test_another_design_forgets_the_runs(session, bench, qtbot):
    ran(qtbot, bench, collective="all-reduce")
    mark(session, "one")
    assert bench.bookmarked._runs
    session.new()
    assert not bench.bookmarked._runs and not bench.bookmarked.waiting


def test_no_more_runs_are_remembered_than_a_talk_has_steps(session, bench, qtbot):
    for power in range(10, 16):
        ran(qtbot, bench, collective="all-reduce", size_bytes=float(2**power))
        mark(session, f"step {power}")
    assert len(bench.bookmarked._runs) == 4

"""Findings follow an edit: what it touches at once, the whole fabric after it."""

import pytest
from disposal import dispose_of

from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Link
from designer.regeneration import recipes
from designer.session.session import Session
from designer.topologies.fat_tree import FatTreeParameters
from designer.validation.engine import validate

PATIENCE_MS = 20_000


@pytest.fixture
def session(qtbot, catalog):
    opened = Session(catalog)
    opened.push(
        recipes.generated(opened.design, recipes.family_named("fat-tree"), FatTreeParameters(servers=4), catalog)
    )
    validation = opened.workbench.validation
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    yield opened
    dispose_of(opened)


def codes(session):
    return {one.code for one in session.workbench.validation.report.open}


def second_link(design):
    """A link where another one is, so that the port is used twice."""
    link = next(iter(design.links.values()))
    (id_,) = design.new_ids("links", 1)
    return Edit("Link twice", (Change(None, Link(id_, link.a, link.b)),))


def test_what_an_edit_touches_is_found_before_the_worker_answers(session, qtbot):
    validation = session.workbench.validation
    assert "PORT-002" not in codes(session)
    session.push(second_link(session.design))
    assert "PORT-002" in codes(session) and not validation.is_current
    assert validation.holds("PORT-002") and not validation.holds("REACH-001")
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    assert validation.report == validate(session.design) and validation.holds("REACH-001")
    session.undo_stack.undo()
    assert "PORT-002" not in codes(session)
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    assert validation.report == validate(session.design)


def test_findings_about_what_is_deleted_go_at_once(session, qtbot):
    validation = session.workbench.validation
    server = next(iter(session.design.servers()))
    links = [link.id for link in session.design.links_of(server.id)]
    session.push(operations.delete(session.design, links))
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    assert any(server.id in one.subjects for one in validation.report.open if one.code == "REACH-001")
    session.push(operations.delete(session.design, [server.id]))
    assert not validation.is_current and validation.report_now is not None
    assert not any(server.id in one.subjects for one in validation.report.findings)


def test_an_edit_that_no_rule_reads_leaves_the_findings_current(session):
    device = next(iter(session.design.devices))
    session.push(operations.move(session.design, {device: (5.0, 5.0)}))
    assert session.workbench.validation.is_current


def test_settings_have_everything_checked_in_the_worker(session, qtbot):
    validation = session.workbench.validation
    session.push(operations.set_settings(session.design, default_cable_length_m=3.0))
    assert validation.report_now is None
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    assert validation.report == validate(session.design)


def test_another_design_is_checked_from_nothing(session, catalog, qtbot):
    session.new()
    session.push(operations.add_device(session.design, catalog.get("dgx-h100"), 0, 0, catalog_types=catalog.types))
    validation = session.workbench.validation
    assert not validation.is_followed
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    validation.check_all()
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    assert validation.report == validate(session.design)


def test_what_the_last_edit_caused_and_fixed_is_known(session, qtbot):
    validation = session.workbench.validation
    session.push(second_link(session.design))
    caused = [one for one in validation.report.open if validation.news.is_caused(one)]
    assert "PORT-002" in {one.code for one in caused} and not validation.news.cured
    assert not any(validation.news.is_new(one) for one in caused)  # it was never saved
    session.undo_stack.undo()
    assert "PORT-002" in {one.code for one in validation.news.cured}
    assert not any(validation.news.is_caused(one) for one in validation.report.open)
    validation.check_all()
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    assert not validation.news.cured


def test_findings_are_new_until_the_design_is_saved(session, qtbot, tmp_path):
    validation = session.workbench.validation

    def new():
        return {one.code for one in validation.report.open if validation.news.is_new(one)}

    session.push(second_link(session.design))
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    session.save(tmp_path / "a.fabric")
    qtbot.waitUntil(lambda: not session.dirty, timeout=PATIENCE_MS)
    assert codes(session) and not new()
    session.push(second_link(session.design))
    session.push(operations.rename(session.design, next(iter(session.design.devices)), "another"))
    assert "PORT-002" in new()
    qtbot.waitUntil(lambda: validation.is_current, timeout=PATIENCE_MS)
    session.save(tmp_path / "a.fabric")
    qtbot.waitUntil(lambda: not session.dirty, timeout=PATIENCE_MS)
    assert not new()

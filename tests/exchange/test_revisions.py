"""Revisions: recorded in one step with the numbers of cables, and distinguished by number and digest."""

import pytest

from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.exchange.plans.since import changes_since
from designer.exchange.revisions import RevisionOptions, design_digest, latest, listed, next_number, previous, record
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Revision
from designer.placement import floor
from designer.storage import document
from designer.topologies import fat_tree

CATALOG = load()


@pytest.fixture(scope="module")
def built():
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters(servers=8), CATALOG))
    return design


@pytest.fixture
def pod(built):
    return built.snapshot()


def test_a_revision_is_one_step_that_numbers_cables_and_undo_takes_back(pod):
    before = document.encode(pod)
    edit = record(pod, RevisionOptions(revision="A", date="2026-11-22", author="Kim", note="  For \n review "))
    assert edit.label == "Record revision A"
    pod.apply(edit)
    made = latest(pod)
    assert (made.number, made.date, made.author, made.notes) == ("A", "2026-11-22", "Kim", "For review")
    assert all(link.cable for link in pod.links.values())
    assert made.digest == design_digest(pod)
    pod.apply(edit.inverted())
    assert document.encode(pod) == before


def test_a_revision_keeps_the_cables_of_the_time(pod):
    pod.apply(record(pod, RevisionOptions(revision="A")))
    gone = next(iter(pod.links.values()))
    pod.apply(operations.delete(pod, [gone.id]))
    earlier, order = changes_since(pod, "A")
    assert earlier.name == "revision A" and len(order.changes) == 1
    assert previous(pod, None) == latest(pod) and previous(pod, latest(pod)) is None


def test_a_revision_without_its_cables_is_nothing_to_compare_with(pod):
    pod.apply(Edit("", (Change(None, Revision("v1", "0", "2026-01-01")),)))
    assert previous(pod, None) is None


def test_a_revision_gives_rows_the_names_that_its_documents_state(pod):
    pod.apply(floor.auto_place(pod))
    names = [row.name for row in floor.rows(pod)]
    pod.apply(record(pod, RevisionOptions(revision="A")))
    assert latest(pod).digest == design_digest(pod)
    assert all(pod.racks[one].row == row.name for row in floor.rows(pod) for one in row.rack_ids)
    assert names == [row.name for row in floor.rows(pod)] != []


def test_a_revision_outlives_saving(pod, tmp_path):
    pod.apply(record(pod, RevisionOptions(revision="1")))
    document.save(pod, tmp_path / "pod.fabric")
    assert listed(document.load(tmp_path / "pod.fabric")) == listed(pod)


def test_the_digest_tells_designs_apart_and_not_their_revisions(pod):
    pod.apply(record(pod, RevisionOptions(revision="1")))
    first = design_digest(pod)
    pod.apply(record(pod, RevisionOptions(revision="2")))
    assert design_digest(pod) == first == latest(pod).digest
    pod.apply(operations.rename(pod, pod.switches()[0].id, "renamed"))
    assert design_digest(pod) != first


def test_the_author_of_the_design_stands_for_one_not_given(pod):
    pod.apply(operations.set_settings(pod, author="Ada"))
    pod.apply(record(pod, RevisionOptions(revision="1")))
    assert latest(pod).author == "Ada"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"revision": "a"}, "revision A was recorded on 2026-11-22 already: choose another number, such as B"),
        ({"revision": "  "}, "enter the number of the revision, such as B"),
        ({"revision": "2", "date": "22.11.2026"}, "'22.11.2026' is not a date: write it like 2026-11-22"),
        ({"revision": "2", "date": "2026-02-30"}, "is not a date"),
        ({"revision": "2", "date": "20261122"}, "is not a date"),
        ({"revision": "x" * 41}, "41 characters, the most is 40"),
        ({"revision": "2", "note": "x" * 2001}, "2,001 characters, the most is 2,000"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_one_sentence(pod, options, says):
    pod.apply(record(pod, RevisionOptions(revision="A", date="2026-11-22")))
    with pytest.raises(ParameterError, match=says):
        record(pod, RevisionOptions(**options))


@pytest.mark.parametrize(
    ("last", "after"), [("1", "2"), ("09", "10"), ("2.9", "2.10"), ("A", "B"), ("Z", "Z.1"), ("draft", "draft.1")]
)
def test_the_next_number_follows_the_last(pod, last, after):
    assert next_number(pod) == "1"
    pod.apply(record(pod, RevisionOptions(revision=last)))
    assert next_number(pod) == after


def test_a_revision_keeps_the_cables_that_a_change_order_starts_from(pod):
    design = pod
    design.apply(record(design, RevisionOptions(revision="A", date="2026-11-22")))
    link = next(iter(design.links.values()))
    design.apply(operations.delete(design, [link.id]))
    earlier, order = changes_since(design)
    assert earlier.name == "revision A of 2026-11-22"
    assert [(change.action, change.number) for change in order.changes] == [("remove", f"C{link.cable:04d}")]

"""The latest revision that two designs recorded gives the design that both grew from, or a sentence why not."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.errors import FileFormatError, ParameterError
from designer.exchange import kept_designs
from designer.exchange.kept_designs import common_base, packed
from designer.exchange.redacting import redacted
from designer.exchange.revisions import RevisionOptions, design_digest, latest, record
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.storage import document
from designer.topologies import fat_tree

CATALOG = load()


@pytest.fixture(scope="module")
def built():
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters(servers=4), CATALOG))
    return design


@pytest.fixture
def pod(built):
    return built.snapshot()


def issue(design, number, date=""):
    design.apply(record(design, RevisionOptions(revision=number, date=date)))


def rename(design, device, name):
    design.apply(operations.rename(design, device, name))


def again(design):
    return document.decode(document.encode(design))


def changed(design, /, **fields):
    """With other fields of its last revision."""
    before = latest(design)
    design.apply(Edit("", (Change(before, replace(before, **fields)),)))
    return design


def test_the_latest_common_revision_is_the_base_as_it_was(pod):
    issue(pod, "A", "2026-11-20")
    rename(pod, "d1", "one")
    issue(pod, "B", "2026-11-22")
    issued, digest = pod.snapshot(), design_digest(pod)
    ours, theirs = again(pod), again(pod)
    rename(ours, "d2", "ours")
    issue(ours, "C")
    rename(theirs, "d2", "theirs")
    issue(theirs, "C")
    found = common_base(ours, theirs)
    assert found.name == "revision B of 2026-11-22" and found.revision == latest(issued)
    assert not found.design.revisions and design_digest(found.design) == digest
    assert found.design.devices == issued.devices


def test_an_earlier_revision_is_the_base_where_the_other_one_grew_from_it(pod):
    issue(pod, "A")
    theirs = again(pod)
    rename(pod, "d1", "one")
    issue(pod, "B")
    assert common_base(pod, theirs).revision.number == common_base(theirs, pod).revision.number == "A"


def test_revisions_of_one_number_are_not_the_same_revision(pod):
    theirs = again(pod)
    rename(theirs, "d1", "other")
    for design in (pod, theirs):
        issue(design, "A")
    with pytest.raises(ParameterError, match="no revision in common, yours recorded A and the other recorded A: give"):
        common_base(pod, theirs)


def test_designs_without_revisions_say_so(pod, built):
    issue(pod, "A")
    with pytest.raises(ParameterError, match="yours recorded A and the other recorded none"):
        common_base(pod, built)
    with pytest.raises(ParameterError, match="in common, neither recorded one: give"):
        common_base(built, built)
    for number in range(1, 9):
        issue(pod, f"A{number}")
    with pytest.raises(ParameterError, match="recorded … A3, A4, A5, A6, A7, A8 and"):
        common_base(pod, built)


def test_a_revision_that_only_one_of_them_kept_whole_will_do(pod):
    issue(pod, "A")
    theirs = changed(again(pod), design="")
    assert common_base(pod, theirs).design.devices == common_base(theirs, pod).design.devices == pod.devices


def test_a_revision_without_its_design_is_no_base(pod):
    issue(pod, "A")
    changed(pod, design="")
    with pytest.raises(ParameterError, match="A, which both designs recorded, was recorded without"):
        common_base(pod, again(pod))


@pytest.mark.parametrize("how", ["bad text", "cut off", "another design"])
def test_a_damaged_revision_is_refused(pod, built, how):
    issue(pod, "A")
    text = latest(pod).design
    other = packed(document.encode(built))
    damaged = {"bad text": "é!", "cut off": text[: len(text) // 8 * 4], "another design": other}
    changed(pod, design=damaged[how])
    with pytest.raises(FileFormatError, match="the design that revision A keeps is damaged"):
        common_base(pod, again(pod))


def test_a_design_too_large_to_be_kept_is_left_out(pod, monkeypatch):
    monkeypatch.setattr(kept_designs, "KEPT_LONGEST", 100)
    issue(pod, "A")
    assert latest(pod).design == "" and latest(pod).digest


def test_a_redacted_copy_keeps_no_design(pod):
    issue(pod, "A")
    assert latest(pod).design and not latest(redacted(pod, CATALOG.types)).design

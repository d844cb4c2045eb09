"""What printed pages state of their issue."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.exchange.issue import issue_stated
from designer.exchange.revisions import RevisionOptions, design_digest, record
from designer.model.edit import Change, Edit
from designer.storage import document

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fat-tree-16-2to1.fabric"


@pytest.fixture
def design():
    return document.load(EXAMPLE)


def test_a_design_that_nobody_has_issued_is_preliminary(design):
    digest = design_digest(design)[:12]
    assert issue_stated(design).line == (
        f"revision not issued, design digest {digest}; preliminary, not for construction"
    )
    assert issue_stated(design, digest="0123456789abcdef").digest == "0123456789ab"


def test_an_issue_is_of_its_revision_until_the_design_changes(design):
    design.apply(record(design, RevisionOptions(revision="B", date="2026-11-01", author="Kim")))
    found = issue_stated(design)
    assert (found.revision, found.date, found.author, found.reason) == ("B", "2026-11-01", "Kim", "")
    assert found.line == f"revision B of 2026-11-01, design digest {found.digest}"
    settings = design.settings
    design.apply(Edit("Name", (Change(settings, replace(settings, name="Other")),)))
    changed = issue_stated(design)
    assert (changed.revision, changed.date) == ("after B", "not issued")
    assert changed.reason.endswith("the design was changed since revision B")
    assert issue_stated(design, "C").line == f"revision C, design digest {changed.digest}"


def test_a_revision_without_a_date_says_so(design):
    design.apply(record(design, RevisionOptions(revision="1")))
    assert (issue_stated(design).revision, issue_stated(design).date) == ("1", "not stated")

"""Which of two designs comes before: by revisions, else by when the files were written, else the open one."""

import pytest

from designer.exchange.comparison.against_files import compare_with, read_source
from designer.exchange.comparison.compared import NO_ORDER, FileOrder, Source
from designer.exchange.comparison.file_order import file_order
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Revision
from designer.storage import document


def revised(*dates, digest="d"):
    design = Design()
    for number, date in enumerate(dates, 1):
        revision = Revision(f"v{number}", str(number), date, digest=f"{digest}{number}")
        design.apply(Edit("Record", (Change(None, revision),)))
    return design


@pytest.mark.parametrize(
    ("ours", "theirs", "is_other_first", "reason"),
    [
        (revised("2026-01-01", "2026-02-01"), revised("2026-01-01"), True, "by their revisions"),
        (revised("2026-01-01"), revised("2026-01-01", "2025-02-01"), False, "by their revisions"),
        (revised("2026-01-02"), revised("2026-01-01", digest="e"), True, "by the dates of their revisions"),
        (revised("2026-01-01"), revised("2026-01-02", digest="e"), False, "by the dates of their revisions"),
    ],
)
def test_revisions_come_before_the_times_of_files(ours, theirs, is_other_first, reason):
    times = (1.0, 2.0) if is_other_first else (2.0, 1.0)  # which say the opposite
    assert file_order(ours, times[0], theirs, times[1]) == FileOrder(is_other_first, reason)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Design(), Design()),
        (revised("2026-01-01"), Design()),
        (revised("2026-01-01"), revised("2026-01-01")),
        (revised("2026-01-01"), revised("2026-01-01", digest="e")),
        (revised("2026-01-01"), revised("", digest="e")),
    ],
)
def test_where_revisions_say_nothing_the_times_of_files_do_and_else_the_open_one_comes_first(ours, theirs):
    assert file_order(ours, 2.0, theirs, 1.0) == FileOrder(True, "by when their files were written")
    assert file_order(ours, 1.0, theirs, 2.0) == FileOrder(False, "by when their files were written")
    assert file_order(ours, None, theirs, 1.0) == NO_ORDER
    assert file_order(ours, 1.0, theirs, 1.0) == NO_ORDER


def test_a_comparison_follows_the_order_and_one_that_is_asked_for_goes_before(tmp_path):
    design, path = Design(), tmp_path / "other.fabric"
    document.save(design, path)
    source = read_source(path, near=design, saved_at=path.stat().st_mtime + 60.0)
    assert source.order.is_other_first
    for asked, is_swapped, order in (
        (None, True, source.order.reason),
        (True, True, source.order.reason),
        (False, False, ""),
    ):
        found = compare_with(design, source, is_swapped=asked)
        assert (found.is_swapped, found.order) == (is_swapped, order)
    assert not compare_with(design, Source("other", design)).is_swapped

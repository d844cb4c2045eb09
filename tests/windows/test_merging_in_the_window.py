"""Merging in the window: files, conflicts with three pictures, sides chosen, and one step to undo."""

import pytest

from designer.catalog.catalog import load
from designer.exchange.revisions import RevisionOptions, record
from designer.model import operations
from designer.model.design import Design
from designer.model.merging.merging import prepare
from designer.panels.widgets.cut_texts import CutDelegate
from designer.session.merging import CHECKING, LANE
from designer.session.merging import _merged as merged_of
from designer.session.merging import _read_files as read_files
from designer.storage import document
from designer.storage.document import encode
from designer.windows.dialogs.merge import NOTHING_SINCE

CATALOG = load()


def add(design, name):
    type_ = CATALOG.get("nvidia-qm9700")
    design.apply(operations.add_device(design, type_, 0, 0, catalog_types=CATALOG.types, role="leaf", name=name))


@pytest.fixture
def files(tmp_path):
    """The design that both have on disk, and the colleague's."""
    base = Design()
    for name in ("leaf-1", "leaf-2", "spine-1"):
        add(base, name)
    base.apply(operations.connect_devices(base, "d1", "d3", 2))
    theirs = base.snapshot()
    theirs.apply(operations.rename(theirs, "d1", "leaf-B"))
    add(theirs, "leaf-9")
    theirs.apply(operations.connect_devices(theirs, "d2", "d4", 1))
    paths = tmp_path / "pod.fabric", tmp_path / "theirs.fabric"
    for design, path in zip((base, theirs), paths, strict=True):
        document.save(design, path)
    return paths


@pytest.fixture
def dialog(window, files, qtbot):
    """The dialog over the design, which was changed here too since it was saved."""
    session = window.session
    session.open(files[0])
    window.views.show_canvas()
    session.push(operations.rename(session.design, "d1", "leaf-A"))
    session.push(operations.rename(session.design, "d2", "leaf-C"))
    window.desk.dialogs.show("merge")
    return window.desk.dialogs["merge"]


def choose(dialog, path, qtbot):
    dialog._desk.questions.open_path = lambda *_: path
    dialog.choose_theirs.click()
    settle(dialog, qtbot)


def choose_saved(dialog, path, qtbot):
    """With the file as it was last saved as the base, which the colleague's grew from here."""
    choose(dialog, path, qtbot)
    dialog.last_saved.click()
    settle(dialog, qtbot)


def settle(dialog, qtbot):
    qtbot.waitUntil(lambda: not dialog._session.jobs.busy(LANE), timeout=20_000)


def test_before_a_file_is_chosen_the_dialog_says_what_to_do(dialog):
    assert dialog.summary.text() == "Choose the file that your colleague sent."
    assert dialog.base_name.text() == "None is known: every difference is a conflict"
    assert not dialog.accept_button.isEnabled()


def test_tables_tell_links_apart(dialog):
    for table in (dialog.conflicts, dialog.incoming, dialog.renumbered):
        assert isinstance(table.itemDelegate(), CutDelegate)


def test_conflicts_are_shown_with_three_pictures_and_chosen(dialog, files, qtbot):
    session, before = dialog._session, encode(dialog._session.design)
    choose_saved(dialog, files[1], qtbot)
    assert dialog.summary.text() == "1 device added, 1 link added; 1 conflict."
    assert [row.place for row in dialog.conflicts.rows] == ["devices/d1/name"]
    assert dialog.tabs.tabText(0) == "Conflicts (1 of 1 open)" and len(dialog.incoming.rows) == 2
    names = [one._composition.design.devices["d1"].name for one in dialog.views.pictures]
    assert names == ["leaf-1", "leaf-A", "leaf-B"]
    assert [one.text() for one in dialog.views.texts] == names
    assert not dialog.accept_button.isEnabled()

    dialog.views.take_theirs.click()
    settle(dialog, qtbot)
    assert dialog.views.take_theirs.isChecked() and not dialog.views.take_ours.isChecked()
    assert dialog.accept_button.isEnabled()
    steps = session.undo_stack.count()
    dialog.accept_button.click()
    settle(dialog, qtbot)
    assert {one.name for one in session.design.devices.values()} == {"leaf-B", "leaf-C", "spine-1", "leaf-9"}
    assert session.undo_stack.count() == steps + 1 and not dialog.isVisible()
    assert session.undo_stack.undoText() == "Merge a Colleague's Changes"
    session.undo_stack.undo()
    assert encode(session.design) == before


def test_a_picture_of_a_part_counts_nothing_as_devices_are_left_out(dialog, files, qtbot):
    choose_saved(dialog, files[1], qtbot)
    miniature = dialog.views.pictures[0]
    part = miniature._picture(miniature._composition, 1.0)
    assert (part.tier_titles, part.tiers()) == ((), None)
    miniature.show_design(miniature._composition.design)
    whole = miniature._picture(miniature._composition, 1.0)
    assert whole.tier_titles and whole.tiers() is not None


def test_findings_that_neither_side_has_are_reported(dialog, files, qtbot):
    session, theirs = dialog._session, document.load(files[1])
    session.push(operations.rename(session.design, "d3", "same"))
    theirs.apply(operations.rename(theirs, "d2", "Same"))
    theirs.apply(operations.rename(theirs, "d1", "leaf-A"))
    document.save(theirs, files[1])
    choose_saved(dialog, files[1], qtbot)
    dialog.theirs_for_all.click()
    settle(dialog, qtbot)
    qtbot.waitUntil(lambda: not session.jobs.busy(CHECKING), timeout=20_000)
    known = {one.code for one in dialog.merging.findings}
    assert dialog.findings.isVisible() == bool(known)
    assert all(code in dialog.findings.text() for code in list(known)[:1])


def test_all_conflicts_are_settled_for_one_side_at_once(dialog, files, qtbot):
    choose_saved(dialog, files[1], qtbot)
    dialog.ours_for_all.click()
    settle(dialog, qtbot)
    assert dialog.views.take_ours.isChecked() and dialog.accept_button.isEnabled()
    dialog.merge()
    settle(dialog, qtbot)
    assert dialog._session.design.devices["d1"].name == "leaf-A"


def test_a_base_from_a_file_takes_the_place_of_the_last_saved_state(dialog, files, qtbot):
    choose(dialog, files[1], qtbot)
    dialog._desk.questions.open_path = lambda *_: files[1]
    dialog.choose_base.click()
    settle(dialog, qtbot)
    assert dialog.base_name.text() == "theirs.fabric"
    assert dialog.summary.text() == "Nothing comes in; no conflicts."
    assert not dialog.accept_button.isEnabled()
    dialog.last_saved.click()
    settle(dialog, qtbot)
    assert len(dialog.conflicts.rows) == 1


def test_an_edit_in_the_window_is_followed(dialog, files, qtbot):
    choose_saved(dialog, files[1], qtbot)
    session = dialog._session
    session.push(operations.rename(session.design, "d1", "leaf-B"))
    assert not dialog.accept_button.isEnabled()
    qtbot.waitUntil(lambda: dialog.merging.merged is not None and not dialog.conflicts.rows, timeout=20_000)
    assert dialog.accept_button.isEnabled()


def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(dialog, tmp_path, qtbot):
    bad = tmp_path / "bad.fabric"
    bad.write_text("{")
    choose(dialog, bad, qtbot)
    assert "bad.fabric" in dialog.summary.text() and not dialog.accept_button.isEnabled()
    choose(dialog, tmp_path / "gone.fabric", qtbot)
    assert "gone.fabric" in dialog.summary.text()


def test_what_is_under_way_can_be_cancelled(dialog, files):
    dialog._desk.questions.open_path = lambda *_: files[1]
    dialog.choose_theirs.click()
    assert dialog.cancel_button.isVisible() and dialog._session.jobs.busy(LANE)
    assert dialog.summary.text().startswith("Reading") and dialog.theirs_name.text() == "theirs.fabric"
    dialog.cancel_button.click()
    assert not dialog._session.jobs.busy(LANE) and not dialog.cancel_button.isVisible()
    assert dialog.summary.text().startswith("Cancelled")


def test_a_design_without_changes_of_its_own_is_named_as_such(window, files, qtbot):
    window.session.open(files[0])
    window.views.show_canvas()
    window.desk.dialogs.show("merge")
    dialog = window.desk.dialogs["merge"]
    choose(dialog, files[1], qtbot)
    dialog._desk.questions.open_path = lambda *_: files[0]
    dialog.choose_base.click()
    settle(dialog, qtbot)
    assert "takes its place, and what it does not have is removed" in dialog.summary.text()
    assert not dialog.conflicts.rows and dialog.accept_button.isEnabled()
    assert dialog.tabs.currentIndex() == 1


def test_a_change_of_mine_that_was_saved_is_not_undone_by_a_merge(window, files, qtbot):
    """Two colleagues start from A: mine is saved as B with a change, theirs as C with another."""
    session = window.session
    session.open(files[0])
    session.push(operations.rename(session.design, "d2", "leaf-mine"))
    add(session.design, "leaf-new")
    document.save(session.design, files[0])
    session.open(files[0])
    window.views.show_canvas()
    window.desk.dialogs.show("merge")
    dialog = window.desk.dialogs["merge"]
    choose(dialog, files[1], qtbot)
    made = {one.name for one in dialog.merging.merged.merge.made.devices.values()}
    assert {"leaf-mine", "leaf-new"} <= made and not dialog.accept_button.isEnabled()
    assert "devices/d2/name" in [row.place for row in dialog.conflicts.rows if not row.decided]
    assert not dialog.last_saved.isEnabled()
    dialog.ours_for_all.click()
    settle(dialog, qtbot)
    assert dialog.merging.merged.merge.made.devices["d2"].name == "leaf-mine"
    dialog.theirs_for_all.click()
    settle(dialog, qtbot)
    assert dialog.merging.merged.merge.made.devices["d1"].name == "leaf-B" and dialog.accept_button.isEnabled()


@pytest.fixture
def issued(tmp_path):
    """Two designs that grew from revision A, each saved since with changes of its own."""
    base = Design()
    for name in ("leaf-1", "leaf-2", "spine-1"):
        add(base, name)
    base.apply(record(base, RevisionOptions(revision="A", date="2026-11-20")))
    ours, theirs = base.snapshot(), base.snapshot()
    ours.apply(operations.rename(ours, "d2", "leaf-C"))
    theirs.apply(operations.rename(theirs, "d1", "leaf-B"))
    paths = tmp_path / "ours.fabric", tmp_path / "theirs.fabric"
    for design, path in zip((ours, theirs), paths, strict=True):
        document.save(design, path)
    return paths


def opened(window, path):
    window.session.open(path)
    window.desk.dialogs.show("merge")
    return window.desk.dialogs["merge"]


def test_the_latest_revision_that_both_recorded_is_the_base(window, issued, qtbot):
    dialog = opened(window, issued[0])
    assert dialog.base_name.text() == "The latest revision that both designs recorded"
    choose(dialog, issued[1], qtbot)
    assert dialog.base_name.text() == "Revision A of 2026-11-20, which both designs recorded"
    assert dialog.summary.text() == "1 device renamed; no conflicts."
    made = dialog.merging.merged.merge.made
    assert {made.devices[one].name for one in ("d1", "d2")} == {"leaf-B", "leaf-C"}
    assert dialog.last_saved.isVisible() and not dialog.common_revision.isVisible()


def test_the_file_as_last_saved_is_the_base_where_somebody_says_so(window, issued, qtbot):
    dialog = opened(window, issued[0])
    assert not dialog.last_saved.isEnabled() and dialog.last_saved.toolTip() == NOTHING_SINCE
    window.session.push(operations.rename(window.session.design, "d3", "spine-A"))
    choose(dialog, issued[1], qtbot)
    dialog.last_saved.click()
    settle(dialog, qtbot)
    assert dialog.base_name.text() == "ours.fabric as it was last saved"
    made = dialog.merging.merged.merge.made
    assert made.devices["d2"].name == "leaf-2"  # as theirs, which is older there
    assert not dialog.last_saved.isVisible()
    dialog.common_revision.click()
    settle(dialog, qtbot)
    assert dialog.merging.merged.merge.made.devices["d2"].name == "leaf-C"
    assert not dialog.common_revision.isVisible()


def test_without_a_common_revision_and_a_saved_file_the_base_has_to_be_chosen(window, issued, qtbot):
    session = window.session
    add(session.design, "leaf-1")
    window.desk.dialogs.show("merge")
    dialog = window.desk.dialogs["merge"]
    choose(dialog, issued[1], qtbot)
    assert dialog.summary.text().endswith(
        "The two designs have no revision in common, yours recorded none and the other recorded A: give the design "
        "that both grew from. Without it, each difference is a conflict for you to decide."
    )
    assert not dialog.accept_button.isEnabled()
    assert dialog.base_name.text() == "None is known: every difference is a conflict"
    assert not dialog.last_saved.isVisible() and not dialog.views.columns[0].isVisible()
    dialog._desk.questions.open_path = lambda *_: issued[0]
    dialog.choose_base.click()
    settle(dialog, qtbot)
    assert dialog.merging.merged is not None and dialog.base_name.text() == "ours.fabric"


def test_the_share_rises_to_the_end_of_a_merge(dialog, files, qtbot):
    shares = []
    merging = dialog.merging
    ours, theirs = dialog._session.snapshot(), document.load(files[1])
    read = read_files(ours, files[1], files[0], shares.append)
    prepared = (ours, *prepare(read.base, ours, theirs, shares.append))
    merged_of(prepared, {}, CATALOG.types, shares.append)
    starts = [number for number, share in enumerate(shares) if share == 0.0]
    for first, after in zip(starts, (*starts[1:], len(shares)), strict=True):
        part = shares[first:after]
        assert part == sorted(part) and part[-1] <= 1.0
    assert len(shares) > 15 and merging.merged is None

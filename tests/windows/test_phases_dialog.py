"""Growth in Phases: a generated design at other sizes, a drawn one by its marks, as table and picture, saved."""

from dataclasses import replace

import pytest

from designer.analysis.new_designs import new_design
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.regeneration.recipes import family_named


@pytest.fixture
def dialog(window, catalog):
    values = {"server": "dgx-h100", "switch": "nvidia-qm9700", "servers": 2}
    window.session.replace(new_design(family_named("fat-tree"), values, catalog, "Pod", "auto").design, None)
    window.actions_table.trigger("fabric.phases")
    dialog = window.dialogs["phases"]
    yield dialog
    dialog.close()


def shown(dialog, qtbot):
    dialog.compute()
    qtbot.waitUntil(lambda: bool(dialog.steps) or bool(dialog.refusal.text()))
    return [(step.name, step.servers) for step in dialog.steps]


def test_a_generated_design_grows_to_the_sizes_that_are_typed(dialog, window, answers, tmp_path, qtbot):
    assert dialog.sizes.text() == "4, 8" and dialog.caption.text() == "Later numbers of servers"
    dialog.sizes.setText("4")
    dialog.form.editors["pull"].setText("10")
    assert shown(dialog, qtbot) == [("Now", 2), ("4 servers", 4)]
    assert dialog.table.rows[1].times.pull == 10 and "4 servers with 32 GPUs" in dialog.remark.text()
    assert dialog.picture.width() > 500
    answers.on_save.append(tmp_path / "plan.html")
    window.session.push(operations.set_settings(window.session.design, name="Rail 256"))
    dialog._save()
    assert answers.asked[-1] == "Save Plan rail-256-phases.html"
    assert "<svg" in (tmp_path / "plan.html").read_text()
    dialog.sizes.setText("many")
    dialog.compute()
    assert "should be whole numbers" in dialog.refusal.text() and not dialog.steps


def test_marks_come_before_sizes_and_follow_edits(dialog, window, qtbot):
    server = list(window.session.design.servers())[1]
    window.session.push(Edit("Mark", (Change(server, replace(server, fields=(("phase", "2"),))),)))
    assert shown(dialog, qtbot) == [("Phase 1", 1), ("Phase 2", 2)]
    assert not dialog.sizes.isEnabled()


def test_a_design_that_was_neither_generated_nor_marked_says_what_to_do(window, add, qtbot):
    add("nvidia-qm9700")
    window.actions_table.trigger("fabric.phases")
    dialog = window.dialogs["phases"]
    dialog.compute()
    assert "give devices a field 'phase'" in dialog.refusal.text()
    dialog.close()

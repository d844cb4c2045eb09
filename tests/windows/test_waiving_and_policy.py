"""Findings are waived, fixed together and weighed by a policy, in the window."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox

from designer.errors import Cancelled
from designer.model import operations, policies
from designer.model.policy import SECOND_PATH, Policy
from designer.session import large_edits
from designer.storage import policies as policy_files
from designer.validation import fixing


@pytest.fixture
def faulty(window, qtbot, catalog):
    """Two leafs with a server each and three names that are given twice."""
    session = window.desk.session
    for number, type_id in enumerate(["generic-switch", "generic-switch", "generic-host", "generic-host"]):
        edit = operations.add_device(
            session.design, catalog.get(type_id), 200.0 * number, 0, catalog_types=catalog.types, name=f"n{number}"
        )
        session.push(edit)
    ids = [session.design.find(f"n{number}").id for number in range(4)]
    session.push(operations.connect_devices(session.design, ids[2], ids[0], 1))
    session.push(operations.connect_devices(session.design, ids[3], ids[1], 1))
    for one in ids[1:]:
        session.push(operations.rename(session.design, one, "n0"))
    settle(window, qtbot)
    return window


def settle(window, qtbot):
    validation = window.desk.session.workbench.validation
    validation.check_all()
    qtbot.waitUntil(lambda: validation.is_current and validation.report is not None, timeout=10_000)


def choose(panel, code, count=1):
    """Select that many rows of a rule."""
    panel.table.clearSelection()
    rows = [n for n, row in enumerate(panel.model.rows) if row.code == code][:count]
    assert len(rows) == count
    for n in rows:
        index = panel.filter.mapFromSource(panel.model.index(n, 0))
        model = panel.table.selectionModel()
        model.setCurrentIndex(index, model.SelectionFlag.Select | model.SelectionFlag.Rows)


def codes(window, waived=False):
    report = window.desk.session.workbench.validation.report
    return [one.code for one in report.findings if (one.waiver is not None) is waived]


def waive(window, qtbot, reason, scope="these"):
    window.actions_table.trigger("check.waive")
    dialog = window.dialogs["waive"]
    qtbot.keyClicks(dialog.reason, reason)
    dialog.scope.setCurrentIndex([one for one, _ in dialog.scope._choices].index(scope))
    dialog.waive.click()
    return dialog


def test_a_finding_is_waived_with_a_reason_and_the_waiver_withdrawn(faulty, qtbot):
    panel = faulty.desk.docks.findings
    before = codes(faulty)
    assert before.count("NAME-001") == 3
    choose(panel, "NAME-001")
    dialog = waive(faulty, qtbot, "a twin by design")
    assert not dialog.isVisible()
    settle(faulty, qtbot)
    assert codes(faulty, waived=True) == ["NAME-001"]
    assert panel.toggles["waived"].text() == "1 waived"
    (row,) = [row for row in panel.model.rows if row.severity == "waived"]
    assert "a twin by design" in row.reason and not row.fix
    choose(panel, "NAME-001", 3)
    panel.table.clearSelection()
    n = panel.model.rows.index(row)
    panel.table.setCurrentIndex(panel.filter.mapFromSource(panel.model.index(n, 0)))
    assert panel.waive.text() == "Withdraw Waiver"
    qtbot.mouseClick(panel.waive, Qt.MouseButton.LeftButton)
    settle(faulty, qtbot)
    assert codes(faulty, waived=True) == [] and codes(faulty) == before
    faulty.desk.session.undo_stack.undo()
    settle(faulty, qtbot)
    assert codes(faulty, waived=True) == ["NAME-001"]


def test_a_waiver_without_a_reason_is_refused_where_it_is_asked_for(faulty, qtbot):
    choose(faulty.desk.docks.findings, "NAME-001")
    dialog = waive(faulty, qtbot, "")
    assert dialog.isVisible()
    assert dialog.refusal.text() == "Reason: say why the finding is accepted."
    assert not faulty.desk.session.design.waivers


def test_one_waiver_accepts_every_finding_of_the_rule(faulty, qtbot):
    choose(faulty.desk.docks.findings, "NAME-001", 2)
    waive(faulty, qtbot, "names come later", "rule")
    settle(faulty, qtbot)
    assert codes(faulty, waived=True) == ["NAME-001"] * 3
    assert len(faulty.desk.session.design.waivers) == 1


def test_all_findings_of_a_rule_are_fixed_as_one_edit(faulty, qtbot):
    panel, session = faulty.desk.docks.findings, faulty.desk.session
    choose(panel, "NAME-001")
    assert panel.fix_all.text() == "Fix all 3 of NAME-001"
    steps = session.undo_stack.index()
    qtbot.mouseClick(panel.fix_all, Qt.MouseButton.LeftButton)
    settle(faulty, qtbot)
    assert "NAME-001" not in codes(faulty)
    assert len({one.name for one in session.design.devices.values()}) == 4
    assert session.undo_stack.index() == steps + 1


def test_a_policy_is_read_from_a_file_applied_and_saved(faulty, qtbot, tmp_path, monkeypatch):
    session = faulty.desk.session
    path = tmp_path / "acme.fabric-policy"
    policy_files.save(Policy("Acme", severities=(("NAME-001", "info"),)), path)
    faulty.actions_table.trigger("check.policy")
    dialog = faulty.dialogs["policy"]
    assert dialog.changes.text() == "Nothing differs from the default."
    monkeypatch.setattr(faulty.desk.questions, "open_path", lambda *_: path)
    dialog.open()
    assert dialog.name.text() == "Acme"
    assert dialog.changes.text() == "Different from the default: severity of 1 rule."
    assert session.design.settings.policy is None  # shown, not applied yet
    dialog.limits.set_text("leaf_oversubscription", "0")
    dialog.do()
    assert "Leaf: a ratio should be above 0" in dialog.refusal.text()
    dialog.limits.set_text("leaf_oversubscription", "2:1")
    dialog.do()
    assert session.design.policy == Policy("Acme", 2.0, severities=(("NAME-001", "info"),))
    settle(faulty, qtbot)
    report = session.workbench.validation.report
    assert {one.severity.value for one in report.findings if one.code == "NAME-001"} == {"info"}
    out = tmp_path / "other"
    monkeypatch.setattr(faulty.desk.questions, "save_path", lambda *_: out)
    dialog.save()
    assert policy_files.load(tmp_path / "other.fabric-policy") == session.design.policy
    session.undo_stack.undo()
    assert session.design.settings.policy is None


def test_a_rule_is_switched_off_with_a_reason_and_without_one_refused(faulty, qtbot):
    session = faulty.desk.session
    faulty.actions_table.trigger("check.policy")
    dialog = faulty.dialogs["policy"]
    n = next(n for n, row in enumerate(dialog.rules.shown.rows) if row.code == "NAME-001")
    dialog.rules.setCurrentIndex(dialog.rules.proxy.mapFromSource(dialog.rules.shown.index(n, 0)))
    dialog.weight.setCurrentIndex(4)
    dialog.weight.activated.emit(4)
    dialog.do()
    assert "say why NAME-001 is switched off" in dialog.refusal.text()
    qtbot.keyClicks(dialog.reason, "twins")
    dialog.do()
    assert session.design.policy.off == (("NAME-001", "twins"),)
    settle(faulty, qtbot)
    assert "NAME-001" not in codes(faulty)
    rows = [row for row in faulty.desk.docks.findings.model.rows if row.code == "NAME-001"]
    assert [row.message for row in rows] == ["Switched off by the policy: twins"]


def test_the_dialog_asks_about_what_is_selected_now_and_refuses_what_is_gone(faulty, qtbot):
    panel, session = faulty.desk.docks.findings, faulty.desk.session
    choose(panel, "NAME-001")
    faulty.actions_table.trigger("check.waive")
    dialog = faulty.dialogs["waive"]
    assert "NAME-001" in dialog.about.text()
    choose(panel, "REACH-001")
    faulty.actions_table.trigger("check.waive")
    assert "REACH-001" in dialog.about.text() and "NAME-001" not in dialog.about.text()
    qtbot.keyClicks(dialog.reason, "later")
    session.push(operations.connect_devices(session.design, *[d.id for d in session.design.switches()], 1))
    settle(faulty, qtbot)
    dialog.waive.click()
    assert dialog.refusal.text() == "The design has changed: select the findings again."
    assert not session.design.waivers


def test_what_is_typed_into_a_policy_stays_while_the_dialog_is_put_away(faulty, qtbot):
    faulty.actions_table.trigger("check.policy")
    dialog = faulty.dialogs["policy"]
    qtbot.keyClicks(dialog.name, "Acme")
    faulty.dialogs.put_away()
    faulty.dialogs.bring_back()
    faulty.actions_table.trigger("check.policy")
    assert dialog.name.text() == "Acme"
    dialog.close()
    faulty.actions_table.trigger("check.policy")
    assert dialog.name.text() == ""


def test_a_policy_is_not_written_over_by_a_suffix_that_was_added(faulty, tmp_path, monkeypatch):
    there = tmp_path / "acme.fabric-policy"
    there.write_text("kept")
    faulty.actions_table.trigger("check.policy")
    dialog = faulty.dialogs["policy"]
    monkeypatch.setattr(faulty.desk.questions, "save_path", lambda *_: tmp_path / "acme")
    dialog.save()
    assert there.read_text() == "kept"
    assert "acme.fabric-policy exists already" in dialog.refusal.text()


def test_fixing_all_of_a_very_large_design_can_be_cancelled(faulty, qtbot, monkeypatch):
    """The worker hears of it between two rules, and leaves the design as it is."""
    session, ended = faulty.desk.session, []

    def slow(_design, _codes, progress, _live):
        ended.append("at it")
        try:
            while True:
                progress(0.0)
                time.sleep(0.001)
        except Cancelled:
            ended.append("cancelled")
            raise

    monkeypatch.setattr(fixing, "fixed", slow)
    monkeypatch.setattr(large_edits, "LARGE_EDIT", 1)
    steps = session.undo_stack.index()
    faulty.actions_table.trigger("check.fix_all")
    assert session.large_edits.waiting
    qtbot.waitUntil(lambda: ended == ["at it"], timeout=20_000)
    session.large_edits.cancel()
    qtbot.waitUntil(lambda: ended == ["at it", "cancelled"], timeout=20_000)
    assert session.undo_stack.index() == steps


def test_networks_with_a_second_path_are_none_of_them_until_they_are_ticked(faulty, qtbot):
    faulty.actions_table.trigger("check.policy")
    dialog, session = faulty.dialogs["policy"], faulty.desk.session
    boxes = dialog.limits.editors["second_path"].findChildren(QCheckBox)
    assert [box.isChecked() for box in boxes] == [False] * len(boxes)
    for box in boxes:
        box.click()
    dialog.apply.click()
    assert session.design.policy.second_path == tuple(word.name for word in SECOND_PATH)
    boxes[0].click()
    dialog.apply.click()
    assert session.design.policy.second_path == tuple(word.name for word in SECOND_PATH[1:])


@pytest.mark.parametrize("leave", ["escape", "button", "frame"])
def test_a_policy_that_was_not_applied_is_not_shown_again(faulty, qtbot, leave):
    faulty.actions_table.trigger("check.policy")
    dialog = faulty.dialogs["policy"]
    qtbot.keyClicks(dialog.name, "Acme")
    dialog._refuse("no such policy")
    if leave == "escape":
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    elif leave == "button":
        dialog.buttons.button(QDialogButtonBox.StandardButton.Close).click()
    else:
        dialog.close()
    assert not dialog.isVisible()
    faulty.actions_table.trigger("check.policy")
    assert dialog.name.text() == "" and dialog.refusal.isHidden()


def test_a_finding_that_was_waived_is_not_fixed_and_not_new_once_it_is_open_again(faulty, qtbot):
    panel, validation = faulty.docks.findings, faulty.desk.session.workbench.validation
    choose(panel, "NAME-001")
    waive(faulty, qtbot, "replaced next year")
    qtbot.waitUntil(lambda: "NAME-001" in codes(faulty, waived=True))
    assert not validation.news.cured
    assert panel.toggles["fixed"].isHidden()
    faulty.desk.session.undo_stack.undo()
    qtbot.waitUntil(lambda: validation.is_current)
    caused = [one.code for one in validation.report.open if validation.news.is_caused(one)]
    assert "NAME-001" in codes(faulty) and caused == []


def test_findings_of_a_rule_that_is_switched_off_are_not_fixed(faulty, qtbot):
    policy = Policy(off=(("NAME-001", "known"),))
    faulty.desk.session.push(policies.set_policy(faulty.desk.session.design, policy))
    qtbot.waitUntil(lambda: faulty.desk.session.workbench.validation.is_current)
    assert "NAME-001" not in codes(faulty) and not faulty.desk.session.workbench.validation.news.cured

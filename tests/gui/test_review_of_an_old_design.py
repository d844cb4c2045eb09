"""A design review of a design of the first release, with mouse and keys: waive, preview, fix, save, other policies."""

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from designer.model.policy import Policy
from designer.storage import policies
from designer.storage.migrations import VERSION

OLD = Path(__file__).with_name("first_release.fabric")
LEFT, NO_KEYS, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
OLDER = Policy(name="Acme 2024", leaf_oversubscription=5.0)
NEWER = Policy(name="Acme 2027", leaf_oversubscription=1.0, spare_ports=3, severities=(("FUTURE-001", "warning"),))


class Reviewer:
    """Hands on the window: every step is a key or a press of the mouse where something is seen."""

    def __init__(self, window, qtbot) -> None:
        self.window, self.qtbot = window, qtbot
        self.panel = window.docks.findings

    def settle(self) -> None:
        """Wait until what is shown is of the design as it stands."""
        validation = self.window.session.workbench.validation
        self.qtbot.waitUntil(lambda: validation.is_current and validation.report is not None, timeout=60_000)

    def key(self, key, modifier=NO_KEYS) -> None:
        QTest.keyClick(self.window.windowHandle(), key, modifier)

    def press(self, widget: QWidget, at: QPoint | None = None, modifier=NO_KEYS) -> None:
        """Click on a widget where it is seen."""
        assert widget.isVisible() and widget.isEnabled()
        spot = widget.rect().center() if at is None else at
        QTest.mouseClick(widget.window().windowHandle(), LEFT, modifier, widget.mapTo(widget.window(), spot))

    def row(self, code: str, modifier=NO_KEYS) -> None:
        """Click on the first finding of a rule in the list."""
        table = self.panel.table
        number = next(n for n, row in enumerate(self.panel.model.rows) if row.code == code and row.finding)
        index = self.panel.filter.mapFromSource(self.panel.model.index(number, 1))
        table.scrollTo(index)
        self.press(table.viewport(), table.visualRect(index).center(), modifier)

    def waive(self, code: str, reason: str) -> None:
        self.row(code)
        self.press(self.panel.waive)
        dialog = self.window.dialogs["waive"]
        self.qtbot.waitExposed(dialog)
        QTest.keyClicks(dialog.reason, reason)
        self.press(dialog.waive)
        self.come_back_from(dialog)

    def use_policy(self, path: Path) -> QWidget:
        """Open a policy by the command palette and the buttons of its dialog, and give it to the design."""
        self.window.desk.questions.path = path
        self.key(Qt.Key.Key_K, CONTROL)
        QTest.keyClicks(self.window.picker.line, "policy")
        QTest.keyClick(self.window.picker.line, Qt.Key.Key_Return)
        dialog = self.window.dialogs["policy"]
        self.qtbot.waitExposed(dialog)
        buttons = dialog.findChild(QDialogButtonBox).buttons()
        self.press(next(one for one in buttons if isinstance(one, QPushButton) and one.text() == "Open…"))
        return dialog

    def come_back_from(self, dialog: QWidget) -> None:
        """Close a dialog, if it has not closed; the window has the keyboard again, as a desktop gives it back."""
        dialog.close()
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)
        self.settle()

    def codes(self, *, waived: bool = False) -> list[str]:
        report = self.window.session.workbench.validation.report
        return sorted(one.code for one in report.findings if (one.waiver is not None) is waived)


@pytest.fixture
def reviewer(window, qtbot, file_path):
    shutil.copy(OLD, file_path)
    made = Reviewer(window, qtbot)
    made.key(Qt.Key.Key_O, CONTROL)
    qtbot.waitUntil(lambda: len(window.session.design.devices) == 6)
    window.docks.show("findings")
    window.docks.give_room("findings", 300)
    made.settle()
    return made


def write(folder: Path, policy: Policy) -> Path:
    path = folder / f"{policy.name}.fabric-policy"
    policies.save(policy, path)
    return path


def test_an_old_design_is_reviewed_fixed_saved_and_checked_against_other_policies(reviewer, window, file_path, qtbot):
    session, panel, bar = window.session, reviewer.panel, window.construction
    assert session.design.policy.leaf_oversubscription == 2.0  # as its settings said in that version
    assert reviewer.codes() == ["NAME-001"] * 3 + ["OVER-001", "SPOF-002"]

    # Two findings are accepted, each with a reason.
    reviewer.waive("OVER-001", "two more uplinks are ordered")
    reviewer.waive("SPOF-002", "a lab")
    assert reviewer.codes(waived=True) == ["OVER-001", "SPOF-002"]
    assert panel.toggles["waived"].text().startswith("2")

    # The names: previewed by a key for one, with the mouse for all of the rule, and fixed as one edit.
    reviewer.row("NAME-001")
    reviewer.key(Qt.Key.Key_Space)
    qtbot.waitUntil(bar.isVisible, timeout=5000)
    assert bar.text.text() == "Renames 1 leaf switch."
    reviewer.key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not bar.isVisible())
    reviewer.press(panel.detail.preview_all)
    qtbot.waitUntil(bar.isVisible, timeout=5000)
    assert bar.text.text() == "Renames 1 leaf switch and 2 servers. Fixes 3 of 3 findings."
    steps = session.undo_stack.count()
    reviewer.press(bar.do_button)
    reviewer.settle()
    assert session.undo_stack.count() == steps + 1
    assert reviewer.codes() == []
    assert len({device.name for device in session.design.devices.values()}) == 6

    # Saved in the format of today, and opened again as it was.
    reviewer.key(Qt.Key.Key_S, CONTROL)
    assert json.loads(file_path.read_text())["version"] == VERSION
    entities = list(session.design.entities())
    reviewer.key(Qt.Key.Key_N, CONTROL)
    assert not session.design.devices
    reviewer.key(Qt.Key.Key_O, CONTROL)
    reviewer.settle()
    assert list(session.design.entities()) == entities
    assert (reviewer.codes(), reviewer.codes(waived=True)) == ([], ["OVER-001", "SPOF-002"])

    # An older policy allows more: one waiver accepts nothing any more.
    dialog = reviewer.use_policy(write(file_path.parent, OLDER))
    reviewer.press(dialog.apply)
    reviewer.come_back_from(dialog)
    assert (reviewer.codes(), reviewer.codes(waived=True)) == (["DOC-001"], ["SPOF-002"])

    # A newer one allows less: what was accepted stays so, what is new is open; a rule of later is kept in mind.
    dialog = reviewer.use_policy(write(file_path.parent, NEWER))
    reviewer.press(dialog.apply)
    reviewer.come_back_from(dialog)
    assert reviewer.codes() == ["OVER-001", "PORT-008"]
    assert reviewer.codes(waived=True) == ["OVER-001", "SPOF-002"]
    assert session.design.policy == NEWER
    assert window.session.dirty


def test_a_policy_of_a_later_program_is_refused_with_a_sentence_and_the_design_stays(reviewer, window, file_path):
    before = window.session.design.policy
    path = file_path.parent / "Acme 2040.fabric-policy"
    path.write_text('{"format": "fabric-policy", "version": 99,\n"name": "Acme 2040"\n}\n')
    dialog = reviewer.use_policy(path)
    assert dialog.refusal.isVisible() and "Acme 2040.fabric-policy" in dialog.refusal.text()
    reviewer.come_back_from(dialog)
    assert window.session.design.policy == before

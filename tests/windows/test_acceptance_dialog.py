"""The acceptance dialog in the real window: expected values, logs, explanations that lead to links, and the folder."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from designer.regeneration import recipes
from designer.topologies.rail_optimized import RailOptimizedParameters

sys.path.insert(0, str(Path(__file__).parents[1] / "measurements"))
import logs

PATIENCE_MS = 60_000


@pytest.fixture
def dialog(window):
    session = window.session
    parameters = RailOptimizedParameters(server="dgx-h100", servers=4, servers_per_su=2)
    session.push(recipes.generated(session.design, recipes.family_named("rail-optimized"), parameters, session.catalog))
    window.actions_table.trigger("study.acceptance")
    made = window.dialogs["acceptance"]
    made.form.set_text("sizes", "1GiB:2GiB")
    return made


def log_of(path: Path, part: str, busbw: float) -> Path:
    rows = [(size, size / busbw / 1e3, busbw, busbw) for size in (2**30, 2**31)]
    path.write_text(logs.nccl_log(rows, part))
    return path


def compared(dialog, qtbot):
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.run_button.text() == "Compare", timeout=PATIENCE_MS)
    return dialog.found


def test_what_each_part_should_measure_is_listed_and_written(dialog, qtbot, tmp_path):
    assert not dialog.write_button.isEnabled()
    found = compared(dialog, qtbot)
    assert [dialog.parts.texts(n)[0] for n in range(3)] == ["Whole fabric", "Unit 1", "Unit 2"]
    assert found.diagnosis is None
    assert not dialog.causes.isVisibleTo(dialog)
    dialog.write(tmp_path)
    assert (tmp_path / "acceptance.json").exists()
    dialog.write(tmp_path / "acceptance.json")
    assert "cannot be written" in dialog.refusal.text()
    dialog.form.set_text("tolerance", "much")
    assert dialog.found is None
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert "Tolerance" in dialog.refusal.text()


def test_logs_that_fall_short_are_explained_and_lead_to_the_links(dialog, window, qtbot, tmp_path):
    slow, fine = log_of(tmp_path / "rail2.log", "rail 2", 24.0), log_of(tmp_path / "rail3.log", "rail 3", 48.0)
    dialog.show_logs((slow, log_of(tmp_path / "whole.log", "whole", 190.0), fine))
    compared(dialog, qtbot)
    assert [dialog.parts.texts(n)[-1] for n in range(3)] == ["falls short", "falls short", "accepted"]
    assert dialog.conclusion.text().startswith("2 of 3 measurements fall short")
    best = dialog.found.diagnosis.best
    assert "rail2" in best.title or "Rail 2" in best.title
    dialog.causes.chosen.emit(best)
    assert window.session.selection == frozenset(best.ids)
    dialog.show_logs(())
    assert dialog.found is None
    assert dialog.names.text() == "none yet"


def test_a_log_of_no_use_is_refused_in_a_sentence(dialog, qtbot, tmp_path):
    path = tmp_path / "x.log"
    path.write_text("nothing")
    dialog.show_logs((path,))
    compared(dialog, qtbot)
    assert dialog.refusal.text().startswith("x.log holds no measurement")
    assert dialog.refusal.text().endswith(".")


def test_constants_are_fitted_to_logs_and_written(dialog, qtbot, tmp_path):
    path = tmp_path / "own.yaml"
    dialog.show_logs((log_of(tmp_path / "a.log", "whole", 330.0), log_of(tmp_path / "b.log", "unit 1", 340.0)))
    dialog.calibrate(path)
    qtbot.waitUntil(lambda: dialog.run_button.text() == "Compare", timeout=PATIENCE_MS)
    assert "ideal model has no constants" in dialog.refusal.text()
    dialog.form.set_text("model", "nccl")
    dialog.calibrate(path)
    qtbot.waitUntil(lambda: dialog.run_button.text() == "Compare", timeout=PATIENCE_MS)
    assert path.read_text().count("library: nccl") == 1
    assert "Time measured over predicted" in dialog.conclusion.text()
    assert [dialog.parts.texts(n)[1] for n in range(4)] == ["all-reduce"] * 4


def test_a_log_that_is_dropped_on_the_window_lies_over_the_curves(dialog, window, qtbot, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(log_of(tmp_path / "whole.log", "whole", 190.0)))])
    how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(5, 5), *how))
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), *how))
    curves = window.session.workbench.curves
    qtbot.waitUntil(lambda: curves.state in ("current", "failed"), timeout=PATIENCE_MS)
    assert curves.state == "current", curves.error
    assert window.docks.studies.curve.logs.text() == "whole.log"
    assert curves.overlaid[0].rows[0].measured_gbytes_per_s == 190.0

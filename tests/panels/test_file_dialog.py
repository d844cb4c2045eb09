"""A path that is typed into a file dialog opens that file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from designer.panels.widgets import file_dialog

FLAG = QItemSelectionModel.SelectionFlag


def _in_dialog(then: Callable[[QFileDialog], None]) -> None:
    def begin() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        then(dialog)
        if dialog.isVisible():
            dialog.reject()

    QTimer.singleShot(200, begin)


@pytest.fixture
def design(tmp_path: Path) -> Path:
    folder = tmp_path / "designs"
    folder.mkdir()
    path = folder / "theirs.fabric"
    path.write_text("{}")
    return path


@pytest.mark.parametrize("name", ["theirs.fabric", "new.fabric"])
def test_a_typed_path_is_chosen_without_the_folder_that_was_selected_on_the_way(
    design: Path, tmp_path: Path, qtbot: QtBot, name: str
) -> None:
    dialog = QFileDialog(None, "Compare with", str(tmp_path))
    qtbot.addWidget(dialog)
    file_dialog.prefer_typed_paths(dialog)
    field, files = dialog.findChild(QLineEdit, "fileNameEdit"), dialog.findChild(QListView, "listView")
    model = dialog.findChild(QFileSystemModel)
    assert field is not None and files is not None and model is not None
    files.selectionModel().select(model.index(str(design.parent)), FLAG.Select | FLAG.Rows)

    field.setText(str(design.with_name(name)))

    assert dialog.selectedFiles() == [str(design.with_name(name))]


def test_a_chosen_file_is_opened(design: Path, qtbot: QtBot) -> None:
    _in_dialog(lambda dialog: dialog.accept())

    assert file_dialog.opened_files(None, "Open", str(design), several=False) == [str(design)]


def test_the_suggested_file_is_saved_to(design: Path, qtbot: QtBot) -> None:
    new = str(design.with_name("new.fabric"))
    _in_dialog(lambda dialog: dialog.accept())

    assert file_dialog.saved_file(None, "Save as", new, "Designs (*.fabric)") == new


def test_a_folder_is_chosen(design: Path, qtbot: QtBot) -> None:
    _in_dialog(lambda dialog: dialog.accept())

    assert file_dialog.opened_folder(None, "Folder of runs", str(design.parent)) == str(design.parent)


def test_a_cancelled_dialog_chooses_nothing(design: Path, qtbot: QtBot) -> None:
    _in_dialog(lambda dialog: dialog.reject())

    assert file_dialog.opened_files(None, "Open", str(design), several=False) == []

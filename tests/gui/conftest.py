"""The real main window, driven by real mouse and keyboard events."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from disposal import dispose_of_window
from PySide6.QtGui import QGuiApplication

from designer.catalog.catalog import load
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.windows.dialogs.questions import Questions
from designer.windows.shell.main_window import MainWindow


class ChosenFile(Questions):
    """Stands for the platform's file chooser: one file, to save to and to open."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def open_path(self, title: str, folder: str, file_filter: str) -> Path:
        return self.path

    def save_path(self, title: str, suggestion: str, file_filter: str) -> Path:
        return self.path


@pytest.fixture
def file_path(tmp_path: Path) -> Path:
    return tmp_path / "drawn.fabric"


@pytest.fixture
def window(qtbot, qapp, icons, tmp_path: Path, file_path: Path) -> Iterator[MainWindow]:
    catalog = load()
    preferences = Preferences(tmp_path / "window.ini")
    window = MainWindow(Session(catalog), preferences, Appearance(qapp, "light", icons), ChosenFile(file_path))
    window.resize(1600, 1000)
    window.show()
    qtbot.waitExposed(window)
    window.views.show_canvas()
    window.activateWindow()
    qtbot.wait(50)
    yield window
    QGuiApplication.clipboard().clear()  # the platform would let go of it after Python has ended
    dispose_of_window(window, window.session)

"""The dialogs of a window: each made when first shown, then kept; none blocks the window."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow


def _generate(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.generate import GenerateDialog

    return GenerateDialog(window)


def _regenerate(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.regenerate import RegenerateDialog

    return RegenerateDialog(window)


def _networks(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.networks import NetworksDialog

    return NetworksDialog(window)


def _room(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.room import RoomDialog

    return RoomDialog(window)


def _catalog(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.catalog import CatalogDialog

    return CatalogDialog(window)


def _training(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.training import TrainingDialog

    return TrainingDialog(window)


def _settings(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.settings import SettingsDialog

    return SettingsDialog(window)


def _shortcuts(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.shortcuts import ShortcutsDialog

    return ShortcutsDialog(window)


def _about(window: "MainWindow") -> QDialog:
    from designer.windows.dialogs.about import AboutDialog

    return AboutDialog(window)


MAKERS: dict[str, Callable[["MainWindow"], QDialog]] = {
    "generate": _generate,
    "regenerate": _regenerate,
    "networks": _networks,
    "room": _room,
    "catalog": _catalog,
    "training": _training,
    "settings": _settings,
    "shortcuts": _shortcuts,
    "about": _about,
}


class OpenDialogs:
    """Shows dialogs by name."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._made: dict[str, QDialog] = {}

    def show(self, name: str) -> None:
        dialog = self._made.get(name)
        if dialog is None:
            dialog = self._made[name] = MAKERS[name](self._window)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def __getitem__(self, name: str) -> QDialog:
        """A dialog that has been shown."""
        return self._made[name]

    def close_all(self) -> None:
        for dialog in self._made.values():
            dialog.close()

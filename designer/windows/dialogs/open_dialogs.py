"""The dialogs of a window: each made when first shown, then kept; none blocks the window."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog


class OpenDialogs:
    """Shows dialogs by name; `make` makes the one of a name."""

    def __init__(self, make: Callable[[str], QDialog]) -> None:
        self._make = make
        self._made: dict[str, QDialog] = {}

    def show(self, name: str) -> None:
        dialog = self._made.get(name)
        if dialog is None:
            dialog = self._made[name] = self._make(name)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def __getitem__(self, name: str) -> QDialog:
        """A dialog that has been shown."""
        return self._made[name]

    def close_all(self) -> None:
        for dialog in self._made.values():
            dialog.close()

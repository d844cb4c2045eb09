"""The dialogs of a window: each made when first shown, then kept; none blocks the window."""

from collections.abc import Callable
from typing import Protocol, cast, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox

from designer.panels.widgets.fitting import keep_on_screen, scroll_inside
from designer.windows.guide import topics

GUIDE = "guide"
GUIDE_KEY = "F1"
SHARED = ("explore",)
"""Dialogs that belong to no design: all tabs have the same one, which stays where it is when another tab is shown."""


@runtime_checkable
class Guide(Protocol):
    """The dialog that shows the guide."""

    def show_topic(self, topic: str) -> None:
        """Bring the section of "page#anchor" into view."""


class OpenDialogs:
    """Shows dialogs by name; `make` makes the one of a name. Each but the guide leads to its page of the guide.

    `shared` has those that all tabs of a window have together; a window without tabs has all for itself. `closed` is
    called when one is closed.
    """

    def __init__(
        self,
        make: Callable[[str], QDialog],
        shared: dict[str, QDialog] | None = None,
        closed: Callable[[], None] = lambda: None,
    ) -> None:
        self._make, self._closed = make, closed
        self._made: dict[str, QDialog] = {}
        self._shared = self._made if shared is None else shared
        self._away: list[QDialog] = []

    def show(self, name: str) -> None:
        """Bring the dialog to the front, made if need be."""
        made = self._shared if name in SHARED else self._made
        dialog = made.get(name)
        if dialog is None:
            dialog = made[name] = self._make(name)
            if name != GUIDE and topics.of_widget(dialog):
                self._lead_to_guide(dialog)
            scroll_inside(dialog)
            dialog.finished.connect(lambda _result: self._closed())
        dialog.show()
        keep_on_screen(dialog)
        dialog.raise_()
        dialog.activateWindow()

    def show_guide(self, topic: str) -> None:
        """Open the guide at "page#anchor"."""
        self.show(GUIDE)
        cast(Guide, self._made[GUIDE]).show_topic(topic)

    def _lead_to_guide(self, dialog: QDialog) -> None:
        def explain() -> None:
            inside = QApplication.focusWidget()
            is_inside = inside is not None and dialog.isAncestorOf(inside)
            self.show_guide(topics.of_widget(inside if is_inside else dialog))

        QShortcut(QKeySequence(GUIDE_KEY), dialog, explain)
        buttons = dialog.findChild(QDialogButtonBox)
        if buttons is not None:
            buttons.addButton(QDialogButtonBox.StandardButton.Help).clicked.connect(explain)

    def __getitem__(self, name: str) -> QDialog:
        """A dialog that has been shown."""
        return (self._shared if name in SHARED else self._made)[name]

    def put_away(self) -> None:
        """Hide the dialogs that are open, while another design is at work in the window."""
        self._away = [one for one in self._made.values() if one.isVisible()]
        for one in self._away:
            one.setVisible(False)

    def bring_back(self) -> None:
        """Show again what `put_away` hid; the focus stays where it is."""
        away, self._away = self._away, []
        for one in away:
            one.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            one.setVisible(True)
            one.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)

    def close_all(self) -> None:
        """Close every dialog that is open, but those that other tabs have too."""
        for dialog in self._made.values():
            dialog.close()

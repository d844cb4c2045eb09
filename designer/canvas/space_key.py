"""Space, held to pan: a view's own, and that of a panel with the keyboard while the mouse is at work over the view."""

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

PRESSES = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
TEXTS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)


class SpaceKey(QObject):
    """Whether Space is held over a view.

    Where text is typed, Space stays. A list or button gives it up from when the mouse moves over the view until another
    key is pressed there, so that those who work with the keyboard alone lose nothing.
    """

    changed = Signal()

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.held = False
        self._view = view
        self._watched: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    def take(self, event: QKeyEvent) -> bool:
        """Hold or release; returns whether the event was one of Space."""
        if event.key() != Qt.Key.Key_Space:
            return False
        if event.type() != QEvent.Type.ShortcutOverride and not event.isAutoRepeat():
            self._hold(event.type() == QEvent.Type.KeyPress)
        event.accept()
        return True

    def release(self) -> None:
        """As if Space had been let go."""
        self._hold(False)

    def mouse_over(self) -> None:
        """The mouse moved over the view: what has the keyboard gives up its Space, unless text is typed there."""
        has_keyboard = QApplication.focusWidget() or self._view.window()
        self._watch(None if has_keyboard is self._view or _takes_text(has_keyboard) else has_keyboard)

    def mouse_gone(self) -> None:
        """The mouse left the view; a Space that is held is still waited for."""
        if not self.held:
            self._watch(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Space from the list or button that has the keyboard; any other key pressed there gives it back."""
        if watched is not self._watched:
            return False
        if isinstance(event, QFocusEvent) and event.reason() is Qt.FocusReason.PopupFocusReason:
            self.release()  # a menu that opens takes the keyboard, not the focus
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() not in PRESSES:
            return self.held and self.take(event)
        if event.key() == Qt.Key.Key_Space and self._view.isVisible():
            return self.take(event)
        self._watch(None)
        return False

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not self._watched:
            self._watch(None)
            if now is not self._view:
                self.release()

    def _watch(self, widget: QWidget | None) -> None:
        if widget is self._watched:
            return
        if self._watched is not None and shiboken6.isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._watched = widget
        if widget is not None:
            widget.installEventFilter(self)

    def _hold(self, held: bool) -> None:
        if held != self.held:
            self.held = held
            self.changed.emit()


def _takes_text(widget: QWidget) -> bool:
    return isinstance(widget, TEXTS) or (isinstance(widget, QComboBox) and widget.isEditable())

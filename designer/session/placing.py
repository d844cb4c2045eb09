"""How many of a type come next from the palette: typed before or during a drag, seen by palette and canvas."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from designer.model.images import Picture
from designer.model.several import MOST_AT_ONCE, ONE, Wanted

DIGITS = "0123456789"
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class Placing(QObject):
    """The count and name of what is placed next; both are forgotten once it is placed or given up."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.wanted: Wanted = ONE
        self.picture: Picture | None = None
        """What the tool for images puts on the canvas: the one that was chosen last."""
        self._typed = ""

    def ask(self, wanted: Wanted) -> None:
        """Want so many, named so."""
        self._typed = ""
        if wanted != self.wanted:
            self.wanted = wanted
            self.changed.emit()

    @property
    def is_typed(self) -> bool:
        """Whether the count was typed digit by digit."""
        return bool(self._typed)

    def forget(self) -> None:
        """Want one again, under a name that is counted up."""
        self.ask(ONE)

    def take(self, event: QKeyEvent) -> bool:
        """Add a digit that was pressed to the count, or take the last one off; returns whether the key was for it."""
        if event.modifiers() not in PLAIN:
            return False
        if event.key() == Qt.Key.Key_Backspace and self._typed:
            typed = self._typed[:-1]
        elif event.text() and event.text() in DIGITS and (self._typed or event.text() != "0"):
            typed = self._typed + event.text()
            if int(typed) > MOST_AT_ONCE:
                typed = str(MOST_AT_ONCE)
        else:
            return False
        self.ask(Wanted(int(typed or 1), self.wanted.name))
        self._typed = typed
        return True

    # -- while something is dragged -------------------------------------------------------------------------------

    def follow_keys(self) -> None:
        """Count what is typed anywhere, until `leave_keys`: during a drag no widget is sent keys."""
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    def leave_keys(self) -> None:
        """Leave keys to the widgets again."""
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take digits and Backspace."""
        return event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.take(event)

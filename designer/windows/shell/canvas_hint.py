"""What the empty canvas says: how to begin."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.panels.widgets.labels import label
from designer.session.session import Session

LINES = (
    "Drag switches and servers from the palette on the left, or press Enter on one.",
    "Drag from the dot on a device's edge to another device: their next free matching ports are connected.",
    "Press F5 to run an all-reduce over the fabric; F6 updates the link loads after every edit.",
    "Ctrl+Shift+N generates a whole fabric. Ctrl+K finds any command.",
)


class CanvasHint(QWidget):
    """Lies over the canvas while nothing is drawn; the mouse goes through it."""

    def __init__(self, canvas: QWidget, session: Session) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._session = session
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setObjectName("canvas-hint")
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(1)
        for number, text in enumerate(("Draw a fabric", *LINES)):
            line = label(text, "heading" if number == 0 else "muted")
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(line)
        column.addStretch(1)
        canvas.installEventFilter(self)
        self.refresh()

    def refresh(self) -> None:
        """Show the hint over all of the canvas where the design has nothing to draw."""
        design = self._session.design
        self.setVisible(not (design.devices or design.racks or design.annotations))
        self.setGeometry(self._canvas.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the canvas."""
        if watched is self._canvas and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._canvas.rect())
        return super().eventFilter(watched, event)

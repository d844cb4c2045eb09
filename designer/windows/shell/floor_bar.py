"""The bar over the floor plan: what can be drawn on it."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from designer.canvas.room.floor_view import FloorView
from designer.panels.widgets.labels import label
from designer.windows.commands.actions import Actions

HEIGHT_PX = 36
HINT = "Drag to draw; click the corners of a tray, and double-click or press Esc to end it."


class FloorBar(QFrame):
    """A button for each tool of the floor; as wide as the view."""

    def __init__(self, view: FloorView, actions: Actions, action_ids: tuple[str, ...]) -> None:
        super().__init__(view)
        self._view = view
        self.setProperty("surface", "bar")
        self.setObjectName("floor-bar")
        self.hint = label(HINT, "muted")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 2, 12, 2)
        line.setSpacing(4)
        line.addWidget(label("Draw", "muted"))
        for action_id in action_ids:
            actions[action_id].setIconText(actions.rows[action_id].text.removeprefix("Insert "))  # here alone
            button = QToolButton()
            button.setDefaultAction(actions[action_id])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            line.addWidget(button)
        line.addWidget(self.hint)
        line.addStretch(1)
        view.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the view."""
        if watched is self._view and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        self.setGeometry(0, 0, self._view.width(), HEIGHT_PX)
        room = self._view.width() - sum(button.sizeHint().width() for button in self.findChildren(QToolButton))
        self.hint.setVisible(room >= self.hint.sizeHint().width() + self.hint.fontMetrics().height() * 6)

"""The bar over the floor plan: what can be drawn on it."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton

from designer.canvas.room.floor_view import FloorView
from designer.panels.widgets.labels import label
from designer.windows.commands.actions import Actions

HEIGHT_PX, MARGIN_PX, GAP_PX = 36, 12, 4
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
        line.setContentsMargins(MARGIN_PX, 2, MARGIN_PX, 2)
        line.setSpacing(GAP_PX)
        self._title = label("Draw", "muted")
        line.addWidget(self._title)
        self._buttons: list[QToolButton] = []
        for action_id in action_ids:
            actions[action_id].setIconText(actions.rows[action_id].text.removeprefix("Insert "))  # here alone
            button = QToolButton()
            button.setDefaultAction(actions.in_sight(action_id))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            self._buttons.append(button)
            line.addWidget(button)
        self.more = QToolButton()
        self.more.setText("»")
        self.more.setToolTip("More to draw")
        self.more.clicked.connect(self._show_more)
        line.addWidget(self.more)
        line.addWidget(self.hint)
        line.addStretch(1)
        view.installEventFilter(self)
        view.over.append(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the view."""
        if watched is self._view and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        self.setGeometry(0, 0, self._view.width(), HEIGHT_PX)
        widths = [button.sizeHint().width() + GAP_PX for button in self._buttons]
        room = self._view.width() - sum(widths) - 2 * MARGIN_PX
        self._title.setVisible(room >= self._title.sizeHint().width())
        self.more.setVisible(room < 0)
        left = self._view.width() - 2 * MARGIN_PX - (self.more.sizeHint().width() if room < 0 else 0)
        for button, width in zip(self._buttons, widths, strict=True):
            left -= width
            button.setVisible(left >= 0)
        self.hint.setVisible(room >= self.hint.sizeHint().width() + self.hint.fontMetrics().height() * 6)

    def more_menu(self) -> QMenu:
        """The tools whose buttons do not fit."""
        menu = QMenu(self)
        menu.addActions([button.defaultAction() for button in self._buttons if button.isHidden()])
        return menu

    def _show_more(self) -> None:
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

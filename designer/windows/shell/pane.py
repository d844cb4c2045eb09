"""A pane: one view of the design under a line that says where in the design one is."""

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from designer.model.shown_text import plain_text
from designer.panels.bookmarks import VIEW_TITLES
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel
from designer.windows.shell.crumbs import Crumbs
from designer.windows.shell.pane_layout import SECOND

BUTTONS = (
    ("split", "split-right", "Show another view to the right (Ctrl+\\)"),
    ("close", "close", "Close this pane (Ctrl+Shift+W)"),
)
ICON = QSize(14, 14)
TITLES = {**VIEW_TITLES, SECOND: "Second canvas"}


class Pane(QFrame):
    """`wanted` carries the name of another view to show here; `pressed` what a button asks for."""

    wanted = Signal(str)
    pressed = Signal(str)

    def __init__(self, name: str, view: QWidget, appearance: Appearance) -> None:
        super().__init__()
        self.name, self.view = name, view
        self._appearance = appearance
        self.bar = QFrame()
        self.bar.setProperty("surface", "pane-bar")
        self.crumbs = Crumbs(appearance)
        self.choice = QToolButton()
        self.choice.setProperty("kind", "crumb")
        self.choice.setText(TITLES[name])
        self.choice.setFixedWidth(self._choice_width())
        self.choice.setToolTip("Show another view here")
        self.choice.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.choice.setIconSize(ICON)
        self.choice.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.choice.clicked.connect(self._show_views)
        self.buttons: dict[str, QToolButton] = {}
        line = QHBoxLayout(self.bar)
        line.setContentsMargins(6, 1, 4, 1)
        line.setSpacing(4)
        line.addWidget(self.choice)
        line.addWidget(self.crumbs, 1)
        self.outcome = ElidedLabel(kind="muted")
        """What came of a run, while another design with one is next to this."""
        self.outcome.hide()
        line.addWidget(self.outcome, 1)
        for button_id, _, tip in BUTTONS:
            button = QToolButton()
            button.setProperty("kind", "quiet")
            button.setIconSize(ICON)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setToolTip(plain_text(tip))
            button.setAccessibleName(tip.partition(" (")[0])
            button.clicked.connect(partial(self.pressed.emit, button_id))
            self.buttons[button_id] = button
            line.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(view, 1)
        appearance.changed.connect(self._recolour)
        self._recolour()

    def show_state(self, *, is_alone: bool, is_marked: bool, has_bar: bool, may_split: bool) -> None:
        """Mark the pane that commands are about, where there are several."""
        self.bar.setVisible(has_bar)
        self.choice.setVisible(not is_alone)
        self.buttons["close"].setVisible(not is_alone)
        self.buttons["split"].setVisible(may_split)
        mark = "active" if is_marked else ""
        if self.bar.property("mark") != mark:
            self.bar.setProperty("mark", mark)
            self.style().unpolish(self.bar)
            self.style().polish(self.bar)

    def show_outcome(self, *texts: str) -> None:
        """Say what came of a run, the longest text first; nothing for none or an empty one."""
        self.outcome.set_text(*(texts or ("",)))
        self.outcome.setVisible(any(texts))

    def views_menu(self) -> QMenu:
        """The views that can be shown here."""
        menu = QMenu(self)
        for name, title in TITLES.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(name == self.name)
            action.triggered.connect(partial(self.wanted.emit, name))
        return menu

    def _show_views(self) -> None:
        menu = self.views_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.choice.mapToGlobal(self.choice.rect().bottomLeft()))

    def _choice_width(self) -> int:
        return self.choice.fontMetrics().horizontalAdvance(self.choice.text()) + ICON.width() + 16

    def changeEvent(self, event: QEvent) -> None:
        """Keep room for the name of the view in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.choice.setFixedWidth(self._choice_width())

    def _recolour(self) -> None:
        self.choice.setIcon(self._appearance.icon("chevron-down", "muted"))
        for button_id, icon, _ in BUTTONS:
            self.buttons[button_id].setIcon(self._appearance.icon(icon, "muted"))

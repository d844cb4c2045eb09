"""The pane of another design, under a line with its name and what came of its run."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QVBoxLayout

from designer.canvas.look_view import LookView
from designer.drawing.heat import Heat
from designer.model.shown_text import plain_text, visible_line
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel
from designer.session.session import Session
from designer.windows.commands.access_keys import literal

ICON = QSize(14, 14)
MOST_NAME_PX = 320


def run_texts(heat: Heat | None, other: Heat | None) -> tuple[str, ...]:
    """What came of a run, then of what traffic, ever shorter; the traffic first where the other design has another."""
    if heat is None:
        return ("",)
    outcomes = *heat.outcome, heat.outcome[-1].partition(",")[0] if heat.outcome else ""
    if other is not None and other.label != heat.label:
        label = f"Different traffic: {heat.label}"
        return *(" · ".join(filter(None, (label, one))) for one in outcomes), label
    return tuple(" · ".join(filter(None, (one, heat.label))) for one in outcomes)


class BesidePane(QFrame):
    """`chosen` carries the session of another design to show here; `linked` whether both move together."""

    chosen = Signal(object)
    linked = Signal(bool)
    closed = Signal()

    def __init__(self, session: Session, appearance: Appearance, others: Callable[[], Sequence[Session]]) -> None:
        """`others` says which designs can be shown here, this one among them."""
        super().__init__()
        self.session, self._appearance, self._others = session, appearance, others
        self.view = LookView(session)
        self.view.set_theme(appearance.theme)
        self.bar = QFrame()
        self.bar.setProperty("surface", "pane-bar")
        self.name = self._button("Show another design here", "crumb")
        self.name.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.name.clicked.connect(self._show_designs)
        self.outcome = ElidedLabel(kind="muted")
        self.together = self._button("Move Both Together: zoom and pan are the same in both", "quiet")
        self.together.setCheckable(True)
        self.together.clicked.connect(self.linked)
        self.close_button = self._button("Close this pane; the design stays open (Ctrl+Alt+B)", "quiet")
        self.close_button.clicked.connect(self.closed)
        line = QHBoxLayout(self.bar)
        line.setContentsMargins(6, 1, 4, 1)
        line.setSpacing(4)
        line.addWidget(self.name)
        line.addWidget(self.outcome, 1)
        line.addWidget(self.together)
        line.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.view, 1)
        for signal in (session.reset, session.path_changed, session.dirty_changed, session.changed):
            signal.connect(self._show_name)
        appearance.changed.connect(self._recolour)
        self._show_name()
        self._recolour()

    def show_heat(self, heat: Heat | None, other: Heat | None = None) -> None:
        """Say what came of the run that the links are colored by, next to the other design and its run."""
        self.outcome.set_text(*run_texts(heat, other))

    def designs_menu(self) -> QMenu:
        """The designs that can be shown here."""
        menu = QMenu(self)
        for session in self._others():
            action = menu.addAction(literal(visible_line(session.name)))
            action.setCheckable(True)
            action.setChecked(session is self.session)
            action.triggered.connect(partial(self.chosen.emit, session))
        return menu

    def _show_designs(self) -> None:
        menu = self.designs_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.name.mapToGlobal(self.name.rect().bottomLeft()))

    def _button(self, tip: str, kind: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", kind)
        button.setIconSize(ICON)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip(plain_text(tip))
        button.setAccessibleName(tip.partition(" (")[0])
        return button

    def _show_name(self, *_changed: object) -> None:
        name = visible_line(self.session.name)
        shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, MOST_NAME_PX)
        self.name.setText(literal(shown))
        self.name.setToolTip(plain_text(f"{name}\nShow another design here"))

    def _recolour(self) -> None:
        self.view.set_theme(self._appearance.theme)
        for button, icon in ((self.name, "chevron-down"), (self.together, "link"), (self.close_button, "close")):
            button.setIcon(self._appearance.icon(icon, "muted"))

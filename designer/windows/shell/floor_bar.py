"""What lies over the views of the room: what can be drawn on the floor, and what is in no rack."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton

from designer.analysis.tiers import counted_devices
from designer.canvas.room.floor_view import FloorView
from designer.canvas.room.room_view import RoomView
from designer.model.design import Design
from designer.model.records import ordered
from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import label
from designer.session.timers import later
from designer.windows.commands.actions import Actions

HEIGHT_PX, MARGIN_PX, GAP_PX = 36, 12, 4
FOOT_PX, COUNT_MS = 6, 60
"""Below the note of what is in no rack; and when that is counted after an edit, of several once."""
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


def in_no_rack(design: Design) -> tuple[str, ...]:
    """Ids of the devices that no rack holds, in the order of the design."""
    places = design.placements
    return tuple(one.id for one in ordered(design.devices) if (at := places.get(one.id)) is None or at.rack_id is None)


class InNoRack(QFrame):
    """At the foot of a view of racks, how many devices it does not show, as they are in none; hidden where all are."""

    def __init__(self, view: RoomView, mount: Callable[[], None]) -> None:
        super().__init__(view)
        self._view, self._session, self._mount = view, view.session, mount
        self.setProperty("surface", "bar")
        self.setObjectName("in-no-rack")
        self.ids: tuple[str, ...] = ()
        self.text = label("")
        self.select, self.put = QToolButton(), QToolButton()
        for button, words, tip, run in (
            (self.select, "Select", "Select the devices that are in no rack", self._select_them),
            (self.put, "Put into Racks…", "Mount them in new racks, with a preview", self._put_them),
        ):
            button.setText(words)
            button.setToolTip(plain_text(tip))
            button.clicked.connect(run)
        line = QHBoxLayout(self)
        line.setContentsMargins(MARGIN_PX, 2, GAP_PX, 2)
        line.setSpacing(GAP_PX)
        for one in (self.text, self.select, self.put):
            line.addWidget(one)
        self._count = later(self, COUNT_MS, self.count)
        self._session.changed.connect(self._count.start)
        self._session.reset.connect(self._count.start)
        view.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the view, and count when it is shown."""
        if watched is self._view and event.type() is QEvent.Type.Resize:
            self._place()
        elif watched is self._view and event.type() is QEvent.Type.Show:
            self._count.start()
        return super().eventFilter(watched, event)

    def count(self) -> None:
        """Say how many there are now; nothing is counted while nobody looks."""
        if not self._view.isVisible():
            return
        design = self._session.design
        self.ids = in_no_rack(design)
        counted = " and ".join(counted_devices(design, self.ids))
        verb = "is" if len(self.ids) == 1 else "are"
        every = len(self.ids) == len(design.devices) > 1
        self.text.setText(f"{'All ' if every else ''}{counted} {verb} in no rack")
        self.setVisible(bool(self.ids))
        self._place()

    def _place(self) -> None:
        self.adjustSize()
        at = self._view.width() - self.width() - MARGIN_PX, self._view.height() - self.height() - FOOT_PX
        self.move(*at)

    def _select_them(self) -> None:
        self._session.select(self.ids)

    def _put_them(self) -> None:
        self._select_them()
        self._mount()

"""A small form at the pointer: which port of each device a link takes, with the usual two chosen."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QTreeWidget, QTreeWidgetItem

from designer.canvas.camera_view import CameraView
from designer.errors import DesignerError, sentence
from designer.model.edit import Edit
from designer.model.port_choice import PortChoice, connect_ports, port_choices, usual_ends
from designer.model.shown_text import visible_line
from designer.panels.widgets.labels import Label, label, set_kind
from designer.units import format_counted

HEADINGS = ("Port", "Speed", "Cage", "Use")
ROWS_SEEN, FROM_POINTER_PX, EDGE_PX = 9, 12, 6
LEAST_WIDTH_PX, AROUND_PX = 420, 44
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PortList(QTreeWidget):
    """The ports of a device; those that no cable joins to the port of the other end are grey."""

    def __init__(self, choices: tuple[PortChoice, ...], chosen: str, name: str) -> None:
        super().__init__()
        self.choices = choices
        self.setAccessibleName(f"Ports of {name}")
        self.setHeaderLabels(HEADINGS)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setTabKeyNavigation(False)
        for one in choices:
            self.addTopLevelItem(QTreeWidgetItem([visible_line(text) for text in one.cells]))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        usual = next((at for at, one in enumerate(choices) if one.end.port == chosen), 0)
        self.choose(usual if choices else -1)

    def fit(self) -> int:
        """Make columns as wide as what is in them, and the list as high as its rows; returns how wide all is."""
        self.ensurePolished()
        header = self.header()
        header.setStretchLastSection(False)
        for column in range(len(HEADINGS)):
            self.resizeColumnToContents(column)
        wide = sum(self.columnWidth(column) for column in range(len(HEADINGS)))
        header.setStretchLastSection(True)
        rows = min(max(len(self.choices), 2), ROWS_SEEN)
        self.setFixedHeight(
            header.sizeHint().height() + rows * max(self.sizeHintForRow(0), 1) + 2 * self.frameWidth() + 2
        )
        return wide + self.verticalScrollBar().sizeHint().width()

    def choose(self, row: int) -> None:
        """Have a row chosen, in sight; none with -1."""
        item = self.topLevelItem(row)
        if item is not None:
            self.setCurrentItem(item)
            self.scrollToItem(item)

    @property
    def chosen(self) -> PortChoice | None:
        """The port of the row that is chosen."""
        row = self.currentIndex().row()
        return self.choices[row] if row >= 0 else None

    def follow(self, other: PortChoice, *, is_moving: bool) -> None:
        """Grey out what does not match a port of the other end; where it `is_moving`, go to the first free one."""
        fits = [one.is_free and one.matches(other) for one in self.choices]
        muted, plain = self.palette().placeholderText(), self.palette().text()
        for row, is_fitting in enumerate(fits):
            if (item := self.topLevelItem(row)) is not None:
                for column in range(len(HEADINGS)):
                    item.setForeground(column, plain if is_fitting else muted)
        chosen = self.chosen
        if is_moving and chosen is not None and not fits[self.choices.index(chosen)] and any(fits):
            self.choose(fits.index(True))


class PortForm(QFrame):
    """Enter or the button links the two ports, Esc or a click elsewhere none. Tab goes from list to list."""

    def __init__(self, view: CameraView) -> None:
        super().__init__(view)
        self._view = view
        self.lists: tuple[PortList, ...] = ()
        self.setProperty("surface", "card")
        self.setObjectName("port-form")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(10, 8, 10, 8)
        self.said = label("", "muted", wrap=True)
        self.button = QPushButton("Connect")
        self.button.clicked.connect(self.accept)
        self.button.installEventFilter(self)
        self._titles: list[Label] = []
        self.hide()
        view.installEventFilter(self)
        view.session.changed.connect(self.close_form)
        view.session.replacing.connect(self.close_form)

    def ask(self, a_id: str, b_id: str, ends: tuple[str, str], at: QPoint) -> None:
        """Show the ports of both devices at a pixel of the view; the given ones chosen, else those usually taken."""
        design, find = self._view.session.design, self._view.session.catalog.types.get
        self._clear()
        pair = ((a_id, b_id), (b_id, a_id))
        usual = usual_ends(design, a_id, b_id, find)
        self.lists = tuple(
            PortList(port_choices(design, one, other, find), given or by_default, design.device(one).name)
            for (one, other), given, by_default in zip(pair, ends, usual, strict=True)
        )
        for column, ((one, _), shown) in enumerate(zip(pair, self.lists, strict=True)):
            n_free = sum(choice.is_free for choice in shown.choices)
            title = label(f"{visible_line(design.device(one).name)}: {format_counted(n_free, 'free port')}", "section")
            self._titles.append(title)
            self._grid.addWidget(title, 0, column)
            self._grid.addWidget(shown, 1, column)
            shown.installEventFilter(self)
            shown.currentItemChanged.connect(self._moved(column))
            shown.itemDoubleClicked.connect(self.accept)
        self._grid.addWidget(self.said, 2, 0)
        self._grid.addWidget(self.button, 2, 1, Qt.AlignmentFlag.AlignRight)
        if not any((*ends, *usual)):
            self._choose_first_match()
        for number, shown in enumerate(self.lists):
            if (chosen := self.lists[1 - number].chosen) is not None:
                shown.follow(chosen, is_moving=False)
        self._say()
        self._place(at)
        self.show()
        self.raise_()
        self.lists[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_first_match(self) -> None:
        """Choose the first free ports that a cable joins, where nothing says which a link would take."""
        a, b = self.lists
        for row, one in enumerate(a.choices):
            match = next((at for at, other in enumerate(b.choices) if other.is_free and other.matches(one)), -1)
            if one.is_free and match >= 0:
                a.choose(row)
                b.choose(match)
                return

    def _clear(self) -> None:
        for one in (*self.lists, *self._titles):
            self._grid.removeWidget(one)
            one.deleteLater()
        self.lists, self._titles = (), []

    def close_form(self, _edit: object = None) -> None:
        """Link nothing, and give the keyboard back to the view."""
        if self.isVisible():
            had_keyboard = self._has_keyboard()
            self.hide()
            if had_keyboard:
                self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self, *_: object) -> None:
        """Link the two ports that are chosen; where that is refused, the reason stays."""
        make = self._maker()
        if make is not None and self.button.isEnabled():
            self.close_form()
            self._view.session.attempt(make)

    def _maker(self) -> Callable[[], Edit] | None:
        a, b = (one.chosen for one in self.lists)
        design = self._view.session.design
        return None if a is None or b is None else lambda: connect_ports(design, a, b)

    def _moved(self, column: int) -> Callable[..., None]:
        def follow(*_: object) -> None:
            if len(self.lists) > column and (chosen := self.lists[column].chosen) is not None:
                self.lists[1 - column].follow(chosen, is_moving=self.window().focusWidget() is self.lists[column])
                self._say()

        return follow

    def _say(self) -> None:
        """What would be linked, or why it cannot."""
        make, reason = self._maker(), "One of the devices has no port."
        try:
            edit = make() if make is not None else None
        except DesignerError as error:
            edit, reason = None, sentence(str(error))
        a, b = (one.chosen for one in self.lists)
        if edit is not None and a is not None and b is not None:
            design = self._view.session.design
            names = " to ".join(f"{design.device(one.end.device_id).name} {one.cells[0]}" for one in (a, b))
            reason = f"{names}, {a.cells[1]}"
        self.said.setText(visible_line(reason))
        set_kind(self.said, "muted" if edit is not None else "error")
        self.button.setEnabled(edit is not None)

    # -- where and for how long -----------------------------------------------------------------------------------

    def _place(self, at: QPoint) -> None:
        """Below and to the right of the pointer, within the view."""
        room = self._view.rect().adjusted(EDGE_PX, EDGE_PX, -EDGE_PX, -EDGE_PX)
        wide = [one.fit() for one in self.lists]
        for column, one in enumerate(wide):
            self._grid.setColumnStretch(column, one)
        self.setFixedWidth(min(room.width(), max(LEAST_WIDTH_PX, sum(wide) + AROUND_PX)))
        self.adjustSize()
        spot = at + QPoint(FROM_POINTER_PX, FROM_POINTER_PX)
        x = max(room.left(), min(spot.x(), room.right() - self.width()))
        y = max(room.top(), min(spot.y(), room.bottom() - self.height()))
        self.move(x, y)

    def _has_keyboard(self) -> bool:
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Enter and Esc; close at a press on the view, or where the keyboard goes elsewhere in the window."""
        if watched is self._view:
            if event.type() == QEvent.Type.MouseButtonPress:
                self.hide()
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # keys of the form are not shortcuts of the window while it is open
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_form()
                return True
            if event.key() in ENTER:
                self.accept()
                return True
        if event.type() == QEvent.Type.FocusOut and self.isVisible() and not self._has_keyboard():
            self.hide()
        return super().eventFilter(watched, event)


def ask_on(view: CameraView, a_id: str, b_id: str, ends: tuple[str, str], at: QPoint) -> None:
    """Ask in the form of a view, which is made when it is first wanted."""
    form = view.findChild(PortForm) or PortForm(view)
    form.ask(a_id, b_id, ends, at)

"""A bar over the drawing that says what a construction would add before it is done; it never blocks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from designer.canvas.previews import Preview, preview_of
from designer.canvas.room.floor_view import FloorView
from designer.canvas.view import CanvasView
from designer.errors import DesignerError, EditError, sentence
from designer.late import Late
from designer.model.bookmark import CANVAS, FLOOR
from designer.model.edit import Edit
from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import label
from designer.session.copies import arrivals
from designer.session.session import Session
from designer.session.timers import later
from designer.windows.shell.notice import Notice
from designer.windows.shell.previewing import Previewing
from designer.windows.shell.views import Views

values = Late("designer.windows.shell.option_values")

MARGIN = 16
WIDTH = 620
MOST_IN_ROW = 3
MOST_STRETCH = 1000
FLAG = "flag"
MOST_COLUMNS = 2
"""Of fields."""
MOST_PX = 16_777_215
"""As wide as there is room: Qt's QWIDGETSIZE_MAX."""

Choices = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """Something to say about a construction.

    By kind a "count" (may be empty), a "length" in meters, a "name", a "switch" type, a "flag" or a "choice".
    """

    name: str
    text: str
    kind: str
    default: Any = None
    shown: Callable[[Session], bool] = lambda _session: True
    hint: str = ""
    proposed: Callable[[Session, "Choices"], int | None] = lambda _session, _picked: None
    """What an optional count says, by what is picked next to it, until it is typed over; None leaves it empty: most."""
    unless: str = ""
    """A flag that takes its place: it is not shown while that is ticked."""
    choices: tuple[tuple[str, str], ...] = ()
    """Of a choice: values and what they are called, the default first."""
    offered: Callable[[Session], tuple[tuple[str, str], ...]] | None = None
    """The choices, where the selection says which there are."""
    empty: str = "most"
    """What an empty count stands for."""
    at_first: Callable[[Session], Any] | None = None
    """The default of a count, where the selection says it."""


@dataclass(frozen=True, slots=True)
class Construction:
    """A verb on what is selected, with a preview. `make` returns its edit, `note` a remark or ""."""

    id: str
    title: str
    make: Callable[[Session, Choices], Edit]
    options: tuple[Option, ...] = ()
    note: Callable[[Session, Choices], str] = lambda _session, _choices: ""
    needs_selection: bool = True
    """Whether it is about what is selected alone; else nothing selected stands for everything, which is then fitted."""
    ready: Preview | None = None
    """Of an edit that was made beforehand: it is previewed where it stands, and holds for the design as it was then."""
    done: Callable[[], None] = lambda: None
    """Called after it was applied."""
    report: Callable[[Session, Choices], str] = lambda _session, _choices: ""
    """What is stated once it is done: what came of it, and what was left out and why; "" where the drawing shows it."""
    nothing: str = ""
    """What is stated where it would change nothing; "" for what goes for whatever adds something."""
    selects_new: bool = False
    """Whether what it adds is selected then, along with what was."""
    view: str = CANVAS
    """Where it is previewed: on the canvas, or on both, or on the floor plan."""


class ConstructionBar(QFrame):
    """Follows selection and design while it is open; Return does it, Esc leaves it."""

    def __init__(self, session: Session, views: Views, notice: Notice) -> None:
        super().__init__(views)
        self._session, self._views, self._notice = session, views, notice
        self._shown: Construction | None = None
        self._fields: dict[str, QWidget] = {}
        self._names: dict[str, QLabel] = {}
        """What stands before the fields."""
        self._proposals: dict[str, str] = {}
        self._preview: Preview | None = None
        self._came_from: QWidget | None = None
        self.previewing = Previewing(session, notice)
        """Makes previews of edits that are then shown `ready`."""
        self.setProperty("surface", "notice")
        self.setObjectName("construction-bar")
        self.title = label("", "strong")
        self.text = label("", wrap=True)
        self.key = label("", "muted", wrap=True)
        self._pairs, self._row = QGridLayout(), QHBoxLayout()
        """Fields next to the buttons; where these need more than one row, in columns above them, names and fields."""
        self._pairs.setColumnStretch(2 * MOST_COLUMNS, 1)
        for layout in (self._pairs, self._row):
            layout.setSpacing(8)
        self.do_button = QPushButton("Apply")
        self.do_button.setProperty("kind", "primary")
        self.do_button.clicked.connect(self.accept)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self.close_bar)
        for widget in (self.key, self.cancel_button, self.do_button):  # in no layout until a construction is shown
            widget.setParent(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 10, 14, 10)
        self._column.setSpacing(6)
        self._column.addWidget(self.title)
        self._column.addWidget(self.text)
        self._column.addLayout(self._pairs)
        self._column.addLayout(self._row)
        self._later = later(self, 0, self.refresh)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), views.window(), self.close_bar)
        self._escape.setEnabled(False)
        for signal in (session.changed, session.selection_changed):
            signal.connect(self._refresh_soon)
        session.reset.connect(self.close_bar)
        views.switched.connect(self._leave_with_canvas)
        views.installEventFilter(self)
        self.hide()

    def open(self, construction: Construction) -> None:
        """Show the preview of a construction on what is selected."""
        if self._shown is not None and self._shown.view != construction.view:
            self._close(is_done=False)
        self._views.show_named(construction.view)
        self._notice.hide()
        if self._shown is None:
            self._came_from = self.window().focusWidget() if construction.ready is not None else None
        self._shown, self._preview = construction, construction.ready
        self._escape.setEnabled(True)
        self.title.setText(construction.title)
        self._fill(construction)
        self.show()
        self.raise_()
        self.refresh()
        self._focus_first()

    def accept(self) -> None:
        """Do what is previewed as one edit; what is refused stays on show."""
        self._later.stop()
        self.refresh()
        shown = self._shown
        if shown is None or not self.do_button.isEnabled():
            return
        ready, choices, of_everything = shown.ready, self._choices(shown), not self._session.selection
        report = shown.report(self._session, choices)
        self._close(is_done=True)
        if ready is not None:
            edit, large = ready.edit, self._session.large_edits
            large.attempt(shown.title, len(edit.changes), lambda _design: edit, lambda _edit: shown.done())
            return
        edit = self._attempted(shown, choices)
        if edit and shown.selects_new:
            self._session.select([*self._session.selection, *arrivals(edit)])
        if edit and of_everything:
            self._views.canvas.zoom_to_fit()
        if edit and report:
            self._notice.say_of_edit(report)

    def _attempted(self, shown: Construction, choices: Choices) -> Edit:
        """What was done; an edit of nothing where it was refused, which then becomes a message."""
        made: list[Edit] = []

        def make() -> Edit:
            made.append(shown.make(self._session, choices))
            return made[0]

        return made[0] if self._session.attempt(make) else Edit("", ())

    def close_bar(self) -> None:
        """Remove the bar and the preview; the keyboard goes to the canvas, or where the preview was asked for."""
        self._close(is_done=False)

    def _close(self, *, is_done: bool) -> None:
        for stage in self._stages:
            stage.end_preview(goes_back=not is_done)
        self._shown = self._preview = None
        self._escape.setEnabled(False)
        self._later.stop()
        if self.isAncestorOf(self.window().focusWidget() or self._views):
            back = self._came_from if self._came_from is not None and self._came_from.isVisible() else None
            (back or self._views.current).setFocus()
        self.hide()

    def _leave_with_canvas(self) -> None:
        if self._shown is not None and not any(stage.isVisible() for stage in self._stages):
            self.close_bar()

    @property
    def _stages(self) -> list[CanvasView | FloorView]:
        is_of_floor = self._shown is not None and self._shown.view == FLOOR
        return [self._views.floor] if is_of_floor else [*self._views.canvases]

    @property
    def shown(self) -> str:
        """The id of what is previewed; "" where the bar is closed."""
        return "" if self._shown is None else self._shown.id

    def _show(self, preview: Preview | None) -> None:
        for stage in self._stages:
            stage.show_preview(preview, self.height() + 2.0 * MARGIN)

    def refresh(self) -> None:
        """Work the preview out again."""
        shown, session = self._shown, self._session
        if shown is None:
            return
        if shown.needs_selection and not session.selection:
            self.close_bar()
            return
        for option in shown.options:
            self._show_field(option, shown=option.shown(session))
            self._offer(option)
        picked = values.picked(shown.options, self._fields)
        for option in shown.options:
            self._propose(option, picked)
            if picked.get(option.unless):
                self._show_field(option, shown=False)
        try:
            choices = self._choices(shown)
            preview = self._preview = self._previewed(shown, choices)
            done = preview.text if preview.edit or not shown.nothing else shown.nothing
            text, refused = " ".join(filter(None, (done, shown.note(session, choices)))), False
        except DesignerError as error:
            text, refused, preview = sentence(str(error)), True, None
        self.text.setText(text)
        has_key = preview is not None and bool(preview.ghosts.removed or preview.ghosts.moved_links)
        self.key.setText(preview.ghosts.key if preview is not None and has_key else "")
        self.key.setVisible(has_key)
        self.setProperty("tone", "error" if refused else "info")
        self.style().unpolish(self)
        self.style().polish(self)
        self.do_button.setEnabled(preview is not None and bool(preview.edit))
        self._place()
        self._show(preview)

    def _previewed(self, shown: Construction, choices: Choices) -> Preview:
        """What would be done, calculated again only where it is another edit. Raises DesignerError where it cannot."""
        design, known = self._session.design, self._preview
        if shown.ready is not None:
            if shown.ready.revision != design.revision:
                raise EditError("the design has changed since: preview it again")
            return shown.ready
        edit = shown.make(self._session, choices)
        if known is not None and known.edit is edit and known.revision == design.revision:
            return known
        return preview_of(design, edit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return adds what is previewed, Esc closes the bar."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the view."""
        if watched is self._views and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _refresh_soon(self) -> None:
        if self._shown is not None:
            self._later.start()

    def _choices(self, shown: Construction) -> dict[str, Any]:
        """What the fields say. Raises ParameterError for one that cannot be read."""
        return {option.name: values.read(option, self._fields[option.name]) for option in shown.options}

    # -- the fields -----------------------------------------------------------------------------------------------

    def _fill(self, construction: Construction) -> None:
        options = construction.options
        for layout in (self._pairs, self._row):
            while (item := layout.takeAt(0)) is not None:
                widget = item.widget()
                if widget is not None and widget not in (self.key, self.do_button, self.cancel_button):
                    widget.deleteLater()
        self._proposals = {}
        self._names = {option.name: label("" if option.kind == FLAG else option.text, "muted") for option in options}
        self._fields = {option.name: self._field(option) for option in options}
        if self._is_too_wide():
            self._fill_columns(options)
        else:
            for option in options:
                self._row.addWidget(self._names[option.name])
                self._row.addWidget(self._fields[option.name])
        self._row.addWidget(self.key, MOST_STRETCH)
        self._row.addStretch(1)
        self._row.addWidget(self.cancel_button)
        self._row.addWidget(self.do_button)

    def _fill_columns(self, options: Sequence[Option]) -> None:
        """The fields in as many columns as there is room for, all of one column as wide, behind their names."""
        for one in self._fields.values():
            for editor in one.findChildren(QLineEdit):
                editor.setMaximumWidth(MOST_PX)
        wide = sum(max(one.sizeHint().width() for one in some.values()) for some in (self._names, self._fields))
        gaps = 4 * self._pairs.spacing()
        for name in self._names.values():
            name.setWordWrap(wide > self._room)
        columns = MOST_COLUMNS if len(options) > MOST_IN_ROW and MOST_COLUMNS * wide + gaps <= self._room else 1
        rows = -(-len(options) // columns)
        for number, option in enumerate(options):
            column, row = divmod(number, rows)
            self._pairs.addWidget(self._names[option.name], row, 2 * column)
            self._pairs.addWidget(self._fields[option.name], row, 2 * column + 1)

    def _show_field(self, option: Option, *, shown: bool) -> None:
        self._fields[option.name].setVisible(shown)
        self._names[option.name].setVisible(shown and option.kind != FLAG)

    @property
    def _room(self) -> int:
        """What the bar has for fields and buttons, in this view."""
        inside = self._column.contentsMargins()
        return max(280, min(self._views.width() - 2 * MARGIN, WIDTH)) - inside.left() - inside.right()

    def _is_too_wide(self) -> bool:
        """Whether the fields and the buttons need more than one row."""
        names = [one for one in self._names.values() if one.sizeHint().width()]
        shown = [*names, *self._fields.values(), self.cancel_button, self.do_button]
        room = self._room - self._row.spacing() * len(shown)
        return len(self._fields) > MOST_IN_ROW or sum(one.sizeHint().width() for one in shown) > room

    def _field(self, option: Option) -> QWidget:
        held = QWidget()
        line = QHBoxLayout(held)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        editor: QWidget
        if option.kind == FLAG:
            editor = QCheckBox(option.text)
            editor.setChecked(bool(option.default))
            editor.toggled.connect(self._refresh_soon)
        else:
            editor = values.editor_of(option, self._session, self._refresh_soon)
        editor.setObjectName("editor")
        editor.setAccessibleName(option.text)
        editor.setToolTip(plain_text(option.hint))
        line.addWidget(editor)
        if isinstance(editor, QLineEdit) and values.is_proposed(option):
            line.addWidget(values.most_button(editor, option))
        held.setFocusProxy(editor)
        return held

    def _propose(self, option: Option, picked: Choices) -> None:
        """Write the count proposed into a field that nobody has typed into."""
        field = self._fields[option.name].findChild(QLineEdit, "editor")
        if field is None or not values.is_proposed(option) or field.text() != self._proposals.get(option.name, ""):
            return
        proposed = option.proposed(self._session, picked)
        self._proposals[option.name] = text = "" if proposed is None else str(proposed)
        if text != field.text():
            with QSignalBlocker(field):
                field.setText(text)
            field.selectAll()

    def _offer(self, option: Option) -> None:
        """Keep the choices up to date with what is selected; one that is still there stays chosen."""
        combo = self._fields[option.name].findChild(QComboBox, "editor")
        if option.offered is None or combo is None:
            return
        offered, chosen = option.offered(self._session), combo.currentData()
        if [combo.itemData(row) for row in range(combo.count())] != [value for value, _ in offered]:
            with QSignalBlocker(combo):
                combo.clear()
                for value, text in offered:
                    combo.addItem(text, value)
                combo.setCurrentIndex(max(0, combo.findData(chosen)))

    def _focus_first(self) -> None:
        """The first number to type, else the button: Return does it from either."""
        fields = (self._fields[option.name] for option in self._shown.options) if self._shown else ()
        for held in fields:
            field = held.findChild(QLineEdit, "editor")
            if field is not None and not held.isHidden():
                field.setFocus()
                field.selectAll()
                return
        self.do_button.setFocus()

    def _place(self) -> None:
        width = max(280, min(self._views.width() - 2 * MARGIN, WIDTH))
        self.setFixedWidth(width)
        for layout in (self._row, self._pairs, self._column):
            layout.invalidate()  # Qt goes on with the heights of fields that are hidden by now
        height = self._column.totalHeightForWidth(width)
        self.setFixedHeight(height)
        self.move((self._views.width() - width) // 2, self._views.height() - height - MARGIN)

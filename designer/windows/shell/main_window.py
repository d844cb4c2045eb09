"""The main window: canvas in the middle, docks around it, everything it can do in the table of actions."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QToolBar, QVBoxLayout, QWidget

from designer.canvas.room.elevation_view import ElevationView
from designer.canvas.room.floor_view import FloorView
from designer.canvas.view import CanvasView
from designer.catalog.catalog import Catalog
from designer.errors import sentence
from designer.model.edit import Edit
from designer.model.entities import Device, Module
from designer.model.shown_text import plain_text, visible_line
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.session.timers import later
from designer.units import BYTES_PER_GB
from designer.windows.commands import access_keys, adding, document_commands, job_commands, menus, view_commands
from designer.windows.commands.actions import Actions
from designer.windows.commands.table import ACTIONS
from designer.windows.dialogs.open_dialogs import OpenDialogs
from designer.windows.dialogs.questions import Questions
from designer.windows.files import exporting, saving
from designer.windows.files.disk_bar import DiskBar
from designer.windows.files.recovery import RecoveryBar
from designer.windows.picker import pickers
from designer.windows.picker.quick_picker import QuickPicker
from designer.windows.shell.canvas_hint import CanvasHint
from designer.windows.shell.construction_bar import ConstructionBar
from designer.windows.shell.docks import Docks
from designer.windows.shell.notice import Notice
from designer.windows.shell.status import StatusBar
from designer.windows.shell.welcome import WelcomeScreen

LAYOUT_VERSION = 1
PROGRAM = "Fabric Designer"
MANY_CHANGES = 1000
"""More than one device brings with all its modules."""


class MainWindow(QMainWindow):
    """One window on one session. Commands live beside the table of actions; this class holds the parts together."""

    def __init__(
        self, session: Session, catalog: Catalog, preferences: Preferences, appearance: Appearance, questions: Questions
    ) -> None:
        super().__init__()
        self.session = session
        self.catalog = catalog
        self.preferences = preferences
        self.appearance = appearance
        self.questions = questions
        questions.parent = self
        self.pasted_times = 0
        self.tool = "select"
        self.dialogs = OpenDialogs(self)
        self.setObjectName("main-window")
        self.setDockNestingEnabled(True)
        self.setAcceptDrops(True)
        self.canvas = CanvasView(session)
        self.welcome = WelcomeScreen(appearance, preferences)
        self._centre = QStackedWidget()
        self._centre.addWidget(self.welcome)
        self._centre.addWidget(self.canvas)
        self.floor = FloorView(session)
        self.elevation = ElevationView(session)
        for view in (self.floor, self.elevation):
            self._centre.addWidget(view)
        self.recovery = RecoveryBar(self)
        self.disk_bar = DiskBar(self)
        self.setCentralWidget(_in_a_column(self.recovery, self.disk_bar, self._centre))
        self._hint = CanvasHint(self.canvas, session)
        self.docks = Docks(self, session, catalog, appearance, preferences)
        self.palette_panel = self.docks.palette
        self.inspector = self.docks.inspector
        self.findings = self.docks.findings
        self.simulation = self.docks.simulation
        self.studies = self.docks.studies
        self.failures = self.docks.failures
        self.status = StatusBar(session, appearance)
        self.setStatusBar(self.status)
        self.notice = Notice(self._centre, appearance)
        self.construction = ConstructionBar(self, self._centre)
        self.picker = QuickPicker(self)
        self.actions_table = Actions(self, ACTIONS)
        self._changing_menus = menus.fill_menu_bar(self, self.actions_table)
        self.toolbar = self._make_toolbar()
        self._refresh_later = later(self, 0, self._refresh)
        self._fit_later = later(self, 0, self.canvas.zoom_to_fit)
        self._connect()
        self._theme_changed()
        self._show_title()
        self._restore_layout()
        self._refresh()

    def use_catalog(self, catalog: Catalog) -> None:
        """From now on new devices and the palette come from this catalog; designs keep the types they have."""
        self.catalog = self.session.catalog = catalog
        self.palette_panel.show_catalog(catalog)

    def sizeHint(self) -> QSize:
        return QSize(1440, 900)

    # -- building -------------------------------------------------------------------------------------------------

    def _make_toolbar(self) -> QToolBar:
        toolbar = QToolBar("Toolbar")
        toolbar.setObjectName("toolbar")
        toolbar.setIconSize(QSize(20, 20))
        toolbar.setMovable(False)
        toolbar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.addToolBar(toolbar)
        menus.fill_toolbar(toolbar, self.actions_table)
        return toolbar

    def _connect(self) -> None:
        session = self.session
        session.changed.connect(self._after_edit)
        session.message.connect(lambda text: self.say(sentence(text)))
        session.autosave.failed.connect(self.say)
        for work in (session.async_undo, session.large_edits):
            work.began.connect(lambda what, work=work: self.notice.wait(f"{what} …", work.cancel))
            work.ended.connect(self.notice.done)
        for signal in (
            session.reset,
            session.selection_changed,
            session.workbench.validation.changed,
            session.workbench.simulation.state_changed,
        ):
            signal.connect(self._refresh_soon)
        session.undo_stack.indexChanged.connect(self._refresh_soon)
        session.workbench.placed_jobs.changed.connect(self._refresh_soon)
        session.dirty_changed.connect(self._show_title)
        session.path_changed.connect(self._show_title)
        session.layers_changed.connect(self._refresh_soon)
        session.reset.connect(self._show_title)
        self.preferences.theme_changed.connect(self._choose_theme)
        self.preferences.memory_limit_changed.connect(self._limit_memory)
        self._limit_memory(self.preferences.memory_limit_gb)
        self.preferences.recent_files_changed.connect(self._fill_changing_menus)
        self.appearance.changed.connect(self._theme_changed)
        for view in (self.canvas, self.floor, self.elevation):
            view.cursor_message.connect(self.status.hint.set_text)
            view.context_requested.connect(self._show_context_menu)
        self.elevation.side_changed.connect(self._refresh_soon)
        self.palette_panel.type_activated.connect(partial(adding.add_type, self))
        for panel in (self.inspector, self.findings, self.simulation, self.studies, self.failures):
            panel.going.connect(self.go_to)
        self.inspector.entered.connect(lambda: self.view.setFocus(Qt.FocusReason.OtherFocusReason))
        session.workbench.heat_view.changed.connect(self._refresh_soon)
        session.workbench.pins.changed.connect(self._refresh_soon)
        for saver in (self.studies, self.simulation, self.failures):
            saver.saving.connect(partial(exporting.save, self))
        jobs = self.studies.jobs
        jobs.add_wanted.connect(lambda: self.actions_table.trigger("job.from_selection"))
        jobs.open_wanted.connect(lambda: self.actions_table.trigger("job.open_file"))
        jobs.form.move_wanted.connect(partial(job_commands.move, self))
        jobs.form.colour_wanted.connect(partial(job_commands.choose_colour, self))
        self.status.findings_wanted.connect(lambda: self.focus_panel("findings"))
        self.status.simulation_wanted.connect(lambda: self.focus_panel("simulation"))
        self.simulation.study_wanted.connect(self.actions_table.trigger)
        self.simulation.run_wanted.connect(lambda: self.actions_table.trigger("simulate.run"))
        self.welcome.action_wanted.connect(self.actions_table.trigger)
        self.welcome.file_wanted.connect(self.open_listed)
        self._fill_changing_menus()

    def _fill_changing_menus(self) -> None:
        for menu_id, paths in (
            (menus.RECENT_FILES, self.preferences.recent_files),
            (menus.EXAMPLES, pickers.example_files()),
        ):
            menu = self._changing_menus[menu_id]
            menu.clear()
            for path in paths:
                action = menu.addAction(access_keys.literal(path.name))
                action.setToolTip(plain_text(str(path)))
                action.triggered.connect(lambda _checked=False, path=path: self.open_listed(path))
            menu.setEnabled(bool(paths))
        self.welcome.refresh()

    # -- showing --------------------------------------------------------------------------------------------------

    @property
    def view(self) -> CanvasView | FloorView | ElevationView:
        """The view of the design that is seen; the canvas behind the welcome screen."""
        seen = self._centre.currentWidget()
        return seen if isinstance(seen, FloorView | ElevationView) else self.canvas

    def show_canvas(self) -> None:
        self.show_view(self.canvas)

    def show_view(self, view: CanvasView | FloorView | ElevationView) -> None:
        """Bring one of the views of the design to the front."""
        self._centre.setCurrentWidget(view)
        self.docks.bring_back()
        self.toolbar.show()
        self._refresh_later.start()

    def show_welcome(self) -> None:
        self._centre.setCurrentWidget(self.welcome)
        self.docks.put_away()
        self.toolbar.hide()
        self.welcome.refresh()
        self.welcome.setFocus()

    def on_welcome(self) -> bool:
        return self._centre.currentWidget() is self.welcome

    def fit_later(self) -> None:
        """Zoom to fit once the canvas has its size."""
        self._fit_later.start()

    def say(self, text: str) -> None:
        """A passing message: in the note over the canvas and in the status bar."""
        self.notice.say(text)

    def complain(self, text: str) -> None:
        """Something the user asked for could not be done: stays until dismissed."""
        self.notice.complain(text)

    def show_panel(self, name: str) -> None:
        self.docks.show(name)

    def focus_panel(self, name: str) -> None:
        self.docks.focus(name)

    def toggle_panel(self, name: str) -> None:
        self.docks.toggle(name)

    def panel_shown(self, name: str) -> bool:
        return self.docks.shown(name)

    def go_to(self, ids: frozenset[str]) -> None:
        """Select these and bring them into view."""
        self.session.select(ids)
        view_commands.show_layers_of(self, ids)
        view = self.view
        if isinstance(view, CanvasView) or not any(map(view.shows, self.session.selection)):
            self.show_canvas()
        self.view.zoom_to(self.session.selection)

    def choose_tool(self, name: str) -> None:
        self.tool = name
        self.canvas.set_tool(name)
        self._refresh_later.start()

    def _choose_theme(self, choice: str) -> None:
        self.appearance.choice = choice
        self._refresh_later.start()

    def _limit_memory(self, limit_gb: float) -> None:
        self.session.workbench.simulation.memory_limit_bytes = limit_gb * BYTES_PER_GB

    def _theme_changed(self) -> None:
        self.actions_table.recolour()
        for view in (self.canvas, self.floor, self.elevation):
            view.set_theme(self.appearance.theme)

    def _show_title(self) -> None:
        self.setWindowModified(self.session.dirty)
        name = visible_line(self.session.name).replace("[*]", "[*][*]")  # one alone marks unsaved changes
        self.setWindowTitle(f"{name}[*] — {PROGRAM}")

    def _refresh_soon(self) -> None:
        self._refresh_later.start()

    def _refresh(self) -> None:
        self.actions_table.refresh()
        self._hint.refresh()

    # -- editing --------------------------------------------------------------------------------------------------

    def _after_edit(self, edit: Edit) -> None:
        if self.on_welcome():
            self.show_canvas()
        changes = edit.changes if len(edit.changes) < MANY_CHANGES else ()
        arrived = [c.after for c in changes if c.before is None and isinstance(c.after, Device | Module)]
        devices = [entity for entity in arrived if isinstance(entity, Device)]
        only = devices if devices else arrived
        if len(only) == 1 and not self.session.is_replaying and only[0].type_id in self.catalog.types:
            self.preferences.add_recent_type(only[0].type_id)
        self._refresh_later.start()

    def _show_context_menu(self, at: QPoint, ids: object) -> None:
        chosen = frozenset(ids) if isinstance(ids, list | tuple | set | frozenset) else frozenset()
        if chosen and not chosen <= self.session.selection:
            self.session.select(chosen)
        menu = menus.context_menu(self, self.actions_table, on_selection=bool(chosen))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    # -- pickers --------------------------------------------------------------------------------------

    def show_command_palette(self) -> None:
        self.actions_table.refresh()
        self.picker.ask("Type a command", pickers.commands(self))

    def show_find(self) -> None:
        things = pickers.named_things(self)
        self.picker.ask("Name of a device, rack, group or job", things)

    # -- leaving --------------------------------------------------------------------------------------------------

    def leave_document(self, then: Callable[[], None]) -> None:
        """Do `then`, which takes the document away, unless the user wants to keep unsaved changes."""
        if self.session.dirty:
            answer = self.questions.unsaved(self.session.name)
            if answer == "cancel":
                return
            if answer == "save" and not saving.save(self, at_once=True):
                return
        then()

    def open_after_asking(self, path: Path) -> None:
        self.leave_document(partial(document_commands.open_path, self, path))

    def open_listed(self, path: Path) -> None:
        """Open a file that a list offers; an example is a design without a file, so that it stays as it is."""
        is_example = path.resolve() in pickers.example_files()
        opening = document_commands.open_example if is_example else document_commands.open_path
        self.leave_document(partial(opening, self, path))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped_file(event)
        if path is not None:
            event.acceptProposedAction()
            # After the drop is over: the question about unsaved changes would hold up the other program.
            QTimer.singleShot(0, self, partial(self.open_after_asking, path))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.session.disk.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        leaving: list[bool] = []
        self.leave_document(lambda: leaving.append(True))
        if not leaving:
            event.ignore()
            return
        if not self.on_welcome():
            self.preferences.set_blob("layout", self.saveState(LAYOUT_VERSION))
        self.preferences.set_blob("geometry", self.saveGeometry())
        self.preferences.flush()
        self.dialogs.close_all()
        self.hide()
        self.session.autosave.drop()
        self.recovery.postpone()
        self.session.close()
        event.accept()

    def _restore_layout(self) -> None:
        geometry = self.preferences.blob("geometry")
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            self.resize(self.sizeHint())
        layout = self.preferences.blob("layout")
        if not layout.isEmpty():
            self.restoreState(layout, LAYOUT_VERSION)


def _in_a_column(*widgets: QWidget) -> QWidget:
    inside = QWidget()
    column = QVBoxLayout(inside)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget, 1 if widget is widgets[-1] else 0)
    return inside


def _dropped_file(event: QDropEvent) -> Path | None:
    """The one local .fabric file that is being dropped."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].suffix == saving.SUFFIX else None

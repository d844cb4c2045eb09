"""The main window: canvas in the middle, docks around it, everything it can do in the table of actions."""

from contextlib import nullcontext
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QVBoxLayout, QWidget

from designer.canvas.view import CanvasView
from designer.errors import sentence
from designer.late import Late
from designer.model.edit import Edit
from designer.model.entities import Device, Module
from designer.model.settings import Settings
from designer.model.shown_text import plain_text, visible_line
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fitting import fitting
from designer.session import drafting
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.session.timers import later
from designer.units import BYTES_PER_GB
from designer.windows.commands import (
    access_keys,
    document_commands,
    grid_commands,
    import_commands,
    menu_rows,
    menus,
    room_commands,
    study_commands,
)
from designer.windows.commands.actions import Actions
from designer.windows.commands.table import ACTIONS
from designer.windows.desk import Desk, Tabs
from designer.windows.dialogs import table
from designer.windows.dialogs.open_dialogs import OpenDialogs
from designer.windows.dialogs.questions import Questions
from designer.windows.files import price_lists, saving
from designer.windows.files.disk_bar import DiskBar
from designer.windows.files.examples import example_files
from designer.windows.files.places import back_to_design
from designer.windows.files.recovery import RecoveryBar
from designer.windows.picker import pickers
from designer.windows.picker.quick_picker import QuickPicker
from designer.windows.shell import dropped, panel_requests
from designer.windows.shell.canvas_hint import CanvasHint
from designer.windows.shell.clipboard import Clipboard
from designer.windows.shell.construction_bar import ConstructionBar
from designer.windows.shell.docks import Docks
from designer.windows.shell.floor_bar import FloorBar, InNoRack
from designer.windows.shell.notice import Notice
from designer.windows.shell.presentation import Presentation
from designer.windows.shell.status import StatusBar
from designer.windows.shell.views import View, Views, give_keyboard

LAYOUT_VERSION = 1
PROGRAM = "Fabric Designer"
MANY_CHANGES = 1000
"""More than one device brings with all its modules."""
MANY_TABS = 3
"""From so many on, giving all of them their style again takes longer than giving it piece by piece to a new one."""

port_form = Late("designer.windows.picker.port_form")


class MainWindow(QMainWindow):
    """One window on one session. Commands live beside the table of actions; this class holds the parts together."""

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        appearance: Appearance,
        questions: Questions,
        tabs: Tabs | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self.preferences = preferences
        self.appearance = appearance
        self._waits_for_layout = tabs is not None
        questions.parent = self
        self.setObjectName("main-window")
        self.setDockNestingEnabled(True)
        self.setAcceptDrops(True)
        is_early = tabs is None or tabs.count < MANY_TABS
        with appearance.styled_at_the_end() if is_early else nullcontext():
            self._build(questions, tabs)
            if tabs is not None:
                tabs.take_in(self)  # Qt styles a window again that is put elsewhere
        self.docks.take_sizes()
        self._refresh_later = later(self, 0, self._refresh)
        self._connect()
        self.actions_table.recolour()
        self._show_title()
        self._restore_layout()
        self._refresh()
        price_lists.restore(self.desk)
        session.drafting.choose(drafting.read(preferences.text(grid_commands.SETTING)))

    def sizeHint(self) -> QSize:
        """1440 by 900 pixels, or what the screen has room for."""
        return fitting(self, QSize(1440, 900))

    # -- building -------------------------------------------------------------------------------------------------

    def _build(self, questions: Questions, tabs: Tabs | None) -> None:
        session, preferences, appearance = self.session, self.preferences, self.appearance
        self.views = Views(session, appearance, preferences)
        inside = QWidget()
        self.over_views = column = QVBoxLayout(inside)
        """What stands over the views, between the docks: the tabs of all designs, and bars."""
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.views, 1)
        self.setCentralWidget(inside)
        self.presentation = Presentation(self, self.views, session)
        self._hint = CanvasHint(self.views.canvas, session)
        self.docks = Docks(self, session, appearance, preferences, self.views.minimap)
        self.status = StatusBar(session, appearance)
        self.setStatusBar(self.status)
        self.notice = Notice(self.views, appearance)
        self.construction = ConstructionBar(session, self.views, self.notice)
        self.picker = QuickPicker(self)
        shared = tabs.shared_dialogs if tabs is not None else None
        self.dialogs = OpenDialogs(lambda name: table.make(self.desk, name), shared, partial(give_keyboard, self.views))
        self.desk = Desk(
            window=self,
            session=session,
            preferences=preferences,
            appearance=appearance,
            questions=questions,
            notice=self.notice,
            views=self.views,
            docks=self.docks,
            dialogs=self.dialogs,
            construction=self.construction,
            picker=self.picker,
            clipboard=Clipboard(),
            show_commands=self._show_commands,
            look_for_unsaved_work=self._look_for_unsaved_work,
            tabs=tabs,
            presentation=self.presentation,
        )
        self.recovery = RecoveryBar(self.desk)
        self.disk_bar = DiskBar(self.desk)
        column.insertWidget(0, self.recovery)
        column.insertWidget(1, self.disk_bar)
        column.insertWidget(2, self.presentation.title)
        self.actions_table = Actions(self.desk, ACTIONS)
        self._changing_menus = menus.fill_menu_bar(self, self.actions_table)
        self.toolbar = self._make_toolbar()
        self.floor_bar = FloorBar(self.views.floor, self.actions_table, menu_rows.FLOOR_TOOLS)
        mount = partial(self.actions_table.trigger, "room.mount")
        self.in_no_rack = [InNoRack(view, mount) for view in (self.views.floor, self.views.elevation)]

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
        session.changed.connect(self.notice.forget_edit)
        session.undo_stack.indexChanged.connect(self.notice.take_step)
        session.workbench.comparison.changed.connect(self.notice.look)
        self.presentation.left.connect(partial(self.actions_table.trigger, "view.presentation"))
        session.changed.connect(self._after_edit)
        session.message.connect(lambda text: self.notice.say(sentence(text)))
        session.offered.connect(
            lambda text, what, make: self.notice.offer(sentence(text), what, lambda: session.attempt(make))
        )
        session.autosave.failed.connect(self.notice.say)
        for work in (session.async_undo, session.large_edits):
            work.began.connect(lambda what, work=work: self.notice.wait(f"{what} …", work.cancel))
            work.ended.connect(self.notice.done)
        for signal in (
            session.reset,
            session.selection_changed,
            session.workbench.validation.state_changed,
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
        self.appearance.changed.connect(self.actions_table.recolour)
        views, docks = self.views, self.docks
        views.switched.connect(self._views_switched)
        views.tool_chosen.connect(self._refresh_soon)
        for view in views.all:
            self._follow_view(view)
        views.made.connect(self._follow_view)
        views.minimap.menu_wanted.connect(
            lambda at: _pop_up(menus.menu_of(self, self.actions_table, menu_rows.MINIMAP), at)
        )
        views.minimap.placed.connect(self._refresh_soon)
        views.elevation.side_changed.connect(self._refresh_soon)
        panel_requests.follow(self.desk, self.actions_table.trigger)
        session.workbench.bookmarked.finished.connect(self.desk.notice.say)
        session.workbench.heat_view.changed.connect(self._refresh_soon)
        session.workbench.pins.changed.connect(self._refresh_soon)
        session.workbench.comparison.changed.connect(self._refresh_soon)
        self.status.findings_wanted.connect(lambda: docks.focus("findings"))
        self.status.cost_wanted.connect(lambda: self.notice.say(self.status.cost_summary))
        self.status.simulation_wanted.connect(lambda: docks.focus("simulation"))
        views.welcome.action_wanted.connect(self.actions_table.trigger)
        views.welcome.file_wanted.connect(partial(document_commands.open_listed, self.desk))
        self._fill_changing_menus()

    def _fill_changing_menus(self) -> None:
        open_listed = partial(document_commands.open_listed, self.desk)
        for menu_id, paths in (
            (menu_rows.RECENT_FILES, self.preferences.recent_files),
            (menu_rows.EXAMPLES, example_files()),
        ):
            menu = self._changing_menus[menu_id]
            menu.clear()
            for path in paths:
                action = menu.addAction(access_keys.literal(path.name))
                action.setToolTip(plain_text(str(path)))
                action.triggered.connect(lambda _checked=False, path=path: open_listed(path))
            menu.setEnabled(bool(paths))
        self.views.welcome.refresh()

    # -- showing --------------------------------------------------------------------------------------------------

    def _follow_view(self, view: View) -> None:
        view.cursor_message.connect(self.status.hint.set_text)
        view.context_requested.connect(self._show_context_menu)
        if isinstance(view, CanvasView):
            view.ports_wanted.connect(lambda *asked: port_form.ask_on(view, *asked))
        view.rename_wanted.connect(partial(self.actions_table.trigger, "edit.rename"))

    def _views_switched(self) -> None:
        if self.views.on_welcome():
            self.docks.put_away()
            self.toolbar.hide()
        else:
            if not self.presentation.is_on:
                self.docks.bring_back()
                self.lay_out_docks()
                self.toolbar.show()
            self._refresh_later.start()

    def _choose_theme(self, choice: str) -> None:
        self.appearance.choice = choice
        self._refresh_later.start()

    def _limit_memory(self, limit_gb: float) -> None:
        self.session.workbench.simulation.memory_limit_bytes = limit_gb * BYTES_PER_GB

    def _show_title(self) -> None:
        self.setWindowModified(self.session.dirty)
        name = visible_line(self.session.name).replace("[*]", "[*][*]")  # one alone marks unsaved changes
        state = " (read-only)" if self.session.is_read_only else ""
        self.setWindowTitle(f"{name}[*]{state} — {PROGRAM}")

    def _refresh_soon(self) -> None:
        self._refresh_later.start()

    def _refresh(self) -> None:
        self.actions_table.refresh()
        self._hint.refresh()

    # -- editing --------------------------------------------------------------------------------------------------

    def _after_edit(self, edit: Edit) -> None:
        if Settings in edit.kinds:
            self._show_title()
        if self.views.on_welcome():
            self.views.show_canvas()
        changes = edit.changes if len(edit.changes) < MANY_CHANGES else ()
        arrived = [c.after for c in changes if c.before is None and isinstance(c.after, Device | Module)]
        devices = [entity for entity in arrived if isinstance(entity, Device)]
        placed = {one.type_id for one in devices or arrived}
        if len(placed) == 1 and not self.session.is_replaying and placed <= self.session.catalog.types.keys():
            self.preferences.add_recent_type(*placed)
        if unracked := self._unracked(edit):
            self.notice.say_of_edit(unracked)
        self._refresh_later.start()

    def _unracked(self, edit: Edit) -> str:
        is_new = not self.session.is_replaying
        return room_commands.unracked_copies(self.session.design, edit.changes, edit.label) if is_new else ""

    def _show_context_menu(self, at: QPoint, ids: object) -> None:
        chosen = frozenset(ids) if isinstance(ids, list | tuple | set | frozenset) else frozenset()
        if chosen and not chosen <= self.session.selection:
            self.session.select(chosen)
        _pop_up(menus.context_menu(self, self.actions_table, on_selection=bool(chosen)), at)

    # -- pickers --------------------------------------------------------------------------------------

    def _show_commands(self) -> None:
        self.actions_table.refresh()
        choices = pickers.commands(self.desk, self.actions_table)
        self.picker.ask(
            "Type a command, or what to add: 12 dgx h100", choices, read=partial(pickers.asked_for, self.desk)
        )

    def _look_for_unsaved_work(self, path: Path) -> None:
        self.recovery.look(path)

    # -- leaving --------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept .fabric files that are dragged in, one where there are no tabs, and a file to import."""
        if self._dropped(event) or dropped.other_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the files dropped, each in a tab; without tabs, after asking what to do with unsaved changes.

        Of a file of another program the dialog shows what is in it; logs of benchmarks are laid over the curves.
        """
        paths, imported, log = self._dropped(event), dropped.other_file(event), dropped.measurements(event)
        if log is not None:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, partial(study_commands.show_measured, self.desk, log))
        elif imported is not None:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, partial(import_commands.import_file, self.desk, imported))
        elif paths:
            event.acceptProposedAction()
            # After the drop is over: the question about unsaved changes would hold up the other program.
            QTimer.singleShot(0, self, partial(document_commands.open_all, self.desk, paths))

    def _dropped(self, event: QDropEvent) -> list[Path]:
        paths = dropped.designs(event)
        return paths if len(paths) == 1 or self.desk.tabs is not None else []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Say why a command cannot be used whose keys were pressed; Esc leaves a tool, whatever has the keyboard."""
        if event.key() == Qt.Key.Key_Escape and back_to_design(self.desk):
            return
        if event.key() == Qt.Key.Key_Escape and self.views.tool != "select":
            self.views.choose_tool("select")
            return
        if reason := self.actions_table.reason_against(QKeySequence(event.keyCombination())):
            self.notice.say(reason)
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the panels at the bottom more of a narrow window."""
        super().resizeEvent(event)
        self.docks.fit_window(event.size().width())

    def changeEvent(self, event: QEvent) -> None:
        """See whether the file has changed on disk when the window becomes active; make room for larger letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isVisible():
            self.docks.fit_letters()
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.session.disk.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close the window and its session and keep the layout, unless the user cancels to keep unsaved changes."""
        leaving: list[bool] = []
        saving.leave_document(self.desk, lambda: leaving.append(True))
        if not leaving:
            event.ignore()
            return
        self.preferences.set_blob("geometry", self.saveGeometry())
        self.shut()
        event.accept()

    def shut(self, *, keeps_layout: bool = True) -> None:
        """End all work; the window is not used afterwards."""
        self.presentation.end()
        if keeps_layout and not self.views.on_welcome():
            self.preferences.set_blob("layout", self.saveState(LAYOUT_VERSION))
        self.preferences.flush()
        self.dialogs.close_all()
        self.hide()
        self.session.autosave.drop()
        self.recovery.postpone()
        self.session.close()

    def empty(self) -> None:
        """Leave the design, for another one that is opened here some time."""
        self.dialogs.close_all()
        self.session.autosave.drop()
        self.recovery.postpone()
        self.session.new()

    def take_docks(self, docks: QByteArray) -> None:
        """Have the docks where those of another tab are."""
        if self.views.on_welcome():
            return

        def take() -> None:
            self.restoreState(docks, LAYOUT_VERSION)
            self.docks.show_comparison()

        if self._waits_for_layout:  # its first layout is still to come, and would undo it
            self._waits_for_layout = False
            QTimer.singleShot(0, self, take)
        take()

    def lay_out_docks(self) -> None:
        """Give the docks of a tab the sizes they had, once: Qt forgets them where it is made part of a window."""
        if self._waits_for_layout and self.isVisible() and not self.views.on_welcome():
            self._waits_for_layout = False
            layout = self.preferences.blob("layout")
            if layout.isEmpty() or not self.restoreState(layout, LAYOUT_VERSION):
                self.docks.take_sizes()

    def _restore_layout(self) -> None:
        geometry = self.preferences.blob("geometry")
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            self.resize(self.sizeHint())
        if self._waits_for_layout:  # Qt keeps a layout for a maximized window until its next size, and crashes on
            self.setWindowState(Qt.WindowState.WindowNoState)  # a second layout before; a tab is never maximized
        layout = self.preferences.blob("layout")
        if not layout.isEmpty():
            self.restoreState(layout, LAYOUT_VERSION)


def _pop_up(menu: QMenu, at: QPoint) -> None:
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(at)

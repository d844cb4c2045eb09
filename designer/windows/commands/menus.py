"""The toolbar and the context menus as rows of ids, and what fills them and the menu bar."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QWidget

from designer.windows.commands import access_keys
from designer.windows.commands.actions import Actions
from designer.windows.commands.menu_rows import ALIGN, EXAMPLES, FAIL, MENUS, RECENT_FILES, SAME, TURN, Entry

TOOLBAR: tuple[str | None, ...] = (
    "file.new",
    "file.open",
    "file.save",
    "file.generate",
    None,
    "edit.undo",
    "edit.redo",
    None,
    "tool.select",
    "tool.connect",
    "tool.pan",
    "insert.text",
    "insert.note",
    None,
    "link.connect_evenly",
    "align.left",
    "align.centre-x",
    "align.top",
    "align.centre-y",
    "distribute.x",
    "distribute.y",
    "arrange.group",
    None,
    "view.canvas",
    "view.matrix",
    "view.floor",
    "view.elevation",
    None,
    "view.zoom_out",
    "view.zoom_in",
    "view.zoom_fit",
    None,
    "simulate.run",
    "simulate.live",
    "simulate.fail",
    None,
    "check.now",
    "export.svg",
    "view.command_palette",
)

CONTEXT_ON_SELECTION: tuple[Entry, ...] = (
    "link.connect",
    "link.choose_ports",
    "link.connect_evenly",
    "link.reconnect",
    "lines.remove_bends",
    ("Build", ("build.rails", "build.ring", "build.router_group", "build.join_groups")),
    None,
    "edit.rename",
    "edit.rename_many",
    "edit.cut",
    "edit.copy",
    "edit.duplicate",
    "edit.delete",
    None,
    "insert.attach",
    "insert.detach",
    "insert.resolve",
    "arrange.to_front",
    "arrange.to_back",
    None,
    "arrange.tidy",
    ALIGN,
    TURN,
    "arrange.array",
    "arrange.lock",
    "arrange.group",
    "arrange.add_to_group",
    "arrange.ungroup",
    "fabric.regenerate",
    None,
    "view.collapse",
    "view.expand",
    "view.collapse_kind",
    None,
    "room.copy_rack",
    "room.turn",
    "room.turn_row",
    "room.rename_row",
    "room.on_canvas",
    "room.off_canvas",
    None,
    "edit.select_neighbours",
    "edit.select_one_link",
    SAME,
    "view.zoom_selection",
    None,
    "simulate.why",
    "simulate.paths",
    "job.from_selection",
    "job.simulate_here",
    "simulate.fail",
    "simulate.restore",
    ("Failures", FAIL),
)
CONTEXT_ON_CANVAS: tuple[Entry, ...] = (
    "edit.paste",
    "edit.select_all",
    None,
    "file.generate",
    None,
    "view.zoom_fit",
    "view.command_palette",
    None,
    "simulate.restore_all",
)


class CommandMenu(QMenu):
    """Says of a command that cannot be used why, where the mouse rests on it."""

    def event(self, event: QEvent) -> bool:
        """Show the tip of a command that is dimmed; others have their names."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            action = self.actionAt(event.pos())
            self.setToolTipsVisible(action is not None and not action.isEnabled())
        return super().event(event)


def fill_menu_bar(window: QMainWindow, actions: Actions) -> dict[str, QMenu]:
    """Build the menu bar; returns the menus whose rows change while the program runs, by their id."""
    changing: dict[str, QMenu] = {}
    for title, entries in MENUS:
        menu = CommandMenu(title, window)
        window.menuBar().addMenu(menu)
        menu.aboutToShow.connect(actions.before_menu)
        _fill(menu, entries, actions, changing)
        _give_access_keys(menu)
    return changing


def fill_toolbar(toolbar: QToolBar, actions: Actions) -> None:
    """Put the actions of the table TOOLBAR into the toolbar, with its separators."""
    for action_id in TOOLBAR:
        if action_id is None:
            toolbar.addSeparator()
        else:
            toolbar.addAction(actions.in_sight(action_id))


def context_menu(window: QWidget, actions: Actions, *, on_selection: bool) -> QMenu:
    """The menu of a right click: on the selection what can be done with it, elsewhere what can be done here.

    What cannot be done now is left out: the menu bar has it, and this menu stays short.
    """
    return menu_of(window, actions, CONTEXT_ON_SELECTION if on_selection else CONTEXT_ON_CANVAS)


def menu_of(window: QWidget, actions: Actions, entries: tuple[Entry, ...]) -> QMenu:
    """A menu of these entries, as far as they can be used now."""
    menu = QMenu(window)
    actions.before_menu()
    _fill(menu, entries, actions, {}, only_enabled=True)
    return menu


def _fill(
    menu: QMenu,
    entries: tuple[Entry, ...],
    actions: Actions,
    changing: dict[str, QMenu],
    *,
    only_enabled: bool = False,
) -> None:
    for entry in entries:
        if entry is None:
            menu.addSeparator()
        elif isinstance(entry, tuple):
            if not only_enabled or any(isinstance(one, str) and actions[one].isEnabled() for one in entry[1]):
                _fill(_below(menu, entry[0]), entry[1], actions, changing, only_enabled=only_enabled)
        elif entry == RECENT_FILES:
            changing[entry] = _below(menu, "Open Recent")
        elif entry == EXAMPLES:
            changing[entry] = _below(menu, "Open Example")
        elif not only_enabled or actions[entry].isEnabled():
            menu.addAction(actions[entry])


def _below(menu: QMenu, title: str) -> QMenu:
    """A menu in a menu, made here: PySide loses hold of one that `QMenu.addMenu(title)` makes, while it is in use."""
    made = CommandMenu(title, menu)
    menu.addMenu(made)
    return made


def _give_access_keys(menu: QMenu) -> None:
    access_keys.give(menu)
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            _give_access_keys(below)

"""Which action stands in which menu: rows of ids; None is a separator, a tuple a submenu."""

from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QWidget

from designer.model.colour_keys import DEVICE_KEYS, DEVICE_LABELS, LINK_KEYS
from designer.model.fixture import KINDS as FIXTURES
from designer.panels.findings.grouping import GROUPINGS
from designer.windows.commands import access_keys
from designer.windows.commands.actions import Actions
from designer.windows.commands.document_commands import PLUGIN_EXPORTS
from designer.windows.commands.select_commands import SAME as SAME_IDS

Entry = str | None | tuple[str, tuple[str | None, ...]]
RECENT_FILES = "recent-files"
EXAMPLES = "examples"

FAIL: tuple[str | None, ...] = (
    "simulate.fail",
    "simulate.fail_rack",
    "simulate.fail_plane",
    None,
    "simulate.restore",
    "simulate.restore_all",
)

SAME: Entry = ("Select Same", SAME_IDS)

SELECT: Entry = (
    "Select",
    (
        "edit.select_all",
        "edit.select_none",
        "edit.select_neighbours",
        "edit.select_one_link",
        None,
        "select.expression",
        None,
        *SAME_IDS,
    ),
)

ALIGN: Entry = (
    "Align",
    (
        "align.left",
        "align.centre-x",
        "align.right",
        None,
        "align.top",
        "align.centre-y",
        "align.bottom",
        None,
        "distribute.x",
        "distribute.y",
    ),
)

COLLAPSE: Entry = (
    "Collapse",
    (
        "view.collapse",
        "view.collapse_role",
        "view.collapse_kind",
        "view.collapse_all",
        None,
        "view.expand",
        "view.expand_all",
        "view.close_up",
    ),
)

BOOKMARKS: Entry = (
    "Bookmarks",
    (
        "bookmark.add",
        "bookmark.go",
        "bookmark.next",
        "bookmark.previous",
        None,
        "bookmark.update",
        "bookmark.rename",
        "bookmark.delete",
    ),
)

SPLIT: Entry = (
    "Side by Side",
    (
        "view.split_right",
        "view.split_down",
        "view.second_canvas",
        "view.all_views",
        None,
        "view.close_pane",
        "view.one_view",
    ),
)

FLOOR_TOOLS: tuple[str, ...] = tuple(f"insert.{one.name}" for one in FIXTURES)
"""What draws on the floor plan."""

TURN: Entry = (
    "Rotate and Mirror",
    (
        "arrange.rotate_right",
        "arrange.rotate_left",
        None,
        "arrange.mirror_x",
        "arrange.mirror_y",
        None,
        "arrange.swap",
    ),
)

EXPORTS: tuple[str | None, ...] = (
    "export.svg",
    "export.pdf",
    "export.png",
    None,
    "export.cable_plan",
    "export.cable_plan_xlsx",
    "export.bill",
    *((None, *(row.id for row in PLUGIN_EXPORTS)) if PLUGIN_EXPORTS else ()),
)

MENUS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "&File",
        (
            "file.new",
            "file.open",
            "file.open_read_only",
            "file.reopen",
            RECENT_FILES,
            EXAMPLES,
            "file.generate",
            "fabric.regenerate",
            "fabric.phases",
            "fabric.networks",
            None,
            "file.save",
            "file.save_as",
            "file.save_redacted",
            None,
            "file.compare",
            "file.take_over_built",
            "file.merge",
            None,
            "file.import",
            "file.export",
            ("Export As", EXPORTS),
            "file.print",
            "file.pack",
            "file.record",
            None,
            "file.welcome",
            "file.close",
            "tab.close_others",
            "file.quit",
        ),
    ),
    (
        "&Edit",
        (
            "edit.undo",
            "edit.redo",
            None,
            "edit.cut",
            "edit.copy",
            "edit.paste",
            "edit.paste_in_place",
            "edit.duplicate",
            "edit.delete",
            None,
            "edit.rename",
            "edit.rename_many",
            SELECT,
            None,
            "edit.find",
            None,
            "catalog.browse",
            "edit.settings",
        ),
    ),
    (
        "&Arrange",
        (
            "tool.select",
            "tool.connect",
            "tool.pan",
            None,
            "link.connect",
            "link.connect_evenly",
            "build.rails",
            "build.ring",
            "build.router_group",
            "build.join_groups",
            None,
            "arrange.tidy",
            ALIGN,
            "arrange.spacing",
            TURN,
            "arrange.array",
            "arrange.lock",
            None,
            "arrange.group",
            "arrange.ungroup",
            "look.color",
        ),
    ),
    (
        "&Insert",
        (
            "insert.text",
            "insert.note",
            "insert.callout",
            "insert.comment",
            "insert.resolve",
            None,
            "insert.zone",
            "insert.arrow",
            "insert.line",
            "insert.dimension",
            None,
            "insert.image",
            "insert.legend",
            "insert.title-block",
            None,
            *FLOOR_TOOLS,
            None,
            "style.new",
            "style.apply",
            "style.rename",
            "style.select",
            "style.delete",
        ),
    ),
    (
        "&View",
        (
            "view.command_palette",
            None,
            "view.canvas",
            "view.matrix",
            "view.floor",
            "view.elevation",
            "room.rear",
            SPLIT,
            None,
            "view.zoom_in",
            "view.zoom_out",
            "view.zoom_reset",
            "view.zoom_fit",
            "view.zoom_selection",
            "view.up",
            "view.minimap",
            "view.breadcrumbs",
            None,
            COLLAPSE,
            BOOKMARKS,
            ("Tabs", ("tab.next", "tab.previous")),
            (
                "Panels",
                (
                    "goto.palette",
                    "goto.outline",
                    "goto.inspector",
                    "goto.simulation",
                    "goto.findings",
                    "goto.studies",
                    "goto.failures",
                    "goto.paths",
                    "goto.comparison",
                    None,
                    "panel.palette",
                    "panel.outline",
                    "panel.inspector",
                    "panel.simulation",
                    "panel.findings",
                    "panel.studies",
                    "panel.failures",
                    "panel.paths",
                    "panel.comparison",
                ),
            ),
            (
                "Layers",
                (
                    "layer.compute",
                    "layer.storage",
                    "layer.in-band",
                    "layer.north-south",
                    "layer.oob",
                    None,
                    "layer.all",
                    None,
                    "layer.badges",
                    "layer.annotations",
                ),
            ),
            ("Color Devices By", tuple(f"color.devices.{key.name}" for key in DEVICE_KEYS)),
            ("Color Links By", tuple(f"color.links.{key.name}" for key in LINK_KEYS)),
            ("Labels", tuple(f"label.{label.name}" for label in DEVICE_LABELS)),
            (
                "Grid and Snapping",
                (
                    "grid.show",
                    "grid.snap",
                    "grid.neighbours",
                    None,
                    "grid.spacing_12",
                    "grid.spacing_24",
                    "grid.spacing_48",
                    "grid.spacing_96",
                ),
            ),
            ("Theme", ("theme.system", "theme.light", "theme.dark")),
            None,
            "view.presentation",
            "view.full_screen",
        ),
    ),
    (
        "&Room",
        (
            "room.prepare",
            None,
            "room.mount",
            "room.auto_place",
            "room.copy_rack",
            "room.turn",
            "room.turn_row",
            "room.face_rows",
            "room.off_floor",
            None,
            "room.draw_trays",
            "room.route",
            "room.media",
            None,
            "room.measures",
            None,
            "room.prices",
            "room.cost",
            "room.no_prices",
        ),
    ),
    (
        "&Simulate",
        (
            "simulate.run",
            "simulate.live",
            "simulate.cancel",
            "simulate.why",
            "simulate.advise",
            "simulate.paths",
            "simulate.tables",
            "simulate.constants",
            "simulate.training",
            "simulate.inference",
            "simulate.queues",
            "simulate.explore",
            None,
            "job.simulate_here",
            "job.from_selection",
            "job.run",
            ("Jobs", ("job.show", "job.map", "job.marks", "job.open_file", "job.save_file")),
            None,
            "study.curve",
            "study.measured",
            "study.acceptance",
            "study.pin",
            "study.runs",
            "study.timeline",
            "study.tiers",
            "heat.hottest",
            ("Save Run", ("simulate.save_loads", "simulate.add_to_runs")),
            ("Heat Shows", ("heat.shown", None, "heat.peak", "heat.mean", "heat.bytes")),
            None,
            "failures.sweep",
            *FAIL,
        ),
    ),
    (
        "&Check",
        (
            "check.now",
            "check.next",
            "check.previous",
            None,
            "check.preview",
            "check.preview_alike",
            "check.preview_all",
            None,
            "check.fix",
            "check.fix_alike",
            "check.fix_all",
            None,
            "check.waive",
            "check.policy",
            None,
            ("Group Findings", tuple(f"check.group_{one.name}" for one in GROUPINGS)),
        ),
    ),
    ("&Help", ("help.guide", "help.shortcuts", None, "help.about")),
)

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
    "link.connect_evenly",
    ("Build", ("build.rails", "build.ring", "build.router_group", "build.join_groups")),
    None,
    "edit.rename",
    "edit.rename_many",
    "edit.cut",
    "edit.copy",
    "edit.duplicate",
    "edit.delete",
    None,
    "arrange.tidy",
    ALIGN,
    TURN,
    "arrange.array",
    "arrange.lock",
    "arrange.group",
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


def fill_menu_bar(window: QMainWindow, actions: Actions) -> dict[str, QMenu]:
    """Build the menu bar; returns the menus whose rows change while the program runs, by their id."""
    changing: dict[str, QMenu] = {}
    for title, entries in MENUS:
        menu = QMenu(title, window)
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
    menu = QMenu(window)
    actions.before_menu()
    _fill(menu, CONTEXT_ON_SELECTION if on_selection else CONTEXT_ON_CANVAS, actions, {}, only_enabled=True)
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
    made = QMenu(title, menu)
    menu.addMenu(made)
    return made


def _give_access_keys(menu: QMenu) -> None:
    access_keys.give(menu)
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            _give_access_keys(below)

"""Actions: one table; menus, toolbar, context menu, shortcuts page and command palette are read from it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import update_wrapper

from PySide6.QtGui import QAction, QKeySequence

from designer.model.shown_text import plain_text
from designer.panels.bookmarks import VIEW_TITLES
from designer.windows.commands.access_keys import literal
from designer.windows.desk import Desk
from designer.windows.files.places import back_to_design

Run = Callable[[Desk], None]
Test = Callable[[Desk], bool]

_VIEWS = {name: title.lower() for name, title in VIEW_TITLES.items()}
MANY_SELECTED = 10_000
"""Of so many, it takes a while to find out what can be done with them."""


def always(_desk: Desk) -> bool:
    """True: the test of a command that can always be used."""
    return True


class Needs:
    """A test of a command, with what it says where the command cannot be used."""

    def __init__(self, test: Test, reason: str, views: tuple[str, ...] = ()) -> None:
        self._test, self.reason, self.views = test, reason, views
        update_wrapper(self, test)

    def __call__(self, desk: Desk) -> bool:
        """Whether the command can be used."""
        return self._is_seen(desk) and self._test(desk)

    def reason_on(self, desk: Desk) -> str:
        """Why the command cannot be used now: another view is in front, or what it needs is not there."""
        if self._is_seen(desk):
            return self.reason
        return f"Show the {' or the '.join(map(_VIEWS.__getitem__, self.views))} first: this command arranges it."

    def _is_seen(self, desk: Desk) -> bool:
        return not self.views or desk.views.name in self.views


def needs(reason: str, views: tuple[str, ...] = ()) -> Callable[[Test], Needs]:
    """What makes a test that says why a command cannot be used: "Select two devices.".

    What moves things names the `views` where they are seen to move: it can be used where one of these is in front.
    """
    return lambda test: Needs(test, reason, views)


@needs("The design has no devices yet.")
def has_devices(desk: Desk) -> bool:
    """Whether the design has any device."""
    return bool(desk.session.design.devices)


@needs("The design has no links yet.")
def has_links(desk: Desk) -> bool:
    """Whether the design has any link."""
    return bool(desk.session.design.links)


OF_ALL = ("Tabs", "Export", "Theme", "Help")
ALSO_OF_ALL = ("view.command_palette", "view.full_screen", "catalog.browse", "edit.settings")
"""Commands that are about no view of a design: they leave the welcome screen where it is."""


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One thing a user can do. `shortcut` may hold several, separated by "; "; the first is the one shown.

    `checked` makes it a switch. `menu` is the heading it stands under in the palette and on the shortcuts page.
    """

    id: str
    text: str
    shortcut: str = ""
    icon: str = ""
    enabled: Test = always
    run: Run = lambda _desk: None
    menu: str = ""
    checked: Test | None = None
    hint: str = ""

    @property
    def shortcuts(self) -> list[QKeySequence]:
        """The key sequences that trigger the command, the one shown first; none where it has no shortcut."""
        return [QKeySequence(part) for part in self.shortcut.split("; ")] if self.shortcut else []

    @property
    def tip(self) -> str:
        """What it is called, with its keys, and its hint."""
        keys = self.shortcuts[0].toString(QKeySequence.SequenceFormat.NativeText) if self.shortcut else ""
        named = f"{self.text.replace('…', '').replace('&', '')}  {keys}".strip()
        return f"{named}\n{self.hint}" if self.hint else named

    @property
    def shows_design(self) -> bool:
        """Whether it is about what is open, which the welcome screen hides."""
        is_of_file = self.id.startswith("file.") and self.id not in ("file.by_hand", "file.compare")
        return not is_of_file and self.menu not in OF_ALL and self.id not in ALSO_OF_ALL

    @property
    def reason(self) -> str:
        """What it needs, as said where that is not there; "" where its test does not say."""
        return self.enabled.reason if isinstance(self.enabled, Needs) else ""

    def reason_on(self, desk: Desk) -> str:
        """Why it cannot be used where it cannot; "" where its test does not say."""
        return self.enabled.reason_on(desk) if isinstance(self.enabled, Needs) else ""


class Actions:
    """The QActions of a desk, one a row. `refresh` brings enabled and checked up to date."""

    def __init__(self, desk: Desk, rows: Iterable[ActionRow]) -> None:
        self._desk = desk
        self.rows: dict[str, ActionRow] = {}
        self._actions: dict[str, QAction] = {}
        self._reasons: dict[str, str] = {}
        """Why those that are off are off, as their tooltips say."""
        self._in_sight: dict[str, None] = {}
        self._drawn: set[str] = set()
        for row in rows:
            self._add(row)

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def in_sight(self, action_id: str) -> QAction:
        """The action, for a bar that is always seen: its icon is drawn with the window, not when a menu opens."""
        self._in_sight[action_id] = None
        return self._actions[action_id]

    def refresh(self) -> None:
        """Bring enabled and checked states up to date, and name the next edit in the texts of Undo and Redo."""
        for action_id, row in self.rows.items():
            action = self._actions[action_id]
            enabled = row.enabled(self._desk)
            reason = "" if enabled else row.reason_on(self._desk)
            if enabled != action.isEnabled() or reason != self._reasons.get(action_id, ""):
                action.setEnabled(enabled)
                action.setToolTip(plain_text(f"{row.tip}\n{reason}" if reason else row.tip))
                self._reasons[action_id] = reason
            if row.checked is not None:
                action.setChecked(row.checked(self._desk))
        stack = self._desk.session.undo_stack
        self._actions["edit.undo"].setText(_with_label("&Undo", stack.undoText()))
        self._actions["edit.redo"].setText(_with_label("&Redo", stack.redoText()))

    def trigger(self, action_id: str) -> None:
        """Do it, if it can be done now."""
        row, session = self.rows[action_id], self._desk.session
        before = session.selection
        if row.enabled(self._desk):
            if row.shows_design:
                back_to_design(self._desk)
            row.run(self._desk)
        if session.selection is before or len(session.selection) < MANY_SELECTED:
            self.refresh()  # else the window does so soon, as after every selection: it takes a while of very many

    def reason_against(self, keys: QKeySequence) -> str:
        """Why the command with these keys cannot be used now; "" where it can, or there is none."""
        rows = (row for row in self.rows.values() if keys in row.shortcuts and not row.enabled(self._desk))
        return next((row.reason_on(self._desk) for row in rows), "")

    def recolour(self) -> None:
        """Draw the icons again in the colors of the current theme: of bars now, of menus before one opens."""
        self._drawn.clear()
        self._draw_icons(self._in_sight)

    def before_menu(self) -> None:
        """Bring everything up to date that a menu shows."""
        self.refresh()
        self._draw_icons(self.rows)

    def _draw_icons(self, action_ids: Iterable[str]) -> None:
        for action_id in action_ids:
            if self.rows[action_id].icon and action_id not in self._drawn:
                self._drawn.add(action_id)
                self._actions[action_id].setIcon(self._desk.appearance.icon(self.rows[action_id].icon))

    def _add(self, row: ActionRow) -> None:
        action = QAction(literal(row.text), self._desk.window)
        action.setObjectName(row.id)
        action.setShortcuts(row.shortcuts)
        action.setCheckable(row.checked is not None)
        action.setToolTip(plain_text(row.tip))
        action.setStatusTip("")
        action.triggered.connect(lambda _checked=False: self.trigger(row.id))
        self._desk.window.addAction(action)
        self.rows[row.id] = row
        self._actions[row.id] = action


def _with_label(verb: str, label: str) -> str:
    return f"{verb} {literal(label)}" if label else verb

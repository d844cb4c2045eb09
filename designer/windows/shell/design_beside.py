"""Which two open designs are shown next to each other, until which files are open, and what is kept of it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from designer.late import Late
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.windows.desk import Desk
from designer.windows.files import reopening
from designer.windows.shell.main_window import MainWindow

pairs = Late("designer.windows.shell.side_by_side")


class Pair(Protocol):
    """Two designs as they are shown next to each other."""

    left: Desk
    right: Desk
    moves_together: bool

    @property
    def sessions(self) -> tuple[Session, Session]:
        """Left and right."""

    def move_together(self, together: bool) -> None:
        """Have both move and zoom alike from now on, or each by itself."""

    def look_alike(self) -> None:
        """Show the same part of both from now on."""

    def switch(self, before: Desk, now: Desk) -> None:
        """The other one is the current one now."""

    def end(self) -> None:
        """Take both panes away."""


class DesignBeside:
    """Which two designs of a window are side by side: none until that is asked for."""

    def __init__(
        self, windows: Sequence[MainWindow], show: Callable[[MainWindow], None], preferences: Preferences
    ) -> None:
        self._windows, self._show_tab, self._preferences = windows, show, preferences
        self.pair: Pair | None = None
        self._wanted: tuple[Session | Path, Session | Path] | None = None
        """What is to be side by side, while files of it are being opened."""
        self._then: Callable[[Pair], object] = lambda _pair: None
        """What is done once they are."""

    def others(self, session: Session) -> list[Session]:
        """The open designs but this one."""
        windows = (one for one in self._windows if one.session is not session)
        return [one.session for one in windows if not one.views.on_welcome()]

    def shown(self, session: Session) -> Session | None:
        """The one next to this one."""
        if self.pair is None or session not in self.pair.sessions:
            return None
        return next(one for one in self.pair.sessions if one is not session)

    @property
    def moves_together(self) -> bool:
        """Whether both move and zoom alike."""
        return self.pair is not None and self.pair.moves_together

    def show(self, session: Session, other: Session) -> None:
        """Show another design to the right of this one, or in place of the one that is next to it."""
        is_right = self.pair is not None and self.pair.right.session is session
        self._show(*((other, session) if is_right else (session, other)))

    def _show(self, left: Session, right: Session) -> Pair:
        desks = {one.session: one.desk for one in self._windows}
        together = self.moves_together
        self.end()
        made: Pair = pairs.SideBySide(desks[left], desks[right], self._bring, self.show, self.end, self.others)
        self.pair = made
        made.move_together(together)
        self._refresh()
        return made

    def _bring(self, desk: Desk) -> None:
        """Bring the tab of that desk to the front."""
        self._show_tab(next(one for one in self._windows if one.desk is desk))

    def _refresh(self) -> None:
        """Have the commands of every tab see whether they can run now."""
        for window in self._windows:
            window.actions_table.refresh()

    def end(self) -> None:
        """Show one design at a time again."""
        if self.pair is not None:
            ended, self.pair = self.pair, None
            ended.end()
            self._refresh()

    def move_together(self, together: bool) -> None:
        """Have both move and zoom alike, or each by itself."""
        if self.pair is not None:
            self.pair.move_together(together)

    def switch(self, before: MainWindow | None, now: MainWindow) -> None:
        """Another tab is seen."""
        if self.pair is not None and before is not None:
            self.pair.switch(before.desk, now.desk)

    def leave(self, session: Session) -> None:
        """A tab is closed."""
        if self.pair is not None and session in self.pair.sessions:
            self.end()

    def keep(self) -> None:
        """Remember what is side by side for the next session."""
        paths = [one.path for one in self.pair.sessions] if self.pair is not None else []
        reopening.keep_beside(self._preferences, [path for path in paths if path is not None])

    def restore(self) -> None:
        """Show again what was side by side when the window was closed last, once both are open."""
        self._wanted, self._then = reopening.left_beside(self._preferences), lambda _pair: None
        self.look()

    def compare(self, session: Session, path: Path, *, comes_first: bool, are_versions: bool) -> None:
        """Show a design and that of a file that it is compared with, before at the left, moving together."""

        def show(pair: Pair) -> None:
            self._bring(pair.left if comes_first else pair.right)
            pair.move_together(True)
            if are_versions:
                pair.look_alike()

        self._wanted = (session, path.resolve()) if comes_first else (path.resolve(), session)
        self._then = show
        self.look()

    def look(self) -> None:
        """See whether what is to be shown again is open by now."""
        if self._wanted is None:
            return
        found: dict[Session | Path, Session] = {one.session: one.session for one in self._windows}
        found |= {path.resolve(): one for one in tuple(found.values()) if (path := one.path) is not None}
        left, right = (found.get(one) for one in self._wanted)
        if left is not None and right is not None and left is not right:
            self._wanted = None
            self._then(self._show(left, right))

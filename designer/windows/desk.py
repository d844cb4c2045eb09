"""What commands, dialogs and bars work with: the parts of a window that are theirs to use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QDialog, QMainWindow

from designer.catalog.catalog import Catalog
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.windows.dialogs.open_dialogs import OpenDialogs
from designer.windows.dialogs.questions import Questions
from designer.windows.picker.quick_picker import QuickPicker
from designer.windows.shell.clipboard import Clipboard
from designer.windows.shell.construction_bar import ConstructionBar
from designer.windows.shell.docks import Docks
from designer.windows.shell.notice import Notice
from designer.windows.shell.presentation import Presentation
from designer.windows.shell.views import Views


class Beside(Protocol):
    """Two open designs next to each other, in the same window."""

    def others(self, session: Session) -> Sequence[Session]:
        """The designs that can be shown next to this one."""

    def shown(self, session: Session) -> Session | None:
        """The one that is shown next to this one."""

    @property
    def moves_together(self) -> bool:
        """Whether both move and zoom alike."""

    def show(self, session: Session, other: Session) -> None:
        """Show another design to the right of this one, or in place of the one that is next to it."""

    def end(self) -> None:
        """Show one design at a time again."""

    def move_together(self, together: bool) -> None:
        """Have both move and zoom alike, or each by itself."""

    def compare(self, session: Session, path: Path, *, comes_first: bool, are_versions: bool) -> None:
        """Show a design and that of a file that it is compared with, before at the left, moving together.

        Once the file is open in a tab; the design is the current one then. Versions show the same part.
        """

    def restore(self) -> None:
        """Show again what was side by side when the window was closed last, once both are open."""


class Tabs(Protocol):
    """The tabs of a window with several designs."""

    shared_dialogs: dict[str, QDialog]
    """Dialogs that belong to no design, by name."""

    @property
    def beside(self) -> Beside:
        """Another design next to the one that is seen."""

    @property
    def desk(self) -> "Desk":
        """That of the design that is seen."""

    def take_in(self, window: QMainWindow) -> None:
        """Put the window of a design among the others."""

    @property
    def count(self) -> int:
        """How many designs are open."""

    def add(self, begin: Callable[["Desk"], object]) -> None:
        """Do it on the desk of a new tab, which comes to the front; where that returns False, it goes again."""

    def show_file(self, path: Path) -> bool:
        """Bring the tab to the front that has this file open; False where none has."""

    def step(self, by: int) -> None:
        """Bring the next tab to the front, or the one before; after the last comes the first."""

    def close_tab(self) -> None:
        """Close the tab that is seen, after asking what to do with unsaved changes."""

    def show_bar(self, shown: bool) -> None:
        """Show the tabs, where there are several, or hide them."""

    def close_others(self) -> None:
        """Close all tabs but the one that is seen, as far as their unsaved changes may be left."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Made once by each window. Whoever takes a desk imports neither the window nor the table of actions."""

    window: QMainWindow
    """For what Qt wants a window: the parent of a dialog, full screen, closing."""
    session: Session
    preferences: Preferences
    appearance: Appearance
    questions: Questions
    notice: Notice
    views: Views
    docks: Docks
    dialogs: OpenDialogs
    construction: ConstructionBar
    picker: QuickPicker
    clipboard: Clipboard
    show_commands: Callable[[], None]
    """Opens the command palette."""
    look_for_unsaved_work: Callable[[Path], None]
    """Offers what a killed window left of a file that has just been opened."""
    presentation: Presentation
    tabs: Tabs | None = None
    """None in a window of one design."""

    @property
    def desk_seen(self) -> "Desk":
        """That of the tab that is seen; this one in a window of one design."""
        return self if self.tabs is None else self.tabs.desk

    @property
    def catalog(self) -> Catalog:
        """What new devices come from."""
        return self.session.catalog

    def use_catalog(self, catalog: Catalog) -> None:
        """From now on new devices and the palette come from this catalog; designs keep the types they have."""
        self.session.catalog = catalog
        self.docks.palette.show_catalog(catalog)

"""What commands, dialogs and bars work with: the parts of a window that are theirs to use."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QMainWindow

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
from designer.windows.shell.views import Views


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

    @property
    def catalog(self) -> Catalog:
        """What new devices come from."""
        return self.session.catalog

    def use_catalog(self, catalog: Catalog) -> None:
        """From now on new devices and the palette come from this catalog; designs keep the types they have."""
        self.session.catalog = catalog
        self.docks.palette.show_catalog(catalog)

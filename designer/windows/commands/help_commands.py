"""Commands that explain: shortcuts, about."""

from typing import TYPE_CHECKING

from designer.windows.commands.actions import ActionRow

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

HELP = "Help"


def shortcuts(window: "MainWindow") -> None:
    window.dialogs.show("shortcuts")


def about(window: "MainWindow") -> None:
    window.dialogs.show("about")


ROWS: tuple[ActionRow, ...] = (
    ActionRow("help.shortcuts", "Keyboard Shortcuts", "F1", "keyboard", run=shortcuts, menu=HELP),
    ActionRow("help.about", "About Fabric Designer", "", "app", run=about, menu=HELP),
)

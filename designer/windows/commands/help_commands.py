"""Commands that explain: shortcuts, about."""

from designer.windows.commands.actions import ActionRow
from designer.windows.desk import Desk

HELP = "Help"


def shortcuts(desk: Desk) -> None:
    desk.dialogs.show("shortcuts")


def about(desk: Desk) -> None:
    desk.dialogs.show("about")


ROWS: tuple[ActionRow, ...] = (
    ActionRow("help.shortcuts", "Keyboard Shortcuts", "F1", "keyboard", run=shortcuts, menu=HELP),
    ActionRow("help.about", "About Fabric Designer", "", "app", run=about, menu=HELP),
)

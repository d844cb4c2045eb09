"""Commands that explain: guide, shortcuts, about."""

from PySide6.QtWidgets import QApplication

from designer.windows.commands.actions import ActionRow
from designer.windows.desk import Desk
from designer.windows.guide import topics

HELP = "Help"


def guide(desk: Desk) -> None:
    """Open the guide at the page of the panel in use, or of what is selected on the canvas."""
    session = desk.session
    of_selection = topics.of_selection(
        session.design, session.selection, is_simulated=session.workbench.simulation.result is not None
    )
    desk.dialogs.show_guide(topics.of_widget(QApplication.focusWidget()) or of_selection)


def shortcuts(desk: Desk) -> None:
    """Show the page of keyboard shortcuts."""
    desk.dialogs.show("shortcuts")


def about(desk: Desk) -> None:
    """Show the dialog about the program."""
    desk.dialogs.show("about")


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "help.guide",
        "Guide",
        "F1",
        run=guide,
        menu=HELP,
        hint="Open the guide at the page about what is selected",
    ),
    ActionRow("help.shortcuts", "Keyboard Shortcuts", "Ctrl+F1", "keyboard", run=shortcuts, menu=HELP),
    ActionRow("help.about", "About Fabric Designer", "", "app", run=about, menu=HELP),
)

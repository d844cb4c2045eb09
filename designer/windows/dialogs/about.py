"""About the program."""

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout

from designer import plugins
from designer.errors import sentence
from designer.panels.widgets.labels import enlarged, label
from designer.paths import user_state_dir
from designer.version import version_text
from designer.windows.desk import Desk


class AboutDialog(QDialog):
    """Name, version, license, where the log is."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self.setWindowTitle("About Fabric Designer")
        mark = label()
        mark.setPixmap(desk.appearance.pixmap("app", 40, "accent"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(10)
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(mark)
        head.addWidget(label("Fabric Designer", "title"), 1)
        column.addLayout(head)
        column.addWidget(
            label("Draw the network of a GPU cluster, check it, and see what collective traffic does to it.", wrap=True)
        )
        column.addWidget(label(f"Version {version_text()}, Qt {qVersion()}. Apache-2.0.", "muted", wrap=True))
        column.addWidget(
            label("Simulation is flow level: every result states its model and assumptions.", "muted", wrap=True)
        )
        for line in plugins.summary():
            column.addWidget(label(f"Plug-in {line}", "muted", wrap=True))
        for problem in plugins.problems():
            column.addWidget(label(sentence(problem), "error", wrap=True))
        column.addWidget(label(f"Log: {user_state_dir()}", "muted", wrap=True))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column.addWidget(buttons)
        self.setMinimumWidth(enlarged(440))

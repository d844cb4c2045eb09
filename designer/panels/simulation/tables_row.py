"""Which forwarding tables the routing goes by, and a button to read others."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import label
from designer.routing.tables.given import ForwardingTables


class TablesRow(QWidget):
    """The name of the dump with its counts as a tool tip; `wanted` asks for another one."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.text = label("", "muted")
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.choose = QPushButton("Choose…")
        self.choose.setToolTip("Read forwarding tables that OpenSM dumped: opensm-lfts.dump")
        self.choose.setAccessibleName("Choose forwarding tables")
        self.choose.clicked.connect(self.wanted)
        row.addWidget(self.text, 1)
        row.addWidget(self.choose)

    def show_tables(self, tables: ForwardingTables | None) -> None:
        """Show what was read; where they are of, its folder too, since all dumps have one name."""
        self.text.setText("" if tables is None else tables.place)
        self.text.setToolTip("" if tables is None else plain_text(f"{tables.summary}\n{tables.file}"))

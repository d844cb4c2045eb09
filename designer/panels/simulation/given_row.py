"""What of a run comes from a file, such as forwarding tables or constants, and a button to read another one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import label
from designer.routing.given import ForwardingTables
from designer.simulation.own_constants import OwnConstants

DELIVERED = "delivered"


class GivenRow(QWidget):
    """The name of the file with what is in it as a tool tip; `wanted` asks for another one."""

    wanted = Signal()

    def __init__(self, noun: str, tip: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.text = label("", "muted")
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.choose = QPushButton("Choose…")
        self.choose.setToolTip(plain_text(tip))
        self.choose.setAccessibleName(f"Choose {noun}")
        self.choose.clicked.connect(self.wanted)
        row.addWidget(self.text, 1)
        row.addWidget(self.choose)

    def show_given(self, name: str, tip: str = "") -> None:
        """Show what was read."""
        self.text.setText(name)
        self.text.setToolTip(plain_text(tip) if tip else "")


class TablesRow(GivenRow):
    """Which forwarding tables the routing goes by."""

    def __init__(self) -> None:
        super().__init__("forwarding tables", "Read forwarding tables that OpenSM dumped: opensm-lfts.dump")

    def show_tables(self, tables: ForwardingTables | None) -> None:
        """Show what was read; where they are of, its folder too, since all dumps have one name."""
        if tables is None:
            self.show_given("")
        else:
            self.show_given(tables.place, f"{tables.summary}\n{tables.file}")


class ConstantsRow(GivenRow):
    """Which constants a library's model goes by; `given_up` asks for the delivered ones again."""

    given_up = Signal()

    def __init__(self) -> None:
        super().__init__("constants", "Read constants that calibrate fitted to logs of yours")
        self.back = QPushButton("Delivered")
        self.back.setToolTip("Go by the delivered constants again")
        self.back.clicked.connect(self.given_up)
        layout = self.layout()
        assert layout is not None, "made above"
        layout.addWidget(self.back)

    def show_constants(self, constants: OwnConstants | None) -> None:
        """Show what was read, or that the delivered ones hold."""
        self.back.setVisible(constants is not None)
        if constants is None:
            self.show_given(DELIVERED, "Those of the program, fitted to published measurements")
        else:
            self.show_given(constants.place, f"{constants.summary}\n{constants.file}".strip())

"""A conflict as three pictures next to each other: the base, ours and theirs, and a button for each side."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from designer.analysis.merge_report import ConflictRow
from designer.errors import DesignerError
from designer.exchange.comparison.merge_pictures import Pictured, conflict_pictures
from designer.model.merging.conflicts import Conflict
from designer.model.merging.versions import OURS, THEIRS, Side, Versions
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import label
from designer.units import format_counted
from designer.windows.dialogs.miniature import Miniature

TITLES = ("Base", "Ours", "Theirs")
NOT_DRAWN = "Nothing of this is drawn."


class ConflictViews(QWidget):
    """`taken` carries the side that was chosen."""

    taken = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.pictures = [Miniature(appearance) for _ in TITLES]
        self.texts = [label("", wrap=True) for _ in TITLES]
        self.take_ours, self.take_theirs = QPushButton("Take Ours"), QPushButton("Take Theirs")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        self.columns = [QWidget() for _ in TITLES]
        buttons = (None, self.take_ours, self.take_theirs)
        shown = zip(TITLES, self.columns, self.pictures, self.texts, buttons, strict=True)
        for title, widget, picture, text, button in shown:
            picture.setMinimumSize(180, 110)
            picture.setAccessibleName(title)
            head = QHBoxLayout()
            head.addWidget(label(title, "section"))
            head.addStretch(1)
            if button is None:
                head.addSpacerItem(QSpacerItem(0, self.take_ours.sizeHint().height()))
            else:
                button.setCheckable(True)
                head.addWidget(button)
            text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            column = QVBoxLayout(widget)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(4)
            column.addLayout(head)
            column.addWidget(picture, 1)
            column.addWidget(text)
            row.addWidget(widget, 1)
        self.take_ours.clicked.connect(lambda: self.taken.emit(OURS))
        self.take_theirs.clicked.connect(lambda: self.taken.emit(THEIRS))

    def show_nothing(self, why: str) -> None:
        """Show that there is no conflict to decide."""
        for picture, text in zip(self.pictures, self.texts, strict=True):
            picture.show_nothing(why)
            text.setText("")
        self._show_taken(None)

    def show_conflict(self, versions: Versions, conflict: Conflict, row: ConflictRow) -> None:
        """Show what each version has, the base where there is one."""
        self.columns[0].setVisible(versions.has_base)
        try:
            drawn = conflict_pictures(versions, conflict)
        except DesignerError:  # a part of a design that cannot stand by itself is not drawn
            drawn = None
        for number, (picture, text) in enumerate(zip(self.pictures, self.texts, strict=True)):
            more = drawn[number].n_left_out if drawn is not None else 0
            left_out = f"Not drawn: {format_counted(more, 'more neighbor')}." if more else ""
            text.setText("\n".join(filter(None, ((row.base, row.ours, row.theirs)[number], left_out))))
            self._draw(picture, drawn[number] if drawn is not None else None)
        self._show_taken(row)

    def _draw(self, picture: Miniature, shown: Pictured | None) -> None:
        if shown is None or not shown.design.devices:
            picture.show_nothing(NOT_DRAWN if shown is None else "Not there.")
        else:
            picture.show_part(shown.design, shown.marks)

    def _show_taken(self, row: ConflictRow | None) -> None:
        sides: tuple[tuple[QPushButton, Side], ...] = ((self.take_ours, OURS), (self.take_theirs, THEIRS))
        for button, side in sides:
            button.setEnabled(row is not None)
            button.setChecked(row is not None and row.decided and row.taken == side)

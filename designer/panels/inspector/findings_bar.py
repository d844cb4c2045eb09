"""What validation finds wrong with the one thing that is selected, below its fields; a click leads to the finding."""

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.model.shown_text import visible
from designer.panels.widgets.labels import label, linked_label, rule
from designer.session.session import Session
from designer.units import format_count, format_counted
from designer.validation.findings import Finding

MOST_SHOWN = 3


class FindingsBar(QWidget):
    """Hidden where nothing is found. `finding_wanted` carries the finding that was clicked."""

    finding_wanted = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._found: list[Finding] = []
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label("", "section")
        self.lines = linked_label(lambda number: self.finding_wanted.emit(self._found[int(number)]))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 12, 8)
        column.setSpacing(4)
        column.addWidget(rule())
        column.addWidget(self.title)
        column.addWidget(self.lines)

    def refresh(self) -> None:
        """Show the findings about what is selected alone, the worst first."""
        selection, validation = self._session.selection, self._session.workbench.validation
        self._found = validation.about(selection) if len(selection) == 1 else []
        self.setVisible(bool(self._found))
        if not self._found:
            return
        self.title.setText(format_counted(len(self._found), "finding"))
        texts = [f"{one.severity.value.capitalize()}: {one.message}" for one in self._found[:MOST_SHOWN]]
        if len(self._found) > MOST_SHOWN:
            texts.append(f"and {format_count(len(self._found) - MOST_SHOWN)} more")
        links = (f'<a href="{number}">{escape(visible(text))}</a>' for number, text in enumerate(texts))
        self.lines.setText("".join(f'<p style="margin: 0 0 4px 0">{link}</p>' for link in links))

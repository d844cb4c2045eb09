"""What of the selection is marked as failed, above its fields, with a button that restores it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from designer.graph.failures import covered
from designer.panels.widgets.labels import label
from designer.session.session import Session
from designer.units import format_count

FAILED = "Marked as failed"


class FailedBar(QWidget):
    """Hidden where nothing of the selection is out of use. `restoring` asks for what is selected to be restored."""

    restoring = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.text = label("", "warning", wrap=True)
        self.restore = QPushButton("Restore")
        self.restore.setToolTip("Simulate with it again; one step to undo")
        self.restore.clicked.connect(self.restoring)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 0)
        row.addWidget(self.text, 1)
        row.addWidget(self.restore)

    def refresh(self) -> None:
        """Show how many of the selection are marked as failed, or which failed device takes a link out of use."""
        failed, selection = self._session.failed, self._session.selection
        marked = failed & covered(self._session.design, selection) if failed else frozenset()
        text = self._cause()
        if marked:
            text = FAILED if marked == selection else f"{format_count(len(marked))} marked as failed"
        self.text.setText(text)
        self.restore.setVisible(bool(marked))
        self.setVisible(bool(text))

    def _cause(self) -> str:
        """Why a link that did not fail itself is out of use; "" where that is not so."""
        design, selection = self._session.design, self._session.selection
        link = design.links.get(next(iter(selection))) if len(selection) == 1 else None
        ends = (link.a.device_id, link.b.device_id) if link is not None else ()
        names = [design.device(one).name for one in dict.fromkeys(ends) if one in self._session.failed]
        return f"Out of use: {' and '.join(names)} marked as failed" if names else ""

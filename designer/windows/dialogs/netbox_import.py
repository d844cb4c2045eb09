"""Taking NetBox files into the catalog: read and saved in a worker, with progress, Cancel and messages about them."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from designer.catalog.catalog import Catalog, load
from designer.exchange import netbox
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar
from designer.paths import own_types_dir
from designer.session.jobs import Outcome, Progress
from designer.units import format_count
from designer.windows.desk import Desk

LANE = "netbox-import"
LIST_HEIGHT = 116


@dataclass(frozen=True, slots=True)
class Taken:
    """What an import came to: the catalog as it is now, the ids that are new, and a sentence for all else."""

    catalog: Catalog
    type_ids: tuple[str, ...]
    reported: tuple[str, ...]


class NetboxImport(QWidget):
    """`done` carries what was taken in; the sentences stay on show below."""

    done = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.summary = label("", "muted", wrap=True)
        self.bar = ShareBar()
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self.stop)
        self.details = QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setAccessibleName("Problems in the files")
        self.details.setFixedHeight(LIST_HEIGHT)
        row = QHBoxLayout()
        row.addWidget(self.bar, 1)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.summary)
        column.addWidget(self.details)
        desk.session.jobs.lane(LANE).progressed.connect(self._advance)
        self._show_busy(False)
        self.say("")

    @property
    def busy(self) -> bool:
        """Whether files are being imported."""
        return self._desk.session.jobs.busy(LANE)

    @property
    def is_silent(self) -> bool:
        """Whether no sentence about the last import is shown."""
        return not self.summary.text()

    def say(self, sentence: str, details: tuple[str, ...] = ()) -> None:
        """Show a sentence with one detail per line below it; "" hides both."""
        self.summary.setText(sentence)
        self.summary.setVisible(bool(sentence))
        self.details.setPlainText("\n".join(details))
        self.details.setVisible(bool(details))

    def begin(self, path: Path) -> None:
        """Read a file or folder in a worker; until it is read whole, nothing is taken in."""
        catalog = self._desk.catalog

        def work(progress: Progress) -> Taken:
            report = netbox.read(path, progress)
            taken, refused = netbox.take_in(report, catalog, own_types_dir())
            notes = tuple(f"{one.file}: {note}" for one in taken for note in one.notes)
            return Taken(load(), tuple(one.type_.id for one in taken), (*report.skipped, *refused, *notes))

        self.say(f"Reading {path.name}…")
        self.bar.setValue(0)
        self._show_busy(True)
        self._desk.session.jobs.run(LANE, work, self._take)

    def stop(self) -> None:
        """Give up reading; nothing was taken in."""
        if self.busy:
            self._desk.session.jobs.cancel(LANE)
            self._show_busy(False)
            self.say("Nothing was imported: cancelled.")

    def _advance(self, fraction: float) -> None:
        self.bar.show_share(fraction)

    def _take(self, outcome: Outcome) -> None:
        self._show_busy(False)
        if outcome.error is not None:
            self.say(f"Nothing imported: {outcome.error}.".replace("..", "."))
            return
        taken: Taken = outcome.value
        count = len(taken.type_ids)
        stated = f"{format_count(count)} {'type' if count == 1 else 'types'} imported" if count else "Nothing imported"
        self.say(f"{stated}{'; problems in the files:' if taken.reported else '.'}", taken.reported)
        self.done.emit(taken)

    def _show_busy(self, busy: bool) -> None:
        self.bar.setVisible(busy)
        self.cancel.setVisible(busy)

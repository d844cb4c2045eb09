"""The hand-over: record a revision, and pack all documents into one file."""

import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from designer.analysis.billing.terms import CostTerms
from designer.errors import DesignerError, ParameterError, sentence
from designer.exchange.pack.contents import CONTENTS
from designer.exchange.pack.options import PackOptions
from designer.exchange.pack.pack import CONTENT_COLUMNS, Missing, Pack
from designer.exchange.pack.summary import by_purpose
from designer.exchange.revisions import RevisionOptions, next_number, record, require
from designer.fields.field import fields_of
from designer.model.shown_text import plain_text
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.fields import form
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar
from designer.panels.widgets.row_table import RowTable
from designer.units import format_counted, format_memory
from designer.windows.desk import Desk
from designer.windows.files import packing, price_lists


def _today() -> str:
    """What the field of the date starts with; the user may change or clear it."""
    return datetime.date.today().isoformat()


class _OptionsForm(FieldForm):
    """Fields of a record that stand in the form; `more` are those that stand elsewhere."""

    def __init__(self, record_type: type[RevisionOptions], without: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._type = record_type
        rows = form()
        self.setLayout(rows)
        for field in fields_of(record_type).values():
            if field.name not in without:
                self.add(field, rows)
        self.show_value("date", _today())

    def options(self, **more: Any) -> RevisionOptions:
        """The record. Raises ParameterError with what is wrong."""
        values, wrong = self.read()
        self.mark(set(wrong))
        if wrong:
            raise ParameterError("; ".join(wrong.values()))
        return self._type(**values, **more)


class RecordDialog(QDialog):
    """Records a revision in the design, as one edit."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self.setWindowTitle("Record Revision")
        self.form = _OptionsForm(RevisionOptions)
        self.refusal = label("", "error", wrap=True)
        self.buttons = QDialogButtonBox()
        self.record = self.buttons.addButton("Record", QDialogButtonBox.ButtonRole.AcceptRole)
        self.record.setProperty("kind", "primary")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.do)
        self.buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(
            label(
                "Keeps what was handed over in the design, so that later changes can be listed against it. Cables "
                "without a number get one.",
                "muted",
                wrap=True,
            )
        )
        column.addWidget(self.form)
        column.addWidget(self.refusal)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.refusal.hide()
        self.resize(460, 280)

    def showEvent(self, event: object) -> None:
        """Suggest the number that follows the last one; the note of that was another."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.form.show_value("note", "")
        self.form.show_value("revision", next_number(self._desk.session.design))
        self.refusal.hide()

    def do(self) -> None:
        """Record the revision, or say why it cannot be."""
        session = self._desk.session
        try:
            options = self.form.options()
            number = require(session.design, options).number
        except DesignerError as error:
            self.refusal.setText(sentence(str(error)))
            self.refusal.show()
            return
        self.close()
        say = self._desk.notice.say
        session.large_edits.attempt(
            f"Recording revision {number}",
            len(session.design.links),
            lambda design: record(design, options),
            lambda _edit: say(
                f"Revision {number} recorded with {format_counted(len(session.design.links), 'link')}. "
                "Save the design to keep it."
            ),
        )


class PackDialog(QDialog):
    """Stays open next to the window while the pack is made; the design can be worked on meanwhile."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._path: Path | None = None
        self._packing = desk.session.workbench.packing
        self.setWindowTitle("Export Hand-over Package")
        self.form = _OptionsForm(PackOptions, without=("without", *fields_of(CostTerms)))
        self.terms = QPushButton("Prices and Terms…")
        self.terms.setToolTip("Currency, rates, energy price, PUE and years that the cost in the pack is calculated by")
        self.terms.clicked.connect(lambda: desk.dialogs.show("cost"))
        self.contents = {one.key: QCheckBox(one.title) for one in CONTENTS}
        self.choices = QWidget()
        """What is asked for before; once a pack is written, `files` lists what is in it in its place."""
        self.files = RowTable(
            "Files", CONTENT_COLUMNS, stretch="about", tip=lambda row, column: plain_text(str(column.of(row) or ""))
        )
        self.state = label("", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self.bar = ShareBar()
        self.buttons = QDialogButtonBox()
        self.again = self.buttons.addButton("Change Contents", QDialogButtonBox.ButtonRole.ResetRole)
        self.again.setToolTip("Back to what goes into the package, to write it again")
        self.again.clicked.connect(self._show_choices)
        self.open_folder = self.buttons.addButton("Open Folder", QDialogButtonBox.ButtonRole.ActionRole)
        self.open_folder.setProperty("kind", "primary")
        self.open_folder.setToolTip("Show the folder of the package in the file manager")
        self.open_folder.clicked.connect(self._open_folder)
        self._folder = Path()
        self.pack = self.buttons.addButton("Pack…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.pack.setProperty("kind", "primary")
        self.cancel = self.buttons.addButton("Cancel", QDialogButtonBox.ButtonRole.ActionRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.do)
        self.buttons.rejected.connect(self.close)
        self.cancel.clicked.connect(self._packing.cancel)
        self._packing.state_changed.connect(self._follow)
        self._packing.progressed.connect(self.bar.show_share)
        self._lay_out()
        self._show_choices()
        self._follow()
        self.resize(820, 560)

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 16)
        whole.setSpacing(12)
        whole.addWidget(self.choices, 1)
        whole.addWidget(self.bar)
        whole.addWidget(self.state)
        whole.addWidget(self.refusal)
        whole.addWidget(self.files, 1)
        whole.addWidget(self.buttons)
        column = QVBoxLayout(self.choices)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(
            label(
                "One ZIP file with all documents, a summary to read first, and an index of digests. With a revision, "
                "the hand-over is recorded in the design.",
                "muted",
                wrap=True,
            )
        )
        column.addWidget(self.form)
        costs = QHBoxLayout()
        costs.addWidget(
            label("With a price list, bill and summary state the cost by these terms.", "muted", wrap=True), 1
        )
        costs.addWidget(self.terms)
        column.addLayout(costs)
        column.addWidget(label("Contents", "heading"))
        grid = QGridLayout()
        for number, content in enumerate(CONTENTS):
            box = self.contents[content.key]
            box.setChecked(True)
            box.setToolTip(plain_text(content.about))
            grid.addWidget(box, number // 2, number % 2)
        column.addLayout(grid)
        column.addStretch(1)

    def _show_choices(self) -> None:
        """Ask again what goes into a pack."""
        self._show_page(written=False)
        self._say("")

    def _show_page(self, *, written: bool) -> None:
        shown: dict[QWidget, bool] = dict.fromkeys((self.files, self.again, self.open_folder), written)
        shown |= dict.fromkeys((self.choices, self.pack), not written)
        for one, is_shown in shown.items():
            one.setVisible(is_shown)

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))

    def showEvent(self, event: object) -> None:
        """Begin with the price list of the window; messages about the last pack no longer apply."""
        super().showEvent(event)  # type: ignore[arg-type]
        if self._packing.state != "running":
            self.form.show_value("prices", self._desk.preferences.price_list)
            self._show_choices()

    def do(self) -> None:
        """Ask where to, and begin; what cannot be packed is said first."""
        without = tuple(key for key, box in self.contents.items() if not box.isChecked())
        design = self._desk.session.design
        try:
            terms = price_lists.stored_terms(self._desk)
            stated = {name: getattr(terms, name) for name in fields_of(CostTerms)}
            options = self.form.options(without=without, **stated)
            assert isinstance(options, PackOptions)
            if options.revision and not options.redact:
                require(design, options)  # what it refuses is known before a file is asked for
        except DesignerError as error:
            self._say("", sentence(str(error)))
            return
        path = packing.pack_path(self._desk)
        if path is not None:
            self._path = path
            packing.start_packing(self._desk, path, options)

    def _follow(self) -> None:
        """Show how far it is; when it is done, record the revision and say what was written."""
        state, packing_ = self._packing.state, self._packing
        running = state == "running"
        self.bar.setVisible(running)
        self.cancel.setVisible(running)
        self.pack.setEnabled(not running)
        if running:
            self._say(f"Packing {self._path.name} …" if self._path is not None else "Packing …")
            return
        self._desk.notice.done()
        path, self._path = self._path, None
        if path is None:
            return
        if state == "failed":
            self._say("", sentence(packing_.error or ""))
        elif state == "current" and packing_.value is not None:
            self._written(path, packing_.value)
        else:
            self._say("Cancelled: nothing was written.")

    def _written(self, path: Path, made: Pack) -> None:
        session, self._folder = self._desk.session, path.resolve().parent
        failed = sum(one.failed for one in made.missing)
        count = f"{format_counted(len(made.files), 'file')}, {format_memory(len(made.data))} packed"
        stated = [f"Wrote {path.name}: {count}; open findings: {made.open_findings}.", f"Folder: {self._folder}"]
        if failed:
            stated.append(f"{format_counted(failed, 'file')} could not be made: see the list.")
        if made.edit:
            try:
                session.push(made.edit)
                self.form.show_value("revision", "")
                stated.append("The revision is recorded: save the design to keep it.")
            except DesignerError as error:
                stated.append(f"The revision could not be recorded: {sentence(str(error))}")
        self._desk.preferences.set_folder("exports", self._folder)
        order = {True: 0, False: 2}  # what failed comes first, what was skipped last
        rows = [*by_purpose(made.files), *made.missing]
        rows.sort(key=lambda row: order[row.failed] if isinstance(row, Missing) else 1)
        self.files.show_rows(rows)
        self._show_page(written=True)
        self._say(plain_text("\n".join(stated)))
        self._desk.notice.say(stated[0])

    def _say(self, text: str, refusal: str = "") -> None:
        for one, its in ((self.state, text), (self.refusal, refusal)):
            one.setText(its)
            one.setVisible(bool(its))

"""Import: what a file holds, types to correct, what was guessed and not understood, then one step."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from designer.errors import DesignerError
from designer.exchange.importer import Importer
from designer.exchange.importers import IMPORTERS, guess_importer
from designer.exchange.reading.building import Proposal, propose
from designer.exchange.reading.found import FoundNetwork
from designer.exchange.reading.heard import hearing
from designer.exchange.reading.summary import GUESSED, LEFT_OPEN, NOT_UNDERSTOOD, POINT_COLUMNS, READ, Point, points_of
from designer.exchange.reading.whole_designs import proposal_of
from designer.model.design import Design
from designer.model.shown_text import in_menu, plain_text
from designer.panels.widgets.fields import Combo
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar
from designer.panels.widgets.row_table import RowTable
from designer.session.jobs import Outcome, Progress
from designer.session.prepared import Prepared, prepared
from designer.storage.saving import reason
from designer.tables.columns import Column
from designer.units import format_counted, shortened
from designer.windows.commands.compare_commands import compare_with
from designer.windows.desk import Desk
from designer.windows.files.places import in_its_place
from designer.windows.files.saving import leave_document
from designer.windows.importing.type_chooser import TypeChooser

LANE = "importing"
FORMAT_LETTERS = 18
BY_CONTENT = "By its content"


class ImportDialog(QDialog):
    """Reads a file in a worker and says what is in it; the design changes when *Import* is pressed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._path: Path | None = None
        self._network: FoundNetwork | None = None
        self._choices: dict[str, str] = {}
        self.proposal: Proposal | None = None
        self.setWindowTitle("Import")
        self.file = label("", wrap=True)
        self.format = Combo()
        self.format.setAccessibleName("Format of the file")
        self.format.setSizeAdjustPolicy(Combo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.format.setMinimumContentsLength(FORMAT_LETTERS)
        self.format.addItem(BY_CONTENT, "")
        for one in IMPORTERS:
            self.format.addItem(one.title, one.name)
        self.summary = label("", "value", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self.bar = ShareBar()
        self.bar.hide()
        self.stop = QPushButton("Stop")
        self.types = TypeChooser(desk.catalog, desk.appearance)
        self.points = RowTable(
            "Guessed and not understood",
            POINT_COLUMNS,
            stretch="sentence",
            widths={"place": 240, "meant": 170},
            tip=lambda point, column: str(column.of(point) or ""),
            look=self._look,
        )
        self.points.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.points_title = label("", "muted")
        self.beside = QRadioButton()
        self.from_scratch = QRadioButton("As a new design")
        self.buttons = QDialogButtonBox()
        self.take = self.buttons.addButton("Import", QDialogButtonBox.ButtonRole.AcceptRole)
        self.take.setProperty("kind", "primary")
        self.compare = self.buttons.addButton("Compare Instead", QDialogButtonBox.ButtonRole.ActionRole)
        self.compare.setToolTip(plain_text("Show how the open design differs from this file, and change nothing"))
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.stop.setAutoDefault(False)
        self._lay_out()
        self.take.setDefault(True)  # once it is in the dialog
        self.format.activated.connect(lambda _at: self.read())
        self.types.chosen.connect(self._choose)
        self.stop.clicked.connect(self.give_up)
        desk.session.jobs.lane(LANE).progressed.connect(self._show_share)
        self.compare.clicked.connect(self.do_compare)
        self.buttons.accepted.connect(self.do)
        self.buttons.rejected.connect(self.close)
        self.resize(860, 620)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.file, 1)
        head.addWidget(label("Format", "muted"))
        head.addWidget(self.format, 1)
        waiting = QHBoxLayout()
        waiting.addWidget(self.bar, 1)
        waiting.addWidget(self.stop)
        below = QWidget()
        lines = QVBoxLayout(below)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.addWidget(self.points_title)
        lines.addWidget(self.points, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.types)
        split.addWidget(below)
        split.setChildrenCollapsible(False)
        places = QHBoxLayout()
        places.setSpacing(18)
        for one in (self.beside, self.from_scratch):
            places.addWidget(one)
        places.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addLayout(head)
        column.addLayout(waiting)
        column.addWidget(self.summary)
        column.addWidget(self.refusal)
        column.addWidget(split, 1)
        column.addLayout(places)
        column.addWidget(self.buttons)

    def showEvent(self, event: QShowEvent) -> None:
        """Offer where the fabric goes: a new design from the welcome screen, else next to what is there."""
        if not event.spontaneous():
            self._offer_places()
            self.from_scratch.setChecked(True)
        super().showEvent(event)

    def _offer_places(self) -> None:
        session, is_new = self._desk.session, self.proposal is not None and self.proposal.is_new
        anything = bool(session.design.devices or session.design.racks)
        self.beside.setText(in_menu(f"Into {shortened(session.name)}, next to what is there"))
        self.beside.setVisible(anything and not is_new)
        self.compare.setVisible(bool(session.design.devices) and not is_new)
        self.from_scratch.setVisible(anything)
        if is_new:
            self.from_scratch.setChecked(True)

    # -- reading ------------------------------------------------------------------------------------------------------

    def show_file(self, path: Path) -> None:
        """Read another file or folder and say what is in it."""
        self._path = path
        self.format.setCurrentIndex(0)
        self.file.setText(path.name)
        self._offer_places()
        self.from_scratch.setChecked(True)
        self.read()

    def read(self) -> None:
        """Read the file in a worker, in the format that is chosen; nothing is imported yet."""
        path, name = self._path, self.format.currentData()
        if path is None:
            return
        self._network, self._choices = None, {}
        self._show(None)

        def work(progress: Progress) -> tuple[FoundNetwork | Proposal, Importer]:
            try:
                importer = (IMPORTERS.named(name) if name else None) or guess_importer(path)
                with hearing(lambda _count: progress(0.0)):
                    return _read(importer, path), importer
            except OSError as error:
                if isinstance(error, DesignerError):
                    raise
                raise DesignerError(f"{path.name} could not be read: {reason(error, path)}") from None

        self._wait(f"Reading {path.name}")
        self._desk.session.jobs.run(LANE, work, self._take_network)

    def _take_network(self, outcome: Outcome) -> None:
        if outcome.value is None:
            self._refuse(outcome.error or "")
            return
        found, importer = outcome.value
        if self._path is not None:
            self.file.setText(f"{self._path.name}: {importer.title}")
        if isinstance(found, Proposal):
            self._show(found)
            return
        self._network = found
        self.propose()

    def propose(self) -> None:
        """Match types and lay out in a worker, with the types that were chosen."""
        network, catalog, path = self._network, self._desk.catalog, self._path
        if network is None or path is None:
            return
        choices = dict(self._choices)

        def work(progress: Progress) -> Proposal:
            return propose(network, Design(), catalog, choices, progress, file=path.name)

        self._wait("Matching types")
        self._desk.session.jobs.run(LANE, work, self._take_proposal)

    def _take_proposal(self, outcome: Outcome) -> None:
        if outcome.value is None:
            self._refuse(outcome.error or "")
            return
        self._show(outcome.value)

    def _choose(self, key: str, type_id: str) -> None:
        if type_id:
            self._choices[key] = type_id
        else:
            self._choices.pop(key, None)
        self.propose()

    # -- what is shown ------------------------------------------------------------------------------------------------

    def _wait(self, what: str) -> None:
        self.summary.setText(f"{what} …")
        self.refusal.hide()
        self.bar.show_busy()
        self.bar.show()
        self.stop.show()
        self.take.setEnabled(False)

    def _show_share(self, share: float) -> None:
        """While a file is read nobody knows how much of it is to come: readers report 0."""
        if share > 0:
            self.bar.show_share(share)

    def _rest(self) -> None:
        self.bar.hide()
        self.stop.hide()

    def _refuse(self, text: str) -> None:
        self._rest()
        self.summary.setText("" if self.proposal is None else f"Found {self.proposal.contents}.")
        self.refusal.refuse(text)
        self.take.setEnabled(self.proposal is not None)

    def _show(self, proposal: Proposal | None) -> None:
        self._rest()
        self.proposal = proposal
        self._offer_places()
        self.refusal.hide()
        self.take.setEnabled(proposal is not None)
        points = points_of(proposal) if proposal is not None else ()
        self.types.show_rows(proposal.rows if proposal is not None else ())
        self.points.show_rows(points)
        self.points_title.setText(_counted(points) if proposal is not None else "")
        self.summary.setText(f"Found {proposal.contents}." if proposal is not None else "")

    def _look(self, point: Point, column: Column, role: int) -> object:
        if role == Qt.ItemDataRole.ForegroundRole and column.key == "what":
            return self._desk.appearance.colour("error" if point.what == NOT_UNDERSTOOD else "muted")
        return None

    def give_up(self) -> None:
        """Stop reading; nothing was changed."""
        self._desk.session.jobs.cancel(LANE)
        self._refuse("Stopped: nothing was imported")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Enter to the list of types while it has the keyboard: there it chooses, and imports nothing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.types.choice.hasFocus():
            return
        super().keyPressEvent(event)

    def closeEvent(self, event: object) -> None:
        """Stop what is under way."""
        self._desk.session.jobs.cancel(LANE)
        self._rest()
        super().closeEvent(event)  # type: ignore[arg-type]

    # -- importing ----------------------------------------------------------------------------------------------------

    def do(self) -> None:
        """Make the edit in a worker, then push it as one step: here, or in a new design, with tabs in one."""
        if self.proposal is None or not self.take.isEnabled():
            return
        if self.beside.isChecked() and not self.beside.isHidden():
            self._build(self._desk.session.snapshot(), self._push)
        elif self._desk.tabs is not None:
            self._build(Design(), self._push_in_tab)
        else:
            leave_document(self._desk, self._build_anew)

    def do_compare(self) -> None:
        """Compare the open design with the file in place of importing it."""
        if self._path is not None:
            self.close()
            compare_with(self._desk, self._path)

    def _build_anew(self) -> None:
        self._desk.session.new()
        self._build(self._desk.session.snapshot(), self._push)

    def _build(self, design: Design, push: Callable[[Prepared], None]) -> None:
        session, catalog, network, path = self._desk.session, self._desk.catalog, self._network, self._path
        known = self.proposal
        assert known is not None
        assert path is not None
        choices, hidden = dict(self._choices), session.hidden_networks

        def work(progress: Progress) -> Prepared:
            is_same = not design.devices and not design.racks and not design.types
            edit, done = known.edit, 0.0
            if network is not None and not is_same:
                done = 0.5
                edit = propose(network, design, catalog, choices, lambda it: progress(it * done), file=path.name).edit
            return prepared(design, edit, hidden, lambda share: progress(done + share * (1 - done)))

        self._wait(f"Importing {path.name}")
        session.jobs.run(LANE, work, partial(self._take_made, push))

    def _take_made(self, push: Callable[[Prepared], None], outcome: Outcome) -> None:
        if outcome.value is None:
            self._refuse(outcome.error or "")
            return
        self._rest()
        try:
            push(outcome.value)
        except DesignerError as error:
            self._refuse(f"The design has changed in the meantime: {error}")

    def _push(self, made: Prepared) -> None:
        self._desk.session.push_prepared(made)
        self._done(self._desk)

    def _push_in_tab(self, made: Prepared) -> None:
        def begin(desk: Desk) -> None:
            desk.session.replace(made.base, None)
            desk.session.push_prepared(made)
            self._done(desk)

        in_its_place(self._desk, begin)

    def _done(self, desk: Desk) -> None:
        proposal, path = self.proposal, self._path
        self.close()
        desk.views.show_whole()
        if proposal is not None and path is not None:
            desk.notice.say(f"Imported {path.name}: {proposal.contents}. Ctrl+Z takes it back.")


def _read(importer: Importer, path: Path) -> FoundNetwork | Proposal:
    """The network that a format finds in a file, or what importing the design that it makes itself would do."""
    if importer.found is not None:
        return importer.found(path)
    assert importer.read is not None, "a row has one of the two"
    return proposal_of(importer.read(path), path)


def _counted(points: tuple[Point, ...]) -> str:
    """ "2 places not understood, 3 guesses, 1 left open"."""
    unread, guesses, left_open, read = (
        sum(point.what == what for point in points) for what in (NOT_UNDERSTOOD, GUESSED, LEFT_OPEN, READ)
    )
    if not points:
        return "Everything else in the file was understood."
    if read and not guesses:
        return f"{format_counted(unread, 'place')} not understood, {format_counted(read, 'note')}"
    more = f", {left_open:,} left open" if left_open else ""
    return f"{format_counted(unread, 'place')} not understood, {guesses:,} guess{'es' if guesses != 1 else ''}{more}"

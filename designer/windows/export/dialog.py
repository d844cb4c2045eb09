"""Export: choose a format, set its options while looking at what the file will hold, write it or print it."""

import shlex
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from designer.canvas.formats import formats
from designer.errors import sentence
from designer.exchange.exporter import Exporter
from designer.exchange.file_names import export_name, file_stem
from designer.exchange.options import texts_of
from designer.exchange.plan_gaps import PlanGaps
from designer.exchange.previews import Preview, preview
from designer.model.design import Design
from designer.panels.widgets.labels import ElidedLabel
from designer.panels.widgets.progress import BusyBar, ShareBar
from designer.session.jobs import Outcome, Progress
from designer.session.timers import later
from designer.windows.commands import room_commands
from designer.windows.desk import Desk
from designer.windows.export.as_shown import as_shown, selected_names
from designer.windows.export.format_list import FormatList
from designer.windows.export.options_pane import OptionsPane
from designer.windows.export.preview_pane import PreviewPane
from designer.windows.export.printing import Printing
from designer.windows.export.remembered import remember, remembered
from designer.windows.files import exporting
from designer.windows.files.exporting import WRITING

LANE = "export preview"
PREVIEW_MS, EDIT_MS = 200, 700
HEAVY_RECORDS = 20_000
"""Devices and links; a design with more is previewed when asked."""
FIRST, PRINTED = "svg", "drawings"
"""What is chosen where nothing is remembered, to be exported and to be printed."""
WIDTH_PX, HEIGHT_PX = 1400, 860
LIST_WIDTHS = 240, 290
WIDE_FROM_PX = 1300
"""On a screen that wide the list has its greater width."""
COMMAND = "fabric-designer"


class _Seen(NamedTuple):
    """What a preview needs the worker to find: what is in the file, and what it lacks."""

    preview: Preview
    gaps: PlanGaps | None


class ExportDialog(QDialog):
    """Stays open next to the window and follows its edits."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self.setWindowTitle("Export and Print")
        self.formats = FormatList(list(formats()))
        self.formats.chosen.connect(self._choose_format)
        self.options: OptionsPane | None = None
        self._is_refused = False
        """Whether the options, or the design with them, make no file."""
        self._path: Path | None = None
        self._options_place = QWidget()
        QVBoxLayout(self._options_place).setContentsMargins(0, 0, 0, 0)
        self.preview = PreviewPane(desk.session.jobs, desk.appearance)
        self.look = QPushButton("Show Preview")
        self.look.clicked.connect(self.show_preview)
        self._busy = BusyBar()
        self.file_name = ElidedLabel("", "muted")
        self.share = ShareBar()
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self._cancel)
        self.buttons = QDialogButtonBox()
        self.copy = self.buttons.addButton("Copy Command", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.setToolTip("The same export for a terminal or a script")
        self.copy.clicked.connect(self.copy_command)
        self.print = self.buttons.addButton("Print…", QDialogButtonBox.ButtonRole.ActionRole)
        self.print.clicked.connect(self.print_pages)
        self.export = self.buttons.addButton("Export…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.export.setProperty("kind", "primary")
        self.export.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.write)
        self.buttons.rejected.connect(self.close)
        self.printing = Printing(self)
        self.printing.progressed.connect(self._show_printing)
        self.printing.ended.connect(self._show_end)
        self._later = later(self, PREVIEW_MS, self._follow)
        self._lay_out()
        session = desk.session
        session.changed.connect(self._follow_edit)
        session.replacing.connect(self._remember)
        session.reset.connect(self._start_over)
        session.path_changed.connect(self._follow_path)
        session.jobs.lane(WRITING).progressed.connect(self.share.show_share)
        room = self.screen().availableSize()
        self.formats.setFixedWidth(LIST_WIDTHS[room.width() >= WIDE_FROM_PX])
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._show_work("")

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(6)
        right.addWidget(self._busy)
        right.addWidget(self.preview, 1)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addWidget(self.formats)
        body.addWidget(self._options_place)
        body.addLayout(right, 1)
        foot = QHBoxLayout()
        foot.setSpacing(10)
        foot.addWidget(self.file_name, 1)
        foot.addWidget(self.share, 1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.look)
        foot.addWidget(self.buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(12)
        column.addLayout(body, 1)
        column.addLayout(foot)

    def showEvent(self, event: QShowEvent) -> None:
        """Show the format that this design was exported in last."""
        if not event.spontaneous():
            if self.options is None:
                self._start_over()
            else:
                self._follow_later(0)
        super().showEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Compute nothing more, and keep the options for the next time."""
        self._later.stop()
        self.printing.end()
        self._desk.session.jobs.cancel(LANE)
        self._remember()
        super().closeEvent(event)

    # -- choosing -------------------------------------------------------------------------------------------------

    def choose(self, name: str) -> None:
        """Show a format by its name."""
        self.formats.choose(name)

    def choose_pages(self) -> None:
        """Show a format that can be printed: the one that was chosen before where it can."""
        was_chosen = bool(remembered(self._desk.preferences, self._path).format)
        if self.exporter is None or self.exporter.pages is None or not was_chosen:
            every = [one.name for one in formats() if one.pages is not None]
            self.choose(PRINTED if PRINTED in every else every[0])
        if self.options is not None:
            self.options.choose_drawn()

    @property
    def exporter(self) -> Exporter | None:
        """The format that is chosen."""
        return self.options.exporter if self.options is not None else None

    def _start_over(self) -> None:
        """Another design is open: what was remembered of it."""
        if not self.isVisible() and self.options is None:
            return
        self.preview.show_message("", "")
        self._path = self._desk.session.path
        before = remembered(self._desk.preferences, self._path)
        chosen, self.options = self.formats.current, None
        self.choose(before.format or (chosen.name if chosen is not None else FIRST))
        if self.options is None and self.formats.current is not None:
            self._choose_format(self.formats.current)

    def _choose_format(self, exporter: Exporter) -> None:
        if self.options is not None:
            if self.options.exporter is exporter:
                return
            self._remember()
        place = self._options_place.layout()
        assert place is not None
        while (item := place.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        options = self.options = OptionsPane(exporter, self._desk.catalog)
        before = remembered(self._desk.preferences, self._path)
        if exporter.name in before.options:
            options.show_texts(before.options[exporter.name])
        else:
            options.show_values(as_shown(self._desk, exporter.options))
        options.changed.connect(lambda: self._follow_later(PREVIEW_MS))
        options.shown_wanted.connect(lambda: options.show_values(as_shown(self._desk, exporter.options)))
        options.prepare_wanted.connect(self._prepare)
        options.selection_wanted.connect(self._draw_selection)
        place.addWidget(options)
        self._desk.session.jobs.cancel(LANE)
        self.preview.show_message("", "")
        self.print.setEnabled(False)
        self._show_name()
        self._follow_later(0)

    def _draw_selection(self) -> None:
        names = selected_names(self._desk)
        if names and self.options is not None:
            self.options.show_only(names)
        elif self.options is not None:
            self.options.refuse("Select devices, racks or groups first.")

    def _follow_path(self) -> None:
        self._path = self._desk.session.path
        self._show_name()

    def _remember(self) -> None:
        if self.options is not None and (record := self.options.record()) is not None:
            texts = self.options.texts(record) if self.options.is_own else None
            remember(self._desk.preferences, self._path, self.options.exporter.name, texts)

    # -- looking --------------------------------------------------------------------------------------------------

    def _follow_edit(self) -> None:
        self._follow_later(EDIT_MS)

    def _follow_later(self, wait_ms: int) -> None:
        if self.isVisible() or wait_ms == 0:
            self._later.start(wait_ms)

    def _follow(self) -> None:
        """Show what the file would hold now, where that does not take long."""
        self._later.stop()
        if self.options is None or not self.isVisible():
            return
        record = self.options.record()
        self._is_refused = record is None
        self._enable_export()
        self._show_name()
        is_heavy = _is_heavy(self._desk.session.design)
        self.look.setVisible(is_heavy)
        if record is None:
            return
        if is_heavy:
            self._desk.session.jobs.cancel(LANE)
            self._busy.hide()
            self.preview.show_message("The design is large.", "Show Preview reads what the file will hold.")
        else:
            self.show_preview()

    def show_preview(self) -> None:
        """Find in a worker what the file would hold and lack, then show it."""
        record = self.options.record() if self.options is not None else None
        if self.options is None or record is None:
            return
        exporter, suffix, design = self.options.exporter, self.options.suffix, self._desk.session.snapshot()

        def look(progress: Progress) -> _Seen:
            gaps = exporter.gaps(design) if exporter.gaps is not None else None
            return _Seen(preview(exporter, design, record, suffix, progress), gaps)

        self._busy.show()
        self._desk.session.jobs.run(LANE, look, self._show_seen)

    def _show_seen(self, outcome: Outcome) -> None:
        self._busy.hide()
        if self.options is None:
            return
        if outcome.error is not None:
            self.options.show_gaps(None)
            self.preview.show_message("There is nothing to show.", sentence(outcome.error))
            self._is_refused = True  # the file could not be written either
            self._enable_export()
            return
        seen: _Seen = outcome.value
        self.print.setEnabled(bool(seen.preview.pages) and not self._is_working)
        self.options.show_gaps(seen.gaps)
        self.preview.show_preview(seen.preview)

    def _prepare(self) -> None:
        room_commands.prepare(self._desk)  # the preview follows its edit

    def _enable_export(self) -> None:
        self.export.setEnabled(not self._is_refused and not self._is_working)

    # -- writing --------------------------------------------------------------------------------------------------

    @property
    def _is_working(self) -> bool:
        return self._desk.session.jobs.busy(WRITING) or self.printing.is_busy

    def write(self) -> None:
        """Ask where to, and write the file in a worker."""
        record = self.options.record() if self.options is not None else None
        if self.options is None or record is None or self._is_working:
            return
        exporter, suffix = self.options.exporter, self.options.suffix
        self._remember()
        path = exporting.ask_where(self._desk, exporter, suffix)
        if path is None:
            return
        exporting.write(self._desk, exporter, path, record, self._show_end)
        self._show_work(f"Writing {path.name} …")

    def _show_end(self, stated: str) -> None:
        self._show_work("")
        self.file_name.set_text(stated)

    def _show_work(self, what: str) -> None:
        """What is under way, as "Writing pod.pdf …"; "" where nothing is."""
        self.share.show_share(0.0)
        for one in (self.share, self.cancel):
            one.setVisible(bool(what))
        self.export.setEnabled(not what and not self._is_refused)
        self.print.setEnabled(not what and bool(self.preview.pages.pages))
        if what:
            self.file_name.set_text(what)

    def _show_printing(self, share: float) -> None:
        if not share:
            self._show_work("Printing …")
        self.share.show_share(share)

    def _cancel(self) -> None:
        if self.printing.is_busy:
            self.printing.stop()
            return
        self._desk.session.jobs.cancel(WRITING)
        self._desk.notice.done()
        self._show_end("Cancelled: nothing was written.")

    def print_pages(self) -> None:
        """Ask for a printer, and print the pages that are shown."""
        self._remember()
        self.printing.begin(self.preview.pages.pages, file_stem(self._desk.session.design.name))

    # -- saying ---------------------------------------------------------------------------------------------------

    def _show_name(self) -> None:
        if self.options is not None and not self._is_working:
            name = export_name(self._desk.session.design, self.options.exporter.name, self.options.suffix)
            self.file_name.set_text(name)

    def copy_command(self) -> None:
        """Put the command that writes the same file on the clipboard."""
        record = self.options.record() if self.options is not None else None
        if self.options is not None and record is not None:
            command = command_of(self._desk.session.design, self._desk.session.path, self.options, record)
            QGuiApplication.clipboard().setText(command)
            self.file_name.set_text("Copied. Paste it into a terminal.")


def command_of(design: Design, path: Path | None, options: OptionsPane, record: Any) -> str:
    """The command that writes the same file: "fabric-designer export pod.fabric --to svg -o pod-diagram.svg"."""
    exporter = options.exporter
    words = [COMMAND, "export", str(path or "design.fabric"), "--to", exporter.name]
    words += ["-o", export_name(design, exporter.name, options.suffix)]
    for key, text in texts_of(record).items():
        words += ["--option", f"{key}={text}"]
    return shlex.join(words)


def _is_heavy(design: Design) -> bool:
    return len(design.devices) + len(design.links) > HEAVY_RECORDS

"""One open document: a Design with its undo stack, selection, findings and simulation, seen by all views."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.networks import network_of_switch
from designer.session.async_undo import AsyncUndo
from designer.session.autosave import Autosave
from designer.session.commands import EditCommand, FailCommand
from designer.session.disk_watch import DiskWatch
from designer.session.failures import SweepJob
from designer.session.flows_on_link import FlowsOnLinkJob
from designer.session.garbage import pass_over
from designer.session.heat_view import HeatView
from designer.session.jobs import Jobs
from designer.session.large_edits import LargeEdits
from designer.session.pins import PinnedRuns
from designer.session.placed_jobs import PlacedJobs
from designer.session.selected import Selected
from designer.session.simulation import SimulationJob
from designer.session.studies import CurveJob
from designer.session.tiers import TierJob
from designer.session.validation import ValidationJob
from designer.storage.on_disk import UNKNOWN

if TYPE_CHECKING:
    from designer.catalog.catalog import Catalog
    from designer.drawing.composition import Composition
    from designer.drawing.heat import Heat
    from designer.session.prepared import Prepared
    from designer.simulation.engine import Result
    from designer.storage.on_disk import FileVersion
    from designer.validation.findings import Report


class Session(QObject):
    """The open design and everything the views share about it.

    Views hear `changed(edit)` after each edit (undo and redo included) and `reset` when another design takes the place.
    """

    changed = Signal(object)
    reset = Signal()
    selection_changed = Signal()
    dirty_changed = Signal(bool)
    path_changed = Signal()
    findings_changed = Signal()
    heat_changed = Signal()
    layers_changed = Signal()
    badges_changed = Signal()
    message = Signal(str)

    def __init__(self, catalog: "Catalog", design: Design | None = None, path: Path | None = None) -> None:
        super().__init__()
        self.catalog = catalog
        self.design = design or Design()
        self.path = path
        self.selection: frozenset[str] = frozenset()
        self._selected = Selected(self.design, self.selection)
        self.hidden_networks: frozenset[str] = frozenset()
        """Networks that views do not draw; of the window, not of the file."""
        self.badges_shown = True
        """Whether views draw badges at what has findings; of the window too."""
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._announce_dirty)
        self.undo_stack.indexChanged.connect(self._announce_dirty)
        self._was_dirty = False
        self.is_replaying = False
        """While `changed` is heard: whether an undo or redo did it, not something new."""
        self.fabric_state = 0
        """Names what a simulation reads of the design: the same number again after an undo, the same fabric."""
        self._last_fabric_state = 0
        self.jobs = Jobs(self)
        self.validation = ValidationJob(self, self.jobs)
        self.validation.changed.connect(self.findings_changed)
        self.simulation = SimulationJob(self, self.jobs)
        self.heat_view = HeatView(self)  # hears of a result first: the links are coloured before panels are filled
        self.simulation.state_changed.connect(self.heat_changed)
        self.simulation.state_changed.connect(self._after_heat)
        self.pins = PinnedRuns(self)
        self.curves = CurveJob(self, self.jobs)
        self.flows_on_link = FlowsOnLinkJob(self, self.jobs)
        self.placed_jobs = PlacedJobs(self, self.jobs)
        self.failures = SweepJob(self, self.jobs)
        self.tiers = TierJob(self, self.jobs)
        self.autosave = Autosave(self, self.jobs)
        self.disk = DiskWatch(self, self.jobs)
        self.async_undo = AsyncUndo(self, self.jobs)
        self.large_edits = LargeEdits(self, self.jobs)
        self._snapshot: Design | None = None
        self.drawing: Composition | None = None
        """While `reset` or `changed` is heard: the design as it is now, drawn up by a worker, where one did."""
        if self.design.revision or len(self.design.devices):
            self.validation.schedule()

    # -- editing --------------------------------------------------------------------------------------------------

    def push(self, edit: Edit) -> None:
        """Apply an edit and put it on the undo stack; an empty one does nothing. Raises EditError."""
        if not edit:
            return
        self.design.apply(edit)
        self._put_on_stack(EditCommand(self, edit))
        self._follow(edit)

    def push_prepared(self, prepared: "Prepared") -> None:
        """Push an edit that a worker prepared on `snapshot()`; without its work where the design changed meanwhile."""
        if not self._adopt(prepared):
            self.push(prepared.edit)
            return
        self._put_on_stack(EditCommand(self, prepared.edit))
        self._follow_prepared(prepared)

    def attempt(self, make_edit: Callable[[], Edit]) -> bool:
        """Push the edit a verb returns; what it refuses becomes a message. True when something was pushed."""
        try:
            edit = make_edit()
            self.push(edit)
        except DesignerError as error:
            self.message.emit(str(error))
            return False
        return bool(edit)

    def perform(self, edit: Edit) -> None:
        """Apply an edit without the undo stack: for undo and redo themselves."""
        self.design.apply(edit)
        self.is_replaying = True
        self._follow(edit)
        self.is_replaying = False

    def perform_prepared(self, prepared: "Prepared") -> None:
        """The same with an edit that a worker prepared on `snapshot()`."""
        if not self._adopt(prepared):
            self.perform(prepared.edit)
            return
        self.is_replaying = True
        self._follow_prepared(prepared)
        self.is_replaying = False

    def take_as_broken(self, failed: frozenset[str], label: str, *, is_look: bool = False) -> None:
        """Take exactly these devices and links as broken, a step to undo; looks at one after the other are one step."""
        if failed != self.simulation.failed:
            self._put_on_stack(FailCommand(self, failed, label, is_look=is_look))

    def new_fabric_state(self) -> int:
        self._last_fabric_state += 1
        return self._last_fabric_state

    def _put_on_stack(self, command: EditCommand | FailCommand) -> None:
        stack = self.undo_stack
        if stack.cleanIndex() > stack.index() and not self.dirty:
            stack.setClean()  # the step it was saved after goes now, and was none of the design
        stack.push(command)

    def _adopt(self, prepared: "Prepared") -> bool:
        """Become what a worker made; False where it made nothing, or where the design changed meanwhile."""
        made, base = prepared.made, prepared.base
        if made is None or self._snapshot is not base or self.design.revision != base.revision:
            return False
        self.design.adopt(made)
        return True

    def _follow_prepared(self, prepared: "Prepared") -> None:
        if prepared.drawing is not None and prepared.hidden == self.hidden_networks:
            self.drawing = prepared.drawing
            self.drawing.projection.design = self.design
        self._follow(prepared.edit)
        self.drawing = None

    def _follow(self, edit: Edit) -> None:
        pass_over(len(edit.changes))
        self._keep_selection_real()
        self.changed.emit(edit)
        self.simulation.follow(edit)
        self.validation.schedule()

    def _after_heat(self) -> None:
        if self.simulation.state != "running":
            self.validation.heat_is_there()

    def snapshot(self) -> Design:
        """The design as it stands, for worker threads; one copy a revision."""
        if self._snapshot is None or self._snapshot.revision != self.design.revision:
            self._snapshot = self.design.snapshot()
        return self._snapshot

    # -- selection ------------------------------------------------------------------------------------------------

    def select(self, ids: Iterable[str]) -> None:
        """Make these devices, racks, links, modules or groups the selection; unknown ids are passed over."""
        design = self.design
        tables = (design.devices, design.links, design.racks, design.groups, design.modules)
        wanted = ids if isinstance(ids, frozenset) else frozenset(ids)
        chosen = frozenset().union(*(wanted & table.keys() for table in tables))
        if chosen != self.selection:
            self.selection = chosen
            self.selection_changed.emit()

    @property
    def selected(self) -> Selected:
        """The selection by kind."""
        held, design = self._selected, self.design
        if held.selection is not self.selection or held.design is not design or held.revision != design.revision:
            self._selected = held = Selected(design, self.selection)
        return held

    def hide_networks(self, networks: Iterable[str]) -> None:
        """Draw all networks but these."""
        hidden = frozenset(networks)
        if hidden != self.hidden_networks:
            self.hidden_networks = hidden
            # What is not seen must not be moved or deleted with the rest of the selection.
            self.select(filter(self.is_shown, self.selection))
            self.layers_changed.emit()

    def show_badges(self, shown: bool) -> None:
        """Draw badges at what has findings, or leave them off."""
        if shown != self.badges_shown:
            self.badges_shown = shown
            self.badges_changed.emit()

    def is_shown(self, entity_id: str) -> bool:
        """False for switches of a hidden network, and for links to them."""
        design, hidden = self.design, self.hidden_networks
        if not hidden:
            return True
        if entity_id in design.links:
            link = design.links[entity_id]
            return self.is_shown(link.a.device_id) and self.is_shown(link.b.device_id)
        device = design.devices.get(entity_id)
        return device is None or design.is_server(entity_id) or network_of_switch(device) not in hidden

    def _keep_selection_real(self) -> None:
        self.select(self.selection)

    # -- findings and heat ----------------------------------------------------------------------------------------

    @property
    def report(self) -> "Report | None":
        return self.validation.report

    @property
    def report_current(self) -> bool:
        return self.validation.current

    @property
    def result(self) -> "Result | None":
        """The simulation's result when it is of the design as it stands, else None."""
        return self.simulation.current_result

    @property
    def heat(self) -> "Heat | None":
        """Peak utilization of links when it is of the design as it stands, else None."""
        return self.simulation.heat

    @property
    def shown_heat(self) -> "Heat | None":
        """What the links are coloured by: see HeatView."""
        return self.heat_view.heat

    # -- the document ---------------------------------------------------------------------------------------------

    @property
    def dirty(self) -> bool:
        """Whether the design differs from its file; what is marked as failed is no part of it."""
        stack = self.undo_stack
        saved, now = stack.cleanIndex(), stack.index()
        between = range(min(saved, now), max(saved, now))
        return saved < 0 or any(isinstance(stack.command(number), EditCommand) for number in between)

    @property
    def name(self) -> str:
        """What the title shows: the file's name, or the design's while it has none."""
        return self.path.name if self.path is not None else self.design.name

    def new(self) -> None:
        self.replace(Design(), None)

    def open(self, path: Path) -> None:
        """Read a file and make it the document. Raises FileFormatError with everything as it was."""
        from designer.storage import document

        design, version = document.load_version(path)
        self.replace(design, path, version=version)

    def save(self, path: Path | None = None) -> None:
        """Write the document to `path`, or where it came from. On DesignerError or OSError the file is as it was.

        Raises ChangedOnDiskError where it came from and something else was written since.
        """
        from designer.storage import document

        target = path or self.path
        if target is None:
            raise DesignerError("this design has no file yet: choose one with Save As")
        version = document.save(self.design, target, self.version_to_write_over(target), self.autosave.mark())
        self.note_saved(target, self.design.revision, version)

    def version_to_write_over(self, path: Path) -> "FileVersion | None":
        """What the document's own file must still be to be saved without a question; None for other files."""
        own = self.path is not None and os.path.realpath(self.path) == os.path.realpath(path)
        return self.disk.version if own else None

    def mark_unsaved(self) -> None:
        """No file has the document as it is here."""
        self.undo_stack.resetClean()

    def note_saved(self, path: Path, revision: int, version: "FileVersion") -> None:
        """The document is in that file as it stood at that revision; what came after is unsaved."""
        moved, self.path = path != self.path, path
        self.disk.note(version)
        if revision == self.design.revision:
            self.undo_stack.setClean()
        if moved:
            for design in (self.design, self._snapshot):
                if design is not None:
                    design.file_stem = path.stem
            self.path_changed.emit()

    def replace(
        self,
        design: Design,
        path: Path | None,
        drawing: "Composition | None" = None,
        *,
        unsaved: bool = False,
        version: "FileVersion" = UNKNOWN,
    ) -> None:
        """Make another design the document: undo, selection, findings and results start afresh.

        It is as its file has it, or `unsaved`: not as any file has it. It goes on from that version of its file.
        """
        self.validation.stop()
        self.simulation.stop()
        self.async_undo.cancel()
        self.large_edits.cancel()
        self.design, self.path, self._snapshot = design, path, None
        design.file_stem = path.stem if path is not None else ""
        self.disk.note(version)
        self.fabric_state = self.new_fabric_state()
        self.undo_stack.clear()
        if unsaved:
            self.mark_unsaved()
        else:
            self.undo_stack.setClean()  # an empty stack is not cleared, and stays as unsaved as what was restored
        pass_over(len(design.devices) + len(design.links) + len(design.modules))
        self.hidden_networks = frozenset()
        self.selection = frozenset()
        self.simulation.forget()
        self.validation.forget()
        self.drawing = drawing
        self.reset.emit()
        self.drawing = None
        self.selection_changed.emit()
        self.path_changed.emit()

    def close(self) -> None:
        """Stop all background work; the session is not used afterwards."""
        self.async_undo.cancel()
        self.large_edits.cancel()
        self.validation.stop()
        self.simulation.stop()
        self.jobs.shut_down()
        self.autosave.close()

    def _announce_dirty(self) -> None:
        if self.dirty != self._was_dirty:
            self._was_dirty = self.dirty
            self.dirty_changed.emit(self._was_dirty)

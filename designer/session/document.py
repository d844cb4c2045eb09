"""One open document: a Design with its undo stack, its selection and what is marked as failed, seen by all views."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from designer.drawing.composition import Composition
from designer.errors import DesignerError, EditError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.networks import is_hidden, is_link_hidden
from designer.session.commands import EditCommand, FailCommand, gone
from designer.session.garbage import pass_over
from designer.session.prepared import Prepared
from designer.session.selected import Selected
from designer.storage.on_disk import UNKNOWN, FileVersion


class Document(QObject):
    """A design that is open, and what the views share about it.

    Views hear `changed(edit)` after each edit (undo and redo included) and `reset` when another design takes the place.
    What computes hears `settled(edit)`, once the views have followed. Before a reset, what is under way hears
    `replacing`.
    """

    changed = Signal(object)
    settled = Signal(object)
    replacing = Signal()
    reset = Signal()
    selection_changed = Signal()
    failed_changed = Signal()
    dirty_changed = Signal(bool)
    path_changed = Signal()
    file_noted = Signal()
    """The design goes on from another version of its file."""
    layers_changed = Signal()
    badges_changed = Signal()
    annotations_shown_changed = Signal()
    message = Signal(str)
    offered = Signal(str, str, object)
    """Why something was refused, what would make it possible, and a function that returns that edit."""

    def __init__(self, design: Design | None = None, path: Path | None = None) -> None:
        super().__init__()
        self.design = design or Design()
        self.path = path
        self.number = 1
        """Tells documents of one name apart while they have no files."""
        self.file_version = UNKNOWN
        """What was read or last written; nothing else is written over without a question."""
        self.selection: frozenset[str] = frozenset()
        self._selected = Selected(self.design, self.selection)
        self.failed: frozenset[str] = frozenset()
        """Ids of devices and links that are marked as failed; the design itself stays as it is."""
        self.hidden_networks: frozenset[str] = frozenset()
        """Networks that views do not draw; of the window, not of the file."""
        self.badges_shown = True
        """Whether views draw badges at what has findings; of the window too."""
        self.annotations_shown = True
        """Whether views draw annotations; of the window too."""
        self.key_corner: tuple[int, int] | None = None
        """Where a hand has put the legend of colors (right, bottom); None where it stands in the freest corner."""
        self.is_key_folded: bool | None = None
        """Whether a hand has folded the legend of colors to its titles; None where the room decides. Of the window."""
        self.is_heat_key_folded: bool | None = None
        """The same of the legend of the heat."""
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._announce_dirty)
        self.undo_stack.indexChanged.connect(self._announce_dirty)
        self._was_dirty = False
        self.is_read_only = False
        """Whether edits are refused, until it is saved under another name."""
        self.is_replaying = False
        """While `changed` is heard: whether an undo or redo did it, not something new."""
        self.fabric_state = 0
        """Names what a simulation reads of the design: the same number again after an undo, the same fabric."""
        self._last_fabric_state = 0
        self._snapshot: Design | None = None
        self.drawing: Composition | None = None
        """While `reset` or `changed` is heard: the design as it is now, drawn up by a worker, where one did."""
        self.drawn: Composition | None = None
        """The drawing that a canvas keeps up with the design; None where there is none."""

    # -- editing --------------------------------------------------------------------------------------------------

    def push(self, edit: Edit, *, goes_on: bool = False, is_look: bool = False) -> None:
        """Apply an edit and put it on the undo stack; an empty one does nothing. Raises EditError.

        One that `goes_on` with the last step becomes part of it, unless the design was saved in between. One that
        `is_look` shows what the design keeps already, and is nothing to save.
        """
        if not edit:
            return
        self._require_editable()
        edit = self.completed(self.design, edit)
        self.design.apply(edit)
        self._put_on_stack(EditCommand(self, edit, goes_on=goes_on, is_look=is_look))
        self._follow(edit)

    def completed(self, _design: Design, edit: Edit) -> Edit:
        """The edit with all that follows from it, as `push` applies it. Raises EditError. Workers call this too."""
        return edit

    def push_prepared(self, prepared: Prepared) -> None:
        """Push an edit that a worker prepared on `snapshot()`, or on what is the design now.

        Without its work where the design changed meanwhile.
        """
        self._require_editable()
        if not self._adopt(prepared):
            self.push(prepared.edit)
            return
        self._put_on_stack(EditCommand(self, prepared.edit))
        self._follow_prepared(prepared)

    @contextmanager
    def unlocked(self) -> Iterator[None]:
        """While what is on disk is taken over, which is no edit of the user's."""
        was, self.is_read_only = self.is_read_only, False
        try:
            yield
        finally:
            self.is_read_only = was

    def _require_editable(self) -> None:
        if self.is_read_only:
            raise EditError(f"{self.name} is open as read-only: choose File > Save As to change a copy")

    def attempt(self, make_edit: Callable[[], Edit], *, goes_on: bool = False, is_look: bool = False) -> bool:
        """Push the edit a verb returns; what it refuses becomes a message. True when something was pushed."""
        try:
            edit = make_edit()
            self.push(edit, goes_on=goes_on, is_look=is_look)
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

    def perform_prepared(self, prepared: Prepared) -> None:
        """The same with an edit that a worker prepared on `snapshot()`."""
        if not self._adopt(prepared):
            self.perform(prepared.edit)
            return
        self.is_replaying = True
        self._follow_prepared(prepared)
        self.is_replaying = False

    def mark_as_failed(self, failed: frozenset[str], label: str, *, is_look: bool = False) -> None:
        """Mark exactly these devices and links as failed, a step to undo; looks at one after the other are one step."""
        if failed != self.failed:
            self._put_on_stack(FailCommand(self, failed, label, is_look=is_look))

    def set_failed(self, failed: frozenset[str]) -> None:
        """Mark exactly these as failed without the undo stack: for undo and redo themselves."""
        if failed != self.failed:
            self.failed = failed
            self.failed_changed.emit()

    def new_fabric_state(self) -> int:
        """The next number for the state of what is simulated; none is given twice."""
        self._last_fabric_state += 1
        return self._last_fabric_state

    def _put_on_stack(self, command: EditCommand | FailCommand) -> None:
        stack = self.undo_stack
        if stack.cleanIndex() > stack.index() and not self.dirty:
            stack.setClean()  # the step it was saved after goes now, and was none of the design
        stack.push(command)

    def _adopt(self, prepared: Prepared) -> bool:
        """Become what a worker made; False where it made nothing, or where the design changed meanwhile."""
        made, base = prepared.made, prepared.base
        is_of_this = self._snapshot is base or self.design is base
        if made is None or not is_of_this or self.design.revision != base.revision:
            return False
        self.design.adopt(made)
        return True

    def _follow_prepared(self, prepared: Prepared) -> None:
        if prepared.drawing is not None and prepared.hidden == self.hidden_networks:
            self.drawing = prepared.drawing
            self.drawing.base.design = self.drawing.projection.design = self.design
        self._follow(prepared.edit)
        self.drawing = None

    def _follow(self, edit: Edit) -> None:
        pass_over(len(edit.changes))
        self._keep_selection_real()
        failed = self.failed
        self.failed = failed - gone(edit) if failed else failed
        self.changed.emit(edit)
        self.settled.emit(edit)
        if self.failed != failed:
            self.failed_changed.emit()

    def snapshot(self) -> Design:
        """The design as it stands, for worker threads; one copy a revision."""
        if self._snapshot is None or self._snapshot.revision != self.design.revision:
            self._snapshot = self.design.snapshot()
        return self._snapshot

    # -- selection ------------------------------------------------------------------------------------------------

    def select(self, ids: Iterable[str]) -> None:
        """Make these devices, racks, links, modules or groups the selection; unknown ids are passed over."""
        design = self.design
        tables = (
            *(design.devices, design.links, design.racks, design.groups, design.modules),
            *(design.annotations, design.fixtures),
        )
        wanted = ids if isinstance(ids, frozenset) else frozenset(ids)
        whole = sum(len(table) for table in tables if table and table.keys() <= wanted)
        if whole == len(wanted):  # nothing but whole tables, as when all is selected
            chosen = wanted
        else:
            chosen = wanted - wanted.difference(*(table for table in tables if table))
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
            ends = (link.a.device_id, link.b.device_id)
            is_shared = any(design.device(one).carries for one in ends)
            return all(map(self.is_shown, ends)) and not (is_shared and is_link_hidden(design, link, hidden))
        device = design.devices.get(entity_id)
        return device is None or design.is_server(entity_id) or not is_hidden(device, hidden)

    def _keep_selection_real(self) -> None:
        self.select(self.selection)

    # -- the document ---------------------------------------------------------------------------------------------

    @property
    def dirty(self) -> bool:
        """Whether the design differs from its file in anything that the file keeps, colors and labels included.

        What is marked as failed is no part of it, and what a bookmark shows is in the file with the bookmark.
        """
        stack = self.undo_stack
        saved, now = stack.cleanIndex(), stack.index()
        between = range(min(saved, now), max(saved, now))
        return saved < 0 or any(map(_is_of_design, map(stack.command, between)))

    @property
    def name(self) -> str:
        """What the title shows: the file's name, or the design's while it has none, with its number from 2 on."""
        if self.path is not None:
            return self.path.name
        return self.design.name if self.number == 1 else f"{self.design.name} {self.number}"

    def mark_unsaved(self) -> None:
        """No file has the document as it is here."""
        self.undo_stack.resetClean()

    def note_saved(self, path: Path, revision: int, version: FileVersion) -> None:
        """The document is in that file as it stood at that revision; what came after is unsaved."""
        moved, self.path = path != self.path, path
        self.is_read_only = self.is_read_only and not moved
        self.note_version(version)
        if revision == self.design.revision:
            self.undo_stack.setClean()
        if moved:
            for design in (self.design, self._snapshot):
                if design is not None:
                    design.file_stem = path.stem
            self.path_changed.emit()

    def note_version(self, version: FileVersion) -> None:
        """The design goes on from that version of its file."""
        self.file_version = version
        self.file_noted.emit()

    def replace(
        self,
        design: Design,
        path: Path | None,
        drawing: Composition | None = None,
        *,
        unsaved: bool = False,
        version: FileVersion = UNKNOWN,
        read_only: bool = False,
    ) -> None:
        """Make another design the document: undo, selection, findings and results start afresh.

        It is as its file has it, or `unsaved`: not as any file has it. It goes on from that version of its file.
        """
        self.replacing.emit()
        self.is_read_only = read_only
        self.design, self.path, self._snapshot = design, path, None
        design.file_stem = path.stem if path is not None else ""
        self.note_version(version)
        self.fabric_state = self.new_fabric_state()
        self.undo_stack.clear()
        if unsaved:
            self.mark_unsaved()
        else:
            self.undo_stack.setClean()  # an empty stack is not cleared, and stays as unsaved as what was restored
        pass_over(len(design.devices) + len(design.links) + len(design.modules))
        self.hidden_networks = frozenset()
        self.selection = frozenset()
        self.failed = frozenset()
        self.drawing = drawing
        self.reset.emit()
        self.drawing = None
        self.failed_changed.emit()
        self.selection_changed.emit()
        self.path_changed.emit()

    def _announce_dirty(self) -> None:
        if self.dirty != self._was_dirty:
            self._was_dirty = self.dirty
            self.dirty_changed.emit(self._was_dirty)


def _is_of_design(command: QUndoCommand | None) -> bool:
    """Whether a step is one that the user is asked about before it is lost."""
    return isinstance(command, EditCommand) and not command.is_look

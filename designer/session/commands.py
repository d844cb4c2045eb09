"""What stands on the undo stack: edits of the design, and what is marked as failed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from PySide6.QtGui import QUndoCommand

from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.annotation_styles import LINE_FIELDS
from designer.model.bookmark import Bookmark
from designer.model.edit import Change, Edit, joined, netted
from designer.model.entities import Device, Entity, Group, Link, PlacedJob, Placement, Rack, Revision
from designer.model.fixture import Fixture
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.settings import Settings
from designer.model.waiver import Waiver
from designer.session.prepared import Prepared

NOT_SIMULATED = frozenset(
    {Placement, Group, Rack, PlacedJob, Annotation, AnnotationStyle, Bookmark, Fixture, Revision, Waiver}
)
"""Records the graph does not read: an edit of these alone leaves a result current. Jobs follow theirs themselves."""

FieldsOf = Mapping[type[Entity], tuple[str, ...]]

NOT_OF_FABRIC: FieldsOf = {
    Settings: (
        *("collapsed_roles", "color_devices_by", "color_links_by", "device_labels", "link_labels", "link_lines"),
        *("policy", "project", "customer", "site", "author", "drawing_number", "label_template", "last_cable", "notes"),
    ),
    Link: (
        "label",
        "cable",
        "colour",
        "notes",
        "tags",
        "fields",
        "length_source",
        "medium_source",
        "bends",
        *LINE_FIELDS,
    ),
    Device: ("tags", "fields", "colour"),
    **dict.fromkeys((ServerType, SwitchType, NicType, LineCardType, RackType), ("part_number",)),
}
"""Fields that no graph is made of: of the drawing, of documents, of what the design is checked against."""

STEP, LOOK, EDIT = -1, 1, 2


def is_simulated(edit: Edit) -> bool:
    """Whether an edit changes anything that a simulation reads."""
    if not edit.kinds <= {*NOT_SIMULATED, *NOT_OF_FABRIC}:
        return True
    if edit.kinds.isdisjoint(NOT_OF_FABRIC):
        return False
    return any(
        type(change.subject) in NOT_OF_FABRIC and not _differ_only_in(change, NOT_OF_FABRIC) for change in edit.changes
    )


def _differ_only_in(change: Change, fields: FieldsOf) -> bool:
    """Whether a record is there before and after, and differs only in the fields named for its type."""
    before, after = change.before, change.after
    names = fields.get(type(before)) if before is not None else None
    if names is None or before is None or after is None or type(after) is not type(before):
        return False
    return bool(replace(before, **{name: getattr(after, name) for name in names}) == after)


def gone(edit: Edit) -> frozenset[str]:
    """Ids of what an edit deletes."""
    return frozenset(c.before.id for c in edit.changes if c.before is not None and c.after is None)


class Target(Protocol):
    """What a step on the undo stack does something to: the document."""

    fabric_state: int
    failed: frozenset[str]

    def new_fabric_state(self) -> int:
        """A number that no earlier state of what is simulated has."""

    def perform(self, edit: Edit) -> None:
        """Apply an edit to the design without the undo stack."""

    def perform_prepared(self, prepared: Prepared) -> None:
        """Apply an edit that a worker prepared, without the undo stack."""

    def set_failed(self, failed: frozenset[str]) -> None:
        """Mark exactly these devices and links as failed, without the undo stack."""


class EditCommand(QUndoCommand):
    """An edit that the document has applied already: a refused edit never gets here. It knows its own inverse.

    What was marked as failed and is deleted is broken again once an undo brings it back. `ready` is its next step as a
    worker prepared it, where one did. One that `goes_on` becomes part of the step before. One that `is_look` shows what
    the design keeps already, as a bookmark does: nobody is asked before it is lost.
    """

    def __init__(self, target: Target, edit: Edit, *, goes_on: bool = False, is_look: bool = False) -> None:
        super().__init__(edit.label)
        self._target = target
        self.edit = edit
        self.is_look = is_look
        self._goes_on = goes_on
        self.ready: Prepared | None = None
        self._applied = True
        self._before = target.fabric_state
        self._after = target.new_fabric_state() if is_simulated(edit) else self._before
        self._lost = target.failed & gone(edit) if target.failed else frozenset()

    def id(self) -> int:
        """EDIT: Qt offers each to `mergeWith` of the one before."""
        return EDIT

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take on an edit that goes on from this one; what comes to nothing then leaves the stack."""
        if not isinstance(other, EditCommand) or not other._goes_on:
            return False
        self.edit = netted(joined(self.edit.label, (self.edit, other.edit)))
        self._after, self._lost = other._after, self._lost | other._lost
        self.is_look = self.is_look and other.is_look
        self.setObsolete(not self.edit)
        return True

    def redo(self) -> None:
        """Apply the edit; the first call finds it applied and only sets the fabric state."""
        self._target.fabric_state = self._after
        if self._applied:
            self._applied = False
        else:
            self._perform(back=False)

    def undo(self) -> None:
        """Take the edit back, and mark as failed again what was so before the edit deleted it."""
        self._target.fabric_state = self._before
        self._perform(back=True)
        if self._lost:
            self._target.set_failed(self._target.failed | self._lost)

    def _perform(self, *, back: bool) -> None:
        ready, self.ready = self.ready, None
        if ready is not None:
            self._target.perform_prepared(ready)
        else:
            self._target.perform(self.edit.inverted() if back else self.edit)


class FailCommand(QUndoCommand):
    """Other things are marked as failed. Looks at one failure after the other are one step."""

    def __init__(self, target: Target, failed: frozenset[str], label: str, *, is_look: bool) -> None:
        super().__init__(label)
        self._target = target
        self._is_look = is_look
        self._before, self.after = target.failed, failed

    def id(self) -> int:
        """LOOK for looks, which Qt offers to `mergeWith`; else STEP, which Qt never merges."""
        return LOOK if self._is_look else STEP

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take on what a later look marks as failed; False for a command of another kind."""
        if not isinstance(other, FailCommand):
            return False
        self.after = other.after
        self.setText(other.text())
        return True

    def redo(self) -> None:
        """Mark as failed what this command asks for."""
        self._target.set_failed(self.after)

    def undo(self) -> None:
        """Mark as failed what was so before."""
        self._target.set_failed(self._before)

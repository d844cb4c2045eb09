"""What stands on the undo stack: edits of the design, and what is marked as failed."""

from typing import Protocol

from PySide6.QtGui import QUndoCommand

from designer.model.edit import Edit
from designer.model.entities import Group, PlacedJob, Placement, Rack
from designer.session.prepared import Prepared

NOT_SIMULATED = frozenset({Placement, Group, Rack, PlacedJob})
"""Records the graph does not read: an edit of these alone leaves a result current. Jobs follow theirs themselves."""

STEP, LOOK = -1, 1


def is_simulated(edit: Edit) -> bool:
    """Whether an edit changes anything that a simulation reads."""
    return not edit.kinds <= NOT_SIMULATED


def gone(edit: Edit) -> frozenset[str]:
    """Ids of what an edit deletes."""
    return frozenset(c.before.id for c in edit.changes if c.before is not None and c.after is None)


class Target(Protocol):
    """What a step on the undo stack does something to: the document."""

    fabric_state: int
    failed: frozenset[str]

    def new_fabric_state(self) -> int: ...
    def perform(self, edit: Edit) -> None: ...
    def perform_prepared(self, prepared: Prepared) -> None: ...
    def set_failed(self, failed: frozenset[str]) -> None: ...


class EditCommand(QUndoCommand):
    """An edit that the document has applied already: a refused edit never gets here. It knows its own inverse.

    What was marked as failed and is deleted is broken again once an undo brings it back. `ready` is its next step as a
    worker prepared it, where one did.
    """

    def __init__(self, target: Target, edit: Edit) -> None:
        super().__init__(edit.label)
        self._target = target
        self.edit = edit
        self.ready: Prepared | None = None
        self._applied = True
        self._before = target.fabric_state
        self._after = target.new_fabric_state() if is_simulated(edit) else self._before
        self._lost = target.failed & gone(edit) if target.failed else frozenset()

    def redo(self) -> None:
        self._target.fabric_state = self._after
        if self._applied:
            self._applied = False
        else:
            self._perform(back=False)

    def undo(self) -> None:
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
        return LOOK if self._is_look else STEP

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, FailCommand):
            return False
        self.after = other.after
        self.setText(other.text())
        return True

    def redo(self) -> None:
        self._target.set_failed(self.after)

    def undo(self) -> None:
        self._target.set_failed(self._before)

"""The file of the open design as it is on disk: other windows, editors and checkouts change it too."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from designer.errors import DesignerError
from designer.model.difference import difference
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.prepared import Prepared, prepared
from designer.storage import document, on_disk
from designer.storage.on_disk import UNKNOWN, FileVersion, State

if TYPE_CHECKING:
    from designer.session.session import Session

LANE, RELOADING, SAVING = "disk", "reloading", "saving"


class DiskWatch(QObject):
    """Knows which version of its file the design goes on from, and what became of the file since it last looked."""

    changed = Signal()
    """`state` is another."""
    reloaded = Signal()

    def __init__(self, session: "Session", jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self._there = self._kept_against = ""  # digests
        self.version = UNKNOWN
        """What was read or last written; nothing else is written over without a question."""
        self.state: State = "same"

    def note(self, version: FileVersion) -> None:
        """The design goes on from that version of its file."""
        self.version, self._kept_against = version, ""
        self._become("same")

    def look(self) -> None:
        """See what became of the file, in a worker: a network drive may take its time."""
        path, version = self._session.path, self.version
        if path is None or self._jobs.busy(SAVING) or self._jobs.busy(RELOADING):
            return

        def take(outcome: Outcome) -> None:
            if outcome.value is None or self._session.path != path or self.version is not version:
                return  # it cannot be looked at, or there is another file or version by now
            state, self._there = outcome.value
            if state == "gone" and self.state != "gone":
                self._session.mark_unsaved()
            self._become("same" if state == "changed" and self._there == self._kept_against else state)

        self._jobs.run(LANE, lambda _progress: _look(path, version), take)

    def keep_mine(self) -> None:
        """Go on with the design as it is here, unsaved, and say no more about what is on disk now."""
        self._session.mark_unsaved()
        self._kept_against = self._there
        self._become("same")

    def reload(self) -> None:
        """Make the design what its file holds now: a step to undo, so that nothing drawn here is lost."""
        session, path = self._session, self._session.path
        if path is None or self._jobs.busy(RELOADING):
            return
        base, hidden = session.snapshot(), session.hidden_networks

        def work(progress: Progress) -> tuple[Prepared, FileVersion]:
            there, version = document.load_version(path, progress)
            return prepared(base, difference(base, there, f"Reload {path.name}"), hidden, progress), version

        def take(outcome: Outcome) -> None:
            if outcome.value is None:
                session.message.emit(outcome.error or f"{path.name} was not read again.")
            elif session.path != path or session.design.revision != base.revision:
                session.message.emit(f"{path.name} was not read again: the design has changed in the meantime.")
            else:
                self._take_reloaded(*outcome.value)

        self._jobs.run(RELOADING, work, take)

    def _take_reloaded(self, ready: Prepared, version: FileVersion) -> None:
        session = self._session
        try:
            session.push_prepared(ready)
        except DesignerError as error:
            session.message.emit(str(error))
            return
        assert session.path is not None
        session.note_saved(session.path, session.design.revision, version)
        self.reloaded.emit()

    def _become(self, state: State) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit()


def _look(path: Path, version: FileVersion) -> tuple[State, str] | None:
    """What became of the file, and the digest of what it holds where it changed; None where the system refuses."""
    try:
        state = on_disk.state(path, version)
        there = on_disk.version_at(path) if state == "changed" else None
    except OSError:
        return None
    return state, there.digest if there is not None else ""

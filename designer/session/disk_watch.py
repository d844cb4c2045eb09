"""The file of the open design as it is on disk: other windows, editors and checkouts change it too."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from designer.errors import DesignerError
from designer.model.difference import difference
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.prepared import Prepared, prepared
from designer.storage import on_disk
from designer.storage.document import load_version
from designer.storage.on_disk import FileVersion, State

LANE, RELOADING, SAVING = "disk", "reloading", "saving"


class DiskWatch(QObject):
    """Knows what became of the file of the design since it was read or last written."""

    changed = Signal()
    """`state` is another."""
    reloaded = Signal()

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document = document
        self._jobs = jobs
        self._there = self._kept_against = ""  # digests
        self.state: State = "same"
        document.file_noted.connect(self._follow)

    def look(self) -> None:
        """See what became of the file, in a worker: a network drive may take its time."""
        path, version = self._document.path, self._document.file_version
        if path is None or self._jobs.busy(SAVING) or self._jobs.busy(RELOADING):
            return

        def take(outcome: Outcome) -> None:
            document = self._document
            if outcome.value is None or document.path != path or document.file_version is not version:
                return  # it cannot be looked at, or there is another file or version by now
            state, self._there = outcome.value
            if state == "gone" and self.state != "gone":
                self._document.mark_unsaved()
            self._become("same" if state == "changed" and self._there == self._kept_against else state)

        self._jobs.run(LANE, lambda _progress: _look(path, version), take)

    def keep_mine(self) -> None:
        """Go on with the design as it is here, unsaved, and say no more about what is on disk now."""
        self._document.mark_unsaved()
        self._kept_against = self._there
        self._become("same")

    def reload(self) -> None:
        """Make the design what its file holds now: a step to undo, so that nothing drawn here is lost."""
        document, path = self._document, self._document.path
        if path is None or self._jobs.busy(RELOADING):
            return
        base, hidden = document.snapshot(), document.hidden_networks

        def work(progress: Progress) -> tuple[Prepared, FileVersion]:
            there, version = load_version(path, progress)
            return prepared(base, difference(base, there, f"Reload {path.name}"), hidden, progress), version

        def take(outcome: Outcome) -> None:
            if outcome.value is None:
                document.message.emit(outcome.error or f"{path.name} was not read again.")
            elif document.path != path or document.design.revision != base.revision:
                document.message.emit(f"{path.name} was not read again: the design has changed in the meantime.")
            else:
                self._take_reloaded(*outcome.value)

        self._jobs.run(RELOADING, work, take)

    def _take_reloaded(self, ready: Prepared, version: FileVersion) -> None:
        document = self._document
        try:
            with document.unlocked():
                document.push_prepared(ready)
        except DesignerError as error:
            document.message.emit(str(error))
            return
        assert document.path is not None
        document.note_saved(document.path, document.design.revision, version)
        self.reloaded.emit()

    def _follow(self) -> None:
        """The design goes on from another version of its file."""
        self._kept_against = ""
        self._become("same")

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

"""Keeps the unsaved work of a window in the recovery folder while it goes on, and finds what killed windows left there.

A file of unsaved work has a lock beside it for as long as the window lives that keeps it or offers it: no other window
takes it meanwhile.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from designer.errors import FileFormatError
from designer.session.jobs import Jobs, Outcome, Progress
from designer.storage import recovery
from designer.storage.saving import SaveError

if TYPE_CHECKING:
    from designer.session.session import Session

LANE = "autosave"
QUIET_S = 3.0
"""So long after the last edit unsaved work is written."""
LONGEST_S = 20.0
"""So long after the first unwritten edit it is written though edits go on."""
MOST_SHARE = 1 / 20
"""Of the time that may go into writing: large designs are written less often."""
BREATH_S = 0.002
"""Pause of the worker after each few hundred records: only one thread of Python runs at a time."""

LOCK_SUFFIX = ".lock"


@dataclass(frozen=True, slots=True)
class Claim:
    """A file of unsaved work and the lock that says whose it is."""

    file: Path
    lock: QLockFile

    def take(self) -> bool:
        """Lock it; False where a living window has it, or the folder cannot be written."""
        self.lock.setStaleLockTime(0)  # never by age: a window may stay open for weeks
        return self.lock.isLocked() or self.lock.tryLock(0)

    def let_go(self) -> None:
        """Leave the file to whoever wants it next."""
        self.lock.unlock()

    def remove(self) -> None:
        recovery.remove(self.file)
        self.lock.unlock()


def claim(file: Path) -> Claim:
    return Claim(file, QLockFile(str(file) + LOCK_SUFFIX))


class Autosave(QObject):
    """Writes unsaved work after edits, in a worker, and removes it as soon as nothing is unsaved.

    Idle until it has a folder. `failed` says why it cannot be written, once until it can.
    """

    failed = Signal(str)

    def __init__(self, session: "Session", jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self._folder: Path | None = None
        self._claim: Claim | None = None
        self._unwanted: list[Claim] = []
        self._waits_since_s: float | None = None
        self._rests_until_s = 0.0
        self._has_failed = False
        self.kept_revision: int | None = None
        """The revision of the design that is in the file; None where none is."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.keep_now)
        session.changed.connect(self._follow)
        session.path_changed.connect(self._follow)
        session.dirty_changed.connect(self._after_saving)
        session.reset.connect(self.drop)

    @property
    def file(self) -> Path | None:
        """Where the unsaved work is kept; None where none is."""
        return self._claim.file if self._claim is not None and self.kept_revision is not None else None

    def start(self, folder: Path) -> None:
        """Keep unsaved work in this folder from now on."""
        self._folder = folder
        self._follow()

    def stop(self) -> None:
        """Keep none any more; what was kept goes."""
        self.drop()
        self._folder = None

    def adopt(self, claimed: Claim) -> None:
        """Unsaved work that was kept there is the document now: it stays until it is saved or dropped."""
        self._claim, self.kept_revision = claimed, self._session.design.revision

    def keep_now(self) -> None:
        """Write the unsaved work, unless it is being written or nothing is unsaved."""
        session, folder = self._session, self._folder
        if folder is None or not session.dirty or self._is_writing():
            return
        self._waits_since_s = None
        if self._claim is None:
            self._claim = claim(recovery.new_file(folder))
        claimed, design, name, path = self._claim, session.snapshot(), session.name, session.path
        began_from = session.disk.version.digest

        def work(progress: Progress) -> int:
            self._remove_unwanted()
            recovery.make_folder(folder)
            if not claimed.take():
                raise SaveError(f"nothing can be written in {folder}")
            recovery.keep(design, name, path, claimed.file, lambda share: _breathe(progress, share), began_from)
            return design.revision

        self._jobs.run(LANE, work, self._take)

    def drop(self) -> None:
        """Nothing is unsaved, or what is unsaved is not wanted: what was kept goes."""
        self._timer.stop()
        self._waits_since_s = None
        self.kept_revision = None
        if self._claim is not None:
            self._unwanted.append(self._claim)
            self._claim = None
            # After what is being written now, in the same thread.
            self._jobs.run(LANE, lambda _progress: self._remove_unwanted(), lambda _outcome: None)

    def close(self) -> None:
        """The threads have ended. What was not dropped is left for the next window that opens."""
        self._timer.stop()
        self._remove_unwanted()
        if self._claim is not None:
            self._claim.let_go()
        self._claim, self._folder = None, None

    def _follow(self) -> None:
        """Write in a while: soon after the last edit, not too long after the first, and not all the time."""
        if self._folder is None:
            return
        now = time.monotonic()
        if self._waits_since_s is None:
            self._waits_since_s = now
        due_s = max(min(now + QUIET_S, self._waits_since_s + LONGEST_S), self._rests_until_s)
        self._timer.start(max(0, round((due_s - now) * 1e3)))

    def _after_saving(self, dirty: bool) -> None:
        if dirty:
            self._follow()
        else:
            self.drop()

    def _is_writing(self) -> bool:
        return self._jobs.busy(LANE) and self._claim is not None

    def _take(self, outcome: Outcome) -> None:
        self._rests_until_s = time.monotonic() + outcome.wall_s / MOST_SHARE
        if outcome.error is not None:
            why = outcome.error.rpartition(" could not be saved: ")[2].rstrip(".")
            if not self._has_failed:
                self.failed.emit(f"Unsaved work is not kept in case of a crash: {why}.")
            self._has_failed = True
            return
        self._has_failed = False
        self.kept_revision = outcome.value
        if outcome.value != self._session.design.revision:
            self._follow()

    def _remove_unwanted(self) -> None:
        while self._unwanted:
            self._unwanted.pop().remove()


def _breathe(progress: Progress, share: float) -> None:
    progress(share)
    time.sleep(BREATH_S)


# -- what killed windows left ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """Unsaved work that no living window has, claimed for this one; when its file on disk changed after that, if so."""

    leftover: recovery.Leftover
    claim: Claim
    file_changed_s: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """Newest first; and a sentence for each file that cannot be read and was set aside."""

    offers: tuple[Offer, ...]
    refused: tuple[str, ...]


def find_leftovers(folder: Path, path: Path | None = None) -> Found:
    """Claim what is in the recovery folder, or there of one design's file. What is saved all the same is removed."""
    recovery.sweep(folder)
    offers, refused = [], []
    for file in recovery.files(folder):
        claimed = claim(file)
        if not claimed.take():
            continue
        try:
            leftover = recovery.describe(file)
        except FileFormatError as error:
            refused.append(set_aside(claimed, f"{file.name} {error}"))
            continue
        if leftover is None or (path is not None and not is_of(leftover, path)):
            claimed.let_go()
        elif recovery.is_saved(leftover):
            claimed.remove()
        else:
            offers.append(Offer(leftover, claimed, recovery.changed_after_s(leftover)))
    offers.sort(key=lambda offer: offer.leftover.kept_at_s, reverse=True)
    return Found(tuple(offers), tuple(refused))


def is_of(leftover: recovery.Leftover, path: Path) -> bool:
    """Whether the unsaved work is of the design in that file."""
    return leftover.path is not None and os.path.realpath(leftover.path) == os.path.realpath(path)


def set_aside(claimed: Claim, why: str) -> str:
    """Keep a file that cannot be read from being offered again; returns the sentence that says so."""
    aside = recovery.set_aside(claimed.file)
    claimed.let_go()
    return f"{why.rstrip('.')}. It is kept as {aside}."

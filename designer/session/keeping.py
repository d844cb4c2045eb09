"""A document's unsaved work in the recovery folder: what is to be written of it, in order, and what is written.

Any thread may write: edits are appended by one worker while another writes the document as it stood.
"""

import contextlib
import itertools
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile

from designer.errors import Cancelled, DesignerError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.storage import journal, recovery
from designer.storage.saving import SaveError, reason

LOCK_SUFFIX = ".lock"

SYNC_EVERY_S = 1.0
"""So often at most edits are forced onto the disk; the system has them at once, whatever becomes of the program."""

AT_ONCE_MOST = 100
"""Changes of an edit that is appended without another thread: it takes less than a millisecond."""


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
        """Delete the unsaved work and give up the lock."""
        recovery.remove(self.file)
        self.lock.unlock()


def claim(file: Path) -> Claim:
    """The claim on a file of unsaved work, not locked yet."""
    return Claim(file, QLockFile(str(file) + LOCK_SUFFIX))


@dataclass(frozen=True, slots=True)
class Origin:
    """What unsaved work is of: a design's name, its file, and the version of that by its digest; "" where unknown."""

    name: str
    path: Path | None
    digest: str


@dataclass(frozen=True, slots=True)
class _Begin:
    origin: Origin


@dataclass(frozen=True, slots=True)
class _Edited:
    edit: Edit
    revision: int


@dataclass(frozen=True, slots=True)
class _Next:
    """Edits from here on go into the journal of another generation. `follows` where the old one leads to it."""

    generation: int
    follows: bool


@dataclass(frozen=True, slots=True)
class _Mark:
    """Here stood a design that is going to be saved, or was saved as a file with that digest."""

    number: int
    digest: str = ""


Step = _Begin | _Edited | _Next | _Mark


class Keeper:
    """Writes one document's unsaved work. Copies and edits are asked for in the window's thread, written in others."""

    def __init__(self, claimed: Claim) -> None:
        self.claim = claimed
        self._lock = threading.RLock()
        self._waiting: deque[Step] = deque()
        self._writer: journal.Writer | None = None
        self._generation = 0
        """Of the journal that is written now."""
        self._marks = itertools.count(time.time_ns() // 1_000_000 % 100_000_000)  # others than before a restoring
        self._asked = recovery.highest_generation(claimed.file)
        self._synced_s = 0.0
        self._is_unwanted = False
        self._is_broken = False
        self._copied = -1
        """Of the copy that is written."""
        self._needs: int | None = None
        """The generation without whose copy the edits since are of no use."""
        self._edited_to: int | None = None
        self.revision: int | None = None
        """Of the design: what is written leads to this one; None where nothing is."""
        self.copied_bytes = 0
        self.journal_bytes = 0

    # -- asked for ----------------------------------------------------------------------------------------------------

    def begin(self, origin: Origin) -> None:
        """Unsaved work goes on from what is in the file, or from an empty design."""
        self._waiting.append(_Begin(origin))

    def resume(self, revision: int) -> None:
        """What is there already is the document now, at that revision."""
        self.revision = self._edited_to = revision
        self._generation = -1

    def note(self, edit: Edit, revision: int) -> None:
        """The design was edited, and is at that revision now."""
        self._waiting.append(_Edited(edit, revision))

    def next_generation(self, *, follows: bool) -> int:
        """Edits noted from now on are those since a copy of the design as it stands, which is written meanwhile.

        Until it is, they are of use where they follow from what is written already.
        """
        self._asked += 1
        self._waiting.append(_Next(self._asked, follows))
        return self._asked

    def mark(self) -> Callable[[str], None]:
        """What hears, in any thread, the digest of the file that the design as it stands is about to be saved as.

        A program killed right after that knows the file for its own.
        """
        number = next(self._marks)
        self._waiting.append(_Mark(number))

        def announce(digest: str) -> None:
            self._waiting.append(_Mark(number, digest))
            with contextlib.suppress(SaveError):
                self.write()

        return announce

    @property
    def is_waiting(self) -> bool:
        """Whether something is noted that is not written."""
        return bool(self._waiting)

    @property
    def is_broken(self) -> bool:
        """Whether edits could not be written, so that only a copy helps."""
        return self._is_broken

    # -- written ------------------------------------------------------------------------------------------------------

    def write(self) -> None:
        """Append what is waiting. Raises SaveError; what comes after what failed is of no use then, until a copy is."""
        with self._lock:
            while self._waiting and not self._is_unwanted:
                try:
                    self._write(self._waiting.popleft())
                except (OSError, DesignerError) as error:
                    self._is_broken = True
                    raise self._failure(error) from None
            if time.monotonic() - self._synced_s >= SYNC_EVERY_S:
                self.sync()

    def write_at_once(self) -> bool:
        """The same for a few small edits, where the journal is open and no other thread is at it; False where not."""
        if self._writer is None or not self._lock.acquire(blocking=False):
            return False
        try:
            while self._waiting and not self._is_unwanted:
                step = self._waiting[0]
                if not isinstance(step, _Edited) or len(step.edit.changes) > AT_ONCE_MOST or self._writer is None:
                    return False
                self._write(step)  # where it fails, another thread tries again and says so
                self._waiting.popleft()
            return True
        except (OSError, DesignerError):
            return False
        finally:
            self._lock.release()

    def sync(self) -> None:
        """Force the edits onto the disk."""
        with self._lock:
            if self._writer is not None and not self._is_unwanted:
                self._writer.sync()
                self._synced_s = time.monotonic()

    @property
    def is_synced(self) -> bool:
        """Whether all edits appended to the open journal have been forced onto the disk."""
        return self._writer is None or self._writer.is_synced

    def copy(
        self, design: Design, origin: Origin, generation: int, progress: Callable[[float], None] | None = None
    ) -> None:
        """Write the design as it stood when that generation was asked for. Raises SaveError or Cancelled."""

        def allow(_target: Path) -> None:
            if self._is_unwanted or generation != self._asked:
                raise Cancelled("a newer copy has been requested")

        file = self.claim.file
        with self._lock:
            allow(file)  # the lock of what was removed meanwhile is not taken again
            self._take_lock()
        n_bytes = recovery.keep(design, origin.name, origin.path, file, progress, origin.digest, generation, allow)
        with self._lock:
            if self._is_unwanted:
                recovery.remove(file)
                return
            if generation != self._asked:
                return
            for number, path in recovery.journals(file).items():
                if number < generation and (self._writer is None or number != self._generation):
                    path.unlink(missing_ok=True)
            self.copied_bytes, self._copied = n_bytes, generation
            if self._needs is not None and self._needs <= generation:
                self._needs = None
            if self._edited_to is None or self._edited_to < design.revision:
                self._edited_to = design.revision
            if self._needs is None:
                self.revision = self._edited_to

    def remove(self) -> None:
        """It is saved, or not wanted: all of it goes."""
        self.is_unwanted_now()
        with self._lock:
            self._close()
            self.claim.remove()

    def is_unwanted_now(self) -> None:
        """Write no more of it."""
        self._is_unwanted = True

    def let_go(self) -> None:
        """Leave it to the next window."""
        with self._lock:
            self._close()
            self.claim.let_go()

    # -- one step -----------------------------------------------------------------------------------------------------

    def _write(self, step: Step) -> None:
        if isinstance(step, _Begin):
            self._take_lock()
            recovery.begin(step.origin.name, step.origin.path, self.claim.file, step.origin.digest)
        elif isinstance(step, _Edited):
            if self._is_broken:
                return  # it does not follow from what is written: the next copy has it
            text = journal.edit_text(step.edit)
            if self._is_unwanted:
                return
            self._journal().append(text)
            self._edited_to = step.revision
            if self._needs is None:
                self.revision = step.revision
        elif isinstance(step, _Mark):
            if not self._is_broken:
                text = journal.saved_text(step.number, step.digest) if step.digest else journal.mark_text(step.number)
                self._journal().append(text)
        else:
            if step.follows and not self._is_broken:
                self._journal().append(journal.next_text(step.generation))
            elif self._copied < step.generation:
                self._needs = step.generation
            self._close()
            self._generation, self._is_broken = step.generation, False
        self.journal_bytes = self._writer.size_bytes if self._writer is not None else 0

    def _journal(self) -> journal.Writer:
        self._take_lock()
        if self._writer is None:
            if self._generation < 0:
                self._generation = recovery.last_generation(self.claim.file)
            self._writer = journal.Writer(recovery.journal_file(self.claim.file, self._generation))
        return self._writer

    def _take_lock(self) -> None:
        with self._lock:
            if self.claim.lock.isLocked():
                return
            folder = self.claim.file.parent
            recovery.make_folder(folder)
            if not self.claim.take():
                raise SaveError(f"nothing can be written in {folder}")

    def _close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            if not self._is_unwanted:
                writer.sync()
            writer.close()

    def _failure(self, error: OSError | DesignerError) -> SaveError:
        why = str(error) if isinstance(error, DesignerError) else reason(error, self.claim.file)
        return SaveError(f"{self.claim.file.name} could not be saved: {why.rpartition(' could not be saved: ')[2]}")

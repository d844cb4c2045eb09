"""Keeps the unsaved work of a window in the recovery folder while it goes on, and finds what killed windows left there.

Each edit is appended to a journal at once; a copy of the design is written now and then, for the journal to go on from.
A file of unsaved work has a lock beside it for as long as the window lives that keeps it or offers it: no other window
takes it meanwhile.
"""

import contextlib
import logging
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from designer.errors import DesignerError, FileFormatError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.settings import Settings
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.keeping import SYNC_EVERY_S, Claim, Keeper, Origin, claim
from designer.session.prepared import LARGE_EDIT
from designer.session.timers import later
from designer.storage import recovery

log = logging.getLogger(__name__)

JOURNAL, LANE = "journal", "autosave"
QUIET_S = 1.0
"""So long after the first edit the design is copied, so that the journal does not depend on the user's file."""
RETRY_S = 10.0
"""So long after something could not be written it is tried again, if no edit does so before."""
MOST_SHARE = 1 / 20
"""Of the time that may go into copies."""
JOURNAL_LEAST_BYTES = 1_000_000
"""A journal of more bytes, and of more than the copy, is replaced by another copy."""
MOST_COUNTED_BYTES = 20_000_000
"""More unsaved work is not read only to say how large it is."""
BREATH_S = 0.002
"""Pause of the worker after each few hundred records: only one thread of Python runs at a time."""


class Autosave(QObject):
    """Writes edits down as they are made, in a worker, and removes them as soon as nothing is unsaved.

    Idle until it has a folder. `failed` says why they cannot be written, once until they can.
    """

    failed = Signal(str)

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document = document
        self._jobs = jobs
        self._folder: Path | None = None
        self._keeper: Keeper | None = None
        self._unwanted: deque[Keeper] = deque()
        self._is_unwanted_at = -1
        """The revision of the design that is not to be kept, though it is unsaved."""
        self._saved_at = document.design.revision if document.path is None and _is_empty(document.design) else -1
        """The revision of the design that its file has, or that is empty."""
        self._noted_at = document.design.revision
        self._rests_until_s = 0.0
        self._has_failed = False
        self._timer = later(self, 0, self.keep_now)
        self._sync_timer = later(self, round(SYNC_EVERY_S * 1e3), self._sync)
        self._look_timer = later(self, 0, self._look)
        document.changed.connect(self._note)
        document.path_changed.connect(self._copy_soon)
        document.dirty_changed.connect(self._after_saving)
        document.reset.connect(self._start_over)

    @property
    def file(self) -> Path | None:
        """Where the unsaved work is kept; None where none is."""
        return self._keeper.claim.file if self._keeper is not None and self.kept_revision is not None else None

    @property
    def kept_revision(self) -> int | None:
        """The revision of the design that is kept; None where none is."""
        return self._keeper.revision if self._keeper is not None else None

    def start(self, folder: Path) -> None:
        """Keep unsaved work in this folder from now on."""
        self._folder, self._is_unwanted_at = folder, -1
        self._copy_soon()

    def stop(self) -> None:
        """Keep none any more; what was kept goes."""
        self.drop()
        self._folder = None

    def adopt(self, claimed: Claim) -> None:
        """Unsaved work that was kept there is the document now: it stays until it is saved or dropped."""
        self._keeper = Keeper(claimed)
        self._keeper.resume(self._document.design.revision)

    def keep_now(self) -> None:
        """Copy the design, unless it is being copied or is not to be kept."""
        self._timer.stop()
        if self._is_wanted() and not self._jobs.busy(LANE):
            self._copy(follows=self._keeper is not None)

    def keep_at_once(self) -> None:
        """Have all unsaved work on the disk when this returns, as far as the system lets us: the program is ending."""
        document, keeper = self._document, self._keeper
        if not self._is_wanted():
            return
        try:
            if keeper is not None:
                keeper.write()
            if keeper is None or keeper.revision != document.design.revision:
                keeper = self._keeper = keeper or self._new_keeper()
                generation = keeper.next_generation(follows=False)
                keeper.copy(document.snapshot(), self._origin(), generation)
                keeper.write()
            keeper.sync()
        except (DesignerError, OSError) as error:
            log.warning("unsaved work is not kept: %s", error)

    def mark(self) -> Callable[[str], None]:
        """What hears the digest of the file that the design as it stands is about to be saved as."""
        return self._keeper.mark() if self._keeper is not None else lambda _digest: None

    def drop(self) -> None:
        """Nothing is unsaved, or what is unsaved is not wanted: what was kept goes."""
        for timer in (self._timer, self._sync_timer, self._look_timer):
            timer.stop()
        self._is_unwanted_at = self._document.design.revision
        if self._keeper is not None:
            self._keeper.is_unwanted_now()
            self._unwanted.append(self._keeper)
            self._keeper = None
            self._write()

    def close(self) -> None:
        """The threads have ended. What was not dropped is left for the next window that opens."""
        for timer in (self._timer, self._sync_timer, self._look_timer):
            timer.stop()
        self._remove_unwanted()
        self.keep_at_once()
        if self._keeper is not None:
            self._keeper.let_go()
        self._keeper, self._folder = None, None

    # -- what happens to the design -----------------------------------------------------------------------------------

    def _note(self, edit: Edit) -> None:
        """Have the edit written, or the design as it is now where that is less."""
        document, folder = self._document, self._folder
        now = document.design.revision
        follows, self._noted_at = now == self._noted_at + 1, now
        if folder is None:
            return
        keeper = self._keeper
        if keeper is None and follows and self._saved_at == now - 1:
            keeper = self._keeper = self._new_keeper()
            keeper.begin(self._origin())
        is_less = self._is_most_of_it(edit) and not self._jobs.busy(LANE)
        if keeper is None or not follows or keeper.is_broken or is_less:
            self._copy(follows=False)
            return
        keeper.note(edit, now)
        if keeper.write_at_once():
            self._sync_soon()
        else:
            self._write()
        if keeper.copied_bytes == 0 or keeper.journal_bytes > max(JOURNAL_LEAST_BYTES, keeper.copied_bytes):
            self._copy_soon()

    def _is_most_of_it(self, edit: Edit) -> bool:
        design = self._document.design
        n_records = len(design.devices) + len(design.links) + len(design.modules) + len(design.placements)
        return len(edit.changes) >= max(LARGE_EDIT, n_records / 2)

    def _origin(self) -> Origin:
        document = self._document
        return Origin(document.name, document.path, document.file_version.digest if document.path is not None else "")

    def _start_over(self) -> None:
        """Another design is the document."""
        self.drop()
        document = self._document
        self._noted_at, self._is_unwanted_at = document.design.revision, -1
        is_known = document.file_version.digest if document.path is not None else _is_empty(document.design)
        self._saved_at = self._noted_at if is_known and not document.dirty else -1

    def _after_saving(self, dirty: bool) -> None:
        if dirty:
            self._is_unwanted_at = -1
            self._look_timer.start()  # in a moment: the edit that made it so is heard of first
        else:
            self.drop()
            self._saved_at, self._is_unwanted_at = self._document.design.revision, -1

    # -- what is written ----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """What is unsaved without an edit, because its file is missing for one, is copied."""
        if self._keeper is None:
            self.keep_now()

    def _is_wanted(self) -> bool:
        document = self._document
        return self._folder is not None and document.dirty and self._is_unwanted_at != document.design.revision

    def _new_keeper(self) -> Keeper:
        assert self._folder is not None
        return Keeper(claim(recovery.new_file(self._folder)))

    def _copy_soon(self) -> None:
        if self._folder is not None and not self._timer.isActive():
            waits_s = max(QUIET_S, self._rests_until_s - time.monotonic())
            self._timer.start(max(0, round(waits_s * 1e3)))

    def _copy(self, *, follows: bool) -> None:
        """Write the design as it stands. `follows` where all edits that led to it were noted."""
        keeper = self._keeper = self._keeper or self._new_keeper()
        generation = keeper.next_generation(follows=follows)
        design, origin = self._document.snapshot(), self._origin()

        def work(progress: Progress) -> None:
            keeper.copy(design, origin, generation, lambda share: _breathe(progress, share))

        self._jobs.run(LANE, work, self._take_copy)
        self._write()

    def _write(self) -> None:
        if self._jobs.busy(JOURNAL):
            return  # looks again when it is done
        keeper = self._keeper

        def work(_progress: Progress) -> None:
            self._remove_unwanted()
            if keeper is not None:
                keeper.write()

        self._jobs.run(JOURNAL, work, self._take_written)

    def _sync(self) -> None:
        keeper = self._keeper
        if keeper is not None and not keeper.is_synced:
            self._write()

    def _take_copy(self, outcome: Outcome) -> None:
        self._rests_until_s = time.monotonic() + outcome.wall_s / MOST_SHARE
        self._tell(outcome)
        if outcome.error is None and self._keeper is not None and self._keeper.is_broken:
            self._copy_soon()

    def _take_written(self, outcome: Outcome) -> None:
        keeper = self._keeper
        if outcome.error is not None:
            self._tell(outcome)
        if self._unwanted or (keeper is not None and keeper.is_waiting):
            self._write()
        else:
            self._sync_soon()

    def _sync_soon(self) -> None:
        if self._keeper is not None and not self._keeper.is_synced and not self._sync_timer.isActive():
            self._sync_timer.start()

    def _tell(self, outcome: Outcome) -> None:
        """Say once why nothing can be written, and try again in a while."""
        if outcome.error is None:
            self._has_failed = False
            return
        if not self._has_failed:
            why = outcome.error.rpartition(" could not be saved: ")[2].rstrip(".")
            self.failed.emit(f"Unsaved work is not kept in case of a crash: {why}.")
        self._has_failed = True
        self._timer.start(round(RETRY_S * 1e3))

    def _remove_unwanted(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                self._unwanted.popleft().remove()


def _is_empty(design: Design) -> bool:
    return list(islice(design.entities(), 2)) == [Settings()]


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
    n_devices: int | None = None
    """How many devices it has; None where that takes long to find out, or cannot be."""


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
            offers.append(Offer(leftover, claimed, recovery.changed_after_s(leftover), _devices_in(leftover)))
    offers.sort(key=lambda offer: offer.leftover.kept_at_s, reverse=True)
    return Found(tuple(offers), tuple(refused))


def _devices_in(leftover: recovery.Leftover) -> int | None:
    """How many devices unsaved work has; None where it is very much, or cannot be read."""
    if recovery.size_bytes(leftover) > MOST_COUNTED_BYTES:
        return None
    try:
        return len(recovery.load(leftover).devices)
    except (DesignerError, OSError):
        return None


def is_of(leftover: recovery.Leftover, path: Path) -> bool:
    """Whether the unsaved work is of the design in that file."""
    return leftover.path is not None and os.path.realpath(leftover.path) == os.path.realpath(path)


def set_aside(claimed: Claim, why: str) -> str:
    """Keep a file that cannot be read from being offered again; returns the sentence that says so."""
    aside = recovery.set_aside(claimed.file)
    claimed.let_go()
    return f"{why.rstrip('.')}. It is kept as {aside}."

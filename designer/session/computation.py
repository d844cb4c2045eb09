"""A value that is calculated in a worker, what it is of, and whether that still is what stands there."""

from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from PySide6.QtCore import QObject, Signal

from designer.errors import DesignerError
from designer.model.edit import Edit
from designer.session.commands import is_simulated
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.timers import later

State = Literal["idle", "running", "current", "stale", "failed"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Computation(QObject, Generic[Key, Value]):
    """The latest value, which stays while another is computed.

    `key` says what a value computed now would be of: states of the fabric, scenarios, results, whatever tells whether a
    value still holds. Who knows that it may have changed calls `follow`: a computation of something else is given up,
    and a value that is of just what stands there now, after an undo say, is current again. `error` is one sentence.
    """

    state_changed = Signal()
    progressed = Signal(float)

    def __init__(self, owner: QObject, jobs: Jobs, lane: str, key: Callable[[], Key]) -> None:
        super().__init__(owner)
        self._jobs = jobs
        self._lane = lane
        self._key = key
        self.state: State = "idle"
        self.value: Value | None = None
        self.error: str | None = None
        self.cause: type[DesignerError] | None = None
        """The kind of the error."""
        self.wall_s = 0.0
        """What the value took."""
        self.start_up_s = 0.0
        """What of that will not be needed again: loading and compiling."""
        self.was_cut_off = False
        """Whether a change ended the latest computation before it was done."""
        self._of: Key | None = None
        self._asked: Key | None = None
        self._prepare: Callable[[], Callable[[Progress], Value]] | None = None
        self._timer = later(self, 0, self.start_now)
        jobs.lane(lane).progressed.connect(self.progressed)

    @property
    def has_answer(self) -> bool:
        """Whether there is a value, of whatever it is."""
        return self.value is not None

    @property
    def own_s(self) -> float:
        """What the value would take once more: `wall_s` without what was loaded and compiled for it."""
        return max(0.0, self.wall_s - self.start_up_s)

    @property
    def is_current(self) -> bool:
        """Whether there is a value of what stands there now."""
        return self.has_answer and self._of == self._key()

    @property
    def is_of_now(self) -> bool:
        """Whether the value, or the one that is under way, is of what stands there now."""
        return self.is_current or (self.state == "running" and self._asked == self._key())

    @property
    def is_waiting(self) -> bool:
        """Whether the latest computation asked for has not begun."""
        return self._timer.isActive()

    def ask(self, prepare: Callable[[], Callable[[Progress], Value]], delay_ms: int = 0) -> None:
        """Compute in a while, or at once; a computation under way is replaced.

        `prepare` is called when it begins, in the window's thread, and returns the work, which is done in a worker.
        """
        self.stop()
        self._prepare, self._asked = prepare, self._key()
        self.was_cut_off = False
        if delay_ms:
            self._timer.start(delay_ms)
        else:
            self.start_now()  # the worker is at it while the views hear of it
        self._set("running")

    def start_in(self, delay_ms: int) -> None:
        """Have what waits wait so long from now."""
        if self.is_waiting:
            self._timer.start(delay_ms)

    def start_now(self) -> None:
        """Begin what waits, or begin again."""
        self._timer.stop()
        if self._prepare is not None:
            self._asked = self._key()
            self._jobs.run(self._lane, self._prepare(), self._take)

    def put(self, value: Value) -> None:
        """A value that was calculated elsewhere, of what stands there now; says nothing of it."""
        self.stop()
        self.error, self._of = None, self._key()
        self._keep(value)
        self.state = "current"

    def follow(self) -> None:
        """What a value would be of may be another now."""
        if self.state == "idle" or (self.state == "running" and self._asked == self._key()):
            return
        was_running = self.state == "running"
        self.stop()
        self.was_cut_off = not self.is_current and (self.was_cut_off or was_running)
        self._settle()

    def cancel(self) -> None:
        """Give up what is under way."""
        self.stop()
        if self.state == "running":
            self._settle()

    def stop(self) -> None:
        """The same without a word, for whoever goes on with something else."""
        self._timer.stop()
        self._jobs.cancel(self._lane)

    def forget(self) -> None:
        """Nothing stands there any more that the value might be of."""
        self.stop()
        self.value = self._of = self._asked = self._prepare = None
        self.error, self.was_cut_off = None, False
        self._set("idle")

    def _take(self, outcome: Outcome) -> None:
        self.error, self.cause = outcome.error, outcome.cause
        if outcome.error is None:
            self.wall_s, self.start_up_s = outcome.wall_s, outcome.start_up_s
            self._of = self._asked
            self._keep(outcome.value)
        self._set("failed" if self.error is not None else "current")

    def _keep(self, value: Value) -> None:
        """Take a value; `_of` says already what it is of."""
        self.value = value

    def _settle(self) -> None:
        state: State = "idle" if not self.has_answer else "current" if self.is_current else "stale"
        if state == "current":
            self.error = None
        if state != self.state:
            self._set(state)

    def _set(self, state: State) -> None:
        self.state = state
        self.state_changed.emit()


class StudyJob(Computation[Key, Value]):
    """The latest answer of a study. Each kind hears itself of what is not of the design and calls `follow`."""

    def __init__(self, document: Document, jobs: Jobs, lane: str, key: Callable[[], Key]) -> None:
        super().__init__(document, jobs, lane, key)
        self._document = document
        document.changed.connect(self.follow_edit)
        document.reset.connect(self.forget)

    def follow_edit(self, edit: Edit) -> None:
        """The design changed by `edit`."""
        if is_simulated(edit):
            self.follow()

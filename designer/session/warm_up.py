"""The simulation's kernels are loaded before anybody waits for them; where there are none yet, they are compiled."""

import logging
import sys
from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, Signal

from designer.late import Late
from designer.session.jobs import Jobs, Outcome, Progress

log = logging.getLogger(__name__)

files = Late("designer.graph.compiled_files")
engine = Late("designer.warm_up")

LANE = "warm-up"
COMPILE = (sys.executable, "-P", "-m", "designer", "compile", "--low-priority")
END_MS = 1000


class WarmUp(QObject):
    """Loads the kernels in a worker. Compiles them in another process, for it takes a minute and cannot be stopped.

    What is compiled when the process is ended is kept: the next start goes on from there.
    """

    ended = Signal()
    """The other process has ended, or could not be started."""

    def __init__(self, jobs: Jobs, command: Sequence[str] = COMPILE, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._command = jobs, command
        self._process: QProcess | None = None

    @property
    def is_compiling(self) -> bool:
        """Whether the other process is at work."""
        return self._process is not None and self._process.state() != QProcess.ProcessState.NotRunning

    def start(self) -> None:
        """Load the kernels; compile them first where they are not of this version and machine."""
        self._jobs.run(LANE, _load, self._after_load)

    def stop(self) -> None:
        """End what is under way, without waiting until all is compiled."""
        self._jobs.cancel(LANE)
        if self._process is not None and self.is_compiling:
            self._process.finished.disconnect(self.start)
            self._process.kill()
            self._process.waitForFinished(END_MS)

    def _after_load(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            log.warning("warm-up: %s", outcome.error)
        elif outcome.value is False and self._process is None:  # at most once: they may not be kept here
            self._compile()

    def _compile(self) -> None:
        self._process = process = QProcess(self)
        for redirect in (process.setStandardOutputFile, process.setStandardErrorFile):
            redirect(QProcess.nullDevice())
        process.finished.connect(self.start)
        process.finished.connect(self.ended)
        process.errorOccurred.connect(self.ended)
        program, *arguments = self._command
        process.start(program, arguments)


def _load(progress: Progress) -> bool:
    """Whether the kernels were there to be loaded."""
    if not files.is_complete():
        return False
    engine.warm_up(progress)
    return True

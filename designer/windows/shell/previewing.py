"""Previews of edits that take a while to make: calculated by a worker while the window goes on."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from designer.canvas.previews import Preview, preview_of
from designer.model.design import Design
from designer.model.edit import Edit
from designer.session.jobs import Outcome, Progress
from designer.session.session import Session
from designer.session.timers import later
from designer.windows.shell.notice import Notice

LANE = "preview"
PATIENCE_MS = 400
"""What takes longer says that it is being made, and can be cancelled."""

Make = Callable[[Design, Progress], tuple[Edit, str]]
"""An edit of a design, and a remark about it or "". Raises DesignerError."""
Show = Callable[[Preview, str], None]


class Previewing(QObject):
    """Calculates one preview at a time: a later one takes the place of one that is being made."""

    def __init__(self, session: Session, notice: Notice) -> None:
        super().__init__(session)
        self._session, self._notice = session, notice
        self._title = ""
        self._show: Show | None = None
        self._waits = later(self, PATIENCE_MS, self._say)
        session.changed.connect(self.cancel)
        session.reset.connect(self.cancel)

    def prepare(self, title: str, make: Make, show: Show) -> None:
        """Make an edit of the design as it stands, in a worker; `show` takes its preview, unless the design changes."""
        self.cancel()
        design = self._session.snapshot()

        def work(progress: Progress) -> tuple[Preview, str]:
            edit, note = make(design, progress)
            return preview_of(design, self._session.completed(design, edit)), note

        self._title, self._show = title, show
        self._waits.start()
        self._session.jobs.run(LANE, work, self._take)

    def cancel(self) -> None:
        """Give up what is being made, if anything is."""
        if self._show is not None:
            self._session.jobs.cancel(LANE)
            self._end()

    def _end(self) -> None:
        self._show = None
        self._waits.stop()
        self._notice.done()

    def _say(self) -> None:
        self._notice.wait(f"{self._title}: making the preview …", self.cancel)

    def _take(self, outcome: Outcome) -> None:
        show = self._show
        self._end()
        if outcome.error is not None:
            self._session.message.emit(outcome.error)
        elif outcome.value is not None and show is not None:
            show(*outcome.value)

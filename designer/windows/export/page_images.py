"""Images of pages, painted in a worker one at a time: the page that is looked at first, then thumbnails."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QFont, QGuiApplication, QImage

from designer.canvas.glyphs import Fonts
from designer.canvas.page_image import page_image
from designer.drawing.pages import Page
from designer.session.jobs import Jobs, Outcome, Progress

LANE = "export pages"


class Wanted(NamedTuple):
    """A page by number, and the room its image has, in pixels of the screen."""

    number: int
    width: int
    height: int


class PageImages(QObject):
    """`ready` carries what was wanted, and its image; `failed` why a page cannot be drawn."""

    ready = Signal(object, QImage)
    failed = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._pages: Sequence[Page] = ()
        self._fonts = Fonts(QFont(QGuiApplication.font()))
        self._first: Wanted | None = None
        self._others: dict[Wanted, None] = {}
        self._running: Wanted | None = None

    def show_pages(self, pages: Sequence[Page]) -> None:
        """From now on images are of these pages; those that were wanted before are not made."""
        self._jobs.cancel(LANE)
        self._pages, self._first, self._running = pages, None, None
        self._others.clear()

    def ask_first(self, number: int, size: QSize) -> None:
        """Paint this page before all others, in place of the one that was asked for so before."""
        self._first = Wanted(number, size.width(), size.height())
        self._next()

    def ask(self, number: int, size: QSize) -> None:
        """Paint this page when there is time."""
        self._others[Wanted(number, size.width(), size.height())] = None
        self._next()

    def _next(self) -> None:
        if self._running is not None:
            return
        wanted = self._first or next(iter(self._others), None)
        if wanted is None:
            return
        self._first = None if wanted == self._first else self._first
        self._others.pop(wanted, None)
        self._running = wanted
        page, fonts = self._pages[wanted.number], self._fonts

        def work(_progress: Progress) -> QImage:
            return page_image(page, wanted.width, wanted.height, fonts)

        self._jobs.run(LANE, work, self._take)

    def _take(self, outcome: Outcome) -> None:
        wanted, self._running = self._running, None
        if outcome.error is not None:
            self.failed.emit(outcome.error)
        elif wanted is not None:
            self.ready.emit(wanted, outcome.value)
        self._next()

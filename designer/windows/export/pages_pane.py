"""Pages to leaf through: thumbnails, and the one that is chosen."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QListView, QListWidget, QListWidgetItem, QToolButton, QVBoxLayout, QWidget

from designer.canvas.page_image import size_within
from designer.drawing.pages import Page
from designer.model.shown_text import plain_text, visible_line
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel
from designer.session.jobs import Jobs
from designer.session.timers import later
from designer.windows.export.page_images import PageImages, Wanted
from designer.windows.export.page_view import PageView, framed

THUMBNAIL = QSize(112, 96)
LIST_WIDTH = 150
ROW_HEIGHT = THUMBNAIL.height() + 26
RESIZE_MS = 80
MOST_KEPT = 12
"""Images of whole pages that are kept, so that leafing back is quick."""


class PagesPane(QWidget):
    """Pages are painted when they are looked at, in a worker."""

    def __init__(self, jobs: Jobs, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._pages: Sequence[Page] = ()
        self._kept: dict[Wanted, QImage] = {}
        self._drawn: set[int] = set()
        self._images = PageImages(jobs, self)
        self._images.ready.connect(self._take)
        self._images.failed.connect(self._say)
        self.list = QListWidget()
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setFlow(QListView.Flow.TopToBottom)
        self.list.setWrapping(False)
        self.list.setIconSize(THUMBNAIL)
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setAccessibleName("Pages")
        self.list.currentRowChanged.connect(self._show_page)
        self.list.verticalScrollBar().valueChanged.connect(lambda _at: self._ask_for_thumbnails())
        self.page = PageView()
        self._resize_later = later(self, RESIZE_MS, self._show_page)
        self.page.resized.connect(self._resize_later.start)
        self.caption = ElidedLabel("", "muted")
        self._buttons = [
            self._button("zoom-out", "Zoom out", lambda: self.page.zoom_by(-1)),
            self._button("zoom-fit", "Whole page", self.page.fit),
            self._button("zoom-in", "Zoom in  Ctrl+wheel", lambda: self.page.zoom_by(1)),
        ]
        self._lay_out()
        appearance.changed.connect(self._recolour)
        self._recolour()

    def _button(self, icon: str, tip: str, act: object) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "quiet")
        button.setProperty("drawn", icon)
        button.setToolTip(plain_text(tip))
        button.setAccessibleName(tip.partition("  ")[0])
        button.clicked.connect(act)
        return button

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(4, 0, 0, 0)
        foot.setSpacing(2)
        foot.addWidget(self.caption, 1)
        for button in self._buttons:
            foot.addWidget(button)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addWidget(self.page, 1)
        right.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.list)
        row.addLayout(right, 1)

    def _recolour(self) -> None:
        for button in self._buttons:
            button.setIcon(self._appearance.icon(str(button.property("drawn")), "muted"))

    @property
    def pages(self) -> Sequence[Page]:
        """The pages that are shown."""
        return self._pages

    def show_pages(self, pages: Sequence[Page]) -> None:
        """Show these pages, at the number of the page that was chosen before."""
        before = max(0, self.list.currentRow())
        self._pages = pages
        self._kept.clear()
        self._drawn.clear()
        self._images.show_pages(pages)
        self.list.blockSignals(True)  # one signal at the end
        self.list.clear()
        empty = QPixmap(THUMBNAIL)
        empty.fill(Qt.GlobalColor.transparent)
        icon = _as_icon(empty)
        for number, page in enumerate(pages):
            item = QListWidgetItem(icon, visible_line(f"{number + 1}  {page.title}"))
            item.setToolTip(plain_text(page.title))
            item.setSizeHint(QSize(LIST_WIDTH - 18, ROW_HEIGHT))
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.list.setVisible(len(pages) > 1)
        if pages:
            self.list.setCurrentRow(min(before, len(pages) - 1))
            self._show_page()
        else:
            self.page.show_image(None)
            self.caption.set_text("")

    def _show_page(self, _row: int = 0) -> None:
        self._resize_later.stop()
        number = self.list.currentRow()
        if not 0 <= number < len(self._pages):
            return
        page = self._pages[number]
        of = f"Page {number + 1} of {len(self._pages)}: " if len(self._pages) > 1 else ""
        self.caption.set_text(f"{of}{page.title} · {page.width_mm:.0f} x {page.height_mm:.0f} mm")
        size = self.page.wanted_size
        kept = self._kept.get(Wanted(number, size.width(), size.height()))
        if kept is not None:
            self.page.show_image(kept)
        elif self.isVisible():
            self._images.ask_first(number, size)
        self._ask_for_thumbnails()

    def _ask_for_thumbnails(self) -> None:
        """Of the rows in sight."""
        if len(self._pages) < 2 or not self.isVisible():
            return
        at, height = self.list.verticalScrollBar().value(), self.list.viewport().height()
        last = min(len(self._pages) - 1, (at + height) // ROW_HEIGHT)
        for number in range(max(0, at // ROW_HEIGHT), last + 1):
            if number not in self._drawn:
                self._drawn.add(number)
                self._images.ask(number, size_within(self._pages[number], THUMBNAIL * self.devicePixelRatioF()))

    def _say(self, reason: str) -> None:
        self.caption.set_text(reason)

    def _take(self, wanted: Wanted, image: QImage) -> None:
        size = self.page.wanted_size
        if (wanted.width, wanted.height) == (size.width(), size.height()):
            while len(self._kept) >= MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[wanted] = image
            if wanted.number == self.list.currentRow():
                self.page.show_image(image)
            return
        if max(wanted.width, wanted.height) <= max(THUMBNAIL.toTuple()) * self.devicePixelRatioF():
            self.list.item(wanted.number).setIcon(_as_icon(framed(image, self.devicePixelRatioF())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More thumbnails may have come into sight."""
        super().resizeEvent(event)
        self._ask_for_thumbnails()

    def showEvent(self, event: QShowEvent) -> None:
        """Paint what was not painted while nobody looked."""
        super().showEvent(event)
        self._resize_later.start()


def _as_icon(pixmap: QPixmap) -> QIcon:
    """The same whether it is chosen or not: Qt would tint it."""
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon

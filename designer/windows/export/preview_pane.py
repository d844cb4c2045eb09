"""What the file will hold: pages, tables, a picture or a text, or a sentence on why there is nothing to see."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QImage
from PySide6.QtWidgets import QPlainTextEdit, QStackedLayout, QVBoxLayout, QWidget

from designer.exchange.previews import Preview
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel, EmptyState
from designer.session.jobs import Jobs
from designer.session.timers import later
from designer.windows.export.page_view import PageView
from designer.windows.export.pages_pane import PagesPane
from designer.windows.export.tables_pane import TablesPane


class PreviewPane(QWidget):
    """One of them at a time."""

    def __init__(self, jobs: Jobs, appearance: Appearance) -> None:
        super().__init__()
        self.pages = PagesPane(jobs, appearance)
        self.tables = TablesPane()
        self.image = _ImagePane()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName("Contents of the file")
        self.message = EmptyState("", "")
        self._stack = QStackedLayout(self)
        for one in (self.message, self.pages, self.tables, self.image, self.text):
            self._stack.addWidget(one)

    @property
    def current(self) -> QWidget | None:
        """The part that is seen."""
        return self._stack.currentWidget()

    def show_message(self, what: str, how: str) -> None:
        """Say why there is nothing to see, and what to do."""
        self.message.say(what, how)
        self._stack.setCurrentWidget(self.message)

    def show_preview(self, preview: Preview) -> None:
        """Show what a file will hold."""
        self.pages.show_pages(preview.pages)
        if preview.pages:
            self._stack.setCurrentWidget(self.pages)
        elif preview.tables:
            self.tables.show_tables(preview.tables, preview.note)
            self._stack.setCurrentWidget(self.tables)
        elif preview.image:
            self.image.show_data(preview.image, preview.note)
            self._stack.setCurrentWidget(self.image)
        elif preview.text:
            self.text.setPlainText(preview.text)
            self._stack.setCurrentWidget(self.text)
        else:
            self.show_message("There is no preview of this kind of file.", preview.note)


class _ImagePane(QWidget):
    """A picture of pixels, shrunk to the room for it."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self.view = PageView()
        self.caption = ElidedLabel("", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.view, 1)
        column.addWidget(self.caption)
        self._fit_later = later(self, 0, self._fit)
        self.view.resized.connect(self._fit_later.start)

    def show_data(self, data: bytes, note: str) -> None:
        self._image = QImage.fromData(data)
        self.caption.set_text(f"{self._image.width()} x {self._image.height()} px · {note}")
        self._fit()

    def _fit(self) -> None:
        if not self._image.isNull():
            ways = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            self.view.show_image(self._image.scaled(self.view.wanted_size, *ways))

"""The window of the guide: a list of pages and sections to search, and the page beside it."""

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QKeySequence,
    QShortcut,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.panels.widgets import rows as tree_rows
from designer.panels.widgets.labels import label
from designer.paths import guide_dir
from designer.windows.desk import Desk
from designer.windows.guide.pages import PAGES, Section, find, page_path, sections

SECTION_ROLE = Qt.ItemDataRole.UserRole
MARGIN_PX = 24
HEADING_MARGIN_PX = 22
PICTURE_WIDTH_PX = 760
"""Pictures of the program's window are wider than a page is read."""


class Page(QTextBrowser):
    """One page; links and pictures inside the guide's folder only."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Pictures that the pages show, no wider than the page."""
        picture = guide_dir() / QUrl(name).fileName()
        if kind != QTextDocument.ResourceType.ImageResource.value or not picture.is_file():
            return None
        image = QImage(str(picture))
        if image.width() > PICTURE_WIDTH_PX:
            image = image.scaledToWidth(PICTURE_WIDTH_PX, Qt.TransformationMode.SmoothTransformation)
        return image


class GuideWindow(QDialog):
    """The guide: `show_topic` brings "page#anchor" into view; typing lists the sections that contain all words."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._appearance = desk.appearance
        self._shown_page = ""
        self._history: list[Section] = []
        self.setWindowTitle("Guide")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search the guide")
        self.search.setAccessibleName("Search the guide")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._show_first_match)
        self.back = QPushButton("Back")
        self.back.setAutoDefault(False)  # Enter in the search line shows the first match
        self.back.setEnabled(False)
        self.back.clicked.connect(self.go_back)
        self.none = label("No matches.", "muted")
        self.none.hide()
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName("Pages of the guide")
        self.tree.setIndentation(14)
        self.tree.currentItemChanged.connect(self._chosen)
        self.page = Page()
        self.page.setOpenLinks(False)
        self.page.anchorClicked.connect(self._follow)
        self.page.document().setDocumentMargin(MARGIN_PX)
        self._lay_out()
        self._list_sections()
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self, self.go_back)
        self._appearance.changed.connect(self._recolour)

    def sizeHint(self) -> QSize:
        """Wide enough for the list and a page."""
        return QSize(1180, 820)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.search, 1)
        top.addWidget(self.back)
        column.addLayout(top)
        column.addWidget(self.none)
        column.addWidget(self.tree, 1)
        halves = QSplitter()
        halves.setChildrenCollapsible(False)
        halves.addWidget(left)
        halves.addWidget(self.page)
        halves.setStretchFactor(1, 1)
        halves.setSizes([320, 860])
        inside = QVBoxLayout(self)
        inside.setContentsMargins(12, 12, 12, 12)
        inside.addWidget(halves)

    def _list_sections(self) -> None:
        above: dict[int, QTreeWidgetItem] = {}
        for section in sections():
            item = QTreeWidgetItem([section.title.replace("`", "")])
            item.setData(0, SECTION_ROLE, section)
            outer = above.get(section.level - 1)
            if outer is None:
                self.tree.addTopLevelItem(item)
            else:
                outer.addChild(item)
            above[section.level] = item

    # -- showing --------------------------------------------------------------------------------------------------

    def show_topic(self, topic: str) -> None:
        """Bring the section of "page#anchor" into view; the first page where the guide has no such section."""
        section = find(topic) or find(PAGES[0])
        if section is None:
            return
        self.search.clear()
        self._show(section)

    @property
    def shown(self) -> Section | None:
        """The section that was asked for last."""
        return self._history[-1] if self._history else None

    def go_back(self) -> None:
        """Show the section that was shown before."""
        if len(self._history) > 1:
            self._history.pop()
            self._show(self._history.pop())

    def _show(self, section: Section) -> None:
        if section.page != self._shown_page:
            self._load(section.page)
        if self.shown != section:
            self._history.append(section)
        self.back.setEnabled(len(self._history) > 1)
        self._scroll_to(section)
        self._mark_words()
        item = self._item_of(section)
        if item is not None and self.tree.currentItem() is not item:
            self.tree.blockSignals(True)
            self.tree.setCurrentItem(item)
            self.tree.blockSignals(False)

    def _load(self, page: str) -> None:
        self._shown_page = page
        document = self.page.document()
        document.setMarkdown(page_path(page).read_text(encoding="utf-8"))
        block = document.begin()
        while block.isValid():
            if block.blockFormat().headingLevel() > 1:
                spaced = QTextBlockFormat()
                spaced.setTopMargin(HEADING_MARGIN_PX)
                QTextCursor(block).mergeBlockFormat(spaced)
            block = block.next()
        document.markContentsDirty(0, document.characterCount())  # Qt leaves lines in bold type out otherwise

    def _scroll_to(self, section: Section) -> None:
        """To the heading, which is found by its level and its text: Markdown names no anchors here."""
        document = self.page.document()
        block = document.begin()
        while block.isValid():
            if block.blockFormat().headingLevel() == section.level and block.text() == section.title.replace("`", ""):
                break
            block = block.next()
        if not block.isValid() or section.level == 1:
            block = document.begin()
        self.page.setTextCursor(QTextCursor(block))
        top = document.documentLayout().blockBoundingRect(block).top()
        self.page.verticalScrollBar().setValue(round(top - MARGIN_PX / 2))

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
            return
        page = url.path().removesuffix(".md") or self._shown_page
        section = find(f"{page}#{url.fragment()}")
        if section is not None:
            self._show(section)

    def _chosen(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self._show(item.data(0, SECTION_ROLE))

    def _recolour(self) -> None:
        page, self._shown_page = self._shown_page, ""
        if page and self.shown is not None:
            self._show(self.shown)

    # -- searching ------------------------------------------------------------------------------------------------

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        found = 0
        for item in tree_rows.all_rows(self.tree):
            section: Section = item.data(0, SECTION_ROLE)
            matches = section.holds(words)
            item.setHidden(not matches)
            found += matches
            outer = item.parent() if matches else None
            while outer is not None:
                outer.setHidden(False)
                outer.setExpanded(bool(words) or outer.isExpanded())
                outer = outer.parent()
        self.none.setVisible(not found)
        self._mark_words()

    def _show_first_match(self) -> None:
        words = self.search.text().lower().split()
        if not words:
            return
        matching = [one for one in sections() if one.holds(words)]
        titled = [one for one in matching if all(word in one.title.lower() for word in words)]
        if matching:
            self._show((titled or matching)[0])

    def _mark_words(self) -> None:
        """Every place of the searched words on the shown page."""
        marks = []
        for word in self.search.text().split():
            cursor = QTextCursor(self.page.document())
            while not (cursor := self.page.document().find(word, cursor)).isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor
                mark.format.setBackground(self._appearance.colour("accent_soft"))
                marks.append(mark)
        self.page.setExtraSelections(marks)

    def _item_of(self, section: Section) -> QTreeWidgetItem | None:
        return next((one for one in tree_rows.all_rows(self.tree) if one.data(0, SECTION_ROLE) == section), None)

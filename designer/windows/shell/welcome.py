"""The welcome screen: begin something new, go on with something recent, look at an example."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fitting import least_height
from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import DETAIL_ROLE, CardDelegate, DetailDelegate
from designer.session.preferences import Preferences
from designer.session.timers import later
from designer.windows.files.examples import SENTENCES, example_files, picture_of, short_folder

PATH_ROLE = int(Qt.ItemDataRole.UserRole)
WIDTH = 860
ROW_PX, CARD_PX = 30, 76
SHOWN_ROWS = 8
PICTURE = QSize(144, 84)

BEGINNINGS = (
    ("file.new", "new", "New design", "An empty canvas"),
    ("file.generate", "generate", "Generate a fabric", "Fat-tree to dragonfly, from a few numbers"),
    ("file.open", "open", "Open a file", "A .fabric design"),
)


class WelcomeScreen(QWidget):
    """Nothing here that the menus do not have too."""

    action_wanted = Signal(str)
    file_wanted = Signal(Path)

    def __init__(self, appearance: Appearance, preferences: Preferences) -> None:
        super().__init__()
        self._appearance = appearance
        self._preferences = preferences
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._icons: dict[str, QLabel] = {}
        self.buttons = {action: self._beginning(action, title, hint) for action, _, title, hint in BEGINNINGS}
        self.recent = self._list("Recent files")
        self.examples = self._list("Examples")
        self.examples.setItemDelegate(CardDelegate(self.examples))
        self.examples.setIconSize(PICTURE)
        self._no_recent = label("Designs you open or save are listed here.", "muted", wrap=True)
        self._no_examples = label("No example designs are installed.", "muted", wrap=True)
        self._mark = label()
        self._fitted = later(self, 0, self._fit)
        self._lay_out()
        appearance.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        sheet = QWidget()
        sheet.setMaximumWidth(WIDTH)
        column = QVBoxLayout(sheet)
        column.setSpacing(22)
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(self._mark)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label("Fabric Designer", "title"))
        words.addWidget(label("Draw the network of a GPU cluster, check it, and see what traffic does to it.", "muted"))
        head.addLayout(words, 1)
        column.addLayout(head)
        begin = QHBoxLayout()
        begin.setSpacing(12)
        for button in self.buttons.values():
            begin.addWidget(button, 1)
        column.addLayout(begin)
        lists = QHBoxLayout()
        lists.setSpacing(28)
        for title, listed, none in (
            ("Recent", self.recent, self._no_recent),
            ("Examples", self.examples, self._no_examples),
        ):
            side = QVBoxLayout()
            side.setSpacing(6)
            side.addWidget(label(title, "section"))
            side.addWidget(listed)
            side.addWidget(none)
            side.addStretch(1)
            lists.addLayout(side, 1)
        column.addLayout(lists)
        column.addWidget(
            label(
                "Ctrl+K finds any command.   F1 opens the guide.   Drop a .fabric file or a list of cables here.",
                "muted",
            )
        )
        page = QWidget()
        page.setProperty("surface", "base")
        middle = QHBoxLayout(page)
        tall = QVBoxLayout()
        tall.addStretch(2)
        tall.addWidget(sheet)
        tall.addStretch(3)
        middle.addStretch(1)
        middle.addLayout(tall, WIDTH)
        middle.addStretch(1)
        scroll = QScrollArea()  # else the screen, even unseen, would keep the window from getting small
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)

    def _beginning(self, action: str, title: str, hint: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "beginning")
        button.setAccessibleName(title)
        button.setMinimumHeight(CARD_PX)
        button.clicked.connect(lambda: self.action_wanted.emit(action))
        line = QHBoxLayout(button)
        line.setContentsMargins(14, 10, 14, 10)
        line.setSpacing(12)
        self._icons[action] = label()
        line.addWidget(self._icons[action])
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addStretch(1)
        for text, kind in ((title, "strong"), (hint, "muted")):
            written = label(text, kind)
            written.setWordWrap(kind == "muted")
            written.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            words.addWidget(written)
        words.addStretch(1)
        line.addLayout(words, 1)
        return button

    def _list(self, name: str) -> QListWidget:
        listed = QListWidget()
        listed.setFrameShape(QFrame.Shape.NoFrame)
        listed.setItemDelegate(DetailDelegate(listed, ROW_PX))
        listed.setIconSize(QSize(18, 18))
        listed.setAccessibleName(name)
        listed.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        listed.itemActivated.connect(self._open)
        listed.itemClicked.connect(self._open)
        return listed

    def refresh(self) -> None:
        """Show recent files and examples as they are now, with icons in the current colors."""
        for action, icon, _, _ in BEGINNINGS:
            self._icons[action].setPixmap(self._appearance.pixmap(icon, 32, "accent"))
        self._mark.setPixmap(self._appearance.pixmap("app", 40, "accent"))
        mark, theme = self._appearance.icon("app", "muted"), self._appearance.theme.name
        recent = [(path, mark, short_folder(path.parent)) for path in self._preferences.recent_files[:SHOWN_ROWS]]
        examples = [
            (path, QIcon(str(picture_of(path, theme))), SENTENCES.get(path.stem, "")) for path in example_files()
        ]
        self._fill(self.recent, self._no_recent, recent, ROW_PX)
        self._fill(self.examples, self._no_examples, examples, 0)
        self._fitted.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give cards and examples the height that their texts need."""
        super().resizeEvent(event)
        self._fitted.start()

    def _fit(self) -> None:
        for button in self.buttons.values():
            button.setMinimumHeight(max(CARD_PX, least_height(button, button.width())))
        self.examples.doItemsLayout()
        rows = range(self.examples.count())
        self.examples.setFixedHeight(sum(map(self.examples.sizeHintForRow, rows)) + 4)

    def _fill(self, listed: QListWidget, none: QWidget, files: list[tuple[Path, QIcon, str]], row_height: int) -> None:
        """List files, each with its picture and detail."""
        listed.clear()
        for path, icon, detail in files:
            item = QListWidgetItem(icon, path.stem)
            item.setData(PATH_ROLE, str(path))
            item.setData(DETAIL_ROLE, detail)
            item.setToolTip(plain_text(str(path)))
            listed.addItem(item)
        if row_height:
            listed.setFixedHeight(row_height * len(files) + 4)
        listed.setVisible(bool(files))
        none.setVisible(not files)

    def _open(self, item: QListWidgetItem) -> None:
        self.file_wanted.emit(Path(str(item.data(PATH_ROLE))))

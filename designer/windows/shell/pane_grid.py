"""The panes side by side, with handles between them; remembers who is where, and how large."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from designer.session.preferences import Preferences
from designer.windows.shell import pane_layout
from designer.windows.shell.pane import Pane
from designer.windows.shell.pane_layout import PaneLayout

LAYOUT, SIZES = "panes/layout", "panes/sizes"
HANDLE_PX = 3


class PaneGrid(QWidget):
    """Every pane is a child for good; those in the layout stand in splitters."""

    arranged = Signal()

    def __init__(self, panes: Mapping[str, Pane], preferences: Preferences) -> None:
        super().__init__()
        self._panes, self._preferences = panes, preferences
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._splitters: list[QSplitter] = []
        self._outer = QSplitter(Qt.Orientation.Horizontal)
        self._outer.setChildrenCollapsible(False)
        self._outer.setHandleWidth(HANDLE_PX)
        self._column.addWidget(self._outer)
        self.beside: QWidget | None = None
        """What stands next to all panes: another design."""
        self.layout_shown = PaneLayout(())
        kept = preferences.text(SIZES)
        self.arrange(pane_layout.read(preferences.text(LAYOUT)))
        preferences.set_text(SIZES, kept)
        self._take_sizes()

    def arrange(self, layout: PaneLayout) -> None:
        """Show these views from now on, all of a column alike in height."""
        if layout == self.layout_shown:
            return
        self.layout_shown = layout
        for pane in self._panes.values():
            pane.hide()
            pane.setParent(self)
        replaced = self._outer.indexOf(self._splitters[0]) if self._splitters else -1
        for splitter in self._splitters:
            splitter.hide()
            splitter.deleteLater()
        columns = self._splitter(Qt.Orientation.Horizontal)
        self._splitters = [columns]
        for names in layout.columns:
            rows = self._splitter(Qt.Orientation.Vertical)
            self._splitters.append(rows)
            for name in names:
                rows.addWidget(self._panes[name])
                self._panes[name].show()
            columns.addWidget(rows)
        if replaced < 0:
            self._outer.addWidget(columns)
        else:
            self._outer.replaceWidget(replaced, columns)
        columns.show()  # now: Qt would wait for the next event, and a view that is not seen has no size to fit to
        self._column.activate()
        self._preferences.set_text(LAYOUT, str(layout))
        self._preferences.set_text(SIZES, "")
        self._take_sizes()
        self.arranged.emit()

    def show_beside(self, shown: QWidget | None, *, at_left: bool = False) -> None:
        """Show this next to all panes, as wide as these together; None for nothing."""
        if self.beside is not None:
            self.beside.hide()
            self.beside.setParent(None)
        self.beside = shown
        if shown is not None:
            self._outer.insertWidget(0 if at_left else 1, shown)
            shown.show()
            self._outer.setSizes([1000, 1000])
        self.arranged.emit()

    def share_room(self, other: "PaneGrid") -> None:
        """Share the room with what stands beside as another grid does, whose panes stand where that is here."""
        self._outer.setSizes(other._outer.sizes())

    def _splitter(self, orientation: Qt.Orientation) -> QSplitter:
        splitter = QSplitter(orientation)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(HANDLE_PX)
        splitter.splitterMoved.connect(self._keep_sizes)
        return splitter

    def _keep_sizes(self) -> None:
        self._preferences.set_text(SIZES, "|".join(",".join(map(str, one.sizes())) for one in self._splitters))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the shares of the panes, whatever room they had meanwhile."""
        super().resizeEvent(event)
        self._take_sizes()

    def _take_sizes(self) -> None:
        """Give the splitters the sizes that are remembered; the same to all where none are that fit."""
        text = self._preferences.text(SIZES)
        stated = [[int(size) for size in part.split(",") if size.isdigit()] for part in text.split("|")]
        for number, splitter in enumerate(self._splitters):
            sizes = stated[number] if number < len(stated) else []
            alike = len(sizes) == splitter.count() and sum(sizes) > 0
            splitter.setSizes(sizes if alike else [1000] * splitter.count())

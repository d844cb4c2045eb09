"""The bar over the matrix: what its rows and columns are, and in which order they stand."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from designer.analysis.matrix_axes import ORDERS, RANK
from designer.canvas.matrix.picture import TOP_PX
from designer.canvas.matrix.view import MatrixView
from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import enlarged, label
from designer.session.preferences import Preferences

ROOM_FOR_CAPTION_PX = 960
ROOM_FOR_TITLES_PX = 600
ROOM_FOR_SWAP_PX = 280
ROOM_FOR_ORDER_PX = 360
ORDER = "matrix/order"
ORDER_TIP = "In which order rows and columns stand"


class MatrixBar(QFrame):
    """Offers the kinds that the design has; follows it while the matrix is seen."""

    def __init__(self, view: MatrixView, preferences: Preferences) -> None:
        super().__init__(view)
        self._view, self._cells, self._preferences = view, view.cells, preferences
        kept = preferences.text(ORDER)
        if kept in dict(ORDERS):
            self._cells.put_in_order(kept)
        self.setProperty("surface", "bar")
        self.setObjectName("matrix-bar")
        self.rows = ChoiceField("Rows", lambda name: self._choose(name, self._cells.chosen[1]))
        self.columns = ChoiceField("Columns", lambda name: self._choose(self._cells.chosen[0], name))
        self.swap = QPushButton("Swap")
        self.swap.setToolTip("Make rows of the columns, and columns of the rows")
        self.swap.clicked.connect(lambda _checked: self._choose(*reversed(self._cells.chosen)))
        self.order = ChoiceField("Order", self._put_in_order)
        self.order.show_choices(ORDERS, self._cells.order)
        for field in (self.rows, self.columns, self.order):
            field.setMinimumContentsLength(12)
        self.caption = label("", "muted")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 4, 12, 4)
        line.setSpacing(8)
        self._titles = [label(text, "muted") for text in ("Rows", "Columns", "Order")]
        fields = (self.rows, self.columns, self.order)
        for title, field, tip in zip(self._titles, fields, ("Rows", "Columns", ORDER_TIP), strict=True):
            field.setToolTip(plain_text(tip))
            line.addWidget(title)
            line.addWidget(field, 1)
            if field is self.columns:
                line.addWidget(self.swap)
        line.addWidget(self.caption, 3)
        self._axes: object = None
        self._chosen = ("", "")
        self._cells.changed.connect(self.refresh)
        self._cells.replaced.connect(self.refresh)
        view.installEventFilter(self)
        self._place()

    def refresh(self) -> None:
        """Offer what the design has, and say what is shown."""
        if not self._view.isVisible():
            return
        axes, chosen = self._cells.axes, self._cells.chosen
        if RANK in chosen:  # they follow each run
            self.caption.setText(self._cells.caption)
        if axes is self._axes and chosen == self._chosen:  # not the design: the cells may hear of another one later
            return
        self._axes, self._chosen = axes, chosen
        offered = tuple((kind.name, kind.title) for kind in self._cells.axes.kinds())
        for field, name in zip((self.rows, self.columns), self._cells.chosen, strict=True):
            field.show_choices(offered, name)
            field.setEnabled(bool(offered))
        self.swap.setEnabled(len(offered) > 1)
        self.caption.setText(self._cells.caption)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the view, and catch up when it is seen."""
        if watched is self._view and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._place()
            self.refresh()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        self.setGeometry(0, 0, self._view.width(), round(TOP_PX * self._view.enlargement))
        width = self._view.width()
        self.caption.setVisible(width >= enlarged(ROOM_FOR_CAPTION_PX))
        for title in self._titles:
            title.setVisible(width >= enlarged(ROOM_FOR_TITLES_PX))
        self.order.setVisible(width >= enlarged(ROOM_FOR_ORDER_PX))
        self.swap.setVisible(width >= enlarged(ROOM_FOR_SWAP_PX))

    def _put_in_order(self, order: str) -> None:
        self._preferences.set_text(ORDER, order)
        self._cells.put_in_order(order)

    def _choose(self, rows: str, columns: str) -> None:
        self._cells.choose(rows, columns)

"""Breadcrumbs: where in the design the selection is, or what is looked at; each step leads there."""

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from designer.analysis.trail import Step
from designer.drawing.text import fitted_label, fitted_name, short_form
from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import label
from designer.windows.commands.access_keys import literal

GAP_PX = 14
LINE_PX = 4
"""Over and under the letters."""
"""Between two steps, where the arrow stands."""
PADDING_PX = 12
MOST_STEP_PX = 260
"""The width of a step where not all fit as they are."""
ICON = QSize(14, 14)


class Crumbs(QWidget):
    """Steps from left to right; where they do not fit, the first ones are in a menu behind three dots."""

    going = Signal(object)
    """Ids of a step; none for everything."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.steps: tuple[Step, ...] = ()
        self._buttons: list[QToolButton] = []
        self._arrows: list[QLabel] = []
        self.more = self._button("…", "Steps before")
        self.more.clicked.connect(self._show_more)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Breadcrumbs")
        appearance.changed.connect(self._recolour)
        self._keep_room()

    def sizeHint(self) -> QSize:
        """As high as a line; as wide as there is room."""
        return QSize(120, self.more.sizeHint().height())

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        """Show these from now on."""
        if steps == self.steps:
            return
        self.steps = steps
        for button in (*self._buttons, *self._arrows):
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(step.title, step.title) for step in steps]
        self._arrows = [label("›", "muted") for _ in steps[1:]]
        for step, button in zip(steps, self._buttons, strict=True):
            button.clicked.connect(partial(self._go, step))
        for arrow in self._arrows:
            arrow.setParent(self)
            arrow.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._recolour()
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """Keep room for a line in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._keep_room()
            self._lay_out()

    def _keep_room(self) -> None:
        self.setMinimumHeight(self.fontMetrics().height() + 2 * LINE_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many steps as fit."""
        super().resizeEvent(event)
        self._lay_out()

    @property
    def shown(self) -> list[str]:
        """The titles of the steps that fit, as they are written."""
        return [button.text().replace("&&", "&") for button in self._buttons if not button.isHidden()]

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("kind", "crumb")
        button.setText(literal(text))
        button.setToolTip(plain_text(tip))
        button.setIconSize(ICON)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the view keeps the keyboard; a command goes up
        return button

    def _recolour(self) -> None:
        for step, button in zip(self.steps, self._buttons, strict=True):
            if step.kind:
                button.setIcon(self._appearance.icon(step.kind, "muted"))

    def _lay_out(self) -> None:
        """From the last step back, as many as there is room for; the last is elided where it alone is too wide."""
        widths = [self._width(step) for step in self.steps]
        if sum(widths) + GAP_PX * (len(widths) - 1) > self.width():
            widths = [min(width, MOST_STEP_PX) for width in widths]
        dots = self.fontMetrics().horizontalAdvance("…") + PADDING_PX
        first, room = len(widths), self.width()
        while first and widths[first - 1] + (dots + GAP_PX if first > 1 else 0) <= room:
            first -= 1
            room -= widths[first] + GAP_PX
        first = min(first, max(0, len(widths) - 1))
        is_tight = bool(widths) and widths[first] + dots + GAP_PX > self.width()
        self.more.setVisible(first > 0)
        left = self._stand(self.more, 0, dots) if first > 0 else 0
        for number, button in enumerate(self._buttons):
            is_shown = number >= first
            button.setVisible(is_shown)
            if number:
                self._arrows[number - 1].setVisible(is_shown)
            if is_shown:
                if number:
                    left = self._stand(self._arrows[number - 1], left, GAP_PX)
                width = max(0, min(widths[number], self.width() - left))
                self._write(button, self.steps[number], width, has_icon=not is_tight)
                left = self._stand(button, left, width)

    def _width(self, step: Step) -> int:
        icon = ICON.width() + PADDING_PX // 2 if step.kind else 0
        return self.fontMetrics().horizontalAdvance(step.title) + PADDING_PX + icon

    def _write(self, button: QToolButton, step: Step, width: int, *, has_icon: bool) -> None:
        """Write as much of a title as fits, without its icon where every letter counts."""
        title, style = step.title, Qt.ToolButtonStyle
        if width < self._width(step):
            metrics = self.fontMetrics()
            around = self._width(step) - metrics.horizontalAdvance(title) if has_icon else PADDING_PX
            fitting = (fit(title, metrics.horizontalAdvance, width - around) for fit in (fitted_name, fitted_label))
            ends = Qt.TextElideMode.ElideLeft if short_form(title) else Qt.TextElideMode.ElideMiddle
            title = metrics.elidedText(next(filter(None, fitting), title), ends, width - around)  # its end tells most
        button.setText(literal(title))
        is_pair = has_icon and bool(step.kind)
        button.setToolButtonStyle(style.ToolButtonTextBesideIcon if is_pair else style.ToolButtonTextOnly)

    def _stand(self, button: QWidget, left: int, width: int) -> int:
        """Put a button there; returns where it ends."""
        button.setGeometry(left, 0, width, self.height())
        return left + width

    def _go(self, step: Step) -> None:
        self.going.emit(step.ids)

    def more_menu(self) -> QMenu:
        """The steps that did not fit."""
        menu = QMenu(self)
        hidden = (step for step, button in zip(self.steps, self._buttons, strict=True) if button.isHidden())
        for step in hidden:
            menu.addAction(literal(step.title)).triggered.connect(partial(self._go, step))
        return menu

    def _show_more(self) -> None:
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

"""Form fields that hand over a value once it is finished, and show in place why a value is refused."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QStandardItemModel, QWheelEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from designer.errors import DesignerError
from designer.model.edit import Edit
from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import label, mark_refused
from designer.session.session import Session

Commit = Callable[[str], str | None]
"""Takes the finished text; returns the sentence that says why it is refused, or None when it was taken."""


def try_edit(session: Session, make_edit: Callable[[], Edit]) -> str | None:
    """Push what a verb returns; the sentence of its refusal, or None."""
    try:
        session.push(make_edit())
    except DesignerError as error:
        return str(error)
    return None


class _Line(QLineEdit):
    """Enter and leaving the field finish it; Esc brings the shown value back, or goes on where it is shown."""

    entered = Signal()

    def __init__(self, finish: Callable[[], bool], revert: Callable[[], bool]) -> None:
        super().__init__()
        self._finish = finish
        self._revert = revert

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            taken = self._finish()
            self.selectAll()
            if taken:
                self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape and self._revert():
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._finish()


class TextField(QWidget):
    """One line of text with its refusal below it. `entered` follows when Enter was pressed and the text was taken."""

    entered = Signal()

    def __init__(self, name: str, commit: Commit, placeholder: str = "") -> None:
        super().__init__()
        self._commit = commit
        self._shown = ""
        self.line = _Line(self.finish, self.take_back)
        self.line.entered.connect(self.entered)
        self.line.textEdited.connect(lambda: self._say(None))  # a refusal is of a text that is no longer there
        self.line.setAccessibleName(name)
        self.line.setPlaceholderText(placeholder)
        self.refusal = label("", "error", wrap=True)
        self.refusal.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.line)
        column.addWidget(self.refusal)
        self.setFocusProxy(self.line)

    def show_value(self, text: str) -> None:
        """Show what the design says; text being typed is left alone."""
        if text == self._shown and (self.line.hasFocus() or self.refusal.isVisible()):
            return
        self._shown = text
        self._revert()

    def take_back(self) -> bool:
        """Show again what was shown; False where nothing else was typed."""
        typed = self.line.text() != self._shown or self.refusal.isVisible()
        self._revert()
        return typed

    def _revert(self) -> None:
        self.line.setText(self._shown)
        self.line.setCursorPosition(0)  # a long text shows its beginning
        self._say(None)

    def finish(self) -> bool:
        """Hand over what is typed, as Enter does; False where it is refused, which the field then says."""
        text = self.line.text().strip()
        if text == self._shown:
            self._say(None)
            return True
        refusal = self._commit(text)
        if refusal is None:
            self._shown = text
        self._say(refusal)
        return refusal is None

    def refuse(self, sentence: str) -> None:
        """Say why what stands here will not do, and let it be typed again."""
        self._say(sentence)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self, refusal: str | None) -> None:
        self.refusal.refuse(refusal or "")
        mark_refused(self.line, refusal is not None)


class Combo(QComboBox):
    """A combo box that the wheel turns only while it has the focus; else the form around it scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # a click or Tab, not the wheel

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turn the choice only where it has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Spin(QSpinBox):
    """A spin box that the wheel turns only while it has the focus; else the form around it scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # a click or Tab, not the wheel

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turn the number only where it has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ChoiceField(Combo):
    """A choice of (value, text) pairs; `chosen` is called for choices of the user alone."""

    def __init__(self, name: str, chosen: Callable[[str], None]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self._choices: list[tuple[str, str]] = []
        self.activated.connect(lambda index: chosen(self._choices[index][0]))

    @property
    def value(self) -> str:
        """The value of the choice that is shown; "" where there is none."""
        index = self.currentIndex()
        return self._choices[index][0] if 0 <= index < len(self._choices) else ""

    def grey_out(self, values: Collection[str]) -> None:
        """Show these of the choices as ones that cannot be taken now."""
        for index, (value, _text) in enumerate(self._choices):
            item = cast(QStandardItemModel, self.model()).item(index)
            item.setEnabled(value not in values)

    def show_choices(
        self, choices: Sequence[tuple[str, str]], value: str, tips: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Offer these choices with `value` chosen; a value that is not among them is offered as itself.

        `tips` explain entries of the list, by their values.
        """
        listed = list(choices)
        if value not in (known for known, _ in listed):
            listed.append((value, value))
        with QSignalBlocker(self):
            if listed != self._choices:
                self._choices = listed
                self.clear()
                self.addItems([text for _, text in listed])
                for index, (known, _) in enumerate(listed):
                    self.setItemData(index, plain_text(tips.get(known, "")), Qt.ItemDataRole.ToolTipRole)
            self.setCurrentIndex([known for known, _ in listed].index(value))


def least_width(line: QLineEdit) -> int:
    """The width at which a line shows a number, and what it says while it is empty where that is a few words."""
    letters = line.fontMetrics()
    least, most = (count * letters.averageCharWidth() for count in (LEAST_LETTERS, MOST_LETTERS))
    return max(least, min(letters.horizontalAdvance(line.placeholderText()), most)) + ROUND_TEXT_PX


ROUND_TEXT_PX = 20
"""Between both edges of a line and its text, with its cursor."""
LEAST_LETTERS, MOST_LETTERS = 5, 24
TALL_PX = 48
"""The name of a field that is higher stands at its top."""


def form() -> QFormLayout:
    """A two-column form with the panels' spacing."""
    layout = QFormLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(10)
    layout.setVerticalSpacing(6)
    layout.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    layout.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # large letters in a narrow dock
    return layout


def uncut_width(layout: QFormLayout, width: int) -> int:
    """How wide a form of about that width has to be so that no field next to its label is cut.

    Qt sees whether a row wraps by its own label, but puts the field behind the widest one.
    """
    rows, roles = list[tuple[int, int]](), QFormLayout.ItemRole
    for number in range(layout.rowCount()):
        name, field = (layout.itemAt(number, role) for role in (roles.LabelRole, roles.FieldRole))
        if name is not None and field is not None and layout.isRowVisible(number):
            rows.append((name.sizeHint().width(), field.minimumSize().width()))
    gap = layout.horizontalSpacing()
    beside = [(name, least) for name, least in rows if name + gap + least <= width]
    widest = max((name for name, _ in beside), default=0)
    return max((widest + gap + least for _, least in beside), default=width)


def add_row(layout: QFormLayout, name: str, field: QWidget, at: int | None = None) -> None:
    """A form row whose name is written in the quiet color, at that place or as the last."""
    written = label(name, "muted")
    if field.sizeHint().height() > TALL_PX:
        written.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        written.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    written.setMinimumHeight(min(field.sizeHint().height(), 30))
    layout.insertRow(layout.rowCount() if at is None else at, written, field)


def set_row_name(layout: QFormLayout, field: QWidget, name: str) -> None:
    """Another name for the row of a field."""
    written = layout.labelForField(field)
    if isinstance(written, QLabel):
        written.setText(name)

"""The fields of a construction: what they are, and what they say."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from designer.catalog.headline import headline
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Field
from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import Combo
from designer.panels.widgets.labels import enlarged
from designer.session.session import Session

MOST = "most"
"""What an empty count stands for, of those that are proposed."""


class Asked(Protocol):
    """Of an option what reading it takes."""

    @property
    def name(self) -> str:
        """How the values are kept."""

    @property
    def text(self) -> str:
        """What it is called."""

    @property
    def kind(self) -> str:
        """A "count", "length", "name", "switch", "flag" or "choice"."""

    @property
    def hint(self) -> str:
        """What it is for."""

    @property
    def default(self) -> Any:
        """What an empty count stands for."""

    @property
    def empty(self) -> str:
        """What an empty count is called."""

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Of a choice: values and what they are called."""

    @property
    def at_first(self) -> Callable[[Session], Any] | None:
        """The default of a count, where the selection says it."""


def picked(options: Iterable[Asked], fields: Mapping[str, QWidget]) -> dict[str, Any]:
    """What is chosen or ticked among the fields that are shown: what a count may depend on."""
    seen = (one for one in options if one.kind in ("choice", "switch", "flag") and not fields[one.name].isHidden())
    return {one.name: read(one, fields[one.name]) for one in seen}


def read(option: Asked, held: QWidget) -> Any:
    """What a field says. Raises ParameterError for a count that cannot be read."""
    editor = held.findChild(QWidget, "editor")
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    if isinstance(editor, QComboBox):
        return editor.currentData()
    assert isinstance(editor, QLineEdit)
    if option.kind == "name":
        return editor.text()
    kind = kinds.LENGTH if option.kind == "length" else kinds.COUNT
    try:
        whole = Field(title=option.text, help=option.hint, kind=kind, default=option.default, noun="it")
        number = whole.read(editor.text())
        whole.require(number)
        return number
    except ParameterError as error:
        raise ParameterError(f"{option.text}: {error}") from None


def editor_of(option: Asked, session: Session, changed: Callable[[], None]) -> QComboBox | QLineEdit:
    """What an option is chosen or typed in; `changed` is called after each change."""
    if option.kind == "switch":
        types = session.catalog.switches()
        combo = _combo(((one.id, f"{one.model}  ·  {headline(one)}") for one in types), changed)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(18)
        return combo
    if option.kind == "choice":
        return _combo(option.choices, changed)
    field = _name() if option.kind == "name" else _count(option, session)
    field.textChanged.connect(changed)
    return field


def is_proposed(option: Asked) -> bool:
    """Whether a count says what is proposed until it is typed over."""
    return option.kind == "count" and option.default is None and option.empty == MOST


def most_button(field: QLineEdit, option: Asked) -> QPushButton:
    """Empties the field, which stands for as many as there can be."""
    button = QPushButton("Most")
    button.setAccessibleName(f"{option.text}: most")
    button.setToolTip(plain_text(option.hint))

    def take_most() -> None:
        field.clear()
        field.setFocus()

    button.clicked.connect(take_most)
    return button


def _combo(choices: Iterable[tuple[str, str]], changed: Callable[[], None]) -> Combo:
    combo = Combo()
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # also to what is offered later
    with QSignalBlocker(combo):
        for value, text in choices:
            combo.addItem(text, value)
    combo.currentIndexChanged.connect(changed)
    return combo


def _name() -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText("automatic")
    field.setFixedWidth(enlarged(120))
    return field


def _count(option: Asked, session: Session) -> QLineEdit:
    default = option.default if option.at_first is None else option.at_first(session)
    field = QLineEdit("" if default is None else str(default))
    field.setPlaceholderText(option.empty if option.default is None else "")
    empty = field.fontMetrics().horizontalAdvance(field.placeholderText())
    field.setFixedWidth(max(enlarged(56), empty + enlarged(20)))
    return field

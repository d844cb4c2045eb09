"""The options of the chosen format, and what its file will lack."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from designer.catalog.catalog import Catalog
from designer.errors import DesignerError, ParameterError
from designer.exchange.exporter import Exporter
from designer.exchange.options import keyed, texts_of
from designer.exchange.plan_gaps import PlanGaps
from designer.exchange.previews import DRAWN
from designer.fields.field import fields_of
from designer.panels.widgets.field_form import ParameterForm
from designer.panels.widgets.fields import Combo, add_row, form, uncut_width
from designer.panels.widgets.labels import label
from designer.windows.export.as_shown import LOOKS

MOST_REASONS = 4
LEAST_WIDTH, MOST_WIDTH = 300, 400
"""As wide as the form needs, within these."""
SUFFIX = ".suffix"
"""Under what the kind of file is remembered; no option begins with a full stop."""


class OptionsPane(QWidget):
    """`changed` follows every keystroke; `prepare_wanted`, `shown_wanted` and `selection_wanted` are buttons."""

    changed = Signal()
    prepare_wanted = Signal()
    shown_wanted = Signal()
    selection_wanted = Signal()

    def __init__(self, exporter: Exporter, catalog: Catalog) -> None:
        super().__init__()
        self.exporter = exporter
        self.is_own = False
        """Whether the options are the user's, to be remembered, not those that the window shows."""
        self.form = ParameterForm(exporter.options, catalog)
        self.form.changed.connect(self._take)
        self.kind = Combo()
        self.kind.setAccessibleName("Kind of file")
        self.kind.addItems([exporter.suffix, *exporter.other_suffixes])
        self.kind.currentIndexChanged.connect(lambda _at: self._take())
        self.as_shown = QPushButton("As in Window")
        self.as_shown.setToolTip("View, theme, layers, jobs, badges, failures and heat as the window shows them now")
        self.as_shown.clicked.connect(self.shown_wanted)
        self.as_shown.setVisible(set(fields_of(exporter.options)) >= LOOKS)
        self.selection = QPushButton("Only Selection")
        self.selection.setToolTip("Draw only the devices, racks and groups that are selected in the window")
        self.selection.clicked.connect(self.selection_wanted)
        self.selection.setVisible("only" in fields_of(exporter.options))
        self.refusal = label("", "error", wrap=True)
        self.refusal.hide()
        self._gaps = QFrame()
        self._gaps.setProperty("surface", "card")
        self.headline = label("", "warning", wrap=True)
        self.reasons = label("", "muted", wrap=True)
        self.prepare = QPushButton("Prepare First")
        self.prepare.setToolTip("Place racks, route cables and choose media, then export the prepared design")
        self.prepare.clicked.connect(self.prepare_wanted)
        self._gaps.hide()
        self._lay_out()

    def _lay_out(self) -> None:
        card = QVBoxLayout(self._gaps)
        card.setContentsMargins(12, 10, 12, 10)
        card.setSpacing(6)
        card.addWidget(self.headline)
        card.addWidget(self.reasons)
        card.addWidget(self.prepare, 0, Qt.AlignmentFlag.AlignLeft)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(8)
        column.addWidget(label(self.exporter.title, "heading", wrap=True))
        if self.exporter.about:
            column.addWidget(label(self.exporter.about, "muted", wrap=True))
        kinds = form()
        add_row(kinds, "Kind of file", self.kind)
        kinds.setRowVisible(self.kind, bool(self.exporter.other_suffixes))
        column.addLayout(kinds)
        column.addWidget(self.form)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.as_shown)
        buttons.addWidget(self.selection)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(1)
        place = QScrollArea()
        place.setFrameShape(QFrame.Shape.NoFrame)
        place.setWidgetResizable(True)
        place.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        place.setWidget(inside)
        around = place.verticalScrollBar().sizeHint().width() + column.contentsMargins().right()
        least = max(inside.minimumSizeHint().width() - column.contentsMargins().right(), LEAST_WIDTH - around)
        wanted = max(uncut_width(one, least) for one in inside.findChildren(QFormLayout))
        self.setFixedWidth(min(MOST_WIDTH, max(least, wanted) + around))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(place, 1)
        whole.addWidget(self.refusal)  # in sight however far one scrolls
        whole.addWidget(self._gaps)

    @property
    def suffix(self) -> str:
        """The kind of file that is chosen."""
        return self.kind.currentText()

    def choose_drawn(self) -> None:
        """Choose a kind of file that has pages, where there is one."""
        drawn = (one for one in (self.exporter.suffix, *self.exporter.other_suffixes) if one in DRAWN)
        self.kind.setCurrentIndex(max(0, self.kind.findText(next(drawn, self.suffix))))

    def record(self) -> Any:
        """The options; None where a field says something that it cannot be, which is then shown."""
        try:
            made = self.form.parameters()
        except ParameterError as error:
            self.refuse(str(error))
            return None
        self.refuse("")
        return made

    def refuse(self, reason: str) -> None:
        """Show why this cannot be written; "" for nothing."""
        self.refusal.refuse(reason)

    def _take(self) -> None:
        self.is_own = True
        self.changed.emit()

    def show_values(self, values: dict[str, Any]) -> None:
        """Fill in some fields, as the window shows the design."""
        self._fill(values)
        self.is_own = False
        self.changed.emit()

    def show_only(self, names: tuple[str, ...]) -> None:
        """Draw these alone, as if somebody had typed them."""
        self._fill({"only": names})
        self._take()

    def _fill(self, values: dict[str, Any]) -> None:
        self.form.blockSignals(True)  # one signal at the end
        for name, value in values.items():
            self.form.show_value(name, value)
        self.form.blockSignals(False)

    def show_texts(self, texts: dict[str, str]) -> None:
        """Fill in what was remembered; a text that no longer fits is left out."""
        values = {}
        for key, field in keyed(self.exporter.options).items():
            try:
                value = field.read(texts[key]) if key in texts else field.default
                field.require(value)
            except DesignerError:
                value = field.default
            values[field.name] = value
        self.kind.setCurrentIndex(max(0, self.kind.findText(texts.get(SUFFIX, ""))))
        self._fill({name: value for name, value in values.items() if name in self.form.editors})
        self._take()

    def texts(self, record: Any) -> dict[str, str]:
        """What `show_texts` fills the form in with."""
        kind = {SUFFIX: self.suffix} if self.suffix != self.exporter.suffix else {}
        return {**texts_of(record), **kind}

    def show_gaps(self, gaps: PlanGaps | None) -> None:
        """Show what the file will lack; None where that is nothing, or not known."""
        lines = gaps.lines() if gaps is not None else []
        self.headline.setText(f"{gaps.headline}." if gaps is not None and gaps.headline else "")
        more = [f"and {len(lines) - MOST_REASONS} more"] if len(lines) > MOST_REASONS else []
        self.reasons.setText("\n".join([*lines[:MOST_REASONS], *more]))
        self.prepare.setVisible(gaps is not None and gaps.can_be_prepared)
        self._gaps.setVisible(bool(self.headline.text()))

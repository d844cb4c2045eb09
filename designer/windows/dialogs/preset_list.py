"""The published designs as a list of cards: picture, figures, source and date; found by the words of a search."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from designer.catalog.catalog import Catalog
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import Spin
from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import DETAIL_ROLE, CardDelegate
from designer.paths import resources_dir
from designer.topologies.presets import SOURCE_NOT_KNOWN, Preset, parameters_of, presets, word_of_endpoints
from designer.topologies.published_figures import agreement, compared
from designer.units import format_count, format_counted

PICTURE = QSize(132, 90)
MOST_UNITS = 100_000
MOST_BUILT = 300
"""Servers whose other networks are built to compare their figures while somebody looks at a card."""
MOST_SOURCE = 48
"""Characters of a source's title on a card; the description has all of it."""

FIGURES = (("host-ports", "host port"), ("switches", "switch"), ("leaf", "leaf"), ("spine", "spine"), ("core", "core"))
"""Figures that a card shows after the endpoints, and what they count."""


def picture_of(preset: Preset, theme: str) -> Path:
    """Where the small picture of a preset is, for the theme "light" or "dark"; docs/make_pictures.py makes it."""
    return resources_dir() / "presets" / "pictures" / f"{preset.id}-{theme}.png"


def card_text(preset: Preset) -> str:
    """What a card says below the title: printed figures, then those derived here, then source and date."""
    endpoint = word_of_endpoints(preset)
    figures = [preset_figures(preset.published, endpoint)]
    if derived := preset_figures(preset.derived, endpoint):
        figures.append(f"derived: {derived}")
    source = preset.source if preset.source != SOURCE_NOT_KNOWN else ""
    if len(source) > MOST_SOURCE:
        source = f"{source[: MOST_SOURCE - 1].rstrip()}…"
    return "\n".join(filter(None, ("; ".join(filter(None, figures)), ", ".join(filter(None, (source, preset.date))))))


def preset_figures(figures: Mapping[str, int], endpoint: str) -> str:
    """The main figures of a published design: "1,016 GPUs, 32 leaf switches, 16 spines"; "" without any."""
    shown = [(name, word) for name, word in (("endpoints", endpoint), *FIGURES) if figures.get(name)]
    if any(name == "leaf" for name, _ in shown):
        shown = [(name, word) for name, word in shown if name != "switches"]
    return ", ".join(format_counted(figures[name], word) for name, word in shown)


class PresetList(QWidget):
    """Cards of all presets; `chosen` tells which one is selected."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.presets: tuple[Preset, ...] = presets()
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search by name, vendor or source")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search published designs")
        self.list = QListWidget()
        self.list.setItemDelegate(CardDelegate(self.list))
        self.list.setIconSize(PICTURE)
        self.list.setSpacing(1)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Published designs")
        self._nothing = label("No published design has all of these words.", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        for one in (self.search, self._nothing, self.list):
            column.addWidget(one)
        for preset in self.presets:
            item = QListWidgetItem(preset.title)
            item.setData(DETAIL_ROLE, card_text(preset))
            self.list.addItem(item)
        self._show_found("")
        self.search.textChanged.connect(self._show_found)
        self.list.currentRowChanged.connect(self._choose)
        appearance.changed.connect(self._show_pictures)
        self._show_pictures()

    @property
    def current(self) -> Preset | None:
        """The preset that is selected, if one is."""
        row = self.list.currentRow()
        return self.presets[row] if row >= 0 else None

    def _choose(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(self.presets[row])

    def _show_pictures(self) -> None:
        theme = self._appearance.theme.name
        for row, preset in enumerate(self.presets):
            self.list.item(row).setIcon(QIcon(str(picture_of(preset, theme))))

    def _show_found(self, text: str) -> None:
        found = set(rows_found(self.presets, text))
        for row in range(self.list.count()):
            self.list.item(row).setHidden(row not in found)
        self._nothing.setVisible(not found)
        if text:
            self.list.scrollToTop()


class Units(QWidget):
    """By how many units a published design is to be built; `changed` tells of another number. Hidden without any."""

    changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.number = Spin()
        self.number.setRange(1, MOST_UNITS)
        self.number.setGroupSeparatorShown(True)
        self._word = label("", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.number)
        row.addWidget(self._word, 1)
        self.number.valueChanged.connect(self.changed)

    def show_of(self, preset: Preset | None) -> None:
        """Show the units of a preset as it was published; nothing where it has none."""
        self.setVisible(preset is not None and preset.scale is not None)
        if preset is None or preset.scale is None:
            return
        with QSignalBlocker(self.number):
            self.number.setValue(preset.units or 1)
        self.number.setAccessibleName(preset.scale.noun)
        self._word.setText(preset.scale.noun)


def likeness(preset: Preset | None, parameters: Any, catalog: Catalog) -> str:
    """How the figures of a preset compare, where the parameters still are its own; else ""."""
    if preset is None or parameters != parameters_of(preset):
        return ""
    large = bool(preset.networks) and parameters.servers > MOST_BUILT
    rows = compared(preset, catalog, compute_alone=large)
    n_left = len(preset.published) + len(preset.derived) - len(rows)
    left = f"; {format_counted(n_left, 'figure')} of other networks: see the guide" if n_left else ""
    differing = [f"{row.title} {format_count(row.expected)}" for row in rows if not row.equal]
    expected = f"; expected: {', '.join(differing)}" if differing else ""
    return f"{agreement(rows)}{left}{expected}."


def rows_found(searched: tuple[Preset, ...], text: str) -> Iterator[int]:
    """Numbers of the presets that have all words of a text in id, title, vendor, family or source.

    A number is none of the digits of a longer one: 16 is not in 2016.
    """
    words = [
        re.compile(rf"(?<!\d){one}(?!\d)" if one.isdecimal() else re.escape(one)) for one in text.casefold().split()
    ]
    for row, preset in enumerate(searched):
        held = " ".join((preset.id, preset.title, preset.vendor, preset.family, preset.source)).casefold()
        if all(word.search(held) for word in words):
            yield row

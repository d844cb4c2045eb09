"""Settings of the program: few, and each takes effect at once."""

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QVBoxLayout

from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import ChoiceField, Spin, add_row, form
from designer.panels.widgets.labels import label
from designer.session.preferences import MEMORY_LIMIT_MOST_GB, TEXT_SIZES_PT
from designer.session.simulation import RERUN_S
from designer.windows.desk import Desk
from designer.windows.files import reopening

THEMES = (("system", "Same as system"), ("light", "Light"), ("dark", "Dark"))
TEXT_SIZES = (("0", "Same as system"), *((str(size), f"{size} pt") for size in TEXT_SIZES_PT))


class SettingsDialog(QDialog):
    """What belongs to a design (its limits, its name) is in the inspector instead."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._preferences = desk.preferences
        self.setWindowTitle("Settings")
        self.theme = ChoiceField("Theme", self._choose_theme)
        self.text_size = ChoiceField("Text size", self._choose_text_size)
        self.text_size.setToolTip("Size of the letters in all windows; the drawing is enlarged with them")
        self.welcome = QCheckBox("Start on the welcome screen")
        self.welcome.toggled.connect(self._set_welcome)
        self.reopen = QCheckBox("Reopen at start what was open last")
        self.reopen.toggled.connect(self._set_reopen)
        self.live = QCheckBox("Switch Live simulation on at start")
        self.live.toggled.connect(self._set_live)
        self.rerun = QCheckBox("Rerun after failures")
        self.rerun.setToolTip(
            plain_text(f"When something fails or is repaired, repeat the last run if it took at most {RERUN_S:g} s.")
        )
        self.rerun.toggled.connect(self._set_rerun)
        self.advise = QCheckBox("Try what would help after a quick run")
        self.advise.toggled.connect(self._set_advise)
        self.keep = QCheckBox("Keep unsaved work in case of a crash")
        self.keep.toggled.connect(self._set_keep)
        self.memory = Spin()
        self.memory.setRange(1, MEMORY_LIMIT_MOST_GB)
        self.memory.setSuffix(" GB")
        self.memory.setAccessibleName("Memory limit")
        self.memory.setToolTip("A simulation whose flows would need more memory is refused before it starts.")
        self.memory.valueChanged.connect(self._set_memory)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        fields = form()
        add_row(fields, "Theme", self.theme)
        add_row(fields, "Text size", self.text_size)
        add_row(fields, "Memory limit", self.memory)
        column.addLayout(fields)
        column.addWidget(self.welcome)
        column.addWidget(self.reopen)
        column.addWidget(self.live)
        column.addWidget(self.rerun)
        column.addWidget(self.advise)
        column.addWidget(self.keep)
        column.addWidget(
            label("To change the settings of a design, clear the selection and use the Inspector.", "muted", wrap=True)
        )
        column.addStretch(1)
        column.addWidget(buttons)
        self._preferences.theme_changed.connect(self.refresh)
        self.refresh()
        self._preferences.text_size_changed.connect(self.refresh)
        self.resize(400, 400)

    def refresh(self) -> None:
        """Show the preferences as they are now."""
        self.theme.show_choices(THEMES, self._preferences.theme)
        self.text_size.show_choices(TEXT_SIZES, str(self._preferences.text_size_pt))
        self.welcome.setChecked(self._preferences.start_on_welcome)
        self.reopen.setChecked(reopening.reopens(self._preferences))
        self.live.setChecked(self._preferences.live_at_start)
        self.rerun.setChecked(self._preferences.reruns_after_failures)
        self.advise.setChecked(self._preferences.advises)
        self.keep.setChecked(self._preferences.keeps_unsaved)
        self.memory.setValue(round(self._preferences.memory_limit_gb))

    def _choose_theme(self, theme: str) -> None:
        self._preferences.theme = theme

    def _choose_text_size(self, size_pt: str) -> None:
        self._preferences.text_size_pt = int(size_pt)

    def _set_welcome(self, on: bool) -> None:
        self._preferences.start_on_welcome = on

    def _set_reopen(self, on: bool) -> None:
        reopening.set_reopens(self._preferences, on)

    def _set_live(self, on: bool) -> None:
        self._preferences.live_at_start = on

    def _set_rerun(self, on: bool) -> None:
        self._preferences.reruns_after_failures = on

    def _set_advise(self, on: bool) -> None:
        self._preferences.advises = on

    def _set_memory(self, limit_gb: int) -> None:
        self._preferences.memory_limit_gb = float(limit_gb)

    def _set_keep(self, on: bool) -> None:
        if on != self._preferences.keeps_unsaved:
            self._preferences.keeps_unsaved = on

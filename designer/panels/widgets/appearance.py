"""How the window looks: light and dark colors, the palette made of them, icons in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from designer.drawing.theme import DARK, LIGHT, Theme
from designer.panels.widgets.icons import Icons
from designer.paths import resources_dir


@dataclass(frozen=True, slots=True)
class Chrome:
    """Colors of everything around the drawing, as #rrggbb."""

    window: str
    base: str
    raised: str
    text: str
    muted: str
    border: str
    hover: str
    accent: str
    on_accent: str
    accent_soft: str
    error: str
    warning: str
    info: str
    good: str


def _around(theme: Theme, **own: str) -> Chrome:
    """The chrome around a drawing in that theme: shared colors from the theme, its own ones named here."""
    shared = {name: getattr(theme, name) for name in ("text", "muted", "accent", "on_accent", "error", "info")}
    return Chrome(base=theme.background, **shared, **own)


# Warnings are written on grey surfaces here, where the drawing's amber would be too pale.
LIGHT_CHROME = _around(
    LIGHT,
    window="#f3f4f6",
    raised="#fafbfc",
    border="#d5dae1",
    hover="#e6e9ee",
    accent_soft="#dce7f9",
    warning="#955800",
    good="#2b7d4f",
)
DARK_CHROME = _around(
    DARK,
    window="#1f2329",
    raised="#262b32",
    border="#363d47",
    hover="#2e343d",
    accent_soft="#26385a",
    warning="#e3ad4f",
    good="#6cc495",
)


HEADINGS = {"title_size": 22 / 12, "heading_size": 15 / 12, "value_size": 17 / 12}
"""How many times as large as other letters."""


class Appearance(QObject):
    """The chosen look. `changed` is emitted when colors are other than before; icons must then be asked for again."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: str = "system", icons: Icons | None = None) -> None:
        super().__init__()
        self._app = app
        self._system_font = QFont(app.font())
        self._choice = choice
        self._icons = icons if icons is not None else Icons()
        self.dark = self._wants_dark()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._refresh)
        self._apply()

    @property
    def chrome(self) -> Chrome:
        """The colors of the window: the dark or the light ones."""
        return DARK_CHROME if self.dark else LIGHT_CHROME

    @property
    def choice(self) -> str:
        """ "system", "light" or "dark"."""
        return self._choice

    @choice.setter
    def choice(self, choice: str) -> None:
        """Take this look; `changed` is emitted where it turns light to dark or back."""
        self._choice = choice
        self._refresh()

    def set_text_size(self, size_pt: int) -> None:
        """Write all windows in letters of this size from now on; 0 stands for that of the system."""
        font = QFont(self._system_font)
        if size_pt:
            font.setPointSize(size_pt)
        if font != self._app.font():
            self._app.setStyleSheet("")  # the sizes of headings follow
            self._app.setFont(font)
            self._app.setStyleSheet(style_sheet(self.chrome))

    @property
    def theme(self) -> Theme:
        """The colors of the drawing that go with the chrome."""
        return DARK if self.dark else LIGHT

    def colour(self, name: str) -> QColor:
        """A color of the chrome by its field name."""
        return QColor(getattr(self.chrome, name))

    def icon(self, name: str, colour: str = "text") -> QIcon:
        """The drawn icon of that name in a chrome color; an empty icon for ""."""
        if not name:
            return QIcon()
        return self._icons.icon(name, getattr(self.chrome, colour), self.chrome.muted)

    @contextmanager
    def styled_at_the_end(self) -> Iterator[None]:
        """Give widgets that are made meanwhile their style at the end, all at once.

        Under a style sheet, Qt styles a widget and all in it again with each widget that it is put into.
        """
        self._app.setStyleSheet("")
        try:
            yield
        finally:
            self._app.setStyleSheet(style_sheet(self.chrome))

    def pixmap(self, name: str, size: int, colour: str = "text") -> QPixmap:
        """An icon in that color as a pixmap, `size` pixels wide and high."""
        return self.icon(name, colour).pixmap(size, size)

    def _wants_dark(self) -> bool:
        if self._choice == "system":
            return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._choice == "dark"

    def _refresh(self) -> None:
        dark = self._wants_dark()
        if dark != self.dark:
            self.dark = dark
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        self._app.setStyleSheet("")  # under a style sheet a palette is given to every widget one by one
        if self._app.style().name() != "fusion":
            self._app.setStyle("Fusion")
        self._app.setPalette(qt_palette(self.chrome))
        self._app.setStyleSheet(style_sheet(self.chrome))


def style_sheet(chrome: Chrome) -> str:
    """The small style sheet of resources/styles with the colors filled in."""
    template = Template((resources_dir() / "styles" / "application.qss").read_text("utf-8"))
    colours = {field.name: getattr(chrome, field.name) for field in fields(chrome)}
    ground = "dark" if chrome is DARK_CHROME else "light"
    images = {
        name: (resources_dir() / "styles" / f"{name}-on-{ground}.svg").as_posix() for name in ("arrow", "check", "more")
    }
    return template.substitute(colours, **images, **_letters())


def _letters() -> dict[str, str]:
    """The sizes of headings, in px: as much larger than the letters of the user as they are for 12 px."""
    px = QFontInfo(QGuiApplication.font()).pixelSize()
    return {name: f"{round(px * share)}px" for name, share in HEADINGS.items()}


def qt_palette(chrome: Chrome) -> QPalette:
    """The colors of the window as a palette for Qt's own widgets."""
    role = QPalette.ColorRole
    palette = QPalette()
    for target, name in (
        (role.Window, chrome.window),
        (role.WindowText, chrome.text),
        (role.Base, chrome.base),
        (role.AlternateBase, chrome.raised),
        (role.Text, chrome.text),
        (role.Button, chrome.raised),
        (role.ButtonText, chrome.text),
        (role.BrightText, chrome.error),
        (role.Highlight, chrome.accent),
        (role.HighlightedText, chrome.on_accent),
        (role.Accent, chrome.accent),
        (role.Link, chrome.accent),
        (role.LinkVisited, chrome.accent),
        (role.ToolTipBase, chrome.raised),
        (role.ToolTipText, chrome.text),
        (role.PlaceholderText, chrome.muted),
        (role.Mid, chrome.border),
        (role.Midlight, chrome.hover),
        (role.Dark, chrome.border),
        (role.Shadow, chrome.border),
        (role.Light, chrome.raised),
    ):
        palette.setColor(target, QColor(name))
    faint = QColor(chrome.muted)
    faint.setAlphaF(0.6)
    for target in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, faint)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(chrome.border))
    return palette

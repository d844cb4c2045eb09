"""Colors of the drawing: two tables, light and dark. Heat has a scale of its own for either: drawing.heat."""

from dataclasses import dataclass

from designer.errors import ParameterError


@dataclass(frozen=True, slots=True)
class BoxColours:
    """Colors of a device's box, as #rrggbb; `stripe` is the bar at its left that tells its tier."""

    fill: str
    border: str
    stripe: str


@dataclass(frozen=True, slots=True)
class Theme:
    """A color table, every color as #rrggbb. There is one accent: selection, hover and what is being drawn."""

    name: str
    background: str
    grid: str
    text: str
    muted: str
    link: str
    server_link: str
    accent: str
    on_accent: str
    error: str
    warning: str
    info: str
    cold: str
    hot: str
    on_finding: str
    group_fill: str
    group_border: str
    rack_fill: str
    rack_border: str
    plate: str
    plate_border: str
    boxes: tuple[BoxColours, ...]
    """By number of KINDS."""

    @property
    def is_dark(self) -> bool:
        """Whether it is the dark theme."""
        return self.name == "dark"


BRIGHT = 140.0
"""Of red, green and blue weighed as eyes do: dark letters from here on."""

KINDS = ("server", "leaf", "spine", "core", "switch")
"""What a box can stand for; "switch" is one without a role of its own."""

SERVER, LEAF, SPINE, CORE, SWITCH = range(len(KINDS))

CURVE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Of the curves of a plot: M. Okabe, K. Ito, "Color Universal Design" (2008), color-blind safe, on white and black."""

KIND_OF_ROLE = {"leaf": LEAF, "spine": SPINE, "core": CORE}

LIGHT = Theme(
    name="light",
    background="#ffffff",
    grid="#e9ecf0",
    text="#1c2430",
    muted="#606b79",
    link="#85909d",
    server_link="#b4bcc6",
    accent="#2563c9",
    on_accent="#ffffff",
    error="#c0362c",
    warning="#a86400",
    info="#4a6a8a",
    cold="#2b83ba",
    hot="#d9681d",
    on_finding="#ffffff",
    group_fill="#f6f8fa",
    group_border="#dde2e8",
    rack_fill="#f1f3f5",
    rack_border="#c3cad3",
    plate="#ffffff",
    plate_border="#d5dae1",
    boxes=(
        BoxColours("#fbf9f4", "#cfc6b2", "#a89468"),
        BoxColours("#eef5f6", "#a9c4c9", "#4d8792"),
        BoxColours("#f0f1fa", "#b5b9da", "#6169ae"),
        BoxColours("#f7f0f8", "#ccb4d0", "#8d5a98"),
        BoxColours("#f3f5f7", "#bcc5cf", "#76838f"),
    ),
)

DARK = Theme(
    name="dark",
    background="#181b20",
    grid="#23272e",
    text="#dde2e8",
    muted="#8d97a4",
    link="#66717e",
    server_link="#464f5a",
    accent="#6ea3f5",
    on_accent="#10151c",
    error="#f0776c",
    warning="#e3ad4f",
    info="#8fb0d0",
    cold="#5aa9dd",
    hot="#e8873f",
    on_finding="#10151c",
    group_fill="#1d2127",
    group_border="#2d333c",
    rack_fill="#21262d",
    rack_border="#48515d",
    plate="#22272e",
    plate_border="#3a424d",
    boxes=(
        BoxColours("#2a2823", "#585140", "#a8976d"),
        BoxColours("#20292c", "#40595f", "#62a2ae"),
        BoxColours("#262836", "#4b5079", "#8188d2"),
        BoxColours("#2c2531", "#62486b", "#b07fbc"),
        BoxColours("#262b31", "#4b5561", "#8794a1"),
    ),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def themed(theme: Theme | str) -> Theme:
    """The theme itself, or the one of that name. Raises ParameterError."""
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise ParameterError(f"there is no theme {theme!r}: choose {' or '.join(THEMES)}")
    return THEMES[theme]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb", 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, share: float) -> str:
    """A color between two: all of the first at share 1, all of the other at 0."""
    pairs = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02x}" for one, two in pairs)


def letters_on(colour: str, theme: Theme) -> str:
    """The lighter or the darker of the colors of texts, whichever is read on that one."""
    red, green, blue = rgb(colour)
    pair = sorted((theme.text, theme.background), key=lambda one: sum(rgb(one)))
    return pair[0] if 0.299 * red + 0.587 * green + 0.114 * blue >= BRIGHT else pair[1]

"""Colors that things are given: names of those that are offered, and how one is typed and called."""

NAMED_COLOURS: tuple[tuple[str, str], ...] = (
    ("blue", "#2e6e99"),
    ("orange", "#e8730c"),
    ("teal", "#09a383"),
    ("purple", "#8a2be2"),
    ("brown", "#8a4b1f"),
    ("violet", "#9f7ae0"),
    ("red", "#c8321e"),
    ("indigo", "#4a3ea8"),
    ("yellow", "#c9a20c"),
    ("green", "#3f8f2f"),
    ("pink", "#d0589a"),
    ("gray", "#7d8690"),
)
"""Legible on light and on dark paper."""
_NAMES = {colour: name for name, colour in NAMED_COLOURS}


def colour_title(colour: str) -> str:
    """What a legend calls a color: its name among those that are offered, else #rrggbb."""
    return _NAMES.get(colour, colour).capitalize()


def colour_of(text: str) -> str:
    """The color that is typed, by one of the names or as #rrggbb, in any case; in small letters what is neither."""
    typed = text.strip().lower()
    return dict(NAMED_COLOURS).get("gray" if typed == "grey" else typed, typed)

"""Colors that jackets of cables come in, by the words that people write."""

from designer.model.job_colours import is_colour

_WORDS = {
    "aqua": "#2bb3c0",
    "beige": "#c2ad85",
    "black": "#2b2b2b",
    "blue": "#1f6fd1",
    "brown": "#8a5a2b",
    "cyan": "#20b2c8",
    "gold": "#c99a1e",
    "green": "#2c9a4b",
    "gray": "#8b8f94",
    "grey": "#8b8f94",
    "lime": "#86b817",
    "magenta": "#c2359b",
    "orange": "#ee7f1a",
    "pink": "#e58fb4",
    "purple": "#7d3fb2",
    "red": "#d0312d",
    "rose": "#d9577c",
    "silver": "#a9afb6",
    "teal": "#128a86",
    "turquoise": "#23b5ad",
    "violet": "#8f5fd0",
    "white": "#d9dce0",
    "yellow": "#d8b511",
}


def jacket_colour(words: str) -> str:
    """#rrggbb of a jacket's color in words, by the last word that is known; "" where none is."""
    text = words.strip().lower()
    if is_colour(text):
        return text
    return next((_WORDS[word] for word in reversed(text.replace("-", " ").split()) if word in _WORDS), "")

"""Words of annotations: broken into lines that fit a width, and how high a box is with all of them."""

from collections.abc import Sequence

from designer.drawing.parts.ruler import EstimatedRuler, Ruler, line_height, whole
from designer.model.annotation import CALLOUT, COMMENT, NOTE, TEXT, Annotation
from designer.model.shown_text import visible

MOST_LINES = 200
LINE_SHARE = 1.12
"""From line to line, in terms of the height of a line."""
PADDING, PADDING_SHARE = 7.0, 7.0 / 13.0
"""Between the frame of a box and its words: as much, and with large letters as much of their height."""
NAMES_SHARE, ROW_SHARE = 0.3, 0.62
"""Of a title block: the width of the names of its fields, and what letters have of a row's height."""
MOST_GROWN = 3.0
"""A title block is at most so many times as high as it was drawn, or has a line for each value."""
FOOT_SIZE, FOOT_HEIGHT, FOOT_LINE = 0.8, 1.5, 1.3
"""Of what stands at the foot of a comment: its letters in terms of those above, its height in terms of its letters, and
from line to line."""
GROWING = frozenset((TEXT, NOTE, CALLOUT, COMMENT))
"""Kinds that grow downwards until all their words have room."""
_RULER = EstimatedRuler()
"""Sizes must not depend on the fonts of who looks; this one measures rather too wide than too narrow."""


def padding_of(note: Annotation) -> float:
    """From the frame of an annotation to its words, canvas units."""
    return max(PADDING, PADDING_SHARE * note.size)


def height_for_words(note: Annotation) -> float:
    """How high an annotation is with all of its words in its width, canvas units; 0 of kinds that do not grow."""
    if note.kind not in GROWING or not note.text:
        return 0.0
    padding = 0.0 if note.kind == TEXT else padding_of(note)
    size, width = whole(note.size), abs(note.dx)
    across = max(1.0, width - 2 * min(padding, width / 3))
    lines = wrapped(note.text, across * size / note.size, size, _RULER, bold=note.bold)
    height = min(MOST_LINES, len(lines)) * LINE_SHARE * line_height(_RULER, size, note.bold) * note.size / size
    foot = foot_height(foot_lines(note)) * FOOT_SIZE * note.size if note.kind == COMMENT else 0.0
    return height + foot + 2 * padding


def foot_height(lines: int) -> float:
    """How high so many lines at the foot of a comment are, in terms of their letters."""
    return FOOT_HEIGHT + FOOT_LINE * (lines - 1)


def foot_lines(note: Annotation) -> int:
    """How many lines a comment has room for at its foot: as many as those words need, whatever it is drawn in."""
    size, width, padding = FOOT_SIZE * note.size, abs(note.dx), padding_of(note)
    across = max(1.0, width - 2 * min(padding, width / 3))
    return len(foot_of(note, across * whole(size) / size, whole(size), _RULER))


def foot_of(note: Annotation, width: float, size: int, ruler: Ruler) -> list[str]:
    """Whether a comment is done, who wrote it and when, in lines that fit a width where no part of it is wider."""
    lines: list[str] = []
    for part in ("Resolved" if note.resolved else "Open", note.author, note.date):
        shown = visible(part).replace("\n", " ")
        longer = f"{lines[-1]} · {shown}" if lines else shown
        if lines and shown and ruler.width(longer, size) <= width:
            lines[-1] = longer
        elif shown:
            lines.append(shown)
    return lines


def height_for_rows(rows: Sequence[tuple[str, str]], note: Annotation) -> float:
    """How high a title block is with its values in lines that fit its width, in its size of letters, canvas units."""
    size, height = note.size, abs(note.dy)
    if size <= 0.0 or height <= 0.0:
        return 0.0
    letters, across = whole(size), (1 - NAMES_SHARE) * abs(note.dx) - size
    lines = (wrapped(value, max(1.0, across * letters / size), letters, _RULER, bold=note.bold) for _, value in rows)
    least = len(rows) * size / ROW_SHARE
    return min(sum(map(len, lines)) * size / ROW_SHARE, max(least, MOST_GROWN * height))


def wrapped(text: str, width: float, size: int, ruler: Ruler, *, bold: bool = False) -> list[str]:
    """The lines of a text in that width: broken between words, and a word that is too long where it must be."""
    lines: list[str] = []
    for paragraph in visible(text).replace("\t", "    ").split("\n"):
        current = ""
        for word in paragraph.split(" "):
            longer = f"{current} {word}" if current else word
            if not current or ruler.width(longer, size, bold) <= width:
                current = longer
            else:
                lines.append(current)
                current = word
            while len(current) > 1 and ruler.width(current, size, bold) > width:
                kept = _fitting(current, width, size, ruler, bold=bold)
                lines.append(current[:kept])
                current = current[kept:]
            if len(lines) > MOST_LINES:
                return lines
        lines.append(current)
    return lines


def _fitting(word: str, width: float, size: int, ruler: Ruler, *, bold: bool) -> int:
    """How many letters of a word fit; at least one."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        if ruler.width(word[:middle], size, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return low

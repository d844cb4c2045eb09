"""How the words of a box that stands for many devices are set: sizes, lines, and what has no room."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from designer.drawing.folding.stacks import Stack
from designer.drawing.parts.ruler import line_height, whole
from designer.drawing.parts.sheet import Sheet

NAME_SHARE, NAME_PX = 0.24, (9.0, 17.0)
"""Of the box's height, and the least and most on a screen."""
SMALL_SHARE = 0.82
"""Size of what stands below the name."""
INSET = 7.0
STRIPE = 4.0
STRIP_PX = 120.0
"""With so much room beside the name of a low box, the rest stands there."""
SIGN = 9.0
LOW_NAME_PX, LEADING = 12.0, 1.15
"""Size of a name that makes room for what stands below it, and the distance of these lines."""
LEAST_SIGN_WIDTH_PX = 70.0


def room_for_words(width: float, sheet: Sheet) -> float:
    """The room for words across a box."""
    return width - (2 * INSET + STRIPE) * sheet.zoom


def sign_room(width: float, sheet: Sheet) -> float:
    """What the sign of a box that is wide enough for one takes of the name's room."""
    return (SIGN + 4) * sheet.zoom if sheet.has_signs and width >= LEAST_SIGN_WIDTH_PX * sheet.zoom else 0.0


def name_size(height: float, sheet: Sheet) -> int:
    """The size of a name that has room across."""
    return whole(min(NAME_PX[1] * sheet.zoom, max(NAME_PX[0] * sheet.zoom, NAME_SHARE * height)))


@dataclass(frozen=True, slots=True)
class Words:
    """What stands in a box: the sizes of its name and of all else, which is beside the name or in lines below it."""

    size: int
    small: int
    lines: tuple[str, ...]
    beside: str = ""

    def says(self, devices: str) -> bool:
        """Whether all of these devices are named."""
        lines = (", ".join(self.lines[:count]) for count in range(1, len(self.lines) + 1))
        return self.beside.startswith(devices) or devices in lines


def words_of(
    stack: Stack, name: str, ports: Callable[[], str], sheet: Sheet, box: tuple[float, float], size: int
) -> Words:
    """The words of a box of that width and height with a name of that size; `ports` says what is used, if needed."""
    width, height = box
    unit, small = sheet.zoom, whole(max(NAME_PX[0] * sheet.zoom, SMALL_SHARE * size))
    setting = Setting(sheet, room_for_words(width, sheet), height)
    beside = width - begin_beside(name, size, sheet) - (2 * INSET + SIGN) * unit
    is_low = setting.n_below(*setting.least(size)) < 2
    if setting.n_below(size, small) < 2 and beside > STRIP_PX * unit - (2 * INSET + SIGN) * unit:
        counts = _counts(stack, ports(), lambda text: sheet.ruler.width(text, small) <= beside)
        text = " · ".join(counts)
        if is_low or sheet.ruler.width(text, small) <= beside:
            return Words(size, small, (), _as_fits(counts, beside, small, sheet))
    counts = _counts(stack, "" if is_low else ports(), partial(setting.fits, setting.least(size)[1]))
    size, small, lines = setting.lines(counts, size, small)
    return Words(size, small, tuple(lines))


def begin_beside(name: str, size: int, sheet: Sheet) -> float:
    """Where in a box what stands beside a name begins."""
    return (INSET + STRIPE + 2 * INSET) * sheet.zoom + sheet.ruler.width(name, size, True)


def _as_fits(counts: list[str], room: float, small: int, sheet: Sheet) -> str:
    """As many of the counts as fit beside each other: the first of them is cut where not even that does."""
    said = (" · ".join(counts[:count]) for count in range(len(counts), 0, -1))

    def fits(text: str) -> bool:
        return sheet.ruler.width(text, small) <= room

    found = next(filter(fits, said), "")
    return found or (sheet.ruler.cut(_whole_parts(counts[0], fits), room, small) if counts else "")


@dataclass(frozen=True, slots=True)
class Setting:
    """How words are set in a box of that height, with so much room across."""

    sheet: Sheet
    room: float
    height: float

    def least(self, size: int) -> tuple[int, int]:
        """The least sizes of a name and of what stands below it."""
        unit = self.sheet.zoom
        return min(size, whole(LOW_NAME_PX * unit)), whole(NAME_PX[0] * unit)

    def n_below(self, size: int, small: int) -> int:
        """How many lines there is room for below the name."""
        ruler, least = self.sheet.ruler, self.least(size)
        margin = min(INSET * self.sheet.zoom, self.height / (16 if (size, small) == least else 8))
        rest = self.height - 2 * margin - line_height(ruler, size, True)
        return max(0, int(rest / (line_height(ruler, small) * LEADING)))

    def lines(self, counts: list[str], size: int, small: int) -> tuple[int, int, list[str]]:
        """The sizes, and the lines below the name: all is set smaller before anything is left out."""
        least = self.least(size)
        sizes = [*((size, one) for one in range(small, least[1] - 1, -1)), least]
        for said in (counts, counts[:1]):
            for name, below in sizes:
                lines = _broken(said, self.n_below(name, below), partial(self.fits, below))
                if ", ".join(lines) == ", ".join(said) and all(self.fits(below, one) for one in lines):
                    return name, below, lines
        return *least, _broken(counts, self.n_below(*least), partial(self.fits, least[1]))

    def fits(self, small: int, text: str) -> bool:
        """Whether a text of that size fits across."""
        return self.sheet.ruler.width(text, small) <= self.room


def _counts(stack: Stack, ports: str, fits: Callable[[str], bool]) -> list[str]:
    lines = [one for one in (stack.devices, ports) if one]
    if stack.load_text:
        said = dict.fromkeys(f"inside up to {text}" for text in (stack.load_in_full, stack.load_text))
        lines.append(next(filter(fits, (*said, f"up to {stack.load_text}")), stack.load_text))
    if stack.models and not stack.devices:  # of others the line below their row says it
        lines.append(stack.models)
    return lines


def _broken(lines: list[str], most: int, fits: Callable[[str], bool]) -> list[str]:
    """At most so many lines; those too long in their parts, where there is room for these."""
    apart = [part for line in lines for part in ([line] if fits(line) else line.split(", "))]
    return apart if len(apart) <= most else [_whole_parts(line, fits) for line in lines[:most]]


def _whole_parts(line: str, fits: Callable[[str], bool]) -> str:
    """As many of the parts between commas as fit: a number without its word would say nothing."""
    parts = line.split(", ")
    ends = (", ".join(parts[:count]) + ", …" for count in range(len(parts) - 1, 0, -1))
    return line if fits(line) else next(filter(fits, ends), line)

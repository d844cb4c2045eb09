"""The cells of a workbook: texts kept once, styles kept once, and rows as XML."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from xml.sax.saxutils import escape

from designer.tables.cells import reads_as_formula

MOST_TEXT = 32_767
"""Characters of a cell."""

_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CODES = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
"""What a workbook would read as the code of a character, as "_x0041_"."""

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
HEADING_FILL = "DDE3EA"
JUMP_COLOUR = "0B5394"
FIRST_FORMAT = 164
"""The first number that formats of a file's own may have."""
LEAST_INEXACT = 1e15
"""From where on a workbook does not hold every whole number."""
FONT, LETTERS = "Arial", 10
"""Known to every program, or replaced by one of the same widths; the size in points."""
LINE_HEIGHT = 13
"""Of text in points."""
PLAIN = ""
"""The style of cells that have none: the attribute that a cell does without."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A figure that the workbook calculates again; `value` is its result, for readers that calculate nothing."""

    text: str
    """As in "K2*L2", without the sign that it begins with."""
    value: float


@dataclass(frozen=True, slots=True)
class Marked:
    """A cell that differs from its column: bold, written in a format of its own, or leading to another sheet."""

    value: str | float | Formula | None
    is_bold: bool = False
    format: str = ""
    sheet: str = ""
    """The title of the sheet that a click shows, as the sheet was given it."""
    size: int = 0
    """Of the letters, in points; 0 for that of the others."""


Value = str | float | int | bool | None | Formula | Marked


@dataclass(frozen=True, slots=True)
class Style:
    """What a cell looks like."""

    format: str = ""
    wraps: bool = False
    is_at_top: bool = False
    is_bold: bool = False
    is_heading: bool = False
    is_right: bool = False
    is_jump: bool = False
    size: int = 0
    stays_text: bool = False
    """Whether a program takes it for no formula either when somebody edits the cell."""


def quoted(title: str) -> str:
    """A sheet's title as references have it: 'Rack A01'."""
    doubled = title.replace("'", "''")
    return f"'{doubled}'"


@cache
def letters(number: int) -> str:
    """ "A" of column 1, "AB" of column 28."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def cut(text: str, most: int) -> str:
    """The text with at most so many characters as workbooks count them: those of UTF-16."""
    return text[:most] if text.isascii() else text.encode("utf-16-le")[: 2 * most].decode("utf-16-le", "ignore")


def xml_text(text: str) -> str:
    """The text as XML holds it, without characters that XML does not know."""
    return escape(_UNWRITABLE.sub("", text))


class Cells:
    """Writes rows, and collects the texts and styles they use. `sheets`: the titles by what was asked for."""

    def __init__(self, sheets: Mapping[str, str]) -> None:
        self._sheets = sheets
        self._texts: dict[str, int] = {}
        self._styles: dict[Style, int] = {Style(): 0}
        self._looks = {PLAIN: Style()}

    def style(self, style: Style) -> str:
        """The attribute of a cell that looks so."""
        number = self._styles.setdefault(style, len(self._styles))
        attribute = f' s="{number}"' if number else PLAIN
        self._looks[attribute] = style
        return attribute

    def headings(self, row: int, titles: Sequence[str], are_right: Sequence[bool], n_lines: int = 1) -> str:
        """A row of headings, those of figures flush with them; `n_lines` that they wrap into, or have of themselves."""
        n_lines = max(n_lines, *(title.count("\n") + 1 for title in titles))
        styles = [self.style(Style(wraps=n_lines > 1, is_heading=True, is_right=right)) for right in are_right]
        return self.line(row, titles, styles, [], n_lines)

    def line(self, row: int, values: Sequence[Value], styles: Sequence[str], jumps: list[str], n_lines: int = 1) -> str:
        """A row of cells, each in the style of its column; links of cells that lead to a sheet join the `jumps`."""
        cells = [
            self._marked(f"{letters(number)}{row}", value, style, jumps)
            if isinstance(value, Marked)
            else self._cell(f"{letters(number)}{row}", value, style)
            for number, (value, style) in enumerate(zip(values, styles, strict=False), start=1)
            if value is not None and value != ""
        ]
        height = f' ht="{LINE_HEIGHT * n_lines}" customHeight="1"' if n_lines > 1 else ""
        return f'<row r="{row}"{height}>{"".join(cells)}</row>'

    def _cell(self, place: str, value: str | float | Formula, style: str) -> str:
        if isinstance(value, Formula):
            return f'<c r="{place}"{style}><f>{xml_text(value.text)}</f><v>{_number(value.value)}</v></c>'
        if not isinstance(value, str):
            if isinstance(value, bool):
                return f'<c r="{place}"{style} t="b"><v>{value:d}</v></c>'
            if isinstance(value, int) or math.isfinite(value):
                return f'<c r="{place}"{style}><v>{_number(value)}</v></c>'
        text = str(value)
        if reads_as_formula(text):
            style = self.style(replace(self._looks[style], stays_text=True))
        number = self._texts.setdefault(text, len(self._texts))
        return f'<c r="{place}"{style} t="s"><v>{number}</v></c>'

    def _marked(self, place: str, cell: Marked, style: str, jumps: list[str]) -> str:
        if cell.value is None or cell.value == "":
            return ""
        column = self._looks[style]
        look = replace(
            column,
            format=cell.format or column.format,
            is_right=column.is_right or bool(cell.format),
            is_bold=cell.is_bold,
            size=cell.size,
        )
        if cell.sheet:
            jumps.append(f'<hyperlink ref="{place}" location="{attribute(quoted(self._sheets[cell.sheet]))}!A1"/>')
            look = replace(look, is_jump=True)
        return self._cell(place, cell.value, self.style(look))

    def shared_strings(self) -> str:
        """The part with all texts: what stands here is never a formula, whatever it begins with."""
        entries = []
        for text in self._texts:
            held = escape(cut(_CODES.sub("_x005F_", _UNWRITABLE.sub("", text)), MOST_TEXT))
            keeps = ' xml:space="preserve"' if held != held.strip() or "\n" in held else ""
            entries.append(f"<si><t{keeps}>{held}</t></si>")
        n = len(entries)
        return f'{HEAD}<sst xmlns="{MAIN}" uniqueCount="{n}">{"".join(entries)}</sst>'

    def styles(self) -> str:
        """The part with all styles: fonts, fills, number formats."""
        fonts = list(dict.fromkeys(map(_font, self._styles)))
        formats = list(dict.fromkeys(style.format for style in self._styles if style.format))
        looks = [_look(style, fonts, formats) for style in self._styles]
        numbers = "".join(
            f'<numFmt numFmtId="{FIRST_FORMAT + number}" formatCode="{escape(one, {chr(34): "&quot;"})}"/>'
            for number, one in enumerate(formats)
        )
        return (
            f'{HEAD}<styleSheet xmlns="{MAIN}">'
            + (f'<numFmts count="{len(formats)}">{numbers}</numFmts>' if formats else "")
            + f'<fonts count="{len(fonts)}">{"".join(fonts)}</fonts>'
            + f'<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"'
            f'/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF{HEADING_FILL}"/><bgColor indexed="64"/>'
            f"</patternFill></fill></fills>"
            + '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
            + '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
            + f'<cellXfs count="{len(looks)}">{"".join(looks)}</cellXfs>'
            + '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
        )


def _number(value: float) -> str:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < LEAST_INEXACT
    return f"{int(value) if whole else value!r}"


def attribute(text: str) -> str:
    """The text between the quotes of an attribute."""
    return escape(_UNWRITABLE.sub("", text), {'"': "&quot;", "\n": "&#10;"})


def _font(style: Style) -> str:
    bold = "<b/>" if style.is_bold or style.is_heading else ""
    jump = f'<u/><sz val="{style.size or LETTERS}"/><color rgb="FF{JUMP_COLOUR}"/>'
    plain = f'<sz val="{style.size or LETTERS}"/><color rgb="FF000000"/>'
    return f'<font>{bold}{jump if style.is_jump else plain}<name val="{FONT}"/><family val="2"/></font>'


def _look(style: Style, fonts: list[str], formats: list[str]) -> str:
    number = FIRST_FORMAT + formats.index(style.format) if style.format else 0
    fill = 2 if style.is_heading else 0
    font = fonts.index(_font(style))
    alignment = (
        (' horizontal="right" indent="1"' if style.is_right else "")
        + (' vertical="top"' if style.is_at_top else "")
        + (' wrapText="1"' if style.wraps else "")
    )
    quotes = ' quotePrefix="1"' if style.stays_text else ""
    return (
        f'<xf{quotes} numFmtId="{number}" fontId="{font}" fillId="{fill}" borderId="0" xfId="0" applyNumberFormat="1" '
        f'applyFont="1" applyFill="1" applyAlignment="1"><alignment{alignment}/></xf>'
    )

"""The fixed parts of a workbook: what frames its sheets, says what the file is, and lays out its paper."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from designer.exchange.workbook_cells import FONT, HEAD, LETTERS, LINE_HEIGHT, MAIN, attribute, cut, quoted, xml_text
from designer.version import VERSION

MOST_TITLE = 31
"""Characters of a sheet's title."""
MOST_FOOT, MOST_HEAD = 80, 120
"""Characters of each text at the foot of a page; the format allows 255 for all three together."""
PAPERS: Mapping[str, int] = {"letter": 1, "a3": 8, "a4": 9}
"""The numbers of paper sizes that workbooks know."""
WIDTHS_PT: Mapping[str, float] = {"letter": 792.0, "a3": 1190.6, "a4": 841.9}
"""How wide they are as they lie: landscape."""
SIDE_MARGIN_IN = 0.4
UNTITLED = "Sheet"
HEAD_LETTERS = 14
"""Points, of the sheet's title over each page: programs that shrink it with the sheet leave it readable."""

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_RESERVED = "history"


@dataclass(frozen=True, slots=True)
class BookFacts:
    """What the file's properties and the foot of each page say; "" for nothing. `date` as "2026-11-22"."""

    title: str = ""
    subject: str = ""
    author: str = ""
    company: str = ""
    keywords: str = ""
    comments: str = ""
    date: str = ""
    paper: str = "a4"
    """A key of PAPERS."""
    issue: str = ""
    """What the head of each page says of the issue that it is of."""
    page: str = "Page {page} of {pages}"
    """How the foot of each page counts pages."""
    status: str = ""
    """What the head of each page warns of."""


def sheet_titles(titles: Iterable[str]) -> list[str]:
    """Titles that a workbook accepts, in the same order: short, without its special characters, each only once."""
    found: dict[str, str] = {}
    for title in titles:
        clean = cut(_NOT_IN_TITLES.sub("-", title).strip().strip("'"), MOST_TITLE).rstrip(" '") or UNTITLED
        name, number = clean, 1
        while name.casefold() in found or name.casefold() == _RESERVED:
            number += 1
            tail = f" ({number})"
            name = cut(clean, MOST_TITLE - len(tail)).rstrip() + tail
        found[name.casefold()] = name
    return list(found.values())


def frame(titles: Sequence[str], filters: Sequence[str], facts: BookFacts) -> dict[str, str]:
    """The parts around the sheets by their place in the file. `filters`: the cells each sheet's filter spans, or ""."""
    return {
        "xl/workbook.xml": _workbook(titles, filters),
        "xl/_rels/workbook.xml.rels": _relations(len(titles)),
        "docProps/core.xml": _core(facts),
        "docProps/app.xml": _app(facts),
        "_rels/.rels": _relationships(
            (f"{_OFFICE}/relationships/officeDocument", "xl/workbook.xml"),
            (f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            (f"{_OFFICE}/relationships/extended-properties", "docProps/app.xml"),
        ),
        "[Content_Types].xml": _content_types(len(titles)),
    }


def sheet_head(*, is_frozen: bool, is_first: bool) -> str:
    """What stands before the columns of a sheet: fitted to the width of the paper, the first row in sight or not."""
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' if is_frozen else ""
    pane += '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/>' if is_frozen else ""
    selected = ' tabSelected="1"' if is_first else ""
    return (
        f'{HEAD}<worksheet xmlns="{MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
        f'<sheetViews><sheetView{selected} workbookViewId="0">{pane}</sheetView></sheetViews>'
        f'<sheetFormatPr defaultRowHeight="{LINE_HEIGHT}" outlineLevelCol="1"/>'
    )


def column_widths(widths: Sequence[float], collapsed: Collection[int] = ()) -> str:
    """Each column as wide as that, in characters; those numbered in `collapsed` are folded away."""
    columns = []
    for number, width in enumerate(widths):
        fold = ' hidden="1" outlineLevel="1"' if number in collapsed else ""
        fold += ' collapsed="1"' if number - 1 in collapsed and number not in collapsed else ""
        columns.append(f'<col min="{number + 1}" max="{number + 1}" width="{width:g}" customWidth="1"{fold}/>')
    return f"<cols>{''.join(columns)}</cols>" if widths else ""


def sheet_tail(title: str, filtered: str, jumps: Sequence[str], facts: BookFacts) -> str:
    """What stands after the rows of a sheet: its filter, its links, its paper, the head and the foot of each page."""
    page = _foot(facts.page).replace("{page}", "&P").replace("{pages}", "&N")
    size = f'&"{FONT},Regular"&{LETTERS} '  # the blank ends the number
    head = f'&L&"{FONT},Bold"&{HEAD_LETTERS} {_foot(title)}'
    if facts.status:
        head += f'&C&"{FONT},Bold"&{HEAD_LETTERS} {_foot(facts.status)}'
    if facts.issue:
        # Below the status, which else would run into it on A4: an empty line as high as the status stands before it.
        line = f'&"{FONT},Regular"&{HEAD_LETTERS} \n' if facts.status else ""
        head += f"&R{line}{size}{_foot(facts.issue, MOST_HEAD - len(facts.status))}"
    foot = f"&L{size}{_foot(facts.title)}&R{size}{page}"
    return (
        (f'<autoFilter ref="{filtered}"/>' if filtered else "")
        + (f"<hyperlinks>{''.join(jumps)}</hyperlinks>" if jumps else "")
        + f'<pageMargins left="{SIDE_MARGIN_IN}" right="{SIDE_MARGIN_IN}" top="0.7" bottom="0.6" header="0.3" '
        + 'footer="0.3"/>'
        + f'<pageSetup paperSize="{PAPERS[facts.paper]}" orientation="landscape" fitToWidth="1" fitToHeight="0"/>'
        + f'<headerFooter scaleWithDoc="0"><oddHeader>{xml_text(head)}</oddHeader>'
        + f"<oddFooter>{xml_text(foot)}</oddFooter></headerFooter></worksheet>"
    )


def _foot(text: str, most: int = MOST_FOOT) -> str:
    """A text at the foot, where an ampersand begins a code; digits after a code would be a size."""
    return text[:most].replace("&", "&&").replace("\n", " ")


def _workbook(titles: Sequence[str], filters: Sequence[str]) -> str:
    sheets = (
        f'<sheet name="{attribute(title)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, title in enumerate(titles, start=1)
    )
    names = []
    for number, (title, filtered) in enumerate(zip(titles, filters, strict=True)):
        if filtered:
            place = xml_text(quoted(title))
            names.append(
                f'<definedName name="_xlnm._FilterDatabase" localSheetId="{number}" hidden="1">{place}!{filtered}'
                f'</definedName><definedName name="_xlnm.Print_Titles" localSheetId="{number}">{place}!$1:$1'
                "</definedName>"
            )
    return (
        f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{_OFFICE}/relationships"><bookViews><workbookView/></bookViews>'
        f"<sheets>{''.join(sheets)}</sheets>"
        + (f"<definedNames>{''.join(names)}</definedNames>" if names else "")
        + "</workbook>"
    )


def _relations(n_sheets: int) -> str:
    sheets = ((f"{_OFFICE}/relationships/worksheet", f"worksheets/sheet{n}.xml") for n in range(1, n_sheets + 1))
    return _relationships(
        *sheets,
        (f"{_OFFICE}/relationships/styles", "styles.xml"),
        (f"{_OFFICE}/relationships/sharedStrings", "sharedStrings.xml"),
    )


def _relationships(*entries: tuple[str, str]) -> str:
    listed = (
        f'<Relationship Id="rId{number}" Type="{type_}" Target="{target}"/>'
        for number, (type_, target) in enumerate(entries, start=1)
    )
    return f'{HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(listed)}</Relationships>'


def _content_types(n_sheets: int) -> str:
    package = "application/vnd.openxmlformats-package"
    parts = {
        "/xl/workbook.xml": f"{_TYPE}.sheet.main+xml",
        **{f"/xl/worksheets/sheet{n}.xml": f"{_TYPE}.worksheet+xml" for n in range(1, n_sheets + 1)},
        "/xl/styles.xml": f"{_TYPE}.styles+xml",
        "/xl/sharedStrings.xml": f"{_TYPE}.sharedStrings+xml",
        "/docProps/core.xml": f"{package}.core-properties+xml",
        "/docProps/app.xml": "application/vnd.openxmlformats-officedocument.extended-properties+xml",
    }
    overrides = (f'<Override PartName="{name}" ContentType="{type_}"/>' for name, type_ in parts.items())
    return (
        f'{HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{package}.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{"".join(overrides)}</Types>'
    )


def _core(facts: BookFacts) -> str:
    dublin = "http://purl.org/dc"
    entries = [
        f"<{tag}>{xml_text(text)}</{tag}>"
        for tag, text in (
            ("dc:title", facts.title),
            ("dc:subject", facts.subject),
            ("dc:creator", facts.author),
            ("cp:keywords", facts.keywords),
            ("dc:description", facts.comments),
        )
        if text
    ]
    if facts.date:
        entries.append(f'<dcterms:created xsi:type="dcterms:W3CDTF">{xml_text(facts.date)}T00:00:00Z</dcterms:created>')
    return (
        f'{HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="{dublin}/elements/1.1/" '
        f'xmlns:dcterms="{dublin}/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"{''.join(entries)}</cp:coreProperties>"
    )


def _app(facts: BookFacts) -> str:
    company = f"<Company>{xml_text(facts.company)}</Company>" if facts.company else ""
    major_minor = ".".join(re.findall(r"[0-9]+", VERSION)[:2])
    return (
        f'{HEAD}<Properties xmlns="{_OFFICE}/extended-properties"><Application>Fabric Designer</Application>{company}'
        f"<AppVersion>{major_minor}</AppVersion></Properties>"
    )

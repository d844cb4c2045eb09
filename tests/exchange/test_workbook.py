"""Workbooks, read by a reader that is not ours."""

import io
import re
import zipfile
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.errors import ExportError
from designer.exchange import workbook
from designer.exchange.workbook import Block, Sheet, SheetColumn, block_of, columns_of, room_on_paper, write_book
from designer.exchange.workbook_cells import Marked, letters
from designer.exchange.workbook_parts import MOST_TITLE, BookFacts, sheet_titles
from designer.tables.columns import Column
from designer.tables.table import ResultTable

FACTS = BookFacts("Pod 1 & 2", "Plan", "A. Person", "Acme", "cables", "as drawn", "2026-11-22")


def written(*sheets, facts=FACTS):
    data = io.BytesIO()
    write_book(data, sheets, facts)
    return data.getvalue()


def read(*sheets, facts=FACTS):
    return openpyxl.load_workbook(io.BytesIO(written(*sheets, facts=facts)))


def table(title, rows, *headings, **more):
    return Sheet(title, (Block(columns_of(*headings), rows, **more),))


CABLES = table("Cables", [("C0001", 3.5, 2), ("C0002", None, True)], "Cable", "Length (m)", "Lanes")


def test_cells_hold_what_they_were_given():
    rows = list(read(CABLES).active.iter_rows(values_only=True))
    assert rows == [("Cable", "Length (m)", "Lanes"), ("C0001", 3.5, 2), ("C0002", None, True)]


def test_the_headings_of_a_table_stay_in_sight_are_filtered_and_stand_on_every_page():
    sheet = read(CABLES).active
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:C3"
    assert sheet.print_title_rows == "$1:$1"
    assert all(cell.font.bold and cell.fill.fgColor.rgb == "FFDDE3EA" for cell in sheet[1])
    assert not sheet["A2"].font.bold


def test_paper_is_landscape_as_wide_as_the_sheet_with_the_page_at_its_foot():
    sheet = read(CABLES, facts=BookFacts("Pod 1 & 2", paper="letter")).active
    setup = sheet.page_setup
    assert (setup.orientation, setup.paperSize, setup.fitToWidth, setup.fitToHeight) == ("landscape", 1, 1, 0)
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    foot = sheet.oddFooter
    assert (foot.left.text.strip(), foot.right.text.strip()) == ("Pod 1 && 2", "Page &P of &N")
    assert (sheet.oddHeader.left.text.strip(), sheet.oddHeader.left.size) == ("Cables", 14)
    assert not sheet.HeaderFooter.scaleWithDoc


def test_the_file_says_what_it_is():
    said = read(CABLES).properties
    assert (said.title, said.subject, said.creator) == ("Pod 1 & 2", "Plan", "A. Person")
    assert (said.keywords, said.description, f"{said.created:%Y-%m-%d}") == ("cables", "as drawn", "2026-11-22")
    assert b"<Company>Acme</Company>" in zipfile.ZipFile(io.BytesIO(written(CABLES))).read("docProps/app.xml")


def test_a_file_without_a_date_has_none():
    core = zipfile.ZipFile(io.BytesIO(written(CABLES, facts=BookFacts()))).read("docProps/core.xml").decode()
    assert "created" not in core and "title>" not in core


def test_the_same_tables_give_the_same_bytes_without_a_date_of_the_clock():
    assert written(CABLES) == written(CABLES)
    for info in zipfile.ZipFile(io.BytesIO(written(CABLES))).infolist():
        assert (info.date_time, info.create_system) == ((1980, 1, 1, 0, 0, 0), 3)


def test_a_page_of_several_tables_has_no_filter_and_a_title_above_each():
    blocks = (
        Block(columns_of("", ""), [("Design", "Pod 1"), ("Cables", 12)]),
        Block(columns_of("Medium", "Cables"), [("DAC", 8)], "Cables by medium"),
    )
    sheet = read(Sheet("Summary", blocks)).active
    rows = list(sheet.iter_rows(values_only=True))
    assert rows == [
        ("Design", "Pod 1"),
        ("Cables", 12),
        (None, None),
        ("Cables by medium", None),
        ("Medium", "Cables"),
        ("DAC", 8),
    ]
    assert (sheet.freeze_panes, sheet.auto_filter.ref, sheet.print_title_rows) == (None, None, None)
    assert sheet["A4"].font.bold and sheet["A4"].font.sz == 12


def test_a_marked_cell_is_bold_keeps_its_column_format_and_leads_to_a_sheet():
    price = SheetColumn("Price (USD)", "#,##0.00")
    lines = Sheet(
        "Bill", (Block((price, SheetColumn("See")), [(Marked(5.0, is_bold=True), Marked("A:1", sheet="A:1"))]),)
    )
    sheet = read(lines, table("A:1", [("x",)], "Port")).worksheets[0]
    assert sheet["A2"].font.bold and sheet["A2"].number_format == "#,##0.00"
    assert sheet["B2"].hyperlink.location == "'A-1'!A1" and sheet["B2"].font.u == "single"


def test_a_result_table_becomes_a_block_with_headings_in_words_and_units():
    columns = (Column("name", "Name", value=lambda row: row[0]), Column("m", "Length", lambda row: row[1], unit="m"))
    sheet = read(Sheet("Cables", (block_of(ResultTable(columns, [("C0001", 3.0)])),))).active
    assert list(sheet.iter_rows(values_only=True)) == [("Name", "Length (m)"), ("C0001", 3)]


@pytest.mark.parametrize(
    ("value", "format_", "wide"),
    [
        ("x" * 20, "", 21),
        ("x" * 90, "", 48),
        (1234567.5, "#,##0.00", 15),
        (0.125, "0.0%", 8),
        (None, "", 4),
        (3, "", 4),
    ],
)
def test_a_column_is_as_wide_as_its_entries_as_they_are_written(value, format_, wide):
    sheet = read(Sheet("S", (Block((SheetColumn("H", format_), SheetColumn("I")), [(value, 1)]),))).active
    assert sheet.column_dimensions["A"].width == wide


def test_a_row_is_as_high_as_the_lines_of_a_column_that_wraps_and_no_heading_is_cut():
    columns = SheetColumn("Reason for it", widest=10, wraps=True), SheetColumn("Links")
    sheet = read(Sheet("S", (Block(columns, [("one two three four five", 3), ("one", 1), (None, 2)]),))).active
    assert [sheet.row_dimensions[row].height for row in (2, 3, 4)] == [39, None, None]
    assert sheet["A2"].alignment.wrap_text and sheet["B2"].alignment.vertical == "top"
    assert sheet.column_dimensions["A"].width == 10
    assert sheet.row_dimensions[1].height == 26 and sheet["A1"].alignment.wrap_text


def test_columns_that_paper_has_no_room_for_are_folded_away_in_their_order():
    columns = [SheetColumn(letter, fold=fold) for letter, fold in zip("ABCDEF", (0, 3, 1, 0, 2, 4), strict=True)]
    rows = [("x" * 40,) * 6]

    def hidden(paper):
        sheet = read(Sheet("S", (Block(columns, rows),)), facts=BookFacts(paper=paper)).active
        return [letter for letter in "ABCDEF" if sheet.column_dimensions[letter].hidden]

    assert (hidden("a4"), hidden("a3")) == (["C", "E"], [])
    assert sum([41.0] * 4) < room_on_paper("a4") < sum([41.0] * 5)
    kept = [SheetColumn(letter) for letter in "ABCDEF"]
    sheet = read(Sheet("S", (Block(kept, rows),))).active
    assert not any(one.hidden for one in sheet.column_dimensions.values())


@pytest.mark.parametrize("paper", ["a4", "a3", "letter"])
def test_what_has_room_on_paper_is_printed_in_readable_letters(paper):
    """Fitted to the width of the paper, letters of 10 points keep seven: a digit is 0.556 of them wide."""
    printed_pt = {"a4": 841.9, "a3": 1190.6, "letter": 792.0}[paper] - 2 * 0.4 * 72
    assert 10 * printed_pt / (room_on_paper(paper) * 5.56) >= 7


def test_figures_keep_away_from_the_text_of_the_next_column():
    sheet = read(Sheet("S", (Block((SheetColumn("Links", "0"), SheetColumn("Why")), [(3, "a")]),))).active
    assert (sheet["A2"].alignment.horizontal, sheet["A2"].alignment.indent) == ("right", 1)
    assert sheet["B2"].alignment.horizontal is None


def test_capitals_take_more_room_than_digits():
    wide = [
        read(table("S", [(text,)], "H")).active.column_dimensions["A"].width for text in ("MWMWMWMWMW", "1234567890")
    ]
    assert wide[0] > wide[1] == 12


def test_a_number_is_never_too_wide_for_its_column_and_a_text_may_be():
    column = SheetColumn("H", "#,##0.00", widest=5)
    wide = [read(Sheet("S", (Block((column,), [(value,)]),))).active for value in ("x" * 20, 1234567.0)]
    assert [sheet.column_dimensions["A"].width for sheet in wide] == [6, 15]
    bold = read(Sheet("S", (Block((column,), [(Marked(1234567.0, is_bold=True),)]),))).active
    assert bold.column_dimensions["A"].width == 17


def test_headings_of_several_lines_make_a_high_row_and_those_of_figures_end_with_them():
    sheet = read(Sheet("S", (Block((SheetColumn("Price\n(USD)", "0"), SheetColumn("Name")), [(1, "a")]),))).active
    assert sheet.row_dimensions[1].height == 26 and sheet.column_dimensions["A"].width == 10
    assert (sheet["A1"].alignment.horizontal, sheet["A1"].alignment.wrap_text) == ("right", True)
    assert sheet["B1"].alignment.horizontal is None


def test_titles_of_sheets_are_short_clean_and_unlike_each_other():
    titles = ["A/1", "a-1", "history", "", "''", "x" * 40, "x" * 41, "Rack [1]:*?\\", "\U0001f5a7" * 20]
    assert sheet_titles(titles) == [
        "A-1",
        "a-1 (2)",
        "history (2)",
        "Sheet",
        "Sheet (2)",
        "x" * 31,
        "x" * 27 + " (2)",
        "Rack -1-----",
        "\U0001f5a7" * 15,
    ]


@given(st.lists(st.text(max_size=45), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_any_texts_make_titles_that_a_reader_accepts(texts):
    titles = sheet_titles(texts)
    assert len({title.casefold() for title in titles}) == len(texts)
    assert all(
        0 < len(title.encode("utf-16-le")) // 2 <= MOST_TITLE and not re.search(r"[\[\]:*?/\\]", title)
        for title in titles
    )
    assert read(*(table(text, [("x",)], "H") for text in texts)).sheetnames == titles


@given(st.lists(st.one_of(st.text(max_size=20), st.floats(), st.integers(-(10**14), 10**14)), min_size=1, max_size=8))
@settings(max_examples=100, deadline=None)
def test_any_value_is_read_back_and_none_is_a_formula(values):
    sheet = read(table("S", [tuple(values)], *(f"h{n}" for n in range(len(values))))).active
    for number, value in enumerate(values, start=1):
        cell = sheet.cell(2, number)
        assert cell.data_type != "f"
        if isinstance(value, str):
            clean = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "", value)
            assert (cell.value or "") == clean.replace("\r\n", "\n").replace("\r", "\n")
        else:
            assert cell.value == str(value) or cell.value == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["+4 (+11.1 %)", "=1+1", "-", "@home", "\uff1d1"])
def test_text_that_begins_like_a_formula_stays_text_without_an_apostrophe(text):
    cells = [Marked(text, is_bold=True), text, "C0001"]
    bold, plain, name = read(table("S", [cells], "A", "B", "C")).active[2]
    assert (plain.value, plain.data_type, plain.quotePrefix) == (text, "s", 1)
    assert (bold.value, bold.font.b, bold.quotePrefix, name.quotePrefix) == (text, True, 1, 0)


def test_columns_of_results_have_figures_with_formats():
    names = ("kind", "count", "share", "cost", "some")
    columns = tuple(Column(name, name, lambda row, n=number: row[n]) for number, name in enumerate(names))
    rows = [("a", 1234, 0.5, Decimal("1.5"), None), ("b", 2, 1, None, 7)]
    sheet = read(Sheet("S", (block_of(ResultTable(columns, rows)),))).active
    assert list(sheet.iter_rows(min_row=2, values_only=True)) == [("a", 1234, 0.5, 1.5, None), ("b", 2, 1, None, 7)]
    assert [cell.number_format for cell in sheet[2]] == ["General", "#,##0_)", "General_)", "#,##0.00_)", "General"]
    assert sheet["E3"].number_format == "#,##0_)"
    empty = read(Sheet("S", (block_of(ResultTable(columns, [])),))).active
    assert [cell.value for cell in empty[1]] == ["Kind", "Count", "Share", "Cost", "Some"]


def test_text_that_looks_like_the_code_of_a_character_stays_as_it_is():
    data = zipfile.ZipFile(io.BytesIO(written(table("S", [("_x0041_",)], "H")))).read("xl/sharedStrings.xml")
    assert b"_x005F_x0041_" in data


def test_texts_too_long_for_a_cell_or_a_foot_are_cut_and_numbers_keep_their_size():
    facts = BookFacts("t" * 300, issue="i & " * 100)
    sheet = read(table("S", [("x" * 40_000, 1e22, 3.0)], "H", "I", "J"), facts=facts).active
    assert [cell.value for cell in sheet[2]] == ["x" * 32_767, 1e22, 3]
    assert sheet.oddFooter.left.text == "t" * 80
    assert sheet.oddHeader.right.text.strip() == ("i && " * 30).strip()


def test_more_rows_than_a_sheet_holds_are_refused(monkeypatch):
    monkeypatch.setattr(workbook, "MOST_ROWS", 3)
    assert read(table("Cables", [(1,), (2,)], "H")).active.max_row == 3
    with pytest.raises(ExportError, match="a sheet holds 3 rows, 'Cables' has 4: export CSV instead"):
        written(table("Cables", [(1,), (2,), (3,)], "H"))


@pytest.mark.parametrize(("number", "text"), [(1, "A"), (26, "Z"), (27, "AA"), (52, "AZ"), (702, "ZZ"), (703, "AAA")])
def test_columns_are_lettered_as_spreadsheets_do(number, text):
    assert letters(number) == text

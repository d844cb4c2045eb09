"""A preview is read back from the very file that would be written."""

import zipfile
from pathlib import Path

import openpyxl
import pytest

from designer.canvas.formats import formats
from designer.errors import Cancelled, ExportError
from designer.exchange.exporter import Exporter
from designer.exchange.exporters import EXPORTERS
from designer.exchange.options import ExportOptions
from designer.exchange.previews import MOST_ROWS, preview, preview_of
from designer.exchange.revisions import RevisionOptions, record
from designer.model.design import Design
from designer.storage import document

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def fabric():
    design = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    design.apply(record(design, RevisionOptions(revision="A")))  # what a change order compares with
    return design


REFUSED = {"dxf": "no racks", "astra-sim": "no single switch"}
"""Formats that this fabric is not for, with a word of the reason."""


@pytest.mark.parametrize("exporter", list(formats()), ids=lambda one: one.name)
def test_every_format_can_be_looked_at(exporter, fabric, qapp):
    if exporter.name in REFUSED:
        with pytest.raises(ExportError, match=REFUSED[exporter.name]):
            preview(exporter, fabric, exporter.options())
        return
    found = preview(exporter, fabric, exporter.options())
    assert found.pages or found.tables or found.image or found.text


def test_a_plan_is_shown_as_its_rows(fabric):
    plan, n_links = EXPORTERS.named("cable-plan"), len(fabric.links)
    (table,) = preview(plan, fabric, plan.options()).tables
    assert MOST_ROWS / 2 < n_links == table.n_rows == len(table.rows) < MOST_ROWS
    assert {len(row) for row in table.rows} == {len(table.headings)}
    (twice,) = preview(plan, fabric, plan.options(both_ways=True)).tables
    assert twice.n_rows == 2 * n_links and len(twice.rows) == MOST_ROWS
    assert twice.summary == f"{2 * n_links} rows; the first 200 are shown"


def test_a_workbook_is_shown_sheet_by_sheet(fabric):
    book = EXPORTERS.named("cable-plan-xlsx")
    sheets = preview(book, fabric, book.options(both_ways=True)).tables
    assert "Open points" in [one.title for one in sheets]
    longest = max(sheets, key=lambda one: len(one.rows))
    assert len(longest.rows) == MOST_ROWS and {len(row) for row in longest.rows} == {len(longest.headings)}
    assert longest.summary.endswith("first 200 rows are shown") or "the first 200 are shown" in longest.summary


def test_amounts_of_a_workbook_are_shown_to_the_cent(fabric, tmp_path):
    (tmp_path / "prices.csv").write_text("part number,price,currency,date\nDGX H100,123456.78,USD,2026-11-01\n")
    bill = EXPORTERS.named("bill-of-materials")
    sheets = preview(bill, fabric, bill.options(prices=str(tmp_path / "prices.csv"))).tables
    assert ("Total, at least", "1975308.48", "USD") in {row[:3] for row in sheets[0].rows}


def written(path, data):
    path.write_bytes(data)
    return preview_of(path)


def test_other_files_are_shown_by_what_they_hold(tmp_path):
    assert written(tmp_path / "a.json", b'{"a": [1]}').text == '{\n  "a": [\n    1\n  ]\n}'
    assert written(tmp_path / "a.dot", "graph «ü»".encode()).text == "graph «ü»"
    assert written(tmp_path / "a.bin", b"\0\1").text == ""
    assert written(tmp_path / "a.txt", b"x" * 200_000).text.endswith("x\n…")
    assert written(tmp_path / "a.tsv", b"a\tb\n1\t2\n").tables[0].rows == (("1", "2"),)
    assert written(tmp_path / "a.csv", b"").tables[0].summary == "0 rows"
    assert written(tmp_path / "a.csv", b"a\n1\n").tables[0].summary == "1 row"
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("index.html", "x" * 2048)
    (table,) = preview_of(tmp_path / "a.zip").tables
    assert table.rows == (("index.html", "2 KiB"),)


def test_a_sheet_of_facts_has_letters_over_its_columns(tmp_path):
    book = openpyxl.Workbook()
    for row in (("Design", "pod"), (), ("Count", "All", "Compute"), ("Links", 2040.0, 7)):
        book.active.append(row)
    rows = book.create_sheet("Rows")
    for number in range(MOST_ROWS + 2):
        rows.append((number + 1, f"n{number}"))
    book.create_sheet("Nothing")
    book.save(tmp_path / "a.xlsx")
    facts, table, nothing = preview_of(tmp_path / "a.xlsx").tables
    assert facts.headings == ("A", "B", "C") and facts.rows[0][:2] == ("Design", "pod")
    assert facts.rows[3] == ("Links", "2040", "7") and facts.summary == "4 rows"
    assert table.headings == ("1", "n0") and len(table.rows) == MOST_ROWS
    assert table.n_rows == MOST_ROWS + 1 and table.summary == "201 rows; the first 200 are shown"
    assert (nothing.headings, nothing.rows, nothing.summary) == ((), (), "0 rows")


def test_what_cannot_be_written_cannot_be_looked_at(qapp):
    with pytest.raises(ExportError, match="nothing to draw"):
        preview(EXPORTERS.named("svg"), Design(), EXPORTERS.named("svg").options())


def test_the_suffix_chooses_between_kinds_of_file():
    def render(_design, path, _options, _progress):
        path.write_text("a,b\n1,2\n" if path.suffix == ".csv" else '{"a": 1}')

    both = Exporter("both", "Both", ".csv", ExportOptions, render, other_suffixes=(".json",))
    assert preview(both, Design(), ExportOptions()).tables
    assert preview(both, Design(), ExportOptions(), ".json").text.startswith("{")


def test_what_is_cancelled_before_it_is_in_its_place_is_not_written(tmp_path):
    """Even where the format itself says nothing of its progress."""

    def stop(share):
        raise Cancelled("the computation was cancelled")

    quiet = Exporter("quiet", "Quiet", ".txt", ExportOptions, lambda _d, path, _o, _p: path.write_text("made"))
    with pytest.raises(Cancelled):
        quiet.write(Design(), tmp_path / "made.txt", None, stop)
    assert list(tmp_path.iterdir()) == []
    quiet.write(Design(), tmp_path / "made.txt")
    assert (tmp_path / "made.txt").read_text() == "made"

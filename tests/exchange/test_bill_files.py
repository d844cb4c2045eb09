"""Bills of materials as files: the three formats say the same, and say what is not known."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from designer.analysis.billing.items import length_gap
from designer.analysis.billing.lines import BillLine
from designer.analysis.summary import summarize
from designer.analysis.summary_text import summary_facts
from designer.catalog.catalog import load
from designer.errors import ExportError, FileFormatError, ParameterError
from designer.exchange.bills.costs import bill_for, cost_facts, costing_for
from designer.exchange.bills.files import SUFFIXES
from designer.exchange.bills.options import BillOptions
from designer.exchange.exporters import EXPORTERS
from designer.exchange.issue import issue_stated
from designer.exchange.revisions import RevisionOptions, record
from designer.exchange.workbook import room_on_paper
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.hardware.media import MediumType
from designer.placement.cable_lengths import lengths_cover
from designer.storage import document

EXPORTER = next(one for one in EXPORTERS if one.name == "bill-of-materials")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PRICES = (
    "part number,price,currency,date,discount\nDGX H100,300000,USD,2026-11-01,10%\nMFP7E10-N005,80.25,EUR,2026-10-01,\n"
)


@pytest.fixture(scope="module")
def pod():
    return document.load(EXAMPLES / "superpod-h100-4su.fabric")


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text(PRICES)
    return str(path)


def written(design, path, **options):
    EXPORTER.write(design, path, options)
    return path


def rows_of(sheet):
    return list(sheet.iter_rows(values_only=True))


def test_spares_that_no_line_would_have_are_refused_by_every_file_of_a_bill(pod, tmp_path):
    for suffix in (".csv", ".json", ".xlsx"):
        with pytest.raises(ParameterError, match="spares line-card:2% are for no part of this bill: it has server"):
            written(pod, tmp_path / f"bill{suffix}", spares="line-card:2%")


def test_csv_has_a_line_for_every_part_with_spares_and_prices(pod, tmp_path, prices):
    path = written(pod, tmp_path / "bill.csv", prices=prices, spares="cable:2%:1,transceiver:2%:2,fibre:2%")
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    assert [one["kind"] for one in rows[:3]] == ["Server", "Switch", "NIC"]
    server = rows[0]
    assert (server["to order"], server["unit price"], server["discount (share)"]) == ("127", "300000", "0.1")
    assert (server["line price"], server["currency"], server["price date"]) == ("34290000.00", "USD", "2026-11-01")
    optics = [one for one in rows if one["kind"] == "Transceiver"]
    assert [(one["at switches"], one["at servers"], one["spares"]) for one in optics] == [
        ("0", "508", "11"),
        ("1536", "0", "31"),
    ]
    assert optics[0]["line price"] == "" and optics[0]["note"] == "no price"
    assert sum(int(one["quantity"]) for one in rows if one["kind"] == "Fiber cable") == 2040


def test_json_has_null_for_what_is_not_known_and_names_the_lines(pod, tmp_path, prices):
    found = json.loads(written(pod, tmp_path / "bill.json", prices=prices).read_text(encoding="utf-8"))
    lines = {one["line"]: one for one in found["lines"]}
    assert lines[1]["kind"] == "server" and lines[1]["line_price"] == 34290000.0 and lines[1]["part_number"] is None
    assert set(found["lines"][0]) == {column.key for column in BillLine.COLUMNS}
    missing = found["cost"]["lines_without_price"]
    assert all(lines[number]["line_price"] is None and lines[number]["currency"] is None for number in missing)
    assert set(found["cost"]["known"]) == {"EUR", "USD"}
    assert found["networks"]["compute"]["switch_transceivers"] == 1536
    assert found["price_dates"] == ["2026-10-01", "2026-11-01"] and found["price_list"] == "prices.csv"
    assert found["power"]["unknown_typical"] == ["dgx-h100"]


def test_json_without_prices_says_so_and_adds_nothing(pod, tmp_path):
    found = json.loads(written(pod, tmp_path / "bill.json").read_text(encoding="utf-8"))
    assert found["cost"]["known"] == {} and found["cost"]["text"] == "not known: no price list"
    assert found["price_list"] is None and found["price_dates"] is None


def test_the_workbook_has_a_summary_the_lines_the_power_and_what_is_not_known(pod, tmp_path, prices):
    book = openpyxl.load_workbook(
        written(pod, tmp_path / "bill.xlsx", prices=prices, spares="switch:0%:1"), data_only=True
    )
    assert book.sheetnames == ["Summary", "Bill of materials", "Cost", "Power", "Not known"]
    summary = {row[0]: row[1:] for row in rows_of(book["Summary"]) if row[0]}
    assert summary["Spares"][0] == "switch:0%:1: 1 piece on 1 line"
    assert summary["Price list"][0] == "prices.csv, prices of 2026-10-01 to 2026-11-01"
    assert summary["Fiber cables"][:2] == (2040, 2040) and summary["Transceivers in switches"][0] == 1536
    assert [row[1:3] for row in rows_of(book["Summary"]) if row[0] == "Total, at least"] == [
        (42291.75, "EUR"),
        (34290000, "USD"),
    ]
    assert summary["Without"][0] == "6 lines whose price is unknown"
    (link,) = [cell.hyperlink.location for row in book["Summary"] for cell in row if cell.hyperlink]
    assert link == "'Not known'!A1"
    assert summary["Order lengths"][0] == "the next stock length"
    assert rows_of(book["Summary"])[0][:2] == ("Design", pod.name), "a bill that can be ordered has no warning above"
    costs = [row[:6] for row in rows_of(book["Cost"])]
    assert costs[2] == ("The whole design", "USD", "at least 34,290,000.00", *["not known"] * 3)
    assert summary["Typical"][0] == "not known for 127 of 175 devices (DGX H100); the other 48 draw 35.9 kW"
    assert summary["Maximum"][0] == f"at least {(127 * 10_200 + 48 * 1720) / 1000:,.1f} kW", "optics draw more"
    stated = costing_for(pod, BillOptions(prices=prices))
    assert stated.draw_text == f"{summary['Maximum'][0]}, maximum, without optics"
    assert f"maximum power ({summary['Maximum'][0]}, without optics)" in stated.basis
    assert f"maximum {summary['Maximum'][0]}\n" in dict(summary_facts(summarize(pod), pod))["power"]
    sheet = book["Bill of materials"]
    assert sheet.freeze_panes == "A2" and sheet.auto_filter.ref.startswith("A1:")
    headings = [str(cell.value).replace("\n", " ") for cell in sheet[1]]
    assert headings[:5] == ["Line", "Kind", "Part number", "Description", "Model"]
    price = headings.index("Line price")
    assert sheet.cell(2, price + 1).value == 34290000 and sheet.cell(2, price + 1).number_format == "#,##0.00_)"
    power = rows_of(book["Power"])
    assert power[1] == (1, "NVIDIA DGX H100", 127, None, None, 10200, 1295400)
    unknown = rows_of(book["Not known"])
    assert ("Price", 2, "NVIDIA QM9700", "not in prices.csv", 49) in unknown
    assert ("Part number", 1, "NVIDIA DGX H100", "no part number is known", 127) in unknown


def test_a_workbook_whose_lines_all_have_a_price_says_total(pod, tmp_path):
    listed = tmp_path / "all.csv"
    names = [next(iter(one.item.names)) for one in bill_for(pod, BillOptions()).lines if one.to_order]
    listed.write_text("part number,price,currency,date\n" + "".join(f"{one},1,USD,2026-11-01\n" for one in names))
    book = openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx", prices=str(listed)), data_only=True)
    totals = [row[:3] for row in rows_of(book["Summary"]) if row[0] in ("Total", "Total, at least", "Without")]
    assert totals == [("Total", sum(one.to_order for one in bill_for(pod, BillOptions()).lines), "USD")]
    assert [row[1] for row in rows_of(book["Power"])[1:]] == ["NVIDIA DGX H100", "NVIDIA QM9700"]


def test_lines_of_a_workbook_without_prices_do_not_each_say_so(pod, tmp_path):
    rows = rows_of(openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx"))["Bill of materials"])
    notes = [row[rows[0].index("Note")] for row in rows[1:]]
    assert "no part number is known" in notes and not any("no price" in (one or "") for one in notes)


def test_prices_of_lines_and_their_totals_are_formulas_over_all_lines(pod, tmp_path, prices):
    path = written(pod, tmp_path / "bill.xlsx", prices=prices)
    book, values = openpyxl.load_workbook(path), openpyxl.load_workbook(path, data_only=True)
    sheet, shown = book["Bill of materials"], values["Bill of materials"]
    place = {str(cell.value).replace("\n", " "): cell.column_letter for cell in sheet[1]}
    price, lines = place["Line price"], bill_for(pod, BillOptions(prices=prices)).lines
    product = f"{place['To order']}2*{place['Unit price']}2*(1-{place['Dis- count']}2)"
    assert sheet[f"{price}2"].value == f"=ROUND({product},2)" and shown[f"{price}2"].value == 127 * 300_000 * 0.9
    unpriced = [n for n, line in enumerate(lines, start=2) if line.price is None]
    assert unpriced and all(sheet[f"{price}{n}"].value is None for n in unpriced), "unknown stays unknown"
    last = len(lines) + 1
    amounts, named = (f"'Bill of materials'!${one}$2:${one}${last}" for one in (price, place["Cur- rency"]))
    below = list(range(last + 2, sheet.max_row + 1))
    assert sheet.auto_filter.ref.endswith(str(last)) and len(below) == 2, "a total for each currency, under no filter"
    for row, currency in zip(below, ("EUR", "USD"), strict=True):
        assert sheet[f"{place['Description']}{row}"].value == "Total, at least"
        assert sheet[f"{price}{row}"].value == f'=SUMIFS({amounts},{named},"{currency}")'
        added = sum(line.line_price or 0 for line in lines if line.price and line.price.currency == currency)
        assert shown[f"{price}{row}"].value == pytest.approx(float(added))
    kinds = {row[0].strip(): row[1] for row in rows_of(book["Summary"]) if str(row[0]).startswith("   ")}
    kind = f"'Bill of materials'!${place['Kind']}$2:${place['Kind']}${last}"
    assert kinds["Server"] == f'=SUMIFS({amounts},{named},"USD",{kind},"Server")'
    assert kinds["Switch"] == "not known"
    power = book["Power"]
    assert [power.cell(2, number).value for number in (5, 7)] == [None, "=C2*F2"]


def test_the_workbook_without_prices_leaves_their_columns_out(pod, tmp_path):
    book = openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx"))
    assert "Line\nprice" not in {cell.value for cell in book["Bill of materials"][1]}
    assert ("Total", "not known: no price list") in {row[:2] for row in rows_of(book["Summary"])}
    assert {row[0] for row in rows_of(book["Not known"])[1:]} == {"Part number", "Stock length"}


def test_the_lines_of_a_workbook_have_room_on_paper_in_readable_letters(pod, tmp_path, prices):
    for options in ({}, {"prices": prices, "spares": "cable:2%:1,transceiver:2%:2"}):
        sheet = openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx", **options))["Bill of materials"]
        shown = [one for one in sheet.column_dimensions.values() if not one.hidden]
        assert sum(one.width for one in shown) <= room_on_paper("a4")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_design_gives_the_same_bytes(pod, suffix, tmp_path, prices):
    one = written(pod, tmp_path / f"one{suffix}", prices=prices).read_bytes()
    assert one == written(pod.snapshot(), tmp_path / f"two{suffix}", prices=prices).read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_design_is_a_bill_of_nothing(suffix, tmp_path):
    path = written(Design(), tmp_path / f"bill{suffix}")
    if suffix == ".csv":
        assert path.read_text().startswith("line,status,kind,part number") and len(path.read_text().splitlines()) == 1
    elif suffix == ".json":
        assert json.loads(path.read_text())["lines"] == []
    else:
        book = openpyxl.load_workbook(path)
        assert ("Total", "nothing to order") in {row[:2] for row in rows_of(book["Summary"])}


def test_suffixes_are_those_that_the_table_of_formats_names():
    assert (EXPORTER.suffix, *EXPORTER.other_suffixes) == SUFFIXES


def test_another_suffix_is_refused_with_those_there_are(pod, tmp_path):
    with pytest.raises(ExportError, match=r"bill.pdf does not say what to write: name it .xlsx, .csv, .json"):
        written(pod, tmp_path / "bill.pdf")
    assert not (tmp_path / "bill.pdf").exists()
    assert written(pod, tmp_path / "BILL.CSV").read_text().startswith("line,")


def test_a_price_list_that_is_not_there_or_cannot_be_read_is_named(pod, tmp_path):
    with pytest.raises(ExportError, match=r"the price list gone.csv cannot be read: No such file"):
        bill_for(pod, BillOptions(prices=str(tmp_path / "gone.csv")))
    (tmp_path / "bad.csv").write_text("part number,price\n")
    with pytest.raises(FileFormatError, match=r"bad.csv, line 1: there is no column 'currency'"):
        bill_for(pod, BillOptions(prices=str(tmp_path / "bad.csv")))


@pytest.mark.parametrize("name", ["a\0b.csv", "x" * 5000])
def test_a_price_list_of_a_name_that_no_file_has_is_refused(name):
    with pytest.raises(ExportError, match=r"the price list .* cannot be read: ") as refused:
        bill_for(Design(), BillOptions(prices=name))
    assert len(str(refused.value)) < 150


def test_texts_of_a_design_do_not_become_formulas_or_markup(tmp_path):
    design = Design()
    named = replace(design.settings, name="=1+1 <b>&", customer="=cmd")
    design.apply(Edit("names", (Change(design.settings, named),)))
    book = openpyxl.load_workbook(written(design, tmp_path / "bill.xlsx"))
    summary = {row[0]: row[1] for row in rows_of(book["Summary"]) if row[0]}
    assert (summary["Design"], summary["Customer"]) == ("=1+1 <b>&", "=cmd")
    assert json.loads(written(design, tmp_path / "bill.json").read_text())["design"] == "=1+1 <b>&"


def test_the_byte_order_mark_is_there_only_when_asked_for(pod, tmp_path):
    plain = written(pod, tmp_path / "a.csv").read_bytes()
    assert written(pod, tmp_path / "b.csv", **{"byte-order-mark": "yes"}).read_bytes() == b"\xef\xbb\xbf" + plain


def test_the_bill_says_that_lengths_are_assumed_where_they_are(pod, tmp_path):
    small = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    book = openpyxl.load_workbook(written(small, tmp_path / "small.xlsx"))
    said = ("Lengths", "all of 192 links have an assumed length: check before ordering")
    assert said in {row[:2] for row in rows_of(book["Summary"])}
    assert "Slack" not in {row[0] for row in rows_of(book["Summary"])}
    book = openpyxl.load_workbook(written(pod, tmp_path / "pod.xlsx"))
    assert "Lengths" not in {row[0] for row in rows_of(book["Summary"])}
    slack = next(row[1] for row in rows_of(book["Summary"]) if row[0] == "Slack")
    assert slack.startswith(f"routed lengths include {pod.settings.cable_slack_m:g} m for bends and loops")


def test_the_bill_says_which_design_and_issue_it_is_of(pod, tmp_path):
    stated = issue_stated(pod)
    book = openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx"))
    summary = {row[0]: row[1] for row in rows_of(book["Summary"]) if row[0]}
    assert (summary["Revision"], summary["Digest"], summary["Status"]) == ("not issued", stated.digest, stated.reason)
    said = replace(stated, reason="").line if bill_for(pod, BillOptions()).preliminary else stated.line
    assert {sheet.oddHeader.right.text for sheet in book.worksheets} == {said}
    issued = pod.snapshot()
    issued.apply(record(issued, RevisionOptions(revision="C", date="2026-11-01")))
    book = openpyxl.load_workbook(written(issued, tmp_path / "issued.xlsx"))
    summary = {row[0]: row[1] for row in rows_of(book["Summary"]) if row[0]}
    assert (summary["Revision"], summary["Status"]) == ("C of 2026-11-01", "Issued with open points")


def test_the_bill_says_what_lengths_cover_and_what_is_on_no_bill(pod, tmp_path):
    rows = rows_of(openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx"))["Summary"])
    assert {row[1] for row in rows} >= set(lengths_cover(pod))
    assert "Not counted" in {row[0] for row in rows}
    assert f"It includes {pod.settings.cable_slack_m:g} m of slack for each cable." in lengths_cover(pod)
    assert lengths_cover(Design()) == ()


def test_a_line_says_where_shorter_lengths_than_its_own_may_be_sold(pod, tmp_path):
    lines = {one.number: one for one in bill_for(pod, BillOptions()).lines}
    found = [one for one in lines.values() if one.item.length_gap]
    assert found
    for line in found:
        sold = load().types[line.item.type_id]
        assert "lengths_m" in sold.unverified or not sold.lengths_m
        assert line.item.order_m >= line.item.needed_m + 1
        assert line.item.length_gap in line.note
    rows = rows_of(openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx"))["Not known"])
    assert [row[1] for row in rows if row[0] == "Stock length"] == [one.number for one in found]
    medium = next(one for one in load().types.values() if isinstance(one, MediumType) and one.lengths_m)
    medium = replace(medium, lengths_m=(3.0, 10.0), parts=(), unverified=("lengths_m",))
    item = replace(lines[1].item, order_m=10.0, needed_m=3.5)
    gap = "order 10 m is the shortest known length for 3.5 m, shorter ones may be sold: ask"
    assert length_gap(medium, item) == gap
    assert length_gap(replace(medium, unverified=()), item) == ""
    assert length_gap(medium, replace(item, needed_m=9.5)) == ""


def test_the_sheet_of_the_cost_has_the_rows_of_the_costing(pod, tmp_path, prices):
    sheet = openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx", prices=prices))["Cost"]
    names = list(dict.fromkeys(row[0] for row in rows_of(sheet)[1:] if row[0]))
    rows = [row.name for row in costing_for(pod, BillOptions(prices=str(prices))).rows]
    assert "Per Gb/s of bisection" in rows and names[: len(rows)] == rows


def test_prices_that_no_line_has_are_named_as_the_list_writes_them(pod, tmp_path, prices):
    listed = tmp_path / "more.csv"
    listed.write_text(PRICES + "SN5600,52000,EUR,2026-11-01\nMMA4Z00  NS400,900,EUR,2026-11-01\n")
    book = openpyxl.load_workbook(written(pod, tmp_path / "bill.xlsx", prices=str(listed)))
    summary = {row[0]: row[1] for row in rows_of(book["Summary"]) if row[0]}
    assert summary["Price list"].endswith(", 2 prices not used: SN5600, MMA4Z00 NS400")
    stated = dict(cost_facts(costing_for(pod, BillOptions(prices=str(listed)))))
    assert stated["prices"] == summary["Price list"]


def test_of_many_prices_without_a_use_some_are_named(pod, tmp_path):
    listed = tmp_path / "many.csv"
    listed.write_text("part number,price,currency,date\n" + "".join(f"P{n},1,EUR,2026-11-01\n" for n in range(15)))
    text = bill_for(pod, BillOptions(prices=str(listed))).price_list_text
    assert "15 prices not used: P0, P1" in text and text.endswith("P11 and 3 more")

"""The workbook of a cable plan: its sheets, their names, their rows, and what paper shows of them."""

import csv
import io
from dataclasses import replace

import openpyxl
import pytest

from designer import api
from designer.analysis.cable_numbers import cable_name, number_cables
from designer.analysis.optical_parts import parts_known
from designer.catalog.catalog import load
from designer.errors import Cancelled, ExportError
from designer.exchange.cable_plan import COLUMNS, cable_rows
from designer.exchange.exporters import EXPORTERS
from designer.exchange.issue import issue_stated
from designer.exchange.plan_gaps import ADD_SLACK, without_reserve
from designer.exchange.plan_options import SHEETS, WorkbookOptions
from designer.exchange.plans import book as book_module
from designer.exchange.plans.book import COLLAPSED, FOLDS, OPEN_POINT_COLUMNS, PlanBook
from designer.exchange.plans.cell_words import cell_word
from designer.exchange.plans.change_rows import FULL_COLUMNS, PAPER_COLUMNS
from designer.exchange.plans.headings import ENGLISH, GERMAN, KEYS, PLAN_COLUMNS, TRANSLATIONS, heading, word
from designer.exchange.plans.port_sheets import RACK_COLUMNS, SWITCH_COLUMNS
from designer.exchange.revisions import RevisionOptions, record
from designer.exchange.workbook import room_on_paper
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.port_labels import port_label
from designer.model.records import ordered
from designer.placement.cable_lengths import lengths_cover
from designer.placement.preparation import prepare
from designer.topologies import rail_optimized

CATALOG = load()
EXPORTER = {one.name: one for one in EXPORTERS}


@pytest.fixture(scope="module")
def handed_over():
    """Four servers, leafs and spines, in racks, routed, cabled and numbered; with a network beside compute."""
    made = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=2)
    made.apply(rail_optimized.build(made, parameters, CATALOG))
    made.apply(prepare(made, CATALOG.types).edit)
    made.apply(number_cables(made))
    settings = replace(made.settings, project="Hall 3", customer="Acme", site="Berlin", author="A. Nguyen")
    made.apply(Edit("title block", (Change(made.settings, settings),)))
    return made


def book_of(design, folder, **options):
    EXPORTER["cable-plan-xlsx"].write(design, folder / "plan.xlsx", options)
    return openpyxl.load_workbook(folder / "plan.xlsx")


def values(sheet):
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def csv_of(design, folder, **options):
    EXPORTER["cable-plan"].write(design, folder / "plan.csv", options)
    return list(csv.reader(io.StringIO((folder / "plan.csv").read_text(encoding="utf-8"), newline="")))


def test_the_sheets_are_a_summary_all_cables_open_points_racks_and_switches(handed_over, tmp_path):
    book = book_of(handed_over, tmp_path)
    racks = sorted(rack.name for rack in handed_over.racks.values())
    switches = [switch.name for switch in handed_over.switches()]
    assert book.sheetnames[:3] == ["Summary", "Cables", "Open points"]
    assert book.sheetnames[3 : 3 + len(racks)] == racks
    assert set(book.sheetnames[3 + len(racks) :]) == set(switches)
    for sheet in book.worksheets[1:]:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref.startswith("A1:")
        assert sheet.print_title_rows == "$1:$1"
        assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth) == ("landscape", 1)
        assert sheet.oddFooter.right.text == "Page &P of &N"
        assert sheet.oddHeader.right.text == issue_stated(handed_over).line


def test_the_file_says_what_it_is(handed_over, tmp_path):
    said = book_of(handed_over, tmp_path).properties
    assert said.title == f"{handed_over.name}: Cable plan"
    assert (said.subject, said.creator, said.keywords) == ("Cable plan", "A. Nguyen", "Hall 3, Acme, Berlin")


def test_the_summary_says_which_design_it_is_and_adds_up(handed_over, tmp_path):
    rows = values(book_of(handed_over, tmp_path)["Summary"])
    stated = {row[0]: row[1] for row in rows}
    assert (stated["Design"], stated["Customer"], stated["Author"]) == (handed_over.name, "Acme", "A. Nguyen")
    plan = cable_rows(handed_over)
    assert (stated["Servers"], stated["Links"]) == (4, len(plan))
    (network,) = [row for row in rows if row[0] == "Compute"]
    lengths = {row.piece: row.length_m for row in plan}
    assert network[1:6] == [
        len(plan),
        len(lengths),
        pytest.approx(sum(lengths.values())),
        min(lengths.values()),
        max(lengths.values()),
    ]
    start = rows.index(next(row for row in rows if row[0] == "Medium"))
    end = next(number for number in range(start, len(rows)) if rows[number][0] is None)
    assert sum(row[4] for row in rows[start + 1 : end]) == len(lengths)


def test_every_title_on_the_summary_leads_to_its_sheet(handed_over, tmp_path):
    book = book_of(handed_over, tmp_path)
    jumps = {cell.value: cell.hyperlink.location for row in book["Summary"] for cell in row if cell.hyperlink}
    assert set(jumps) == set(book.sheetnames) - {"Summary"}
    assert all(location == f"'{title}'!A1" for title, location in jumps.items())


def test_very_many_sheets_have_an_index_of_their_own(handed_over, tmp_path, monkeypatch):
    monkeypatch.setattr(book_module, "MOST_ON_SUMMARY", 3)
    book = book_of(handed_over, tmp_path)
    assert book.sheetnames[:3] == ["Summary", "Index", "Cables"]
    jumps = {cell.value for row in book["Summary"] for cell in row if cell.hyperlink}
    assert jumps == {"Index", "Cables", "Open points"}
    listed = [cell.value for row in book["Index"] for cell in row if cell.hyperlink]
    assert listed == book.sheetnames[4:]
    wide = sum(one.width for one in book["Index"].column_dimensions.values())
    assert wide <= room_on_paper("a4")
    assert f"Racks: {len(handed_over.racks)}" in {row[0] for row in values(book["Summary"])}


def test_slack_is_what_the_stock_length_leaves_and_the_summary_says_what_was_added(handed_over, tmp_path):
    plan = cable_rows(handed_over, parts=parts_known(handed_over, CATALOG.types))
    added_m = handed_over.settings.cable_slack_m
    assert all(row.slack_m >= added_m for row in plan)
    stocked = [row for row in plan if row.stock_length_m is not None]
    assert stocked
    for row in stocked:
        assert row.slack_m == pytest.approx(row.stock_length_m - (row.length_m - added_m))
    stated = {row[0]: row[1] for row in values(book_of(handed_over, tmp_path)["Summary"])}
    assert stated["Added to each route (m)"] == added_m
    assert stated["Least of a cable (m)"] == min(row.slack_m for row in plan)
    typed = handed_over.snapshot()
    typed.apply(operations.set_cable(typed, list(typed.links), None, 5.0))
    assert {row.slack_m for row in cable_rows(typed)} == {None}
    assert "Added to each route (m)" not in {row[0] for row in values(book_of(typed, tmp_path)["Summary"])}


def test_what_every_link_lacks_is_said_once(tmp_path):
    design = api.generate("dragonfly", p=1, a=2, h=1)
    book = book_of(design, tmp_path)
    notes = [cell.value for cell in book["Cables"][1]].index("Notes")
    assert {row[notes] for row in values(book["Cables"])[1:]} == {None}
    said = {(row[0], row[1]) for row in values(book["Summary"])}
    n_links = len(design.links)
    assert {("no length", n_links), ("no cable", n_links)} <= said


def test_names_of_any_kind_become_different_sheet_titles_that_lead_to_the_right_sheet(handed_over, tmp_path):
    design = handed_over.snapshot()
    long = "rack in the second room on the left, number "
    first, second, *_ = (rack.id for rack in design.racks.values())
    switch, other, *_ = design.switches()
    for one, name in ((first, f"{long}1"), (second, f"{long}2"), (switch.id, "Cables"), (other.id, "a/b:c*[d]?'")):
        design.apply(operations.rename(design, one, name))
    book = book_of(design, tmp_path)
    names = book.sheetnames
    assert len({name.casefold() for name in names}) == len(names)
    assert all(len(name) <= 31 and not set(name) & set("[]:*?/\\") for name in names)
    jumps = {cell.value: cell.hyperlink.location for row in book["Summary"] for cell in row if cell.hyperlink}
    assert set(jumps) == set(names) - {"Summary"}
    (title,) = [name for name in names if name.startswith("Cables (")]
    far = {row[SHEET_FAR] for row in values(book[title])[1:]}
    assert far <= {device.name for device in design.devices.values()} | {None}


SHEET_FAR = [column.key for column in SWITCH_COLUMNS].index("far_device")


def test_a_rack_s_sheet_has_every_cable_end_in_it(handed_over, tmp_path):
    book = book_of(handed_over, tmp_path)
    ends = []
    for rack in handed_over.racks.values():
        heads, *rows = values(book[rack.name])
        assert heads == [heading(column, ENGLISH) for column in RACK_COLUMNS]
        ends += [(row[1], row[2]) for row in rows]
        order = [row[1] for row in rows]
        assert order == sorted(order), "devices in the order of their names"
        ports = [row[2] for row in rows if row[1] == "gpu-01"]
        assert ports[:3] == ["OSFP4P2", "OSFP3P2", "OSFP3P1"][: len(ports)], "rail after rail"
    links = handed_over.links.values()
    all_ends = [end for link in links for end in (link.a, link.b)]
    wanted = [(handed_over.device(end.device_id).name, port_label(handed_over, end)) for end in all_ends]
    assert sorted(ends) == sorted(wanted)


def test_racks_stand_as_people_count_and_links_from_either_end_stand_once_on_their_sheets(handed_over, tmp_path):
    design = handed_over.snapshot()
    for number, rack in zip((10, 9, 100), list(design.racks.values()), strict=False):
        design.apply(operations.rename(design, rack.id, f"a{number}"))
    once = book_of(design, tmp_path)
    assert once.sheetnames[3:6] == ["a9", "a10", "a100"]
    rows = {name: once[name].max_row for name in once.sheetnames if name not in ("Cables", "Summary")}
    twice = book_of(design, tmp_path, **{"both-ways": "yes"})
    assert {name: twice[name].max_row for name in rows} == rows
    assert values(twice["Summary"]) == values(once["Summary"])
    assert twice["Cables"].max_row - 1 == 2 * (once["Cables"].max_row - 1)


def test_changes_are_those_of_all_networks_whichever_are_listed(handed_over, tmp_path):
    design = handed_over.snapshot()
    design.apply(record(design, RevisionOptions(revision="B")))
    design.apply(operations.rename(design, design.servers()[0].id, "head"))
    for options in ({"networks": "storage"}, {"both-ways": "yes"}):
        assert book_of(design, tmp_path, **options)["Changes"].max_row == 2


def test_a_switch_s_sheet_is_its_port_map_with_free_and_reserved_ports(handed_over, tmp_path):
    design = handed_over.snapshot()
    leaf = design.find("leaf-su1-r1")
    free = [port.name for port in design.free_ports(leaf.id)]
    kept = replace(leaf, reserved_ports=(free[0], free[1]), reserved_for=((free[1], "storage server"),))
    design.apply(Edit("reserve", (Change(leaf, kept),)))
    heads, *rows = values(book_of(design, tmp_path)["leaf-su1-r1"])
    assert heads == [heading(column, ENGLISH) for column in SWITCH_COLUMNS]
    assert [row[0] for row in rows] == list(design.port_map(leaf.id))
    status = {row[0]: row[3] for row in rows}
    assert (status[free[0]], status[free[1]], status[free[2]]) == ("reserved", "reserved: storage server", "free")
    used = {row[0]: row for row in rows if row[3] == "used"}
    assert used.keys() == design.used_ports(leaf.id).keys()
    link = design.links_of(leaf.id)[0]
    near, far = (link.a, link.b) if link.a.device_id == leaf.id else (link.b, link.a)
    row = dict(zip(heads, used[near.port], strict=True))
    assert (row["Far device"], row["Far port"]) == (design.device(far.device_id).name, port_label(design, far))
    assert row["Cable"] == f"C{link.cable:04d}"
    assert row["Label"].startswith(row["Label"].split(":")[0] + f":{near.port}")


def test_a_link_at_a_port_that_a_switch_does_not_have_is_on_its_sheet(handed_over, tmp_path):
    design = handed_over.snapshot()
    link = next(link for link in design.links.values() if design.is_switch(link.b.device_id))
    design.apply(Edit("break", (Change(link, replace(link, b=replace(link.b, port="99/9"))),)))
    book = book_of(design, tmp_path)
    assert values(book[design.device(link.b.device_id).name])[-1][0] == "99/9"
    rack = design.racks[design.placements[link.b.device_id].rack_id]
    assert "99/9" in [row[2] for row in values(book[rack.name])]


def test_columns_that_paper_has_no_room_for_are_folded_away(handed_over, tmp_path):
    sheet = book_of(handed_over, tmp_path)["Cables"]
    heads = [cell.value for cell in sheet[1]]
    assert heads == [heading(column, ENGLISH) for column in PLAN_COLUMNS]
    hidden = {
        column.key
        for column, cell in zip(PLAN_COLUMNS, sheet[1], strict=True)
        if sheet.column_dimensions[cell.column_letter].hidden
    }
    empty = {
        column.key
        for column, cells in zip(PLAN_COLUMNS, sheet.iter_cols(min_row=2), strict=True)
        if not any(cell.value for cell in cells)
    }
    assert empty - COLLAPSED == {"color", "tags", "fields", "notes"}
    assert hidden - set(FOLDS) == (COLLAPSED | {"tags", "fields"}) - set(FOLDS) and {"color", *COLLAPSED} <= hidden
    wide = sum(one.width for one in sheet.column_dimensions.values() if not one.hidden)
    assert wide <= room_on_paper("a4")
    on_a3 = book_of(handed_over, tmp_path, paper="a3")["Cables"].column_dimensions
    assert sum(one.hidden for one in on_a3.values()) < len(hidden)
    assert not {"cable_id", "a_port", "z_port", "cable_pn", "length_m", "notes"} & COLLAPSED


def test_a_plan_without_rows_folds_only_what_paper_has_no_room_for(tmp_path):
    sheet = book_of(Design(), tmp_path)["Cables"]
    assert len(COLLAPSED) <= sum(one.hidden for one in sheet.column_dimensions.values()) <= len(COLLAPSED | set(FOLDS))


def test_the_columns_asked_for_stand_in_that_order_and_none_is_folded_away(handed_over, tmp_path):
    wanted = "z_port,label_a,cable_id"
    sheet = book_of(handed_over, tmp_path, columns=wanted)["Cables"]
    assert [cell.value for cell in sheet[1]] == ["Z port", "Label at A", "Cable"]
    assert not any(one.hidden for one in sheet.column_dimensions.values())
    assert csv_of(handed_over, tmp_path, columns=wanted)[0] == wanted.split(",")
    assert csv_of(handed_over, tmp_path, columns="cable_id,cable_id")[0] == ["cable_id"]
    with pytest.raises(ExportError, match="there is no column 'cable'; there is cable_id, label_a"):
        csv_of(handed_over, tmp_path, columns="cable")


def test_the_same_cells_stand_in_the_workbook_and_in_text(handed_over, tmp_path):
    for options in ({}, {"rows": "cables"}, {"both-ways": "yes"}):
        sheet = values(book_of(handed_over, tmp_path, headings="keys", **options)["Cables"])
        text = csv_of(handed_over, tmp_path, **options)
        assert [["" if cell is None else str(cell) for cell in row] for row in sheet] == text
        assert tuple(text[0]) == COLUMNS


def test_a_row_per_cable_has_the_ports_of_its_lanes_and_their_rate_together(handed_over, tmp_path):
    design = handed_over.snapshot()
    links = [link for link in design.links.values() if not design.is_server(link.a.device_id)]
    twin = CATALOG.get("dac-ndr-twin")
    design.apply(operations.set_cable(design, [link.id for link in links], twin, 1.0))
    design.apply(number_cables(design))
    heads, *rows = csv_of(design, tmp_path, rows="cables")
    plan = cable_rows(design)
    assert len(rows) == len({row.piece for row in plan}) < len(plan)
    row = next(dict(zip(heads, row, strict=True)) for row in rows if ", " in row[heads.index("a_port")])
    lanes = [one for one in plan if one.cable_id == row["cable_id"]]
    assert len(lanes) == 2
    assert row["a_port"] == ", ".join(one.a_port for one in lanes)
    assert float(row["speed_gbps"]) == sum(one.speed_gbps for one in lanes) == 800
    assert (row["a_device"], row["a_lane"], row["length_m"]) == (lanes[0].a_device, "1, 2", "1")


def test_networks_are_listed_apart_and_each_on_a_sheet_of_its_own(handed_over, tmp_path):
    design = handed_over.snapshot()
    spine = next(one for one in design.switches() if one.role == "spine")
    design.apply(operations.set_network(design, [spine.id], "storage"))
    networks = {row.network for row in cable_rows(design)}
    assert networks == {"compute", "storage"}
    book = book_of(design, tmp_path, **{"by-network": "yes"})
    assert book.sheetnames[1:3] == ["Cables compute", "Cables storage"]
    counts = [book[name].max_row - 1 for name in book.sheetnames[1:3]]
    assert sum(counts) == len(design.links)
    assert counts[1] == len(csv_of(design, tmp_path, networks="storage")) - 1
    assert "All networks" in [row[0] for row in values(book["Summary"])]


def test_sheets_are_left_out_when_others_are_named(handed_over, tmp_path):
    assert book_of(handed_over, tmp_path, sheets="cables,open-points").sheetnames == ["Cables", "Open points"]
    assert book_of(handed_over, tmp_path, sheets="changes").sheetnames == ["Summary"], "nothing to compare with"


TABLES = (*PLAN_COLUMNS, *RACK_COLUMNS, *SWITCH_COLUMNS, *PAPER_COLUMNS, *FULL_COLUMNS)


@pytest.mark.parametrize("text", dict.fromkeys([part for one in TABLES for part in one.title.split(": ")]))
def test_every_heading_has_a_german_word(text):
    assert text in TRANSLATIONS[GERMAN]


def test_a_german_workbook_has_german_headings_and_titles_throughout(handed_over, tmp_path):
    book = book_of(handed_over, tmp_path, headings="de")
    assert book.sheetnames[:3] == ["Übersicht", "Kabel", "Offene Punkte"]
    assert {sheet.oddFooter.right.text for sheet in book.worksheets} == {"Seite &P von &N"}
    assert [cell.value for cell in book["Kabel"][1]][:4] == [
        "Kabel",
        "Beschriftung an A",
        "Beschriftung an Z",
        "Status",
    ]
    stated = [cell.value for row in book["Übersicht"] for cell in row if cell.font.b and isinstance(cell.value, str)]
    english = [text for text in stated if text in TRANSLATIONS[GERMAN] and word(text, GERMAN) != text]
    assert stated
    assert english == []
    assert heading(PLAN_COLUMNS[0], KEYS) == "cable_id"


def test_titles_of_the_german_summary_are_all_in_the_table_of_translations(handed_over):
    book = PlanBook(handed_over, cable_rows(handed_over), WorkbookOptions(headings=ENGLISH), digest="abc")
    (summary, *_) = book.sheets()
    known = TRANSLATIONS[GERMAN]
    for block in summary.blocks:
        assert not block.title or block.title in known
        assert all(column.title.removesuffix(" (m)") in {*known, ""} for column in block.columns)
    first, _, *others = summary.blocks
    counts = next(one for one in others if one.title == "Counts")
    assert all(row[0].value in known for row in first.rows)
    assert all(row[0] in known for row in counts.rows)
    assert all(column.title in known for column in OPEN_POINT_COLUMNS)


def test_the_same_design_gives_the_same_workbook(handed_over, tmp_path):
    for name in ("one.xlsx", "two.xlsx"):
        EXPORTER["cable-plan-xlsx"].write(handed_over.snapshot(), tmp_path / name)
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()


def test_every_kind_of_sheet_can_be_asked_for():
    offered = {choice.name for choice in WorkbookOptions.__dataclass_fields__["sheets"].metadata["setting"].choices}
    assert offered == set(SHEETS)


def test_the_summary_names_the_revision_that_the_design_is_or_comes_after(handed_over, tmp_path):
    design = handed_over.snapshot()
    design.apply(record(design, RevisionOptions(revision="B", date="2026-11-22")))
    stated = {row[0]: row[1] for row in values(book_of(design, tmp_path)["Summary"])}
    assert (stated["Revision"], stated["Date"]) == ("B", "2026-11-22")
    assert design.revisions["v1"].digest.startswith(stated["Digest"])
    assert "Changes" not in openpyxl.load_workbook(tmp_path / "plan.xlsx").sheetnames, "nothing before it"
    design.apply(operations.rename(design, design.servers()[0].id, "head"))
    book = book_of(design, tmp_path)
    stated = {row[0]: row[1] for row in values(book["Summary"])}
    assert stated["Revision"] == "after B"
    assert "Date" not in stated
    assert book["Changes"].max_row > 1
    design.apply(record(design, RevisionOptions(revision="C")))
    assert values(book_of(design, tmp_path)["Changes"]) == values(book["Changes"]), "of C since B"


def test_writing_a_workbook_reports_how_far_it_is_and_can_be_stopped(handed_over, tmp_path):
    exporter, heard = EXPORTER["cable-plan-xlsx"], []
    exporter.write(handed_over, tmp_path / "plan.xlsx", None, heard.append)
    assert heard == sorted(heard)
    assert len(heard) > 10
    assert 0 < heard[0] < 0.3 and 0.8 < heard[-1] <= 1

    def stop(share):
        if share > 0.5:
            raise Cancelled

    (tmp_path / "plan.xlsx").write_bytes(b"old")
    with pytest.raises(Cancelled):
        exporter.write(handed_over, tmp_path / "plan.xlsx", None, stop)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_words_of_the_program_in_cells_are_german_too_and_names_stay(handed_over, tmp_path):
    book = book_of(handed_over, tmp_path, headings="de")
    rows = values(book["Kabel"])
    at = {title: number for number, title in enumerate(rows[0])}
    assert {row[at["Status"]] for row in rows[1:]} == {"geplant"}
    assert {row[at["Medium"]] for row in rows[1:]} == {"MM-Faser"}
    assert {row[at["Ebene"]] for row in rows[1:]} == {"Server-Leaf", "Leaf-Spine"}
    assert {row[at["Herkunft der Länge"]] for row in rows[1:]} == {"verlegt"}
    assert rows[1][at["A Gerät"]] == values(book_of(handed_over, tmp_path)["Cables"])[1][at["A Gerät"]]
    assert {"Portseite", "keine Teilenummer"} <= {row[0] for row in values(book["Offene Punkte"])}
    ports = values(book[handed_over.switches()[0].name])
    assert {row[ports[0].index("Status")] for row in ports[1:]} >= {"belegt", "frei"}
    (head, first, *_) = csv_of(handed_over, tmp_path, headings="de")
    assert first[head.index("Status")] == "geplant"
    (head, first, *_) = csv_of(handed_over, tmp_path)
    assert first[head.index("status")] == "planned"


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("server-leaf", "Server-Leaf"),
        ("reserved: the core", "reserviert: the core"),
        ("no length, no cable", "keine Länge, kein Kabel"),
        ("none", "keine"),
        ("other port; other label", "anderer Port; andere Beschriftung"),
        ("leaf-su1", "leaf-su1"),
        ("rack-01 stands elsewhere", "rack-01 stands elsewhere"),
    ],
)
def test_known_words_are_translated_one_by_one(text, german):
    assert cell_word(text, GERMAN) == german
    assert cell_word(text, ENGLISH) == text


def test_a_part_number_cell_holds_a_number_or_nothing_and_the_model_stands_apart(handed_over, tmp_path):
    design = handed_over.snapshot()
    cord = CATALOG.get("gen-cat6")
    links = list(design.links.values())[:2]
    changes = (Change(link, replace(link, medium_id=cord.id)) for link in links)
    design.apply(Edit("copper", (Change(None, cord), *changes)))
    book = book_of(design, tmp_path)
    numbers = {part.number for one in CATALOG.types.values() for part in getattr(one, "parts", ())}
    for sheet in book.worksheets:
        rows = values(sheet)
        head = next((row for row in rows if "Part number" in row), None)
        if head is None:
            continue
        for row in rows[rows.index(head) + 1 :]:
            stated = row[head.index("Part number")]
            assert stated is None or stated in numbers or sheet.title == "Summary", (sheet.title, stated)
    rows = values(book["Cables"])
    model, number, notes = (rows[0].index(one) for one in ("Model", "Part number", "Notes"))
    corded = [row for row in rows if row[model] == cord.model]
    assert len(corded) == 2
    assert {(row[number], row[notes]) for row in corded} == {(None, "no part number")}
    rows = values(book["Summary"])
    stated = [row for row in rows if cord.model in row]
    assert stated and {row[row.index(cord.model) + 1] for row in stated} == {None}
    assert any(cord.model in row[1] for row in values(book["Open points"])[1:])
    alone = book_of(design, tmp_path, sheets="cables")
    assert any(cord.model in (row[notes] or "") for row in values(alone["Cables"])[1:])


def test_a_column_with_a_transceiver_to_be_decided_is_never_folded_away(handed_over):
    rows = cable_rows(handed_over, parts=parts_known(handed_over, CATALOG.types))
    for optic, folds in (("unknown", False), ("MMA4Z00-NS", True)):
        stated = [replace(row, z_optic_model=optic) for row in rows]
        _, cables, *_ = PlanBook(handed_over, stated, WorkbookOptions()).sheets()
        (column,) = (one for one in cables.blocks[0].columns if one.title == "Z transceiver")
        assert (column.fold > 0, column.is_collapsed) == (folds, False)


def test_cables_that_are_ordered_as_long_as_calculated_are_an_open_point_with_their_numbers(handed_over, tmp_path):
    parts, design = parts_known(handed_over, CATALOG.types), handed_over.snapshot()

    def reserve_of(**stated):
        design.apply(Edit("", tuple(Change(one, replace(one, **stated)) for one in design.links.values())))
        return without_reserve(design, parts)

    assert reserve_of(length_m=2.9, length_source="routed") == []
    assert reserve_of(length_m=3.0, length_source="typed") == []
    (gap,) = reserve_of(length_m=3.0, length_source="routed")
    pieces = {row.piece: row.cable_id for row in cable_rows(design, parts=parts)}
    assert gap.what == "no reserve" and gap.links == tuple(design.links)
    count, first = len(pieces), cable_name(next(iter(ordered(design.links))).cable)
    assert (
        gap.reason.startswith(f"{count} cables are ordered exactly as long as calculated: {first}, ")
        and gap.how == ADD_SLACK
    )
    assert gap.reason.endswith(f" and {count - 12} more")
    expected = [("no reserve", one.reason, len(one.links)) for one in without_reserve(handed_over, parts)]
    found = [tuple(row) for row in values(book_of(handed_over, tmp_path)["Open points"])[1:]]
    assert [row[:3] for row in found if row[0] == "no reserve"] == expected
    said = {row[0] for row in values(book_of(handed_over, tmp_path)["Summary"])}
    assert said >= set(lengths_cover(handed_over))

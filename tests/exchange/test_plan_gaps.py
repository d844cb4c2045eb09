"""A plan with gaps says how many and why: before it is written, in its notes, and on a sheet of its own."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from designer.analysis.billing.bill import bill_of
from designer.analysis.cable_numbers import number_cables
from designer.analysis.optical_parts import cage_facts
from designer.catalog.catalog import load
from designer.exchange.cable_plan import COLUMNS
from designer.exchange.exporter import plan_gaps_of
from designer.exchange.exporters import EXPORTERS
from designer.exchange.plan_gaps import MISSING, UNNUMBERED, Gap, PlanGaps
from designer.model import operations
from designer.model.circuits import circuit_fields
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.hardware.media import MediumPart
from designer.model.hardware.ports import Port
from designer.placement.mounting import turn_mounted
from designer.placement.preparation import CHOOSE, MOUNT, NUMBER, PLACE, REDRAW, ROUTE, STATE_NUMBER, prepare
from designer.placement.rack_contents import FLIP, of_unknown_port_side, port_side_point, standing_in
from designer.storage import document
from designer.topologies import rail_optimized
from designer.topologies.rail_optimized import RailOptimizedParameters

CATALOG = load()
EXAMPLE = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"
EXPORTER = {one.name: one for one in EXPORTERS}


@pytest.fixture
def pod():
    made = Design()
    made.apply(rail_optimized.build(made, RailOptimizedParameters(servers=8, servers_per_su=4), CATALOG))
    made.apply(number_cables(made))
    return made


def prepared(design):
    design.apply(prepare(design, CATALOG.types).edit)
    return design


def rows_of(design, tmp_path):
    EXPORTER["cable-plan"].write(design, tmp_path / "plan.csv", {})
    text = (tmp_path / "plan.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def sheet_of(design, tmp_path):
    EXPORTER["cable-plan-xlsx"].write(design, tmp_path / "plan.xlsx", {})
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    assert book.sheetnames[:3] == ["Summary", "Cables", "Open points"]
    return [[cell.value for cell in row] for row in book["Open points"]]


PARTS = "8 servers, 17 switches and 5 racks"
"""What no part number is known for in the pod."""


def of_links(design):
    """The open points of the design's links: not of devices, nor of parts that have no number."""
    gaps = plan_gaps_of(design)
    return replace(gaps, gaps=tuple(gap for gap in gaps.gaps if not gap.n_parts))


def test_a_prepared_plan_has_no_gap_and_no_empty_length_cable_or_part_number(pod, tmp_path):
    gaps = of_links(prepared(pod))
    assert gaps.headline == "" and not gaps.n_open and not gaps.missing and not gaps.by_link() and not gaps.is_fault
    tight = next(one for one in gaps.undecided if one.what == "no reserve")
    decide = f"port side of {len(of_unknown_port_side(pod))} devices, {len(tight.links)} links with no reserve"
    assert gaps.statement == f"Nothing is missing for ordering. To be decided: {decide}"
    assert gaps.summary == f"to be decided: {decide}" and gaps.counts == "to be decided: 2 points"
    for row in rows_of(pod, tmp_path):
        assert all(row[name] for name in ("length_m", "medium", "cable_pn", "a_optic_pn", "z_optic_pn"))
        assert row["notes"] == ""
    assert [row[0] for row in sheet_of(pod, tmp_path)[4:]] == ["port side", "no reserve"]
    typed = [Change(link, replace(link, length_source="typed")) for link in pod.links.values()]
    pod.apply(Edit("type the lengths", tuple(typed)))
    pod.apply(turn_mounted(pod, list(of_unknown_port_side(pod))))
    assert not of_links(pod).gaps and of_links(pod).statement == of_links(pod).summary == ""


def test_a_plan_without_open_points_says_so_on_their_sheet(tmp_path):
    assert sheet_of(Design(), tmp_path)[1][0] == "none"


def test_parts_of_the_bill_without_a_number_are_missing_for_ordering(pod, tmp_path):
    gaps = plan_gaps_of(prepared(pod))
    assert gaps.is_fault and not gaps.headline and not gaps.by_link() and not gaps.at_all, "no link lacks anything"
    lines = bill_of(pod, CATALOG.types).unnumbered
    assert [(one.n_parts, one.type_id) for one in gaps.of_parts] == [(one.to_order, one.item.type_id) for one in lines]
    stated = MISSING, "no part number", STATE_NUMBER
    assert [(one.kind, one.what, one.remedy) for one in gaps.of_parts] == [stated] * 3
    assert [one.counted for one in gaps.of_parts] == ["8 servers", "17 switches", "5 racks"]
    assert gaps.statement.startswith(f"{PARTS} have no part number. To be decided: ")
    assert gaps.summary.startswith(f"{PARTS} without a part number; to be decided: ")
    assert gaps.counts == "missing for ordering: 30 parts; to be decided: 2 points"
    listed = sheet_of(pod, tmp_path)[1:4]
    assert [row[1:] for row in listed] == [
        ["none is known for DGX H100", 8, "gpu-01"],
        ["none is known for QM9700", 17, "leaf-su1-r1"],
        ["none is known for 42U rack", 5, "rack-01"],
    ]


def test_a_module_counts_by_itself_and_a_circuit_switch_with_its_second_fibers(pod):
    pod.apply(prepare(pod, CATALOG.types).edit)
    nic = replace(CATALOG.get("connectx-7-ndr"), id="own-nic", model="Own NIC")
    modules = [one for one in pod.modules.values() if one.device_id == "d1"][:2]
    links = list(pod.links.values())[:3]
    pod.apply(Edit("nics", (Change(None, nic), *(Change(one, replace(one, type_id=nic.id)) for one in modules))))
    pod.apply(Edit("circuits", tuple(Change(one, replace(one, fields=circuit_fields("ocs-1", 1, 2))) for one in links)))
    found = {gap.counted: gap for gap in plan_gaps_of(pod).of_parts}
    assert (found["2 NICs"].devices, found["2 NICs"].reason) == (("d1",), "none is known for Own NIC")
    assert {"1 optical circuit switch", "3 second fibers"} < set(found)
    assert not found["3 second fibers"].remedy, "nothing of the catalog closes it"


def test_gaps_are_counted_by_reason_and_each_row_has_its_own(pod, tmp_path):
    gaps = of_links(pod)
    n_links = len(pod.links)
    assert gaps.headline == f"{n_links} of {n_links} links lack what ordering needs"
    first, second = gaps.lines()
    assert first == f"{n_links} links: no length: rack-01 and {len(pod.racks) - 1} more have no place on the floor"
    assert second == f"{n_links} links: no cable: their lengths are not known"
    for row in rows_of(pod, tmp_path):
        assert row["notes"].endswith(" has no place on the floor; no cable: its length is not known")
        named = row["notes"].removeprefix("preliminary: no length: ").partition(" has no place")[0]
        assert named in (row["a_rack"], row["z_rack"])
    heading, *rows = sheet_of(pod, tmp_path)
    assert heading == ["Open point", "Reason", "Count", "Example"]
    assert [(row[0], row[2]) for row in rows] == [
        ("no length", n_links),
        ("no cable", n_links),
        *(("no part number", count) for count in (8, 17, 5)),
        ("port side", len(of_unknown_port_side(pod))),
    ]
    assert rows[0][3] == "gpu-01 port OSFP4P2 to leaf-su1-r1 port 1/1", "ports are named as the chassis is printed"


def test_a_cable_drawn_after_the_numbers_were_given_has_none(pod, tmp_path):
    prepared(pod)
    (end,) = [one for one in (link.a for link in pod.links.values()) if one.device_id == "d1"][:1]
    (first,) = pod.links_at(end)
    link = pod.links[first]
    pod.apply(Edit("as drawn", (Change(link, replace(link, cable=0)),)))
    gaps = of_links(pod)
    assert gaps.lines() == ["1 link: no cable number: none given yet; preparing the design gives one"]
    assert not gaps.missing and not gaps.n_open, "parts can be ordered"
    assert gaps.headline == f"1 of {gaps.n_links} links has no cable number"
    assert gaps.statement.startswith(f"{gaps.headline}. To be decided: "), "a warning begins with what is missing"
    assert gaps.counts == "missing for labels: 1 link; to be decided: 2 points"
    assert gaps.of_kind(UNNUMBERED)[0].counted == "1 link"
    (row,) = [row for row in rows_of(pod, tmp_path) if not row["cable_id"]]
    assert row["notes"] == "no cable number: none given yet"


def test_one_device_out_of_its_rack_leaves_its_own_links_open(pod, tmp_path):
    pod.apply(operations.mount(pod, pod.find("gpu-03").id, None))
    prepared(pod)
    assert plan_gaps_of(pod).lines()[0] == "8 links: no length: gpu-03 stands in no rack"
    noted = [row for row in rows_of(pod, tmp_path) if row["notes"].startswith("preliminary: no length")]
    assert {row["a_device"] for row in noted} == {"gpu-03"} and len(noted) == 8


def only_part_number_gap(design):
    (gap,) = (gap for gap in of_links(design).gaps if gap.what == "no part number")
    return gap


def test_an_optic_whose_fibre_is_not_known_has_no_part_number(pod, tmp_path):
    prepared(pod)
    link = next(link for link in pod.links.values() if pod.is_switch(link.a.device_id))
    odd = replace(CATALOG.get("tr-800-2sr4"), id="odd", model="Odd optic", connector="2 x CS")
    pod.apply(operations.set_cable(pod, [link.id], odd, 30.0))
    gap = only_part_number_gap(pod)
    assert gap.links == (link.id,)
    assert gap.reason == "the catalog has no fiber for Odd optic that is known to reach that far"
    (row,) = (row for row in rows_of(pod, tmp_path) if row["notes"])
    assert row["cable_pn"] == "" and row["notes"] == f"no part number: {gap.reason}"


def test_a_cable_longer_than_any_that_is_sold_has_no_part_number(pod, tmp_path):
    prepared(pod)
    link = next(link for link in pod.links.values() if pod.is_switch(link.a.device_id))
    pattern = replace(CATALOG.get("dac-ndr-twin"), id="own", model="OWN-Nxxx", parts=())
    pod.apply(operations.set_cable(pod, [link.id], pattern, 1.0))
    assert only_part_number_gap(pod).reason == "none is known for OWN"
    sold = replace(pattern, id="sold", parts=(MediumPart("OWN-N002", length_m=2.0),))
    pod.apply(operations.set_cable(pod, [link.id], sold, 1.5))
    assert not [gap for gap in of_links(pod).gaps if gap.what == "no part number"]
    pod.apply(operations.set_cable(pod, [link.id], sold, 2.5))
    assert only_part_number_gap(pod).reason == "none is known for OWN at 2.5 m"


NO_CORD = "none is known for Cat6 patch cord, RJ45, nor a stock length: ordered by the length needed, rounded up"


def test_a_cable_without_part_numbers_is_ordered_by_length(pod):
    prepared(pod)
    link = next(link for link in pod.links.values() if pod.is_switch(link.a.device_id))
    pod.apply(operations.set_cable(pod, [link.id], CATALOG.get("gen-cat6"), 3.0))
    gap = only_part_number_gap(pod)
    assert (gap.links, gap.reason) == ((link.id,), NO_CORD)
    assert "1 link without a part number" in plan_gaps_of(pod).summary


def test_a_module_without_a_part_number_is_an_open_point(pod):
    prepared(pod)
    link = next(link for link in pod.links.values() if pod.is_switch(link.a.device_id))
    bare = replace(CATALOG.get("tr-800-2sr4"), id="bare", model="Bare optic", parts=())
    pod.apply(operations.set_cable(pod, [link.id], bare, 5.0))
    assert only_part_number_gap(pod).reason == "none is known for Bare optic"


@pytest.fixture(scope="module")
def without_racks():
    """16 servers on generic switches, none of them in a rack: every cable has the default length."""
    design = document.load(EXAMPLE)
    design.apply(prepare(design, CATALOG.types).edit)
    return design


def test_the_default_length_is_an_open_point(without_racks):
    (gap,) = (one for one in plan_gaps_of(without_racks).gaps if one.what == "assumed length")
    assert gap.reason == "gpu-01 and 21 more stand in no rack; the default length is used"
    assert len(gap.links) == len(without_racks.links) == 192
    note = plan_gaps_of(without_racks).by_link()[gap.links[0]]
    assert note.startswith("preliminary: assumed length: gpu-01 stands in no rack; the default length is used")


def test_a_typed_length_is_not_an_assumed_one(without_racks):
    typed = without_racks.snapshot()
    typed.apply(operations.set_cable(typed, list(typed.links), None, 12.0))
    assert "assumed length" not in {one.what for one in plan_gaps_of(typed).gaps}


def test_a_port_whose_form_is_not_known_is_named_as_such(without_racks):
    design = without_racks.snapshot()
    aoc = [link for link in design.links.values() if link.medium_id == "gen-aoc-400-qsfpdd"]
    design.apply(Edit("none", tuple(Change(one, replace(one, medium_id="")) for one in aoc)))
    reasons = {one.reason for one in plan_gaps_of(design).gaps}
    assert "the form factor of the port opposite MMA4Z00-NS-FLT is not known" in reasons
    descriptions = {one.item.description for one in bill_of(design, CATALOG.types).lines}
    assert "Transceiver in port, opposite MMA4Z00-NS-FLT" in descriptions


def test_one_form_factor_is_assumed_for_a_type_of_switch_for_cables_and_modules_alike(without_racks):
    (gap,) = (one for one in plan_gaps_of(without_racks).gaps if one.what == "assumed form factor")
    assert gap.reason == (
        "400G ports of Switch 48 x 400G have no known form factor: QSFP-DD is assumed, as of the 400G QSFP-DD AOC"
    )
    assert set(gap.links) == set(without_racks.links)
    bill = bill_of(without_racks, CATALOG.types)
    line, fibre = bill.assumed
    assert (line.item.type_id, line.item.n_assumed) == ("gen-aoc-400-qsfpdd", 64)
    ports = "400G ports of Switch 48 x 400G, assumed to be QSFP-DD"
    assert line.assumption == f"all go into {ports}"
    assert fibre.assumption == f"all end at transceivers of {ports}: these decide the connector"
    assert (fibre.item.kind, fibre.item.n_assumed, fibre.status) == ("fiber", 128, "preliminary")
    described = {one.item.description for one in bill.lines}
    assert "Transceiver in QSFP-DD port (assumed), opposite MMA4Z00-NS-FLT" in described


def test_modules_are_selected_for_the_form_factor_that_is_assumed(without_racks):
    design = without_racks.snapshot()
    own = replace(CATALOG.get("gen-aoc-400-qsfpdd"), id="own-aoc", model="Own AOC", ends=("QSFP112", "QSFP112"))
    aoc = [link for link in design.links.values() if link.medium_id == "gen-aoc-400-qsfpdd"]
    links = (Change(one, replace(one, medium_id=own.id)) for one in aoc[1:])
    design.apply(Edit("other", (Change(None, own), *links)))
    (gap,) = (one for one in plan_gaps_of(design).gaps if one.what == "assumed form factor")
    assert gap.reason.endswith("QSFP112 is assumed, as of the Own AOC; 400G QSFP-DD AOC would not fit")
    (module,) = (one.item for one in bill_of(design, CATALOG.types).lines if one.item.at_switches)
    assert (module.part_number, module.at_switches) == ("980-9I693-00NS00", 128)
    assert module.assumed == ("400G ports of Switch 48 x 400G, assumed to be QSFP112",)


def test_the_notes_are_the_last_column():
    assert COLUMNS[-1] == "notes"


def test_preparing_is_offered_where_it_closes_a_point():
    by_preparing = {MOUNT, PLACE, ROUTE, CHOOSE, NUMBER}
    for remedy in ("", "catalog", REDRAW, *by_preparing):
        can = remedy in by_preparing
        assert PlanGaps((Gap("no length", "why", ("l1",), remedy=remedy),), 1).can_be_prepared is can
    assert not PlanGaps((), 1).can_be_prepared


def book_of(design, tmp_path, **options):
    EXPORTER["cable-plan-xlsx"].write(design, tmp_path / "plan.xlsx", options)
    return openpyxl.load_workbook(tmp_path / "plan.xlsx")


@pytest.mark.parametrize(("name", "heading"), [("Cables", "Z transceiver"), ("leaf-01", "Transceiver")])
def test_a_transceiver_to_be_decided_is_in_sight_in_the_workbook(without_racks, tmp_path, name, heading):
    sheet = book_of(without_racks, tmp_path, paper="A4")[name]
    head, *rows = sheet.iter_rows(values_only=True)
    place, medium, notes = (head.index(one) for one in (heading, "Medium", "Notes"))
    assert not sheet.column_dimensions[sheet.cell(1, place + 1).column_letter].hidden
    stated = {(row[medium], row[place], row[notes]) for row in rows if row[medium]}
    assert stated == {
        ("MM fiber", "unknown", "no transceiver"),
        ("AOC", None, "no part number"),
    }


def test_what_is_open_at_every_cable_is_said_below_each_table_of_them(without_racks, pod, tmp_path):
    assert plan_gaps_of(without_racks).at_all == "assumed length, assumed form factor"
    book = book_of(without_racks, tmp_path)
    for name in ("Cables", "leaf-01", "spine-01"):
        *_, before, last = book[name].iter_rows(values_only=True)
        assert last[0] == "All cables: assumed length, assumed form factor" and not any(before)
        assert book[name].auto_filter.ref.endswith(str(book[name].max_row - 2))
    german = book_of(without_racks, tmp_path, headings="de")
    assert (
        german["leaf-01"].cell(german["leaf-01"].max_row, 1).value
        == "Alle Kabel: angenommene Länge, angenommene Bauform"
    )
    assert german["leaf-01"]["E2"].value == "unbekannt"
    assert book_of(prepared(pod), tmp_path)["Cables"].max_row == len(pod.links) + 1


def test_an_active_cable_without_a_part_number_is_not_said_to_be_too_short(without_racks):
    reasons = {one.reason for one in plan_gaps_of(without_racks).gaps}
    assert "none is known for 400G QSFP-DD AOC at 10 m" in reasons


def test_a_transceiver_selected_for_an_assumed_length_is_preliminary(without_racks):
    (line,) = (one for one in bill_of(without_racks, CATALOG.types).lines if one.item.at_servers)
    assert (line.status, line.note) == ("preliminary", "assumed length: all; no price")


def test_ports_of_two_types_share_what_is_found_only_where_their_form_factor_is_known():
    one, other = (Port("1", 400, "", "", 1, 1, 1, ("ethernet",), type_id=type_id) for type_id in ("one", "other"))
    assert cage_facts(one) != cage_facts(other)
    assert cage_facts(replace(one, form_factor="OSFP")) == cage_facts(replace(other, form_factor="OSFP"))


def test_devices_whose_port_side_nobody_stated_are_one_open_point_that_counts_them(pod, tmp_path):
    devices = of_unknown_port_side(pod)
    assert devices == tuple(one for one in pod.devices if pod.placements[one].rack_id is not None)
    pod.apply(turn_mounted(pod, [devices[0]]))
    why = port_side_point(pod)
    assert why == "not stated whether the ports are at the front or the rear of the rack"
    assert sheet_of(pod, tmp_path)[-1] == ["port side", why, len(devices) - 1, pod.device(devices[1]).name]
    (gap,) = [one for one in plan_gaps_of(pod).gaps if one.what == "port side"]
    assert "Room >" not in gap.note and gap.advice == f"{why}; {FLIP}", "what to do there is no matter of documents"
    rack_id = pod.placements[devices[0]].rack_id
    stated = {one.device_id: one.ports_at for one in standing_in(pod, rack_id)}
    assert stated.pop(devices[0]) == "rear"
    assert set(stated.values()) == {"not known"}
    pod.apply(turn_mounted(pod, list(devices[1:])))
    assert port_side_point(pod) == ""

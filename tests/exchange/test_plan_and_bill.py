"""The plan and the bill of one design: the same parts by the same names, as often, and the same assumptions."""

import csv
import io
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from designer.analysis.billing.bill import bill_of
from designer.analysis.new_designs import new_design
from designer.analysis.optical_parts import parts_known
from designer.analysis.preliminary import preliminary
from designer.catalog import catalog
from designer.exchange.exporters import EXPORTERS
from designer.model.edit import Change, Edit
from designer.regeneration.recipes import family_named
from designer.storage.document import load

EXAMPLES = Path(__file__).parents[2] / "examples"
CATALOG = catalog.load()


def generated(family, **values):
    return new_design(family_named(family), values, CATALOG, family, "auto").design


def superpod():
    return generated(
        "rail-optimized",
        server="dgx-h100",
        switch="nvidia-qm9700",
        servers=12,
        servers_per_su=8,
        storage_switch="nvidia-qm9700",
        in_band_switch="nvidia-sn4600c",
        oob_switch="nvidia-sn2201",
    )


DESIGNS = {
    "superpod": superpod,
    "fat-tree": lambda: load(EXAMPLES / "fat-tree-16-2to1.fabric"),
    "dragonfly": lambda: generated("dragonfly", p=2, a=4, h=2, groups=9),
}


@pytest.fixture(scope="module", params=DESIGNS)
def files(request, tmp_path_factory):
    """The rows of plan and bill, as their readers have them."""
    design, found = DESIGNS[request.param](), {}
    for name in ("cable-plan", "bill-of-materials"):
        path = tmp_path_factory.mktemp("files") / f"{name}.csv"
        next(one for one in EXPORTERS if one.name == name).write(design, path, {})
        found[name] = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    return found["cable-plan"], found["bill-of-materials"]


def pieces_of(plan):
    """A row of each cable."""
    return {row["cable_id"]: row for row in plan}.values()


def modules_of(plan):
    """Number and model of the module in each cage that has one."""
    ends = ((row, end) for row in plan for end in "az")
    held = {(row[f"{e}_device"], row[f"{e}_cage"]): (row[f"{e}_optic_pn"], row[f"{e}_optic_model"]) for row, e in ends}
    return Counter(module for module in held.values() if any(module))


def test_cables_of_the_plan_are_those_of_the_bill_by_number_model_and_order_length(files):
    plan, bill = files
    planned = Counter((row["cable_pn"], row["cable_model"], row["order_length_m"]) for row in pieces_of(plan))
    billed = Counter()
    for line in bill:
        if line["kind"] not in ("Server", "Switch", "NIC", "Transceiver", "Rack", "Line card"):
            billed[line["part number"], line["model"], line["order length (m)"]] += int(line["quantity"])
    assert billed == planned


def test_modules_of_the_plan_are_those_of_the_bill_by_number_and_model(files):
    plan, bill = files
    billed = Counter()
    for line in bill:
        if line["kind"] == "Transceiver":
            billed[line["part number"], line["model"] or "unknown"] += int(line["quantity"])
    assert billed == modules_of(plan)


def test_no_model_is_a_part_number_or_a_pattern(files):
    numbers = {part.number for one in CATALOG.types.values() for part in getattr(one, "parts", ())}
    plan, bill = files
    models = {row["cable_model"] for row in plan} | {line["model"] for line in bill}
    assert not models & numbers and not [one for one in models if "xx" in one]


def test_lines_whose_cables_may_change_are_preliminary_and_the_plan_notes_their_links(files):
    plan, bill = files
    marked = {line["kind"] for line in bill if line["status"]}
    assert {line["status"] for line in bill} <= {"", "preliminary"}
    assert not marked & {"Server", "Switch", "NIC", "Rack"}
    assert bool(marked) == any(row["notes"].startswith("preliminary: ") for row in plan)
    open_words = ("assumed length", "assumed form factor", "no cable is selected", "(assumed)")
    for line in bill:
        assert not line["status"] or any(one in line["note"] for one in open_words)


def test_documents_say_on_top_why_they_are_not_for_purchase(catalog_parts):
    design = DESIGNS["fat-tree"]()
    why = preliminary(design, catalog_parts(design))
    assert why == (
        "Preliminary, not for purchase: of 192 links, all have an assumed length, "
        "all have a port whose form factor is assumed, 128 have a transceiver that is not known."
    )
    assert bill_of(design, CATALOG.types).preliminary == why
    one = next(iter(design.links.values()))
    rest = (link for link in design.links.values() if link is not one)
    typed = tuple(Change(link, replace(link, length_source="typed")) for link in rest)
    design.apply(Edit("typed", (*typed, Change(one, replace(one, length_m=None, length_source="", medium_id="")))))
    assert preliminary(design, catalog_parts(design)) == (
        "Preliminary, not for purchase: of 192 links, 1 has no length, 1 has no selected cable, "
        "191 have a port whose form factor is assumed, 127 have a transceiver that is not known."
    )
    nothing = generated("dragonfly", p=2, a=4, h=2, groups=9)
    assert "all have no length, all have no selected cable." in preliminary(nothing, catalog_parts(nothing))


def test_what_is_routed_and_selected_for_known_ports_is_for_purchase(catalog_parts):
    design = generated("rail-optimized", server="dgx-h100", switch="nvidia-qm9700", servers=8, servers_per_su=8)
    assert preliminary(design, catalog_parts(design)) == "" and bill_of(design, CATALOG.types).preliminary == ""
    assert not any(line.status for line in bill_of(design, CATALOG.types).lines)


@pytest.fixture(scope="module")
def catalog_parts():
    return lambda design: parts_known(design, CATALOG.types)


def test_workbooks_and_first_page_say_on_top_and_on_each_page_that_they_are_preliminary(tmp_path):
    design = DESIGNS["fat-tree"]()
    for name in ("cable-plan-xlsx", "bill-of-materials"):
        path = tmp_path / f"{name}.xlsx"
        next(one for one in EXPORTERS if one.name == name).write(design, path, {})
        book = openpyxl.load_workbook(path)
        assert book.worksheets[0]["A1"].value.startswith("Preliminary, not for purchase: of 192 links")
        assert {sheet.oddHeader.center.text for sheet in book.worksheets} == {"Preliminary, not for purchase"}
        # The issue stands on the line below: side by side the two would overlap on A4.
        first, second = (
            zipfile.ZipFile(path).read("xl/worksheets/sheet1.xml").decode().split("&amp;R")[1].split("\n")[:2]
        )
        assert "&amp;14" in first and "revision" not in first and "revision not issued" in second
        stated = {row[0].value: row[1].value for row in book.worksheets[0].iter_rows(max_col=2)}
        assert stated["Topology"].startswith("Fat-tree, 2 tiers")

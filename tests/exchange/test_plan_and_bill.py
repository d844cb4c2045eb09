"""The plan and the bill of one design: the same parts by the same names, as often, and the same assumptions."""

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

from designer.analysis.new_designs import new_design
from designer.catalog import catalog
from designer.exchange.exporters import EXPORTERS
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
        if line["kind"] == "Transceiver" and line["model"]:
            billed[line["part number"], line["model"]] += int(line["quantity"])
    assert billed == modules_of(plan)


def test_no_model_is_a_part_number_or_a_pattern(files):
    numbers = {part.number for one in CATALOG.types.values() for part in getattr(one, "parts", ())}
    plan, bill = files
    models = {row["cable_model"] for row in plan} | {line["model"] for line in bill}
    assert not models & numbers and not [one for one in models if "xx" in one]

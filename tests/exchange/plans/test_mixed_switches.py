"""Leaf switches with cages of two ports of 400G down and of 800G up in plans, bills, versions and what is read back."""

import csv
from collections import Counter
from dataclasses import astuple

import openpyxl
import pytest

from designer.analysis.cable_numbers import number_cables
from designer.analysis.comparing import compare
from designer.analysis.merge_report import report_of
from designer.catalog.catalog import load
from designer.exchange.exporters import BUILT_IN
from designer.exchange.reading.building import propose
from designer.exchange.reading.sheets import read
from designer.model import operations
from designer.model.cage_runs import cage_runs
from designer.model.design import Design
from designer.model.merging.merging import merge
from designer.placement.preparation import prepare
from designer.storage import document
from designer.validation.engine import validate
from designer.validation.findings import Severity

CATALOG = load()
EXPORTER = {one.name: one for one in BUILT_IN}
DOWN, UP = "128x400G", "64x800G"


def added(design, type_id, names, y):
    for number, name in enumerate(names):
        edit = operations.add_device(
            design, CATALOG.get(type_id), 200.0 * number, y, catalog_types=CATALOG.types, name=name
        )
        design.apply(edit)
    return [one.id for one in design.devices.values() if one.name in names]


@pytest.fixture(scope="module")
def mixed():
    design = Design()
    servers = added(design, "dgx-h100", ("gpu-1", "gpu-2", "gpu-3", "gpu-4"), 400.0)
    leafs = added(design, "nvidia-sn5600", ("leaf-1", "leaf-2"), 200.0)
    spines = added(design, "nvidia-sn5600", ("spine-1", "spine-2"), 0.0)
    for leaf in leafs:
        design.apply(operations.set_cage_modes(design, leaf, range(1, 49), DOWN))
    design.apply(operations.connect_evenly(design, servers, leafs, 4))
    design.apply(operations.connect_evenly(design, leafs, spines, 4))
    design.apply(operations.add_rack(design, CATALOG.get("rack-42u"), 0, 0, "rack-1"))
    for one in (*servers, *leafs, *spines):
        design.apply(operations.mount(design, one, "r1", None))
    design.apply(prepare(design, CATALOG.types).edit)
    design.apply(number_cables(design))
    return design


def named(design, name):
    return next(one.id for one in design.devices.values() if one.name == name)


def rows_of(name, design, folder):
    path = folder / f"{name}.csv"
    EXPORTER[name].write(design, path)
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_the_design_can_be_built(mixed):
    assert {one.severity for one in validate(mixed).findings} <= {Severity.INFO}


def test_cables_down_have_lanes_and_400g_and_cables_up_have_800g_and_the_whole_cage(mixed, tmp_path):
    rows = rows_of("cable-plan", mixed, tmp_path)
    down, up = rows[:32], rows[32:]
    assert {(row["speed_gbps"], row["a_optic_model"], row["z_optic_model"]) for row in down} == {
        ("400", "MMA4Z00-NS-FLT", "MMA4Z00-NS")
    }
    assert {(row["speed_gbps"], row["a_optic_model"], row["z_optic_model"]) for row in up} == {
        ("800", "MMS4X00-NM16", "MMS4X00-NM16")
    }
    at_leaf = [(int(row["z_cage"]), row["z_lane"], row["z_port"]) for row in down if row["z_device"] == "leaf-1"]
    assert at_leaf == [(n // 2 + 1, str(n % 2 + 1), f"swp{n // 2 + 1}s{n % 2}") for n in range(16)]
    at_leaf = [(int(row["a_cage"]), row["a_lane"], row["a_port"]) for row in up if row["a_device"] == "leaf-2"]
    assert at_leaf == [(n, "", f"swp{n}") for n in range(49, 57)]


def test_one_transceiver_serves_both_links_of_a_cage_down_and_each_link_up_has_its_own(mixed, tmp_path):
    lines = rows_of("bill-of-materials", mixed, tmp_path)
    counted = {
        line["model"]: (int(line["quantity"]), int(line["at switches"]), int(line["at servers"]))
        for line in lines
        if line["kind"] == "Transceiver"
    }
    assert counted == {"MMA4Z00-NS-FLT": (16, 0, 16), "MMA4Z00-NS": (16, 16, 0), "MMS4X00-NM16": (32, 32, 0)}
    assert [int(line["quantity"]) for line in lines if line["kind"] == "Fiber cable"] == [32, 16]


def test_the_port_map_of_a_leaf_lists_two_ports_of_a_cage_down_and_one_of_a_cage_up(mixed, tmp_path):
    path = tmp_path / "plan.xlsx"
    EXPORTER["cable-plan-xlsx"].write(mixed, path)
    head, *rows = openpyxl.load_workbook(path)["leaf-1"].iter_rows(values_only=True)
    ports = [dict(zip(head, row, strict=True)) for row in rows]
    per_cage = Counter(port["Cage"] for port in ports)
    assert [per_cage[cage] for cage in range(1, 65)] == [2] * 48 + [1] * 16
    assert Counter((port["Transceiver"], port["Status"]) for port in ports if port["Port"] != "eth0") == {
        ("MMA4Z00-NS", "used"): 16,
        (None, "free"): 88,
        ("MMS4X00-NM16", "used"): 8,
    }


def test_a_difference_of_cage_modes_reads_as_runs_of_cages(mixed):
    after = mixed.snapshot()
    after.apply(operations.set_cage_modes(after, named(after, "leaf-1"), range(57, 65), DOWN))
    (row,) = compare(mixed, after).differences
    assert astuple(row)[3:6] == ("cage modes", f"1-48 {DOWN}", f"1-48 {DOWN}, 57-64 {DOWN}")


def test_cages_that_two_people_changed_are_merged_one_by_one(mixed):
    ours, theirs = mixed.snapshot(), mixed.snapshot()
    leaf = named(mixed, "leaf-1")
    ours.apply(operations.set_cage_modes(ours, leaf, range(60, 62), DOWN))
    theirs.apply(operations.set_cage_modes(theirs, leaf, range(25, 49), UP))
    found = merge(mixed, ours, theirs)
    assert not found.conflicts
    assert [(run.first, run.last, run.mode) for run in cage_runs(found.made, leaf)] == [
        (1, 24, DOWN), (25, 59, UP), (60, 61, DOWN), (62, 64, UP),
    ]  # fmt: skip
    theirs.apply(operations.set_cage_modes(theirs, leaf, range(61, 63), "256x200G"))
    (row,) = report_of(merge(mixed, ours, theirs)).conflicts
    assert (row.name, row.what, row.ours, row.theirs) == ("leaf-1", "cage mode 61", DOWN, "256x200G")


def test_a_link_up_of_one_and_a_split_of_its_cage_by_the_other_are_a_conflict(mixed):
    ours, theirs = mixed.snapshot(), mixed.snapshot()
    leaf, spine = named(mixed, "leaf-1"), named(mixed, "spine-1")
    ours.apply(operations.connect_devices(ours, leaf, spine))
    theirs.apply(operations.set_cage_modes(theirs, leaf, [57], DOWN))
    found = merge(mixed, ours, theirs)
    assert [row.name for row in report_of(found).conflicts] == ["leaf-1"]
    design = found.made
    assert all(design.port(end) is not None for link in design.links.values() for end in (link.a, link.b))


def test_a_cable_plan_that_is_read_back_has_its_cages_in_the_same_modes(mixed, tmp_path):
    path = tmp_path / "plan.csv"
    EXPORTER["cable-plan"].write(mixed, path)
    found = Design()
    found.apply(propose(read(path), found, CATALOG).edit)
    runs = cage_runs(found, named(found, "leaf-2"))
    assert [run.mode for run in runs if run.first <= 8] == [DOWN]
    assert {run.mode for run in runs if run.first <= 56 and run.last >= 49} == {UP}
    assert len(found.links) == len(mixed.links)


def test_a_file_keeps_the_modes_of_cages(mixed):
    again = document.decode(document.encode(mixed), "mixed.fabric")
    assert again.device(named(again, "leaf-1")).cage_modes == tuple((cage, DOWN) for cage in range(1, 49))

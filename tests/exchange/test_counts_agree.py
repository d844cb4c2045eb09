"""One design has one count of its transceivers, fibers and cables, whatever states it."""

import csv
from collections import Counter
from dataclasses import replace

import pytest

from designer import api
from designer.analysis.billing import kinds
from designer.analysis.billing.bill import bill_of
from designer.analysis.billing.running import RunningBill
from designer.analysis.new_designs import new_design
from designer.analysis.summary import summarize
from designer.analysis.summary_text import figures
from designer.catalog.catalog import load
from designer.exchange.exporters_plan import plan_rows
from designer.exchange.plans.summary import total
from designer.model.circuits import circuit_switch
from designer.model.edit import Change, Edit
from designer.placement.preparation import prepare
from designer.topologies.presets import family_of, networks_of, parameters_of, preset_named, presets, values_of
from designer.units import format_count

CATALOG = load()
MOST_DEVICES = 140
"""Larger presets differ from smaller ones of their family in numbers only; of two kinds there are none so small."""
SMALL = {
    "google-tpu-v4-superpod": {"dims": (4, 4, 4), "cube": (2, 2, 2)},
    "lumi-g": {"p": 4, "a": 4, "groups": 5, "links_per_pair": 2},
}
CABLES = (kinds.CABLE_KIND, kinds.SPLITTER, kinds.FIBRE_KIND, kinds.CIRCUIT_FIBRE)


def devices(preset):
    counts = family_of(preset).counts(parameters_of(preset), CATALOG)
    return counts.servers + sum(counts.switches.values())


def made(preset, length_m=None, **others):
    """The preset with the cables that the program selects; of its generic devices where all are as long as that."""
    values = {**values_of(preset), **networks_of(preset), **others}
    design = new_design(family_of(preset), values, CATALOG, preset.id, "auto").design
    if length_m is not None:
        settings = replace(design.settings, default_cable_length_m=length_m)
        design.apply(Edit("State a length", (Change(design.settings, settings),)))
        design.apply(prepare(design, CATALOG.types).edit)
    return design


def of_kinds(lines):
    found = Counter()
    for one in lines:
        found[one.kind] += one.quantity
    return found


def stated(design, folder):
    """Transceivers, fibers and cables by each of those who count them."""
    summary, bill = summarize(design), bill_of(design, CATALOG.types)
    running, (rows, _) = of_kinds(RunningBill(design, CATALOG.types).items), plan_rows(design)
    billed, counts = of_kinds(one.item for one in bill.lines), summary.parts_to_order
    api.export(design, folder / "plan.csv", "cable-plan")
    with (folder / "plan.csv").open(encoding="utf-8-sig", newline="") as plan:
        cages = {
            (row[f"{end}_device"], row[f"{end}_cage"])
            for row in csv.DictReader(plan)
            for end in "az"
            if row[f"{end}_optic_model"]
        }
    fibres = (kinds.FIBRE_KIND, kinds.CIRCUIT_FIBRE)
    return {
        "transceivers": (
            counts.transceivers,
            bill.counts.transceivers,
            billed[kinds.TRANSCEIVER],
            running[kinds.TRANSCEIVER],
            summary.power.n_transceivers,
            bill.power.n_transceivers,
            len(cages),
        ),
        "fibers": (
            counts.fibres,
            bill.counts.fibres,
            *(sum(one[kind] for kind in fibres) for one in (billed, running)),
        ),
        "cables": (
            counts.cables,
            bill.counts.cables,
            *(sum(one[kind] for kind in CABLES) for one in (billed, running)),
            total(rows).cables,
        ),
    }


def assert_agreed(design, folder):
    for what, counts in stated(design, folder).items():
        assert len(set(counts)) == 1, (what, counts)
    transceivers = summarize(design).parts_to_order.transceivers
    assert any(one.startswith(f"Transceivers: {format_count(transceivers)} ") for one in figures(design)) == bool(
        transceivers
    )


@pytest.mark.parametrize(
    "preset", [one for one in presets() if devices(one) <= MOST_DEVICES], ids=lambda preset: preset.id
)
def test_all_count_alike(preset, tmp_path):
    assert_agreed(made(preset, 20.0), tmp_path)


@pytest.mark.parametrize("length_m", [None, 20.0])
@pytest.mark.parametrize("name", SMALL)
def test_all_count_alike_in_machines_that_are_large(name, length_m, tmp_path):
    assert_agreed(made(preset_named(name), length_m, **SMALL[name]), tmp_path)


def cubes(length_m=None):
    """Eight cubes of 2x2x2 through circuit switches: of the kind of TPU v4."""
    name = "google-tpu-v4-superpod"
    return made(preset_named(name), length_m, **SMALL[name])


@pytest.mark.parametrize("length_m", [None, 3.0])
def test_a_link_through_a_circuit_switch_is_two_fibers_and_two_transceivers(length_m, tmp_path):
    """Whether its cable is selected or not: the same as the family says where it is generated."""
    design = cubes(length_m)
    n_links = sum(bool(circuit_switch(one)) for one in design.links.values())
    counts = summarize(design).parts_to_order
    assert n_links and (counts.transceivers, counts.fibres, counts.circuit_links) == (2 * n_links, 2 * n_links, n_links)
    assert_agreed(design, tmp_path)


def test_no_cable_is_selected_through_a_circuit_switch(tmp_path):
    """Three meters are near enough for copper elsewhere."""
    design = cubes(3.0)
    kinds_of = {
        is_through: {
            design.types[one.medium_id].kind
            for one in design.links.values()
            if one.medium_id and bool(circuit_switch(one)) == is_through
        }
        for is_through in (True, False)
    }
    assert kinds_of[True] == {"transceiver"} and "DAC" in kinds_of[False]

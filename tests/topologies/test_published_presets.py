"""Presets: every published figure comes out, sources are named, faulty files are refused, designs grow by units."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from designer import api
from designer.analysis.new_designs import new_design, with_origin
from designer.catalog.catalog import load
from designer.errors import CatalogError, ParameterError, UnknownEntityError
from designer.exchange.exporters import EXPORTERS
from designer.model import operations
from designer.model.design import Design
from designer.model.hardware.media import is_built_in
from designer.topologies.counted import COUNTED
from designer.topologies.presets import (
    FILES,
    SOURCE_NOT_KNOWN,
    Preset,
    family_of,
    networks_of,
    parameters_of,
    preset_named,
    presets,
    published_designs,
    read,
    said_of,
    source_text,
    values_of,
    waivers_of,
    word_of_endpoints,
)
from designer.topologies.published_figures import agreement, compared
from designer.validation.engine import validate
from designer.validation.findings import Severity

SECTIONS = (
    "rows",
    "torus",
    "dragonfly",
    "dragonfly_other",
    "dragonfly_plus",
    "slim_fly",
    "scale_up",
    "north_south",
)


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.id)
def test_every_published_figure_comes_out(preset, catalog):
    rows = [row for row in compared(preset, catalog) if not row.contradicted]
    assert [(row.title, row.made) for row in rows] == [(row.title, row.expected) for row in rows]
    assert {row.name for row in rows if row.printed} == set(preset.published) - set(preset.contradicted)
    assert {row.name for row in rows if not row.printed} == set(preset.derived)
    assert rows


def test_every_row_of_the_reference_is_a_published_design():
    kept = {key for one in published_designs() for key in (one.id, one.row or one.title)}
    for file, n_rows in (("architectures.json", 26), ("architectures-2026.json", 47)):
        facts = json.loads((Path(__file__).parent / "data" / file).read_text(encoding="utf-8"))
        rows = [row for section in SECTIONS for row in facts.get(section, ())]
        assert len(rows) == n_rows
        assert [row["name"] for row in rows if row.get("id", row["name"]) not in kept] == []


def test_figures_of_rows_that_were_derived_are_not_called_printed():
    for file in ("architectures.json", "architectures-2026.json"):
        facts = json.loads((Path(__file__).parent / "data" / file).read_text(encoding="utf-8"))
        for row in facts["rows"]:
            if row["verification"] == "derived" and row["id"] != "juniper-scale-large":  # which quotes two figures
                assert preset_named(row["id"]).published == {}, row["id"]
    assert all("nics" not in one.published for one in published_designs())  # a product in every row


def test_a_printed_figure_that_its_source_contradicts_differs_and_says_why(catalog):
    (row,) = [row for row in compared(preset_named("juniper-scale-large"), catalog) if row.contradicted]
    assert (row.name, row.expected, row.made, row.printed, row.equal) == ("leaf", 4096, 512, True, False)
    assert "number of servers" in row.contradicted


def test_figures_printed_and_derived_are_counted_apart(catalog):
    rows = compared(preset_named("openai-mrc-131072"), catalog)
    assert agreement(rows) == "1 of 1 printed figure matches; 5 of 5 figures derived here match"
    assert agreement([row for row in rows if row.printed]) == "1 of 1 printed figure matches"
    wrong = [replace(row, made=1) for row in rows]
    assert agreement(wrong) == "0 of 1 printed figure matches; 0 of 5 figures derived here match"


@pytest.mark.parametrize("preset", published_designs(), ids=lambda preset: preset.id)
def test_every_published_design_names_its_source_and_how_it_is_known(preset):
    assert preset.source and preset.title and preset.vendor
    assert preset.level in ("official", "secondary", "derived", "memory")
    assert "not known" not in source_text(preset) and "its notes" not in source_text(preset)
    assert source_text(preset).startswith("Source: ") is (preset.source != SOURCE_NOT_KNOWN)
    assert said_of(preset)[:1] == (source_text(preset),) or not source_text(preset)
    assert preset.family or re.fullmatch(r"[A-Z0-9].*[.]", preset.not_generated)


def test_links_are_counted_with_and_without_those_of_hosts_and_reserved_ports(catalog):
    superpod = preset_named("dgx-superpod-h100-4su")
    counts = family_of(superpod).counts(parameters_of(superpod), catalog)
    by_name = {row.name: row.number(counts, parameters_of(superpod)) for row in COUNTED}
    assert by_name["server-leaf"] == 1016
    assert by_name["server-leaf-and-reserved"] == 1020
    assert by_name["switch-links"] == by_name["leaf-spine"] == 1024
    assert by_name["links"] == 1016 + 1024
    assert by_name["switches"] == by_name["leaf"] + by_name["spine"] == 48


def test_links_of_hosts_of_routers_are_left_out_between_switches(catalog):
    for name in ("dragonfly-kim-72", "google-tpu-v4-superpod"):
        preset = preset_named(name)
        counts = family_of(preset).counts(parameters_of(preset), catalog)
        by_name = {row.name: row.number(counts, parameters_of(preset)) for row in COUNTED}
        assert by_name["links"] - by_name["switch-links"] == counts.endpoints


@pytest.mark.parametrize("preset", [one for one in presets() if one.scale], ids=lambda preset: preset.id)
def test_a_design_that_grows_gives_itself_at_its_own_number_of_units(preset, catalog):
    values = values_of(preset)
    (first, (by, more)), *_others = preset.scale.sets.items()
    units = (values[first] - more) / by
    assert units == int(units)
    assert values_of(preset, int(units)) == values
    half = max(1, int(units) // 2)
    assert family_of(preset).counts(parameters_of(preset, half), catalog).servers == half * by + more


def test_a_superpod_of_two_units_is_the_published_row_between():
    assert parameters_of(preset_named("dgx-superpod-h100-4su"), 3) == parameters_of(
        preset_named("dgx-superpod-h100-3su")
    )


def test_a_design_without_units_does_not_grow_by_them():
    with pytest.raises(ParameterError, match="google-tpu-v4-superpod does not grow by units"):
        values_of(preset_named("google-tpu-v4-superpod"), 2)
    with pytest.raises(ParameterError, match="scalable units should be at least 1, not 0"):
        values_of(preset_named("dgx-superpod-h100-4su"), 0)


def test_a_design_that_cannot_be_generated_says_why():
    with pytest.raises(UnknownEntityError, match=r"Groq GroqRack .ALCF. cannot be generated: It has no switches"):
        preset_named("groqrack")
    with pytest.raises(UnknownEntityError, match="there is no preset 'x'"):
        preset_named("x")


GOOD = """date: "2026-11-22"
entries:
  - id: pod
    title: "Pod"
    vendor: "V"
    source: "A paper"
    level: official
    family: fat-tree
    parameters: {servers: 4, rail: 3}
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "{servers: 4, rail: 3}",
            "{servers: 4}\n    accepted: [{code: SPREAD-001, reason: ''}]",
            r"field accepted\[0\].reason: say why the finding is accepted",
        ),
        ("rail: 3", "rail: 3", "field parameters: fat-tree has no parameter 'rail'"),
        ("{servers: 4, rail: 3}", "{servers: 4}\n    published: {leafs: 2}", "field published: 'leafs' is none of"),
        ("{servers: 4, rail: 3}", "{servers: 4}\n    derived: {leafs: 2}", "field derived: 'leafs' is none of"),
        (
            "{servers: 4, rail: 3}",
            "{servers: 4}\n    published: {leaf: 2}\n    derived: {leaf: 2}",
            "field derived: 'leaf' is printed",
        ),
        (
            "{servers: 4, rail: 3}",
            "{servers: 4}\n    contradicted: {leaf: two}",
            "field contradicted: 'leaf' is not in field published",
        ),
        ("family: fat-tree", "family: fat", "field family: there is no family 'fat'"),
        ("family: fat-tree", 'notes: ""', "field family: an entry has a family, or says in not_generated why not"),
        (
            "{servers: 4, rail: 3}",
            "{servers: 4}\n    scale: {noun: pods, sets: {leafs: [2, 0]}}",
            "field scale.sets: fat-tree has no parameter 'leafs'",
        ),
        ("{servers: 4, rail: 3}", "{servers: 4}\n    networks: {disk: 2}", "field networks: .*no parameter 'disk'"),
        ("level: official", "levels: official", "field level: is missing"),
    ],
)
def test_a_faulty_entry_is_refused_by_file_entry_and_field(old, new, fault, tmp_path):
    for name in FILES:
        (tmp_path / name).write_text('date: "2026-11-22"\nentries: []\n')
    (tmp_path / FILES[0]).write_text(GOOD.replace(", rail: 3", ""))
    assert [one.id for one in read(tmp_path)] == ["pod"]
    (tmp_path / FILES[0]).write_text(GOOD.replace(old, new))
    with pytest.raises(CatalogError, match=f"nvidia.yaml, entry pod, {fault}"):
        read(tmp_path)


def test_an_id_is_used_once_in_all_files(tmp_path):
    for name in FILES:
        (tmp_path / name).write_text(GOOD.replace(", rail: 3", ""))
    with pytest.raises(CatalogError, match=r"others.yaml, entry pod, field id: 'pod' is used twice"):
        read(tmp_path)


# -- built -------------------------------------------------------------------------------------------------------------

MOST_BUILT = 900
"""Devices; the largest are built by others, in tests of families."""


def small() -> list[Preset]:
    catalog = load()
    found = ((one, family_of(one).counts(parameters_of(one), catalog)) for one in presets())
    return [one for one, counts in found if counts.servers + sum(counts.switches.values()) <= MOST_BUILT]


@pytest.mark.slow
@pytest.mark.parametrize("preset", small(), ids=lambda preset: preset.id)
def test_a_published_design_is_without_findings_and_carries_traffic(preset, catalog, tmp_path):
    values = {**values_of(preset), **networks_of(preset)}
    design = new_design(family_of(preset), values, catalog, preset.id, "auto", preset).design
    findings = validate(design).findings
    assert [one.message for one in findings if one.severity is not Severity.INFO and one.waiver is None] == []
    assert {one.code for one in findings if one.waiver} == {one.code for one in preset.accepted}
    path = tmp_path / "plan.csv"
    plan = EXPORTERS.named("cable-plan")
    assert plan is not None
    plan.write(design, path)
    pulled = [one for one in design.links.values() if not is_built_in(design.types, one.medium_id)]
    assert len(path.read_text().splitlines()) == 1 + len(pulled)
    for collective in ("all-reduce", "all-to-all"):
        assert api.simulate(design, collective=collective, size_bytes=2**26).time_s > 0


@pytest.mark.slow
def test_findings_that_published_figures_ask_for_are_waived_while_they_are_no_worse(catalog):
    preset = preset_named("dgx-superpod-rubin-nvl8-16su")
    family, values = family_of(preset), {**values_of(preset), "servers": 144, "spines": 8}
    parameters = parameters_of(preset)
    (waiver,) = waivers_of(preset, parameters)
    assert waiver.author == preset.source
    assert waivers_of(preset, replace(parameters, spines=72)) == ()
    smaller = new_design(family, values, catalog, preset.title, "none", preset).design
    assert not smaller.waivers  # other than published

    design = Design()
    design.apply(family.build(design, parameters, catalog))
    design.apply(with_origin(design, preset, parameters, alone=False))
    assert not design.waivers  # might be about another fabric
    design.apply(with_origin(design, preset, parameters, alone=True))
    found = [one for one in validate(design).findings if one.severity is not Severity.INFO]
    assert {(one.code, one.waiver is not None) for one in found} == {("SPREAD-001", True)}
    leaf, spine = (design.find(name).id for name in ("leaf-su01-r1", "spine-64"))
    links = [one.id for one in design.links_of(leaf) if spine in (one.a.device_id, one.b.device_id)]
    design.apply(operations.delete(design, links))
    worse = [one for one in validate(design).findings if one.code == "SPREAD-001" and one.waiver is None]
    assert [one.subjects[0] for one in worse] == [leaf]


def test_lumi_g_has_the_rate_that_is_read_off_a_bandwidth_table():
    preset = preset_named("lumi-g")
    assert parameters_of(preset).link_rate_gbps == 200.0 and "200 Gb/s" in preset.assumed


def test_groups_of_aurora_are_joined_as_in_the_figure_of_its_guide():
    """Argonne's guide, DAOS overview, figure of the dragonfly groups: 25 GB/s each way; arcs of 2, 8, 22 links."""
    parameters = parameters_of(preset_named("aurora"))
    plan = parameters.plan
    assert parameters.link_rate_gbps == 25 * 8
    assert [(one.name, one.count) for one in plan.kinds] == [("compute", 166), ("io", 8), ("service", 1)]
    joins = {one: plan.n_links(*one) for one in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2))}
    assert joins == {(0, 0): 2 * 13_695, (0, 1): 2 * 1_328, (0, 2): 2 * 166, (1, 1): 22 * 28, (1, 2): 8 * 8}


MACHINES = [
    ("aurora", 10_624, 84_992, "8 NICs a node"),
    ("lumi-g", 24 * 128, 24 * 512, "4 NICs a node"),
    ("polaris", 560 * 4, 1_120, "4 GPUs and 2 NICs a node"),
    ("perlmutter", 14 * 512, 14 * 512, "no nodes are stated"),
    ("leonardo", 3_456 * 4, 13_824, "4 GPUs and 4 ports a node"),
]


@pytest.mark.parametrize(("name", "endpoints", "ports", "_why"), MACHINES)
def test_ranks_of_published_machines_are_those_of_their_compute_nodes(name, endpoints, ports, _why, catalog):
    """CPU, storage and service groups have host ports and no GPUs; nodes have the NICs and GPUs that are stated."""
    preset = preset_named(name)
    parameters = parameters_of(preset)
    plan, named = parameters.plan, dict(parameters.kind_servers)
    counts = family_of(preset).counts(parameters, catalog)
    assert counts.endpoints == endpoints
    compute = [one for one in plan.kinds if not named.get(one.name, "").startswith("generic-node")]
    assert sum(one.count * one.leafs * one.p for one in compute) == ports
    assert {one.name for one in plan.kinds if one.p} - {one.name for one in compute} == set(named)
    assert word_of_endpoints(preset) == ("GPU" if name in ("polaris", "leonardo") else "host")


SMALL_PODS = [one for one in presets() if one.family == "fat-tree" and values_of(one).get("tiers") == "1"]


@pytest.mark.parametrize("preset", SMALL_PODS, ids=lambda one: one.id)
def test_leaf_switches_of_a_small_pod_stand_over_the_middle_of_its_servers(preset):
    assert len(SMALL_PODS) >= 6
    design = Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), load()))
    servers = [design.placements[one.id] for one in design.servers()]
    leafs = [design.placements[one.id] for one in design.devices.values() if one.role == "leaf"]
    middles = [min(one.x for one in row) + max(one.x for one in row) for row in (servers, leafs)]
    assert middles[0] == pytest.approx(middles[1], abs=1.0)
    assert max(one.y for one in leafs) < min(one.y for one in servers)
    assert len({(one.x, one.y) for one in (*servers, *leafs)}) == len(servers) + len(leafs)

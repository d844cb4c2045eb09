"""generate, info, validate and export: what they print and write, and their exit codes."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from designer.fields.field import fields_of
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Link
from designer.model.policy import DEFAULT
from designer.storage import document
from designer.topologies.families import FAMILIES
from designer.validation.engine import RULES

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

FAT_TREE = ("fat-tree", "--switch", "nvidia-qm9700", "--server", "dgx-h100")

INFO_KEYS = {
    "name",
    "counts",
    "links",
    "parts",
    "oversubscription",
    "diameter_hops",
    "bisection_gbps",
    "power_w",
    "cost_usd",
    "components",
}

LIMITED_BY_DEFAULT = {
    rule.code for rule in RULES if not rule.policy or any(getattr(DEFAULT, name) for name in rule.policy)
}
"""Rules that the policy of the program itself sets a limit for, or that need none."""


@pytest.fixture
def faulty_file(superpod_file, tmp_path):
    """The SuperPOD with two devices of one name, a port used twice and an uplink gone."""
    design = document.load(superpod_file)
    spine = design.find("spine-02")
    design.apply(Edit("name", (Change(spine, replace(spine, name="spine-01")),)))
    first = design.links["l1"]
    design.apply(Edit("twice", (Change(None, Link("l9999", first.a, first.b)),)))
    uplink = next(link for link in design.links.values() if design.is_switch(link.a.device_id))
    design.apply(operations.delete(design, [uplink.id]))
    path = tmp_path / "faulty.fabric"
    document.save(design, path)
    return path


# -- generate ---------------------------------------------------------------------------------------------------------


def test_generate_writes_the_superpod_of_the_published_table(superpod_file):
    design = document.load(superpod_file)
    roles = [device.role for device in design.switches()]
    assert (roles.count("leaf"), roles.count("spine"), len(design.servers())) == (32, 16, 127)
    ends = [(link.a.device_id, link.b.device_id) for link in design.links.values()]
    assert sum(design.is_switch(a) and design.is_switch(b) for a, b in ends) == 1024
    assert design.settings.name == "Rail-optimized, 4 SU, 127 servers", "as in the window"
    assert sum(len(device.reserved_ports) for device in design.devices.values()) == 4


def test_generate_says_on_stderr_what_it_made_and_nothing_on_stdout(fabric_designer, tmp_path):
    stated = fabric_designer(
        "generate", "pgft", "--children", "8,8", "--parents", "1,4", "--name", "Study", "-o", tmp_path / "p.fabric"
    )
    assert (stated.code, stated.out) == (0, "")
    assert "64 hosts" in stated.err and "8 leaf switches, 4 spines" in stated.err
    assert document.load(tmp_path / "p.fabric").settings.name == "Study"


def test_a_ratio_of_two_whole_numbers_is_read(fabric_designer, tmp_path):
    stated = fabric_designer(
        "generate", *FAT_TREE, "--servers", "40", "--oversubscription", "3:2", "-o", tmp_path / "a"
    )
    assert stated.code == 0
    assert document.load(tmp_path / "a").policy.leaf_oversubscription == 1.5


def test_a_generated_oversubscription_is_the_limit_of_the_design(fabric_designer, oversubscribed_file):
    assert document.load(oversubscribed_file).policy.leaf_oversubscription == 2.0
    assert fabric_designer("validate", oversubscribed_file).code == 0


def test_racks_of_trays_are_generated_with_the_defaults(fabric_designer, tmp_path):
    racks = ("--server", "gb200-nvl72", "--servers", "8")
    stated = fabric_designer("generate", "rail-optimized", *racks, "-o", tmp_path / "a")
    assert stated.code == 0
    assert "8 servers; 32 leaf switches, 9 spines" in stated.err
    assert fabric_designer("validate", tmp_path / "a").code == 0


def test_numbers_of_spines_cores_and_leafs_a_pod_are_options(fabric_designer, tmp_path):
    numbers = ("--servers", "64", "--spines", "16", "--cores", "16", "--pod-size", "8")
    stated = fabric_designer("generate", *FAT_TREE, *numbers, "-o", tmp_path / "a")
    assert stated.code == 0
    assert "16 leaf switches, 16 spines, 16 cores" in stated.err
    stated = fabric_designer("generate", *FAT_TREE, "--servers", "64", "--spines", "12", "-o", tmp_path / "b")
    assert "spread unevenly over 12 spines" in stated.err


def test_a_nic_mode_is_an_option(fabric_designer, tmp_path):
    made = ("generate", "fat-tree", "--switch", "generic-switch", "--server", "dgx-b300", "--servers", "4")
    assert fabric_designer(*made, "--nic-mode", "2x400G", "-o", tmp_path / "a").code == 0
    design = document.load(tmp_path / "a")
    assert {one.port_mode for one in design.modules.values()} == {"2x400G"}
    fabric_designer(*made, "--nic-mode", "1x400G", "-o", tmp_path / "b").assert_refused("1x800G or 2x400G")


def test_generate_is_repeatable_to_the_byte(fabric_designer, tmp_path):
    arguments = ("generate", "rail-optimized", "--switch", "nvidia-qm9700", "--server", "dgx-h100", "--servers", "40")
    for name in ("one", "two"):
        assert fabric_designer(*arguments, "--name", "Pod", "-o", tmp_path / name).code == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*FAT_TREE, "--servers", "4", "--switch", "nvidia-qm970"), ("nvidia-qm9700",)),
        ((*FAT_TREE, "--servers", "4", "--switch", "dgx-h100"), ("DGX H100", "not a switch")),
        (FAT_TREE, ("--servers",)),
        ((*FAT_TREE, "--servers", "many"), ("'many'", "--servers")),
        ((*FAT_TREE, "--servers", "0"), ("servers",)),
        ((*FAT_TREE, "--servers", "999999"), ("999,999",)),
        ((*FAT_TREE, "--servers", "4", "--oversubscription", "x"), ("'x' is not a ratio",)),
        (("pgft", "--children", "8,x", "--parents", "1,4"), ("8,x",)),
        (("pgft", "--children", "8,8", "--parents", "1,4,4"), ("children", "parents")),
        (("pgft", "--children", "8,8", "--parents", "1,4", "--link-rate", "fast"), ("'fast' is not a rate",)),
        (("hypercube", "--dims", "4x4"), ("hypercube",)),
    ],
)
def test_what_cannot_be_generated_is_refused_in_one_sentence(fabric_designer, tmp_path, arguments, words):
    path = tmp_path / "no.fabric"
    fabric_designer("generate", *arguments, "-o", path).assert_refused(*words)
    assert not path.exists()


def test_every_family_lists_each_of_its_parameters_as_an_option(fabric_designer):
    for family in FAMILIES:
        stated = fabric_designer("generate", family.name, "--help")
        assert stated.code == 0
        for field in fields_of(family.parameters).values():
            assert f"{field.option} " in stated.out


def test_an_output_is_replaced_only_by_force(fabric_designer, tmp_path):
    path = tmp_path / "p.fabric"
    path.write_text("precious")
    arguments = ("generate", "pgft", "--children", "4", "--parents", "1", "-o", path)
    fabric_designer(*arguments).assert_refused("p.fabric", "--force")
    assert path.read_text() == "precious"
    assert fabric_designer(*arguments, "--force").code == 0
    assert len(document.load(path).servers()) == 4


def test_an_output_where_nothing_can_be_written_is_named(fabric_designer, tmp_path):
    arguments = ("generate", "pgft", "--children", "4", "--parents", "1", "-o")
    fabric_designer(*arguments, tmp_path).assert_refused(str(tmp_path), "folder")
    fabric_designer(*arguments, tmp_path / "none" / "x.fabric").assert_refused(str(tmp_path / "none"))
    (tmp_path / "file").write_text("")
    fabric_designer(*arguments, tmp_path / "file" / "x.fabric").assert_refused("file")
    fabric_designer(*arguments, tmp_path / ("x" * 300)).assert_refused("xxx")


# -- info -------------------------------------------------------------------------------------------------------------


def test_info_as_json_has_the_keys_of_the_contract(fabric_designer, superpod_file):
    found = fabric_designer("info", superpod_file, "--format", "json").json
    assert set(found) >= INFO_KEYS
    assert found["counts"] == {
        "servers": 127,
        "endpoints": 1016,
        "nics": 1016,
        "switches": {"leaf": 32, "spine": 16},
        "racks": 37,
    }
    assert found["links"] == {"server-leaf": 1016, "leaf-spine": 1024}
    assert found["oversubscription"] == {"leaf": 1.0}
    assert found["bisection_gbps"] == {"value": 201_600.0, "exact": True}
    assert found["parts"]["fibres"] == 2040
    assert found["power_w"] == 48 * 1720 + 127 * 10_200
    assert found["cost_usd"] is None
    assert (found["diameter_hops"], found["components"]) == (2, 1)


def test_info_as_text_is_readable(fabric_designer, superpod_file, oversubscribed_file):
    stated = fabric_designer("info", superpod_file)
    assert (stated.code, stated.err) == (0, "")
    assert "127 with 1,016 GPUs" in stated.out
    assert "32 leaf switches, 16 spines" in stated.out
    assert "201.6 Tb/s (exact)" in stated.out
    assert "2,040 fiber cables" in stated.out
    assert "leaf 2:1" in fabric_designer("info", oversubscribed_file).out


def test_info_costs_a_design_by_a_price_list(fabric_designer, superpod_file, tmp_path):
    prices = tmp_path / "prices.csv"
    prices.write_text("part number,price,currency,date\nDGX H100,1000,USD,2026-11-01\n")
    stated = fabric_designer("info", superpod_file, "--prices", prices)
    assert re.search(r"^cost +127,000.00 USD without 7 lines whose price is unknown$", stated.out, re.MULTILINE)
    found = fabric_designer("info", superpod_file, "--prices", prices, "--format", "json").json["bill"]
    assert found["cost"]["known"] == {"USD": 127000.0} and len(found["cost"]["lines_without_price"]) == 7
    prices.write_text("part number,price\n")
    refused = fabric_designer("info", superpod_file, "--prices", prices)
    assert refused.code == 2 and "prices.csv, line 1: there is no column 'currency'" in refused.err


def test_info_of_an_empty_design_says_what_is_not_there(fabric_designer, tmp_path):
    document.save(Design(), tmp_path / "empty.fabric")
    stated = fabric_designer("info", tmp_path / "empty.fabric")
    assert stated.code == 0 and "not defined here" in stated.out
    assert fabric_designer("info", tmp_path / "empty.fabric", "--format", "json").json["components"] == 0


# -- validate ---------------------------------------------------------------------------------------------------------


def test_validate_passes_a_clean_superpod(fabric_designer, superpod_file):
    stated = fabric_designer("validate", superpod_file)
    assert stated.code == 0
    assert "0 errors, 0 warnings" in stated.out
    assert "not checked:" in stated.out
    found = fabric_designer("validate", superpod_file, "--format", "json").json
    assert (found["findings"], found["errors"], found["warnings"]) == ([], 0, 0)


def test_validate_lists_findings_with_their_fixes_and_exits_1(fabric_designer, faulty_file):
    stated = fabric_designer("validate", faulty_file)
    assert stated.code == 1
    assert "NAME-001" in stated.out and "PORT-002" in stated.out and "SPREAD-001" in stated.out
    assert "fix: Rename to spine-" in stated.out
    assert stated.err == ""


def test_validate_as_json_has_the_keys_of_the_contract(fabric_designer, faulty_file):
    stated = fabric_designer("validate", faulty_file, "--format", "json")
    assert stated.code == 1
    found = stated.json
    assert set(found) == {"findings", "not_checked", "off", "errors", "warnings", "infos", "waived"}
    assert found["errors"] == sum(finding["severity"] == "error" for finding in found["findings"]) > 0
    assert found["warnings"] == sum(finding["severity"] == "warning" for finding in found["findings"]) > 0
    for finding in found["findings"]:
        assert set(finding) >= {"code", "severity", "message", "subjects", "limit", "value", "fix", "waived"}
        assert finding["severity"] in ("error", "warning", "info")
        assert finding["subjects"] and all(isinstance(name, str) for name in finding["subjects"])
        assert finding["waived"] is False
    duplicate = next(finding for finding in found["findings"] if finding["code"] == "NAME-001")
    assert duplicate["subjects"] == ["spine-01", "spine-01"] and duplicate["value"] == 2 and duplicate["limit"] == 1


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("superpod-h100-4su", set()),
        ("fat-tree-16-2to1", {"OVER-001"}),
        (
            "faults",
            {rule.code for rule in RULES if not rule.policy or any(getattr(DEFAULT, one) for one in rule.policy)},
        ),
    ],
)
def test_the_examples_are_told_about_and_checked(fabric_designer, name, codes):
    path = EXAMPLES / f"{name}.fabric"
    assert fabric_designer("info", path, "--format", "json").json["counts"]["servers"] > 0
    stated = fabric_designer("validate", path, "--format", "json")
    assert {finding["code"] for finding in stated.json["findings"]} == codes
    assert stated.code == (1 if codes else 0)


# -- export -----------------------------------------------------------------------------------------------------------


def test_export_lists_its_formats_and_their_options(fabric_designer):
    stated = fabric_designer("export", "--list")
    assert stated.code == 0
    mark = "byte-order-mark=yes|no"
    for word in ("cable-plan", "cable-plan-xlsx", "svg", "png", mark, "both-ways=yes|no", "theme=light|dark"):
        assert word in stated.out
    lines = stated.out.splitlines()
    assert lines.index("Drawings") < lines.index("Cables") < lines.index("InfiniBand")
    alone = fabric_designer("export", "--list", "--to", "ibsim").out.splitlines()
    assert [line for line in alone if not line.startswith("      ")] == [
        "InfiniBand",
        "  ibsim  InfiniBand netlist for ibsim (*.net)",
    ]


def test_export_writes_the_cable_plan(fabric_designer, superpod_file, tmp_path):
    path = tmp_path / "plan.csv"
    stated = fabric_designer(
        "export", superpod_file, "--to", "cable-plan", "-o", path, "--option", "byte-order-mark=yes"
    )
    assert (stated.code, stated.out) == (0, "")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2040
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert (
        fabric_designer(
            "export", superpod_file, "--to", "cable-plan", "-o", path, "--option", "both-ways=yes", "--force"
        ).code
        == 0
    )
    assert path.read_text(encoding="utf-8").count("\n") == 4081


def test_export_writes_the_workbook(fabric_designer, oversubscribed_file, tmp_path):
    path = tmp_path / "plan.xlsx"
    assert fabric_designer("export", oversubscribed_file, "--to", "cable-plan-xlsx", "-o", path).code == 0
    assert openpyxl.load_workbook(path)["Cables"].max_row == 209


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--to", "cable-plan"), ("-o",)),
        (("-o", "plan.csv"), ("--to", "cable-plan")),
        (("--to", "visio", "-o", "x"), ("visio", "cable-plan", "svg")),
        (("--to", "cable-plan", "-o", "plan.csv", "--option", "colour=red"), ("colour", "both-ways")),
        (("--to", "cable-plan", "-o", "plan.csv", "--option", "bom"), ("'bom'", "key=value")),
        (("--to", "cable-plan", "-o", "plan.csv", "--option", "bom=yes"), ("bom", "write byte-order-mark=")),
        (("--to", "cable-plan", "-o", "plan.csv", "--option", "both-ways=maybe"), ("maybe", "both-ways=yes|no")),
        (("--to", "svg", "-o", "d.svg", "--option", "theme=pink"), ("pink", "light or dark")),
        (("--to", "svg", "-o", "d.svg", "--option", "heat=all-reduce", "--option", "size=banana"), ("banana",)),
        (("--to", "png", "-o", "d.png", "--option", "width=wide"), ("wide",)),
        (("--to", "png", "-o", "d.png", "--option", "width=9999999"), ("9,999,999",)),
    ],
)
def test_an_export_that_makes_no_sense_writes_nothing(
    fabric_designer, oversubscribed_file, tmp_path, monkeypatch, arguments, words
):
    monkeypatch.chdir(tmp_path)
    fabric_designer("export", oversubscribed_file, *arguments).assert_refused(*words)
    assert list(tmp_path.iterdir()) == []


def test_an_export_replaces_a_file_only_by_force(fabric_designer, oversubscribed_file, tmp_path):
    path = tmp_path / "plan.csv"
    path.write_text("precious")
    arguments = ("export", oversubscribed_file, "--to", "cable-plan", "-o", path)
    fabric_designer(*arguments).assert_refused("plan.csv", "--force")
    assert path.read_text() == "precious"
    assert fabric_designer(*arguments, "--force").code == 0
    assert path.read_text(encoding="utf-8").startswith("cable_id,")


# -- files that are none ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("info",), ("validate",), ("simulate", "--traffic", "shift:1", "--size", "1M")])
def test_a_file_that_is_no_design_is_refused_in_one_sentence(fabric_designer, tmp_path, command):
    contents = {
        "empty.fabric": b"",
        "noise.fabric": bytes(range(256)) * 64,
        "list.fabric": b"[1, 2]",
        "other.fabric": b'{"format": "something else", "version": 1}',
        "newer.fabric": b'{"format": "fabric-design", "version": 999}',
        "cut.fabric": b'{"format": "fabric-design", "version": 1,\n"settings": {"name": "x',
        "astray.fabric": b'{"format": "fabric-design", "version": 1,'
        b' "devices": [{"id": "d1", "name": "a", "type_id": "none"}]}',
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
        fabric_designer(command[0], tmp_path / name, *command[1:]).assert_refused(name)
    fabric_designer(command[0], tmp_path / "missing.fabric", *command[1:]).assert_refused("missing.fabric")
    fabric_designer(command[0], tmp_path, *command[1:]).assert_refused(tmp_path.name, "folder")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    fabric_designer(command[0], tmp_path / "dangling", *command[1:]).assert_refused("dangling")
    fabric_designer(command[0], "/dev/null", *command[1:]).assert_refused("null")


def test_the_current_folder_is_named_although_a_dot_has_no_name(fabric_designer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fabric_designer("info", ".").assert_refused(tmp_path.name, "folder")


def test_json_of_any_name_is_json(fabric_designer, oversubscribed_file, tmp_path):
    design = document.load(oversubscribed_file)
    design.apply(operations.rename(design, design.find("leaf-01").id, 'quote " and 机架'))
    design.apply(operations.rename(design, design.find("leaf-02").id, "twin"))
    other = design.find("leaf-03")
    design.apply(Edit("twin", (Change(other, replace(other, name="twin")),)))
    document.save(design, tmp_path / "x.fabric")
    stated = fabric_designer("validate", tmp_path / "x.fabric", "--format", "json")
    assert json.loads(stated.out)["errors"] == 1

"""`validate`, `fix` and `rules`: policies, waivers, baselines, and reports for other programs."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from designer.catalog.catalog import load
from designer.cli.main import commands
from designer.model import operations, removing, waiving
from designer.model.design import Design
from designer.model.policy import Policy
from designer.model.waiver import Waiver
from designer.storage import document
from designer.storage import policies as policy_files
from designer.topologies.fat_tree import FatTreeParameters, build

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def design():
    made = Design()
    parameters = FatTreeParameters(switch="generic-switch-48x400g", server="dgx-h100", servers=16, oversubscription=2.0)
    made.apply(build(made, parameters, load()))
    return made


@pytest.fixture
def file(design, tmp_path):
    path = tmp_path / "pod.fabric"
    document.save(design, path)
    return path


def run(*arguments):
    return CliRunner().invoke(commands, [str(one) for one in arguments])


def test_a_policy_in_a_file_is_checked_against_in_place_of_the_designs_own(file, tmp_path):
    assert run("validate", file).exit_code == 1
    policy_files.save(Policy(leaf_oversubscription=2.0), tmp_path / "acme.fabric-policy")
    result = run("validate", file, "--policy", tmp_path / "acme.fabric-policy")
    assert result.exit_code == 0, result.output
    off = Policy("No blocking", off=(("OVER-001", "a study of blocking fabrics"),))
    policy_files.save(off, tmp_path / "off.fabric-policy")
    result = run("validate", file, "--policy", tmp_path / "off.fabric-policy")
    assert "switched off by the policy:\n  OVER-001  a study of blocking fabrics" in result.output


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "acme.fabric-policy ends in the middle, at line 1: it was cut short"),
        ("[]", 'acme.fabric-policy is not a policy: it does not say "format": "fabric-policy"'),
        ('{"format": "fabric-policy", "version": 2}', "acme.fabric-policy was written by a newer version"),
        ('{"format": "fabric-policy", "version": 1, "limit": 2}', "limit: this version knows no such field"),
        (
            '{"format": "fabric-policy", "version": 1, "leaf_oversubscription": 0}',
            "leaf_oversubscription, expected a number > 0",
        ),
        ('{"format": "fabric-policy", "version": 1, "off": [["OVER-001", ""]]}', "off: say why OVER-001 is switched"),
        ("[" * 100_000, "acme.fabric-policy"),
    ],
)
def test_a_policy_that_cannot_be_read_is_refused_in_one_sentence(file, tmp_path, text, sentence):
    path = tmp_path / "acme.fabric-policy"
    path.write_text(text)
    result = run("validate", file, "--policy", path)
    assert result.exit_code == 2 or result.exception is not None
    assert sentence in str(result.exception or result.output)


def test_policies_written_are_read_as_they_were(tmp_path):
    policy = Policy("Acme", 1.5, spare_ports=2, severities=(("NET-002", "error"),), off=(("RACK-005", "Gänge"),))
    path = tmp_path / "acme.fabric-policy"
    policy_files.save(policy, path)
    assert policy_files.load(path) == policy
    assert path.read_text().count("\n") == 7  # a setting a line
    policy_files.save(Policy(), tmp_path / "plain.fabric-policy")
    assert policy_files.load(tmp_path / "plain.fabric-policy").name == "plain"


def test_fail_on_warning_and_rules_say_what_counts(file):
    assert run("validate", file, "--rules", "SPREAD", "--fail-on", "warning").exit_code == 0
    assert run("validate", file, "--rules", "over-001").exit_code == 1
    result = run("validate", file, "--rules", "NOPE-001")
    assert "there is no rule 'NOPE-001': fabric-designer rules lists them" in str(result.exception or result.output)


def test_only_findings_that_a_baseline_lacks_count(design, file, tmp_path):
    known = tmp_path / "known.json"
    known.write_text(run("validate", file, "--format", "json").output)
    assert run("validate", file, "--baseline", known).exit_code == 0
    changed = document.load(file)
    leaf = next(one for one in changed.devices.values() if one.role == "leaf")
    changed.apply(operations.rename(changed, leaf.id, "moved"))
    document.save(changed, tmp_path / "changed.fabric")
    result = run("validate", tmp_path / "changed.fabric", "--baseline", known)
    assert result.exit_code == 1
    assert len(re.findall("OVER-001  moved", result.output)) == 1
    known.write_text("{}")
    result = run("validate", file, "--baseline", known)
    assert "known.json is not a report of validate --format json" in str(result.exception or result.output)


def waived(file):
    design = document.load(file)
    report = run("validate", file, "--format", "json")
    named = json.loads(report.output)["findings"][0]["subjects"][0]
    waiver = Waiver("", "OVER-001", (design.find(named).id,), author="Kim", reason="=1+1", date="2026-11-22")
    design.apply(waiving.add_waivers(design, [waiver]))
    document.save(design, file)
    return named


def test_the_csv_report_lists_waivers_and_runs_no_formula(file):
    name = waived(file)
    rows = list(csv.DictReader(io.StringIO(run("validate", file, "--format", "csv").output)))
    last = rows[-1]
    assert (last["rule"], last["where"], last["waived"], last["waived by"]) == ("OVER-001", name, "yes", "Kim")
    assert last["accepted because"] == "'=1+1"
    assert {row["waived"] for row in rows[:-1]} == {"no"}


def test_the_sarif_report_names_rules_lines_and_waivers(file):
    name = waived(file)
    result = run("validate", file, "--format", "sarif")
    (made,) = json.loads(result.output)["runs"]
    rules = made["tool"]["driver"]["rules"]
    lines = file.read_text().split("\n")
    assert made["results"]
    for one in made["results"]:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"]
        (place, *_) = one["locations"]
        assert (
            f'"name": "{place["logicalLocations"][0]["name"]}"'
            in lines[place["physicalLocation"]["region"]["startLine"] - 1]
        )
        assert place["physicalLocation"]["artifactLocation"]["uri"] == "pod.fabric"  # the folder is another
    prints = [one["partialFingerprints"]["fabricFinding/v1"] for one in made["results"]]
    assert len(set(prints)) == len(prints)
    (suppressed,) = [one for one in made["results"] if "suppressions" in one]
    assert suppressed["suppressions"][0]["justification"] == "=1+1 (Kim, 2026-11-22)"
    assert suppressed["locations"][0]["logicalLocations"][0]["name"] == name
    notes = made["invocations"][0]["toolExecutionNotifications"]
    assert all(one["message"]["text"].startswith("Not checked: ") for one in notes)


def test_fingerprints_stay_when_ids_change(design, tmp_path, file):
    first = run("validate", file, "--format", "sarif").output
    moved = tmp_path / "moved.fabric"
    moved.write_text(re.sub(r'"d([0-9]+)"', lambda found: f'"d{int(found[1]) + 1000}"', file.read_text()))
    second = run("validate", moved, "--format", "sarif").output
    pick = re.compile(r'"fabricFinding/v1": "(\w+)"')
    assert pick.findall(first) == pick.findall(second) != []


def test_the_page_for_a_review_has_everything_and_no_markup_of_the_design(file):
    waived(file)
    design = document.load(file)
    design.apply(operations.set_settings(design, name="<script>alert(1)</script>"))
    document.save(design, file)
    page = run("validate", file, "--format", "html").output
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    for part in (
        "Open findings",
        "OVER-001: Leaf oversubscribed",
        "Waived findings",
        "Not checked",
        "Policy",
        "SHA-256",
    ):
        assert part in page, part
    assert page.count("<svg ") == 1


def test_the_table_of_rules_and_the_page_of_one():
    stated = json.loads(run("rules", "--format", "json").output)["rules"]
    assert [one["code"] for one in stated] == sorted(one["code"] for one in stated)
    (over,) = [one for one in stated if one["code"] == "OVER-001"]
    assert over["policy"] == ["leaf_oversubscription"] and over["fix"] is True
    page = run("rules", "over-001").output
    assert "OVER-001: Leaf oversubscribed (error)" in page and "Set by the policy: leaf_oversubscription" in page


def test_fix_applies_what_can_be_fixed_and_names_what_cannot(file, tmp_path, design):
    broken = document.load(file)
    leaf = next(one for one in broken.devices.values() if one.role == "leaf")
    other = next(one for one in broken.devices.values() if one.role == "leaf" and one.id != leaf.id)
    server = next(iter(broken.servers()))
    for one in (leaf, other, server):
        broken.apply(operations.rename(broken, one.id, "twin"))
    document.save(broken, file)
    codes = [one["code"] for one in json.loads(run("validate", file, "--format", "json").output)["findings"]]
    assert codes.count("NAME-001") == 2
    result = run("fix", file, "--rules", "NAME", "--dry-run")
    assert result.exit_code == 0 and result.output.count("NAME-001") == 2
    out = tmp_path / "out.fabric"
    result = run("fix", file, "--rules", "NAME", "-o", out)
    assert "2 of 2 findings fixed" in result.output
    codes = [one["code"] for one in json.loads(run("validate", out, "--format", "json").output)["findings"]]
    assert "NAME-001" not in codes and "OVER-001" in codes


def test_fix_states_the_oversubscription_of_the_switches_that_it_joins(file, tmp_path):
    broken = document.load(file)
    leaf = next(one for one in broken.devices.values() if one.role == "leaf")
    ends = {link.id: {link.a.device_id, link.b.device_id} for link in broken.links_of(leaf.id)}
    uplinks = [one for one, pair in ends.items() if all(map(broken.is_switch, pair))]
    broken.apply(operations.delete(broken, uplinks))
    document.save(broken, file)
    result = run("fix", file, "--rules", "TIER", "--dry-run")
    assert f"\nOversubscription then: 2:1 at {leaf.name}\n" in result.output


def test_places_of_a_report_are_seen_from_the_folder_of_the_command(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)
    made = json.loads(run("validate", file, "--format", "sarif").output)
    assert made["runs"][0]["artifacts"][0]["location"]["uri"] == f"{tmp_path.name}/pod.fabric"


@pytest.mark.parametrize("rules", ["", ",", " , "])
def test_rules_that_name_none_are_refused(file, rules):
    result = run("validate", file, "--rules", rules)
    assert result.exit_code != 0
    assert "--rules names no rule" in str(result.exception or result.output)


def test_what_was_waived_in_the_baseline_is_not_known(file, tmp_path):
    waived(file)
    known = tmp_path / "known.json"
    known.write_text(run("validate", file, "--format", "json").output)
    design = document.load(file)
    design.apply(waiving.withdraw(design, list(design.waivers)))
    document.save(design, file)
    assert run("validate", file, "--baseline", known).exit_code == 1


def test_fix_with_a_policy_leaves_the_designs_own(file, tmp_path):
    policy_files.save(Policy("Acme", 3.0), tmp_path / "acme.fabric-policy")
    out = tmp_path / "out.fabric"
    assert run("fix", file, "--policy", tmp_path / "acme.fabric-policy", "-o", out).exit_code == 0
    assert document.load(out).policy == document.load(file).policy
    assert run("fix", file, "--dry-run", "-o", out).exit_code == 0  # nothing is written over


def test_a_report_that_cannot_be_written_says_where(file, tmp_path):
    (tmp_path / "folder").mkdir()
    result = run("validate", file, "-o", tmp_path / "folder")
    assert "folder" in str(result.exception or result.output)


def test_what_a_rule_finds_at_many_switches_is_counted_after_the_first_and_listed_where_asked(tmp_path):
    design = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    spine = next(one for one in design.switches() if one.role == "spine")
    design.apply(removing.delete(design, [spine.id]))
    path = tmp_path / "lost.fabric"
    document.save(design, path)
    brief = run("validate", path).stdout.splitlines()
    every = run("validate", path, "--all").stdout.splitlines()
    n_leafs = sum(" OVER-001 " in one for one in every)
    assert n_leafs > 5 == sum(" OVER-001 " in one for one in brief)
    assert f"    and {n_leafs - 5} more of OVER-001: --all lists each" in brief
    assert not [one for one in every if "--all lists each" in one]
    counted = [one for one in every if one.endswith(("warnings", "warning"))]
    assert counted and set(counted) <= set(brief), "the counts are the same"

"""Reports of findings pass the schema that SARIF publishes, and a reader of such reports that is not ours."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from designer.cli.main import commands
from designer.model import waiving
from designer.model.waiver import Waiver
from designer.storage import document
from designer.validation.engine import validate

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = jsonschema.Draft7Validator(json.loads((ROOT / "tests/exchange/data/sarif-schema-2.1.0.json").read_text()))


def report(path):
    return json.loads(CliRunner().invoke(commands, ["validate", str(path), "--format", "sarif"]).output)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """By name: the faulty example, the same with one finding waived, and one with few findings."""
    folder = tmp_path_factory.mktemp("sarif")
    design = document.load(ROOT / "examples/faults.fabric")
    finding = validate(design).findings[0]
    waiver = Waiver("", finding.code, finding.subjects, author="Kim", reason="Known", date="2026-11-22")
    design.apply(waiving.add_waivers(design, [waiver]))
    document.save(design, folder / "waived.fabric")
    faulty, few = ROOT / "examples/faults.fabric", ROOT / "examples/fat-tree-16-2to1.fabric"
    return {"faulty": report(faulty), "waived": report(folder / "waived.fabric"), "few": report(few)}


@pytest.mark.parametrize("name", ["faulty", "waived", "few"])
def test_reports_pass_the_published_schema(reports, name):
    made = reports[name]
    assert made["runs"][0]["results"]
    assert [error.message for error in SCHEMA.iter_errors(made)] == []


def test_the_schema_refuses_what_reports_must_not_hold(reports):
    broken = json.loads(json.dumps(reports["waived"]))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    broken["runs"][0]["results"][-1]["suppressions"] = [{"kind": "waived"}]
    assert len(list(SCHEMA.iter_errors(broken))) == 2


@pytest.mark.parametrize("name", ["faulty", "waived", "few"])
def test_sarif_tools_reads_the_findings_that_are_there(reports, tmp_path, name):
    loader = pytest.importorskip("sarif.loader", reason="sarif-tools is not installed")
    path = tmp_path / f"{name}.sarif"
    path.write_text(json.dumps(reports[name]))
    read = loader.load_sarif_file(str(path))
    written = reports[name]["runs"][0]["results"]
    assert Counter(one["Code"] for one in read.get_records()) == Counter(one["ruleId"] for one in written)
    assert {one["Location"].rpartition("/")[2] for one in read.get_records()} == {
        "waived.fabric" if name == "waived" else "faults.fabric" if name == "faulty" else "fat-tree-16-2to1.fabric"
    }

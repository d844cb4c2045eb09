"""`list`: what an expression fits, as text, JSON and CSV; and the same as an export."""

import csv
import json
from pathlib import Path

import openpyxl
import pytest

from designer.model import operations
from designer.storage import document

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    design = document.load(SUPERPOD)
    leaf = design.find("leaf-su2-r3")
    design.apply(operations.add_tags(design, [leaf.id], ("spare", "=1+1")))
    design.apply(operations.set_field(design, [leaf.id], "Owner", "net team"))
    path = tmp_path_factory.mktemp("list") / "pod.fabric"
    document.save(design, path)
    return path


def test_a_selection_is_listed_as_text(fabric_designer):
    said = fabric_designer("list", SUPERPOD, "--select", "role:leaf su:2")
    lines = said.out.splitlines()
    assert lines[0] == "devices" and lines[1].split()[:3] == ["name", "kind", "role"]
    assert [line.split()[0] for line in lines[2:10]] == [f"leaf-su2-r{n}" for n in range(1, 9)]
    assert lines[-1] == "8 devices"


def test_without_an_expression_devices_racks_and_groups_are_listed(fabric_designer):
    said = json.loads(fabric_designer("list", SUPERPOD, "--format", "json").out)
    assert said["selected"] == {"device": 175, "rack": 37, "group": 5}
    assert [len(said[one]) for one in ("devices", "racks", "groups")] == [175, 37, 5]


def test_tags_and_fields_are_listed(fabric_designer, tagged):
    (one,) = json.loads(fabric_designer("list", tagged, "--select", "owner:net*", "--format", "json").out)["devices"]
    assert (one["tags"], one["fields"]) == (["spare", "=1+1"], {"Owner": "net team"})
    rows = list(
        csv.DictReader(fabric_designer("list", tagged, "--select", "tag:*", "--format", "csv").out.splitlines())
    )
    assert [(row["name"], row["tags"], row["Owner"]) for row in rows] == [("leaf-su2-r3", "spare, =1+1", "net team")]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--select", "rol:leaf"),
            "'--select': character 1: nothing is called 'rol'; did you mean role?",
        ),
        (("--format", "csv"), "CSV lists one kind of things, not devices, racks, groups: add kind:switch"),
    ],
)
def test_what_cannot_be_listed_is_said_in_a_sentence(fabric_designer, options, sentence):
    said = fabric_designer("list", SUPERPOD, *options)
    assert said.code == 2
    assert sentence in said.err


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "json"])
def test_a_list_is_exported(fabric_designer, tagged, tmp_path, suffix):
    path = tmp_path / f"devices.{suffix}"
    fabric_designer("export", tagged, "--to", "devices", "--option", "select=tag:spare", "-o", path)
    if suffix == "csv":
        (row,) = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
        assert (row["name"], row["tags"], row["Owner"]) == ("leaf-su2-r3", "spare, =1+1", "net team")
    elif suffix == "json":
        assert json.loads(path.read_text(encoding="utf-8"))["devices"][0]["tags"] == ["spare", "=1+1"]
    else:
        sheet = openpyxl.load_workbook(path)["Devices"]
        assert sheet["A2"].value == "leaf-su2-r3"
        assert [cell.value for cell in sheet[1]][-2:] == ["Tags", "Owner"]


def test_a_faulty_expression_of_an_export_is_refused(fabric_designer, tmp_path):
    path = tmp_path / "devices.csv"
    said = fabric_designer("export", SUPERPOD, "--to", "devices", "--option", "select=(a", "-o", path)
    assert said.code == 2
    assert "character 1: this parenthesis is not closed" in said.err
    assert not path.exists()

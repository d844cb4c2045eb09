"""`diff`: two versions of a design, as text and JSON, with an exit code for scripts."""

import json
from pathlib import Path

import pytest

from designer.model import annotating, operations
from designer.storage import document

TORUS = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture(scope="module")
def versions(tmp_path_factory):
    design = document.load(TORUS)
    design.apply(annotating.annotate(design, "note", (0, 0), (90, 40), text="to be\x1bdecided"))
    design.apply(operations.rename(design, design.find("leaf-su1-r1").id, "leaf-A"))
    for number in range(3):
        design.apply(annotating.annotate(design, "text", (0, 0), (90, 40), text=f"room {number}"))
    path = tmp_path_factory.mktemp("diff") / "later.fabric"
    document.save(design, path)
    return TORUS, path


def test_differences_are_listed_and_the_exit_code_is_1(fabric_designer, versions):
    said = fabric_designer("diff", *versions)
    assert said.code == 1
    head, titles, first, second = said.out.splitlines()[:4]
    assert head == "1 device renamed, 4 annotations added"
    assert titles.split() == ["change", "kind", "name", "what", "before", "after"]
    assert first.split() == ["renamed", "device", "leaf-A", "name", "leaf-su1-r1", "leaf-A"]
    assert "to be\\u001bdecided" in second


def test_equal_designs_end_with_0(fabric_designer):
    said = fabric_designer("diff", TORUS, TORUS)
    assert (said.code, said.out.strip()) == (0, "no differences")


def test_json_has_all_of_them_whatever_the_text_has(fabric_designer, versions):
    said = fabric_designer("diff", *versions, "--format", "json", "--top", "1")
    found = json.loads(said.out)
    assert said.code == 1 and len(found["differences"]) == 5
    assert found["differences"][0] == {
        "change": "renamed",
        "kind": "device",
        "name": "leaf-A",
        "what": "name",
        "before": "leaf-su1-r1",
        "after": "leaf-A",
    }
    assert fabric_designer("diff", *versions, "--top", "1").out.splitlines()[-1] == "  and 4 differences more"


def test_a_file_that_is_none_is_refused_by_name(fabric_designer, tmp_path):
    bad = tmp_path / "bad.fabric"
    bad.write_text("{")
    said = fabric_designer("diff", TORUS, bad)
    assert said.code == 2 and "bad.fabric" in said.err and "Traceback" not in said.err


def test_a_page_and_a_workbook_are_written_and_figures_printed(fabric_designer, versions, tmp_path):
    page, book = tmp_path / "changes.html", tmp_path / "changes.xlsx"
    said = fabric_designer("diff", *versions, "--format", "html", "-o", page)
    assert said.code == 1 and "5 differences" in said.err and page.read_text().startswith("<!DOCTYPE html>")
    assert fabric_designer("diff", *versions, "--format", "xlsx", "-o", book).code == 1
    assert book.read_bytes()[:2] == b"PK"
    again = fabric_designer("diff", *versions, "--format", "xlsx", "-o", book)
    assert again.code == 2 and "add --force" in again.err
    assert "-o FILE" in fabric_designer("diff", *versions, "--format", "xlsx").err


def test_figures_are_compared_where_they_are_asked_for(fabric_designer, versions):
    found = json.loads(fabric_designer("diff", *versions, "--figures", "--format", "json").out)
    rows = {row["name"]: row for row in found["figures"]["rows"]}
    assert rows["GPUs"]["before"] == rows["GPUs"]["after"] == 1016 and rows["All-reduce, ring, 1 GiB"]["before"] > 0
    assert "All-reduce, ring, 1 GiB" in fabric_designer("diff", *versions, "--figures").out
    assert "figures" not in json.loads(fabric_designer("diff", *versions, "--format", "json").out)

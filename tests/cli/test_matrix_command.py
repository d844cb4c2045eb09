"""`matrix FILE`: cells as text, JSON and CSV."""

import json

import pytest

from designer.cli.main import run

EXAMPLE = "examples/fat-tree-16-2to1.fabric"


@pytest.fixture
def asked(capsys, request):
    def ask(*arguments):
        code = run(["matrix", str(request.config.rootpath / EXAMPLE), *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return ask


def test_every_cell_with_links_is_in_the_json(asked):
    code, out, _ = asked("--format", "json", "--rows", "server", "--columns", "leaf")
    found = json.loads(out)
    assert code == 0
    assert (found["rows"]["kind"], len(found["rows"]["names"])) == ("server", 16)
    assert found["links"] == sum(cell["links"] for cell in found["cells"]) == 128
    assert "load" not in found["cells"][0]


def test_with_a_traffic_the_most_wanted_cells_come_first(asked):
    code, out, _ = asked("--heat", "permutation:1", "--routing", "ecmp", "--size", "1M", "--format", "json")
    cells = json.loads(out)["cells"]
    assert code == 0
    keys = [(-cell.get("demand", 0.0), -cell["load"]) for cell in cells]
    assert keys == sorted(keys)
    assert cells[0]["demand"] > 1.5 and cells[0]["hot"] >= 1


def test_the_text_has_a_heading_and_counts_what_it_leaves_out(asked):
    _, out, _ = asked("--top", "3")
    lines = out.splitlines()
    assert lines[0].endswith("4 leaf switches × 2 spines, 64 links")
    assert lines[1].split() == ["row", "column", "links", "failed", "links", "findings"]
    assert lines[-1].strip() == "and 5 cells more"
    assert len(lines) == 6


def test_csv_has_a_line_for_each_cell_and_failed_links(asked):
    _, out, _ = asked("--format", "csv", "--fail", "spine-01")
    lines = out.splitlines()
    assert lines[0] == "row,column,links,failed links,findings"
    assert lines[1:3] == ["leaf-01,spine-01,8,8,", "leaf-01,spine-02,8,0,"]


def test_rows_that_the_design_has_not_are_refused_in_a_sentence(asked):
    code, out, err = asked("--rows", "rail")
    assert (code, out) == (2, "")
    assert "has no rails for a matrix" in err


def test_what_ranks_send_is_listed_with_a_traffic_and_refused_without(asked):
    code, out, _ = asked("--rows", "rank", "--heat", "all-to-all", "--size", "1M", "--format", "json")
    found = json.loads(out)
    n_ranks = len(found["rows"]["names"])
    assert code == 0 and "links" not in found
    assert found["rows"] == found["columns"] and found["rows"]["kind"] == "rank"
    assert len(found["cells"]) == n_ranks * (n_ranks - 1)
    assert sum(cell["share"] for cell in found["cells"]) == pytest.approx(1.0)
    code, out, err = asked("--rows", "rank")
    assert (code, out) == (2, "") and "name one as Traffic" in err
    code, _, err = asked("--rows", "rank", "--columns", "leaf", "--heat", "all-to-all")
    assert code == 2 and "choose rank for both" in err

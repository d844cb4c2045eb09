"""`rename`: names by a pattern, from a list, by find and replace; and what is refused."""

from pathlib import Path

import pytest

from designer.placement import floor
from designer.storage import document

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"
LEAFS = ("rename", SUPERPOD, "--select", "role:leaf su:2")


def test_a_pattern_renames_and_the_file_is_written(fabric_designer, tmp_path):
    path = tmp_path / "tor.fabric"
    said = fabric_designer(*LEAFS, "--pattern", "tor-{su}-r{rail:02}", "-o", path)
    assert (said.code, said.err) == (0, f"wrote {path}: 8 of 8 names change\n")
    assert {one.name for one in document.load(path).devices.values() if one.name.startswith("tor")} == {
        f"tor-2-r{n:02}" for n in range(1, 9)
    }


def test_a_dry_run_prints_old_and_new_names_and_writes_nothing(fabric_designer, tmp_path):
    path = tmp_path / "tor.fabric"
    said = fabric_designer(
        *LEAFS, "--find", r"r(\d)", "--replace", r"x\1", "--regular-expression", "--dry-run", "-o", path
    )
    assert [line.split() for line in said.out.splitlines()[:2]] == [
        ["old", "name", "new", "name", "problem"],
        ["leaf-su2-r1", "leaf-su2-x1"],
    ]
    assert said.err == "8 of 8 names change\n" and not path.exists()


def test_rows_of_racks_are_named_alone_and_with_others(fabric_designer, tmp_path):
    path, both = tmp_path / "rows.fabric", tmp_path / "both.fabric"
    said = fabric_designer("rename", SUPERPOD, "--row", "A=North", "--row", "B = South 2", "-o", path)
    assert said.err.splitlines() == ["Rename row A to North", "Rename row B to South 2", f"wrote {path}"]
    assert [row.name for row in floor.rows(document.load(path))][:2] == ["North", "South 2"]
    fabric_designer("rename", path, "--row", "North=", "--select", "role:leaf", "--pattern", "{name}x", "-o", both)
    assert [row.name for row in floor.rows(document.load(both))][:2] == ["A", "South 2"]
    assert fabric_designer("rename", path, "--row", "North=N", "--dry-run").err == "Rename row North to N\n"


@pytest.mark.parametrize(
    ("row", "sentence"),
    [("North", "must look like A=North"), ("Q=1", "there is no row Q: the rows are A, B"), ("A=b", "another row is")],
)
def test_a_row_that_is_not_there_or_a_name_that_is_taken_is_said(fabric_designer, tmp_path, row, sentence):
    said = fabric_designer("rename", SUPERPOD, "--row", row, "-o", tmp_path / "x.fabric")
    assert said.code and sentence in said.err and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "others", [("--pattern", "x{n}"), ("--find", "leaf", "--replace", "tor"), ("--names", SUPERPOD)]
)
def test_names_for_nothing_are_refused_rather_than_left_out(fabric_designer, others):
    said = fabric_designer("rename", SUPERPOD, "--row", "A=North", *others, "--dry-run")
    assert said.code == 2 and "Missing option '--select'" in said.err


def test_names_come_from_a_list(fabric_designer, tmp_path):
    names, path = tmp_path / "names.txt", tmp_path / "tor.fabric"
    names.write_bytes("\ufeff".encode() + b"".join(b"tor%d\r\n" % n for n in range(8)))
    fabric_designer(*LEAFS, "--names", names, "-o", path)
    assert document.load(path).find("tor0").rail == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--pattern", "tor-{su}", "-o", "out"),
            "8 names cannot be used, nothing was written; 'leaf-su2-r1' to 'tor-2': 8 devices",
        ),
        (("--pattern", "tor-{nn}", "-o", "out"), "{nn} is no field"),
        (("--pattern", "tor-{n}"), "Missing option '-o'"),
        (("--names", "empty", "-o", "out"), "empty holds no names"),
        (("--names", "missing", "-o", "out"), "missing could not be read: No such file"),
        (("--names", "latin", "-o", "out"), "latin could not be read: it is not UTF-8 text"),
        (("--start", "-1", "-o", "out"), "--start"),
        (("--find", "(a+)+", "--regular-expression", "-o", "out"), "a repeated group"),
    ],
)
def test_what_cannot_be_renamed_is_said_in_a_sentence(fabric_designer, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    Path("empty").write_bytes(b"\n\n")
    Path("latin").write_bytes(b"\xff\xfe")
    said = fabric_designer(*LEAFS, *options)
    assert said.code == 2 and sentence in said.err
    assert not Path("out").exists()

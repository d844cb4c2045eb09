"""`merge`: text, JSON and exit codes; sides chosen one by one or all at once; git with two branches."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from designer.catalog.catalog import load
from designer.exchange.revisions import RevisionOptions, record
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.storage import document

ROOT = Path(__file__).parents[2]
CATALOG = load()


def add(design, name, role="leaf"):
    type_ = CATALOG.get("nvidia-qm9700")
    design.apply(operations.add_device(design, type_, 0, 0, catalog_types=CATALOG.types, role=role, name=name))
    return design.find(name).id


def rename(design, one, name):
    design.apply(operations.rename(design, one, name))


@pytest.fixture(scope="module")
def designs():
    """A design, and two that grew from it: both renamed leaf-1, and each did something else."""
    base = Design()
    for name in ("leaf-1", "leaf-2", "spine-1"):
        add(base, name)
    ours, theirs = base.snapshot(), base.snapshot()
    rename(ours, "d1", "leaf-A")
    rename(theirs, "d1", "leaf-B")
    rename(ours, "d2", "leaf-C")
    ours.apply(operations.delete(ours, ["d3"]))
    theirs.apply(Edit("", (Change(theirs.devices["d3"], replace(theirs.devices["d3"], rail=2)),)))
    theirs.apply(operations.connect_devices(theirs, "d1", "d2", 2))
    return base, ours, theirs


@pytest.fixture
def files(designs, tmp_path):
    paths = [tmp_path / f"{name}.fabric" for name in ("base", "ours", "theirs")]
    for design, path in zip(designs, paths, strict=True):
        document.save(design, path)
    return paths


def test_conflicts_end_with_1_and_the_file_has_ours_there(fabric_designer, files, tmp_path):
    path = tmp_path / "merged.fabric"
    said = fabric_designer("merge", *files, "-o", path)
    assert said.code == 1
    lines = [line.split() for line in said.out.splitlines()]
    assert said.out.splitlines()[0] == "2 links added; 2 conflicts"
    assert lines[3][:1] == ["devices/d1/name"] and lines[3][-4:] == ["leaf-1", "leaf-A", "leaf-B", "ours"]
    assert lines[4][:1] == ["devices/d3/deleted"]
    assert "2 conflicts to decide" in said.err
    made = document.load(path)
    assert {one.name for one in made.devices.values()} == {"leaf-A", "leaf-C"} and len(made.links) == 2


def test_sides_are_chosen_for_all_conflicts_or_one_by_one(fabric_designer, files, tmp_path):
    path = tmp_path / "merged.fabric"
    said = fabric_designer("merge", *files, "-o", path, "--prefer", "theirs", "--take", "devices/d1/name=ours")
    assert said.code == 0 and "to decide" not in said.err
    assert said.out.splitlines()[0].endswith("2 conflicts, all of them decided")
    assert {one.name for one in document.load(path).devices.values()} == {"leaf-A", "leaf-C", "spine-1"}
    some = fabric_designer("merge", *files, "-o", path, "--force", "--take", "devices/d1/name=theirs")
    assert some.code == 1 and "2 conflicts, 1 of them decided" in some.out
    assert document.load(path).devices["d1"].name == "leaf-B"


def test_json_lists_the_three_versions_of_each_conflict_with_its_place(fabric_designer, files):
    said = fabric_designer("merge", *files, "--dry-run", "--format", "json", "--top", "1")
    found = json.loads(said.out)
    assert said.code == 1 and len(found["incoming"]) == 2 and not found["renumbered"]
    assert found["conflicts"][0] == {
        "place": "devices/d1/name",
        "kind": "device",
        "name": "leaf-A",
        "conflict": "changed by both",
        "what": "name",
        "base": "leaf-1",
        "ours": "leaf-A",
        "theirs": "leaf-B",
        "taken": "ours",
        "decided": False,
    }
    assert found["conflicts"][1]["ours"] == "deleted" and found["conflicts"][1]["theirs"] == "rail changed"


def test_a_merge_reports_findings_that_neither_side_had(fabric_designer, tmp_path):
    base = Design()
    for name in ("leaf-1", "leaf-2"):
        add(base, name)
    ours, theirs = base.snapshot(), base.snapshot()
    for side, names in ((ours, ("one", "leaf-2")), (theirs, ("leaf-1", "two"))):
        for one, name in zip(("d1", "d2"), names, strict=True):
            if side.devices[one].name != name:
                rename(side, one, name)
    theirs.apply(Edit("", (Change(theirs.devices["d2"], replace(theirs.devices["d2"], reserved_ports=("1/1",))),)))
    ours.apply(operations.connect_devices(ours, "d1", "d2", 1))
    paths = [tmp_path / name for name in ("b.fabric", "o.fabric", "t.fabric")]
    for design, path in zip((base, ours, theirs), paths, strict=True):
        document.save(design, path)
    said = fabric_designer("merge", *paths, "--dry-run")
    assert said.code == 0
    known = {code for path in paths[1:] for code in _codes(fabric_designer, path)}
    listed = said.out.partition("Findings that neither side had:")[2].split()
    assert not known & set(listed)
    assert "Findings" not in fabric_designer("merge", *paths, "--dry-run", "--no-validate").out


def _codes(fabric_designer, path):
    return {one["code"] for one in fabric_designer("validate", path, "--format", "json").json["findings"]}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "here.fabric", "--take", "devices/d1/name=mine"], "must look like devices/d5/name=theirs"),
        (["-o", "here.fabric", "--take", "devices/d9/name=ours"], "is not the place of a conflict"),
        ([], "--dry-run to look at the conflicts"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    fabric_designer, files, monkeypatch, tmp_path, arguments, words
):
    monkeypatch.chdir(tmp_path)
    said = fabric_designer("merge", *files, *arguments)
    assert said.code == 2 and words in said.err and "Traceback" not in said.err
    assert not (tmp_path / "here.fabric").exists()


def test_files_that_exist_or_cannot_be_read_are_refused(fabric_designer, files, tmp_path):
    bad = tmp_path / "bad.fabric"
    bad.write_text("{")
    assert "bad.fabric" in fabric_designer("merge", files[0], files[1], bad, "--dry-run").err
    assert "add --force" in fabric_designer("merge", *files, "-o", files[1]).err


# -- git --------------------------------------------------------------------------------------------------------------

EXAMPLE = "docs/merge.md"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose merge driver for designs is this program, as the guide says."""
    for name, value in (
        *(("GIT_CONFIG_GLOBAL", str(tmp_path / "none")), ("GIT_CONFIG_NOSYSTEM", "1"), ("PYTHONPATH", str(ROOT))),
        *((f"GIT_{who}_{what}", "kim@example.org") for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")),
    ):
        monkeypatch.setenv(name, value)
    folder = tmp_path / "work"
    folder.mkdir()

    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)

    if git("init", "-q", "-b", "main").returncode:
        pytest.skip("git is not installed")
    guide = (ROOT / EXAMPLE).read_text(encoding="utf-8")
    attributes = next(line.strip() for line in guide.splitlines() if "merge=fabric" in line)
    driver = next(line for line in guide.splitlines() if "merge.fabric.driver" in line).partition("'")[2].rstrip("' ")
    (folder / ".gitattributes").write_text(attributes + "\n")
    git("config", "merge.fabric.driver", driver.replace("fabric-designer", f'"{sys.executable}" -m designer', 1))
    return folder, git


def commit(repository, design, message):
    folder, git = repository
    document.save(design, folder / "pod 1.fabric")
    git("add", "-A")
    done = git("commit", "-qm", message)
    assert done.returncode == 0, done.stderr


def test_git_merges_two_branches_and_marks_conflicts(repository, designs):
    folder, git = repository
    base, ours, theirs = designs
    commit(repository, base, "base")
    git("checkout", "-qb", "colleague")
    apart = base.snapshot()
    rename(apart, "d2", "leaf-X")
    commit(repository, apart, "rename a leaf")
    git("checkout", "-q", "main")
    apart = base.snapshot()
    add(apart, "leaf-9")
    commit(repository, apart, "add a leaf")
    done = git("merge", "-q", "--no-edit", "colleague")
    assert done.returncode == 0, done.stdout + done.stderr
    names = {one.name for one in document.load(folder / "pod 1.fabric").devices.values()}
    assert names == {"leaf-1", "leaf-X", "spine-1", "leaf-9"}

    git("checkout", "-qb", "theirs", "HEAD~1")
    commit(repository, theirs, "theirs")
    git("checkout", "-qb", "ours", "HEAD~1")
    commit(repository, ours, "ours")
    done = git("merge", "--no-edit", "theirs")
    assert done.returncode == 1 and "CONFLICT" in done.stdout
    assert "pod 1.fabric: 2 conflicts to decide" in done.stderr
    assert git("status", "--porcelain").stdout.startswith("UU")
    made = document.load(folder / "pod 1.fabric")
    assert made.devices["d1"].name == "leaf-A" and len(made.links) == 2


@pytest.fixture
def issued(designs, tmp_path):
    """Files of ours and theirs that grew from revision A."""
    base = designs[0].snapshot()
    base.apply(record(base, RevisionOptions(revision="A", date="2026-11-20")))
    paths = []
    for name, device, renamed in (("ours", "d1", "leaf-A"), ("theirs", "d2", "leaf-B")):
        design = base.snapshot()
        rename(design, device, renamed)
        paths.append(tmp_path / f"issued-{name}.fabric")
        document.save(design, paths[-1])
    return paths


def test_without_a_base_the_latest_common_revision_is_taken(fabric_designer, issued, tmp_path):
    path = tmp_path / "merged.fabric"
    said = fabric_designer("merge", *issued, "-o", path, "--format", "json")
    assert said.code == 0
    assert "base: revision A of 2026-11-20, which both files recorded" in said.err
    assert json.loads(said.out)["base"] == "revision A of 2026-11-20"
    made = document.load(path)
    assert [made.devices[one].name for one in ("d1", "d2")] == ["leaf-A", "leaf-B"] and len(made.revisions) == 1


def test_without_a_base_and_a_common_revision_a_sentence_says_what_there_is(fabric_designer, issued, files, tmp_path):
    said = fabric_designer("merge", issued[0], files[2], "-o", tmp_path / "merged.fabric")
    assert said.code == 2 and not (tmp_path / "merged.fabric").exists()
    assert "no revision in common, yours recorded A and the other recorded none: give the design" in said.err
    assert "--no-base to have every difference as a conflict" in said.err


def test_two_files_without_a_base_are_compared_and_every_difference_is_a_conflict(fabric_designer, files, tmp_path):
    path = tmp_path / "merged.fabric"
    said = fabric_designer("merge", *files[1:], "--no-base", "-o", path, "--format", "json")
    found = json.loads(said.out)
    assert said.code == 1 and found["base"] is None and not found["incoming"]
    places = {one["place"]: one for one in found["conflicts"]}
    assert places["devices/d2/name"]["conflict"] == "different" and places["devices/d2/name"]["base"] == "unknown"
    assert places["devices/d3/deleted"]["conflict"] == "only in theirs"
    assert {one.name for one in document.load(path).devices.values()} == {"leaf-A", "leaf-C"}
    said = fabric_designer("merge", *files, "--no-base", "--dry-run")
    assert said.code == 2 and "two files" in said.err


def test_a_base_that_is_as_ours_is_named(fabric_designer, files):
    said = fabric_designer("merge", files[1], files[1], files[2], "--dry-run")
    assert "is as the base: all differences are taken from THEIRS" in said.err
    assert "is as the base" not in fabric_designer("merge", *files, "--dry-run").err


def test_one_file_and_four_are_no_merge(fabric_designer, files, tmp_path):
    for paths in (files[:1], [*files, files[0]]):
        said = fabric_designer("merge", *paths, "-o", tmp_path / "merged.fabric")
        assert said.code == 2 and "two or three files: OURS THEIRS, or BASE OURS THEIRS" in said.err

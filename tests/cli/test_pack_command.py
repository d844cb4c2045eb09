"""`pack` at the command line: one file, or none."""

import json
import zipfile
from pathlib import Path

import pytest

from designer.exchange.pack import pack as packs
from designer.model import operations
from designer.storage import document
from designer.storage.saving import SaveError

SHORT = ("--without", "drawings,labels,plan,bill")


@pytest.fixture
def design(oversubscribed_file, tmp_path):
    path = tmp_path / "pod.fabric"
    path.write_bytes(oversubscribed_file.read_bytes())
    return path


def test_a_pack_leaves_the_design_as_it_is_and_says_what_is_open(fabric_designer, design, tmp_path):
    before = design.read_bytes()
    stated = fabric_designer("pack", design, "-o", tmp_path / "pod.zip", *SHORT)
    assert stated.code == 0
    assert "open findings: " in stated.err and "pod.zip: " in stated.err
    assert design.read_bytes() == before
    index = json.loads(zipfile.ZipFile(tmp_path / "pod.zip").read("index.json"))
    assert index["revision"] is None
    assert "pod-cable-plan.csv" in [one["name"] for one in index["files"]]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such devices here")
@pytest.mark.parametrize("options", [(), ("--force",)])
@pytest.mark.parametrize("device", ["/dev/stdout", "/dev/null"])
def test_a_pack_for_a_device_is_refused_with_what_to_write_instead(process, design, options, device):
    process("pack", design, "-o", device, *SHORT, *options).assert_refused(device, "not a file", "pod.zip")


def test_a_change_order_says_on_the_terminal_what_is_to_be_done(fabric_designer, design, tmp_path):
    changed = document.load(design)
    changed.apply(operations.delete(changed, [next(iter(changed.links))]))
    document.save(changed, tmp_path / "new.fabric")
    order = ("export", tmp_path / "new.fabric", "--to", "change-order", "-o", tmp_path / "order.csv")
    stated = fabric_designer(*order, "--option", f"since={design}")
    assert stated.code == 0
    line = next(one for one in stated.err.splitlines() if "wrote" in one)
    assert "order.csv; since pod.fabric: Remove 1 cable" in line and "unchanged" in line


def test_a_revision_is_recorded_in_the_file(fabric_designer, design, tmp_path):
    revision = ("--revision", "B", "--date", "2026-11-22", "--author", "Kim", "--note", "Second")
    stated = fabric_designer("pack", design, "-o", tmp_path / "pod.zip", *revision, *SHORT)
    assert stated.code == 0 and f"recorded revision B in {design}" in stated.err
    recorded = next(iter(document.load(design).revisions.values()))
    assert (recorded.number, recorded.date, recorded.author, recorded.notes) == ("B", "2026-11-22", "Kim", "Second")
    again = fabric_designer("pack", design, "-o", tmp_path / "two.zip", *revision, *SHORT)
    again.assert_refused("revision B was recorded on 2026-11-22 already")
    assert not (tmp_path / "two.zip").exists()


def test_a_pack_that_cannot_be_recorded_is_not_left_behind(fabric_designer, design, tmp_path, monkeypatch):
    def full(*_arguments):
        raise SaveError("pod.fabric could not be saved: there is no space left on the disk")

    monkeypatch.setattr(document, "save", full)
    arguments = ("pack", design, "-o", tmp_path / "pod.zip", "--revision", "1", *SHORT)
    fabric_designer(*arguments).assert_refused("no space left")
    assert not (tmp_path / "pod.zip").exists()
    (tmp_path / "pod.zip").write_text("the pack before")
    fabric_designer(*arguments, "--force").assert_refused("no space left")
    assert (tmp_path / "pod.zip").read_text() == "the pack before"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--date", "tomorrow", "--revision", "1"), "'tomorrow' is not a date"),
        (("--without", "everything"), "there is no file of a pack 'everything'; there is drawings, plan"),
        (("--paper", "a9"), "'a9'"),
        (("--redact", "--revision", "1"), "a redacted pack records no revision"),
    ],
)
def test_what_cannot_be_packed_is_refused_before_anything_is_written(fabric_designer, design, tmp_path, options, says):
    fabric_designer("pack", design, "-o", tmp_path / "pod.zip", *options).assert_refused(says)
    assert not (tmp_path / "pod.zip").exists()


def test_a_pack_replaces_nothing_without_being_asked(fabric_designer, design, tmp_path):
    (tmp_path / "pod.zip").write_text("mine")
    fabric_designer("pack", design, "-o", tmp_path / "pod.zip", *SHORT).assert_refused("--force")
    fabric_designer("pack", design, "-o", design, "--force", *SHORT).assert_refused("is the design itself")
    assert (tmp_path / "pod.zip").read_text() == "mine"


def test_a_machine_without_qt_gets_a_pack_without_what_qt_draws(process, design, tmp_path):
    stated = process("pack", design, "-o", tmp_path / "pod.zip", "--without", "plan", blocked=["PySide6.QtGui"])
    assert stated.code == 0
    assert "pod-labels.pdf is not in the pack: " in stated.err and "PySide6" in stated.err
    assert packs.SUMMARY in zipfile.ZipFile(tmp_path / "pod.zip").namelist()

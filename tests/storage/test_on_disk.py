"""A changed file is recognized by its content; size and time only spare the reading."""

import os
from pathlib import Path

import pytest

from designer.storage import on_disk
from designer.storage.on_disk import UNKNOWN, version_at, version_of

HOUR_NS = 3_600_000_000_000


@pytest.fixture
def path(tmp_path) -> Path:
    path = tmp_path / "pod.fabric"
    path.write_bytes(b"first")
    return path


def age(path: Path, by_ns: int = HOUR_NS) -> None:
    then = path.stat().st_mtime_ns - by_ns
    os.utime(path, ns=(then, then))


def test_a_file_that_nobody_touched_is_the_same_and_is_not_read_again(path, monkeypatch):
    age(path)
    version = version_of(path.read_bytes(), path.stat())
    monkeypatch.setattr(on_disk, "version_at", lambda _path: pytest.fail("was read"))
    assert on_disk.state(path, version) == "same"


def test_another_size_or_another_content_is_a_change(path):
    version = version_at(path)
    path.write_bytes(b"longer than the first")
    assert on_disk.state(path, version) == "changed"
    path.write_bytes(b"other")
    assert on_disk.state(path, version) == "changed"


def test_a_file_written_again_with_the_same_content_is_the_same(path):
    version = version_at(path)
    path.write_bytes(b"first")
    age(path)
    assert on_disk.state(path, version) == "same"


def test_a_change_within_one_step_of_a_coarse_clock_is_seen(path):
    version = version_at(path)
    path.write_bytes(b"other")
    os.utime(path, ns=(version.changed_ns, version.changed_ns))
    assert on_disk.state(path, version) == "changed"


def test_a_file_that_vanished_is_gone_and_one_that_takes_its_place_is_a_change(path):
    version = version_at(path)
    path.unlink()
    assert on_disk.state(path, version) == "gone"
    assert version_at(path) is None
    path.write_bytes(b"other")
    assert on_disk.state(path, version) == "changed"


def test_of_an_unknown_version_is_no_file(path):
    assert on_disk.state(path, UNKNOWN) == "changed"

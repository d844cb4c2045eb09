"""Version and commit: what `--version` and *About* show, in a checkout, in a work tree and installed."""

import re
import subprocess
from pathlib import Path

import pytest

from designer import version

ROOT = Path(__file__).resolve().parents[1]


def git(folder, *arguments):
    asked = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return asked.stdout.strip() if asked.returncode == 0 else ""


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main", "made")
    made = tmp_path / "made"
    git(made, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "First")
    return made


def test_the_text_is_the_version_with_the_commit_of_the_checkout():
    head = git(ROOT, "rev-parse", "HEAD")
    if not head:
        pytest.skip("not a git checkout")
    assert version.version_text() == f"{version.VERSION} (commit {head[:10]})"


def test_the_commit_is_found_on_a_branch_packed_detached_and_in_a_second_work_tree(repository, tmp_path):
    head = git(repository, "rev-parse", "HEAD")
    assert re.fullmatch("[0-9a-f]{40}", head)
    assert version.head(repository / ".git") == head
    git(repository, "worktree", "add", "-q", "-b", "other", str(tmp_path / "second"))
    assert version.head(tmp_path / "second" / ".git") == head
    git(repository, "pack-refs", "--all")
    assert not (repository / ".git/refs/heads/main").exists()
    assert version.head(repository / ".git") == head
    assert version.head(tmp_path / "second" / ".git") == head
    git(repository, "checkout", "-q", "--detach")
    assert version.head(repository / ".git") == head


def test_no_commit_is_shown_where_none_is_known(tmp_path, monkeypatch):
    assert version.head(tmp_path / ".git") == ""
    monkeypatch.setattr(version, "commit", lambda: "")
    assert version.version_text() == version.VERSION

"""Where compiled kernels are kept, and which sources they were made from. Loads neither numba nor numpy."""

import hashlib
import os
import stat
import sys
from importlib import metadata
from pathlib import Path

from designer.paths import compiled_dir

MARK = "complete.txt"
PACKAGE = Path(__file__).resolve().parent.parent
DECORATOR, COMPILER, WARM_UP = b"\n@compiled", "compiler.py", "warm_up.py"


def is_complete() -> bool:
    """Whether `mark_complete` was called for these very sources, this warm-up, this Python and this numba."""
    try:
        return (compiled_dir() / MARK).read_text("utf-8") == complete_digest()
    except (OSError, UnicodeDecodeError):
        return False


def mark_complete() -> bool:
    """Note that every kernel is compiled and kept; False where that cannot be written."""
    try:
        (compiled_dir() / MARK).write_text(complete_digest(), encoding="utf-8")
    except OSError:
        return False
    return True


def digest(package: Path = PACKAGE) -> str:
    """Of the text of every file that holds kernels, where these files are, and who compiles them, and how.

    A kept kernel holds the machine code of the kernels that it calls, so a change in any of the files makes all old.
    """
    parts = [sys.version, metadata.version("numba"), str(package)]
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        if DECORATOR in source or path.name == COMPILER:
            parts.append(f"{path.relative_to(package)} {hashlib.sha256(source).hexdigest()}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def complete_digest(package: Path = PACKAGE) -> str:
    """Of the sources and of the warm-up: where that alone changes, kept kernels stay and new ones are added."""
    called = (package / WARM_UP).read_bytes()
    return hashlib.sha256(digest(package).encode() + called).hexdigest()


def private_folder(folder: Path) -> Path | None:
    """The folder, made where there is none; None where others may enter it, or it cannot be made."""
    if not folder.is_absolute():
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):  # a symbolic link may lead into somebody else's
            return None
        if hasattr(os, "geteuid") and not (_is_ours_alone(found) and _cannot_be_swapped(folder)):
            return None
    except OSError:
        return None
    return folder


def _is_ours_alone(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _cannot_be_swapped(folder: Path) -> bool:
    """Whether no other user can put another folder in its place."""
    parents = [one.stat() for one in folder.resolve().parents]
    return parents[0].st_uid in (0, os.geteuid()) and not any(
        one.st_mode & stat.S_IWOTH and not one.st_mode & stat.S_ISVTX for one in parents
    )

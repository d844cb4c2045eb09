"""Whether every kernel of this program was compiled here before. Loads neither numba nor numpy."""

import hashlib
import sys
from importlib import metadata
from pathlib import Path

from designer.paths import compiled_dir

MARK = "complete.txt"
PACKAGE = Path(__file__).resolve().parent.parent


def is_complete() -> bool:
    """Whether `mark_complete` was called for these very sources, this Python and this numba."""
    try:
        return (compiled_dir() / MARK).read_text("utf-8") == digest()
    except (OSError, UnicodeDecodeError):
        return False


def mark_complete() -> bool:
    """Note that every kernel is compiled and kept; False where that cannot be written."""
    try:
        (compiled_dir() / MARK).write_text(digest(), encoding="utf-8")
    except OSError:
        return False
    return True


def digest(package: Path = PACKAGE) -> str:
    """Of what numba tells a kept kernel's age by: the place, time and size of its source; and of who compiled it."""
    parts = [sys.version, metadata.version("numba")]
    for path in sorted(package.rglob("*.py")):
        if b"\n@compiled" in path.read_bytes():
            found = path.stat()
            parts.append(f"{path} {found.st_mtime_ns} {found.st_size}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()

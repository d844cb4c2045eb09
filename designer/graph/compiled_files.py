"""Which sources the compiled kernels were made from. Loads neither numba nor numpy."""

import hashlib
import sys
from importlib import metadata
from pathlib import Path

from designer.paths import compiled_dir

MARK = "complete.txt"
PACKAGE = Path(__file__).resolve().parent.parent
DECORATOR, COMPILER = b"\n@compiled", "compiler.py"


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
    """Of the text of every file that holds kernels, where these files are, and who compiles them, and how.

    A kept kernel holds the machine code of the kernels that it calls, so a change in any of the files makes all old.
    """
    parts = [sys.version, metadata.version("numba"), str(package)]
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        if DECORATOR in source or path.name == COMPILER:
            parts.append(f"{path.relative_to(package)} {hashlib.sha256(source).hexdigest()}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()

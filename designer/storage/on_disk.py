"""Whether a file is still what it was when it was read or written: other windows and programs write it too."""

import hashlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

State = Literal["same", "changed", "gone"]

SETTLED_NS = 3_000_000_000
"""A file may be written twice within one step of a coarse clock: memory sticks count two seconds, some servers one."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """The content of a file by its digest, with what showed at that moment that the file held it."""

    digest: str
    size_bytes: int | None = None
    changed_ns: int = 0
    noted_ns: int = 0


UNKNOWN = FileVersion("")
"""No file is of this version."""


def version_of(data: bytes, found: os.stat_result) -> FileVersion:
    """The version of a file that holds these bytes, with what the system reported about it just before or after."""
    return FileVersion(digest(data), len(data), found.st_mtime_ns, time.time_ns())


def version_at(path: Path) -> FileVersion | None:
    """The version of the file that is there; None where there is none. Raises OSError for what cannot be read."""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            return version_of(file.read(), found)
    except (FileNotFoundError, NotADirectoryError):
        return None


def state(path: Path, version: FileVersion) -> State:
    """Whether the file is still of that version. It is read only where size and time do not tell.

    Raises OSError where the system does not let us look.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return "gone"
    if version.size_bytes is not None and found.st_size != version.size_bytes:
        return "changed"
    if found.st_mtime_ns == version.changed_ns and version.noted_ns - version.changed_ns > SETTLED_NS:
        return "same"
    there = version_at(path)
    if there is None:
        return "gone"
    return "same" if there.digest == version.digest else "changed"


def digest(data: bytes) -> str:
    """What stands for a file's content: equal for equal bytes, and for no others that anybody will meet."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()

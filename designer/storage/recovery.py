"""Unsaved work that is kept beside the user's files, so that a killed program or a power cut takes little of it.

A file in the recovery folder is one line that says what it is of, and below it the document as it would be saved:

{"format": "fabric-recovery", "version": 1, "name": "pod.fabric", "path": "/pods/pod.fabric", "kept_at_s": 1763733720}
{"format": "fabric-design", ...
"""

import contextlib
import os
import secrets
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from designer.errors import FileFormatError
from designer.model.design import Design
from designer.storage import document
from designer.storage.faults import one_line
from designer.storage.saving import PRIVATE, SaveError, reason, remove_stale, replace_file

RECOVERY_FORMAT = "fabric-recovery"
VERSION = 1
SUFFIX = ".recovery"
UNREADABLE = ".unreadable"
HEAD_LONGEST = 100_000
"""Bytes the first line may have; paths are far shorter."""

_NONE = "holds no unsaved work that can be read"

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Leftover:
    """Unsaved work in a file of the recovery folder: of which design, saved at `path` (None: never), and from when.

    `began_from` is the digest of the file that it goes on from, where that is known.
    """

    file: Path
    name: str
    path: Path | None
    kept_at_s: float
    began_from: str | None = None


class _Head(msgspec.Struct):
    format: str
    version: int
    name: str
    path: str | None
    kept_at_s: float
    began_from: str | None = None


def new_file(folder: Path) -> Path:
    """A name in the folder that no other window uses."""
    return folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}{SUFFIX}"


def make_folder(folder: Path) -> None:
    """The recovery folder, for this user alone. Raises SaveError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if stat.S_IMODE(folder.stat().st_mode) & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise SaveError(f"the folder for unsaved work could not be made: {reason(error, folder)}") from None


def keep(
    design: Design, name: str, path: Path | None, file: Path, progress: Progress | None = None, began_from: str = ""
) -> None:
    """Write the design as unsaved work, in one step. Raises SaveError with what was kept before as it was."""
    where = None if path is None else os.fspath(path.absolute())
    head = msgspec.json.encode(_Head(RECOVERY_FORMAT, VERSION, name, where, time.time(), began_from or None))
    replace_file(file, head + b"\n" + document.encode(design, progress), mode=PRIVATE)


def files(folder: Path) -> list[Path]:
    """The files of unsaved work in the folder; none where it cannot be read."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return sorted(Path(one.path) for one in entries if one.name.endswith(SUFFIX) and one.is_file())
    return []


def describe(file: Path) -> Leftover | None:
    """What a file of unsaved work is of; None for one that a newer program kept. Raises FileFormatError."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise FileFormatError("is not an ordinary file")
        with file.open("rb") as opened:
            line = opened.readline(HEAD_LONGEST)
        head = msgspec.json.decode(line, type=_Head)
        path = None if head.path is None else Path(head.path)
        if head.format != RECOVERY_FORMAT or not line.endswith(b"\n"):
            raise FileFormatError(_NONE)
        if path is not None and (not path.is_absolute() or "\0" in str(path)):
            raise FileFormatError("does not say which file it is of")
        time.localtime(head.kept_at_s)
    except OSError as error:
        raise FileFormatError(f"could not be read: {reason(error, file)}") from None
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, OverflowError) as error:
        raise FileFormatError(str(error) if isinstance(error, FileFormatError) else _NONE) from None
    if head.version > VERSION:
        return None
    return Leftover(file, one_line(head.name) or "design", path, head.kept_at_s, head.began_from)


def load(leftover: Leftover, progress: Progress | None = None) -> Design:
    """The design that was kept. Raises FileFormatError naming it and the place."""
    _, _, rest = document.read(leftover.file).partition(b"\n")
    return document.decode(rest, f"the unsaved work of {leftover.name}", progress)


def is_saved(leftover: Leftover) -> bool:
    """Whether its file on disk holds just that, so that nothing is unsaved."""
    if leftover.path is None:
        return False
    try:
        with leftover.file.open("rb") as kept, leftover.path.open("rb") as saved:
            size = os.fstat(kept.fileno()).st_size - len(kept.readline(HEAD_LONGEST))
            return os.fstat(saved.fileno()).st_size == size and kept.read() == saved.read()
    except OSError:
        return False


def changed_after_s(leftover: Leftover) -> float | None:
    """When its file on disk was changed, where that was after the work was kept."""
    if leftover.path is None:
        return None
    try:
        changed_s = leftover.path.stat().st_mtime
    except OSError:
        return None
    return changed_s if changed_s > leftover.kept_at_s else None


def remove(file: Path) -> None:
    """Unsaved work that is saved, or not wanted, goes."""
    with contextlib.suppress(OSError):
        file.unlink()


def set_aside(file: Path) -> Path:
    """Rename a file that cannot be read, so that it is kept and not offered again; returns where it is."""
    aside = file.with_name(file.name.removesuffix(SUFFIX) + UNREADABLE)
    with contextlib.suppress(OSError):
        file.rename(aside)
        return aside
    return file


def sweep(folder: Path) -> None:
    """Remove half-written files that killed programs left in the folder a while ago."""
    remove_stale(folder)

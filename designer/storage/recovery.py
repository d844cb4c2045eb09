"""Unsaved work that is kept beside the user's files, so that a killed program or a power cut takes next to none of it.

A file in the recovery folder is one line that says what it is of, and below it the document as it would be saved at a
moment, or nothing where that is what is in its file, or an empty design:

{"format": "fabric-recovery", "version": 2, "name": "pod.fabric", "path": "/pods/pod.fabric", "kept_at_s": 1763733720}
{"format": "fabric-design", ...

The edits since are in a journal beside it, NAME.recovery.GENERATION.journal; the line says with which it begins.
"""

import contextlib
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from designer.errors import DesignerError, FileFormatError
from designer.model.design import Design
from designer.storage import document, journal, migrations, on_disk
from designer.storage.faults import one_line
from designer.storage.saving import PRIVATE, STALE_AFTER_S, SaveError, reason, remove_stale, replace_file

RECOVERY_FORMAT = "fabric-recovery"
VERSION = 2
SUFFIX = ".recovery"
UNREADABLE = ".unreadable"
JOURNAL = ".journal"
HEAD_LONGEST = 100_000
"""Bytes the first line may have; paths are far shorter."""

_NONE = "holds no unsaved work that can be read"

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Leftover:
    """Unsaved work in a file of the recovery folder: of which design, saved at `path` (None: never), and from when.

    `began_from` is the digest of the file that it goes on from, where that is known. `is_whole` where the document is
    inside, and not to be taken from that file. Edits since are in the journal of that generation.
    """

    file: Path
    name: str
    path: Path | None
    kept_at_s: float
    began_from: str | None = None
    is_whole: bool = True
    generation: int = 0


class _Head(msgspec.Struct):
    format: str
    version: int
    name: str
    path: str | None
    kept_at_s: float
    began_from: str | None = None
    is_whole: bool = True
    generation: int = 0
    document: int | None = None
    """The version of the document's format, of which the rows in the journal are."""


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
    design: Design,
    name: str,
    path: Path | None,
    file: Path,
    progress: Progress | None = None,
    began_from: str = "",
    generation: int = 0,
    allow: Callable[[Path], None] = lambda _target: None,
) -> int:
    """Write the design as unsaved work, in one step, and say how many bytes it takes.

    Edits after it are in the journal of that generation. Raises SaveError with what was kept before as it was, also
    where `allow` does at the last moment.
    """
    data = _head(name, path, began_from, True, generation) + document.encode(design, progress)
    replace_file(file, data, allow, mode=PRIVATE)
    return len(data)


def begin(name: str, path: Path | None, file: Path, began_from: str = "") -> None:
    """The same for what is in the file at `path` with the digest `began_from`, or for an empty design without either.

    Nothing but edits has to be written then. Raises SaveError.
    """
    replace_file(file, _head(name, path, began_from, False, 0), mode=PRIVATE)


def _head(name: str, path: Path | None, began_from: str, is_whole: bool, generation: int) -> bytes:
    where = None if path is None else os.fspath(path.absolute())
    head = _Head(
        RECOVERY_FORMAT, VERSION, name, where, time.time(), began_from or None, is_whole, generation, migrations.VERSION
    )
    return msgspec.json.encode(head) + b"\n"


def journal_file(file: Path, generation: int) -> Path:
    """Where the edits of a generation are."""
    return file.with_name(f"{file.name}.{generation}{JOURNAL}")


def journals(file: Path) -> dict[int, Path]:
    """The journals of unsaved work by generation."""
    found: dict[int, Path] = {}
    with contextlib.suppress(OSError), os.scandir(file.parent) as entries:
        for entry in entries:
            generation = entry.name.removeprefix(f"{file.name}.").removesuffix(JOURNAL)
            if _GENERATION.fullmatch(generation) and journal_file(file, int(generation)).name == entry.name:
                found[int(generation)] = Path(entry.path)
    return found


_GENERATION = re.compile(r"[0-9]{1,9}", re.ASCII)


def files(folder: Path) -> list[Path]:
    """The files of unsaved work in the folder; none where it cannot be read."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return sorted(Path(one.path) for one in entries if one.name.endswith(SUFFIX) and one.is_file())
    return []


def size_bytes(leftover: Leftover) -> int:
    """About how much has to be read for the unsaved work: the copy, or the file that it goes on from; and the edits."""
    own = leftover.file if leftover.is_whole else leftover.path
    parts = [one for one in (own, *journals(leftover.file).values()) if one is not None]
    total = 0
    for one in parts:
        with contextlib.suppress(OSError):
            total += one.stat().st_size
    return total


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
    if head.document is not None and not 1 <= head.document <= migrations.VERSION:
        return None
    touched_s = [head.kept_at_s]
    for journal_path in journals(file).values():
        with contextlib.suppress(OSError):
            touched_s.append(journal_path.stat().st_mtime)
    return Leftover(
        file, one_line(head.name) or "design", path, max(touched_s), head.began_from, head.is_whole, head.generation
    )


def load(leftover: Leftover, progress: Progress | None = None) -> Design:
    """The design that was kept, with the edits since. Raises FileFormatError naming it and the place."""
    name = f"the unsaved work of {leftover.name}"
    try:
        texts, _ = _edits(leftover)
        design, texts = _base(leftover, name, texts, progress)
        journal.play(design, texts)
    except OSError as error:
        raise FileFormatError(f"{name} could not be read: {reason(error, leftover.file)}") from None
    except DesignerError as error:
        raise FileFormatError(one_line(str(error) if name in str(error) else f"{name}: {error}")) from None
    design.revision = 0
    return design


def last_generation(file: Path) -> int:
    """The generation whose journal holds the latest edits. Raises FileFormatError or OSError."""
    leftover = describe(file)
    return _edits(leftover)[1] if leftover is not None else 0


def highest_generation(file: Path) -> int:
    """The highest generation that a journal or the copy has; 0 where there is none."""
    found = list(journals(file))
    with contextlib.suppress(FileFormatError):
        leftover = describe(file)
        found += [leftover.generation] if leftover is not None else []
    return max(found, default=0)


def _edits(leftover: Leftover) -> tuple[Sequence[bytes], int]:
    """The records of the journals from the one it says on, and the generation of the last. Raises FileFormatError."""
    generation: int | None = leftover.generation
    followed: list[int] = []
    n_bytes, texts = 0, []
    while generation is not None and generation not in followed:
        followed.append(generation)
        data = journal.read(journal_file(leftover.file, generation))
        n_bytes += len(data)
        if n_bytes > document.SIZE_MOST:
            raise FileFormatError(f"has journals of more than {document.SIZE_MOST / 1e6:,.0f} MB, which are not read")
        found = list(journal.records(data))
        generation = journal.next_of(found)
        texts += found
    return texts, followed[-1]


def _base(
    leftover: Leftover, name: str, texts: Sequence[bytes], progress: Progress | None
) -> tuple[Design, Sequence[bytes]]:
    """The design that edits go on from, and those that it does not hold yet. Raises FileFormatError."""
    if leftover.is_whole:
        _, _, rest = document.read(leftover.file).partition(b"\n")
        return document.decode(rest, name, progress), texts
    if leftover.path is None:
        return Design(), texts
    data = document.read(leftover.path)
    digest = on_disk.digest(data)
    left = texts if digest == leftover.began_from else journal.since_saved(texts, digest)
    if left is None:
        raise FileFormatError(f"{name} goes on from another version of {leftover.path.name} than the one that is there")
    return document.decode(data, leftover.path.name, progress), left


def is_saved(leftover: Leftover) -> bool:
    """Whether its file on disk holds just that, so that nothing is unsaved."""
    if leftover.path is None:
        return False
    try:
        if not leftover.is_whole or any(one.stat().st_size for one in journals(leftover.file).values()):
            # As the document would be saved, so that an older or hand-written file of the same design counts too.
            return document.encode(load(leftover)) == document.encode(document.load(leftover.path))
        with leftover.file.open("rb") as kept, leftover.path.open("rb") as saved:
            size = os.fstat(kept.fileno()).st_size - len(kept.readline(HEAD_LONGEST))
            return os.fstat(saved.fileno()).st_size == size and kept.read() == saved.read()
    except (OSError, DesignerError):
        return False


def changed_after_s(leftover: Leftover) -> float | None:
    """When its file on disk was changed, where that was after the work was recovered."""
    if leftover.path is None:
        return None
    try:
        changed_s = leftover.path.stat().st_mtime
    except OSError:
        return None
    return changed_s if changed_s > leftover.kept_at_s else None


def remove(file: Path) -> None:
    """Unsaved work that is saved, or not wanted, goes with its journals."""
    with contextlib.suppress(OSError):
        file.unlink()
    for one in journals(file).values():
        with contextlib.suppress(OSError):
            one.unlink()


def set_aside(file: Path) -> Path:
    """Rename what cannot be read, so that it is kept and not offered again; returns where it is."""
    aside = file.with_name(file.name.removesuffix(SUFFIX) + UNREADABLE)
    for generation, one in journals(file).items():
        with contextlib.suppress(OSError):
            one.rename(journal_file(aside, generation))
    with contextlib.suppress(OSError):
        file.rename(aside)
        return aside
    return file


def sweep(folder: Path) -> None:
    """Remove what killed programs left in the folder a while ago: half-written files, and journals of nothing."""
    remove_stale(folder)
    oldest = time.time() - STALE_AFTER_S
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            begins, found, _ = entry.name.partition(SUFFIX + ".")
            if not found or not entry.name.endswith(JOURNAL) or (folder / (begins + SUFFIX)).exists():
                continue
            if entry.stat(follow_symlinks=False).st_mtime < oldest:
                Path(entry.path).unlink()

"""A file that has to stay the same file (hard links, another owner) is written over, with a journal beside it.

The journal, `.NAME.writing-over`, is a line that says how long both contents are, the old content and the new. It is
whole on disk before the file is touched and goes when the file is written. A program killed in between leaves a file
that is partly new: the next reader or writer finds the journal and finishes the work. A journal that does not explain
what is in the file (somebody wrote it since) counts for nothing.
"""

import contextlib
import os
import stat
from pathlib import Path

_MAGIC = b"fabric-journal 1"
_HEAD_LONGEST = 100
_BLOCK = 1 << 16


def overwrite(target: Path, data: bytes, temporary: Path) -> os.stat_result:
    """Write the data into the file that is there; `temporary` is a file of ours in the same folder, to be used up.

    Raises OSError with the old content in the file again.
    """
    old = target.read_bytes()
    with temporary.open("wb") as file:
        file.write(b"%s %d %d\n" % (_MAGIC, len(old), len(data)))
        file.write(old)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(_journal(target))
    try:
        written = _put(target, data)
    except BaseException:
        _put(target, old)
        forget(target)
        raise
    forget(target)
    return written


def finish(path: Path, size_most: int | None = None) -> None:
    """Complete what a killed program began, where it did: the file then holds what was to be saved.

    Contents over `size_most` bytes are not looked at.
    """
    target = Path(os.path.realpath(path))
    with contextlib.suppress(OSError):
        found = _contents(target, size_most)
        if found is None:
            return
        old, new = found
        there = target.read_bytes()
        if there not in (old, new) and _is_between(there, old, new):
            _put(target, new)
            there = new
        if there == new:
            forget(target)


def forget(target: Path) -> None:
    """Remove the journal of a file that is whole."""
    with contextlib.suppress(OSError):
        _journal(target).unlink()


def _journal(target: Path) -> Path:
    return target.with_name(f".{target.name[:100]}.writing-over")


def _put(target: Path, data: bytes) -> os.stat_result:
    with target.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
        return os.fstat(file.fileno())


def _contents(target: Path, size_most: int | None) -> tuple[bytes, bytes] | None:
    """The old and the new content in the journal; None where there is none that is whole and of the same user."""
    journal = _journal(target)
    found = journal.lstat()
    owners = {target.stat().st_uid, os.geteuid()} if hasattr(os, "geteuid") else {found.st_uid}
    if not stat.S_ISREG(found.st_mode) or found.st_uid not in owners:
        return None
    with journal.open("rb") as file:
        words = file.readline(_HEAD_LONGEST).split()
        if words[:2] != _MAGIC.split() or len(words) != 4 or not all(word.isdigit() for word in words[2:]):
            return None
        n_old, n_new = int(words[2]), int(words[3])
        if file.tell() + n_old + n_new != found.st_size or (size_most is not None and max(n_old, n_new) > size_most):
            return None
        return file.read(n_old), file.read(n_new)


def _is_between(there: bytes, old: bytes, new: bytes) -> bool:
    """Whether the file is partly old and partly new: any block of it, as blocks reach the disk in any order."""
    if not min(len(old), len(new)) <= len(there) <= max(len(old), len(new)):
        return False
    for begin in range(0, len(there), _BLOCK):
        block, was, becomes = (one[begin : begin + _BLOCK] for one in (there, old, new))
        if block in (becomes, was):
            continue
        alike = zip(block, becomes, strict=False)
        n_new = next((at for at, (a, b) in enumerate(alike) if a != b), min(len(block), len(becomes)))
        if block[n_new:] != was[n_new : len(block)]:
            return False
    return True

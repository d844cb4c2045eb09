"""A file on disk that is always the old one or the new one, whole."""

import contextlib
import errno
import os
import secrets
import stat
import time
from collections.abc import Callable
from pathlib import Path

from designer.errors import DesignerError

STALE_AFTER_S = 24 * 3600.0
"""A temporary file this old was left by a program that was killed while saving."""

_MARK = ".saving-"


class SaveError(DesignerError, OSError):
    """A file cannot be written; the one that was there is as it was."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


def replace_file(path: Path, data: bytes, allow: Callable[[Path], None] = lambda _target: None) -> os.stat_result:
    """Write the data under that name in one step, even if the program is killed meanwhile.

    A link is followed, the file's mode kept. `allow` is called at the last moment and may raise. Raises SaveError
    with the old file intact.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = _mode_of(target, path.name)
        temporary = target.with_name(f".{target.name[:100]}{_MARK}{secrets.token_hex(6)}")
        try:
            written = _write(temporary, data, mode)
            allow(target)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        _settle(target.parent)
    except OSError as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError(f"{path.name} could not be saved: {reason(error, target)}") from None
    _sweep(target)
    return written


def _mode_of(target: Path, name: str) -> int | None:
    """Permission bits of the file that is there; None where there is none."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise SaveError(f"{name} could not be saved: there is a folder of that name")
    if not stat.S_ISREG(found.st_mode):
        raise SaveError(f"{name} could not be saved: it is not an ordinary file")
    if not os.access(target, os.W_OK):
        raise SaveError(f"{name} could not be saved: it is write-protected")
    return stat.S_IMODE(found.st_mode)


def _write(temporary: Path, data: bytes, mode: int | None) -> os.stat_result:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(temporary, flags, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)
        file.write(data)
        file.flush()
        os.fsync(descriptor)
        return os.fstat(descriptor)


def _settle(folder: Path) -> None:
    """Make the new name survive a power cut, where the system lets us."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def is_left_from_saving(name: str) -> bool:
    """Whether a file of that name is one that a saving writes before it takes the place of the old one."""
    return name.startswith(".") and _MARK in name


def _sweep(target: Path) -> None:
    """Remove what killed savings of the same file left behind long ago."""
    prefix = f".{target.name[:100]}{_MARK}"
    oldest = time.time() - STALE_AFTER_S
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.stat(follow_symlinks=False).st_mtime < oldest:
                os.unlink(entry.path)


def reason(error: OSError, target: Path) -> str:
    """Why the system refused the file, as the end of a sentence."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "there is no space left on the disk"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"you may not write in {target.parent}"
    if error.errno == errno.EROFS:
        return f"{target.parent} cannot be written to"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return f"there is no folder {target.parent}"
    if error.errno == errno.ENAMETOOLONG:
        return "the name is too long"
    if error.errno == errno.ELOOP:
        return "it is a link that leads back to itself"
    return (error.strerror or "the system refused").lower()

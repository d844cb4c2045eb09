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
from designer.process import Temporary
from designer.storage import in_place

STALE_AFTER_S = 3600.0
"""A temporary file this old was left by a program that was killed while saving."""

PRIVATE = 0o600
"""The mode of what is kept for this user alone: unsaved work, whoever may read the file that it is of."""

_MARK = ".saving-"


class SaveError(DesignerError, OSError):
    """A file cannot be written; the one that was there is as it was."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


def replace_file(
    path: Path, data: bytes, allow: Callable[[Path], None] = lambda _target: None, mode: int | None = None
) -> os.stat_result:
    """Write the data under that name in one step, even if the program is killed meanwhile.

    A symbolic link is followed. The file's mode, owner, group, access list and other extended attributes stay: the
    new file takes them on before it takes the name. Where that is not possible, for a file with several names (hard
    links) and one whose owner or group the system does not let us give, the file itself is written over instead, with
    a journal beside it (see `in_place`). A new file has the mode the umask leaves, or just `mode` where that is
    given, whatever the old file had. `allow` is called at the last moment and may raise. Raises SaveError with the
    old file intact.
    """
    target = Path(os.path.realpath(path))
    try:
        found = _file_at(target, path.name)
        in_place.finish(target)
        temporary = target.with_name(f".{target.name[:100]}{_MARK}{secrets.token_hex(6)}")
        with Temporary(temporary):
            try:
                written = _write(temporary, data, target, found, mode)
                allow(target)
                if written is not None:
                    temporary.replace(target)
                else:
                    written = in_place.overwrite(target, data, temporary)
            except BaseException:
                with contextlib.suppress(OSError):
                    temporary.unlink()
                raise
        _settle(target.parent)
    except OSError as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError(f"{path.name} could not be saved: {reason(error, target)}") from None
    in_place.forget(target)
    sweep(target)
    return written


def _file_at(target: Path, name: str) -> os.stat_result | None:
    """What the system knows of the file that is there; None where there is none."""
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
    return found


def _write(
    temporary: Path, data: bytes, target: Path, like: os.stat_result | None, mode: int | None
) -> os.stat_result | None:
    """Write a file that may take the place of the target; None, unwritten, where it cannot become like that one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    # Nobody else may read it before it has the access rights of the old file.
    descriptor = os.open(temporary, flags, 0o666 if like is None and mode is None else PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        if like is not None and mode is None and not _take_on(descriptor, like, target):
            return None
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)
        file.write(data)
        file.flush()
        os.fsync(descriptor)
        return os.fstat(descriptor)


def _take_on(descriptor: int, like: os.stat_result, target: Path) -> bool:
    """Give a file the owner, group, attributes and mode of another; False where it cannot stand for that one."""
    if like.st_nlink > 1:
        return False
    if not hasattr(os, "fchmod"):
        return True
    try:
        own = os.fstat(descriptor)
        if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
            os.fchown(descriptor, like.st_uid, like.st_gid)
        _copy_attributes(target, descriptor)
        os.fchmod(descriptor, stat.S_IMODE(like.st_mode))  # last: a change of owner takes bits away
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO):
            raise
        return False
    return True


def _copy_attributes(source: Path, descriptor: int) -> None:
    """Access list and extended attributes; those that the system sets by itself are its own affair."""
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(source)
    except OSError:  # a file system without them
        return
    for name in names:
        if name.startswith(_COPIED):
            os.setxattr(descriptor, name, os.getxattr(source, name))
    for name in os.listxattr(descriptor):
        if name.startswith(_COPIED) and name not in names:  # an access list that the folder gives to new files
            os.removexattr(descriptor, name)


_COPIED = ("user.", "system.posix_acl")


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


def sweep(target: Path) -> None:
    """Remove what killed savings of the same file left behind, where it is this user's and has not been touched lately.

    `target` is the file itself, no link to it.
    """
    remove_stale(target.parent, f".{target.name[:100]}{_MARK}")


def remove_stale(folder: Path, begins: str = ".") -> None:
    """Remove temporary files of savings in the folder whose names begin so, as `sweep` does."""
    oldest = time.time() - STALE_AFTER_S
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(begins) or _MARK not in entry.name:
                continue
            with contextlib.suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                is_own = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
                if is_own and stat.S_ISREG(found.st_mode) and found.st_mtime < oldest:
                    Path(entry.path).unlink()


def reason(error: OSError, target: Path) -> str:
    """Why the system refused the file, as the end of a sentence."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"there is no space left on the disk of {target.parent}"
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

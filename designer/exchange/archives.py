"""Archives with the same bytes each time: their files say nothing of when and where they were made."""

import zipfile
from collections.abc import Iterable
from typing import IO

DATE_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that the format knows."""
_UNIX = 3
_FILE, _PROGRAM, _FOLDER = 0o100644, 0o100755, 0o040755


def write_archive(to: IO[bytes], contents: Iterable[tuple[str, bytes]]) -> None:
    """Write these files by name: scripts can be run where they are unpacked, a name that ends in "/" is a folder."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents:
            archive.writestr(member(name, mode_of(name)), data)


def mode_of(name: str) -> int:
    """The mode of what is called so."""
    return _FOLDER if name.endswith("/") else _PROGRAM if name.endswith(".sh") else _FILE


def member(name: str, mode: int) -> zipfile.ZipInfo:
    """A compressed file in an archive, of that mode where it is unpacked."""
    info = zipfile.ZipInfo(name, DATE_TIME)
    info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, _UNIX, mode << 16
    return info

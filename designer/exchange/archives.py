"""Archives with the same bytes each time: their files say nothing of when and where they were made."""

import zipfile

DATE_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that the format knows."""
_UNIX = 3


def member(name: str, mode: int) -> zipfile.ZipInfo:
    """A compressed file in an archive, of that mode where it is unpacked."""
    info = zipfile.ZipInfo(name, DATE_TIME)
    info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, _UNIX, mode << 16
    return info

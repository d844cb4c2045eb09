"""Which files and designs are large: these are read and written in a worker."""

from pathlib import Path

from designer.model.design import Design

LARGE_BYTES = 150_000
LARGE_RECORDS = 2_000
"""Less than this is read or written sooner than a tenth of a second."""


def is_large_file(path: Path) -> bool:
    """Whether a file is over 150,000 bytes; False where it cannot be looked at."""
    try:
        return path.stat().st_size > LARGE_BYTES
    except OSError:
        return False


def is_large(design: Design) -> bool:
    """Whether a design has over 2,000 devices, modules and links together."""
    return len(design.devices) + len(design.modules) + len(design.links) > LARGE_RECORDS

"""Files of constants that `calibrate` wrote, read back for a scenario."""

import hashlib
from pathlib import Path

from designer.errors import FileFormatError
from designer.outside_files import read_bytes, text_of
from designer.simulation.libraries.constants import read
from designer.simulation.libraries.execution import Measured, checked
from designer.simulation.own_constants import OwnConstants

MOST_BYTES = 10**6


def read_constants(path: Path) -> OwnConstants:
    """The constants in a file. Raises FileFormatError or CatalogError with one sentence, OSError as it comes."""
    data = read_bytes(path, MOST_BYTES, "choose a file that calibrate wrote")
    text_of(data, path.name)
    found = checked(read(path, Measured))
    if found.library not in ("nccl", "rccl"):
        raise FileFormatError(f"{path.name}: library should be nccl or rccl")
    return OwnConstants(path.name, found.library, hashlib.sha256(data).hexdigest(), found)

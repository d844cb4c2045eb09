"""Files of constants that `calibrate` wrote, read back for a scenario."""

import hashlib
from pathlib import Path

from designer.errors import FileFormatError
from designer.outside_files import read_bytes, text_of
from designer.simulation.libraries.constants import library, no_such, read
from designer.simulation.libraries.execution import ANY, Measured, checked
from designer.simulation.libraries.machine import FAMILIES, VERBS
from designer.simulation.own_constants import OwnConstants

MOST_BYTES = 10**6


def read_constants(path: Path) -> OwnConstants:
    """The constants in a file. Raises FileFormatError or CatalogError with one sentence, OSError as it comes."""
    data = read_bytes(path, MOST_BYTES, "choose a file that calibrate wrote")
    text_of(data, path.name)
    found = checked(read(path, Measured))
    if found.library not in ("nccl", "rccl"):
        raise FileFormatError(f"{path.name}: library should be nccl or rccl")
    _check_places(path.name, found)
    return OwnConstants(path.name, found.library, hashlib.sha256(data).hexdigest(), found, str(path))


def _check_places(name: str, found: Measured) -> None:
    """Raises FileFormatError for constants of a generation or transport that the library does not know: unused."""
    generations = tuple(one.name for one in library(found.library).generations)
    transports = (VERBS, *(transport for transport, _words in FAMILIES), ANY)
    for place in found.inside:
        if place not in (*generations, ANY):
            raise FileFormatError(f"{name}, inside.{place}: {no_such('generation', place, (*generations, ANY))}")
    for place in found.between:
        transport, at, generation = place.partition("@")
        if transport not in transports:
            raise FileFormatError(f"{name}, between.{place}: {no_such('transport', transport, transports)}")
        if at and generation not in generations:
            raise FileFormatError(f"{name}, between.{place}: {no_such('generation', generation, generations)}")

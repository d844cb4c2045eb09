"""One format that designs are made from: what it is called, how its files are known, and what reads them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from designer.exchange.reading.found import FoundNetwork
from designer.model.design import Design

SHEETS, DRAWINGS, FABRICS, TYPES, ADDED = (
    "Cable lists",
    "Graphs and diagrams",
    "Fabrics as built",
    "Device types",
    "Plug-ins",
)
GROUPS = (SHEETS, DRAWINGS, FABRICS, TYPES, ADDED)
"""Under what formats are listed, in this order; others follow by name."""


@dataclass(frozen=True, slots=True)
class Import:
    """A design made from another tool's files.

    `skipped` are sentences about what was left out, `notes` about what was read, `contents` what the design holds:
    "3 device types". `refused` says why there is no design, where all was left out.
    """

    design: Design
    contents: str
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that designs are made from: `read` makes the design itself, `found` gives a network to make it of.

    Each row has one of the two. Both raise DesignerError or OSError where nothing can be made of the file.
    """

    name: str
    title: str
    read: Callable[[Path], Import] | None = None
    found: Callable[[Path], FoundNetwork] | None = None
    suffixes: tuple[str, ...] = ()
    """What its files end in, in lower case; "/" for a folder."""
    looks: Callable[[str, bytes], bool] | None = None
    """Whether a file of that name and with these first bytes is of this format; the suffix alone decides without it.

    Of a folder the name ends in a slash, and the bytes are the names of its files.
    """
    group: str = ADDED
    """Under what the window lists it."""
    about: str = ""
    """What the file is, and where it comes from, in a sentence."""

    def suits(self, name: str, head: bytes) -> bool:
        """Whether a file of that name and with these first bytes is probably of this format."""
        is_of_suffix = name.lower().endswith(self.suffixes) if self.suffixes else False
        return is_of_suffix and (self.looks is None or self.looks(name, head))

"""What a file of another tool says of a network: nodes, links, what was guessed and what was not understood."""

from dataclasses import dataclass

from designer.errors import DesignerError
from designer.units import shortened

SWITCH, HOST = "switch", "host"
"""Kinds of a node; "" where the file does not say."""


class ImportFailure(DesignerError, ValueError):
    """Nothing can be made of the file; the message is one sentence that names the file and the way out."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something was read: 'links.xlsx, sheet P2P, row 14, column A-Port'."""

    file: str
    sheet: str = ""
    row: int | None = None
    """Line or row, from 1."""
    column: str = ""

    @property
    def text(self) -> str:
        """The place in words, from the file inward."""
        parts = [self.file]
        if self.sheet:
            parts.append(f"sheet {shortened(self.sheet)}")
        if self.row is not None:
            parts.append(f"row {self.row}" if self.sheet or self.column else f"line {self.row}")
        if self.column:
            parts.append(f"column {shortened(self.column)}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A device as the file describes it."""

    name: str
    """No other node of the network has it."""
    kind: str = ""
    """SWITCH, HOST or ""."""
    model: str = ""
    """What the file calls its type."""
    role: str = ""
    ports: tuple[str, ...] = ()
    """Ports that the file names, cabled or not."""
    guid: str = ""
    rack: str = ""
    unit: int | None = None
    """The lowest rack unit, from 1 at the bottom."""
    x: float | None = None
    y: float | None = None
    """Its place on a drawing, y down."""
    group: tuple[str, ...] = ()
    """Names of the groups that it is in, the outermost first."""
    rail: int | None = None
    plane: int | None = None
    scalable_unit: int | None = None
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class FoundEnd:
    """One end of a link: a node and what the file calls its port."""

    node: str
    port: str


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A physical link."""

    a: FoundEnd
    b: FoundEnd
    rate_gbps: float | None = None
    medium: str = ""
    length_m: float | None = None
    label: str = ""
    network: str = ""
    """One of designer.model.networks, or "" where the file does not say."""
    cable: str = ""
    """What the file calls the cable, as "C0001"; links in one cable share it."""
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """A thing that the reader took for something, with the reason."""

    spot: Spot
    sentence: str


@dataclass(frozen=True, slots=True)
class Unread:
    """What was not understood, and what it probably means."""

    spot: Spot
    sentence: str
    meant: str = ""


@dataclass(frozen=True, slots=True)
class FoundNetwork:
    """What a file says: nodes with names of their own, and each physical link once."""

    nodes: tuple[FoundNode, ...]
    links: tuple[FoundLink, ...]
    guesses: tuple[Guess, ...] = ()
    unread: tuple[Unread, ...] = ()
    reporters: tuple[str, ...] = ()
    """Nodes that looked around them, where links between others could not be seen; none given for a list of all."""

"""Cables and optics, and what they are ordered as."""

from collections.abc import Mapping
from dataclasses import dataclass

LENGTH_TOLERANCE_M = 1e-6
# Lengths that differ by less are one.

TWINAX_KINDS = tuple(f"{kind}{split}" for kind in ("DAC", "ACC", "LACC", "AEC") for split in ("", " splitter"))
"""Kinds of medium that are copper in pairs of coaxial conductors, straight and split."""

NODE_END = "inside the node"
"""The end of what joins the parts of a node, such as a chip and its router."""
BUILT_IN_ENDS = frozenset(("NVLink-cartridge", NODE_END))
"""What ports have in place of cages where the rack or the node itself joins them: nothing is plugged in."""


@dataclass(frozen=True, slots=True)
class MediumPart:
    """What a medium is ordered as: one length of a cable, one shell of an optic."""

    number: str
    """The number it is ordered by."""
    model: str = ""
    """Its older name where it has one, as "MCP7Y00-N001"."""
    length_m: float | None = None
    shell: str = ""
    """As "OSFP flat-top", where pieces differ by their shell."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class MediumType:
    """A cable, or an optic with the fiber it takes. `links` is how many logical links one piece carries."""

    id: str
    vendor: str
    model: str
    kind: str
    """"DAC", "ACC", "LACC", "AEC" or "AOC", each also as a splitter ("DAC splitter"), "copper" (twisted pair),
    "transceiver", "fiber" or "fiber splitter"."""
    links: int
    link_gbps: float | None = None
    protocols: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    """Shells at either end, as "OSFP finned"; the first is the switch side of a splitter."""
    connector: str = ""
    fibre: str = ""
    """"MM", "SM" or "" for copper and active optical cables."""
    lengths_m: tuple[float, ...] = ()
    max_length_m: float | None = None
    fibres: int = 0
    """Fiber cables to add when the product is a transceiver."""
    end_power_w: float | None = None
    price_usd: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[MediumPart, ...] = ()
    """What it is ordered as, where that was found; lengths and shells may be missing here."""
    diameter_mm: float | None = None
    bend_radius_mm: float | None = None

    @property
    def is_built_in(self) -> bool:
        """Whether it comes inside a rack or a node: it is no cable that anybody orders, numbers, labels or pulls."""
        return bool(self.ends) and BUILT_IN_ENDS.issuperset(self.ends)

    @property
    def comes_with(self) -> str:
        """What it comes inside of where it is built in: "rack" or "node"."""
        return "node" if NODE_END in self.ends else "rack"

    @property
    def socket(self) -> str:
        """ "MPO-12/APC" of "2 x MPO-12/APC": what one link of an optic leaves through."""
        return self.connector.rpartition(" x ")[2]

    def part(self, length_m: float | None, shell: str = "") -> MediumPart | None:
        """The shortest part that is as long and has that shell ("" fits any); None where none was found."""
        fitting = [
            one
            for one in self.parts
            if (one.length_m is None or (length_m is not None and one.length_m >= length_m - LENGTH_TOLERANCE_M))
            and (not shell or not one.shell or one.shell == shell)
        ]
        return min(fitting, key=lambda one: one.length_m or 0.0, default=None)


def is_built_in(types: Mapping[str, object], medium_id: str) -> bool:
    """Whether the medium of a link comes inside a rack or a node."""
    medium = types.get(medium_id)
    return isinstance(medium, MediumType) and medium.is_built_in

"""What a link is bought as: the cable or fiber, the transceivers at its ends, and the length they are sold in."""

from dataclasses import dataclass

from designer.analysis.optical_parts import (
    OpticalParts,
    cable_names,
    cage_facts,
    module_names,
    order_length_m,
    sold_as,
)
from designer.analysis.part_names import NO_NAMES, PartName
from designer.analysis.parts import OPTICAL
from designer.model.entities import Link
from designer.model.hardware.media import MediumType
from designer.model.hardware.ports import Port


@dataclass(frozen=True, slots=True)
class Bought:
    """The parts of a link; "" and None for what is not known."""

    medium: str = ""
    """ "DAC", "AOC"; "SM fiber" where the medium is an optic."""
    connector: str = ""
    """Of what is pulled: of a fiber between two optics, what one link leaves through."""
    cable: PartName = NO_NAMES
    stock_length_m: float | None = None
    """The shortest length the cable is sold in that is long enough."""
    order_length_m: float | None = None
    """The same; where none is known the length needed, rounded up."""
    a_optic: PartName = NO_NAMES
    z_optic: PartName = NO_NAMES


NOTHING = Bought()


class BoughtParts:
    """The parts of links, found once for all links of a kind."""

    def __init__(self, parts: OpticalParts) -> None:
        self._parts = parts
        self._found: dict[tuple[object, ...], Bought] = {}

    def of(self, link: Link, medium: MediumType | None, a: Port | None, z: Port | None) -> Bought:
        """What the link is bought as, from end a to end z."""
        if medium is None:
            return NOTHING
        key = (medium.id, link.length_m, a and cage_facts(a), z and cage_facts(z))
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._bought(medium, link.length_m, a, z)
        return found

    def _bought(self, medium: MediumType, length_m: float | None, a: Port | None, z: Port | None) -> Bought:
        optic = medium if medium.kind == "transceiver" else None
        piece = medium if optic is None else self._parts.fibre(optic, length_m)
        stock_length_m = sold_as(piece, length_m)[1] if piece is not None else None
        return Bought(
            medium=f"{medium.fibre} fiber".strip() if medium.kind in OPTICAL else medium.kind,
            connector=medium.connector if optic is None else optic.socket,
            cable=cable_names(piece, length_m) if piece is not None else NO_NAMES,
            stock_length_m=stock_length_m,
            order_length_m=order_length_m(piece, length_m) if piece is not None else None,
            a_optic=self._optic_for(a, optic, length_m),
            z_optic=self._optic_for(z, optic, length_m),
        )

    def _optic_for(self, port: Port | None, optic: MediumType | None, length_m: float | None) -> PartName:
        """The transceiver at ends whose cage takes it; else the module that goes with it."""
        if optic is None or port is None:
            return NO_NAMES
        module = self._parts.at(port, optic, length_m)
        return module_names(self._parts, module, port) if module is not None else NO_NAMES

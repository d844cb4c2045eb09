"""What identifies the cable of a link: its number, where its ends stand, whence its length, how far it reaches."""

from collections.abc import Mapping

from designer.analysis.cable_numbers import cable_name
from designer.analysis.optical_parts import cable_names, optical_parts
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.model.hardware.media import MediumType
from designer.model.hardware.types import HardwareType

SOURCES = {"typed": "typed in", "routed": "calculated along its route", "rule": "the default of the design"}
"""Where a length comes from, in words, by Link.length_source."""

NUMBER, PLACES, SOURCE, REACH, FIBER = NAMES = "Number", "Racks", "Length is", "Reach", "Fiber"


def link_facts(design: Design, types: Mapping[str, HardwareType], link: Link) -> dict[str, str]:
    """Each of NAMES as text, "" where there is nothing to say. `types` are those of the catalog."""
    medium = design.types.get(link.medium_id)
    cable = medium if isinstance(medium, MediumType) else None
    fibre = fibre_of(types, cable, link.length_m) if cable is not None and cable.kind == "transceiver" else None
    places = [place_of(design, end) for end in (link.a, link.b)]
    lengths = [one.max_length_m for one in (cable, fibre) if one is not None and one.max_length_m is not None]
    return {
        NUMBER: cable_name(link.cable),
        PLACES: " to ".join(one or "no rack" for one in places) if any(places) else "",
        SOURCE: SOURCES.get(link.length_source, "") if link.length_m is not None else "",
        REACH: f"up to {min(lengths):g} m" if lengths else "",
        FIBER: fibre_text(cable, fibre, link.length_m) if cable is not None and cable.kind == "transceiver" else "",
    }


def place_of(design: Design, end: End) -> str:
    """ "rack-07 U31"; "" where the device stands in no rack."""
    placed = design.placements.get(end.device_id)
    if placed is None or placed.rack_id is None:
        return ""
    unit = f" U{placed.unit}" if placed.unit is not None else ""
    return f"{design.racks[placed.rack_id].name}{unit}"


def fibre_of(types: Mapping[str, HardwareType], optic: MediumType, length_m: float | None) -> MediumType | None:
    """The fiber cable of the catalog that the plan takes for an optic; None where none is known."""
    return optical_parts(types.values()).fibre(optic, length_m)


def fibre_text(optic: MediumType, fibre: MediumType | None, length_m: float | None) -> str:
    """ "MFP7E10-N010 (MM)": as it is ordered, and what kind of fiber it is."""
    kind = f"{optic.fibre} fiber" if optic.fibre else "fiber"
    if fibre is None:
        return f"{kind}, none in the catalog fits"
    return f"{cable_names(fibre, length_m).text} ({kind})"

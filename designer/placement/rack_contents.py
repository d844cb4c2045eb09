"""What stands in a rack: units taken and free, and the power drawn of its budget."""

from dataclasses import dataclass

from designer.model.design import Design
from designer.model.equipping import empty_units, height
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.units import format_power

SIDE_NOT_KNOWN = "not known"
"""Where the ports of a device are that nobody turned: no catalog says on which side of a rack a type's ports are."""
PORT_SIDE_OPEN = "not stated whether the ports are at the front or the rear of the rack"
FLIP = "select the devices in the elevation, then Room > Flip (once for rear, twice for front)"
"""How the program learns where they are."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A device in a rack: its lowest unit, None where it is only said to be in it, and how many units it takes."""

    device_id: str
    unit: int | None
    units: int
    side: str
    """Where its ports look: "front", "rear", or "" where nobody stated it."""

    @property
    def rear(self) -> bool:
        """Whether its ports look to the back; those of an unknown side are drawn at the front."""
        return self.side == "rear"

    @property
    def ports_at(self) -> str:
        """The side of the rack on which its ports are: "front", "rear", or "not known" where nobody stated it."""
        return self.side or SIDE_NOT_KNOWN


@dataclass(frozen=True, slots=True)
class RackPower:
    """Highest draw of the devices whose figure is known; `unknown` names the types of the others."""

    draw_w: float
    budget_w: float | None
    unknown: tuple[str, ...]

    @property
    def draw(self) -> str:
        """ "11.92 kW", "at least 11.92 kW" where a figure is missing, "power not known" where all are."""
        known = format_power(self.draw_w)
        return known if not self.unknown else f"at least {known}" if self.draw_w else "power not known"


def standing_in(design: Design, rack_id: str) -> tuple[Standing, ...]:
    """Devices in a rack, the lowest first; those without a unit last."""
    found = []
    for device_id in design.mounted(rack_id):
        if device_id in design.devices:
            placement = design.placements[device_id]
            units = height(design.device_type(device_id))
            found.append(Standing(device_id, placement.unit, units, placement.side))
    return tuple(sorted(found, key=lambda one: one.unit if one.unit is not None else 10**9))


def of_unknown_port_side(design: Design) -> tuple[str, ...]:
    """The devices in racks whose port side is not known, in the order of the design."""
    places = design.placements
    return tuple(
        device_id
        for device_id in design.devices
        if (place := places.get(device_id)) is not None and place.rack_id is not None and not place.side
    )


def port_side_point(design: Design) -> str:
    """The open point that port sides are; "" where none is open."""
    return PORT_SIDE_OPEN if of_unknown_port_side(design) else ""


def free_units(design: Design, rack_id: str) -> int:
    """Units that nothing stands on."""
    return len(empty_units(design, rack_id))


def rack_power(design: Design, rack_id: str) -> RackPower:
    """Power of a rack: its own budget, else its type's, which says nothing of the shelves of a rack-scale system."""
    rack = design.racks[rack_id]
    type_ = design.types[rack.type_id]
    budget_w = rack.power_budget_w
    if budget_w is None and isinstance(type_, RackType):
        budget_w = type_.power_w
    draw_w, unknown = 0.0, set()
    types = [design.device_type(one.device_id) for one in standing_in(design, rack_id)]
    if rack.power_budget_w is None and any(isinstance(one, ServerType) and one.fills_rack for one in types):
        budget_w = None
    for device_type in types:
        if device_type.power_max_w is None:
            unknown.add(device_type.id)
        else:
            draw_w += device_type.power_max_w
    return RackPower(draw_w, budget_w, tuple(sorted(unknown)))

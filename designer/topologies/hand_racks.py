"""Racks for devices that were drawn by hand: filled by a policy, with switches near the servers they connect."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low

from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Entity, Placement, Rack, order_key
from designer.model.equipping import cold_side
from designer.model.hardware.racks import RackType
from designer.model.naming import Names
from designer.placement.racks import even_share, kept_free
from designer.topologies.equipment import TypeSource
from designer.topologies.rack_policy import OWN, SERVERS_PER_RACK, TOP, Mounting, RackPolicy
from designer.topologies.racking import assumed_heights, mounted_units, rack_for
from designer.units import format_count, format_counted, format_power

MOST_NAMED = 3
"""Devices that a remark names."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A device to mount: its height in rack units and what it draws at most, 0 where that is not known."""

    id: str
    name: str
    height: int
    power_w: float


@dataclass(slots=True)
class _Filled:
    """A rack being filled."""

    type_: RackType
    word: str
    most_w: float
    servers: list[_Unit] = field(default_factory=list)
    switches: list[_Unit] = field(default_factory=list)

    @property
    def taken(self) -> int:
        return sum(one.height for one in (*self.servers, *self.switches))

    def takes(self, one: _Unit, reserve: int = 0) -> bool:
        drawn_w = sum(other.power_w for other in (*self.servers, *self.switches))
        is_high_enough = self.taken + one.height + reserve <= self.type_.units
        return is_high_enough and drawn_w + one.power_w <= self.most_w

    def units(self, switches: str) -> dict[str, int]:
        """The lowest unit of each device: servers from the bottom up, switches on top of the rack or among them.

        Racks of switches alone are filled from the top, as those of generated fabrics.
        """
        if switches == TOP or not self.servers:
            return _stacked(self.servers, 1) | _hung(self.switches, self.type_.units)
        half = (len(self.servers) + 1) // 2
        return _stacked([*self.servers[:half], *self.switches, *self.servers[half:]], 1)


def mounted(design: Design, device_ids: Iterable[str], policy: RackPolicy, find: TypeSource) -> Mounting:
    """The devices that are in no rack, in new ones: servers in design order, each switch with servers it connects.

    Switches of the same servers are spread over the racks of these, so that no rack takes all of them down.

    Those without servers, and those that do not fit, are in racks of their own. Devices of generic types, which have
    no height, stay out. Raises EditError where nothing is left to mount, or one device exceeds the power of a rack.
    """
    loose = [one for one in sorted(device_ids, key=order_key) if not is_mounted(design, one)]
    heights = {one: mounted_units(design.device_type(one)) for one in loose}
    units = {one: _unit(design, one, height) for one, height in heights.items() if height is not None}
    if not units:
        raise EditError(_nothing_to_mount(loose))
    servers = [unit for one, unit in units.items() if design.is_server(one)]
    near = {one: _servers_of(design, one, units) for one in units if design.is_switch(one)}
    at_servers = [units[one] for one, its in near.items() if its and policy.switches != OWN]
    racks = _server_racks(servers, policy, find, sum(one.height for one in at_servers))
    place = {server.id: number for number, rack in enumerate(racks) for server in rack.servers}
    alone = [units[one] for one in near if units[one] not in at_servers]
    for switch in at_servers:
        order = _preferred(racks, [place[one] for one in near[switch.id]])
        chosen = next((racks[number] for number in order if racks[number].takes(switch)), None)
        if chosen is None:
            alone.append(switch)
        else:
            chosen.switches.append(switch)
    own = _switch_racks(alone, policy, find)
    spread = _spread_text(racks, own)
    racks += own
    changes = _changes(design, racks, policy)
    made = Mounting(Edit("", changes), len(units), len(racks), _remark(design, loose, units), spread)
    return replace(made, edit=Edit(f"Mount {made.summary}", changes))


def _preferred(racks: Sequence[_Filled], places: Sequence[int]) -> list[int]:
    """Racks for a switch, best first: those that hold the most of its servers, of these the one with fewest switches.

    `places` are the racks of its servers, one for each link. A rack holds the most with at least half as many links as
    any other: switches that serve the same servers, as those of rails do, are spread over all of their racks.
    """
    links, middle = Counter(places), median_low(places)
    least = max(links.values()) / 2

    def rank(number: int) -> tuple[bool, int, int]:
        is_far, height = links[number] < least, sum(one.height for one in racks[number].switches)
        return is_far, abs(number - middle) if is_far else height, number

    return sorted(range(len(racks)), key=rank)


def _spread_text(racks: Sequence[_Filled], own: Sequence[_Filled]) -> str:
    """ "Switches: 1 in each of 8 racks of the servers they connect, 4 in 1 rack of their own."; "" without any."""
    counts = [len(one.switches) for one in racks if one.switches]
    parts = []
    if counts:
        held = format_count(counts[0]) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
        where = f"each of {len(counts)} racks" if len(counts) > 1 else "1 rack"
        parts.append(f"{held} in {where} of the servers they connect")
    if n_own := sum(len(one.switches) for one in own):
        parts.append(f"{format_count(n_own)} in {format_counted(len(own), 'rack')} of their own")
    return f"Switches: {', '.join(parts)}." if parts else ""


def is_mounted(design: Design, device_id: str) -> bool:
    """Whether a device is in a rack."""
    place = design.placements.get(device_id)
    return place is not None and place.rack_id is not None


def _unit(design: Design, device_id: str, height: int) -> _Unit:
    power_w = design.device_type(device_id).power_max_w
    return _Unit(device_id, design.device(device_id).name, height, power_w or 0.0)


def _nothing_to_mount(loose: Sequence[str]) -> str:
    if not loose:
        return "all of these devices are in racks already"
    return (
        "generic devices have no height to mount them by, nor have single chips: give them types of the catalog first"
    )


def _servers_of(design: Design, switch_id: str, units: Mapping[str, _Unit]) -> list[str]:
    """Servers to be mounted that the switch has links to, one for each link."""
    ends = (end.device_id for link in design.links_of(switch_id) for end in (link.a, link.b))
    return [one for one in ends if one in units and design.is_server(one)]


def _server_racks(servers: Sequence[_Unit], policy: RackPolicy, find: TypeSource, switch_units: int) -> list[_Filled]:
    """Racks of servers with room left for so many units of switches, spread evenly over them."""
    reserve, racks = 0, _filled(servers, policy, find, 0)
    while racks and (needed := -(-switch_units // len(racks))) > reserve and needed < racks[0].type_.units:
        reserve, racks = needed, _filled(servers, policy, find, needed)
    return racks


def _filled(servers: Sequence[_Unit], policy: RackPolicy, find: TypeSource, reserve: int) -> list[_Filled]:
    racks: list[_Filled] = []
    for one in servers:
        most = policy.servers_per_rack
        is_full = not racks or (most is not None and len(racks[-1].servers) >= most)
        if is_full or not racks[-1].takes(one, reserve):
            racks.append(_empty(one, policy, find, most or SERVERS_PER_RACK, "rack"))
        racks[-1].servers.append(one)
    return racks


def _switch_racks(switches: Sequence[_Unit], policy: RackPolicy, find: TypeSource) -> list[_Filled]:
    """Racks of switches, spread evenly over as few as leave units free in each."""
    racks = _of_switches(switches, policy, find, len(switches))
    even = _of_switches(switches, policy, find, even_share(len(switches), max(1, len(racks))))
    return even if len(even) == len(racks) else racks


def _of_switches(switches: Sequence[_Unit], policy: RackPolicy, find: TypeSource, most: int) -> list[_Filled]:
    racks: list[_Filled] = []
    free = kept_free((one.height for one in switches), policy.free_units)
    for one in switches:
        if not racks or len(racks[-1].switches) >= most or not racks[-1].takes(one, free):
            racks.append(_empty(one, policy, find, 1, "net"))
        racks[-1].switches.append(one)
    return racks


def _empty(one: _Unit, policy: RackPolicy, find: TypeSource, most: int, word: str) -> _Filled:
    type_ = rack_for(find, one.height, most)
    most_w = policy.power_w if policy.power_w is not None else type_.power_w
    rack = _Filled(type_, word, float("inf") if most_w is None else most_w)
    if one.power_w > rack.most_w:
        raise EditError(
            f"{one.name} draws up to {format_power(one.power_w)}, a rack {format_power(rack.most_w)}: allow more power"
        )
    return rack


def _stacked(units: Sequence[_Unit], bottom: int) -> dict[str, int]:
    found = {}
    for one in units:
        found[one.id] = bottom
        bottom += one.height
    return found


def _hung(units: Sequence[_Unit], top: int) -> dict[str, int]:
    found = {}
    for one in units:
        top -= one.height
        found[one.id] = top + 1
    return found


def _changes(design: Design, racks: Sequence[_Filled], policy: RackPolicy) -> tuple[Change, ...]:
    names = Names(rack.name for rack in design.racks.values())
    ids = design.new_ids("racks", len(racks))
    types = {rack.type_.id: rack.type_ for rack in racks}
    new: list[Entity] = [type_ for type_id, type_ in types.items() if type_id not in design.types]
    moved: list[Change] = []
    for rack_id, rack in zip(ids, racks, strict=True):
        held = [*rack.servers, *rack.switches]
        new.append(Rack(rack_id, names.first(rack.word), rack.type_.id, _group_of(design, held)))
        for device_id, unit in rack.units(policy.switches).items():
            place = design.placements.get(device_id)
            side = cold_side(design.device_type(device_id))
            if place is None:
                new.append(Placement(device_id, 0.0, 0.0, rack_id, unit, side))
            else:
                moved.append(Change(place, replace(place, rack_id=rack_id, unit=unit, side=side)))
    return (*added(new), *moved)


def _group_of(design: Design, held: Sequence[_Unit]) -> str | None:
    """The group that all devices of a rack are in; None where there is none."""
    groups = {design.device(one.id).group_id for one in held}
    return groups.pop() if len(groups) == 1 else None


def _remark(design: Design, loose: Sequence[str], units: Mapping[str, _Unit]) -> str:
    types = [design.device_type(one) for one in units]
    unknown = sorted({one.model for one in types if one.power_max_w is None})
    stated = [assumed_heights(types)]
    if unknown:
        stated.append(f"Power not known: {', '.join(unknown)}.")
    left = [design.device(one).name for one in loose if one not in units]
    if left:
        more = f" and {format_count(len(left) - MOST_NAMED)} more" if len(left) > MOST_NAMED else ""
        stated.append(
            f"{format_counted(len(left), 'generic device')} without a height {'is' if len(left) == 1 else 'are'} "
            f"left out: {', '.join(left[:MOST_NAMED])}{more}."
        )
    return " ".join(filter(None, stated))

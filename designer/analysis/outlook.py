"""What an edit would bring, stated before it is done: counts, and the ports it leaves free."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from designer.analysis.tiers import NO_ROLE, device_word
from designer.model.annotation_styles import LINE_FIELDS
from designer.model.design import Design
from designer.model.edit import Change, Edit, netted
from designer.model.entities import Device, End, Group, Link, Module, PlacedJob, Placement, Rack
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.waiver import Waiver
from designer.units import format_count, format_counted, format_rate

CHANGES = "changes"
MOST_NAMED = 3
"""Links whose ports are named; more are counted."""
VERBS = ("adds", "removes", "moves", "renames", "flips", CHANGES)
NOUNS: dict[type, str] = {
    Link: "link",
    Device: "switch",
    Group: "group",
    Rack: "rack",
    Module: "module",
    NicType: "device type",
    SwitchType: "device type",
    ServerType: "device type",
    Placement: "device",
    PlacedJob: "job",
    Waiver: "waiver",
}
"""What is counted; new types come with what is of them, annotations follow what they are pinned to."""
ORDER = {kind: number for number, kind in enumerate(NOUNS)}
CABLE_FIELDS = ("medium_id", "length_m", "length_source", "medium_source", "cable")
OWN_FIELDS = (*CABLE_FIELDS, "label", "colour", "notes", "tags", "fields", *LINE_FIELDS)
"""Of a link, all but its ends."""
SORTED_FIELDS = ("role", "rail", "plane", "unit", "network", "group_id")
FLOOR_FIELDS = ("x_m", "y_m", "facing")


@dataclass(frozen=True, slots=True)
class PortsLeft:
    """Free ports, after the edit, of the switches of one role that its links end on and of their like beside them."""

    role: str
    least: int
    most: int
    switches: int
    rates: str = ""
    """Of their ports, as "1G", where others of the role have ports of other rates."""
    kind: str = ""
    """The rates of the ports counted, where the switches have ports of others too, which these links do not take."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What an edit does, and what it leaves."""

    effects: dict[str, dict[str, int]]
    """How many of what, by what is done to them, as {"adds": {"link": 4}, "moves": {"link": 1}}."""
    left: tuple[PortsLeft, ...]

    @property
    def sentence(self) -> str:
        """ "Adds 64 links and 8 leafs, moves 1 link; 32 ports left on each leaf."."""
        done = [f"{verb} {_listed(self.effects[verb])}" for verb in VERBS if verb in self.effects]
        if not done:
            return "Nothing to add: everything is there already."
        stated = ", ".join(done)
        return "; ".join([stated[0].upper() + stated[1:], *map(_left, self.left)]) + "."


def outlook(design: Design, edit: Edit) -> Outlook:
    """What the edit would bring to the design, which stays as it is."""
    after = design.snapshot()
    after.apply(edit)
    changes = netted(edit).changes
    links = [change.after for change in changes if change.before is None and isinstance(change.after, Link)]
    ends = dict.fromkeys(end.device_id for link in links for end in (link.a, link.b))
    taken = _rates_taken(after, links)
    left: dict[tuple[str, str, bool], list[int]] = {}
    for device_id in _with_their_like(after, [one for one in ends if after.is_switch(one)]):
        role, there = _role(after, device_id), {port.rate_gbps for port in after.ports_for(device_id, "fabric")}
        counted = there & taken.get(role, there) or there
        free = [port for port in after.free_ports(device_id) if port.rate_gbps in counted]
        left.setdefault((role, _rates(counted), counted != there), []).append(len(free))
    of_role = Counter(role for role, *_ in left)
    return Outlook(
        _effects(design, after, changes),
        tuple(
            PortsLeft(
                role,
                min(free),
                max(free),
                len(free),
                rates if of_role[role] > 1 and not is_part else "",
                rates if is_part else "",
            )
            for (role, rates, is_part), free in left.items()
        ),
    )


def _rates_taken(design: Design, links: Iterable[Link]) -> dict[str, set[float]]:
    """By role of switches, the rates of the ports that these links end on."""
    found: dict[str, set[float]] = {}
    for link in links:
        for end in (link.a, link.b):
            port = design.port(end)
            if port is not None and design.is_switch(end.device_id):
                found.setdefault(_role(design, end.device_id), set()).add(port.rate_gbps)
    return found


def connections(design: Design, edit: Edit) -> str:
    """ "Connects rail5 of gpu-07 to port 4/1 of leaf-su1-r5 and 2 more": the links it adds or moves; "" without any."""
    new = {change.after.id: change.after.name for change in edit.changes if isinstance(change.after, Device)}
    links = [
        change.after
        for change in netted(edit).changes
        if isinstance(change.after, Link)
        and (not isinstance(change.before, Link) or _ends(change.before) != _ends(change.after))
    ]
    named = [f"{_port(design, new, one.a)} to {_port(design, new, one.b)}" for one in links[:MOST_NAMED]]
    if not named:
        return ""
    more = f"{format_count(len(links) - MOST_NAMED)} more" if len(links) > MOST_NAMED else named.pop()
    return f"Connects {', '.join(named)}{' and ' if named else ''}{more}"


def _ends(link: Link) -> tuple[End, End]:
    return link.a, link.b


def _port(design: Design, new: Mapping[str, str], end: End) -> str:
    """ "rail5 of gpu-07", "port 4/1 of leaf-su1-r5"; `new` names devices that the design does not have yet."""
    device = design.devices.get(end.device_id)
    name = device.name if device is not None else new.get(end.device_id, end.device_id)
    word = "port " if end.port[:1].isdigit() else ""
    return f"{word}{end.port} of {name}"


def _rates(rates_gbps: Iterable[float]) -> str:
    """ "400G", "100G/400G"."""
    return "/".join(map(format_rate, sorted(rates_gbps)))


def _effects(design: Design, after: Design, changes: tuple[Change, ...]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    adds_links = any(change.before is None and isinstance(change.after, Link) for change in changes)
    new = {change.after.id for change in changes if change.before is None and isinstance(change.after, Device)}
    lost = {change.before.id for change in changes if change.after is None and isinstance(change.before, Device)}
    for change in sorted(changes, key=lambda change: ORDER.get(type(change.subject), len(ORDER))):
        verb, one = effect_of(change, adds_links=adds_links), change.subject
        if not verb or type(one) not in NOUNS or (isinstance(one, Module) and one.device_id in new | lost):
            continue
        counts.setdefault(verb, Counter())[_noun(design if change.after is None else after, change, verb)] += 1
    return {verb: dict(found) for verb, found in counts.items()}


def _noun(design: Design, change: Change, verb: str) -> str:
    """What a record is called; `design` has it."""
    one = change.subject
    if isinstance(one, Device):
        return _role(design, one.id)
    if isinstance(one, Module):
        return "line card" if isinstance(design.types.get(one.type_id), LineCardType) else "NIC"
    if isinstance(one, Placement) and one.id not in design.devices:
        return "rack" if one.id in design.racks else "annotation"
    return "cable" if verb == CHANGES and isinstance(one, Link) and _only(change, CABLE_FIELDS) else NOUNS[type(one)]


def effect_of(change: Change, *, adds_links: bool) -> str:
    """What a change does to its record, as one of VERBS; "" where it goes without saying."""
    before, after = change.before, change.after
    if before is None or after is None:
        goes_along = isinstance(change.subject, Placement | NicType | SwitchType | ServerType)
        return "" if goes_along else "adds" if before is None else "removes"
    if isinstance(before, Device) and adds_links and _only(change, SORTED_FIELDS):
        return ""  # what is linked is given its role and rail
    if isinstance(before, Placement):
        return "flips" if _only(change, ("side",)) else "" if _only(change, ("locked",)) else "moves"
    if (isinstance(before, Link) and not _only(change, OWN_FIELDS)) or _only(change, FLOOR_FIELDS):
        return "moves"
    return "renames" if _only(change, ("name",)) else CHANGES


def _only(change: Change, fields: Collection[str]) -> bool:
    """Whether nothing but these fields differs."""
    before, after = change.before, change.after
    return all(
        one.name in fields or getattr(before, one.name) == getattr(after, one.name)
        for one in dataclasses.fields(change.subject)
    )


def _listed(counts: Mapping[str, int]) -> str:
    parts = [format_counted(count, noun) for noun, count in counts.items()]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _with_their_like(design: Design, switches: list[str]) -> dict[str, None]:
    """The switches, and those of the same role in their groups: "each router" of two groups joined is all of them."""
    met = dict.fromkeys(switches)
    n_ends = Counter(_role(design, one) for one in switches)
    for group_id, role in dict.fromkeys((design.device(one).group_id, _role(design, one)) for one in switches):
        if group_id is not None and n_ends[role] > 1:  # one alone is not "each" of its like
            alike = (one for one in design.members(group_id) if one in design.devices and design.is_switch(one))
            met.update(dict.fromkeys(one for one in alike if _role(design, one) == role))
    return met


def _role(design: Design, device_id: str) -> str:
    if design.is_server(device_id):
        return device_word(design, device_id)
    role = design.device(device_id).role
    return role if role and role != NO_ROLE else "switch"


def _left(ports: PortsLeft) -> str:
    count = format_count(ports.least)
    if ports.most != ports.least:
        count += f" to {format_count(ports.most)}"
    word = "port" if ports.most == 1 else "ports"
    which = " ".join(filter(None, ("each" if ports.switches > 1 else "the", ports.rates, ports.role)))
    of_rate = f" of {ports.kind}" if ports.kind else ""
    return f"{count} {word}{of_rate} left on {which}"

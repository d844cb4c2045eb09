"""Injectors of faults in ports, NICs, links, racks and tiers: each takes a design and a source of chance.

It returns the changes that make the fault, or None where the design has no place for it.
"""

from collections import Counter
from dataclasses import replace
from itertools import accumulate

from injecting import changed, down_links, joined, one_of, up_links, with_free_ports

from designer.analysis.survey import survey
from designer.catalog.catalog import load
from designer.model import operations, waiving
from designer.model.edit import Edit, added, removed
from designer.model.entities import DRAGONFLY_GROUP, End, Group, Module, PlacedJob
from designer.model.furnishing import add_fixture
from designer.model.hardware.ports import MANAGEMENT
from designer.model.networks import COMPUTE, network_of_switch
from designer.model.placed_jobs import whole
from designer.model.waiver import Waiver
from designer.placement import floor
from designer.placement.rack_contents import standing_in

CATALOG = load()


def of_a_standing_rack(figure, **fields):
    """A rack gets these fields, in which stands what has a figure that is known."""

    def inject(design, random):
        known = {one for one in design.devices if getattr(design.device_type(one), figure)}
        racks = dict.fromkeys(one.rack_id for one in design.placements.values() if one.rack_id and one.id in known)
        chosen = one_of(random, racks)
        return chosen and (changed(design.racks[chosen], **fields),)

    return inject


def rack_of_no_more_units(design, random):
    """A rack of several switches becomes as low as they allow."""
    standing = {one.id: standing_in(design, one.id) for one in design.racks.values()}
    chosen = one_of(
        random,
        (
            rack_id
            for rack_id, held in standing.items()
            if len(held) > 1 and all(design.is_switch(one.device_id) for one in held)
        ),
    )
    if chosen is None:
        return None
    rack, held = design.racks[chosen], standing[chosen]
    low = replace(design.types[rack.type_id], id="low-rack", units=sum(one.units for one in held))
    units = accumulate((one.units for one in held[:-1]), initial=1)
    moved = (changed(design.placements[one.device_id], unit=unit) for one, unit in zip(held, units, strict=True))
    return (*added([low]), changed(rack, type_id=low.id), *moved)


def two_of_one_name(design, random):
    one, other = random.sample(list(design.devices.values()), 2)
    return (changed(one, name=other.name),)


def of_known_reach(design, random):
    """Any link whose cable or optic states how far it reaches."""
    known = {one.id for one in design.types.values() if getattr(one, "max_length_m", None)}
    return one_of(random, (one for one in design.links.values() if one.medium_id in known))


def beyond_its_reach(design, random):
    link = of_known_reach(design, random)
    return link and (changed(link, length_m=90_000.0, length_source="typed"),)


def no_such_port(design, random):
    link = one_of(random, design.links.values())
    return (changed(link, b=End(link.b.device_id, "999/9")),)


def port_twice(design, random):
    link = one_of(random, design.links.values())
    others = [one for one in design.links.values() if one.b.device_id == link.b.device_id and one is not link]
    return others and (changed(link, b=random.choice(others).b),)


def other_speed(design, random):
    """The cage of a link is put into a mode with a port of the same name and another speed."""
    links = [one for one in design.links.values() if design.port(one.b) is not None]
    for link in random.sample(links, min(8, len(links))):
        device = design.device(link.b.device_id)
        port = design.port_map(device.id)[link.b.port]
        for mode in getattr(design.types[device.type_id], "modes", ()):
            tried = design.snapshot()
            changes = (changed(device, cage_modes=((port.cage, mode.name),)),)
            tried.apply(Edit("try", changes))
            as_split = tried.port_map(device.id).get(link.b.port)
            if as_split is not None and as_split.rate_gbps != port.rate_gbps:
                return changes
    return None


def no_such_mode(design, random):
    return (changed(one_of(random, design.switches()), cage_modes=((1, "no such mode"),)),)


def one_link_too_many(design, random):
    full = [
        one
        for one in design.servers()
        if all(port.name in design.used_ports(one.id) for port in design.ports(one.id) if port.purpose != MANAGEMENT)
    ]
    server, switch = one_of(random, full), one_of(random, with_free_ports(design, 1))
    if server is None or switch is None:
        return None
    port = random.choice([port.name for port in design.ports(server.id) if port.purpose != MANAGEMENT])
    return joined(design, End(server.id, port), End(switch.id, design.free_ports(switch.id)[-1].name))


def reserved_in_use(design, random):
    link = one_of(random, up_links(design))
    return link and (changed(design.device(link.b.device_id), reserved_ports=(link.b.port,)),)


def to_itself(design, random):
    switch = one_of(random, with_free_ports(design, 2))
    if switch is None:
        return None
    one, other = random.sample(list(design.free_ports(switch.id)), 2)
    return joined(design, End(switch.id, one.name), End(switch.id, other.name))


def nic_without_slot(design, random):
    module = one_of(random, design.modules.values())
    return module and added([Module(design.new_ids("modules", 1)[0], module.device_id, "attic", module.type_id)])


def nic_without_cable(design, random):
    compute = [one for one in down_links(design) if _purpose(design, one) == "fabric"]
    links = Counter(one.a.device_id for one in compute)
    link = one_of(random, (one for one in compute if links[one.a.device_id] > 1))
    return link and removed([link])


def _purpose(design, link):
    """What the port of the server is for."""
    return next(design.port(end).purpose for end in (link.a, link.b) if design.is_server(end.device_id))


def no_cable_at_all(design, random):
    server = one_of(random, design.servers())
    return server and removed(list(design.links_of(server.id)))


def same_units(design, random):
    racked = [one for one in design.placements.values() if one.rack_id and one.unit]
    for one in random.sample(racked, len(racked)):
        mates = [mate for mate in racked if mate.rack_id == one.rack_id and mate is not one]
        if mates:
            return (changed(one, unit=random.choice(mates).unit),)
    return None


def placed_racks(design):
    return [one for one in design.racks.values() if floor.place_of(one) is not None]


def racks_in_each_other(design, random):
    if len(placed_racks(design)) < 2:
        return None
    one, other = random.sample(placed_racks(design), 2)
    return (changed(other, x_m=one.x_m + 0.3, y_m=one.y_m),)


def column_in_a_rack(design, random):
    rack = one_of(random, placed_racks(design))
    if rack is None:
        return None
    x, y = rack.x_m, rack.y_m
    return add_fixture(design, "column", (x - 0.2, y - 0.2, x + 0.2, y + 0.2)).changes


def out_of_its_rack(design, random):
    at = one_of(random, (one for one in design.placements.values() if one.rack_id))
    return at and (changed(at, rack_id=None),)


def group_of_nothing(design, random):
    return added([Group(design.new_ids("groups", 1)[0], "Nothing here", "scalable unit")])


def labels_alike(design, random):
    return tuple(changed(one, label="A-17") for one in random.sample(list(design.links.values()), 2))


def waiver_of_nothing(design, random):
    subject = one_of(random, design.switches()).id
    waiver = Waiver("", "LINK-001", (subject,), reason="a loop for tests", date="2026-11-22")
    return waiving.add_waivers(design, [waiver]).changes


def idle_switch(design, random):
    type_ = CATALOG.get("nvidia-qm9700")
    return operations.add_device(design, type_, 9000, 0, catalog_types=CATALOG.types, name="spare-of-tests").changes


def jobs_on_one_server(design, random):
    servers = [one.id for one in design.servers()]
    if len(servers) < 3:
        return None
    first, second = design.new_ids("jobs", 2)
    a, b, c = random.sample(servers, 3)
    return added(
        [
            PlacedJob(first, "one", 2**30, "all-reduce", servers=whole([a, b])),
            PlacedJob(second, "other", 2**30, "all-reduce", servers=whole([b, c])),
        ]
    )


def is_leaf(design, switch):
    """Whether it is a leaf of a tree of the compute network."""
    group = design.groups.get(switch.group_id or "")
    is_grouped = group is not None and group.kind == DRAGONFLY_GROUP
    return switch.role == "leaf" and network_of_switch(switch) == COMPUTE and not is_grouped


def rails_crossed(design, random):
    """Two links of a server change their leafs."""
    railed = [one for one in down_links(design) if design.device(one.b.device_id).rail is not None]
    link = one_of(random, railed)
    others = [
        one
        for one in railed
        if link.a.device_id == one.a.device_id
        and design.device(one.b.device_id).rail != design.device(link.b.device_id).rail
    ]
    if not others:
        return None
    other = random.choice(others)
    return changed(link, b=other.b), changed(other, b=link.b)


def leaf_without_uplinks(design, random):
    leaf = one_of(random, (one for one in design.switches() if is_leaf(design, one)))
    ups = [one for one in up_links(design) if leaf and leaf.id in (one.a.device_id, one.b.device_id)]
    return removed(ups) if len(down_links(design)) > len(ups) else None


def leafs_joined(design, random):
    """An uplink of a leaf goes to another leaf, at the port of an uplink that this one loses."""
    ups = [one for one in up_links(design) if is_leaf(design, design.device(one.a.device_id))]
    if len(ups) < 2:
        return None
    link, other = random.sample(ups, 2)
    if link.a.device_id == other.a.device_id:
        return None
    return changed(link, b=other.a), *removed([other])


def fewer_links_to_a_spine(design, random):
    """A leaf has several links to each of its spines and loses one."""
    pairs = Counter((one.a.device_id, one.b.device_id) for one in up_links(design))
    leafs = Counter(leaf for leaf, _ in pairs)
    wide = [
        one
        for one in up_links(design)
        if pairs[one.a.device_id, one.b.device_id] > 2
        and leafs[one.a.device_id] > 1
        and design.device(one.a.device_id).role == "leaf"
    ]
    link = one_of(random, wide)
    return link and removed([link])


def ring_open(design, random):
    """A link of a torus is missing; of a mesh, whose lines have ends, none is looked for."""
    routed = [one for one in up_links(design) if design.device(one.a.device_id).role == "router"]
    link = one_of(random, routed) if survey(design).rings else None
    return link and removed([link])


def in_dragonflies(design, link):
    """Whether both ends are in groups of a dragonfly."""
    groups = [design.groups.get(design.device(end.device_id).group_id or "") for end in (link.a, link.b)]
    return all(one is not None and one.kind == DRAGONFLY_GROUP for one in groups)


def groups_apart(design, random):
    """Two groups of a dragonfly lose every link between them."""

    def ends(link):
        return frozenset(design.device(end.device_id).group_id for end in (link.a, link.b))

    grouped = (ends(one) for one in up_links(design) if in_dragonflies(design, one))
    pair = one_of(random, sorted({one for one in grouped if len(one) == 2}, key=sorted))
    return pair and removed([one for one in up_links(design) if ends(one) == pair])


def within_a_group(design, random):
    """Two routers of a dragonfly's group lose the link between them."""
    near = [
        one
        for one in up_links(design)
        if in_dragonflies(design, one)
        and design.device(one.a.device_id).group_id == design.device(one.b.device_id).group_id
    ]
    link = one_of(random, near)
    return link and removed([link])


def fewer_links_to_a_core(design, random):
    cores = {one.id for one in design.switches() if one.role == "core"}
    link = one_of(random, (one for one in up_links(design) if one.b.device_id in cores or one.a.device_id in cores))
    return link and removed([link])


def row_turned_round(design, random):
    """Every rack of a row faces the other way."""
    rows = [row for row in floor.rows(design) if len(floor.rows(design)) > 1]
    row = one_of(random, rows)
    racks = [design.racks[one] for one in row.rack_ids] if row else ()
    return tuple(changed(one, facing="" if one.facing else "up") for one in racks)


def rack_off_the_floor(design, random):
    placed = placed_racks(design)
    return (changed(random.choice(placed), x_m=None, y_m=None),) if len(placed) > 1 else None


def cable_taken_away(design, random):
    link = of_known_reach(design, random)
    return link and (changed(link, medium_id="", medium_source=""),)


AT_RANDOM = {
    "NAME-001": two_of_one_name,
    "PORT-001": no_such_port,
    "PORT-002": port_twice,
    "PORT-003": other_speed,
    "PORT-004": no_such_mode,
    "PORT-005": one_link_too_many,
    "PORT-006": reserved_in_use,
    "LINK-001": to_itself,
    "NIC-001": nic_without_slot,
    "NIC-003": nic_without_cable,
    "REACH-001": no_cable_at_all,
    "RACK-001": same_units,
    "RACK-002": of_a_standing_rack("power_max_w", power_budget_w=1.0),
    "RACK-003": racks_in_each_other,
    "RACK-004": column_in_a_rack,
    "RACK-005": row_turned_round,
    "RACK-007": of_a_standing_rack("weight_kg", max_weight_kg=1.0),
    "RACK-008": of_a_standing_rack("power_max_w", feeds_w=(1.0, 1.0)),
    "RACK-009": out_of_its_rack,
    "RACK-010": rack_off_the_floor,
    "RACK-012": rack_of_no_more_units,
    "MEDIA-001": beyond_its_reach,
    "MEDIA-008": cable_taken_away,
    "OVER-002": fewer_links_to_a_core,
    "DOC-001": waiver_of_nothing,
    "DOC-003": group_of_nothing,
    "DOC-005": labels_alike,
    "TIER-001": idle_switch,
    "JOB-002": jobs_on_one_server,
    "RAIL-001": rails_crossed,
    "TIER-003": leaf_without_uplinks,
    "TIER-002": leafs_joined,
    "SPREAD-001": fewer_links_to_a_spine,
    "TORUS-001": ring_open,
    "DFLY-001": groups_apart,
    "DFLY-002": within_a_group,
}
"""By rule."""

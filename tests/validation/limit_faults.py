"""Injectors of faults that are found under a limit alone: what a policy asks for that the design just keeps.

Each takes a design and a source of chance. It returns these limits, and a function that makes the fault in the design
under them; None where the design has no place for it.
"""

from injecting import changed, joined, one_of, under

from designer.analysis import oversubscription
from designer.analysis.bisection import bisection_bandwidth
from designer.analysis.diameter import diameter_hops
from designer.analysis.survey import survey
from designer.catalog.catalog import load
from designer.model.edit import added, removed
from designer.model.entities import End
from designer.model.furnishing import add_tray
from designer.model.networks import COMPUTE, IN_BAND, NETWORKS, NORTH_SOUTH, OUT_OF_BAND, STORAGE, network_of_switch
from designer.placement import floor
from designer.placement.aisles import WIDE, aisles

CATALOG = load()


def diameter(design, random):
    hops = diameter_hops(survey(design))
    if not hops or hops < 2:
        return None
    return {"diameter_hops": hops}, lambda made: (under(made, diameter_hops=hops - 1),)


def bisection(design, random):
    """A spine loses its links; without spines, or where they have links to spare, the limit is raised."""
    surveyed = survey(design)
    of_servers = [one for one in surveyed.fabric_runs if surveyed.tier.get(one.low.device_id) == 0]
    half_gbps = sum(one.capacity_gbps for one in of_servers) / 2
    share = bisection_bandwidth(surveyed).gbps / half_gbps if half_gbps else 0.0
    limits = {"bisection_share": min(share, 1.0)}
    spine = one_of(random, (one for one in surveyed.switches if one.role == "spine"))
    if not 0 < share <= 1 or any(one.rail for one in surveyed.switches):
        return None  # the halves of a fabric of rails meet in the leafs
    if spine is None:
        return (limits, lambda made: (under(made, bisection_share=share * 1.1),)) if share < 0.9 else None
    return limits, lambda made: removed(made.links_of(spine.id))


def name(design, random):
    named = [*design.devices.values(), *design.racks.values()]
    one = one_of(random, named)
    if not all(each.name[:1].islower() for each in named):
        return None
    return {"name_pattern": "[a-z]*"}, lambda made: (changed(one, name=one.name.upper()),)


def _switches_of(design, network):
    """By server, the switches of a network that it is linked to, each with the links."""
    found = {}
    for run in survey(design).runs:
        if run.network == network and not run.managing and design.is_server(run.low.device_id):
            its = found.setdefault(run.low.device_id, {})
            its.setdefault(run.high.device_id, []).append(run.link)
    return found


def second_path(design, random):
    """A server keeps its links to one switch of a network."""
    linked = {one: its for one in NETWORKS if (its := _switches_of(design, one))}
    doubled = [one for one, its in linked.items() if all(len(switches) > 1 for switches in its.values())]
    network = one_of(random, doubled)
    if network is None:
        return None
    first, *others = random.choice(list(linked[network].values())).values()
    assert first
    return {"second_path": (network,)}, lambda made: removed([link for links in others for link in links])


def spare_ports(design, random):
    """A switch with the fewest spare ports gets one more link; where all ports of one are used, the limit is raised."""
    switches = [one for one in design.switches() if design.used_ports(one.id)]
    spare = {one.id: design.free_ports(one.id) for one in switches if not one.reserved_ports}
    counts = [len(design.ports_for(one.id, "fabric")) - design.n_used_ports(one.id) for one in switches]
    least = min(counts, default=0)
    if not least:
        return ({}, lambda made: (under(made, spare_ports=1),)) if counts else None
    fullest = one_of(random, (one for one, ports in spare.items() if len(ports) == least))
    other = one_of(random, (one for one, ports in spare.items() if ports and one != fullest))
    if fullest is None or other is None:
        return None
    ends = (End(one, spare[one][-1].name) for one in (fullest, other))
    return {"spare_ports": least}, lambda made: joined(made, *ends)


def surplus(design, random):
    routed = [one for one in design.links.values() if one.length_source == "routed"]
    link = one_of(random, routed)
    if link is None:
        return None
    typed = changed(link, length_m=link.length_m + 0.2 * link.length_m, length_source="typed")
    return {"length_surplus": 0.1}, lambda made: (typed,)


def moulded(design, random):
    """A link from one rack, or row, to another gets a cable with fixed ends."""
    within = random.choice(("rack", "row"))
    row_of = {rack: row.name for row in floor.rows(design) for rack in row.rack_ids}
    home = {one.id: one.rack_id if within == "rack" else row_of.get(one.rack_id) for one in design.placements.values()}
    apart = [
        one
        for one in design.links.values()
        if home[one.a.device_id] and home[one.b.device_id] and home[one.a.device_id] != home[one.b.device_id]
    ]
    link, cable = one_of(random, apart), CATALOG.get("aoc-hdr")
    if link is None:
        return None
    new = () if cable.id in design.types else added([cable])
    return {"moulded_within": within}, lambda made: (*new, changed(link, medium_id=cable.id))


def aisle(design, random):
    """A row of racks moves towards the one above."""
    narrow = [one for one in aisles(design) if one.kind != WIDE]
    one = one_of(random, narrow)
    if one is None:
        return None
    least_m = min(each.bottom_m - each.top_m for each in narrow)
    (row,) = (row for row in floor.rows(design) if row.name == one.below)
    racks = [design.racks[rack] for rack in row.rack_ids]
    by_m = one.bottom_m - one.top_m - least_m + 0.1
    return {"least_aisle_m": least_m}, lambda made: tuple(changed(rack, y_m=rack.y_m - by_m) for rack in racks)


def tray(design, random):
    """A tray from row to row that is as good as flat."""
    rows = floor.rows(design)
    if len(rows) < 2:
        return None
    (x, top), (_, bottom) = (floor.place_of(design.racks[row.rack_ids[0]]) for row in rows[:2])

    def fault(made):
        (change,) = add_tray(made, ((x, top), (x, bottom)), "T1", width_m=0.1).changes
        return added([changed(change.after, height_m=0.0001).after])

    return {"tray_fill": 0.4}, fault


def rack_of_spines(design, random):
    """All spines move into the rack of one, which has no leaf."""
    held = {}
    for one in design.switches():
        at = design.placements.get(one.id)
        held.setdefault(at and at.rack_id, []).append(one)
    spines = [one for one in design.switches() if one.role == "spine" and network_of_switch(one) == COMPUTE]
    racks = [rack for rack, own in held.items() if rack and all(one in spines for one in own)]
    if len(spines) < 2 or len(racks) < len(spines):
        return None
    rack, places = random.choice(racks), [design.placements[one.id] for one in spines]
    return {"survives_rack": True}, lambda made: tuple(changed(one, rack_id=rack) for one in places)


def over(network, field):
    """A leaf of a network loses one of its uplinks."""

    def inject(design, random):
        surveyed = survey(design, network)
        rows = [one for one in oversubscription.switches(surveyed) if surveyed.tier.get(one.device_id) == 1]
        ratios = [one.ratio for one in rows if one.ratio is not None and one.up_links > 1]
        if not ratios:
            return None
        leaf = one_of(random, (one.device_id for one in rows if one.ratio == max(ratios) and one.up_links > 1))
        ups = [one.link for one in surveyed.fabric_runs if one.low.device_id == leaf]
        link = random.choice(ups)
        return {field: max(ratios)}, lambda made: removed([link])

    return inject


AT_A_LIMIT = {
    "BISECT-001": bisection,
    "DIAM-001": diameter,
    "DOC-002": name,
    "MEDIA-003": surplus,
    "MEDIA-006": moulded,
    "NET-004": second_path,
    "OVER-003": over(STORAGE, "storage_oversubscription"),
    "OVER-004": over(IN_BAND, "in_band_oversubscription"),
    "OVER-005": over(OUT_OF_BAND, "oob_oversubscription"),
    "OVER-006": over(NORTH_SOUTH, "north_south_oversubscription"),
    "PORT-008": spare_ports,
    "ROOM-001": aisle,
    "ROOM-002": tray,
    "SPOF-003": rack_of_spines,
}
"""By rule."""

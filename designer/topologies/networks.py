"""The networks other than compute, added to servers that stand there: storage, in-band and out-of-band management.

Each network has switches of its own. Which ports a server has for it is what its type states, and nothing else; the
out-of-band network takes the management ports of switches too. A server with two ports or more in a network is on two
switches of it, so that one may fail; where two switches do not take all servers, leafs fill one after another under
spines that spread evenly.

Port order: on a leaf, servers take the first ports and uplinks the last ones, as in a fat-tree; before those are the
ports that are kept for what the design does not show.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link, order_key
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.ports import MANAGEMENT
from designer.model.hardware.switches import SwitchType
from designer.model.networks import (
    IN_BAND,
    NORTH_SOUTH,
    OUT_OF_BAND,
    STORAGE,
    TITLES,
    network_of_switch,
    networks_of_switch,
)
from designer.topologies.assembly import Assembly, padded
from designer.topologies.equipment import TypeSource, switch_type, types_of
from designer.topologies.network_joining import FreeLeafPorts, Joining, by_rack, rack_of, switches_of
from designer.topologies.network_layout import Rows, network_rows
from designer.topologies.network_members import Member, filled, managed_switches, together
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.network_plans import NetworkPlan, WantedNetwork, plan_network, plan_racks
from designer.topologies.rack_policy import FREE_UNITS
from designer.topologies.racking import mounted_units, rack_for
from designer.units import format_rate

GROUP_NAMES = {STORAGE: "Storage", IN_BAND: "In-band", NORTH_SOUTH: "North-south", OUT_OF_BAND: "Out-of-band"}

WORDS = {STORAGE: "storage", IN_BAND: "inband", NORTH_SOUTH: "northsouth", OUT_OF_BAND: "oob"}
"""What names of the switches begin with."""

FIELDS = {STORAGE: "storage", IN_BAND: "in_band", NORTH_SOUTH: "north_south", OUT_OF_BAND: "oob"}
"""What fields of NetworkParameters begin with."""


def build(
    design: Design, parameters: NetworkParameters, catalog: Catalog, server_ids: Sequence[str] | None = None
) -> Edit:
    """The edit that adds the networks asked for to these servers, or to all of the design.

    Servers that are in a network already stay as they are; others come onto the free ports of its leafs where it is
    there already. Raises ParameterError for what cannot be built.
    """
    find = types_of(design, catalog)
    chosen = list(server_ids) if server_ids is not None else [server.id for server in design.servers()]
    if not parameters.any:
        raise ParameterError("choose the switches of one network at least")
    if not chosen:
        raise ParameterError("there is no server to join to a network: add servers first")
    assembly = Assembly(design, find, beside=False)
    joining = Joining(design, find, chosen, parameters)
    plans: list[NetworkPlan] = []
    extended: list[tuple[str, tuple[Member, ...]]] = []
    per_rack: tuple[WantedNetwork, SwitchType, tuple[Member, ...]] | None = None
    for wanted in _wanted(parameters, find):
        network = wanted.network
        leaf = switch_type(find, wanted.switch)
        there = switches_of(design, network)
        meeting = design.device_type(there[0]) if there else leaf
        managed: list[Member] = []
        if network == OUT_OF_BAND and server_ids is None:
            types = [plan.budget.type_ for plan in plans for _ in range(plan.n_leafs + plan.n_spines)]
            managed = managed_switches(design, types, meeting)
        if there:
            extended.append((network, (*joining.members(network, meeting, managed), *managed)))
            continue
        members = (*together(joining.sharing(network, wanted.carries, leaf, managed)), *managed)
        if network == OUT_OF_BAND and parameters.oob_per_rack:
            per_rack = wanted, leaf, members
        else:
            plans.append(plan_network(design, members, leaf, wanted))
    built: list[str] = []
    for plan, rows in zip(plans, network_rows(design, plans), strict=True):
        built += _add(assembly, design, replace(plan, members=filled(plan.members, built)), find, rows)
    if per_rack is not None:
        wanted, leaf, members = per_rack
        racks = by_rack(design, assembly, filled(members, built))
        plan = plan_racks(design, list(racks.values()), leaf, wanted)
        (rows,) = network_rows(design, [plan], below=network_rows(design, plans))
        _add(assembly, design, plan, find, rows)
    free = FreeLeafPorts(design, assembly)
    for network, members in extended:
        free.extend(network, switches_of(design, network), filled(members, built))
    changes = _share_existing(design, parameters, joining, free, {plan.network for plan in plans})
    named = [*(one.network for one in _wanted(parameters, find)), *parameters.shares]
    what = f"{TITLES[named[0]].lower()} network" if len(named) == 1 else f"{len(named)} networks"
    made = assembly.edit(f"Add {what}" if plans or per_rack is not None or changes else f"Extend {what}")
    return replace(made, changes=(*changes, *made.changes))


def slow_uplinks(design: Design, edit: Edit | None = None) -> str:
    """What to choose where out-of-band switches rise as slowly as devices do; "" where none does.

    Of those that the edit adds, or without one of all in the design.
    """
    after = design
    if edit is not None:
        after = design.snapshot()
        after.apply(edit)
    added = None if edit is None else {change.after.id for change in edit.changes if isinstance(change.after, Link)}
    for switch in after.switches():
        if network_of_switch(switch) != OUT_OF_BAND:
            continue
        for link in after.links_of(switch.id):
            far = next((end.device_id for end in (link.a, link.b) if end.device_id != switch.id), switch.id)
            is_above = after.is_switch(far) and network_of_switch(after.device(far)) == OUT_OF_BAND
            if is_above and (added is None or link.id in added) and (said := _slow_uplink(after, link)):
                return said
    return ""


def _slow_uplink(design: Design, link: Link) -> str:
    """The sentence on a link between two out-of-band switches; "" where it is faster than the ports of devices."""
    port, type_ = design.port(link.a), design.device_type(link.a.device_id)
    if port is None or port.purpose == MANAGEMENT or not isinstance(type_, SwitchType):
        return ""
    slow, fast = format_rate(port.rate_gbps), format_rate(type_.most_port_gbps)
    if type_.most_port_gbps > port.rate_gbps:
        return (
            f"Uplinks of the out-of-band switches run at {slow}: no spine is chosen that takes the {fast} of so many "
            f"{type_.model}. Choose an out-of-band spine with more ports of {fast}."
        )
    if type_.least_port_gbps < port.rate_gbps:
        return ""
    return (
        f"Uplinks of the out-of-band switches run at {slow}, as links of devices do: {type_.model} has no faster port. "
        "Choose an out-of-band switch with faster ports for uplinks."
    )


def _wanted(parameters: NetworkParameters, find: TypeSource) -> list[WantedNetwork]:
    """The networks with switches of their own; the out-of-band one last, which manages the switches of the others."""
    one, found = parameters, []
    for network, switch in one.switches.items():
        field = FIELDS[network]
        on_it = tuple(other for other, carrier in one.shares.items() if carrier == network)
        kept = [kept for each in (network, *on_it) for kept in one.kept_of(each)]
        is_counted = network == OUT_OF_BAND
        ratio = None if is_counted else getattr(one, f"{field}_oversubscription")
        leafs, spines = getattr(one, f"{field}_leafs"), getattr(one, f"{field}_spines")
        uplinks = one.oob_uplinks if is_counted else 0
        above = _above(one, find) if is_counted else ()
        is_named = is_counted and bool(one.oob_spine_switch)
        found.append(WantedNetwork(network, switch, ratio, uplinks, tuple(kept), leafs, spines, on_it, above, is_named))
    return found


def _above(parameters: NetworkParameters, find: TypeSource) -> tuple[SwitchType, ...]:
    """What out-of-band spines may be: what is asked for; else switches like the leafs, or like those of in-band."""
    one = parameters
    names = (one.oob_spine_switch,) if one.oob_spine_switch else (one.oob_switch, one.in_band_switch)
    return tuple(switch_type(find, name) for name in names if name)


def _share_existing(
    design: Design, parameters: NetworkParameters, joining: Joining, free: FreeLeafPorts, planned: set[str]
) -> list[Change]:
    """Join networks to the free ports of switches that stand there already; the changes of these switches."""
    carried: dict[str, list[str]] = {}
    for network, carrier in parameters.shares.items():
        if carrier in planned:
            continue
        switches = switches_of(design, carrier)
        if not switches:
            raise ParameterError(
                f"there is no {TITLES[carrier].lower()} network whose switches the {TITLES[network].lower()} network "
                "can be on: choose its switches too"
            )
        if parameters.kept_of(network):
            raise ParameterError(
                f"ports for the {TITLES[network].lower()} network are kept on new switches alone; those of the "
                f"{TITLES[carrier].lower()} network stand there already"
            )
        members = joining.members(network, design.device_type(switches[0]))
        for switch in free.extend(network, switches, members, near=True):
            carried.setdefault(switch, []).append(network)
    changes = []
    for switch, networks in sorted(carried.items(), key=lambda pair: order_key(pair[0])):
        before = design.device(switch)
        if more := [one for one in networks if one not in networks_of_switch(before)]:
            changes.append(Change(before, replace(before, carries=(*before.carries, *more))))
    return changes


# -- building ----------------------------------------------------------------------------------------------------------


def _add(
    assembly: Assembly,
    design: Design,
    plan: NetworkPlan,
    find: TypeSource,
    rows: Rows,
) -> list[str]:
    """Add the switches and links of a network; returns its leafs and spines. `rows` are the centres of both."""
    word, type_ = WORDS[plan.network], plan.budget.type_
    group = assembly.add_group(GROUP_NAMES[plan.network], "network")
    mode = plan.budget.down_mode
    fields: dict[str, Any] = {
        "group_id": group,
        "port_mode": mode.name if mode != type_.modes[0] else "",
        "network": plan.network,
        "carries": plan.carries,
    }
    names = [port.name for port in switch_ports(type_, mode.name)][: type_.n_ports(mode)]
    n_below = len(names) - (plan.n_uplinks if plan.rise is None else 0)
    kept = tuple(names[n_below - plan.n_kept : n_below])
    purposes = [what for what, number in plan.kept for _ in range(number)]
    reserved = {"reserved_ports": kept, "reserved_for": tuple(zip(kept, purposes, strict=True))}
    above, rise = type_, plan.rise
    if rise is not None:
        above, mode = rise.spine, rise.spine_mode
    of_spines = fields | {"port_mode": mode.name if mode != above.modes[0] else ""}
    leafs, spines = (
        [
            assembly.add_device(f"{word}-{role}-{padded(number + 1, len(points))}", of_type, point, role=role, **given)
            for number, point in enumerate(points)
        ]
        for role, points, of_type, given in zip(
            ("leaf", "spine"), rows, (type_, above), (fields | reserved, of_spines), strict=True
        )
    )
    taken = dict.fromkeys(leafs, 0)
    for member, first in zip(plan.members, plan.first_leafs, strict=True):
        assembly.install(member.device_id, member.nics, member.nic_modes)
        for place, port in enumerate(member.ports):
            leaf = leafs[first + place % plan.sides]
            assembly.link(End(member.device_id, port.name), End(leaf, names[taken[leaf]]))
            taken[leaf] += 1
    lanes = plan.n_uplinks // plan.n_spines if plan.n_spines else 0
    ups, downs = (names[n_below:], names) if rise is None else (rise.leaf_ports, rise.spine_ports)
    for number, leaf in enumerate(leafs):
        for up in range(plan.n_uplinks):
            spine, lane = divmod(up, lanes)
            assembly.link(End(leaf, ups[up]), End(spines[spine], downs[number * lanes + lane]))
    left = _mount_by_rack(assembly, design, plan, leafs) if plan.runs else leafs
    types = dict.fromkeys(left, type_) | dict.fromkeys(spines, above)
    _mount(assembly, design, plan, find, group, types)
    return [*leafs, *spines]


def _mount_by_rack(assembly: Assembly, design: Design, plan: NetworkPlan, leafs: Sequence[str]) -> list[str]:
    """Put each leaf on top of the rack of its members; returns those that found no room there."""
    units = mounted_units(plan.budget.type_)
    first, left = 0, []
    for leaf, size in zip(leafs, plan.runs, strict=True):
        rack = rack_of(design, assembly, plan.members[first].device_id)
        first += size
        if units is None or not rack or not assembly.mount_on_top(leaf, rack, units):
            left.append(leaf)
    return left


def _mount(
    assembly: Assembly,
    design: Design,
    plan: NetworkPlan,
    find: TypeSource,
    group: str,
    switches: Mapping[str, SwitchType],
) -> None:
    """In racks of their own, where the design has racks and the switch is none of the generic ones without a height."""
    heights = {one: units for one, type_ in switches.items() if (units := mounted_units(type_)) is not None}
    if design.racks and heights:
        names = (f"{WORDS[plan.network]}-net-{number:02d}" for number in itertools.count(1))
        rack = rack_for(find, max(heights.values()), 1)
        taken = tuple(heights.values())
        assembly.mount(tuple(heights), taken, rack, names, from_top=True, free_units=FREE_UNITS, group_id=group)

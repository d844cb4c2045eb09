"""The networks other than compute, extended to the servers that a phase adds."""

from collections.abc import Collection
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, joined
from designer.model.networks import COMPUTE, NETWORKS, OUT_OF_BAND, network_of_link, network_of_switch
from designer.placement.preparation import ALL, cabled
from designer.topologies import networks
from designer.topologies.network_joining import switches_of
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.networks import FIELDS

WAY_OUT = "draw the later phase as a design of its own"


def extension(before: Design, after: Design, catalog: Catalog) -> Edit:
    """The edit that joins servers that are new in `after` to the networks that those of `before` are in, with cables.

    They come onto the free ports of the leaf switches that are there. Raises ParameterError where these do not do.
    """
    new = [one.id for one in after.servers() if one.id not in before.devices]
    made, edits = after.snapshot(), list[Edit]()
    for network, members in _members(before).items():
        if not new:
            break
        try:
            edit = networks.build(made, _parameters(made, network), catalog, _to_join(before, network, members, new))
        except ParameterError as error:
            raise ParameterError(f"{error}, or {WAY_OUT}") from None
        made.apply(edit)
        edits.append(edit)
    links = [link for link in made.links.values() if link.id not in after.links]
    lengthened = cabled(made, links, catalog.types, ALL)
    changes = [Change(one, now) for one, now in zip(links, lengthened.links, strict=True) if one is not now]
    return joined("Extend Networks", (*edits, Edit("Cables", (*added(lengthened.media), *changes))))


def _members(design: Design) -> dict[str, set[str]]:
    """The servers of each network other than compute, in the order of networks."""
    found: dict[str, set[str]] = {}
    for link in design.links.values():
        network = network_of_link(design, link)
        if network != COMPUTE:
            ends = {end.device_id for end in (link.a, link.b) if design.is_server(end.device_id)}
            found.setdefault(network, set()).update(ends)
    return {network: found[network] for network in NETWORKS if found.get(network)}


def _parameters(design: Design, network: str) -> NetworkParameters:
    """What stands there of a network: switches of its own, or those of the one it is on."""
    switches = [design.device(one) for one in switches_of(design, network)]
    own = next((one for one in switches if network_of_switch(one) == network), None)
    values: dict[str, Any] = {}
    if own is not None:
        values[f"{FIELDS[network]}_switch"] = own.type_id
    elif switches:
        values[f"{FIELDS[network]}_on"] = network_of_switch(switches[0])
    return NetworkParameters(**values)


def _to_join(before: Design, network: str, members: Collection[str], new: list[str]) -> list[str] | None:
    """The new servers; None for all servers with the management ports of switches, where all were joined before.

    Raises ParameterError for an out-of-band network with a switch in each rack: racks that come need their own.
    """
    if network != OUT_OF_BAND:
        return new
    racks = [_racks(before, one) for one in switches_of(before, network)]
    if sum(bool(one) for one in racks) > 1 and all(len(one) < 2 for one in racks):
        raise ParameterError(
            "the out-of-band network has a switch in each rack, and racks that come need their own: plan without it"
        )
    return None if all(server.id in members for server in before.servers()) else new


def _racks(design: Design, switch_id: str) -> set[str | None]:
    """The racks of a switch and of what it manages; none where it manages nothing."""
    ends = {end.device_id for link in design.links_of(switch_id) for end in (link.a, link.b)}
    managed = {one for one in ends if design.is_server(one) or _own(design, one) != OUT_OF_BAND}
    return {_rack(design, one) for one in (managed | {switch_id})} if managed else set()


def _own(design: Design, device_id: str) -> str:
    return network_of_switch(design.device(device_id))


def _rack(design: Design, device_id: str) -> str | None:
    there = design.placements.get(device_id)
    return there.rack_id if there is not None else None

"""Cables for NIC ports without one, to the leaf switches that they are meant for: the one way in which they are added.

A fix of a finding and advice about a run both make them, so that they agree on where a port leads.
"""

from collections.abc import Callable, Sequence

from designer.analysis.nic_use import Wanted
from designer.model.entities import Device, End, Link
from designer.model.hardware.ports import Port
from designer.model.matching import port_compatibility

FreePortsOf = Callable[[str], Sequence[Port]]
"""The free ports of a device that are not reserved, in port order."""


def nic_links(
    server: Device, wanted: Sequence[Wanted], ids: Sequence[str], free_ports: FreePortsOf, taken: set[End]
) -> tuple[list[Link], list[Wanted]]:
    """Links from ports of a server to free ports of their leaf switches, and the ports that find none.

    `taken` are ports that are free in the design but given out already; those of the links are added to it.
    """
    links: list[Link] = []
    left: list[Wanted] = []
    for one in wanted:
        end = next((end for leaf in one.leafs if (end := _free_end(leaf, one.port, free_ports, taken))), None)
        if end is None:
            left.append(one)
        else:
            taken.add(end)
            links.append(Link(ids[len(links)], End(server.id, one.port.name), end))
    return links, left


def _free_end(leaf_id: str, partner: Port, free_ports: FreePortsOf, taken: set[End]) -> End | None:
    for port in free_ports(leaf_id):
        end = End(leaf_id, port.name)
        if end not in taken and port_compatibility(port, partner) is None:
            return end
    return None

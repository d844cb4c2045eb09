"""The rails that links and devices are on, as the NICs say that are linked there; some leafs have several."""

from collections.abc import Sequence
from functools import cached_property

from designer.model.design import Design
from designer.model.entities import Link
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, PURPOSE_OF, network_of_link

Rails = tuple[int, ...]


class LinkRails:
    """The rails of a design's links and of the devices that they join; read once."""

    def __init__(self, design: Design, links: Sequence[Link]) -> None:
        self._design, self._links = design, links
        self.of_nics: list[int | None] = []
        """The number of the NIC that a GPU server has at each link, from 1; None without one."""
        self.below: dict[str, set[int]] = {}
        """The numbers of all NICs linked to each switch, by its id."""
        self._read()

    @cached_property
    def classes(self) -> dict[int, Rails]:
        """The rails that share leafs with each rail, itself among them; {} where leafs do not share them evenly.

        Empty too where every leaf has all rails, as in racks with a switch on top: nothing would be distinguished.
        """
        sets = {frozenset(one) for one in self.below.values()}
        sizes = {len(one) for one in sets}
        if len(sets) < 2 or len(sizes) > 1 or 1 in sizes or sum(map(len, sets)) > len(frozenset().union(*sets)):
            return {}
        return {rail: tuple(sorted(one)) for one in sets for rail in one}

    def of_device(self, device_id: str) -> Rails:
        """The rails of a device: those of its NICs below where they share it evenly, else the one that it states."""
        stated = self._design.devices[device_id].rail
        shared = self.classes.get(min(self.below.get(device_id, {0})))
        return shared or (() if stated is None else (stated,))

    def of_links(self) -> list[Rails]:
        """The rails of each link: that of the NIC it ends at; of others, what their switches have in common.

        A link between switches of which one is on no rail is on those of the other. Links of other networks than that
        of the GPUs are on none.
        """
        uplinks: dict[str, Rails] = {}
        found = []
        for link, rail in zip(self._links, self.of_nics, strict=True):
            found.append((rail,) if rail is not None else self._of_switches(link, uplinks))
        return found

    def _of_switches(self, link: Link, known: dict[str, Rails]) -> Rails:
        ends = link.a.device_id, link.b.device_id
        for one in ends:
            if one not in known:
                known[one] = self._of_uplinks(one)
        a, b = map(known.__getitem__, ends)
        rails = a or b if not (a and b) else a if a == b else ()
        return rails if rails and network_of_link(self._design, link) == COMPUTE else ()

    def _of_uplinks(self, device_id: str) -> Rails:
        """The rails of a switch's links to other switches; none where it has several that share nothing."""
        below, stated = self.below.get(device_id, set()), self._design.devices[device_id].rail
        if len(below) > 1:
            return self.classes.get(min(below), ())
        if stated is not None:
            return (stated,)
        return tuple(below)

    def _read(self) -> None:
        of_ports: dict[str, dict[str, int]] = {}
        for link in self._links:
            rail = None
            for end, other in ((link.a, link.b), (link.b, link.a)):
                if end.device_id not in of_ports:
                    of_ports[end.device_id] = _rails_of_ports(self._design, end.device_id)
                number = of_ports[end.device_id].get(end.port)
                if number is not None:
                    rail = number
                    self.below.setdefault(other.device_id, set()).add(number)
            self.of_nics.append(rail)


def rails_of(design: Design, device_ids: Sequence[str]) -> list[Rails]:
    """The rails of each of these devices; all links are read only where several NICs are linked to one of them."""
    near = {link.id: link for one in device_ids for link in design.links_of(one)}
    known = LinkRails(design, list(near.values()))
    if any(len(known.below.get(one, ())) > 1 for one in device_ids):
        known = LinkRails(design, list(design.links.values()))
    return [known.of_device(one) for one in device_ids]


def _rails_of_ports(design: Design, device_id: str) -> dict[str, int]:
    """The number of the compute NIC that each of a GPU server's ports is on, from 1; {} for others, and for one NIC."""
    type_ = design.device_type(device_id)
    if not isinstance(type_, ServerType) or not type_.gpus:
        return {}
    slots = [slot.name for slot in type_.slots if slot.purpose == PURPOSE_OF[COMPUTE]]
    number = {name: place for place, name in enumerate(slots, start=1)} if len(slots) > 1 else {}
    return {
        port.name: number[port.slot]
        for port in design.ports(device_id)
        if port.slot in number and port.purpose == PURPOSE_OF[COMPUTE]
    }

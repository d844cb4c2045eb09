"""The rails that links and devices are on, as the NICs say that are linked there; some leafs have several."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

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
        self.below: dict[str, Counter[int]] = {}
        """How many NICs of each number are linked to each switch, by its id."""
        self._read()

    @cached_property
    def classes(self) -> dict[int, Rails]:
        """The rails that share leafs with each rail, itself among them; {} where no two rails share any, or all do.

        Two share leafs where more than half of the NICs of either are on the same: a link led elsewhere by itself
        changes nothing. With a switch on top of each rack all rails are on all leafs, and none is distinguished.
        """
        alike = Counter(frozenset(counts.items()) for counts in self.below.values())
        totals: Counter[int] = Counter()
        together: Counter[tuple[int, int]] = Counter()
        for counts, n_leafs in alike.items():
            totals.update({rail: n_nics * n_leafs for rail, n_nics in counts})
            for (rail, n_nics), (other, n_others) in combinations(sorted(counts), 2):
                together[rail, other] += min(n_nics, n_others) * n_leafs
        parts = {rail: {rail} for rail in totals}
        for (rail, other), n_both in together.items():
            if 2 * n_both > max(totals[rail], totals[other]) and parts[rail] is not parts[other]:
                joined = parts[rail] | parts[other]
                parts.update(dict.fromkeys(joined, joined))
        if all(len(part) in (1, len(totals)) for part in parts.values()):
            return {}
        return {rail: tuple(sorted(part)) for rail, part in parts.items()}

    def of_device(self, device_id: str) -> Rails:
        """The rails of a device: those of its NICs below where leafs share rails, else the one that it states."""
        stated = self._design.devices[device_id].rail
        shared = self._settled(device_id) if self.classes else ()
        return shared or (() if stated is None else (stated,))

    def _settled(self, device_id: str) -> Rails:
        """The rails below a switch, without those that have less than half of the NICs of another there."""
        counts = self.below.get(device_id, Counter())
        most = max(counts.values(), default=0)
        return tuple(sorted(rail for rail, n_nics in counts.items() if 2 * n_nics >= most))

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
        settled, stated = self._settled(device_id), self._design.devices[device_id].rail
        if len(settled) > 1:
            shared = {self.classes.get(rail, ()) for rail in settled}
            return shared.pop() if len(shared) == 1 else ()
        return settled if stated is None else (stated,)

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
                    self.below.setdefault(other.device_id, Counter())[number] += 1
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

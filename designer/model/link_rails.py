"""The rails that links and devices are on, as the NICs say that are linked there; some leafs have several."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from designer.model.design import Design
from designer.model.entities import Link
from designer.model.hardware.ports import NVLINK, Port
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, PURPOSE_OF, network_of_link

Rails = tuple[int, ...]

Numbered = tuple[str, str, int, str]
"""The type of a server, its port at a link, the number of the NIC that this is on, and the device at the far end."""


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
        at_links = self._numbers_at_links()
        stated = self._stated(at_links)
        for found in at_links:
            rail = None
            for type_id, port, number, far_id in found:
                rail = stated.get((type_id, port), number) if stated else number
                self.below.setdefault(far_id, Counter())[rail] += 1
            self.of_nics.append(rail)

    def _numbers_at_links(self) -> list[list[Numbered]]:
        """The numbered NIC ports at each link."""
        design, of_devices = self._design, dict[str, tuple[str, Mapping[str, int]]]()
        of_kinds: dict[tuple[str, int], Mapping[str, int]] = {}  # equal servers share one tuple of ports
        found = []
        for link in self._links:
            here = []
            for end, other in ((link.a, link.b), (link.b, link.a)):
                known = of_devices.get(end.device_id)
                if known is None:
                    type_id, ports = design.devices[end.device_id].type_id, design.ports(end.device_id)
                    kind = type_id, id(ports)
                    if kind not in of_kinds:
                        of_kinds[kind] = _nic_numbers(design.device_type(end.device_id), ports)
                    known = of_devices[end.device_id] = type_id, of_kinds[kind]
                number = known[1].get(end.port)
                if number is not None:
                    here.append((known[0], end.port, number, other.device_id))
            found.append(here)
        return found

    def _stated(self, at_links: Iterable[Iterable[Numbered]]) -> dict[tuple[str, str], int]:
        """By type and port the rail that most leafs there state, where the NIC's number does not say it.

        So it is where ports of a NIC go to rails of their own, as Gaudi's do to three, or more rails are built than a
        tray of a rack has NICs: at most half of the ports with one number are then on one rail.
        """
        counts: Counter[tuple[str, str, int, int]] = Counter()
        for found in at_links:
            for type_id, port, number, far_id in found:
                rail = self._design.devices[far_id].rail
                if rail is not None:
                    counts[type_id, port, number, rail] += 1
        usual: dict[tuple[str, str, int], int] = {}
        for (type_id, port, number, rail), _ in counts.most_common():
            usual.setdefault((type_id, port, number), rail)
        of_numbers: dict[tuple[str, int], Counter[int]] = {}
        for (type_id, _, number), rail in usual.items():
            of_numbers.setdefault((type_id, number), Counter())[rail] += 1
        by_port = {type_id for (type_id, _), held in of_numbers.items() if 2 * max(held.values()) <= held.total()}
        return {(type_id, port): rail for (type_id, port, _), rail in usual.items() if type_id in by_port}


def rails_of(design: Design, device_ids: Sequence[str]) -> list[Rails]:
    """The rails of each of these devices; all links are read only where several NICs are linked to one of them."""
    near = {link.id: link for one in device_ids for link in design.links_of(one)}
    known = LinkRails(design, list(near.values()))
    if any(len(known.below.get(one, ())) > 1 for one in device_ids):
        known = LinkRails(design, list(design.links.values()))
    return [known.of_device(one) for one in device_ids]


def _nic_numbers(type_: object, ports: Sequence[Port]) -> dict[str, int]:
    """The number of the compute NIC that each of a GPU server's ports is on, from 1; {} for others, and for one NIC.

    Of a rack the NICs of each tray are numbered by themselves. Links of the scale-up domain are on none, and their
    slots do not count; an empty slot does where a NIC is delivered in it that the server has in another.
    """
    if not isinstance(type_, ServerType) or not type_.gpus:
        return {}
    own = [port for port in ports if port.slot and port.purpose == PURPOSE_OF[COMPUTE] and port.protocols != (NVLINK,)]
    filled = {port.slot for port in own}
    kinds = {slot.nic_type_id for slot in type_.slots if slot.name in filled}
    fabric = (slot for slot in type_.slots if slot.purpose == PURPOSE_OF[COMPUTE])
    slots = [slot.name for slot in fabric if slot.name in filled or slot.nic_type_id in kinds]
    per_tray = len(slots) // type_.trays if len(slots) % type_.trays == 0 else len(slots)
    number = {name: place % per_tray + 1 for place, name in enumerate(slots)} if len(slots) > 1 else {}
    return {port.name: number[port.slot] for port in own if port.slot in number}

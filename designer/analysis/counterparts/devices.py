"""Which device of one design is which of another.

Ids are believed where names or cables confirm them: versions of one design share them, while a design that a colleague
redrew gives the same ids to other things. Then names count, spelled alike or nearly so, then the cables.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from designer.analysis.counterparts.names import plain_key, unique
from designer.analysis.counterparts.pairs import Pairs
from designer.analysis.counterparts.structure import match_by_structure
from designer.model.design import Design
from designer.model.entities import Device


@dataclass(frozen=True, slots=True)
class DeviceMatch:
    """The pairs, how many were found by what, and whether ids of both designs mean the same things."""

    pairs: Pairs
    by_id: int
    by_name: int
    by_structure: int
    is_related: bool


def match_devices(
    before: Design, after: Design, progress: Callable[[float], None] = lambda _share: None
) -> DeviceMatch:
    """Every device of the earlier design with its counterpart. `progress` may raise Cancelled."""
    ids = _Ids(before, after)
    pairs = Pairs()
    for one in before.devices:
        if one in after.devices and ids.is_same(one):
            pairs.join(one, one)
    by_id = len(pairs.later)
    progress(0.3)
    _match_names(before, after, pairs, _exact)
    _match_names(before, after, pairs, _roughly)
    by_name = len(pairs.later) - by_id
    match_by_structure(before, after, pairs, lambda: progress(0.6))
    by_structure = len(pairs.later) - by_id - by_name
    return DeviceMatch(pairs, by_id, by_name, by_structure, ids.are_related)


class _Ids:
    """What ids that both designs have are worth."""

    def __init__(self, before: Design, after: Design) -> None:
        self._before, self._after = before, after
        self._names = {one.name for one in before.devices.values()}, {one.name for one in after.devices.values()}
        shared = [one for one in before.devices if one in after.devices]
        self._confirmed = sum(before.devices[one].name == after.devices[one].name for one in shared)
        contradicted = sum(self._is_contradicted(one) for one in shared)
        cabled = sum(self._has_same_cables(one) for one in shared)
        self.are_related = not shared or max(self._confirmed, cabled) > contradicted

    def is_same(self, one: str) -> bool:
        """Whether the id means the same device in both designs."""
        was, now = self._before.devices[one], self._after.devices[one]
        if was.name == now.name:
            return self._same_kind(one)
        if not self.are_related or not self._same_kind(one):
            return False
        if self._has_same_cables(one):
            return True
        return self._confirmed > 0 and was.type_id == now.type_id and not self._is_contradicted(one)

    def _is_contradicted(self, one: str) -> bool:
        """Whether the names say that it is another device."""
        was, now = self._before.devices[one].name, self._after.devices[one].name
        return was != now and (was in self._names[1] or now in self._names[0])

    def _same_kind(self, one: str) -> bool:
        return self._before.is_server(one) == self._after.is_server(one)

    def _has_same_cables(self, one: str) -> bool:
        """Whether most of its links have the same ids and devices in both designs, and it the same type or role."""
        was, now = self._before.devices[one], self._after.devices[one]
        if was.type_id != now.type_id and was.role != now.role:
            return False
        links, later = self._before.links_of(one), self._after.links
        kept = 0
        for link in links:
            other = later.get(link.id)
            ends = {link.a.device_id, link.b.device_id}
            kept += other is not None and {other.a.device_id, other.b.device_id} == ends
        return 2 * kept > len(links)


def _exact(device: Device) -> Hashable:
    return device.name


def _roughly(device: Device) -> Hashable:
    return plain_key(device.name)


def _match_names(before: Design, after: Design, pairs: Pairs, key: Callable[[Device], Hashable]) -> None:
    """Join devices whose keys only they have, a switch never with a server."""

    def keyed(design: Design, device_id: str) -> tuple[object, str]:
        found = key(design.devices[device_id])
        return (design.is_server(device_id), found) if found else "", device_id

    pairs.join_equal(
        unique(keyed(before, one) for one in pairs.left_before(before.devices)),
        unique(keyed(after, one) for one in pairs.left_after(after.devices)),
    )

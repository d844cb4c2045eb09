"""Links that fixes add, and links that they move from one device to another, with the cables that neighbors have."""

from collections.abc import Sequence
from dataclasses import replace

from designer.catalog.catalog import delivered
from designer.errors import PortError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import TYPED, End, Link
from designer.model.free_ports import FreePorts
from designer.model.hardware.ports import Port
from designer.model.matching import port_compatibility
from designer.placement.preparation import cabled_by_catalog, cabled_like_neighbours
from designer.validation.inspection import Inspection

Pairs = Sequence[tuple[str, str]]


def joined(seen: Inspection, label: str, pairs: Pairs) -> Edit | None:
    """The edit that adds a link for each pair of devices; None where there are none, or ports run out.

    Switches are joined at their fastest ports: of a switch with 48 ports of 1G and 4 of 100G at those of 100G.
    """
    if not pairs:
        return None
    design, free = seen.design, FreePorts(seen.design)
    try:
        ends = [free.take_pair(a, b, fastest=design.is_switch(a) and design.is_switch(b)) for a, b in pairs]
    except PortError:
        return None
    ids = design.new_ids("links", len(ends))
    links = [Link(one, a, b) for one, (a, b) in zip(ids, ends, strict=True)]
    return Edit(label, added(cabled_by_catalog(design, links, delivered().types)))


def refitted(design: Design, fix: Edit) -> Edit | None:
    """A fix that was made before others were applied: its links have ids of their own, and ports that are free still.

    None where the ports of a switch run out, or a server's port was taken.
    """
    own = {change.subject.id for change in fix.changes if change.before is not None}
    news = [change for change in fix.changes if change.before is None and isinstance(change.after, Link)]
    ids = dict(zip((one.subject.id for one in news), design.new_ids("links", len(news)), strict=True))
    taken: set[End] = set()
    changes: list[Change] = []
    for change in fix.changes:
        link = change.after
        if not isinstance(link, Link):
            changes.append(change)
            continue
        before = (change.before.a, change.before.b) if isinstance(change.before, Link) else ()
        ends = [one if one in before else _still_free(design, one, own, taken) for one in (link.a, link.b)]
        a, b = ends
        if a is None or b is None:
            return None
        taken |= {a, b}
        changes.append(Change(change.before, replace(link, id=ids.get(link.id, link.id), a=a, b=b)))
    return Edit(fix.label, tuple(changes))


def _still_free(design: Design, end: End, own: set[str], taken: set[End]) -> End | None:
    """The end itself, or the next free port of the switch that is like it; None where there is none."""
    if end not in taken and own.issuperset(design.links_at(end)):
        return end
    port = design.port(end)
    if port is None or not design.is_switch(end.device_id):
        return None
    for other in design.free_ports(end.device_id):
        found = End(end.device_id, other.name)
        if found not in taken and _is_alike(port, other):
            return found
    return None


def _is_alike(port: Port, other: Port) -> bool:
    """Whether what fits one port fits the other."""
    one = (port.rate_gbps, port.form_factor, port.protocols, port.ports_per_cage)
    return one == (other.rate_gbps, other.form_factor, other.protocols, other.ports_per_cage)


class Moves:
    """Ends of links that go to other devices, each to the next free port there. A cable that was chosen goes along."""

    def __init__(self, seen: Inspection) -> None:
        self._seen = seen
        self._now: dict[str, Link] = {}
        self._taken: set[End] = set()

    def move(self, link_id: str, from_id: str, to_id: str) -> bool:
        """Move the end of a link at one device to another; False, and no change, where no free port there matches."""
        design = self._seen.design
        link = self._now.get(link_id, design.links[link_id])
        near, far = (link.a, link.b) if link.a.device_id == from_id else (link.b, link.a)
        partner = design.port(far)
        if partner is None:
            return False
        for port in self._seen.free_ports(to_id):
            end = End(to_id, port.name)
            if end not in self._taken and port_compatibility(port, partner) is None:
                self._taken.add(end)
                self._now[link_id] = replace(link, a=end) if near == link.a else replace(link, b=end)
                return True
        return False

    def swap(self, one_id: str, one_at: str, other_id: str, other_at: str) -> bool:
        """Exchange the ends of two links at these devices; False, and no change, where the ports do not match then."""
        design = self._seen.design
        one, other = (self._now.get(link, design.links[link]) for link in (one_id, other_id))
        own, own_far = (one.a, one.b) if one.a.device_id == one_at else (one.b, one.a)
        its, its_far = (other.a, other.b) if other.a.device_id == other_at else (other.b, other.a)
        for far, end in ((own_far, its), (its_far, own)):
            port, partner = design.port(end), design.port(far)
            if port is None or partner is None or port_compatibility(port, partner) is not None:
                return False
        self._now[one_id] = replace(one, a=its) if own == one.a else replace(one, b=its)
        self._now[other_id] = replace(other, a=own) if its == other.a else replace(other, b=own)
        return True

    def __len__(self) -> int:
        """How many links moved."""
        return len(self._now)

    def edit(self, label: str) -> Edit | None:
        """The edit that moves them; None where none moved."""
        design = self._seen.design
        if not self._now:
            return None
        links = [_without_route(link) for link in self._now.values()]
        cabled = cabled_like_neighbours(design, links)
        return Edit(label, tuple(Change(design.links[one.id], one) for one in cabled))


def _without_route(link: Link) -> Link:
    """The link without the length and medium that the program chose for where it was."""
    length_m, source = (link.length_m, link.length_source) if link.length_source == TYPED else (None, "")
    medium_id, chosen_by = (link.medium_id, link.medium_source) if link.medium_source == TYPED else ("", "")
    return replace(link, length_m=length_m, length_source=source, medium_id=medium_id, medium_source=chosen_by, cable=0)

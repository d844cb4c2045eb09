"""What was built otherwise than planned: each cable once, with the port where somebody has to look."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from designer.exchange.as_built.cables import UNKNOWN, Cable, Evidence, evidence, planned_ends
from designer.exchange.as_built.fault import (
    DEAD,
    EXTRA,
    KINDS,
    MISSING,
    NOT_FOUND,
    NOT_PLANNED,
    SWAPPED,
    WRONG_PORT,
    WRONG_RAIL,
    WRONG_SPEED,
    AsBuilt,
    Fault,
)
from designer.exchange.reading.found import FoundNetwork
from designer.model.design import Design
from designer.model.entities import End, Link, order_key
from designer.units import format_counted, format_rate


def compare_as_built(
    design: Design, found: FoundNetwork, *, speeds: bool = True, progress: Callable[[float], None] = lambda _share: None
) -> AsBuilt:
    """Every cable and device that was not found as the design has it.

    Cables count that the file could have shown: those of the networks that it shows any of, and where only some devices
    looked around, theirs. Without `speeds` those of ports are not compared. `progress` may raise Cancelled.
    """
    seen = evidence(design, found, lambda share: progress(0.7 * share))
    progress(0.7)
    return _Comparison(design, found, seen, speeds).made(lambda share: progress(0.7 + 0.3 * share))


class _Comparison:
    def __init__(self, design: Design, found: FoundNetwork, seen: Evidence, speeds: bool) -> None:
        self._design, self._found, self._seen, self._speeds = design, found, seen, speeds
        self._lost = self._missing_devices()

    def made(self, progress: Callable[[float], None]) -> AsBuilt:
        planned = {frozenset((link.a, link.b)): link for link in self._seen.planned}
        same = [(planned[one.ends], one) for one in self._seen.cables if one.ends in planned]
        as_planned = {link.id for link, _ in same}
        open_links = [link for link in self._seen.planned if link.id not in as_planned]
        strays = [cable for cable in self._seen.cables if cable.ends not in planned]
        paired = _paired(open_links, strays)
        progress(0.5)
        ports = {end for end, _ in planned_ends(open_links)}
        faults = [*self._device_faults()]
        faults += (self._moved(link, paired[link.id], ports) for link in open_links if link.id in paired)
        faults += (self._gone(link) for link in open_links if link.id not in paired)
        used = {id(cable) for cable in paired.values()}
        faults += (self._extra(cable) for cable in strays if id(cable) not in used)
        if self._speeds:
            faults += (fault for link, cable in same for fault in self._slow(link, cable))
        order = {kind: number for number, kind in enumerate(KINDS)}
        faults.sort(key=lambda fault: order[fault.kind])
        n_found = len(self._seen.cables)
        return AsBuilt(tuple(faults), len(self._seen.planned), len(as_planned), n_found, tuple(self._notes()))

    # -- faults -----------------------------------------------------------------------------------------------------

    def _moved(self, link: Link, cable: Cable, ports: set[End]) -> Fault:
        """A planned link whose cable is in another port at one end."""
        kept, planned = (link.a, link.b) if link.a in cable.ends else (link.b, link.a)
        found = cable.b if cable.a == kept else cable.a
        kind = SWAPPED if found in ports else WRONG_PORT
        if self._is_other_rail(kept, planned, found):
            kind = WRONG_RAIL
        return self._fault(kind, kept, planned, link, found, cable)

    def _is_other_rail(self, kept: End, planned: End, found: End) -> bool:
        """Whether a server's cable goes to a switch of another rail, or a switch's to what another rail's is meant."""
        if found.device_id == UNKNOWN:
            return False
        rails = [self._rail(planned, kept), self._rail(found, kept)]
        return None not in rails and rails[0] != rails[1]

    def _rail(self, end: End, kept: End) -> int | None:
        """The rail of a switch that a server hangs on; of a server the rail of the switch its port is planned to."""
        if self._design.is_switch(end.device_id):
            return None if self._design.is_switch(kept.device_id) else self._design.device(end.device_id).rail
        for link_id in self._design.links_at(end):
            link = self._design.links[link_id]
            far = self._design.device((link.b if link.a == end else link.a).device_id)
            return far.rail
        return None

    def _gone(self, link: Link) -> Fault:
        near, far = self._near_first(link.a, link.b)
        lost = next((end for end in (near, far) if end.device_id in self._lost), None)
        if lost is not None:
            near, far = (near, far) if lost == far else (far, near)
            return self._fault(DEAD, near, far, link, note=f"{self._design.device(lost.device_id).name} was not found")
        empty = next((end for end in (near, far) if end in self._seen.empty), None)
        if empty is None:
            return self._fault(MISSING, near, far, link)
        near, far = (near, far) if empty == near else (far, near)
        return self._fault(DEAD, near, far, link, note="no neighbor at this port")

    def _extra(self, cable: Cable) -> Fault:
        near, far = self._near_first(cable.a, cable.b)
        return Fault(EXTRA, self._text(near), "", self._text(far), _where(cable), ends=(near, far))

    def _slow(self, link: Link, cable: Cable) -> Iterable[Fault]:
        rates = [port.rate_gbps for port in map(self._design.port, (link.a, link.b)) if port is not None]
        found = cable.found.rate_gbps
        if found is None or not rates or abs(found - min(rates)) <= 1e-3 * min(rates):
            return
        near, far = self._near_first(link.a, link.b)
        speeds = f"runs at {format_rate(found)}, planned {format_rate(min(rates))}"
        yield self._fault(WRONG_SPEED, near, far, link, far, cable, note=speeds)

    def _device_faults(self) -> Iterable[Fault]:
        for one in sorted(self._lost, key=order_key):
            count = sum(one in (link.a.device_id, link.b.device_id) for link in self._seen.planned)
            cables = f"{format_counted(count, 'planned cable')} {'leads' if count == 1 else 'lead'} there"
            yield Fault(NOT_FOUND, self._design.device(one).name, note=cables, device_id=one)
        for node in self._found.nodes:
            if node.name not in self._seen.places.of:
                spot = "" if node.spot is None else node.spot.text
                yield Fault(NOT_PLANNED, node.name, found=node.model or node.kind, note=spot)

    def _missing_devices(self) -> frozenset[str]:
        if len(self._seen.reporters) == 1:  # whether the others run, nobody knows
            return frozenset()
        ends = {end.device_id for end, _ in planned_ends(self._seen.planned)}
        return frozenset(ends - self._seen.seen)

    def _notes(self) -> Iterable[str]:
        for node in self._seen.places.by_cables:
            device = self._design.device(self._seen.places.of[node].device_id).name
            yield f"{node} is taken for {device} by its cables: no device is called so"
        for end in sorted(self._seen.unknown_ports, key=lambda end: (order_key(end.device_id), end.port)):
            yield f"{self._design.device(end.device_id).name} has no port {end.port} in the design"

    # -- as texts -----------------------------------------------------------------------------------------------------

    def _fault(
        self,
        kind: str,
        near: End,
        planned: End,
        link: Link,
        found: End | None = None,
        cable: Cable | None = None,
        note: str = "",
    ) -> Fault:
        there = "" if found is None else self._text(found)
        ends = () if found is None else (near, found)
        where = note if cable is None or note else _where(cable)
        return Fault(kind, self._text(near), self._text(planned), there, where, link.id, "", ends)

    def _text(self, end: End) -> str:
        return end.port if end.device_id == UNKNOWN else self._design.end_name(end)

    def _near_first(self, a: End, b: End) -> tuple[End, End]:
        """A server before a switch, both before what is not in the design."""
        return (b, a) if self._rank(b) < self._rank(a) else (a, b)

    def _rank(self, end: End) -> int:
        return 2 if end.device_id == UNKNOWN else int(self._design.is_switch(end.device_id))


def _where(cable: Cable) -> str:
    return "" if cable.found.spot is None else cable.found.spot.text


def _paired(links: Sequence[Link], cables: Sequence[Cable]) -> dict[str, Cable]:
    """For planned links the found cable that is in one of their ports, each once, for as many links as can be.

    Ports have one cable each as a rule, so that links and cables alternate along lines and rings: those that have one
    choice left are paired first.
    """
    at: dict[End, list[int]] = defaultdict(list)
    for number, cable in enumerate(cables):
        at[cable.a].append(number)
        at[cable.b].append(number)
    links_at: dict[End, list[Link]] = defaultdict(list)
    for end, link in planned_ends(links):
        links_at[end].append(link)
    choices = {link.id: list(dict.fromkeys((*at.get(link.a, ()), *at.get(link.b, ())))) for link in links}
    left = {link.id: link for link in links if choices[link.id]}
    taken: dict[str, Cable] = {}
    narrow = [one for one in left if len(choices[one]) == 1]
    used = set[int]()
    while left:
        one = narrow.pop() if narrow else next(iter(left))
        if one not in left:
            continue
        del left[one]
        chosen = next((choice for choice in choices[one] if choice not in used), None)
        if chosen is None:
            continue
        used.add(chosen)
        taken[one] = cables[chosen]
        for other in (link for end in (cables[chosen].a, cables[chosen].b) for link in links_at.get(end, ())):
            choices[other.id] = [choice for choice in choices[other.id] if choice not in used]
            if other.id in left and len(choices[other.id]) == 1:
                narrow.append(other.id)
    return taken

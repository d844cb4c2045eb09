"""Rules about tori: rings are closed, at the right place, and all lines of a dimension are alike."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.analysis.survey import Run
from designer.errors import DesignerError
from designer.model.edit import Edit
from designer.model.entities import End
from designer.model.wiring import connect
from designer.units import format_count, format_counted, format_rate
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, GROUPS, ROOM, Scope
from designer.validation.sources import DALLY
from designer.validation.subjects import listed

PAIRED = 0.9
"""The share of links between routers, from onward to back ports, from which on they are meant as a torus."""
SOURCE = f"{DALLY}, ch. 5: k-ary n-cubes."


@dataclass(slots=True)
class _Line:
    """Routers one after the other along a dimension, by the links from onward to back ports."""

    routers: list[str]
    is_ring: bool
    runs: list[Run] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Dimension:
    """Lines along one pair of ports, numbered from 0. `size` and `is_ring` are what most of its lines are."""

    number: int
    lines: tuple[_Line, ...]
    size: int
    is_ring: bool


@rule(
    "TORUS-001",
    Severity.ERROR,
    "Ring of a torus not closed",
    "Traffic along this line goes the long way round, and its middle links carry twice what the others do.",
    remedy="Connect the two ends of the line, or the routers where it leaves its ring.",
    fix="Adds the link that closes the ring, where the ports are free.",
    example="In a torus of 4 x 4, one row has only three of its four links.",
    source=SOURCE,
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM, GROUPS),
)
def ring_not_closed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds lines of a torus that are open while most of their dimension are rings, and rings closed at another place.

    Routers of a torus have ports in pairs, onward and back, one pair for each dimension. Subjects are the routers at
    the ends of an open line, or all of a ring that is too short or too long.
    """
    for dimension in _dimensions(seen):
        if not dimension.is_ring:
            continue
        for line in dimension.lines:
            if line.is_ring and len(line.routers) == dimension.size:
                continue
            first, last = line.routers[0], line.routers[-1]
            ends = f"{seen.name(first)} to {seen.name(last)}" if first != last else seen.name(first)
            along = f"along dimension {dimension.number + 1}"
            if line.is_ring:
                message = (
                    f"The ring of {seen.name(first)} {along} has {format_counted(len(line.routers), 'router')}, "
                    f"others have {format_count(dimension.size)}: it is closed at the wrong place"
                )
            else:
                message = (
                    f"The line from {ends} {along} is not closed; it has {format_count(len(line.routers))} of "
                    f"{format_counted(dimension.size, 'router')}"
                )
            yield this.finding(
                message,
                tuple(line.routers) if line.is_ring else tuple(dict.fromkeys((first, last))),
                value=len(line.routers),
                limit=dimension.size,
                fix=_closed(seen, dimension, line),
                aspect=f"dimension {dimension.number + 1}",
            )


@rule(
    "TORUS-002",
    Severity.ERROR,
    "Torus dimension of unequal width",
    "Dimension-order routing and collectives along a dimension run at the pace of its slowest line.",
    remedy="Use the same rate and number of routers on every line of the dimension.",
    example="All links along the first dimension run at 400G, but one runs at 200G.",
    source=SOURCE,
    scope=Scope.NETWORK,
    reads=(*CABLING, GROUPS),
)
def unequal_width(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds dimensions of a torus or mesh whose links have different rates, or whose open lines differ in length.

    One finding for each dimension. Subjects are the links that are unlike most, or the ends of such lines.
    """
    for dimension in _dimensions(seen):
        runs = [run for line in dimension.lines for run in line.runs]
        rates = Counter(run.capacity_gbps for run in runs)
        usual = max(rates, key=lambda rate: (rates[rate], rate))
        odd = [run for run in runs if run.capacity_gbps != usual]
        if odd:
            yield this.finding(
                f"Dimension {dimension.number + 1}: {format_counted(len(odd), 'link')} at "
                f"{format_rate(min(run.capacity_gbps for run in odd))}, the others at {format_rate(usual)}: "
                f"{listed([seen.link_name(run.link) for run in odd])}",
                tuple(run.link.id for run in odd),
                value=min(run.capacity_gbps for run in odd),
                limit=usual,
                aspect=f"rate {dimension.number + 1}",
            )
        unlike = [line for line in dimension.lines if len(line.routers) != dimension.size]
        if unlike and not dimension.is_ring:
            shown = listed([f"{seen.name(one.routers[0])} to {seen.name(one.routers[-1])}" for one in unlike])
            yield this.finding(
                f"Dimension {dimension.number + 1}: {format_counted(len(unlike), 'line')} of another length than "
                f"{format_counted(dimension.size, 'router')}: {shown}",
                tuple(dict.fromkeys(end for one in unlike for end in (one.routers[0], one.routers[-1]))),
                value=min(len(one.routers) for one in unlike),
                limit=dimension.size,
                aspect=f"size {dimension.number + 1}",
            )


def _dimensions(seen: Inspection) -> list[_Dimension]:
    """The dimensions of a torus or mesh of routers; () for other networks."""
    survey, near = seen.survey, seen.adjacency
    runs = [survey.fabric_runs[one] for pair in near.of_switches.tolist() for one in near.runs(pair)]
    role = survey.role
    grouped = {one for dragonfly in seen.dragonflies for one in dragonfly.switches}
    runs = [
        run
        for run in runs
        if role[run.low.device_id] == role[run.high.device_id] == "router" and run.low.device_id not in grouped
    ]
    if not runs:
        return []
    places = _places(seen, runs)
    steps: dict[int, dict[str, tuple[str, Run]]] = {}
    n_paired = 0
    for run in runs:
        low, high = places[run.low.device_id].get(run.low.port, -1), places[run.high.device_id].get(run.high.port, -1)
        if low // 2 != high // 2 or low == high or low < 0:
            continue
        n_paired += 1
        tail, head = (run.low, run.high) if low % 2 == 0 else (run.high, run.low)
        steps.setdefault(low // 2, {})[tail.device_id] = (head.device_id, run)
    if n_paired < PAIRED * len(runs):
        return []
    routers = list(dict.fromkeys(end.device_id for run in runs for end in (run.low, run.high)))
    order = {one: number for number, one in enumerate(near.ids)}
    routers.sort(key=order.__getitem__)
    return [_dimension(number, routers, steps[number]) for number in sorted(steps)]


def _places(seen: Inspection, runs: Sequence[Run]) -> Mapping[str, Mapping[str, int]]:
    """For each router the places of its ports, from 0."""
    known: dict[int, Mapping[str, int]] = {}
    found: dict[str, Mapping[str, int]] = {}
    for device_id in {end.device_id for run in runs for end in (run.low, run.high)}:
        ports = seen.design.ports(device_id)  # one tuple for all routers alike
        if id(ports) not in known:
            known[id(ports)] = {port.name: place for place, port in enumerate(ports)}
        found[device_id] = known[id(ports)]
    return found


def _dimension(number: int, routers: Sequence[str], onward: Mapping[str, tuple[str, Run]]) -> _Dimension:
    met: set[str] = set()
    lines = []
    targets = {head for head, _ in onward.values()}
    for start in (*(one for one in routers if one not in targets), *routers):
        if start in met:
            continue
        line, at = _Line([start], False), start
        met.add(start)
        while at in onward:
            head, run = onward[at]
            line.runs.append(run)
            if head in met:
                line.is_ring = head == start
                break
            line.routers.append(head)
            met.add(head)
            at = head
        lines.append(line)
    used = [one for one in lines if one.runs]
    shapes = Counter((len(one.routers), one.is_ring) for one in used)
    size, is_ring = max(shapes, key=lambda shape: (shapes[shape], shape[1], shape[0]))
    return _Dimension(number, tuple(used), size, is_ring)


def _closed(seen: Inspection, dimension: _Dimension, line: _Line) -> Edit | None:
    """The link from the last router of a whole line back to its first, by the ports of the dimension; None if taken."""
    if line.is_ring or len(line.routers) != dimension.size:
        return None
    design, number = seen.design, 2 * dimension.number
    last, first = line.routers[-1], line.routers[0]
    ports = design.ports(last), design.ports(first)
    try:
        return connect(design, End(last, ports[0][number].name), End(first, ports[1][number + 1].name))
    except (DesignerError, IndexError):
        return None

"""The worst single failure of a design: what a switch, a cable, an optic or a NIC that fails costs in throughput.

Failures in the fabric and those at a server are apart. A GPU with one NIC sends over that of another when it fails, at
half the rate, whatever the fabric; a server can be left out until it is repaired, a switch cannot.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from designer.errors import DesignerError, GraphError
from designer.graph.arrays import Graph, without
from designer.graph.failures import broken
from designer.model.design import Design
from designer.model.entities import Link
from designer.model.networks import COMPUTE
from designer.simulation import catalogue
from designer.simulation.engine import simulate
from designer.simulation.failures.candidates import Candidate, candidates
from designer.simulation.failures.survivors import with_failures
from designer.simulation.inference.request import Inference
from designer.simulation.inference.service import serve
from designer.simulation.scenario import Scenario
from designer.simulation.training.request import Training
from designer.simulation.training.step import train_step
from designer.units import format_count, format_counted

SWITCH, LINK, OPTIC, NIC = "switch", "link", "optic", "nic"
LEAST_SLOWDOWN = 1.005
"""Less is no slowdown: those that are left may even take less time, since they are fewer."""
COVERED = {SWITCH: "switch", LINK: "cable", OPTIC: "optic", NIC: "NIC"}
"""What is failed, by kind, with the word for it; whole servers, racks, planes and feeds are not."""


@dataclass(frozen=True, slots=True)
class Left:
    """What a failure leaves: the share of the throughput, and what it does, in words and figures."""

    share: float
    text: str
    cut_off: int | None = None
    """GPUs that reach no other any more; None where that is not counted."""
    slowdown: float | None = None
    """How many times as long the others take; None where that is not measured, or there are none."""


NOTHING = "nothing runs without it"
Try = Callable[[frozenset[str]], Left]
"""What is left when these ids fail together; may raise DesignerError."""


@dataclass(frozen=True, slots=True)
class Worst:
    """The failure that costs the most; None and "" where there is nothing to fail."""

    loss: float | None = None
    text: str = ""
    workload: str = ""
    """The name of the workload that loses so much."""
    cut_off: int | None = None
    slowdown: float | None = None
    part: str = ""
    """What fails, as in "switch leaf-01"."""

    def or_worse(self, other: "Worst") -> "Worst":
        """The one that costs more; of equal ones this."""
        is_worse = self.loss is None or (other.loss is not None and other.loss > self.loss)
        return other if is_worse else self


class Workload(Protocol):
    """What runs while something fails, and what that is called."""

    @property
    def name(self) -> str:
        """As a sentence names it."""

    @property
    def run(self) -> Scenario | Training | Inference:
        """The collective or pattern, the training step, or inference."""


def worst_failures(design: Design, graph: Graph, workloads: Sequence[Workload]) -> tuple[Worst, Worst]:
    """(the worst failure of a switch, or of a cable or optic between switches; the worst of those at a server).

    Each failure is that of the workload that loses the most, whatever their weights.
    """
    fabric, server = Worst(), Worst()
    for is_at_server, found in tried_failures(design, graph, workloads):
        if is_at_server:
            server = server.or_worse(found)
        else:
            fabric = fabric.or_worse(found)
    return fabric, server


def tried_failures(design: Design, graph: Graph, workloads: Sequence[Workload]) -> Iterator[tuple[bool, Worst]]:
    """Each failure that is tried with each workload, with whether it is one at a server.

    Of failures that are alike (the same types at both ends, in the same roles, with as many links) the first is tried.
    """
    sorts = _Sorts(design)
    for workload in workloads:
        run = workload.run
        left_of = _of_scenario(design, graph, run) if isinstance(run, Scenario) else _of_model(design, graph, run)
        for kind, one, links in _unlike(design, sorts, run.network if isinstance(run, Scenario) else COMPUTE):
            found = _tried(left_of, f"{COVERED[kind]} {one.name}", workload.name, one.ids)
            yield kind != SWITCH and any(sorts.is_at_server(link) for link in links), found


def slowdown_text(slowdown: float) -> str:
    """ "1.77× the time"; "no slowdown" where that differs from the time before by less than a hundredth, or is less."""
    return f"{slowdown:.2f}× the time" if slowdown >= LEAST_SLOWDOWN else "no slowdown"


def _tried(left_of: Try, part: str, workload: str, ids: frozenset[str]) -> Worst:
    name = f"{part}, running {workload}"
    try:
        left = left_of(ids)
    except DesignerError as error:
        return Worst(1.0, f"{name}: {error}", workload, part=part)
    return Worst(round(1 - left.share, 9), f"{name}: {left.text}", workload, left.cut_off, left.slowdown, part)


def _of_scenario(design: Design, graph: Graph, scenario: Scenario) -> Try:
    """Ranks that are left and the time that they take, of a collective or pattern in the ideal model."""
    ideal = replace(scenario, model=catalogue.IDEAL)
    healthy = simulate(graph, ideal, brief=True)

    def left(ids: frozenset[str]) -> Left:
        ranks = healthy.ranks
        try:
            smaller, rest, cut = with_failures(design, ids, ideal, graph)
        except GraphError:
            return Left(0.0, NOTHING, ranks)
        lost = len(cut)
        time_s = simulate(smaller, rest, brief=True).time_s
        cut_off = f"{format_counted(lost, 'GPU')} of {format_count(ranks)} cut off, the others: " if lost else ""
        slowdown = time_s / healthy.time_s
        share = (ranks - lost) / ranks * min(1.0, healthy.time_s / time_s)
        return Left(share, f"{cut_off}{slowdown_text(slowdown)}", lost, slowdown)

    return left


def _of_model(design: Design, graph: Graph, run: Training | Inference) -> Try:
    """Tokens trained, or requests answered, per second."""
    healthy = _per_s(graph, run)

    def left(ids: frozenset[str]) -> Left:
        share = _per_s(without(graph, broken(design, ids), ids), run) / healthy
        what = "tokens" if isinstance(run, Training) else "requests"
        return Left(min(1.0, share), f"{share:.2f}x the {what} per second")

    return left


def _per_s(graph: Graph, run: Training | Inference) -> float:
    return train_step(graph, run).tokens_per_s if isinstance(run, Training) else serve(graph, run).most_per_s


def _unlike(design: Design, sorts: "_Sorts", network: str) -> Iterator[tuple[str, Candidate, frozenset[str]]]:
    """The first failure of every sort, with its kind and its links.

    An optic or a NIC of one link fails as its cable does, which is tried.
    """
    seen: set[Hashable] = set()
    for kind in COVERED:
        for one in candidates(design, kind, network):
            links = sorts.links_of(kind, one)
            sort = kind, sorts.of(links)
            if links and sort not in seen and not (kind in (OPTIC, NIC) and len(links) == 1):
                seen.add(sort)
                yield kind, one, links


class _Sorts:
    """What failures have in common by the links that they take away."""

    def __init__(self, design: Design) -> None:
        self._design = design
        links = design.links.values()
        self._between = Counter(_pair(link) for link in links)
        """Parallel links."""
        kinds = _numbered({one.id: (one.type_id, one.role) for one in design.devices.values()})
        ends: dict[str, Counter[int]] = {}
        for link in links:
            for here, there in ((link.a, link.b), (link.b, link.a)):
                ends.setdefault(here.device_id, Counter())[kinds[there.device_id]] += 1
        self._sort = _numbered({one: (kinds[one], tuple(sorted(counts.items()))) for one, counts in ends.items()})

    def links_of(self, kind: str, one: Candidate) -> frozenset[str]:
        """The links that go with a failure."""
        if kind in (LINK, OPTIC):
            return one.ids
        (only,) = one.ids
        if kind == SWITCH:
            return frozenset(link.id for link in self._design.links_of(only))
        module = self._design.modules[only]
        ports = {port.name for port in self._design.ports(module.device_id) if port.slot == module.slot}
        own = self._design.links_of(module.device_id)
        return frozenset(link.id for link in own if _port_at(link, module.device_id) in ports)

    def is_at_server(self, link_id: str) -> bool:
        """Whether a link ends at a server."""
        link = self._design.links[link_id]
        return any(self._design.is_server(end.device_id) for end in (link.a, link.b))

    def of(self, link_ids: Iterable[str]) -> Hashable:
        """Equal for links between devices of the same sorts, with as many next to them, in as many bundles."""
        links = [self._design.links[one] for one in link_ids]
        found = sorted((self._ends_of(link), self._between[_pair(link)], self._is_inside(link)) for link in links)
        return tuple(found), len({_pair(link) for link in links})

    def _ends_of(self, link: Link) -> tuple[int, int]:
        one, other = self._sort[link.a.device_id], self._sort[link.b.device_id]
        return (one, other) if one <= other else (other, one)

    def _is_inside(self, link: Link) -> bool:
        """Whether both ends are in one group: the links of a dragonfly inside groups are not those between them."""
        one, other = (self._design.device(end.device_id) for end in (link.a, link.b))
        return (one.unit, one.group_id) == (other.unit, other.group_id)


def _numbered(sorts: Mapping[str, Hashable]) -> dict[str, int]:
    """A number for each, equal for equal sorts."""
    numbers: dict[Hashable, int] = {}
    return {one: numbers.setdefault(sort, len(numbers)) for one, sort in sorts.items()}


def _pair(link: Link) -> tuple[str, str]:
    one, other = link.a.device_id, link.b.device_id
    return (one, other) if one <= other else (other, one)


def _port_at(link: Link, device_id: str) -> str:
    return link.a.port if link.a.device_id == device_id else link.b.port

"""A collective on a drawn fabric as NCCL or RCCL runs it: what it chooses at each size and why, and how long it takes.

The choice is the library's own (costs.py); the time is that of the chosen algorithm's flows on the drawn fabric
(execution.py). The library's estimate is listed next to it: a kink in a measured curve is a change of choice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import Graph
from designer.model.design import Design
from designer.routing.network import Network, network
from designer.simulation import catalogue
from designer.simulation.libraries.channels import channels_for, searched
from designer.simulation.libraries.constants import (
    DIRECT,
    PROTOCOLS,
    Library,
    library,
)
from designer.simulation.libraries.costs import Estimate, estimates
from designer.simulation.libraries.execution import Measured, Terms, measured, places_of, terms_of, time_us
from designer.simulation.libraries.machine import Machine, machine_of
from designer.simulation.libraries.port_loads import PortLoads, port_loads
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.tables.columns import Column, Columns, keys

TITLES = {
    "ring": "Ring",
    "tree": "Tree",
    "nvls": "NVLS",
    "nvls-tree": "NVLS tree",
    "pat": "PAT",
    "collnet-direct": "CollNet direct",
    "collnet-chain": "CollNet chain",
    "direct": "Send/recv",
}
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One size: what the library chooses, with its reason and its own estimate, and how long that takes here."""

    size_bytes: float
    time_us: float
    algbw_gbs: float
    busbw_gbs: float
    algorithm: str
    protocol: str
    channels: int
    reason: str
    library_estimate_us: float | None
    """None where the library has no choice and so no estimate."""
    median_us: float | None = None
    """Of several runs on a machine that others use too, where `time_us` is the best; None where nobody measured it."""
    worst_us: float | None = None

    COLUMNS: ClassVar[Columns] = (
        Column("size_bytes", "Size", text="{:.0f}".format, unit="B", right=True),
        Column("time_us", "Time", text="{:.2f}".format, unit="us", right=True),
        Column("algbw_gbytes_per_s", "algbw", "algbw_gbs", text="{:.2f}".format, unit="GB/s", right=True),
        Column("busbw_gbytes_per_s", "busbw", "busbw_gbs", text="{:.2f}".format, unit="GB/s", right=True),
        Column("algorithm", "Algorithm"),
        Column("protocol", "Protocol"),
        Column("channels", "Channels", right=True),
        Column("library_estimate_us", "Library", text="{:.2f}".format, unit="us", right=True),
        Column("median_us", "Median", text="{:.2f}".format, unit="us", right=True, may_lack=True),
        Column("worst_us", "Worst", text="{:.2f}".format, unit="us", right=True, may_lack=True),
        Column("reason", "Reason"),
    )


@dataclass(frozen=True, slots=True)
class Prediction:
    """A collective by size, under a library's model."""

    scenario: Scenario
    library: str
    """Name and version: "NCCL 2.30.7-1"."""
    machine: Machine
    rows: tuple[Row, ...]
    constants: tuple[str, ...]
    """Which measured constants the times rest on, in words."""
    unknown: tuple[str, ...] = ()
    """What the design does not state and the library would ask, in words."""
    loads: "dict[str, PortLoads]" = field(default_factory=dict, repr=False, compare=False)

    COLUMNS: ClassVar[Columns] = (
        Column("collective", "Collective", "scenario.collective"),
        *keys("library rows constants unknown"),
    )


@dataclass(frozen=True, slots=True)
class Forced:
    """What the environment takes from the library's choice; None leaves it."""

    algorithms: tuple[str, ...] | None = None
    """Those that remain."""
    protocol: int | None = None


FREE = Forced()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How the library is run: which one, with which measured constants, and what its environment sets."""

    model: str = "nccl"
    constants: Measured | None = None
    """None for those that are delivered."""
    forced: Forced = FREE
    launch_us: float = 0.0
    """What the caller adds to every call; 0 as nccl-tests measures."""


USUAL = Setup()


def setup_of(scenario: Scenario) -> Setup:
    """The library of the scenario's model, with the constants that it carries or else the delivered ones."""
    own = scenario.constants
    return Setup(model=scenario.model, constants=None if own is None else own.measured)


def predict_on(
    design: Design,
    graph: Graph,
    scenario: Scenario,
    sizes_bytes: Sequence[float],
    setup: Setup = USUAL,
    progress: Progress | None = None,
) -> Prediction:
    """The scenario's collective at each size, as the library runs it on a graph of the design.

    Raises ParameterError for traffic that is no collective, and for GPUs that the library has no constants for.
    """
    run = prepare(design, graph, scenario, setup, progress)
    with_them = measured(setup.model) if setup.constants is None else setup.constants
    rows = tuple(run.row(size_bytes, with_them, setup.launch_us) for size_bytes in sizes_bytes)
    title = f"{run.of.title} {run.of.version}"
    behind = origins(run, with_them)
    return Prediction(scenario, title, run.machine, rows, behind, run.machine.unknown, run.loads)


@dataclass(slots=True)
class Run:
    """A collective on a machine, ready for any size: estimates by algorithm, and port loads of those that are used."""

    of: Library
    machine: Machine
    graph: Graph
    scenario: Scenario
    ranks: NDArray[np.int64]
    found: list[Estimate]
    progress: Progress
    loads: dict[str, PortLoads]

    def chosen(self, size_bytes: float) -> tuple[Estimate | None, str]:
        """What the library chooses at a size, and why; None where it has no choice."""
        if not self.found:
            return None, "sends and receives between pairs have no algorithm"
        best = min(self.found, key=lambda one: one.time_us(size_bytes))
        reason = _reason(best, self.found, size_bytes)
        if best.allows(size_bytes):
            return best, reason
        # RCCL replaces the protocol last of all: the algorithm stays, whose estimate was another protocol's.
        same = [one for one in self.found if one.algorithm == best.algorithm and one.allows(size_bytes)]
        if not same:
            return best, reason
        replaced = f"{PROTOCOLS[same[0].protocol]} by its size in place of {PROTOCOLS[best.protocol]}"
        return same[0], f"{reason}; {replaced}"

    def terms(self, size_bytes: float, launch_us: float = 0.0) -> Terms:
        """What the time at a size is made of."""
        best, _ = self.chosen(size_bytes)
        loads = self._loads_of(self.algorithm_at(size_bytes))
        return terms_of(self.of, self.machine, self.scenario.collective or "", best, loads, size_bytes, launch_us)

    @property
    def net(self) -> Network:
        """The network of its graph."""
        return network(self.graph)

    def algorithm_at(self, size_bytes: float) -> str:
        """The algorithm whose flows run at a size."""
        best, _ = self.chosen(size_bytes)
        return DIRECT if best is None else best.algorithm

    def row(self, size_bytes: float, constants: Measured, launch_us: float) -> Row:
        """The line of one size."""
        terms = self.terms(size_bytes, launch_us)
        taken_us = float(time_us(terms, lambda place: constants.value(terms.keys[place])))
        spread = constants.spread_at(self.machine.nodes)
        best, reason = self.chosen(size_bytes)
        algbw = size_bytes / taken_us / 1e3
        row = catalogue.collective(self.scenario.collective or "")
        assert row is not None
        if best is None:
            name, protocol, channels = TITLES[DIRECT], "Simple", searched(self.machine, self.of.pcie_gbytes_per_s).used
        else:
            name, protocol = TITLES[best.algorithm], PROTOCOLS[best.protocol]
            channels = channels_for(self.machine, best.channels, best.algorithm, best.protocol, size_bytes)
        return Row(
            float(size_bytes),
            taken_us,
            algbw,
            algbw * row.busbw_factor(self.machine.ranks),
            name,
            protocol,
            channels,
            reason,
            None if best is None else best.time_us(size_bytes),
            taken_us * spread.median if spread is not None else None,
            taken_us * spread.worst if spread is not None else None,
        )

    def _loads_of(self, algorithm: str) -> PortLoads:
        if algorithm not in self.loads:
            self.loads[algorithm] = port_loads(self.graph, self.scenario, self.ranks, algorithm, self.progress)
        return self.loads[algorithm]


def prepare(
    design: Design, graph: Graph, scenario: Scenario, setup: Setup = USUAL, progress: Progress | None = None
) -> Run:
    """The collective made ready for any size. Raises as `predict_on`."""
    if scenario.collective is None:
        raise ParameterError(f"the model {setup.model} is for collectives; {scenario.traffic} is a pattern of flows")
    of = library(setup.model)
    ranks = participants(network(graph), scenario)
    machine = machine_of(design, graph, ranks, of, has_sharp=scenario.in_network_reduction)
    found = _left(estimates(of, machine, scenario.collective), scenario, setup.forced, of)
    return Run(of, machine, graph, scenario, ranks, found, progress or _ignore, {})


def _ignore(_share: float) -> None:
    pass


def _left(found: list[Estimate], scenario: Scenario, forced: Forced, of: Library) -> list[Estimate]:
    """The estimates that the scenario's algorithm and the environment leave. Raises ParameterError for none."""
    algorithms = forced.algorithms
    if scenario.algorithm is not None and found:
        algorithms = (catalogue.LIBRARY_NAMES.get(scenario.algorithm, scenario.algorithm),)
    left = [
        one
        for one in found
        if (algorithms is None or one.algorithm in algorithms)
        and (forced.protocol is None or one.protocol == forced.protocol)
    ]
    if found and not left:
        names = ", ".join(dict.fromkeys(TITLES[one.algorithm] for one in found))
        wanted = ", ".join(TITLES.get(one, one) for one in algorithms or ())
        raise ParameterError(f"{of.title} has no {wanted} for this collective on this machine; it has {names}")
    return left


def _reason(best: Estimate, among: list[Estimate], size_bytes: float) -> str:
    """Why the library takes it: its estimate, and the next best of another kind."""
    own = best.time_us(size_bytes)
    others = [one for one in among if (one.algorithm, one.protocol) != (best.algorithm, best.protocol)]
    if not others:
        return "the only one that remains"
    second = min(others, key=lambda one: one.time_us(size_bytes))
    word = f"{TITLES[second.algorithm]} {PROTOCOLS[second.protocol]}"
    return f"estimated at {own:.4g} µs, before {word} at {second.time_us(size_bytes):.4g} µs"


def origins(run: Run, constants: Measured) -> tuple[str, ...]:
    """Which measurements stand behind the times, in words."""
    near, far = places_of(run.machine)
    wanted = [("inside a node", near[3:], constants.inside)]
    if run.machine.nodes > 1:
        wanted.append(("between nodes", far[3:], constants.between))
    found = []
    for what, place, room in wanted:
        steps = (place, place.partition("@")[0])
        fitted = next((room[one] for one in steps if one in room and room[one].records), None)
        name = place.replace("@", " on ")
        if fitted is not None:
            found.append(f"{what}: {name}, fitted to {len(fitted.records)} measurements")
        else:
            found.append(f"{what}: {name}, never measured; the library's constants and published rules hold")
    return (*found, f"constants of {constants.date}")

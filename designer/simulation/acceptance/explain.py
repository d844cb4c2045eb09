"""Which single faults of a design explain what was measured, the likeliest first.

Each candidate is simulated by the engine for each part that was measured. What it predicts is compared with ln(measured
over predicted busbw) of the parts, which scatter by the noise of the runs, and are all off by the same unknown factor,
by which the model may be wrong. Likelihoods are Gaussian; what kind of fault is likely beforehand is `faults.MASS`.
Where a measurement falls short of what is accepted, that factor stays within the tolerance, and "no fault" is no
explanation: more than that is what a fault, or all that is slow alike, has to explain.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from designer.errors import Cancelled, DesignerError, ParameterError
from designer.graph.arrays import Graph
from designer.model.design import Design
from designer.simulation.acceptance.evidence import Evidence, MeasuredPart, evidence_of
from designer.simulation.acceptance.expected import Progress, share_text
from designer.simulation.acceptance.faults import KIND_TITLES, MASS, Fault, Faults, changed, degraded
from designer.simulation.catalogue import IDEAL
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, Columns, percent
from designer.units import format_count

Floats = NDArray[np.float64]

LEAST_NOISE = 0.02
USUAL_NOISE = 0.03
"""Scatter of a size from run to run, where the sizes are too few to see it."""
MODEL_SD = 0.02
"""How far the model may be off between parts of one fabric, and
BIAS_SD how far it may be off for all of them alike: it leaves out what hosts and libraries cost."""
BIAS_SD = 0.15
ANY_SD = 1.0
"""How far everything may be off alike where that itself is the explanation."""
SHORT = 0.08
"""A part that falls this much further below its prediction than the best part is short: the fault is in it."""
SAME = 0.005
"""Predictions that differ by less than this in every part are the same."""
AS_SLOW_AS_SOCKETS = 0.12
CANNOT_DISTINGUISH = "These measurements cannot distinguish the first from"
MOST_ALIKE = 12


@dataclass(frozen=True, slots=True)
class Effect:
    """What an explanation predicts of a part, and what was measured there: shares of the healthy prediction."""

    part: str
    predicted: float
    measured: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What could be wrong. Probabilities are of the candidates tried, which are single faults."""

    kind: str
    title: str
    probability: float
    residual: float
    """What is left unexplained: root mean square of the parts' residuals, as a share."""
    residual_sigma: float
    """The same in standard deviations of the measurements: about 1 where the fault explains them."""
    bias: float
    """Measured over predicted busbw that all parts share besides the fault."""
    alike: tuple[str, ...]
    """Others that these measurements do not tell from it."""
    n_alike: int
    effects: tuple[Effect, ...]
    ids: tuple[str, ...] = ()
    """Ids of the links or devices that are at fault; none for what is no part of the fabric."""

    @property
    def more_alike(self) -> str:
        """ "and 3 more" beyond those that are listed; "" where there are none."""
        more = self.n_alike - len(self.alike)
        return f"and {format_count(more)} more" if more else ""

    @property
    def alike_sentence(self) -> str:
        """What these measurements cannot distinguish from it, as a sentence; "" where there is nothing."""
        listed = " ".join(filter(None, ("; ".join(self.alike), self.more_alike)))
        return f"{CANNOT_DISTINGUISH}: {listed}." if self.alike else ""

    COLUMNS: ClassVar[Columns] = (
        Column("probability", "Probability", text=percent, right=True),
        Column("residual_sigma", "Residual", text="{:.1f} sigma".format, right=True, sheet="residual (sigma)"),
        Column("residual", "Unexplained", text=percent, right=True),
        Column("title", "Explanation"),
        Column("kind", "Kind", text=lambda kind: KIND_TITLES.get(kind, kind)),
        Column("bias", "Common factor", text=share_text, right=True),
        Column("n_alike", "Alike", right=True),
        Column("alike", "Cannot be distinguished from", text="; ".join),
        Column("effects"),
        Column("ids"),
    )


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Measurements against predictions, and what explains the difference."""

    evidence: tuple[Evidence, ...]
    explanations: tuple[Explanation, ...]
    noise: float
    n_tried: int

    COLUMNS: ClassVar[Columns] = (
        Column("noise"),
        Column("n_tried"),
        Column("parts", value="evidence"),
        Column("rows", value=lambda one: [row for evidence in one.evidence for row in evidence.rows]),
        Column("explanations"),
    )

    @property
    def best(self) -> Explanation:
        """The likeliest one."""
        return self.explanations[0]


def diagnose(
    design: Design,
    graph: Graph,
    scenario: Scenario,
    tests: Sequence[MeasuredPart],
    tolerance: float,
    progress: Progress,
) -> Diagnosis:
    """What explains the measurements of parts of the design. `progress` may raise Cancelled.

    `tolerance` is the share that a measurement may be below its prediction and is accepted.

    Raises ParameterError where no measurement is of a size at which bandwidth decides.
    """
    runs = [scenario_of(scenario, tested) for tested in tests]
    evidence = []
    for number, (tested, run) in enumerate(zip(tests, runs, strict=True)):
        progress(0.1 * number / len(tests))
        evidence.append(evidence_of(design, graph, run, tested, _ignore))
    judged = [place for place, one in enumerate(evidence) if one.log_ratio is not None]
    if not judged:
        raise ParameterError(
            "no measurement has a size at which bandwidth decides: measure sizes from 64 MiB up, 64M:8G"
        )
    sized = [replace(runs[place], size_bytes=evidence[place].largest_bytes) for place in judged]
    bench = Bench(design, graph, sized)
    used = [evidence[place] for place in judged]
    noise = noise_of(used)
    measured = np.array([one.log_ratio for one in used], dtype=np.float64)
    counts = np.array([one.n_judged for one in used], dtype=np.float64)
    titles = [one.part.title for one in used]
    falls_short = any(one.is_accepted(tolerance) is False for one in used)
    most_bias = bias_within(tolerance) if falls_short else None
    explanations = bench.explanations(
        measured, counts, noise, titles, lambda share: progress(0.1 + 0.9 * share), most_bias
    )
    return Diagnosis(tuple(evidence), explanations, noise, bench.n_tried)


def scenario_of(scenario: Scenario, tested: MeasuredPart) -> Scenario:
    """What the measurement ran, on the ranks of its part; the scenario's own collective where it does not say."""
    collective = tested.measurement.collective or scenario.collective
    ranks = tested.part.ranks
    if collective == scenario.collective:
        return replace(scenario, ranks=ranks)
    return replace(scenario, ranks=ranks, collective=collective, algorithm=None, dims=None)


def bias_within(tolerance: float) -> float:
    """How far ln(measured over predicted) may be off for all parts alike where that is no fault."""
    return max(-math.log1p(-tolerance), MODEL_SD)


def noise_of(evidence: Sequence[Evidence]) -> float:
    """The scatter over the sizes of a part, of all parts together; the usual one where there are few."""
    freedom = sum(one.n_judged - 1 for one in evidence)
    if freedom < 4:
        return USUAL_NOISE
    return max(LEAST_NOISE, math.sqrt(sum((one.n_judged - 1) * one.spread**2 for one in evidence) / freedom))


class Bench:
    """Simulates what faults do to the runs that were measured; what it found of a fault it keeps."""

    def __init__(self, design: Design, graph: Graph, runs: Sequence[Scenario]) -> None:
        """`runs` are the scenarios that were measured, each at the size that tells most."""
        self._graph = graph
        self._runs = tuple(replace(run, model=IDEAL) for run in runs)  # what a fault changes is a matter of flows
        self._healthy_s, loads = self._healthy()
        self._loads = loads
        self.faults = Faults(design, graph, self._runs[0], loads)
        self._known: dict[Fault, Floats | None] = {}

    @property
    def n_tried(self) -> int:
        """How many faults were simulated."""
        return len(self._known)

    def _healthy(self) -> tuple[list[float], Floats]:
        """(time of each run, (n_runs, n_links) loads as a share of the busiest link's)."""
        times, loads = [], np.zeros((len(self._runs), len(self._graph.link_ids)))
        for number, run in enumerate(self._runs):
            result = simulate(self._graph, run)
            times.append(result.time_s)
            on_link = self._graph.link >= 0
            carried = result.bytes[on_link] / self._graph.capacity_gbps[on_link]
            np.maximum.at(loads[number], self._graph.link[on_link], carried)
            loads[number] /= max(loads[number].max(initial=0.0), 1e-30)
        return times, loads

    def effect(self, fault: Fault) -> Floats | None:
        """(n_runs,) ln(busbw with the fault over busbw without) of each run; None where one could not have run."""
        if fault not in self._known:
            self._known[fault] = self._simulated(fault)
        return self._known[fault]

    def _simulated(self, fault: Fault) -> Floats | None:
        graph = degraded(self._graph, fault)
        effect = np.zeros(len(self._runs))
        for number, run in enumerate(self._runs):
            if fault.links and not self._loads[number, list(fault.links)].any():
                continue
            if fault.algorithm and run.collective != self._runs[0].collective:
                continue
            try:
                time_s = simulate(graph, changed(run, fault), brief=True).time_s
            except Cancelled:
                raise
            except DesignerError:
                return None  # ranks that do not reach each other, an algorithm that does not fit: it did run
            effect[number] = math.log(self._healthy_s[number] / time_s)
        return effect

    def explanations(
        self,
        measured: Floats,
        counts: Floats,
        noise: float,
        titles: Sequence[str],
        progress: Progress,
        most_bias: float | None = None,
    ) -> tuple[Explanation, ...]:
        """What explains ln(measured over predicted) of each run, of so many sizes each; the likeliest first.

        With `most_bias` a run falls short of what is accepted: what all have in common is no more than that.
        """
        short = measured < measured.max() - max(SHORT, 4 * noise)
        wanted = [*self._may_explain(self.faults.all(), short), *self._some_of_rails(short)]
        variance = noise**2 / counts + MODEL_SD**2
        found = []
        for number, fault in enumerate(wanted):
            progress(number / len(wanted))
            effect = self.effect(fault)
            if effect is not None and np.abs(effect).max() > SAME:
                found.append(_Hypothesis(fault, effect, BIAS_SD, most_bias))
        nothing = np.zeros(len(self._runs))
        if most_bias is None:
            found.append(_Hypothesis(Fault("nothing", "No fault: as predicted", MASS["nothing"]), nothing, BIAS_SD))
        found.append(_Hypothesis(Fault("uniform", _uniform(measured), MASS["uniform"]), nothing, ANY_SD))
        progress(1.0)
        ranked = _ranked(_merged(found), measured, variance, titles)
        return tuple(replace(one, ids=self._ids_of(fault)) for fault, one in ranked)

    def _ids_of(self, fault: Fault) -> tuple[str, ...]:
        return (*fault.devices, *(self._graph.link_ids[link] for link in fault.links))

    def _may_explain(self, faults: Sequence[Fault], short: NDArray[np.bool_]) -> list[Fault]:
        """Those that touch every run that fell short."""
        if not short.any():
            return list(faults)
        return [one for one in faults if not one.links or self._touched(one.links)[short].all()]

    def _touched(self, links: Sequence[int]) -> NDArray[np.bool_]:
        return np.asarray(self._loads[:, list(links)].any(axis=1))

    def _groups_of(self, links: Sequence[int]) -> int:
        """Into how many groups the runs divide these links: those that the same runs load are one."""
        return len(np.unique(self._loads[:, list(links)] > 0, axis=1).T)

    def _some_of_rails(self, short: NDArray[np.bool_]) -> list[Fault]:
        """For each rail, its cables that only short runs load: where runs tell single cables apart."""
        if not short.any():
            return []
        by_rail = self.faults.rail_links()
        found = []
        for rail, links in by_rail.items():
            some = [link for link in links if self._loads[:, link].any() and not self._loads[~short, link].any()]
            if len(some) < len(links) and self._touched(some)[short].all():
                n_groups = self._groups_of(some)
                if n_groups > 1:  # of a single group one link explains as much
                    found.append(self.faults.some_of_rail(rail, some, n_groups, len(by_rail)))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Hypothesis:
    fault: Fault
    effect: Floats
    bias_sd: float
    most_bias: float | None = None
    """The most that all runs are off alike, either way; None for any."""
    others: tuple[Fault, ...] = ()

    @property
    def mass(self) -> float:
        return self.fault.mass + sum(other.mass for other in self.others)


def _merged(found: Sequence[_Hypothesis]) -> list[_Hypothesis]:
    """One of all that predict the same: the one that was likeliest beforehand, with the others."""
    groups: dict[tuple[float, ...], list[_Hypothesis]] = {}
    for one in found:
        groups.setdefault((one.bias_sd, *np.round(one.effect / SAME).tolist()), []).append(one)
    merged = []
    for group in groups.values():
        first = max(group, key=lambda one: one.mass)
        merged.append(replace(first, others=tuple(one.fault for one in group if one is not first)))
    return merged


def _ranked(
    found: Sequence[_Hypothesis], measured: Floats, variance: Floats, titles: Sequence[str]
) -> list[tuple[Fault, Explanation]]:
    weights = np.array([math.log(one.mass) + _log_likelihood(one, measured, variance) for one in found])
    shares = np.exp(weights - weights.max())
    shares /= shares.sum()
    order = np.argsort(-shares, kind="stable")
    return [
        (found[n].fault, _explanation(found[n], float(shares[n]), measured, variance, titles)) for n in order.tolist()
    ]


def _log_likelihood(one: _Hypothesis, measured: Floats, variance: Floats) -> float:
    """Of a Gaussian with these variances and a common offset of bias_sd (Sherman and Morrison, 1950).

    Where the offset is limited, its Gaussian ends there: the likelihood has the share of the offsets within, as they
    are after the measurements over as they were before.
    """
    rest = measured - one.effect
    weight = 1 / variance
    inner = 1 / one.bias_sd**2 + weight.sum()
    square = (weight * rest**2).sum() - (weight * rest).sum() ** 2 / inner
    whole = float(-0.5 * (square + np.log(variance).sum() + math.log(one.bias_sd**2 * inner)))
    if one.most_bias is None:
        return whole
    after = _log_share_within(one.most_bias, (weight * rest).sum() / inner, 1 / math.sqrt(inner))
    return whole + after - _log_share_within(one.most_bias, 0.0, one.bias_sd)


def _log_share_within(most: float, mean: float, sd: float) -> float:
    """Ln of the share of a Gaussian from -most to most; exact far out in its tail too."""
    near, far = float(log_ndtr((most - abs(mean)) / sd)), float(log_ndtr((-most - abs(mean)) / sd))
    return near + math.log(-math.expm1(far - near))


def _explanation(
    one: _Hypothesis, share: float, measured: Floats, variance: Floats, titles: Sequence[str]
) -> Explanation:
    rest, weight = measured - one.effect, 1 / variance
    bias = float((weight * rest).sum() / (1 / one.bias_sd**2 + weight.sum()))
    if one.most_bias is not None:
        bias = min(max(bias, -one.most_bias), one.most_bias)
    left = rest - bias
    titled = [title for fault in (one.fault, *one.others) for title in (fault.title, *fault.alike)][1:]
    return Explanation(
        one.fault.kind,
        one.fault.title,
        share,
        float(np.sqrt((left**2).mean())),
        float(np.sqrt((left**2 * weight).mean())),
        math.exp(bias),
        tuple(titled[:MOST_ALIKE]),
        len(titled),
        tuple(
            Effect(title, math.exp(effect + bias), math.exp(value))
            for title, effect, value in zip(titles, one.effect.tolist(), measured.tolist(), strict=True)
        ),
    )


def _uniform(measured: Floats) -> str:
    """What slows everything alike is not a fault of a part."""
    ratio = math.exp(float(measured.mean()))
    if ratio < AS_SLOW_AS_SOCKETS:
        return "Everything slower alike, as over TCP: the library did not load its network plug-in or RDMA is off"
    return "Everything slower alike: settings of hosts, library or NICs, not one part of the fabric"


def _ignore(_share: float) -> None:
    pass

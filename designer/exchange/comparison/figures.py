"""Figures of two designs next to each other: counts, bill, power, bisection, times of collectives, failures."""

from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial

from designer.analysis.billing.amounts import Amounts
from designer.analysis.billing.bill import Bill, bill_of
from designer.analysis.billing.costing import Costing, years_text
from designer.analysis.billing.prices import NO_PRICES, PriceList
from designer.analysis.billing.terms import NO_TERMS, CostTerms
from designer.analysis.power import Power
from designer.analysis.summary import Summary, summarize
from designer.catalog import catalog
from designer.errors import Cancelled, DesignerError
from designer.exchange.comparison.figure_rows import (
    NO_LINES,
    FigureRow,
    Figures,
    Measure,
    PartLines,
    PartRow,
    RunOfDesign,
)
from designer.model.design import Design
from designer.simulation.designs import simulate_design
from designer.simulation.failures.worst import LEAST_SLOWDOWN
from designer.simulation.reported import REPORTED_TRAFFIC, FabricFailures, fabric_failures
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.units import format_capacity, format_count, format_power, format_ratio, format_size, format_time

Progress = Callable[[float], None]

COUNTS = Measure(lambda count: format_count(int(count)), places=0)
POWER = Measure(format_power, "kW", 1000.0, 1)
RATIO = Measure(format_ratio, "to 1")
CAPACITY = Measure(format_capacity, "Tb/s", 1000.0)
TIME = Measure(format_time, "ms", 1e-3, 3)
SLOWDOWN = Measure("{:.2f}× the time".format, "times the time")


def figures_of(
    before: Design,
    after: Design,
    progress: Progress = lambda _share: None,
    prices: PriceList = NO_PRICES,
    terms: CostTerms = NO_TERMS,
) -> Figures:
    """The figures of both designs, with costs by prices and terms.

    `progress` hears the share done and may raise Cancelled.
    """
    ours = _Side(before, lambda share: progress(share / 2), prices, terms)
    theirs = _Side(after, lambda share: progress(0.5 + share / 2), prices, terms)
    runs = ((ours.results[one], theirs.results[one]) for one in REPORTED_TRAFFIC)
    both = tuple((RunOfDesign(a, before), RunOfDesign(b, after)) for a, b in runs if a is not None and b is not None)
    return Figures(tuple(_rows(ours, theirs)), tuple(part_rows(ours.bill, theirs.bill)), both)


class _Side:
    """The figures of one design."""

    def __init__(self, design: Design, progress: Progress, prices: PriceList, terms: CostTerms) -> None:
        self._design = design
        self.summary = summarize(design)
        progress(0.2)
        self.bill = bill_of(design, catalog.load().types, terms.discounted(prices))
        self.costing = Costing(self.bill, terms, self.summary.endpoints)
        progress(0.4)
        self.results: dict[Scenario, Result | None] = {}
        self.refusals: dict[Scenario, str] = {}
        for number, one in enumerate(REPORTED_TRAFFIC):
            heard = partial(_part, progress, 0.4 + 0.25 * number)
            self.results[one], self.refusals[one] = _simulated(design, one, heard)
        self.failures = fabric_failures(design)
        progress(1.0)

    def time_s(self, traffic: Scenario) -> float | None:
        """How long it takes among all GPUs; None where that is not known."""
        result = self.results[traffic]
        return None if result is None else result.time_s

    @property
    def models(self) -> Counter[str]:
        """How many switches there are of each model, of every network."""
        return Counter(self._design.device_type(one.id).model for one in self._design.switches())

    @property
    def ports(self) -> tuple[int, int]:
        """Ports of all switches that are used, and that are free."""
        design, switches = self._design, self._design.switches()
        return sum(design.n_used_ports(one.id) for one in switches), sum(
            len(design.free_ports(one.id)) for one in switches
        )

    @property
    def power_w(self) -> float | None:
        """Of all devices at most; None where that of some is not known."""
        return self.summary.power.whole_max_w

    @property
    def bisection_gbps(self) -> float | None:
        """None where it is not defined."""
        return None if self.summary.bisection is None else self.summary.bisection.gbps

    @property
    def worst_ratio(self) -> float | None:
        """Of all tiers."""
        return max(self.summary.oversubscription.values(), default=None)


def _simulated(design: Design, traffic: Scenario, progress: Progress) -> tuple[Result | None, str]:
    """The run among all GPUs, or why there is none."""
    try:
        return simulate_design(design, traffic, progress), ""
    except Cancelled:
        raise
    except DesignerError as error:
        return None, str(error)


def _part(progress: Progress, first: float, share: float) -> None:
    progress(first + 0.25 * share)


def _rows(ours: _Side, theirs: _Side) -> Iterator[FigureRow]:
    """What the designs reach, what they cost and draw, and then what they are made of."""

    def counted(name: str, of: Callable[[Summary], int]) -> FigureRow:
        return FigureRow(name, of(ours.summary), of(theirs.summary), COUNTS)

    note = "of the worst tier"
    yield FigureRow("Oversubscription", ours.worst_ratio, theirs.worst_ratio, RATIO, note, is_share=True)
    bisections = [side.summary.bisection for side in (ours, theirs)]
    bound = "" if all(one is None or one.exact for one in bisections) else ", upper bound"
    yield FigureRow(f"Bisection bandwidth{bound}", ours.bisection_gbps, theirs.bisection_gbps, CAPACITY)
    for traffic in REPORTED_TRAFFIC:
        why, why_not = ours.refusals[traffic], theirs.refusals[traffic]
        name = f"{traffic.title[:1].upper()}{traffic.title[1:]}, {format_size(traffic.size_bytes)}"
        note = why or why_not or f"{traffic.routing_text} routing, all GPUs"
        yield FigureRow(name, ours.time_s(traffic), theirs.time_s(traffic), TIME, note, is_simulated=True)
    yield from _failures(ours.failures, theirs.failures)
    yield from _costs(ours, theirs)
    yield FigureRow("Power, maximum", ours.power_w, theirs.power_w, POWER, _unknown_power(ours, theirs))
    yield counted("Servers", lambda one: one.servers)
    yield counted("GPUs", lambda one: one.endpoints)
    yield counted("Switches", lambda one: sum(one.switches.values()))
    yield from _switches(ours, theirs)
    for number, name in enumerate(("Switch ports used", "Switch ports free")):
        yield FigureRow(name, ours.ports[number], theirs.ports[number], COUNTS)
    yield counted("Links", lambda one: one.parts_to_order.links)
    yield counted("Cables to order", lambda one: one.parts_to_order.cables)
    yield counted("Transceivers", lambda one: one.parts_to_order.transceivers)
    yield counted("Racks", lambda one: one.racks)


def _failures(ours: FabricFailures, theirs: FabricFailures) -> Iterator[FigureRow]:
    """What one failure does at most: GPUs cut off, which ends a job, and the longer time of the others, apart."""
    unknown = dict.fromkeys(one.worst.text for one in (ours, theirs) if one.severing.cut_off is None)
    cut, slow = ((ours.severing, theirs.severing), (ours.slowing, theirs.slowing))
    parts = dict.fromkeys(one.part for one in cut if one.cut_off)
    note = "; ".join(filter(None, (", ".join(parts), *unknown)))
    yield FigureRow("GPUs that one failure cuts off", cut[0].cut_off, cut[1].cut_off, COUNTS, note)
    parts = dict.fromkeys(one.part for one in slow if one.slowdown is not None and one.slowdown >= LEAST_SLOWDOWN)
    part = f" ({', '.join(parts)})" if parts else ""
    meaning = (
        f"the time with the worst single failure of a switch, or of a cable or optic between switches{part}, divided "
        "by the time without a failure; GPUs that are cut off do not count; 1.00× is no slowdown"
    )
    note = "; ".join((meaning, *unknown))
    times = [None if one.slowdown is None else max(1.0, one.slowdown) for one in slow]
    name = f"Slowdown by one failure, {REPORTED_TRAFFIC[0].title}"
    yield FigureRow(name, times[0], times[1], SLOWDOWN, note, is_share=True, is_simulated=True)


def _switches(ours: _Side, theirs: _Side) -> Iterator[FigureRow]:
    """How many there are of each type, where they are of several types or not of the same."""
    models = [side.models for side in (ours, theirs)]
    names = sorted({*models[0], *models[1]})
    for name in names:
        yield FigureRow(f"Switches, {name}", models[0][name], models[1][name], COUNTS)


def _costs(ours: _Side, theirs: _Side) -> Iterator[FigureRow]:
    """Capital of both, then power, cooling and what falls on a GPU where terms say so, by currency."""
    years = years_text(ours.costing.terms.years)
    rows: list[tuple[str, Callable[[Costing], Amounts | None]]] = [("Capital", lambda one: one.capital)]
    if ours.costing.terms.energy_price is not None:
        rows += [(f"Power, {years}", lambda one: one.power), (f"Cooling, {years}", lambda one: one.cooling)]
        rows.append((f"Total, {years}", lambda one: one.rows[0].total))
    rows.append(("Capital per GPU", lambda one: one.rows[1].capital))
    for name, of in rows:
        gaps = [
            one.price_gap if name.startswith("Capital") else one.power_gap for one in (ours.costing, theirs.costing)
        ]
        note = "; ".join(dict.fromkeys(filter(None, gaps)))
        was, now = (dict(one.sums) if (one := of(side.costing)) is not None else {} for side in (ours, theirs))
        for currency in sorted({*was, *now}):
            before, after = (None if one is None else float(one) for one in (was.get(currency), now.get(currency)))
            yield FigureRow(f"{name}, {currency}", before, after, Measure("{:,.2f}".format, currency), note)


def _unknown_power(ours: _Side, theirs: _Side) -> str:
    def words(power: Power) -> str:
        return f"{format_count(power.n_unknown_max)} devices have no known power" if power.n_unknown_max else ""

    return words(ours.summary.power) or words(theirs.summary.power)


def part_rows(before: Bill, after: Bill) -> Iterator[PartRow]:
    """The parts of both bills that differ in number, or in price, in the order of the bills."""
    was, now = _lines(before), _lines(after)
    for key in dict.fromkeys((*was, *now)):
        row = PartRow(*key, was.get(key, NO_LINES), now.get(key, NO_LINES))
        if row.change or row.cost_change:
            yield row


def _lines(bill: Bill) -> dict[tuple[str, str], PartLines]:
    """What each part comes to on a bill, by kind and name."""
    found: dict[tuple[str, str], PartLines] = {}
    for line in bill.lines:
        item = line.item
        length = "" if item.order_m is None else f"{item.order_m:g} m"
        names = (item.part_number, item.model or item.description, length)
        key = item.kind, ", ".join(filter(None, names)) or item.kind
        cost = None if line.price is None or line.is_unpriced else (line.line_price or Decimal(0))
        found[key] = found.get(key, NO_LINES).with_line(item.quantity, line.price, cost, needs_price=line.is_unpriced)
    return found

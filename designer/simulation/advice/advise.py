"""Tries what may help a run: every change is run by the engine as a plain simulation of it would be."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from designer.catalog.catalog import Catalog
from designer.errors import Cancelled, DesignerError
from designer.graph.arrays import Graph
from designer.graph.building.edited import Base, up_to_date
from designer.graph.failures import failed_name
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End, Link
from designer.routing.given import BY_ROUTING, IDEAL_HASH, LEAST_LOADED, SPLIT, TIER_OFFSET
from designer.routing.network import network
from designer.routing.policies import policy_named
from designer.simulation import catalogue
from designer.simulation.advice import receivers, widening, wiring
from designer.simulation.advice.remedy import Advice, Remedy, Trial
from designer.simulation.designs import simulate_on
from designer.simulation.failures.survivors import with_failures
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.units import format_counted, format_ratio, some_of

Progress = Callable[[float], None]
NewError = Callable[[Design, Design], str]
"""An error that rules find in the second design and not in the first; "" where they find none."""

BUDGET_S = 10.0
"""Nothing is begun later than this."""
QUEUE_PAIRS = 4
"""Per connection, where a run has fewer."""
MOST_REPAIRS = 6
"""Failures whose repair is tried one by one."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a run was of: `healthy` is the graph of the design without failures."""

    design: Design
    scenario: Scenario
    failed: frozenset[str]
    healthy: Graph
    result: Result
    catalog: Catalog
    new_error: NewError
    """What an edit must not do: rules are of a room that this one does not know."""


def remedies(now: Situation) -> list[Remedy]:
    """What may help, what is soonest tried first. None where no flow has to wait for the fabric is left out.

    Where latency is most of the time, other algorithms come first: they take other numbers of steps.
    """
    algorithms, is_latency_bound = list(_algorithms(now)), now.result.is_latency_bound
    found = [
        *(algorithms if is_latency_bound else ()),
        *_repairs(now),
        *_orders(now),
        *_receivers(now),
        *_settings(now),
        *_routings(now, wide=False),
        *_edits(now),
        *(() if is_latency_bound else algorithms),
    ]
    return [*found, *_widths(now), *_routings(now, wide=True), *_ratios(now)]


def _repairs(now: Situation) -> Iterator[Remedy]:
    design, failed = now.design, sorted(now.failed)
    for one in failed[:MOST_REPAIRS]:
        yield Remedy("repair", f"{failed_name(design, one)} repaired", now.scenario, now.failed - {one})
    if len(failed) > 1:
        yield Remedy("repair", f"All {len(failed)} failures repaired", now.scenario, frozenset())


def _orders(now: Situation) -> Iterator[Remedy]:
    title = {word.name: word.title for word in catalogue.ORDERS}
    for order in ("design", "rail", "topology"):
        if order != now.scenario.order and now.scenario.collective is not None:
            text = f"Ranks {title[order]} instead of {title[now.scenario.order]}"
            yield Remedy("order", text, replace(now.scenario, order=order), now.failed)


def _receivers(now: Situation) -> Iterator[Remedy]:
    """An incast on all GPUs of a server instead of one of them."""
    scenario = now.scenario
    traffic = receivers.spread_traffic(scenario.traffic) if scenario.traffic is not None else None
    if traffic == scenario.traffic:
        return
    graph, run = _as_run(now.design, now.healthy, scenario, now.failed)
    server, n_gpus = receivers.receiving_gpus(graph, run)
    if n_gpus > 1:
        text = f"Incast spread over the {n_gpus} GPUs of {server} instead of one of them"
        yield Remedy("receivers", text, replace(scenario, traffic=traffic), now.failed)


def _routings(now: Situation, *, wide: bool) -> Iterator[Remedy]:
    rows = (row for row in catalogue.ROUTINGS if now.scenario.tables is not None or not row.takes_tables)
    title = {row.name: row.title for row in rows}
    own = now.scenario.routing
    for name, titled in title.items():
        if name != own and policy_named(name).wide == wide:
            text = f"{titled} instead of {title.get(own, own)}"
            yield Remedy("routing", text, replace(now.scenario, routing=name), now.failed)


def _settings(now: Situation) -> Iterator[Remedy]:
    """What the switches and hosts could be set to under the routing that is run."""
    scenario, settings = now.scenario, catalogue.routing_settings(now.scenario.routing)
    if "queue_pairs" in settings and scenario.queue_pairs < QUEUE_PAIRS:
        text = f"{QUEUE_PAIRS} queue pairs per connection instead of {scenario.queue_pairs}"
        yield Remedy("setting", text, replace(scenario, queue_pairs=QUEUE_PAIRS), now.failed)
    if "hash_seeds" in settings and scenario.hash_seeds != TIER_OFFSET and scenario.hash_function != IDEAL_HASH:
        text = "Each tier takes other bits of the hash"
        yield Remedy("setting", text, replace(scenario, hash_seeds=TIER_OFFSET), now.failed)
    if "port_choice" in settings and scenario.port_choice != LEAST_LOADED:
        text = "Least loaded port for each piece"
        yield Remedy("setting", text, replace(scenario, port_choice=LEAST_LOADED), now.failed)
    is_whole = scenario.planes not in (BY_ROUTING, SPLIT) or not policy_named(scenario.routing).in_parts
    if is_whole and scenario.planes != SPLIT and network(now.result.graph).ends.n_ways > 1:
        text = "Each message split evenly over the NICs of a GPU instead of over one of them"
        yield Remedy("setting", text, replace(scenario, planes=SPLIT), now.failed)


def _algorithms(now: Situation) -> Iterator[Remedy]:
    scenario, row = now.scenario, catalogue.collective(now.scenario.collective or "")
    title = {one.name: one.title for one in catalogue.algorithms()}
    for name in row.algorithms if row is not None else ():
        if name != scenario.algorithm_used and not scenario.in_network_reduction:
            text = f"{title[name]} instead of {title.get(scenario.algorithm_used, scenario.algorithm_used)}"
            yield Remedy("algorithm", text, replace(scenario, algorithm=name, dims=None, chunk_bytes=None), now.failed)


def _edits(now: Situation) -> Iterator[Remedy]:
    design, network = now.design, now.scenario.network
    pairs = wiring.uplink_pairs(design, network)
    if pairs:
        title = "One more link for each pair of a leaf switch and a switch above it"
        yield Remedy("uplinks", title, now.scenario, now.failed, partial(wiring.one_more_link, network=network))
    servers = wiring.slowest_servers(design, now.result)
    spare = wiring.spare_links(design, network, servers)
    if spare:
        make = partial(wiring.servers_cabled, network=network, servers=servers)
        yield Remedy("nics", _spare_title(design, spare), now.scenario, now.failed, make)
    moved = wiring.cooler_cable(design, now.result)
    if moved is not None:
        title, edit = moved
        yield Remedy("cable", title, now.scenario, now.failed, lambda _design: edit)


def _spare_title(design: Design, spare: list[Link]) -> str:
    """ "Cable gpu-07 port rail5 to leaf-su1-r5"; of several "Cable 8 free NIC ports of gpu-07 to leaf-su1-r1"."""
    whose, where = (_names(design, ends) for ends in ([one.a for one in spare], [one.b for one in spare]))
    if len(spare) == 1:
        whose = design.end_name(spare[0].a)
    else:
        whose = f"{format_counted(len(spare), 'free NIC port')} of {whose}"
    return f"Cable {whose} to {where}"


def _names(design: Design, ends: Iterable[End]) -> str:
    """ "gpu-01, gpu-02, gpu-03 and 4 more": the devices of the ends."""
    return some_of(list(dict.fromkeys(design.device(end.device_id).name for end in ends)))


def _ratios(now: Situation) -> Iterator[Remedy]:
    for group, ratio in wiring.oversubscribed(now.design):
        smaller = max(1.0, ratio / 2)
        make = partial(wiring.smaller_oversubscription, group_id=group.id, ratio=smaller, catalog=now.catalog)
        text = f"{group.name} at {format_ratio(smaller)} instead of {format_ratio(ratio)}"
        yield Remedy("oversubscription", text, now.scenario, now.failed, make)


def _widths(now: Situation) -> Iterator[Remedy]:
    for one in widening.wider(now.design, now.result, now.catalog):
        make = partial(wiring.generated_again, group_id=one.group.id, parameters=one.parameters, catalog=now.catalog)
        yield Remedy("width", one.title, now.scenario, now.failed, make)


def tried(now: Situation, remedy: Remedy, progress: Progress | None = None) -> Trial:
    """The remedy run, or the reason why it cannot be. `progress` may raise Cancelled."""
    try:
        edit = remedy.make_edit(now.design) if remedy.make_edit is not None else None
        design = _changed(now.design, edit)
        graph = now.healthy if edit is None else _graph_of(now, design, edit)
        graph, scenario = _as_run(design, graph, remedy.scenario, remedy.failed)
        trial = Trial(remedy, now.result, simulate_on(design, graph, scenario, progress), edit)
        error = now.new_error(now.design, design) if edit is not None and trial.helps else ""
        return Trial(remedy, now.result, refused=f"it would cause an error: {error}") if error else trial
    except Cancelled:
        raise
    except DesignerError as error:
        return Trial(remedy, now.result, refused=str(error))


def _as_run(design: Design, graph: Graph, scenario: Scenario, failed: frozenset[str]) -> tuple[Graph, Scenario]:
    """The graph and the scenario without what has failed."""
    if not failed:
        return graph, scenario
    graph, scenario, _ = with_failures(design, failed, scenario, graph)
    return graph, scenario


def _changed(design: Design, edit: Edit | None) -> Design:
    if edit is None:
        return design
    changed = design.snapshot()
    changed.apply(edit)
    return changed


def _graph_of(now: Situation, design: Design, edit: Edit) -> Graph:
    base = None
    if edit.kinds <= {Link}:
        links = {change.subject.id: now.design.links.get(change.subject.id) for change in edit.changes}
        base = Base(now.healthy, now.scenario.network, links)
    return up_to_date(base, design, now.scenario.network)


def advise(
    now: Situation,
    progress: Progress | None = None,
    budget_s: float = BUDGET_S,
    clock: Callable[[], float] = time.monotonic,
) -> Advice:
    """All that may help, tried in turn; nothing is begun after the budget. `progress` may raise Cancelled."""
    report = progress if progress is not None else _ignore
    began, every = clock(), remedies(now)
    trials: list[Trial] = []
    for number, remedy in enumerate(every):
        if trials and clock() - began > budget_s:
            return Advice(now.result, tuple(trials), tuple(every[number:]))
        trials.append(tried(now, remedy, partial(_report_part, report, number, len(every))))
    return Advice(now.result, tuple(trials))


def _report_part(report: Progress, number: int, parts: int, share: float) -> None:
    report((number + share) / parts)


def _ignore(_share: float) -> None:
    pass

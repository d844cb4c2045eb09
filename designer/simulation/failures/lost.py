"""What is lost when something fails, and is back when it is repaired: NICs, links between switches, ranks."""

from collections.abc import Sequence

import numpy as np

from designer.graph.arrays import Graph
from designer.graph.endpoints import allocations_of_ranks
from designer.graph.failures import broken, failed_name
from designer.model.design import Design
from designer.model.entities import End
from designer.model.removing import Deletable, in_words
from designer.simulation.explain.compare_runs import AS_LONG
from designer.simulation.result import Result
from designer.simulation.traffic.texts import ranks_text
from designer.units import format_change, format_count, format_counted, format_time, format_times, some_of


def lost_note(design: Design, lost: Sequence[int], n_ranks: int) -> str:
    """ "8 of 1,016 ranks are cut off: 264-271 (gpu-034)"; the GPUs are numbered as in the whole design."""
    are = "is" if len(lost) == 1 else "are"
    servers = list(dict.fromkeys(design.device(one.device_id).name for one in allocations_of_ranks(design, lost)))
    runs = (ranks_text(lost) if len(lost) > 1 else str(lost[0])).split(", ")
    names = f"{some_of(runs)} ({some_of(servers)})"
    return f"{format_count(len(lost))} of {format_count(n_ranks)} ranks {are} cut off: {names}"


def failure_words(design: Design, was: frozenset[str], now: frozenset[str], before: Result, after: Result) -> str:
    """ "leaf-su2-r3 failed: 32 NICs without a link, 7.062 → 12.51 ms (+77 %)."

    `was` is what was marked as failed in the run before, `now` what is in the run after.
    """
    failed, repaired = sorted(now - was), sorted(was - now)
    named = [f"{_named(design, ids)} {verb}" for ids, verb in ((failed, "failed"), (repaired, "repaired")) if ids]
    parts = [
        *_changed(design, now, before.graph, after.graph, is_back=False),
        *_changed(design, was, after.graph, before.graph, is_back=True),
    ]
    if after.ranks != before.ranks:
        count = f"{format_counted(abs(before.ranks - after.ranks), 'rank')}"
        parts.append(f"{count} {'fewer' if after.ranks < before.ranks else 'more'}")
        parts.append(f"{format_times(before.time_s, after.time_s)} with {format_count(after.ranks)} ranks")
    else:
        parts.append(_times(before.time_s, after.time_s))
    return f"{' and '.join(named)}: {', '.join(parts)}."


def _times(was_s: float, now_s: float) -> str:
    if was_s <= 0 or abs(now_s / was_s - 1) < AS_LONG:
        return f"still {format_time(now_s)}"
    change = now_s / was_s - 1
    return f"{format_times(was_s, now_s)} ({format_change(change, 0 if abs(change) >= 0.095 else 1)})"


def _changed(design: Design, failed: frozenset[str], whole: Graph, less: Graph, *, is_back: bool) -> list[str]:
    """How many NICs of servers that stand have no link in `less` and had one in `whole`; likewise between switches."""
    there = _links(less)
    missing = [design.links[one] for one in _links(whole) - there if one in design.links]
    dead = broken(design, failed).devices
    slots = set[tuple[str, str]]()
    between = 0
    for link in missing:
        ends = [end for end in (link.a, link.b) if design.is_server(end.device_id)]
        between += not ends
        for end in ends:
            port = design.port_map(end.device_id).get(end.port)
            if end.device_id not in dead and port is not None:
                slots.add((end.device_id, port.slot or port.name))
    bare = sum(_is_bare(design, there, *slot) for slot in slots)
    thinner = len(slots) - bare
    less_links, links = ("with more links", "back") if is_back else ("with fewer links", "lost")
    words = [
        f"{format_counted(bare, 'NIC')} {'linked again' if is_back else 'without a link'}" if bare else "",
        f"{format_counted(thinner, 'NIC')} {less_links}" if thinner else "",
        f"{format_counted(between, 'link')} between switches {links}" if between else "",
    ]
    return [one for one in words if one]


def _is_bare(design: Design, linked: set[str], device_id: str, slot: str) -> bool:
    ports = [port.name for port in design.ports(device_id) if slot in (port.slot, port.name)]
    return not any(link in linked for port in ports for link in design.links_at(End(device_id, port)))


def _links(graph: Graph) -> set[str]:
    return {graph.link_ids[link] for link in np.unique(graph.link[graph.link >= 0]).tolist()}


def _named(design: Design, ids: Sequence[str]) -> str:
    """ "leaf-su2-r3", "Link leaf-1 1 to spine-2 3", "3 links"."""
    tables = (design.devices, design.links, design.modules)
    found: list[Deletable] = [table[one] for one in ids for table in tables if one in table]
    return failed_name(design, ids[0]) if len(ids) == 1 else in_words(found)

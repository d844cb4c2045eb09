"""Time and memory at the sizes that a release has to keep: edits to heat, flows to their last end, adaptive routing.

    python tests/benchmarks/scale.py [NAME...]

Each row is a process of its own, its kernels loaded and its design built before: seconds by the wall clock and of
processor time, the most memory that the process held, and the limits.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from designer.catalog.catalog import load  # noqa: E402
from designer.graph.arrays import Graph  # noqa: E402
from designer.graph.building.build import build  # noqa: E402
from designer.graph.building.edited import Base  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.model.removing import delete  # noqa: E402
from designer.routing import destination  # noqa: E402
from designer.routing.network import network  # noqa: E402
from designer.session import engine  # noqa: E402
from designer.simulation.engine import simulate  # noqa: E402
from designer.simulation.flows import fluid  # noqa: E402
from designer.simulation.phase_results import MERGED  # noqa: E402
from designer.simulation.scenario import Scenario  # noqa: E402
from designer.topologies import dragonfly, k_ary_fat_tree, pgft, rail_optimized  # noqa: E402
from designer.units import BYTES_PER_S_PER_GBPS  # noqa: E402
from designer.warm_up import warm_up  # noqa: E402

MEMORY_LIMIT_MB = 4096

Timed = Callable[[], object]


class Case(NamedTuple):
    """What is timed: `made` prepares it."""

    limit_s: float
    made: Callable[[], Timed]


def design_of(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, load()))
    return design


def fat_tree() -> Design:
    """65,536 hosts under a three-tier k-ary fat-tree of 64-port switches."""
    return design_of(k_ary_fat_tree, k_ary_fat_tree.KAryFatTreeParameters(64))


def rails() -> Design:
    """8,192 servers of 8 GPUs, rail-optimized, three tiers."""
    return design_of(rail_optimized, rail_optimized.RailOptimizedParameters(servers=8192, tiers="3"))


def edit_to_heat(drawn: Callable[[], Design], scenario: Scenario) -> Timed:
    """As Live: a run, then a link between switches is deleted, and the next run begins."""
    design = drawn()
    before = engine.run_scenario(design, scenario, frozenset(), None, None, lambda _share: None)
    link = next(link for link in reversed(design.links.values()) if not any(map(design.is_server, ends_of(link))))
    edit = delete(design, [link.id])
    design.apply(edit)
    base = Base(before.healthy, scenario.network, {link.id: link})
    return lambda: engine.run_scenario(design, scenario, frozenset(), base, before.result, lambda _share: None)


def ends_of(link) -> tuple[str, str]:
    return link.a.device_id, link.b.device_id


def random_flows(n_flows: int) -> Timed:
    """Flows of random sizes between random hosts of 16,384 on single paths, to the last end.

    Exactly, or of a million as runs do unless they are to be exact: on average over short windows of time.
    """
    graph = build(design_of(pgft, pgft.PgftParameters((32, 16, 32), (1, 32, 16))))
    random = np.random.default_rng(1)
    src, dst = random.integers(0, graph.n_endpoints, (2, n_flows))
    src, dst = src[src != dst], dst[src != dst]
    size_bytes = random.lognormal(18.0, 1.5, len(src))
    paths = destination.route(network(graph), src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 0)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    tolerance = fluid.EXACT if n_flows <= fluid.MOST_EXACT else MERGED
    return lambda: fluid.run(paths.start, paths.arcs, paths.weights, capacity, size_bytes, tolerance=tolerance)


def permutation(routing: str) -> Timed:
    """Every host of a dragonfly of 16,512 to another."""
    graph: Graph = build(design_of(dragonfly, dragonfly.DragonflyParameters(8, 16, 8)))
    return lambda: simulate(graph, Scenario(traffic="permutation:1", routing=routing))


RING, EXCHANGE = Scenario(collective="all-reduce"), Scenario(collective="all-to-all")
CASES = {
    "ring-fat-tree": Case(2.0, lambda: edit_to_heat(fat_tree, RING)),
    "ring-rails": Case(2.0, lambda: edit_to_heat(rails, RING)),
    "all-to-all-fat-tree": Case(4.0, lambda: edit_to_heat(fat_tree, EXCHANGE)),
    "all-to-all-rails": Case(4.0, lambda: edit_to_heat(rails, EXCHANGE)),
    "flows-100000": Case(5.0, lambda: random_flows(100_000)),
    "flows-1000000": Case(90.0, lambda: random_flows(1_000_000)),
    "adaptive-permutation": Case(1.0, lambda: permutation("adaptive")),
}


def measure(name: str) -> None:
    """Prints the row of a case."""
    case = CASES[name]
    warm_up()
    timed = case.made()
    used, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    timed()
    wall_s, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    processor_s = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    print(
        f"{name:<22} {wall_s:7.2f} s (limit {case.limit_s:g} s)  processor {processor_s:7.2f} s  "
        f"memory {after.ru_maxrss / 1024:6,.0f} MB (limit {MEMORY_LIMIT_MB:,} MB)",
        flush=True,
    )


def main() -> int:
    if len(sys.argv) == 3 and sys.argv[1] == "--measure":
        measure(sys.argv[2])
        return 0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return max(
        subprocess.run([sys.executable, __file__, "--measure", name], env=environment, check=False).returncode
        for name in sys.argv[1:] or CASES
    )


if __name__ == "__main__":
    sys.exit(main())

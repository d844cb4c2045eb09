"""How long it takes to fail every link of the 4 SU SuperPOD in turn, under an all-reduce and under an all-to-all.

    python tests/benchmarks/failure_sweep.py [KIND [ROUTING]]

Compiles first, so that what is measured is the sweep; processes it starts are counted in.
"""

import resource
import sys
import time
from pathlib import Path

from designer.graph.building.build import build
from designer.simulation.engine import simulate
from designer.simulation.failures import sweep as failures
from designer.simulation.scenario import Scenario
from designer.storage import document

EXAMPLE = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"
LIMIT_S = 30.0


def cpu_s() -> float:
    """Of this process and of those it waited for."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def main(kind: str = "link", routing: str = "spray") -> None:
    design = document.load(EXAMPLE)
    scenarios = [Scenario(collective=name, routing=routing) for name in ("all-reduce", "all-to-all")]
    for scenario in scenarios:
        simulate(build(design), scenario)
    whole_s = 0.0
    for scenario in scenarios:
        began_s, used_s = time.perf_counter(), cpu_s()
        sweep = failures.single(design, scenario, kind)
        took_s = time.perf_counter() - began_s
        whole_s += took_s
        print(
            f"{scenario.title:24} {len(sweep.outcomes):6,} {kind} failures  {took_s:6.2f} s  "
            f"({cpu_s() - used_s:6.2f} s of processors), worst {sweep.slowdown_at(1.0):.3f}x"
        )
    print(f"{'together':24} {whole_s:.2f} s, limit {LIMIT_S:g} s")


if __name__ == "__main__":
    main(*sys.argv[1:3])

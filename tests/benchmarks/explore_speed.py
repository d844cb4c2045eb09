"""How long a search of 500 candidates and more for 2,048 H100 GPUs takes on the processors of this machine.

    python tests/benchmarks/explore_speed.py [SPEC [WORKERS]]

Limits are lifted, so that every candidate that can be built is built; then the search is judged again with its limits
from what was kept. Compiles first, so that what is measured is the search; processes it starts are counted in.
"""

import os
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from designer.exploring.request import Limits
from designer.exploring.search import explore
from designer.exploring.spec_text import read_search
from designer.workers.store import Store
from designer.workers.where import HERE, Where

SPEC = Path(__file__).parents[2] / "examples" / "explore-2048-h100.yaml"
LIMIT_S, LEAST = 600.0, 500


def cpu_s() -> float:
    """Of this process and of those it waited for."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def main(spec: str = str(SPEC), workers: str = "2") -> None:
    search = read_search(Path(spec))
    free = replace(search, limits=Limits())
    few = replace(free, gpus=(64, 64), choices=tuple(replace(one, optics=one.optics[:1]) for one in free.choices[:1]))
    explore(few, HERE)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "kept.sqlite") as store:
        began_s, used_s = time.perf_counter(), cpu_s()
        found = explore(free, Where(workers=int(workers)), store)
        took_s = time.perf_counter() - began_s
        print(found.summary)
        print(
            f"{found.n_built:,} candidates built in {took_s:.0f} s ({cpu_s() - used_s:.0f} s of processors, {workers} "
            f"processes, load {os.getloadavg()[0]:.1f}); limit {LIMIT_S:g} s for {LEAST}"
        )
        judged = explore(search, HERE, store)
        print(f"with its limits, from what was kept: {judged.summary} ({judged.wall_s:.1f} s, {judged.n_built} built)")
        unpriced = Counter(name for one in found.outcomes if one.figures for name, _ in one.figures.money.unpriced)
        print(f"parts without a price: {dict(unpriced) or 'none'}")
        for note in judged.all_notes:
            print(note)


if __name__ == "__main__":
    main(*sys.argv[1:3])

"""The same flows through SimGrid and through the program, in one run: answers and times side by side.

Run with: python tests/benchmarks/against_simgrid.py [CASE ...]
SimGrid is taken from the Python that SIMGRID_PYTHON names, from this one, or from the system's. SimGrid 4.1 builds with
`PIP_CONSTRAINT=FILE pip install simgrid`, where FILE says `pybind11<3`, and Boost's headers; Debian's python3-simgrid
(3.32) knows no model of pure max-min shares and takes many times longer for the same answer.
The peer's time is that of its simulation alone, without loading the platform; ours is `simulate` on a graph that
nothing was derived from yet, so routing is counted, the median of several with the kernels compiled. All-to-all on
2,048 hosts takes the peer about a minute and 9 GB.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from designer.catalog.catalog import load
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing import dimension_order
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import pgft, torus
from designer.warm_up import warm_up

HERE = Path(__file__).parent
OURS_RUNS = 7
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="c" prefix="host-" suffix="" radical="0-{last}" speed="1Gf" bw="50GBps" lat="0us"
             sharing_policy="SPLITDUPLEX" topology="{topology}" topo_parameters="{parameters}"/>
  </zone>
</platform>
"""


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    topology: str
    parameters: str
    n_hosts: int
    pattern: str
    size_bytes: float

    @property
    def routing(self) -> str:
        return "dimension-order" if self.topology == "TORUS" else "destination"


CASES = (
    Case("tree-512", "FAT_TREE", "2;16,32;1,16;1,1", 512, "all-to-all", 1e6),
    Case("tree-1024", "FAT_TREE", "2;32,32;1,32;1,1", 1024, "all-to-all", 1e6),
    Case("tree-2048", "FAT_TREE", "2;32,64;1,32;1,1", 2048, "all-to-all", 1e6),
    Case("torus-16x16", "TORUS", "16,16", 256, "all-to-all", 1e6),
)


def graph_of(case: Case) -> Graph:
    design = Design()
    if case.topology == "TORUS":
        dims = tuple(int(size) for size in case.parameters.split(","))
        design.apply(torus.build(design, torus.TorusParameters(dims), load()))
        return build(design)
    _, children, parents, parallel = case.parameters.split(";")
    rows = [tuple(int(number) for number in row.split(",")) for row in (children, parents, parallel)]
    design.apply(pgft.build(design, pgft.PgftParameters(rows[0], rows[1], rows[2], link_rate_gbps=400), load()))
    return build(design)


def ours(case: Case) -> tuple[float, float]:
    """(makespan in s, median wall time in s) of runs that each begin with a graph without derived tables."""
    graph = graph_of(case)
    scenario = Scenario(traffic=case.pattern, size_bytes=case.size_bytes, routing=case.routing, efficiency=1.0)
    walls_s, makespan_s = [], 0.0
    for _ in range(OURS_RUNS):
        graph.derived.clear()
        if case.topology == "TORUS":  # ties as the peer breaks them
            graph.derived["dimension-order"] = dimension_order.prepared(network(graph), half_goes_minus=True)
        began = time.perf_counter()
        makespan_s = simulate(graph, scenario).time_s
        walls_s.append(time.perf_counter() - began)
    return makespan_s, statistics.median(walls_s)


def with_its_library(python: str) -> dict[str, str]:
    """The environment in which that Python finds SimGrid's shared library, which its package puts beside the module."""
    where = "import sysconfig; print(sysconfig.get_path('platlib'))"
    folder = subprocess.run([python, "-c", where], capture_output=True, text=True, check=False).stdout.strip()
    return {**os.environ, "LD_LIBRARY_PATH": folder, "PYTHONPATH": ""}


def python_with_simgrid() -> str:
    for python in (os.environ.get("SIMGRID_PYTHON", ""), sys.executable, "/usr/bin/python3"):
        if Path(python).is_file():
            tried = [python, "-c", "import simgrid"]
            found = subprocess.run(tried, capture_output=True, env=with_its_library(python), check=False)
            if found.returncode == 0:
                return python
    raise SystemExit("SimGrid is not installed: see the first lines of this file")


def peers(case: Case, python: str) -> dict[str, float]:
    text = PLATFORM.format(last=case.n_hosts - 1, topology=case.topology, parameters=case.parameters)
    with tempfile.TemporaryDirectory() as folder:
        platform = Path(folder, "platform.xml")
        platform.write_text(text, encoding="utf-8")
        script, size = str(HERE / "simgrid_run.py"), str(case.size_bytes)
        command = [python, script, platform, str(case.n_hosts), case.pattern, size]
        done = subprocess.run(command, capture_output=True, text=True, env=with_its_library(python), check=False)
    if done.returncode != 0:
        raise SystemExit(f"SimGrid failed on {case.name}: {done.stderr[-500:]}")
    reported: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return reported


def main() -> None:
    python = python_with_simgrid()
    wanted = sys.argv[1:] or [case.name for case in CASES]
    warm_up()
    print(f"{'case':12} {'flows':>10} {'SimGrid s':>10} {'MiB':>6} {'ours ms':>8} {'times':>7} {'answers':>22}")
    for case in CASES:
        if case.name not in wanted:
            continue
        makespan_s, wall_s = ours(case)
        reported = peers(case, python)
        same = "the same" if abs(makespan_s / reported["makespan_s"] - 1) < 1e-6 else "DIFFER"
        print(
            f"{case.name:12} {reported['flows']:10,.0f} {reported['wall_s']:10.1f} {reported['peak_mib']:6,.0f} "
            f"{1e3 * wall_s:8.1f} {reported['wall_s'] / wall_s:7,.0f} {reported['makespan_s']:12.6g} s {same}",
            flush=True,
        )


if __name__ == "__main__":
    main()

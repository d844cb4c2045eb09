"""The program against exact fractions on random files: loads, rates and times of flows under three policies.

Of `ecmp` and `destination` the program's choice of path is read, checked to be a shortest one between NICs that may
carry the flow, and everything else is computed from the paths independently.
"""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import random_files
from brute_force import Answer, Arc, Fabric, Row, Unreachable, answer
from random_files import Case

from designer.cli.main import run
from designer.graph.arrays import CROSSBAR, GPU, Graph
from designer.graph.building.build import build
from designer.routing.network import network
from designer.routing.policies import POLICIES
from designer.storage.document import decode

ROUTINGS = ("spray", "destination", "ecmp")
BATCH, BATCHES, QUICK = 50, 4, 3
SAME = 1e-9


@pytest.mark.parametrize(
    "batch", [pytest.param(n, marks=[pytest.mark.slow] if n >= QUICK else []) for n in range(BATCHES)]
)
def test_the_program_agrees_with_exact_fractions(batch, tmp_path, capsys):
    refused = compared = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        case = random_files.case(seed)
        fabric = Fabric(case.text, case.gone)
        reachable = [flow for flow in case.flows if reaches(fabric, flow)]
        if len(reachable) < len(case.flows):
            code, _, stated = simulated(case, case.flows, "spray", tmp_path, capsys)
            assert code == 2 and "cannot reach" in stated, f"seed {seed}: {stated}"
            refused += 1
        for routing in ROUTINGS if reachable else ():
            code, out, stated = simulated(case, reachable, routing, tmp_path, capsys)
            assert code == 0, f"seed {seed}, {routing}: {stated}"
            rows = rows_of(fabric, case, reachable, routing, seed)
            expected = answer(rows, fabric.capacity, [size for _, _, size in reachable])
            compare(fabric, expected, json.loads(out), f"seed {seed}, {routing}")
            compared += 1
    assert compared > 2 * BATCH and refused


def reaches(fabric: Fabric, flow: tuple[int, int, int]) -> bool:
    try:
        fabric.sprayed(fabric.gpus[flow[0]], fabric.gpus[flow[1]])
    except Unreachable:
        return False
    return True


def simulated(case: Case, flows, routing: str, folder: Path, capsys) -> tuple[int, str, str]:
    """(exit code, stdout, stderr) of the command."""
    design, pairs = folder / "random.fabric", folder / "pairs.csv"
    design.write_text(case.text)
    pairs.write_text("".join(f"{src},{dst},{size}\n" for src, dst, size in flows))
    failed = [argument for name in case.failed for argument in ("--fail", name)]
    code = run(
        [
            "simulate",
            str(design),
            "--traffic",
            f"pairs:{pairs}",
            "--size",
            "1",
            "--routing",
            routing,
            "--efficiency",
            "1",
            "--latency",
            "none",
            "--exact",
            "--links",
            "all",
            "--format",
            "json",
            *failed,
        ]
    )
    return code, *capsys.readouterr()


def rows_of(fabric: Fabric, case: Case, flows, routing: str, seed: int) -> list[Row]:
    """The arcs of each flow: computed for spray, else those of the program's path, which is checked."""
    if routing == "spray":
        return [fabric.sprayed(fabric.gpus[src], fabric.gpus[dst]) for src, dst, _ in flows]
    graph = build(decode(case.text.encode()), failed=frozenset(case.failed))
    src, dst, size_bytes = (np.array(column) for column in zip(*flows, strict=True))
    paths = POLICIES[routing].route(network(graph), src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 0)
    assert (paths.weights == 1).all()
    rows = []
    for flow in range(len(flows)):
        arcs = paths.arcs[paths.start[flow] : paths.start[flow + 1]].tolist()
        path = [named for arc in arcs if (named := name_of(graph, arc)) is not None]
        ends = fabric.gpus[src[flow]], fabric.gpus[dst[flow]]
        assert fabric.is_allowed(*ends, path), f"seed {seed}, {routing}: {ends} by {path}"
        rows.append(dict.fromkeys(path, Fraction(1)))
    return rows


def name_of(graph: Graph, arc: int) -> Arc | None:
    """As the brute force names arcs; None between a GPU and its NIC."""
    if graph.link[arc] >= 0:
        return graph.link_ids[graph.link[arc]], arc & 1
    ends = int(graph.source[arc]), int(graph.target[arc])
    a, b = ((graph.device_ids[graph.device[vertex]], int(graph.local[vertex])) for vertex in ends)
    kinds = graph.kind[list(ends)].tolist()
    names: dict[tuple[int, int], Arc] = {
        (GPU, CROSSBAR): ("to", a),
        (CROSSBAR, GPU): ("from", b),
        (GPU, GPU): ("direct", a, b),
    }
    return names.get((kinds[0], kinds[1]))


WHO_SENDS = frozenset(("inside_servers", "receiver", "senders"))
"""Who sends in a pattern is tested by itself."""


def compare(fabric: Fabric, expected: Answer, found: dict, where: str) -> None:
    time_s = max(expected.finish_s)
    limited = [rate * 8 / 10**9 for rate in expected.first_rate if rate is not None]
    figures = {"count": len(expected.finish_s)}
    figures |= {"first_finish_s": min(expected.finish_s), "mean_finish_s": mean(expected.finish_s)}
    if limited:
        figures |= {"rate_min_gbps": min(limited), "rate_mean_gbps": mean(limited), "rate_max_gbps": max(limited)}
    assert found["time_s"] == close(time_s), where
    stated = {name: value for name, value in found["flows"].items() if name not in WHO_SENDS}
    assert stated == {"rate_min_gbps": None, "rate_mean_gbps": None, "rate_max_gbps": None} | {
        name: close(value) for name, value in figures.items()
    }, where
    names = {device["id"]: device["name"] for device in fabric.devices}
    by_name = {(names[a[0]], a[1], names[b[0]], b[1]): arc for arc, (a, b) in fabric.ends.items()}
    assert len(found["links"]) == len(by_name), where
    for link in found["links"]:
        arc = by_name[link["from"], link["from_port"], link["to"], link["to_port"]]
        moved, room = expected.bytes_on[arc], fabric.capacity[arc] * time_s
        assert is_close(link["bytes"], moved), (where, link)
        assert is_close(link["utilization_peak"], expected.peak[arc]), (where, link)
        assert is_close(link["utilization_mean"], moved / room if room else 0), (where, link)


def close(value: Fraction | int):
    return pytest.approx(float(value), rel=SAME, abs=1e-12)


def is_close(found: float, value: Fraction | int) -> bool:
    """As `close` says, of the very many figures of links, in a tenth of the time."""
    return math.isclose(found, float(value), rel_tol=SAME, abs_tol=1e-12)


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)

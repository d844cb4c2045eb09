"""Whatever is dead or unlinked among a GPU's NICs, traffic runs or is refused in a sentence; no link is over-full."""

import random

import numpy as np
import pytest

from designer.errors import DesignerError
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.simulation import catalogue
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

GPUS, SERVERS, RING = 3, 3, 3
SCALE_UPS = {"crossbar": ScaleUp("X", 450.0), "pairs": ScaleUp("Y", 450.0, None, 75.0), "none": None}


def rings(seed: int) -> tuple[Design, frozenset[str]]:
    """(servers on one or more planes, each a ring of switches, so that all routing policies work; failures).

    Some NICs are not linked; of one GPU in some designs none is, and of one all fail.
    """
    draw = random.Random(seed)
    n_nics, scale_up = draw.randint(2, 4), draw.choice(("crossbar", "crossbar", "crossbar", "pairs", "none"))
    n_planes = draw.randint(1, n_nics)
    slots = tuple(Slot(f"g{gpu}n{nic}", gpu=gpu) for gpu in range(GPUS) for nic in range(n_nics))
    switches = [[f"p{plane}r{place}" for place in range(RING)] for plane in range(n_planes)]
    used = dict.fromkeys((id_ for plane in switches for id_ in plane), 2)
    links = [
        (End(plane[place], "1"), End(plane[(place + 1) % RING], "2")) for plane in switches for place in range(RING)
    ]
    unlinked, failing = (draw.sample([(s, g) for s in range(SERVERS) for g in range(GPUS)], 2) for _ in range(2))
    failed, modules = set(), []
    for server in range(SERVERS):
        for gpu in range(GPUS):
            for nic in range(n_nics):
                end = End(f"t{server}", f"g{gpu}n{nic}")
                modules.append(Module(f"m{len(modules)}", end.device_id, end.port, f"nic{draw.choice((100, 400))}"))
                if draw.random() < 0.1 or ((server, gpu) == unlinked[0] and seed % 3 == 0):
                    continue
                switch = switches[nic % n_planes][(server + gpu * (seed % 2)) % RING]
                used[switch] += 1
                links.append((end, End(switch, str(used[switch]))))
                if draw.random() < 0.1 or ((server, gpu) == failing[0] and seed % 3 == 1):
                    failed.add(f"server {server}:{end.port}")
    if seed % 5 == 4:
        failed |= {f"server 1:{slot.name}" for slot in slots if any(a == End("t1", slot.name) for a, _ in links)}
    design = from_entities(
        [
            NicType("nic100", "", "", (), 1, 100.0),
            NicType("nic400", "", "", (), 1, 400.0),
            SwitchType("sw", "", "", (), (CageGroup(64, ""),), (PortMode("", 1, 400.0),)),
            ServerType("box", "", "", GPUS, slots=slots, scale_up=SCALE_UPS[scale_up]),
            *(Device(id_, id_, "sw") for id_ in used),
            *(Device(f"t{server}", f"server {server}", "box") for server in range(SERVERS)),
            *modules,
            *(Link(f"l{number}", a, b) for number, (a, b) in enumerate(links)),
        ]
    )
    return design, frozenset(failed)


@pytest.fixture(scope="module")
def graphs() -> list[Graph]:
    return [build(design, failed=failed) for design, failed in map(rings, range(10))]


TRAFFIC = [
    *(
        {"collective": row.name, "algorithm": algorithm}
        for row in catalogue.COLLECTIVES
        for algorithm in row.algorithms
    ),
    *({"collective": "all-reduce", "algorithm": name, "in_network_reduction": True} for name in catalogue.IN_NETWORK),
    *({"traffic": row.traffic(GPUS * SERVERS)} for row in catalogue.PATTERNS if row.name != "pairs"),
    {"collective": "all-reduce", "algorithm": "bucket", "ranks": (0, 3, 6)},
    {"traffic": "all-to-all+incast:4"},
    {"traffic": "permutation:1", "congestion": catalogue.CONGESTIONS[-1].name},
]


@pytest.mark.parametrize("routing", [row.name for row in catalogue.routings_alone()])
def test_all_traffic_runs_or_is_refused_and_fills_no_link_beyond_its_capacity(graphs, routing):
    runs = 0
    for number, graph in enumerate(graphs):
        for asked in TRAFFIC:
            scenario = Scenario(**asked, routing=routing, size_bytes=1e8, failed=tuple(sorted(graph.failed)))
            try:
                result = simulate(graph, scenario)
            except DesignerError:
                continue
            runs += 1
            where = f"design {number}, {asked}"
            assert np.isfinite(result.time_s) and result.time_s > 0, where
            assert result.utilization_peak.max() <= 1 + 1e-9, where
            assert (result.utilization_mean <= result.utilization_peak + 1e-9).all(), where
    assert runs > len(graphs) * len(TRAFFIC) / 2

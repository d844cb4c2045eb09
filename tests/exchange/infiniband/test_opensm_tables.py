"""What OpenSM routes on the SuperPOD of 1,016 adapters, followed by us and by a second reader."""

import re
import shlex
import shutil

import numpy as np
import pytest
from fabric_tools import simulated
from lft_walk import walked

from designer.catalog.catalog import load
from designer.cli import main as cli
from designer.exchange.importers import guess_importer
from designer.exchange.infiniband.opensm import read_tables
from designer.exchange.infiniband.subnet import subnet
from designer.exchange.reading.building import propose
from designer.graph.arrays import NIC, SWITCH
from designer.graph.building.build import build
from designer.model.design import Design
from designer.paths import guide_dir
from designer.routing.policies import policy_named
from designer.simulation.engine import simulate
from designer.simulation.prepared import prepared
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.topologies import rail_optimized

pytestmark = pytest.mark.slow
ENGINES = ("ftree", "updn", "dfsssp")
DUMMY = -1


def tree(servers, **more):
    made = Design()
    wanted = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": servers, "servers_per_su": 32, **more}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), load()))
    return made


@pytest.fixture(scope="module")
def superpod():
    """48 switches and 1,016 adapters."""
    return tree(127, reserve_leaf_ports=4)


@pytest.fixture(scope="module")
def graph(superpod):
    return build(superpod)


@pytest.fixture(scope="module")
def dumps(superpod, tmp_path_factory):
    """What OpenSM dumped, by routing engine: tables as text, and for ftree the order of its adapters."""
    found = {}
    for engine in ENGINES:
        folder = tmp_path_factory.mktemp("opensm") / engine
        with simulated(superpod, folder, f"{superpod.servers()[0].name} mlx5_0") as running:
            log = running.managed(engine)
            printed = running.run("dump_fts") if engine == "updn" else ""
        assert f"{engine} tables configured on all switches" in log
        found[engine] = folder
        (folder / "dump_fts.txt").write_text(printed)
    yield found
    for folder in found.values():
        shutil.rmtree(folder)


def by_tables(dumps, engine, **asked):
    return Scenario(size_bytes=1e6, routing="tables", tables=read_tables(dumps[engine]), **asked)


def by_names(graph):
    return {f"{graph.device_name(gpu)} mlx5_{graph.local[gpu]}": gpu for gpu in range(graph.n_endpoints)}


def test_what_ibnetdiscover_finds_is_imported_as_an_equal_design(superpod, tmp_path):
    with simulated(superpod, tmp_path / "sim", "gpu-001 mlx5_0") as running:
        (tmp_path / "found.txt").write_text(running.run("ibnetdiscover"))
    importer, made = guess_importer(tmp_path / "found.txt"), Design()
    assert importer.name == "ibnetdiscover"
    types = {"gpu-*": "dgx-h100", "leaf-*": "nvidia-qm9700", "spine-*": "nvidia-qm9700"}
    proposal = propose(importer.found(tmp_path / "found.txt"), made, load(), types)
    made.apply(proposal.edit)
    assert not proposal.unread
    assert ends_by_name(made) == ends_by_name(superpod)
    assert sorted((one.name, one.type_id) for one in made.devices.values()) == sorted(
        (one.name, one.type_id) for one in superpod.devices.values()
    )


def ends_by_name(design):
    """The ports that are joined."""
    names = {one.id: one.name for one in design.devices.values()}
    return {frozenset((names[end.device_id], end.port) for end in (one.a, one.b)) for one in design.links.values()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("distance", [8, 264, 500])
def test_loads_are_those_of_a_walk_by_a_second_reader(superpod, graph, dumps, engine, distance):
    result = simulate(graph, by_tables(dumps, engine, traffic=f"shift:{distance}"))
    names, n = list(by_names(graph)), graph.n_endpoints
    pairs = [(a, (a + distance) % n) for a in range(n)]
    text = (dumps[engine] / "opensm-lfts.dump").read_text()
    away = [(names[a], names[b]) for a, b in pairs if graph.device[a] != graph.device[b]]
    expected, found = walked(text, subnet(superpod), away), {}
    for arc in np.flatnonzero((graph.link >= 0) & (result.bytes > 0)).tolist():
        device = graph.device[graph.source[arc]]
        number = graph.infiniband_ports[graph.device_ids[device]][graph.port_order[arc]]
        is_nic = graph.kind[graph.source[arc]] == NIC
        name = graph.device_names[device]
        found[(f"{name} mlx5_{number - 1}", 1) if is_nic else (name, number)] = round(result.bytes[arc] / 1e6)
    assert found == expected


def test_what_dump_fts_asks_of_the_switches_is_what_opensm_wrote(graph, dumps):
    scenario = by_tables(dumps, "updn", traffic="shift:264")
    asked = Scenario(
        size_bytes=1e6,
        routing="tables",
        tables=read_tables(dumps["updn"] / "dump_fts.txt"),
        traffic="shift:264",
    )
    assert np.array_equal(simulate(graph, scenario).bytes, simulate(graph, asked).bytes)


def test_the_commands_of_the_guide_run_on_these_dumps(dumps, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for engine, folder in dumps.items():
        (tmp_path / engine).symlink_to(folder)
    guide = (guide_dir() / "opensm.md").read_text(encoding="utf-8")
    commands = re.findall(r"^ +fabric-designer (.+)$", guide, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        assert cli.run(shlex.split(command)) == 0, command
    said = capsys.readouterr().out
    assert "tables of ftree/opensm-lfts.dump" in said and "tables of dfsssp/opensm-lfts.dump" in said


def order_of_ftree(dumps, graph):
    """GPUs in the order that ftree routes for; DUMMY in the places of adapters that are missing from full leafs."""
    lines = (dumps["ftree"] / "opensm-ftree-ca-order.dump").read_text().splitlines()
    known = by_names(graph)
    return np.array([known.get(re.split(r"\t", line)[-1].strip(), DUMMY) for line in lines])


def most_on_a_link(graph, net, routing, order, distance):
    """Flows of the shift on the fullest link between switches."""
    far = np.roll(order, -distance)
    sent = (order != DUMMY) & (far != DUMMY)
    src, dst = order[sent], far[sent]
    paths = policy_named(routing).route(net, src, dst, np.ones(len(src)), np.zeros(len(src), dtype=np.int64), 0)
    between = (graph.kind[graph.source] == SWITCH) & (graph.kind[graph.target] == SWITCH)
    return int(paths.bytes_on[between].max())


def test_ftree_carries_every_shift_without_contention_and_other_engines_do_not(graph, dumps):
    order = order_of_ftree(dumps, graph)
    assert (len(order), np.count_nonzero(order == DUMMY)) == (1024, 8)
    contended = {}
    for engine in ENGINES:
        net = prepared(graph, by_tables(dumps, engine, traffic="shift:1"))
        most = [most_on_a_link(graph, net, "tables", order, distance) for distance in range(1, 1024)]
        contended[engine] = sum(one > 1 for one in most)
        assert max(most) == (1 if engine == "ftree" else 2)
    print(f"shifts with contention, of 1,023: {contended}")
    assert contended["ftree"] == 0
    assert contended["updn"] > 800 and contended["dfsssp"] > 800


def test_ours_carries_every_shift_of_a_full_tree_without_contention(tmp_path):
    """As ftree does, whose order of adapters is then that of ranks by topology."""
    design = tree(128)
    graph = build(design)
    folder = tmp_path / "full"
    with simulated(design, folder, f"{design.servers()[0].name} mlx5_0") as running:
        running.managed("ftree")
    given = Scenario(traffic="shift:1", order="topology", routing="tables", tables=read_tables(folder))
    ours = Scenario(traffic="shift:1", order="topology", routing="destination")
    for scenario in (given, ours):
        net = prepared(graph, scenario)
        order = participants(net, scenario)
        assert {most_on_a_link(graph, net, scenario.routing, order, distance) for distance in range(1, 1024)} <= {0, 1}

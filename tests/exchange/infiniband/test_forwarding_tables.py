"""Forwarding tables of a subnet manager: read, matched to the drawing by name, and followed to the last link."""

import itertools
import json
import random
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lft_walk import dump, walked

from designer.catalog.catalog import load
from designer.cli import main as cli
from designer.errors import DesignerError, FileFormatError, GraphError, ParameterError
from designer.exchange.exporters import BUILT_IN
from designer.exchange.infiniband.opensm import read_tables
from designer.exchange.infiniband.routings import routing_fields
from designer.exchange.infiniband.subnet import subnet
from designer.graph.arrays import NIC, SWITCH
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.simulation import catalogue, scenario_text
from designer.simulation.advice import advise
from designer.simulation.engine import plan_of, simulate
from designer.simulation.explain.flows_on_link import arc_of, flows_on_link
from designer.simulation.jobs.interference import simulate_jobs
from designer.simulation.jobs.job import Job
from designer.simulation.paths.between import paths_between
from designer.simulation.paths.place import place_named
from designer.simulation.prepared import prepared
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.storage.document import save
from designer.topologies import rail_optimized
from designer.validation.judging import new_error

CATALOG = load()


def tree(**more):
    made = Design()
    wanted = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 16, "servers_per_su": 8, **more}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), CATALOG))
    return made


@pytest.fixture(scope="module")
def pod():
    return tree()


@pytest.fixture(scope="module")
def graph(pod):
    return build(pod)


@pytest.fixture(scope="module")
def text(pod):
    return dump(pod)


def tables_of(text, tmp_path, name="opensm-lfts.dump"):
    path = tmp_path / name
    path.write_text(text)
    return read_tables(path)


@pytest.fixture(scope="module")
def tables(text, tmp_path_factory):
    return tables_of(text, tmp_path_factory.mktemp("dump"))


def by_tables(tables, **asked):
    return Scenario(**{"size_bytes": 1e6, **asked}, routing="tables", tables=tables)


def adapters(graph):
    """By rank the name of its adapter."""
    names = [f"{graph.device_name(gpu)} mlx5_{graph.local[gpu]}" for gpu in range(graph.n_endpoints)]
    assert len(set(names)) == graph.n_endpoints
    return names


def on_ports(graph, result, unit):
    """How many flows leave by each port (node's name, number), as the result has it, of links on the fabric."""
    found = Counter()
    for arc in np.flatnonzero((graph.link >= 0) & (result.bytes > 0)).tolist():
        name, numbers = graph.device_name(graph.source[arc]), graph.infiniband_ports
        number = numbers[graph.device_ids[graph.device[graph.source[arc]]]][graph.port_order[arc]]
        key = (f"{name} mlx5_{number - 1}", 1) if graph.kind[graph.source[arc]] == NIC else (name, number)
        found[key] += round(result.bytes[arc] / unit)
    return found


def apart(graph, pairs):
    """Those pairs of ranks that are not in one server."""
    return [(a, b) for a, b in pairs if graph.device[a] != graph.device[b]]


@pytest.mark.parametrize("layout", ["opensm", "dump_fts"])
def test_a_dump_gives_the_port_of_every_switch_and_lid(pod, tmp_path, layout):
    tables = tables_of(dump(pod, layout=layout), tmp_path)
    made = subnet(pod)
    assert list(tables.switches) == [node.name for node in made.nodes if node.is_switch]
    assert [owner.node for owner in tables.owners] == [node.name for node in made.nodes]
    assert {len(row) for row in tables.ports} == {len(made.nodes)}
    assert tables.lids == tuple(range(1, len(made.nodes) + 1))
    assert (
        tables.summary == f"{tmp_path.name}/opensm-lfts.dump: {len(tables.switches)} switches, {len(made.nodes)} LIDs"
    )
    leaf = next(node for node in made.nodes if node.is_switch)
    row = tables.ports[tables.switches.index(leaf.name)]
    assert all(row[wire.peer] == wire.port for wire in leaf.wires if not made.nodes[wire.peer].is_switch)


@pytest.mark.parametrize("traffic", ["shift:1", "shift:13", "permutation:7", "all-to-all"])
def test_loads_are_those_of_a_walk_by_a_second_reader(pod, graph, text, tables, traffic):
    result = simulate(graph, by_tables(tables, traffic=traffic))
    names, n = adapters(graph), graph.n_endpoints
    if traffic == "all-to-all":
        pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    elif traffic.startswith("shift"):
        pairs = [(a, (a + int(traffic[6:])) % n) for a in range(n)]
    else:
        pairs = permutation(graph, tables, traffic)
    expected = walked(text, subnet(pod), [(names[a], names[b]) for a, b in apart(graph, pairs)])
    assert on_ports(graph, result, 1e6) == expected


def permutation(graph, tables, traffic):
    """The pairs that the pattern draws."""
    scenario = by_tables(tables, traffic=traffic)
    net = prepared(graph, scenario)
    sent = plan_of(net, scenario, participants(net, scenario)).phases[0].traffic
    return list(zip(sent.src.tolist(), sent.dst.tolist(), strict=True))


def test_an_all_to_all_of_many_is_counted_as_if_each_flow_were_followed(graph, tables, monkeypatch):
    scenario = by_tables(tables, collective="all-to-all", size_bytes=128e6)
    followed = simulate(graph, scenario)
    monkeypatch.setattr("designer.simulation.phase_results.MOST_FOLLOWED", 0)
    counted = simulate(graph, scenario)
    assert np.allclose(counted.bytes, followed.bytes, rtol=1e-9)
    assert counted.time_s == pytest.approx(followed.time_s, rel=1e-6)


def test_ways_that_are_not_the_shortest_are_followed(pod, graph, tmp_path):
    made = subnet(pod)
    leaf, other = (node.name for node in made.nodes if node.name in ("leaf-su1-r1", "leaf-su1-r2"))
    # Up from leaf 1 to spine 1, down to leaf 2, up to spine 2, and down to where it is meant for.
    spines = sorted(node.name for node in made.nodes if node.name.startswith("spine"))
    wires = {
        (node.name, made.nodes[wire.peer].name): wire.port
        for node in made.nodes
        if node.is_switch
        for wire in node.wires
    }
    goal = "gpu-16 mlx5_0"
    detour = {leaf: spines[0], spines[0]: other, other: spines[1]}
    lines, table = dump(pod).split("\n"), ""
    for number, line in enumerate(lines):
        if line.startswith("Unicast"):
            table = line.split("'")[1]
        elif table in detour and line.endswith(f"'{goal}'"):
            lines[number] = line[:7] + f"{wires[table, detour[table]]:03d}" + line[10:]
    tables = tables_of("\n".join(lines), tmp_path)
    scenario = by_tables(tables, traffic="shift:120")  # gpu-01 GPU 0 to gpu-16 GPU 0
    result = simulate(graph, scenario)
    names = adapters(graph)
    pairs = apart(graph, [(a, (a + 120) % 128) for a in range(128)])
    expected = walked("\n".join(lines), made, [(names[a], names[b]) for a, b in pairs])
    assert on_ports(graph, result, 1e6) == expected
    place = [place_named(pod, name) for name in ("gpu-01:gpu0", "gpu-16:gpu0")]
    paths = paths_between(pod, graph, scenario, tuple(place), result)
    assert len(paths.paths) == 1 and len(paths.links) == 6


def test_what_crosses_a_link_is_listed_with_the_flows_that_its_table_sends_there(pod, graph, tables):
    scenario = by_tables(tables, collective="all-to-all", size_bytes=128e6)
    result = simulate(graph, scenario)
    between = (graph.kind[graph.source] == SWITCH) & (graph.kind[graph.target] == SWITCH)
    arc = int(np.flatnonzero(between & (result.bytes > 0))[5])
    found = flows_on_link(result, scenario, arc_of(graph, graph.link_ids[graph.link[arc]], back=bool(arc & 1)))
    assert found.flows * 1e6 == pytest.approx(result.bytes[arc])
    assert "tables" in found.routing


def test_jobs_share_the_tables(graph, tables):
    first = by_tables(tables, traffic="shift:8", ranks=64)
    jobs = [Job("one", first), Job("other", replace(first, ranks=tuple(range(64, 128))))]
    assert len(simulate_jobs(graph, jobs).jobs) == 2
    own = replace(first, tables=replace(tables), ranks=tuple(range(64, 128)))
    with pytest.raises(ParameterError, match="differ in tables, which is the same for all jobs"):
        simulate_jobs(graph, [jobs[0], Job("other", own)])


def test_advice_tries_the_tables_only_where_they_are_loaded(pod, graph, tables):
    plain = Scenario(traffic="shift:8", size_bytes=1e6, routing="ecmp")
    for scenario, there in ((plain, False), (replace(plain, tables=tables), True)):
        result = simulate(graph, scenario)
        now = advise.Situation(pod, scenario, frozenset(), graph, result, CATALOG, new_error)
        tried = {one.scenario.routing for one in advise.remedies(now)}
        assert ("tables" in tried) == there and "spray" in tried


# -- names ----------------------------------------------------------------------------------------------------------


def same_loads(graph, tables, other):
    asked = {"traffic": "shift:13"}
    return np.array_equal(
        simulate(graph, by_tables(tables, **asked)).bytes, simulate(graph, by_tables(other, **asked)).bytes
    )


def test_managed_switches_and_older_adapters_are_known_by_their_names(graph, text, tables, tmp_path):
    managed = re.sub(r"'((?:leaf|spine)[^']*)'", r"'MF0;\1:MQM9700/U1'", text)
    older = re.sub(r"mlx5_(\d)", lambda found: f"HCA-{int(found[1]) + 1}", managed)
    assert "MF0;spine-01:MQM9700/U1" in older and "gpu-01 HCA-8" in older
    assert same_loads(graph, tables, tables_of(older, tmp_path))


def test_an_adapter_with_several_ports_has_a_lid_for_each(graph, text, tables, tmp_path):
    double = re.sub(r"mlx5_(\d)'", lambda found: f"mlx5_{int(found[1]) // 2}'", text)
    assert "mlx5_4" not in double
    assert same_loads(graph, tables, tables_of(double, tmp_path))


def test_of_several_lids_of_a_port_the_lowest_is_used(graph, text, tables, tmp_path):
    """As with LMC: here the second one leads everything to the first port."""
    more = re.sub(r"0x(\w{4}) \d{3} (# Channel.*)", lambda f: f"{f[0]}\n0x{int(f[1], 16) + 4096:04x} 001 {f[2]}", text)
    found = tables_of(more, tmp_path)
    assert len(found.lids) > len(tables.lids)
    assert same_loads(graph, tables, found)


def test_a_name_that_begins_like_a_table_begins_none(graph, text, tables, tmp_path):
    named = text.replace(": 'spine-02'", ": 'Unicast lids ['")
    found = tables_of(named, tmp_path)
    assert found.switches == tables.switches and "Unicast lids [" in {one.node for one in found.owners}


def test_two_switches_of_one_name_are_refused(graph, text, tmp_path):
    twice = text.replace("('leaf-su1-r2')", "('leaf-su1-r1')")
    with pytest.raises(GraphError, match=r"^two switches are called leaf-su1-r1 in opensm-lfts.dump: give switches"):
        simulate(graph, by_tables(tables_of(twice, tmp_path), traffic="shift:1"))


def test_tables_of_another_fabric_are_refused_with_names_of_both(graph, text, tmp_path):
    other = re.sub("leaf|spine", "sw", text)
    with pytest.raises(GraphError, match=r"no switch in .* is called like .*\(sw-su1-r1 there, gpu-01 here\)"):
        simulate(graph, by_tables(tables_of(other, tmp_path), traffic="shift:1"))


# -- what does not fit ----------------------------------------------------------------------------------------------

LID = r"LID \d+ \(gpu-\d+ mlx5_\d\)"


def refused(graph, text, tmp_path, **asked):
    with pytest.raises(GraphError) as caught:
        simulate(graph, by_tables(tables_of(text, tmp_path), **{"traffic": "shift:8", **asked}))
    return str(caught.value)


def without(design, *links):
    made = design.snapshot()
    made.apply(Edit("remove", tuple(Change(link, None) for link in links)))
    return made


def uplink(design, leaf="leaf-su1-r1"):
    device = next(one for one in design.switches() if one.name == leaf)
    links = design.links_of(device.id)
    return next(link for link in links if not any(design.is_server(end.device_id) for end in (link.a, link.b)))


@pytest.mark.parametrize("traffic", ["shift:64", "all-to-all"])
def test_a_link_that_is_down_is_named_with_switch_port_and_lid(pod, text, tmp_path, traffic, monkeypatch):
    monkeypatch.setattr("designer.simulation.phase_results.MOST_FOLLOWED", 0)
    link = uplink(pod)
    said = refused(build(pod, failed=frozenset([link.id])), text, tmp_path, traffic=traffic)
    assert re.fullmatch(
        rf"opensm-lfts.dump sends {LID} out of leaf-su1-r1 port \d+, but the link there is down: run OpenSM again on "
        r"the fabric without it",
        said,
    )
    said = refused(build(without(pod, link)), text, tmp_path, traffic=traffic)
    assert re.search(
        r"out of leaf-su1-r1 port \d+, but no link is drawn there: run OpenSM again on the fabric as", said
    )


def test_a_link_that_is_down_and_not_used_is_a_note(pod, text, tables):
    link = uplink(pod)
    graph = build(pod, failed=frozenset([link.id]))
    result = simulate(graph, by_tables(tables, traffic="shift:1", ranks=8, failed=(link.id,)))
    assert [note for note in result.model.notes if "entries lead to ports without a link that is up" in note]
    assert not simulate(build(pod), by_tables(tables, traffic="shift:1")).model.notes


def test_a_missing_entry_names_switch_and_lid(graph, text, tmp_path):
    first, _, rest = text.partition("\n\n")
    cut = re.sub(r"\n0x\w+ \d+ # Channel Adapter[^\n]*'gpu-02 mlx5_0'", "", first)
    assert re.fullmatch(
        r"opensm-lfts.dump has no entry at leaf-su1-r1 for LID \d+ \(gpu-02 mlx5_0\): run OpenSM again .*",
        refused(graph, f"{cut}\n\n{rest}", tmp_path),
    )
    itself = re.sub(r"(\n0x\w+) \d+ (# Channel Adapter[^\n]*'gpu-02 mlx5_0')", r"\1 000 \2", first)
    assert "no entry at leaf-su1-r1" in refused(graph, f"{itself}\n\n{rest}", tmp_path)


def test_a_missing_table_names_the_switch(graph, text, tmp_path):
    kept = [part for part in text.split("\n\n") if "('spine-01')" not in part]
    said = refused(graph, "\n\n".join(kept), tmp_path, traffic="shift:64")
    assert re.match(rf"opensm-lfts.dump has no table of spine-01, where traffic to {LID} arrives: run OpenSM", said)


def test_an_adapter_without_a_lid_is_named(graph, text, tmp_path):
    said = refused(graph, re.sub(r"\n0x[^\n]*'gpu-02 mlx5_0'", "", text), tmp_path)
    assert re.fullmatch(r"opensm-lfts.dump has no LID for gpu-02 port \S+.*: run OpenSM on the fabric as drawn", said)


def test_a_port_on_which_another_adapter_is_drawn_is_named(graph, text, tmp_path):
    first, _, rest = text.partition("\n\n")
    port = re.search(r"\n0x\w+ (\d+) # [^\n]*'gpu-03 mlx5_0'", first)[1]
    wrong = re.sub(r"(\n0x\w+) \d+ (# [^\n]*'gpu-02 mlx5_0')", rf"\1 {port} \2", first)
    said = refused(graph, f"{wrong}\n\n{rest}", tmp_path)
    assert re.match(
        rf"opensm-lfts.dump sends LID \d+ \(gpu-02 mlx5_0\) out of leaf-su1-r1 port {int(port)}, where gpu-03 port",
        said,
    )


def test_a_circle_is_named(graph, pod, text, tmp_path):
    """A spine that sends down to where it comes from, from where it goes up again."""
    made = subnet(pod)
    up = {(node.name, made.nodes[wire.peer].name): wire.port for node in made.nodes for wire in node.wires}
    parts = text.split("\n\n")
    for at, part in enumerate(parts):
        name = part.split("'")[1]
        if name in ("leaf-su1-r1", "spine-01"):
            onward = up["leaf-su1-r1", "spine-01"] if name != "spine-01" else up["spine-01", "leaf-su1-r1"]
            parts[at] = re.sub(r"(\n0x\w+) \d+ (# [^\n]*'gpu-16 mlx5_0')", rf"\1 {onward:03d} \2", part)
    said = refused(graph, "\n\n".join(parts), tmp_path, traffic="shift:120")
    assert re.match(
        r"opensm-lfts.dump sends LID \d+ \(gpu-16 mlx5_0\) round in a circle, past (leaf-su1-r1|spine-01)", said
    )


# -- scenarios and commands -----------------------------------------------------------------------------------------


def test_a_scenario_needs_the_tables_and_no_file_of_ours_names_theirs(tables, tmp_path):
    with pytest.raises(ParameterError, match="write --routing tables:FILE"):
        Scenario(collective="all-reduce", routing="tables")
    assert catalogue.takes_tables("tables") and not catalogue.takes_tables("ecmp")
    scenario = by_tables(tables, collective="all-reduce")
    assert scenario.routing_text == f"tables of {tables.place}" and tables.place.endswith("/opensm-lfts.dump")
    assert scenario_text.written(scenario) == ()
    kept = scenario_text.written(replace(scenario, routing="ecmp"))
    assert kept and not any("dump" in part for pair in kept for part in pair)


def test_the_routing_is_read_as_it_is_typed(text, tmp_path):
    path = tmp_path / "opensm-lfts.dump"
    path.write_text(text)
    for typed in (path, tmp_path):
        fields = routing_fields(f"tables:{typed}")
        assert fields["routing"] == "tables" and fields["tables"].name == path.name
        assert fields["tables"].file == str(path)
    assert routing_fields("ecmp") == {"routing": "ecmp"}
    with pytest.raises(ParameterError, match=r"write tables:opensm-lfts.dump$"):
        routing_fields("tables")
    with pytest.raises(FileFormatError, match=r"nowhere.dump cannot be read: No such file"):
        routing_fields("tables:nowhere.dump")


@pytest.fixture(scope="module")
def saved(pod, text, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    save(pod, folder / "pod.fabric")
    (folder / "opensm-lfts.dump").write_text(text)
    return folder


@pytest.fixture
def run(capsys):
    def running(*arguments):
        code = cli.run([str(one) for one in arguments])
        said = capsys.readouterr()
        return code, said.out + said.err

    return running


def test_simulate_paths_and_export_take_a_dump(run, saved, graph, tables):
    design, typed = saved / "pod.fabric", f"tables:{saved / 'opensm-lfts.dump'}"
    code, said = run(
        "simulate", design, "--traffic", "shift:13", "--size", "1MB", "--routing", typed, "--format", "json"
    )
    assert code == 0
    assert json.loads(said)["time_s"] == pytest.approx(simulate(graph, by_tables(tables, traffic="shift:13")).time_s)
    code, said = run("paths", design, "gpu-01:gpu0", "gpu-16:gpu3", "--routing", typed)
    assert code == 0 and "1 flow, 1 path" in said
    code, said = run(
        "simulate", design, "--collective", "all-reduce", "--sizes", "1M:4M", "--routing", f"spray,{typed}"
    )
    assert code == 0 and "all-reduce, ring, tables of saved0/opensm-lfts.dump, on" in said and ", spray, on" in said
    picture = saved / "heat.svg"
    options = ["--option=heat=shift:13", "--option=routing=tables", f"--option=tables={saved / 'opensm-lfts.dump'}"]
    code, said = run("export", design, "--to", "svg", *options, "-o", picture)
    assert code == 0, said
    assert "tables of saved0/opensm-lfts.dump" in picture.read_text()


def test_a_command_that_is_given_no_dump_says_so_in_a_sentence(run, saved):
    for routing, sentence in (
        ("tables", "write tables:opensm-lfts.dump"),
        (f"tables:{saved / 'pod.fabric'}", "pod.fabric has no forwarding tables: choose opensm-lfts.dump"),
    ):
        code, said = run("simulate", saved / "pod.fabric", "--traffic", "shift:1", "--size", "1M", "--routing", routing)
        assert code != 0 and sentence in said and "Traceback" not in said


# -- garbage --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: "", "has no forwarding tables"),
        (lambda text: "\x00" * 1000, "has no forwarding tables"),
        (lambda text: text.replace(" guid 0x", " guid ", 1), "line 1: a table should begin with its switch and guid"),
        (lambda text: text.replace("0x0002 ", "0xc000 ", 1), "line 3: '0xc000 .*should be a LID and a port"),
        (lambda text: text.replace("0x0002 ", "0x0002 9", 1), "line 3: '0x0002 9.* should be a LID and a port"),
        (lambda text: text.replace("0x0002 ", "0x0002 x", 1), "line 3: '0x0002 x.* should be a LID and a port"),
        (lambda text: text + text, "comes twice"),
        (lambda text: re.sub(r"\n0x[^\n]*", "", text), "tables without entries"),
    ],
)
def test_a_dump_that_cannot_be_read_names_the_line(text, tmp_path, change, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        tables_of(change(text), tmp_path)


def test_too_many_entries_are_refused(text, tmp_path, monkeypatch):
    monkeypatch.setattr("designer.exchange.infiniband.opensm.MOST_ENTRIES", 100)
    with pytest.raises(FileFormatError, match="has more than 100 entries"):
        tables_of(text, tmp_path)


PIECES = (b"Unicast lids [", b"\n", b"0x", b"0x0001 255 ", b"guid 0x1 ('a'):\n", b"0xffffffffff 1\n", b"\xff\xfe", b"'")


@given(st.randoms(use_true_random=False))
def test_spoilt_dumps_are_read_or_refused_in_a_sentence(pod, graph, text, tmp_path_factory, rng: random.Random):
    raw = bytearray(text.encode())
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(raw))
        end = min(len(raw), at + rng.choice((0, 1, 10, 5000)))
        raw[at:end] = rng.choice(PIECES)
    path = tmp_path_factory.getbasetemp() / "spoilt.dump"
    path.write_bytes(raw)
    try:
        simulate(graph, by_tables(read_tables(path), traffic="shift:8"))
    except DesignerError as error:
        assert "\n" not in str(error) and len(str(error)) < 400


def test_the_exporter_numbers_ports_as_the_graph_does(pod, graph):
    made = subnet(pod)
    known = {pod.device(node.device_id).name for node in made.nodes}
    assert len(known) == len(graph.device_ids)
    assert "ibsim" in {one.name for one in BUILT_IN}
    for name, ports in itertools.islice(graph.infiniband_ports.items(), 3):
        assert max(ports) == sum(map(bool, ports)), name

"""ECMP by fields of packets, against the same hashes worked out bit by bit, and what switches that hash alike do."""

import binascii

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import ParameterError
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.routing import ecmp
from designer.routing.five_tuples import CRCS, folded, packed, source_ports
from designer.routing.given import CRC16, CRC32, HASH_FIELDS
from designer.routing.network import network
from designer.simulation import phase_results
from designer.simulation.engine import simulate
from designer.simulation.prepared import prepared
from designer.simulation.scenario import Scenario, fields_of, require_used

K = 4


@pytest.fixture(scope="module")
def graph(generate) -> Graph:
    """Sixteen hosts on three tiers: leaf switches and those above them have two uplinks each."""
    return build(generate("k-ary-fat-tree", k=K))


def divided(data: bytes, width: int, polynomial: int, begin: int) -> int:
    """The rest of a long division, the number to begin with over the first bits."""
    bits = (int.from_bytes(data) << width) ^ (begin << (8 * len(data)))
    for place in range(8 * len(data) - 1, -1, -1):
        if bits >> (place + width) & 1:
            bits ^= (1 << width | polynomial) << place
    return bits


@given(st.lists(st.binary(min_size=13, max_size=13), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_checks_are_the_rests_of_long_divisions_and_a_seed_changes_all_of_one_length_alike(rows, seed):
    data = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), 13)
    for crc in CRCS.values():
        begin = seed & (2**crc.width - 1)
        found = crc.of(data, begin)
        assert found.tolist() == [divided(row, crc.width, crc.polynomial, begin) for row in rows]
        seeds = np.array([seed], dtype=np.uint64)
        assert (found == crc.of(data) ^ crc.after_zeros(seeds, 13)).all()
    assert CRCS[CRC16].of(data, 7).tolist() == [binascii.crc_hqx(row, 7) for row in rows]


def test_source_ports_are_those_of_linux_and_fields_stand_in_their_order():
    ports = source_ports(np.arange(1, 2**20, 997, dtype=np.uint64) * np.uint64(0x9E3779B9))
    for drawn, port in zip(range(1, 2**20, 997), ports.tolist(), strict=True):
        number = drawn * 0x9E3779B9
        label = (number & 0xFFFFFF) * (number >> 24 & 0xFFFFFF)
        label ^= label >> 20
        label = (label ^ label >> 40) & 0xFFFFF
        assert port == (label & 0x3FFF ^ label >> 14 | 0xC000)
    values = {name: np.array([0x0A0B0C0D], dtype=np.uint64) for name in HASH_FIELDS}
    assert packed(values, ("protocol", "src-port", "src-ip")).tolist() == [[10, 11, 12, 13, 12, 13, 13]]
    assert folded(np.array([[1, 2, 4, 8, 16]], dtype=np.uint8)).tolist() == [(1 ^ 4 ^ 16) << 8 | 2 ^ 8]


def asked(**set_to) -> Scenario:
    return Scenario(traffic="all-to-all", routing="ecmp", size_bytes=1e6, latency=False, **set_to)


def routes(graph: Graph, scenario: Scenario) -> list[list[int]]:
    """The arcs of all flows between the first four hosts and the last four."""
    src, dst = (one.reshape(-1) for one in np.meshgrid(np.arange(4), np.arange(12, 16)))
    none = np.zeros(len(src), dtype=np.int64)
    paths = ecmp.route(prepared(graph, scenario), src, dst, np.ones(len(src)), none, scenario.seed)
    return [paths.arcs[a:b].tolist() for a, b in zip(paths.start[:-1], paths.start[1:], strict=True)]


def test_a_flow_takes_the_port_that_its_check_modulo_the_ports_says(graph):
    """Addresses alone, one seed, so that the whole way can be worked out here."""
    scenario = asked(hash_fields=("src-ip", "dst-ip"), hash_function=CRC32, hash_seeds="same")
    first = network(graph).switches.first
    out = {switch: np.flatnonzero(graph.source == switch).tolist() for switch in range(first, graph.n_vertices)}
    nics = sorted(set(graph.source[np.isin(graph.target, list(out))].tolist()) - set(out))
    for arcs in routes(graph, scenario):
        ends = [nics.index(vertex) for vertex in (int(graph.source[arcs[1]]), int(graph.target[arcs[-2]]))]
        data = b"".join((0x0A000001 + number).to_bytes(4) for number in ends)
        check = divided(data, 32, CRCS[CRC32].polynomial, 0)
        climbed = [arc for arc in arcs if int(graph.source[arc]) in out][:2]
        for arc in climbed:
            up = [
                one
                for one in out[int(graph.source[arc])]
                if graph.device_name(int(graph.target[one])) in above(arc, graph)
            ]
            assert arc == up[check % len(up)]


def above(arc: int, graph: Graph) -> set[str]:
    """Names of the switches on the tier that an arc leads to."""
    name = graph.device_name(int(graph.target[arc])).rstrip("0123456789")
    return {one for one in graph.device_names if one.rstrip("0123456789") == name}


def test_where_all_switches_hash_alike_the_second_tier_uses_one_uplink(graph):
    def uneven(**set_to) -> list[float]:
        worst = simulate(graph, asked(**set_to)).imbalance.worst
        return [row.measured for row in worst if row.switch.startswith("spine")]

    for function in ("ideal", CRC32, CRC16):
        assert uneven(hash_function=function, hash_seeds="same") == pytest.approx([2.0] * 8)
    # A seed turns the checks of all flows alike: what came from one leaf switch stays together.
    assert max(uneven(hash_function=CRC32)) == pytest.approx(2.0)
    assert np.mean(uneven(hash_function=CRC32, hash_seeds="tier-offset")) < 1.4
    assert np.mean(uneven(hash_fields=("src-port",))) < 1.4


def test_fields_that_are_always_the_same_part_no_flows_and_queue_pairs_need_the_source_port(graph):
    blind = simulate(graph, asked(hash_fields=("dst-port", "protocol"))).imbalance
    assert [row.measured for row in blind.worst] == pytest.approx([2.0] * len(blind.worst))
    addresses = {"hash_fields": ("src-ip", "dst-ip")}
    one, four = (simulate(graph, asked(**addresses, queue_pairs=count)) for count in (1, 4))
    assert four.bytes == pytest.approx(one.bytes)
    ports = [simulate(graph, asked(hash_fields=("src-port",), queue_pairs=count)) for count in (1, 8)]
    assert ports[1].imbalance.measured < ports[0].imbalance.measured


def test_the_seed_alone_decides_and_as_usual_nothing_changes(graph):
    crc = asked(hash_function=CRC32)
    assert routes(graph, crc) == routes(graph, crc) != routes(graph, asked(hash_function=CRC32, seed=1))
    assert routes(graph, asked()) != routes(graph, asked(hash_fields=("src-ip", "dst-ip")))
    assert prepared(graph, asked()).switching.hashes_ideally
    notes = simulate(graph, crc).model.notes
    assert any("10.0.0.1" in note for note in notes) and not simulate(graph, asked()).model.notes


def test_an_all_to_all_of_many_flows_is_hashed_as_it_is_set(graph, monkeypatch):
    crc = asked(hash_function=CRC32, hash_seeds="same")
    many = Scenario(collective="all-to-all", routing="ecmp", size_bytes=16e6, hash_function=CRC32, hash_seeds="same")
    followed = simulate(graph, crc)
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 0)
    assert simulate(graph, many).bytes == pytest.approx(followed.bytes)


def test_what_is_set_is_read_named_and_refused():
    field = fields_of(Scenario)["hash_fields"]
    assert field.read("dst-ip, SRC-IP") == ("src-ip", "dst-ip") and field.read("") == ()
    assert field.read(",".join(HASH_FIELDS)) == () and field.show(("src-ip",)) == "src-ip"
    with pytest.raises(ParameterError, match=r"^there is no field 'ttl' to hash; there is src-ip, "):
        field.read("ttl")
    with pytest.raises(ParameterError, match=r"^hash fields should be of src-ip"):
        asked(hash_fields=("ttl",))
    text = asked(hash_fields=("src-ip",), hash_seeds="same", queue_pairs=2).routing_text
    assert text == "ecmp (queue pairs 2, hash fields src-ip, hash seeds same)"
    require_used({"queue_pairs": 4, "port_choice": "random"}, ["spray", "ecmp"])
    with pytest.raises(ParameterError, match=r"^--hash-seeds means nothing to routing spray: it is for ecmp$"):
        require_used({"hash_seeds": "same"}, ["spray"])

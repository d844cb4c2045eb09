"""What InfiniBand tools write is read as a network: names, adapters, rates, and what is left out with a reason."""

import random
import re
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.exchange.exporters import BUILT_IN
from designer.exchange.importers import guess_importer
from designer.exchange.infiniband import reading, topo_reading
from designer.exchange.reading.building import propose
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, ImportFailure
from designer.model.design import Design
from designer.topologies import rail_optimized

CATALOG = load()
EXPORTER = {one.name: one for one in BUILT_IN}
TYPES = {"gpu-*": "dgx-h100", "leaf-*": "nvidia-qm9700", "spine-*": "nvidia-qm9700"}

DISCOVERED = """#
# Topology file: generated on Mon Nov 23 03:57:15 2026
#
# Initiated from node 0000000000100000 port 0000000000100001

vendid=0x2c9
devid=0xd2f2
sysimgguid=0x20001f
switchguid=0x20001f(20001f)
Switch\t65 "S-000000000020001f"\t\t# "MF0;leaf-01:MQM9700/U1" enhanced port 0 lid 153 lmc 0
[1]\t"H-0000000000100600"[1](100601) \t\t# "gpu-1 mlx5_0" lid 79 4xNDR
[2]\t"H-0000000000100700"[2](100702) \t\t# "gpu-2 mlx5_0" lid 80 2xNDR
[33][ext 33]\t"S-0000000000200020"[1]\t\t# "spine one" lid 5 4xXDR
[65]\t"H-0000000000aaaaaa"[1](aaaaaa) \t\t# "Mellanox Technologies Aggregation Node" lid 9 4xHDR

Switch\t65 "S-0000000000200020"\t\t# "spine one" base port 0 lid 5 lmc 0
[1]\t"S-000000000020001f"[33]\t\t# "MF0;leaf-01:MQM9700/U1" lid 153 4xXDR

Ca\t1 "H-0000000000aaaaaa"\t\t# "Mellanox Technologies Aggregation Node"
[1](aaaaaa) \t"S-000000000020001f"[65]\t\t# lid 9 lmc 0 "leaf" lid 153 4xHDR

caguid=0x100600
Ca\t1 "H-0000000000100600"\t\t# "gpu-1 mlx5_0"
[1](100601) \t"S-000000000020001f"[1]\t\t# lid 79 lmc 0 "leaf-01" lid 153 4xNDR

Ca\t2 "H-0000000000100700"\t\t# "gpu-2 mlx5_0"
[2](100702) \t"S-000000000020001f"[2]\t\t# lid 80 lmc 0 "leaf-01" lid 153 2xNDR
"""


def found_in(text, tmp_path, reader=reading, name="found.txt"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return reader.read(path)


def test_what_ibnetdiscover_prints_is_read_with_models_rates_and_guids(tmp_path):
    found = found_in(DISCOVERED, tmp_path)
    nodes = {one.name: one for one in found.nodes}
    assert {name: one.kind for name, one in nodes.items()} == {
        "leaf-01": SWITCH,
        "spine one": SWITCH,
        "gpu-1": HOST,
        "gpu-2": HOST,
    }
    assert (nodes["leaf-01"].model, nodes["leaf-01"].guid) == ("MQM9700", "000000000020001f")
    assert nodes["leaf-01"].spot.text == "found.txt, line 10"
    assert {(one.a, one.b): one.rate_gbps for one in found.links} == {
        (FoundEnd("leaf-01", "1"), FoundEnd("gpu-1", "mlx5_0")): 400.0,
        (FoundEnd("leaf-01", "2"), FoundEnd("gpu-2", "mlx5_0/P2")): 200.0,
        (FoundEnd("leaf-01", "33"), FoundEnd("spine one", "1")): 800.0,
    }
    assert [one.sentence for one in found.guesses] == [
        "1 aggregation node inside switches left out: no cable leads there"
    ]
    assert not found.unread


def test_rates_of_a_simulated_subnet_are_not_known(tmp_path):
    found = found_in(re.sub(r"\dx[NXH]DR", "4xSDR", DISCOVERED), tmp_path)
    assert {one.rate_gbps for one in found.links} == {None}
    assert any("rates are taken for unknown" in one.sentence for one in found.guesses)


def test_switches_of_one_name_stay_apart_by_their_guids(tmp_path):
    text = DISCOVERED.replace("spine one", "Quantum").replace("MF0;leaf-01:MQM9700/U1", "Quantum")
    found = found_in(text, tmp_path)
    assert {one.name for one in found.nodes if one.kind == SWITCH} == {"Quantum", "Quantum 0000000000200020"}
    assert any("names two switches" in one.sentence for one in found.guesses)
    assert len(found.links) == 3


def test_what_is_no_line_of_these_files_is_listed_with_its_line(tmp_path):
    found = found_in(DISCOVERED + "\nhello\n" + 'Switch 2 "S-0000000000200020"\n[1] "S-1"[1]\n', tmp_path)
    assert [(one.spot.row, one.sentence) for one in found.unread][:2] == [
        (29, "'hello' is neither a node nor a link of one"),
        (30, "S-0000000000200020 comes twice"),
    ]


def test_a_node_without_lines_of_its_own_is_there_by_its_id(tmp_path):
    found = found_in('Switch 4 "sw"\n[1] "H-12"[1]\n[2] "S-34"[7]\n', tmp_path)
    assert {one.name: one.kind for one in found.nodes} == {"sw": SWITCH, "H-12": HOST, "S-34": SWITCH}
    assert len(found.links) == 2


@pytest.mark.parametrize("text", ["", "nothing here\n", "\x00\x01", b"\xff\xfe\x00"])
def test_a_file_that_lists_nothing_is_refused(tmp_path, text):
    for reader in (reading, topo_reading):
        with pytest.raises(ImportFailure, match=r"^found.txt "):
            found_in(text, tmp_path, reader)


TOPO = """# by hand
MQM9700 leaf-1
\tP1 -4x-100G-> HCA_mlx5_3 gpu-1 mlx5_0/P1
\tP2 -> HCA_mlx5_3 gpu-1 mlx5_1/P2
\tP33 -4x-100G-> MQM9700 spine-1 P1

MQM9700 spine-1 CFG: main=x
   P1 -4x-100G-> MQM9700 leaf-1 P33
"""


def test_a_topology_of_ibdiagnet_is_read_with_its_types(tmp_path):
    found = found_in(TOPO, tmp_path, topo_reading, "a.topo")
    assert {one.name: (one.kind, one.model) for one in found.nodes} == {
        "leaf-1": (SWITCH, "MQM9700"),
        "spine-1": (SWITCH, "MQM9700"),
        "gpu-1": (HOST, ""),
    }
    assert {(one.a, one.b): one.rate_gbps for one in found.links} == {
        (FoundEnd("leaf-1", "1"), FoundEnd("gpu-1", "mlx5_0")): 400.0,
        (FoundEnd("leaf-1", "2"), FoundEnd("gpu-1", "mlx5_1/P2")): None,
        (FoundEnd("leaf-1", "33"), FoundEnd("spine-1", "1")): 400.0,
    }
    assert not found.unread
    strange = found_in("  P1 -> A b P1\n" + TOPO + "\tlost words\n", tmp_path, topo_reading)
    assert [one.sentence for one in strange.unread] == [
        "'P1 -> A b P1' is a link of no system",
        "'lost words' is neither a system nor a link of one",
    ]


# -- there and back -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pod():
    made = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        switch="nvidia-qm9700", server="dgx-h100", servers=16, servers_per_su=8
    )
    made.apply(rail_optimized.build(made, parameters, CATALOG))
    return made


def shape(design):
    """Devices with their types, and the ports that are joined."""
    names = {one.id: one.name for one in design.devices.values()}
    return {(one.name, one.type_id, one.role) for one in design.devices.values()}, {
        frozenset(((names[one.a.device_id], one.a.port), (names[one.b.device_id], one.b.port)))
        for one in design.links.values()
    }


@pytest.mark.parametrize(
    ("name", "suffix", "chosen"), [("ibsim", ".net", TYPES), ("topo", ".topo", {}), ("topo", ".zip", {})]
)
def test_what_is_exported_and_imported_again_is_an_equal_design(pod, tmp_path, name, suffix, chosen):
    path = tmp_path / f"pod{suffix}"
    EXPORTER[name].write(pod, path)
    importer = guess_importer(path)
    assert importer.name == name
    found = importer.found(path)
    assert not found.unread
    made = Design()
    proposal = propose(found, made, CATALOG, chosen)
    made.apply(proposal.edit)
    assert not proposal.unread
    assert shape(made) == shape(pod)


def test_the_format_of_a_file_is_known_by_its_content(tmp_path):
    for text, name, expected in (
        (DISCOVERED, "a.txt", "ibnetdiscover"),
        ('Switch 2 "a"\n[1] "b"[1]\n', "b.txt", "ibsim"),
        (TOPO, "c.topo", "topo"),
        ("a,b\n", "d.txt", "cable-list"),
    ):
        (tmp_path / name).write_text(text)
        assert guess_importer(tmp_path / name).name == expected


def test_an_archive_that_is_damaged_or_holds_no_topology_is_refused(tmp_path):
    path = tmp_path / "pod.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(ImportFailure, match="holds 0 topology files: choose an archive with one"):
        topo_reading.read(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.topo", TOPO * 50)
    path.write_bytes(path.read_bytes()[:60] + b"xxxx" + path.read_bytes()[64:])
    with pytest.raises(ImportFailure, match=r"pod.zip cannot be unpacked"):
        topo_reading.read(path)


def test_an_archive_that_grows_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(topo_reading, "MOST_BYTES", 1_000_000)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.topo", b"\n" * 30_000_000)
    with pytest.raises(ImportFailure, match="holds a topology larger than 1 MB"):
        topo_reading.read(path)


PIECES = (
    b'"',
    b"\n",
    b'Switch 9999999999 "x"\n',
    b"[1] ",
    b"\xff",
    b"-> A b P1",
    "\u202e".encode(),
    b"=cmd|' /C'!A0",
    b"#",
)


@given(st.randoms(use_true_random=False), st.sampled_from((reading, topo_reading)))
def test_spoilt_files_are_read_or_refused_in_a_sentence(tmp_path_factory, rng: random.Random, reader):
    raw = bytearray((DISCOVERED if reader is reading else TOPO).encode())
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(raw))
        raw[at : at + rng.choice((0, 1, 10, 200))] = rng.choice(PIECES)
    path = tmp_path_factory.getbasetemp() / "spoilt.txt"
    path.write_bytes(raw)
    try:
        found = reader.read(path)
    except ImportFailure as error:
        assert str(error).startswith("spoilt.txt") and "\n" not in str(error)
        return
    names = {one.name for one in found.nodes}
    assert len(names) == len(found.nodes)
    for link in found.links:
        assert {link.a.node, link.b.node} <= names and link.a != link.b
        assert "\u202e" not in link.a.node + link.b.node

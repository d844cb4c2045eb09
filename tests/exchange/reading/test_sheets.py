"""Point-to-point sheets of all kinds are read: ends, facts, guesses, and what was not understood by sheet and row."""

import openpyxl
import pytest

from designer.catalog.catalog import load
from designer.errors import Cancelled
from designer.exchange.exporters import BUILT_IN
from designer.exchange.reading import heard
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, ImportFailure
from designer.exchange.reading.sheets import read
from designer.model.design import Design
from designer.topologies import rail_optimized

CATALOG = load()
EXPORTER = {one.name: one for one in BUILT_IN}


def built(switch):
    made = Design()
    parameters = rail_optimized.RailOptimizedParameters(switch=switch, server="dgx-h100", servers=4, servers_per_su=2)
    made.apply(rail_optimized.build(made, parameters, CATALOG))
    return made


@pytest.fixture(scope="module")
def designs():
    return {"ethernet": built("nvidia-sn5600"), "infiniband": built("nvidia-qm9700")}


def text(folder, content, name="links.csv"):
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def ends_of(network):
    return {(one.a.node, one.a.port, one.b.node, one.b.port) for one in network.links}


@pytest.mark.parametrize(
    ("name", "suffix", "fabric"),
    [
        ("cable-plan", ".csv", "ethernet"),
        ("cable-plan-xlsx", ".xlsx", "ethernet"),
        ("p2p-ethernet", ".xlsx", "ethernet"),
        ("p2p-ethernet", ".csv", "ethernet"),
        ("p2p-infiniband", ".xlsx", "infiniband"),
        ("p2p-infiniband", ".csv", "infiniband"),
        ("cvt", ".xlsx", "ethernet"),
        ("cvt", ".xlsx", "infiniband"),
        ("avd", ".csv", "ethernet"),
        ("shcd", ".xlsx", "ethernet"),
        ("opa", ".csv", "infiniband"),
    ],
)
def test_each_sheet_that_is_written_is_read_with_all_its_links(designs, tmp_path, name, suffix, fabric):
    design = designs[fabric]
    path = tmp_path / f"plan{suffix}"
    EXPORTER[name].write(design, path)
    found = read(path)
    names = {one.id: one.name for one in design.devices.values()}
    assert len(found.links) == len(design.links)
    assert {one.name for one in found.nodes} == set(names.values())
    pairs = sorted(tuple(sorted((one.a.node, one.b.node))) for one in found.links)
    assert pairs == sorted(
        tuple(sorted((names[one.a.device_id], names[one.b.device_id]))) for one in design.links.values()
    )


def test_headings_in_german_say_the_same(designs, tmp_path):
    for number, language in enumerate(("keys", "en", "de")):
        EXPORTER["cable-plan"].write(designs["ethernet"], tmp_path / f"{number}.csv", {"headings": language})
    keys, english, german = (read(tmp_path / f"{number}.csv") for number in range(3))
    assert [(one.a, one.b, one.rate_gbps, one.length_m) for one in keys.links] == [
        (one.a, one.b, one.rate_gbps, one.length_m) for one in english.links
    ]
    assert ends_of(german) == ends_of(english)
    assert not english.unread and not german.unread


def test_a_row_for_each_cable_is_read_as_its_links(designs, tmp_path):
    EXPORTER["cable-plan"].write(designs["ethernet"], tmp_path / "links.csv")
    EXPORTER["cable-plan"].write(designs["ethernet"], tmp_path / "cables.csv", {"rows": "cables"})
    links, cables = read(tmp_path / "links.csv"), read(tmp_path / "cables.csv")
    uplinks = {one for one in ends_of(links) if "spine" in one[0] + one[2]}
    assert uplinks <= ends_of(cables)
    assert {one.rate_gbps for one in cables.links} == {400.0}


def test_facts_of_both_ends_and_of_the_cable_are_read(tmp_path):
    path = text(
        tmp_path,
        "A-Rack,A-U,A-Node Name,A-Type,A-Port,Z-Rack,Z-RU,Z-Node Name,Z-Type,Z-Port,Length (ft),Speed,Cable ID\n"
        "R1,u07,gpu-1,Host,rail5,R2,11,leaf-1,Switch,swp1s0,10,400G,C7\n",
    )
    found = read(path)
    gpu, leaf = found.nodes
    assert (gpu.kind, gpu.rack, gpu.unit) == (HOST, "R1", 7)
    assert (leaf.kind, leaf.rack, leaf.unit) == (SWITCH, "R2", 11)
    (link,) = found.links
    assert link.a == FoundEnd("gpu-1", "rail5") and link.b == FoundEnd("leaf-1", "swp1s0")
    assert (link.length_m, link.rate_gbps, link.cable) == (3.048, 400.0, "C7")
    assert link.spot.text == "links.csv, line 2"


def test_infiniband_headings_of_nvidia_go_by_position(tmp_path):
    path = text(
        tmp_path,
        "Rack,U,Name,HCA/Port,Rack,Name,Name,Port\n316,22,c-csi-0329s,1,R113,22,c-csi-mqm9700-0327,1/2\n",
    )
    found = read(path)
    assert [(one.name, one.rack, one.unit) for one in found.nodes] == [
        ("c-csi-0329s", "316", 22),
        ("c-csi-mqm9700-0327", "R113", 22),
    ]
    assert found.links[0].b.port == "1/2"


@pytest.mark.parametrize(
    "rows",
    [
        "leaf-1,swp1,gpu-1,eth0\nleaf-1,swp2,gpu-2,eth0\n",
        "R1,2,gpu-1,Host,rail1,R2,3,leaf-1,Switch,swp1\n",
    ],
)
def test_without_headings_columns_go_by_position_and_that_is_listed_as_a_guess(tmp_path, rows):
    found = read(text(tmp_path, rows))
    assert {one.name for one in found.nodes} >= {"leaf-1", "gpu-1"}
    assert "taken by position" in found.guesses[0].sentence


def test_what_is_not_understood_is_listed_by_row_and_column_with_what_it_probably_means(tmp_path):
    path = text(
        tmp_path,
        "A-Node;A-Port;A-Rak;Z-Node;Z-Port;Length;Speed\n"
        "leaf-1;1;R1;gpu-1;1;long;fast\nleaf-1;2;R1;gpu-2;;;\n;3;R1;gpu-3;1;;\nleaf-1;4;;leaf-1;4;;\n",
    )
    found = read(path)
    said = [(one.spot.text, one.sentence) for one in found.unread]
    assert ("links.csv, row 1, column A-Rak", "the column A-Rak is not read") in said
    assert ("links.csv, row 2, column Length", "long is not a length") in said
    assert ("links.csv, row 2, column Speed", "fast is not a rate") in said
    assert ("links.csv, row 3, column Z-Port", "there is no Z port") in said
    assert ("links.csv, line 5", "leaf-1 4 is linked to itself") in said
    assert any("row above" in one.sentence for one in found.guesses)
    assert len(found.links) == 2


def test_sheets_without_links_are_named_and_the_others_read(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active.append(["what", "who"])
    links = book.create_sheet("P2P")
    links.append(["A-Node", "A-Port", "Z-Node", "Z-Port"])
    links.append(["leaf-1", 1, "gpu-1", 2])
    book.save(tmp_path / "p2p.xlsx")
    found = read(tmp_path / "p2p.xlsx")
    assert ends_of(found) == {("leaf-1", "1", "gpu-1", "2")}
    assert found.links[0].spot.text == "p2p.xlsx, sheet P2P, row 2"
    assert "Notes" in found.guesses[0].sentence


def test_a_link_listed_from_both_ends_counts_once(tmp_path):
    found = read(text(tmp_path, "A-Node,A-Port,Z-Node,Z-Port\na,1,b,2\nb,2,a,1\n"))
    assert len(found.links) == 1
    assert found.guesses[0].sentence.startswith("1 row repeat")


def test_formulas_and_marks_of_direction_in_names_are_text(tmp_path):
    found = read(text(tmp_path, "A-Node,A-Port,Z-Node,Z-Port\n'=1+1,1,\u202egpu\u202c-1,'@x\n"))
    assert [one.name for one in found.nodes] == ["=1+1", "gpu -1"]
    assert found.links[0].b.port == "@x"


def test_a_list_of_something_else_is_refused_with_the_headings_that_are_expected(tmp_path):
    with pytest.raises(
        ImportFailure, match="name the columns A-Node, A-Port, Z-Node and Z-Port; its headings are what"
    ):
        read(text(tmp_path, "what,who\nx,y\n"))


def test_a_reader_reports_how_far_it_is_and_can_be_called_off(tmp_path):
    path = tmp_path / "long.csv"
    rows = "".join(f"a{n},1,b{n},2\n" for n in range(heard.EACH))
    path.write_text(f"A-Node,A-Port,Z-Node,Z-Port\n{rows}", encoding="utf-8")
    counts = []
    with heard.hearing(counts.append):
        network = read(path)
    assert counts == [heard.EACH * number for number in range(1, len(counts) + 1)] and counts
    assert read(path) == network and len(counts) == counts[-1] // heard.EACH

    def call_off(_count):
        raise Cancelled

    with heard.hearing(call_off), pytest.raises(Cancelled):
        read(path)

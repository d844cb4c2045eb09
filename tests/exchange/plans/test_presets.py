"""Cable plans as other tools read them: headings to the letter, ports as each tool calls them, nothing run or split."""

import csv
import io
import re
from dataclasses import replace

import openpyxl
import pytest

from designer.analysis.cable_numbers import number_cables
from designer.catalog.catalog import load
from designer.errors import ExportError
from designer.exchange.as_built.ports import PortNames
from designer.exchange.cable_plan import cable_rows
from designer.exchange.exporters import BUILT_IN, PRESETS
from designer.exchange.reading.port_fitting import fit_server
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.placement.preparation import prepare
from designer.topologies import fat_tree, rail_optimized

CATALOG = load()
NICS = ["nic1", "nic2", "nic3", "nic4"]
EXPORTER = {one.name: one for one in BUILT_IN}


def built(switch, server, **more):
    made = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        switch=switch, server=server, servers=4, servers_per_su=2, **more
    )
    made.apply(rail_optimized.build(made, parameters, CATALOG))
    made.apply(prepare(made, CATALOG.types).edit)
    made.apply(number_cables(made))
    return made


@pytest.fixture(scope="module")
def ethernet():
    return built("nvidia-sn5600", "dgx-h100")


@pytest.fixture(scope="module")
def infiniband():
    return built("nvidia-qm9700", "dgx-h100")


def book_of(name, design, folder, **options):
    path = folder / f"{name}.xlsx"
    EXPORTER[name].write(design, path, options)
    return {
        sheet.title: [list(row) for row in sheet.iter_rows(values_only=True)] for sheet in openpyxl.load_workbook(path)
    }


def text_of(name, design, folder, **options):
    path = folder / f"{name}.csv"
    EXPORTER[name].write(design, path, options)
    return path.read_bytes().decode("utf-8")


def test_point_to_point_ethernet_has_nvidia_s_headings_rails_and_switch_ports(ethernet, tmp_path):
    (rows,) = book_of("p2p-ethernet", ethernet, tmp_path).values()
    head, *rows = rows
    assert ",".join(head) == "A-Rack,A-U,A-Node Name,A-Type,A-Port,Z-Rack,Z-RU,Z-Node Name,Z-Type,Z-Port"
    assert len(rows) == len(ethernet.links)
    hosts = [row for row in rows if row[3] == "Host"]
    assert {row[4] for row in hosts} == {f"rail{number}" for number in range(1, 9)}
    assert all(row[8] == "Switch" and re.fullmatch(r"swp[0-9]+s[0-9]", row[9]) for row in rows)
    assert {row[3] for row in rows} == {"Host", "Switch"}
    assert all(isinstance(row[1], int) and isinstance(row[6], int) for row in rows)
    text = text_of("p2p-ethernet", ethernet, tmp_path)
    assert [",".join("" if cell is None else str(cell) for cell in row) for row in (head, *rows)] == text.split("\r\n")[
        :-1
    ]


def test_rails_of_compute_trays_are_numbered_without_their_scale_up_links_and_found_again(generate, tmp_path):
    design = generate("scale-up", groups=2, nic_switch="nvidia-sn5600")
    (rows,) = book_of("p2p-ethernet", design, tmp_path).values()
    hosts = [row for row in rows[1:] if row[3] == "Host"]
    assert {row[4] for row in hosts} == {f"rail{number}" for number in range(1, 5)}
    tray, rails = design.servers()[0], [f"rail{number}" for number in range(1, 5)]
    assert [PortNames(design).port(tray.id, rail) for rail in rails] == NICS
    wanted = tuple((rail, 400.0) for rail in rails)
    assert [*fit_server(CATALOG.get(tray.type_id), wanted, CATALOG.types).names.values()] == NICS


def test_point_to_point_infiniband_goes_by_position_and_numbers_adapters(infiniband, tmp_path):
    (rows,) = book_of("p2p-infiniband", infiniband, tmp_path).values()
    head, *rows = rows
    assert head == ["Rack", "U", "Name", "HCA/Port", "Rack", "Name", "Name", "Port"]
    assert len(rows) == len(infiniband.links)
    plan = cable_rows(infiniband)
    first = next(row for row in plan if row.a_role == "server")
    row = next(row for row in rows if row[2] == first.a_device and row[3] == "1")
    assert row[:3] == [first.a_rack, first.a_u, first.a_device]
    assert row[4:] == [first.z_rack, first.z_u, first.z_device, first.z_port]
    per_server = [row[3] for row in rows if row[2] == first.a_device]
    assert sorted(per_server) == [str(number) for number in range(1, 9)]
    switches = [row for row in rows if not row[2].startswith("gpu")]
    assert switches
    assert all(re.fullmatch("[0-9]+/[12]", port) for row in switches for port in (row[3], row[7]))


def test_a_point_to_point_file_lists_its_own_protocol_alone(ethernet, infiniband, tmp_path):
    with pytest.raises(ExportError, match="p2p-infiniband would be empty: the design has no InfiniBand links"):
        book_of("p2p-infiniband", ethernet, tmp_path)
    with pytest.raises(ExportError, match="p2p-ethernet would be empty: the design has no Ethernet links"):
        book_of("p2p-ethernet", infiniband, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("switch", "protocol"), [("nvidia-sn5600", "ethernet"), ("nvidia-qm9700", "ib")])
def test_cvt_has_links_with_the_mandatory_headings_and_every_node_of_theirs(switch, protocol, tmp_path):
    design = built(switch, "dgx-h100")
    sheets = book_of("cvt", design, tmp_path)
    assert list(sheets) == ["Links", "Nodes"]
    head, *links = sheets["Links"]
    assert head == ["A-Node", "A-Port", "Z-Node", "Z-Port", "Protocol", "A-Module-PN", "Z-Module-PN", "Source-Ref"]
    assert {row[4] for row in links} == {protocol}
    assert {row[7] for row in links} == {f"C{link.cable:04d}" for link in design.links.values()}
    assert not any("(" in row[5] for row in links if row[5])
    nodes = {row[0]: row[1] for row in sheets["Nodes"][1:]}
    assert nodes.keys() == {row[0] for row in links} | {row[2] for row in links}
    assert len(sheets["Nodes"]) == len(nodes) + 1
    assert {nodes[server.name] for server in design.servers()} == {"Host"}
    assert {nodes[switch.name] for switch in design.switches()} == {"Switch"}


def test_what_is_not_verified_of_cvt_says_so_in_its_title():
    assert "unverified" in EXPORTER["cvt"].title
    assert "Nodes" in EXPORTER["cvt"].about


def test_avd_lists_roles_as_it_calls_them_once_or_both_ways(ethernet, tmp_path):
    rows = list(csv.DictReader(io.StringIO(text_of("avd", ethernet, tmp_path), newline="")))
    assert ",".join(rows[0]) == (
        "Node Type,Node,Node Interface,Peer Type,Peer Node,Peer Interface,Node Interface Enabled"
    )
    assert {(row["Node Type"], row["Peer Type"]) for row in rows} == {("server", "l3leaf"), ("l3leaf", "spine")}
    assert {row["Node Interface Enabled"] for row in rows} == {"True"}
    twice = text_of("avd", ethernet, tmp_path, **{"both-ways": "yes"})
    assert twice.count("\r\n") == 2 * len(rows) + 1


def test_shcd_has_a_tab_for_each_network(tmp_path):
    design = built("nvidia-sn5600", "dgx-h100")
    spine = next(one for one in design.switches() if one.role == "spine")
    design.apply(operations.set_network(design, [spine.id], "storage"))
    sheets = book_of("shcd", design, tmp_path)
    assert list(sheets) == ["Compute", "Storage"]
    head, *rows = sheets["Compute"]
    assert head == ["Source", "Rack", "Location", "Slot", "Port", "Destination", "Rack", "Location", "Port"]
    assert all(re.fullmatch("u[0-9]{2}", row[2]) and re.fullmatch("u[0-9]{2}", row[7]) for row in rows)
    server = next(row for row in rows if row[0].startswith("gpu"))
    assert server[3] == design.ports(design.find(server[0]).id)[0].slot
    assert sum(len(one) - 1 for one in sheets.values()) == len(design.links)


def test_opa_has_its_two_lines_of_headings_and_no_comma_or_quote_in_a_field(infiniband, tmp_path):
    design = infiniband.snapshot()
    server = design.servers()[0]
    design.apply(Edit("name", (Change(server, replace(server, name='one, "two"  three')),)))
    lines = text_of("opa", design, tmp_path).split("\n")
    assert lines[0] == "Source,,,,,,Destination,,,,,,Cable,,"
    end = "Rack Group,Rack,Name,Name-2,Port Number,Port Type"
    assert lines[1] == f"{end},{end},Label,Length,Details"
    rows = [line.split(",") for line in lines[2:-1]]
    assert {len(row) for row in rows} == {15}
    assert "one 'two' three" in {row[2] for row in rows}
    assert '"' not in "".join(lines)
    assert {row[5] for row in rows} | {row[11] for row in rows} == {"FI", "SW"}
    assert {row[4] for row in rows if row[5] == "FI"} == {"1"}
    leaf = next(row for row in rows if row[5] == "SW")
    assert leaf[4] == str([port.name for port in design.ports(design.find(leaf[2]).id)].index(_port(design, leaf)) + 1)
    assert all(re.fullmatch(r"C[0-9]{4}", row[12]) and re.fullmatch(r"[0-9.]+m", row[13]) for row in rows)


def _port(design, row):
    """The port at the A end of the cable with this label."""
    return next(one.a_port_id for one in cable_rows(design) if one.cable_id == row[12] and one.a_device == row[2])


def test_opa_names_racks_that_are_not_known_because_a_blank_is_the_rack_above(tmp_path):
    design = Design()
    parameters = fat_tree.FatTreeParameters("nvidia-qm8790", "dgx-a100", 4, racks="none")
    design.apply(fat_tree.build(design, parameters, CATALOG))
    rows = [line.split(",") for line in text_of("opa", design, tmp_path).split("\n")[2:-1]]
    assert {(row[0], row[1], row[6], row[7]) for row in rows} == {("none",) * 4}


@pytest.mark.parametrize("name", [row[0] for row in PRESETS])
def test_no_preset_runs_a_formula_and_networks_are_listed_apart(name, ethernet, infiniband, tmp_path):
    design = (infiniband if name == "p2p-infiniband" else ethernet).snapshot()
    device = design.servers()[0]
    design.apply(Edit("name", (Change(device, replace(device, name="=1+1")),)))
    exporter = EXPORTER[name]
    for suffix in (exporter.suffix, *exporter.other_suffixes):
        path = tmp_path / f"plan{suffix}"
        exporter.write(design, path)
        if suffix == ".xlsx":
            cells = [cell for sheet in openpyxl.load_workbook(path) for row in sheet for cell in row]
            assert not any(cell.data_type == "f" for cell in cells)
            assert "=1+1" in {cell.value for cell in cells}
        else:
            text = path.read_text(encoding="utf-8")
            assert "'=1+1" in text
            assert not re.search(r"(^|,)[=+@-]", text, re.MULTILINE)
    with pytest.raises(ExportError, match=f"{name} would be empty"):
        exporter.write(design, tmp_path / "none", {"networks": "storage"})


def test_what_has_several_sheets_is_not_written_as_text(ethernet, tmp_path):
    with pytest.raises(ExportError, match=r"^cvt has 2 sheets: name the file \.xlsx$"):
        text_of("cvt", ethernet, tmp_path)

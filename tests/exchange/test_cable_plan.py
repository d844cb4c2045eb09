"""The cable plan: its columns, its order, its labels, and what a spreadsheet makes of it."""

import csv
import io
import re
from dataclasses import replace

import openpyxl
import pytest

from designer.analysis.cable_numbers import number_cables
from designer.analysis.optical_parts import optical_parts
from designer.errors import ExportError
from designer.exchange.cable_plan import COLUMNS, cable_rows
from designer.exchange.exporters import EXPORTERS
from designer.exchange.plans.cells import plan_csv
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link
from designer.model.naming import natural
from designer.placement import floor
from designer.placement.cable_lengths import route_cables
from designer.placement.media import pick_media
from designer.topologies import fat_tree, rail_optimized

PROPOSED = [
    "cable_id",
    "label_a",
    "label_b",
    "status",
    "network",
    "a_site",
    "a_row",
    "a_rack",
    "a_u",
    "a_device",
    "a_device_type",
    "a_role",
    "a_port",
    "a_lane",
    "a_optic_model",
    "a_optic_pn",
    "z_site",
    "z_row",
    "z_rack",
    "z_u",
    "z_device",
    "z_device_type",
    "z_role",
    "z_port",
    "z_lane",
    "z_optic_model",
    "z_optic_pn",
    "speed_gbps",
    "medium",
    "connector",
    "cable_model",
    "cable_pn",
    "length_m",
    "length_source",
    "stock_length_m",
    "bundle",
    "color",
    "rail",
    "su",
    "tier",
    "notes",
]
"""The native cable sheet in full, as formats.md proposes it."""


@pytest.fixture
def small(catalog):
    """Eight DGX H100 in racks below two leafs and a spine, QM9700."""
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters(servers=8), catalog))
    return design


@pytest.fixture(scope="module")
def superpod(catalog):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4)
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


def exporter(name):
    return next(row for row in EXPORTERS if row.name == name)


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def choose_cable(design, catalog, medium_id, **fields):
    """The same cable on every link."""
    links = [Change(link, replace(link, medium_id=medium_id, **fields)) for link in design.links.values()]
    design.apply(Edit("cables", (Change(None, catalog.get(medium_id)), *links)))


def test_the_columns_stand_in_the_order_of_the_native_sheet():
    assert [column for column in COLUMNS if column in PROPOSED] == PROPOSED
    assert set(COLUMNS) - set(PROPOSED) == {"a_cage", "z_cage", "order_length_m", "slack_m", "trays", "tags", "fields"}


def test_a_row_has_the_tags_and_fields_of_its_link(small):
    tagged = small.snapshot()
    one = next(iter(tagged.links))
    tagged.apply(operations.add_tags(tagged, [one], ("spare", "=cmd")))
    tagged.apply(operations.set_field(tagged, [one], "Owner", "net team"))
    rows = {row.link_id: (row.tags, row.fields) for row in cable_rows(tagged)}
    assert rows.pop(one) == ("spare, =cmd", "Owner: net team")
    assert set(rows.values()) == {("", "")}


def test_every_link_of_a_superpod_has_one_row_with_its_own_ports(superpod):
    rows = cable_rows(superpod)
    assert len(rows) == len(superpod.links) == 2040
    for port in ("port", "port_id"):
        ends = [(getattr(row, f"{end}_device"), getattr(row, f"{end}_{port}")) for row in rows for end in "az"]
        assert len(set(ends)) == 4080
    assert {row.tier for row in rows} == {"server-leaf", "leaf-spine"}
    assert sum(row.tier == "server-leaf" for row in rows) == 1016
    assert {row.speed_gbps for row in rows} == {400}
    assert all(row.length_m is None and row.medium == "" for row in rows)


def test_the_a_end_is_the_one_nearer_to_the_servers(superpod):
    rows = cable_rows(superpod)
    assert {(row.a_role, row.z_role) for row in rows} == {("server", "leaf"), ("leaf", "spine")}
    row = next(row for row in rows if row.a_device == "gpu-033" and row.a_port_id == "rail3")
    assert (row.z_device, row.rail, row.su, row.network) == ("leaf-su2-r3", 3, 2, "compute")


def test_both_lanes_of_a_cage_can_be_told_apart(superpod):
    rows = [row for row in cable_rows(superpod) if row.a_device == "leaf-su3-r1"]
    cages = {}
    for row in rows:
        cages.setdefault(row.a_port.split("/")[0], []).append(row.a_lane)
    assert len(cages) == 16
    assert all(lanes == [1, 2] for lanes in cages.values())


def test_server_ends_are_named_as_the_chassis_is_printed(superpod):
    """DGX H100/H200 System User Guide, Table 5 Network Port Mapping: cages by GPU, rail1 being GPU 0's."""
    printed = ["OSFP4P2", "OSFP3P2", "OSFP3P1", "OSFP4P1", "OSFP1P2", "OSFP2P2", "OSFP2P1", "OSFP1P1"]
    rows = [row for row in cable_rows(superpod) if row.a_device == "gpu-033"]
    assert [(row.a_port_id, row.a_port) for row in rows] == [(f"rail{n}", one) for n, one in enumerate(printed, 1)]
    assert [f"OSFP{row.a_cage}P{row.a_lane}" for row in rows] == printed
    assert all(f":{one}" in row.label_a for row, one in zip(rows, printed, strict=True))


def test_ports_of_single_link_cages_have_no_lane(catalog):
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters("nvidia-qm8790", "dgx-a100", 4), catalog))
    assert {row.a_lane for row in cable_rows(design)} == {row.z_lane for row in cable_rows(design)} == {None}


def test_labels_name_near_then_far_by_rack_and_unit(small):
    row = cable_rows(small)[0]
    near, far = f"{row.a_rack}-{row.a_u:02d}:{row.a_port}", f"{row.z_rack}-{row.z_u:02d}:{row.z_port}"
    assert row.a_rack and row.z_rack
    assert (row.label_a, row.label_b) == (f"{near} / {far}", f"{far} / {near}")


def test_labels_of_what_stands_in_no_rack_go_by_name(catalog):
    design = Design()
    parameters = fat_tree.FatTreeParameters("nvidia-qm8790", "dgx-a100", 4, racks="none")
    design.apply(fat_tree.build(design, parameters, catalog))
    row = cable_rows(design)[0]
    assert row.label_a == f"{row.a_device}:{row.a_port}/{row.z_device}:{row.z_port}"
    assert (row.a_rack, row.a_u) == ("", None)


def test_site_color_notes_cage_and_bundle_are_in_the_plan(small):
    link = small.links["l1"]
    settings = replace(small.settings, site="Berlin 3")
    noted = replace(link, colour="blue", notes="behind the pillar")
    small.apply(Edit("facts", (Change(small.settings, settings), Change(link, noted))))
    (row,) = [row for row in cable_rows(small, notes={"l1": "no length: why"}) if row.link_id == "l1"]
    assert (row.a_site, row.z_site, row.color) == ("Berlin 3", "Berlin 3", "blue")
    assert row.notes == "behind the pillar; no length: why"
    assert row.a_cage == small.port(link.a).cage
    assert row.bundle == f"{min(row.a_rack, row.z_rack)} to {max(row.a_rack, row.z_rack)}"
    turned = next(row for row in cable_rows(small, both_ways=True) if row.link_id == "l1" and row.a_id == "d9")
    assert (turned.bundle, turned.z_cage) == (row.bundle, row.a_cage)
    below, above = small.placements[row.a_id], small.placements[row.z_id]
    small.apply(Edit("mount", (Change(below, replace(below, rack_id=above.rack_id)),)))
    inside = next(one for one in cable_rows(small) if one.link_id == "l1")
    assert inside.bundle == inside.a_rack == inside.z_rack


def test_a_label_that_was_typed_is_the_label(small):
    link = small.links["l1"]
    small.apply(Edit("label", (Change(link, replace(link, label="Blue 7")),)))
    row = next(row for row in cable_rows(small) if row.link_id == "l1")
    assert row.label_a == row.label_b == "Blue 7"


def test_rows_are_sorted_by_rack_device_and_port(superpod):
    order = {
        (device.name, port.name): number
        for device in superpod.devices.values()
        for number, port in enumerate(superpod.ports(device.id))
    }
    rows = cable_rows(superpod)
    keys = [(natural(r.a_rack), natural(r.a_device), order[r.a_device, r.a_port_id]) for r in rows]
    assert keys == sorted(keys)
    assert len({row.a_rack for row in rows}) > 30


def test_both_ways_lists_each_link_from_either_end(small):
    once, twice = cable_rows(small), cable_rows(small, both_ways=True)
    assert len(twice) == 2 * len(once)
    turned = {(r.z_device, r.z_port, r.a_device, r.a_port, r.label_b, r.label_a) for r in once}
    assert {(r.a_device, r.a_port, r.z_device, r.z_port, r.label_a, r.label_b) for r in twice} >= turned


def test_links_in_one_twin_port_cable_share_its_id(small, catalog):
    choose_cable(small, catalog, "dac-ndr-twin", length_m=1.2, length_source="typed")
    between = [row for row in cable_rows(small) if row.tier == "leaf-spine"]
    assert {row.cable_id for row in between} == {""}, "no numbers yet"
    assert len(between) == 2 * len({row.piece for row in between})
    small.apply(number_cables(small))
    between = [row for row in cable_rows(small) if row.tier == "leaf-spine"]
    assert all(re.fullmatch("C[0-9]{4}", row.cable_id) for row in between)
    assert len(between) == 2 * len({row.cable_id for row in between})
    row = between[0]
    assert (row.medium, row.cable_pn, row.a_optic_pn) == ("DAC", "980-9IA0Q-00N01A", "")
    assert (row.length_m, row.length_source, row.stock_length_m) == (1.2, "typed", 1.5)


def test_optics_are_named_at_the_ends_whose_cages_take_them(small, catalog):
    choose_cable(small, catalog, "tr-800-2dr4-100")
    row = next(row for row in cable_rows(small) if row.tier == "leaf-spine")
    assert (row.a_optic_pn, row.z_optic_pn) == ("980-9I30H-00NM00",) * 2
    assert (row.a_optic_model, row.z_optic_model) == ("MMS4X00-NS",) * 2
    assert (row.medium, row.connector, row.cable_model, row.cable_pn) == ("SM fiber", "MPO-12/APC", "", "")


def test_fibre_and_the_module_of_another_cage_come_from_the_catalog_where_they_are_known(small, catalog):
    parts = optical_parts(catalog.types.values())
    choose_cable(small, catalog, "tr-800-2dr4-100", length_m=30.0, length_source="routed")
    for row in cable_rows(small, parts=parts):
        assert (row.medium, row.cable_pn, row.stock_length_m) == ("SM fiber", "MFP7E30-N030", 30)
    choose_cable(small, catalog, "tr-800-2fr4", length_m=30.0)
    assert {(row.cable_model, row.cable_pn) for row in cable_rows(small, parts=parts)} == {
        (catalog.get("gen-lc-sm").model, "")  # to be ordered by length: a model is no part number
    }
    choose_cable(small, catalog, "tr-800-2dr4-500", length_m=300.0)
    assert {(row.cable_model, row.cable_pn) for row in cable_rows(small, parts=parts)} == {
        (catalog.get("gen-mpo12-sm-long").model, "")
    }
    choose_cable(small, catalog, "tr-800-2sr4", length_m=60.0)
    assert {row.cable_pn for row in cable_rows(small, parts=parts)} == {""}  # longer than such fiber is known to be


def test_a_flat_top_cage_takes_the_single_port_module_that_goes_with_the_switch_s(catalog):
    design, optic = Design(), catalog.get("tr-800-2sr4")
    parameters = fat_tree.FatTreeParameters(servers=4, server="hgx-h100-oem")
    design.apply(fat_tree.build(design, parameters, catalog))
    choose_cable(design, catalog, optic.id, length_m=20.0)
    rows = cable_rows(design, parts=optical_parts(catalog.types.values()))
    assert {(r.a_optic_pn, r.z_optic_pn, r.cable_pn) for r in rows if r.tier == "server-leaf"} == {
        ("980-9I51S-00NS00", "980-9I510-00NS00", "MFP7E10-N020")
    }


def test_a_link_to_a_port_that_is_not_there_still_has_its_row(small):
    small.apply(Edit("break", (Change(None, Link("l900", End("d1", "rail99"), End("d2", "rail1"))),)))
    row = next(row for row in cable_rows(small) if row.link_id == "l900")
    assert (row.a_port, row.a_lane, row.speed_gbps) == ("rail99", None, None)


def test_the_csv_is_quoted_as_the_standard_says(small):
    device = small.devices["d1"]
    small.apply(operations.rename(small, device.id, 'one, "two"'))
    text = plan_csv(cable_rows(small))
    assert text.count("\r\n") == len(small.links) + 1
    assert '"one, ""two"""' in text
    parsed = list(csv.reader(io.StringIO(text, newline="")))
    assert tuple(parsed[0]) == COLUMNS
    assert {len(row) for row in parsed} == {len(COLUMNS)}
    assert 'one, "two"' in {row[COLUMNS.index("a_device")] for row in parsed}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@cmd", '=HYPERLINK("http://x")'])
def test_a_name_that_spreadsheets_would_run_is_made_text(small, name, tmp_path):
    device = small.devices["d1"]
    small.apply(Edit("name", (Change(device, replace(device, name=name)),)))
    for row in csv.reader(io.StringIO(plan_csv(cable_rows(small)), newline="")):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)
    exporter("cable-plan-xlsx").write(small, tmp_path / "plan.xlsx", {})
    cells = [cell for sheet in openpyxl.load_workbook(tmp_path / "plan.xlsx") for row in sheet for cell in row]
    assert not any(cell.data_type == "f" for cell in cells)
    assert name in {cell.value for cell in cells}


def test_lengths_of_a_workbook_have_a_decimal_each(small, tmp_path):
    small.apply(Edit("length", tuple(Change(one, replace(one, length_m=2.0)) for one in small.links.values())))
    exporter("cable-plan-xlsx").write(small, tmp_path / "plan.xlsx", {})
    sheet = openpyxl.load_workbook(tmp_path / "plan.xlsx")["Cables"]
    formats = {cell.value: sheet.cell(2, cell.column).number_format for cell in sheet[1]}
    assert formats["Length (m)"] == "#,##0.0##_)"
    assert formats["Speed (Gb/s)"] == "General_)"


def test_the_byte_order_mark_is_there_only_when_asked_for(small, tmp_path):
    plan = exporter("cable-plan")
    plan.write(small, tmp_path / "plain.csv", {})
    plan.write(small, tmp_path / "excel.csv", {"byte-order-mark": "yes"})
    plain, excel = (tmp_path / "plain.csv").read_bytes(), (tmp_path / "excel.csv").read_bytes()
    assert excel == b"\xef\xbb\xbf" + plain


def test_names_in_any_script_survive(small, tmp_path):
    small.apply(operations.rename(small, "d1", "机架-Ω-01"))
    exporter("cable-plan").write(small, tmp_path / "plan.csv", {})
    assert "机架-Ω-01" in {row["a_device"] for row in read_csv(tmp_path / "plan.csv")}


def test_the_same_design_gives_the_same_bytes(superpod, tmp_path):
    for name in ("one.csv", "two.csv"):
        exporter("cable-plan").write(superpod.snapshot(), tmp_path / name, {})
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_an_empty_design_gives_a_header(tmp_path):
    for name in ("cable-plan", "cable-plan-xlsx"):
        row = exporter(name)
        row.write(Design(), tmp_path / f"plan{row.suffix}", {})
    assert read_csv(tmp_path / "plan.csv") == []
    assert openpyxl.load_workbook(tmp_path / "plan.xlsx")["Cables"].max_row == 1


@pytest.mark.parametrize("options", [{"both_ways": "yes"}, {"theme": "dark"}, {"both-ways": "maybe"}])
def test_an_option_that_is_not_known_leaves_the_old_file_alone(small, tmp_path, options):
    path = tmp_path / "plan.csv"
    path.write_text("old")
    with pytest.raises(ExportError, match=next(iter(options))):
        exporter("cable-plan").write(small, path, options)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_devices_that_sort_like_people_sort():
    names = ["rack10", "rack2", "A", "rack1", ""]
    assert sorted(names, key=natural) == ["", "A", "rack1", "rack2", "rack10"]


def test_a_plan_of_a_server_to_server_link(catalog):
    design = Design()
    host = catalog.get("generic-host")
    for name in ("b", "a"):
        design.apply(operations.add_device(design, host, 0, 0, catalog_types=catalog.types, name=name))
    assert isinstance(design.find("a"), Device)
    design.apply(operations.connect_devices(design, design.find("a").id, design.find("b").id))
    assert [(row.a_device, row.z_device, row.tier) for row in cable_rows(design)] == [("b", "a", "server-server")]


def test_a_room_fills_row_length_source_medium_and_stock_length(superpod, catalog):
    design = superpod.snapshot()
    for make in (floor.auto_place, route_cables, lambda d: pick_media(d, catalog.types)):
        design.apply(make(design))
    rows = cable_rows(design)
    assert {row.length_source for row in rows} == {"routed"}
    assert {row.a_row for row in rows} == {"A", "B", "C", "D"}
    assert {row.z_row for row in rows if row.tier == "leaf-spine"} == {"C"}, "the spines stand in one row"
    near = [row for row in rows if row.medium == "ACC"]
    assert near
    assert all(row.stock_length_m in (3, 4, 5) and row.stock_length_m >= row.length_m for row in near)
    assert all(row.medium == "MM fiber" and row.length_m for row in rows if row not in near)
    assert len({row.piece for row in near}) == len(near) / 2, "two links in a cable"


def test_a_cable_belongs_to_the_unit_of_its_end_nearer_to_the_servers_or_else_of_the_other(superpod):
    design = superpod.snapshot()
    rows = {row.link_id: row for row in cable_rows(design)}
    for link in design.links.values():
        ends = [design.device(end.device_id) for end in (link.a, link.b)]
        (unit,) = {one.unit for one in ends if one.unit is not None}
        assert rows[link.id].su == unit
    # From a leaf of one unit to a leaf of another, and from a spine, which has none, to a device that has one.
    leaf, other, spine = (design.find(name) for name in ("leaf-su1-r1", "leaf-su2-r1", "spine-01"))
    for one in (leaf, other):
        up = next(link for link in design.links_of(one.id) if spine.id in (link.a.device_id, link.b.device_id))
        design.apply(operations.delete(design, [up.id]))
    across = operations.connect_devices(design, leaf.id, other.id)
    design.apply(across)
    (link_id,) = [change.after.id for change in across.changes if isinstance(change.after, Link)]
    row = next(row for row in cable_rows(design) if row.link_id == link_id)
    assert row.su == design.find(row.a_device).unit
    assert {row.a_device, row.z_device} == {"leaf-su1-r1", "leaf-su2-r1"}
    design.apply(Edit("units", (Change(leaf, replace(leaf, unit=None)), Change(spine, replace(spine, unit=7)))))
    between = [row for row in cable_rows(design) if {row.a_device, row.z_device} == {"leaf-su1-r1", "spine-01"}]
    assert between
    assert {row.su for row in between} == {7}

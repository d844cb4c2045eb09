"""The set of drawings: every rack, switch and cable has its page, and each page names the others rightly."""

import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from reading import parts_of, texts, words

from designer.analysis.cable_numbers import cable_name, number_cables
from designer.canvas.export import write_pages
from designer.catalog import catalog
from designer.drawing.parts.primitives import Rect, Text
from designer.drawing.sheets import racks
from designer.drawing.sheets.book import INSET
from designer.drawing.sheets.lettering import width
from designer.drawing.sheets.listing import Listing
from designer.drawing.sheets.pages import pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.sheets.title_block import HEIGHT, TitleBlock, title_block_of
from designer.drawing.theme import LIGHT
from designer.errors import Cancelled, ExportError
from designer.exchange.labels.files import pages as label_pages
from designer.exchange.labels.options import LabelOptions
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.hardware.racks import RackType
from designer.model.port_labels import port_label
from designer.placement.floor import rows
from designer.placement.trays import TrayRoutes
from designer.storage import document
from designer.topologies import networks
from designer.topologies.network_parameters import NetworkParameters

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def design():
    loaded = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    loaded.apply(number_cables(loaded))
    return loaded


@pytest.fixture(scope="module")
def book(design):
    return pages(design)


def of(book, section):
    return [page for page in book if page.section == section]


def test_a_contractor_finds_port_length_part_and_tray_of_a_cable_in_three_page_turns(design, book):
    link = next(link for link in design.links.values() if link.cable == 421)
    index = words(book[0], "index")
    assert index[2] == "Cables by number"  # first of all, after the headings
    ranges = index[3 : index.index("Topology") : 2]
    holding = next(one for one in ranges if one.split()[0] <= "C0421" <= one.split()[-1])
    second = book[int(index[index.index(holding) + 1]) - 1]
    listed = words(second, "index")
    place = listed.index("C0421")
    for number, end, far in ((listed[place + 1], link.a, link.b), (listed[place + 2], link.b, link.a)):
        found = words(book[int(number) - 1], "cables")
        at = found.index("C0421")
        assert found[at - 1] == end.port
        assert found[at + 1 : at + 3] == [design.device(far.device_id).name, far.port]
        row = found[at : at + 12]
        assert f"{link.length_m:.1f} m" in row
        assert "MMA4Z00-NS" in row
        assert "MFP7E10-N007" in row  # the shortest piece of that fiber that is long enough
        assert TrayRoutes(design).of_link(link) in row


def test_every_row_about_a_cable_states_length_far_place_and_trays_of_the_design(design, book):
    by_number = {cable_name(link.cable): link for link in design.links.values()}
    row_of = {rack_id: row.name for row in rows(design) for rack_id in row.rack_ids}
    seen = 0
    for page in of(book, "switches")[::7]:
        switch = design.find(page.title.partition(":")[0])
        written = texts(group for group in page.layers() if group.id == "cables")
        for _, cells in groupby(written, key=lambda one: one.y):
            line = [one.text for one in cells]
            link = by_number.get(line[1]) if len(line) > 6 else None
            if link is None:
                continue
            seen += 1
            near, far = sorted((link.a, link.b), key=lambda end: end.device_id != switch.id)
            place = design.placements[far.device_id]
            start, stop = (row_of[design.placements[end.device_id].rack_id] for end in (link.a, link.b))
            assert line[0] == port_label(design, near)
            assert line[2:4] == [design.device(far.device_id).name, port_label(design, far)]
            assert line[4] == f"{design.racks[place.rack_id].name} U{place.unit}"
            assert line[6] == f"{link.length_m:.1f} m"
            stated = line[-1]
            if design.placements[link.a.device_id].rack_id == design.placements[link.b.device_id].rack_id:
                assert stated == "in rack"
            elif start == stop:
                assert stated == start
            else:
                assert (stated.split()[0], stated.split(" over ")[0].split()[-1]) == (start, stop)
    assert seen > 200


def test_every_rack_and_switch_has_a_page_with_every_cable_by_port(design, book):
    for section, layer, names in (
        ("racks", "equipment", [design.devices[one].name for one in design.devices]),
        ("switches", "heading", [one.name for one in design.switches()]),
    ):
        written = [word for page in of(book, section) for word in words(page, layer)]
        assert set(names) <= set(written)
    listed = [word for name in ("racks", "switches") for page in of(book, name) for word in words(page, "cables")]
    for number in (1, 421, 2040):
        assert listed.count(cable_name(number)) == 2
    mapped = [word for page in of(book, "switches") for word in words(page, "ports")]
    fabric = [
        link
        for link in design.links.values()
        if design.is_switch(link.a.device_id) == design.is_switch(link.b.device_id)
    ]
    assert mapped.count(cable_name(fabric[0].cable)) == 2


def test_front_and_rear_of_a_rack_name_every_device(design, book):
    page = next(page for page in of(book, "racks") if page.title == "net-01: elevation")
    names = {f"leaf-su1-r{number}" for number in range(1, 9)}
    assert names <= set(words(page, "front")) and not words(page, "rear"), "alike while no port side is known"
    _made, device, page = turned(design)
    assert device.name in words(page, "front") and device.name in words(page, "rear")


@pytest.mark.parametrize(
    ("name", "orientation"),
    [("a4", "landscape"), ("a4", "portrait"), ("a3", "landscape"), ("a1", "landscape"), ("letter", "portrait")],
)
def test_nothing_sticks_out_of_any_paper_and_no_row_is_lost(design, name, orientation):
    paper = paper_of(name, orientation)
    book = pages(design, paper, ("index", "racks", "cables"))
    left, top, right, bottom = paper.frame
    assert sum(word == "C0421" for page in of(book, "racks") for word in words(page, "cables")) == 2
    for page in (*book[:8], book[-1]):
        for one in texts(page.layers()):
            wide = width(one.text, one.bold) * one.size
            start = one.x - wide * {"start": 0, "middle": 0.5, "end": 1}[one.anchor]
            assert left - 0.01 <= start and start + wide <= right + 0.01, (page.title, one)
            assert top <= one.y <= bottom
        for group in page.layers():
            if group.id in ("cables", "index", "equipment"):
                assert all(one.y <= bottom - HEIGHT - INSET for one in texts([group])), page.title


def test_the_title_block_states_the_design_and_the_page(design, book):
    named = Design(replace(design.settings, name="Pod", project="Aurora", customer="ACME", site="Oslo", author="Kim"))
    block = title_block_of(named, revision="B", date="2026-11-22")
    page = pages(design, title_block=block)[4]
    stated = words(page, "title-block")
    assert {"Pod", "Aurora", "ACME", "Oslo", "Kim", "B", "2026-11-22", f"5 of {page.of}"} <= set(stated)


def test_pages_can_be_chosen_by_section_and_by_rack(design):
    chosen = [rack.id for rack in racks.in_order(design)[:2]]
    book = pages(design, which=("racks", "switches"), rack_ids=chosen)
    assert {page.section for page in book} == {"racks", "switches"}
    assert {page.title for page in book if "elevation" in page.title} == {
        "net-01: elevation",
        "net-02: elevation",
    }
    assert [page.number for page in book] == list(range(1, len(book) + 1))
    assert all(page.of == len(book) for page in book)


def test_the_cables_of_chosen_racks_alone_are_listed_by_number(design):
    rack = next(one for one in design.racks.values() if one.name == "rack-01")
    book = pages(design, which=("racks", "cables"), rack_ids=[rack.id])
    listed = [word for page in of(book, "cables") for word in words(page) if re.fullmatch(r"C\d{4}", word)]
    assert len(listed) == sum(len(design.used_ports(one)) for one in design.mounted(rack.id))


def test_unknown_sections_and_empty_designs_are_refused(design):
    with pytest.raises(ExportError, match="no sheets 'elevations': choose index, "):
        pages(design, which=("elevations",))
    with pytest.raises(ExportError, match="empty"):
        pages(Design())
    with pytest.raises(ExportError, match="no paper 'A9'"):
        paper_of("A9")
    with pytest.raises(ExportError, match="0 to 45 mm, not 80 mm"):
        paper_of("A4", margin_mm=80)


def test_a_name_too_long_for_its_column_is_broken_over_lines_not_cut(design):
    long = "rack in the far corner of the second hall behind the blue door " * 2
    changed = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    device = next(iter(changed.switches()))
    changed.apply(Edit("rename", (Change(device, replace(device, name=long.strip())),)))
    book = pages(changed, paper_of("a4", "portrait"), ("racks",))
    written = " ".join(word for page in book for word in words(page, "equipment"))
    assert long.strip() in written


def test_the_same_design_gives_the_same_pages(design):
    one, other = (pages(design, which=("index", "racks"))[3].layers() for _ in range(2))
    assert list(texts(one)) == list(texts(other))


def test_a_pdf_of_pages_is_the_same_whenever_it_is_written(design, book, qapp, tmp_path):
    first, second = tmp_path / "one.pdf", tmp_path / "two.pdf"
    write_pages(first, design.name, book[:3])
    write_pages(second, design.name, book[:3])
    assert first.read_bytes() == second.read_bytes()
    assert b"(D:20000101000000" in first.read_bytes()[:4096]
    assert b"CreateDate" not in first.read_bytes()


def test_writing_pages_reports_progress_and_can_be_stopped(design, book, qapp, tmp_path):
    heard = []

    def progress(share):
        heard.append(share)
        if len(heard) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_pages(tmp_path / "x.pdf", design.name, book[:4], progress)
    assert heard == [0.25, 0.5]
    assert not (tmp_path / "x.pdf").exists()


def test_a_switch_page_has_its_management_port_and_what_ports_are_kept_free_for(design):
    made = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    leaf = next(one for one in made.switches() if one.name == "leaf-su1-r1")
    link = made.links_of(leaf.id)[0]
    port = (link.a if link.a.device_id == leaf.id else link.b).port
    kept = replace(leaf, reserved_ports=(port,), reserved_for=((port, "storage servers"),))
    made.apply(Edit("Keep", (Change(link, None), Change(leaf, kept))))
    of_leaf = [page for page in pages(made, which=("switches",)) if page.title.startswith("leaf-su1-r1:")]
    page = of_leaf[0]
    assert "mgmt0" in words(page, "ports")
    assert "kept" in words(page, "ports")
    rows = [word for one in of_leaf for word in words(one, "cables")]
    at = rows.index("reserved")
    assert rows[at - 1 : at + 2] == [port, "reserved", "storage servers"]
    assert "63 of 64 ports used, 1 reserved, 0 free" in " ".join(words(page, "heading"))


def test_ports_of_servers_are_written_as_the_chassis_is_printed(design, book):
    server = design.find("gpu-001")
    links = {end.port: link for link in design.links_of(server.id) for end in (link.a, link.b)}
    name = cable_name(links["rail1"].cable)
    found = {name: [] for name in ("racks", "switches")}
    for section, listed_rows in found.items():
        for page in of(book, section):
            listed = words(page, "cables")
            listed_rows += [listed[at - 1 : at + 3] for at, word in enumerate(listed) if word == name]
    leaf = next(end for end in (links["rail1"].a, links["rail1"].b) if end.device_id != server.id)
    there = design.device(leaf.device_id).name
    from_leaf, from_server = [leaf.port, name, "gpu-001", "OSFP4P2"], ["OSFP4P2", name, there, leaf.port]
    assert found["racks"] == [from_server]
    assert found["switches"] == [from_leaf]


def test_the_first_page_warns_of_open_points_and_names_their_page(design):
    lacking = Listing("Open points", (("Missing", False),), [("no length",)], "3 of 9 links have open points", True)
    first, second = pages(design, which=("index", "open-points"), listings={"open-points": lacking})
    assert words(first, "warning") == ["3 of 9 links have open points: page 2"]
    assert second.section == "open-points"
    (first,) = pages(design, which=("index",))
    assert words(first, "warning") == []


@pytest.mark.parametrize(("is_fault", "colour"), [(True, LIGHT.error), (False, LIGHT.text)])
def test_only_open_points_that_keep_from_ordering_are_red(design, is_fault, colour):
    listing = Listing("Open points", (("Open", False),), [("port side",)], "Nothing is missing", is_fault)
    first, _ = pages(design, which=("index", "open-points"), listings={"open-points": listing})
    warned = texts(group for group in first.layers() if group.id == "warning")
    assert [one.colour for one in warned] == [colour]


def test_no_device_is_named_at_the_foot_of_a_table_that_its_cables_are_not_in(design):
    out = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    for page in pages(out, which=("racks",)):
        for group in page.layers():
            at = [one for one in texts([group]) if group.id == "cables" and one.bold and one.text.startswith("gpu-")]
            for head in at:
                under = [one for one in texts([group]) if abs(one.x - head.x) < 1 and one.y > head.y]
                assert under, (page.title, head.text)


def test_columns_that_hold_nothing_are_left_out(design):
    copper = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    bare = (Change(link, replace(link, medium_id="")) for link in copper.links.values())
    copper.apply(Edit("Bare", tuple(bare)))
    for made, optics in ((design, True), (copper, False)):
        page = next(page for page in pages(made, which=("switches",)))
        assert ("Transceiver" in words(page, "cables")) == optics
        assert ("Cable parts are not known." in " ".join(words(page, "heading"))) == (not optics)
    assert "Cable part" not in words(page, "cables") and "unknown" not in words(page, "cables")


def test_what_no_cable_has_is_left_out_of_tables_and_what_some_lack_is_unknown():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    bare = (Change(link, replace(link, medium_id="", length_m=None)) for link in made.links.values())
    made.apply(Edit("Bare", tuple(bare)))
    said = words(next(page for page in pages(made, which=("switches",))), "cables")
    assert not {"unknown", "in no rack", "Far place", "Length", "Cable part", "Trays"} & set(said)
    link = next(iter(made.links.values()))
    made.apply(Edit("One", (Change(link, replace(link, length_m=2.0, length_source="typed")),)))
    said = words(next(page for page in pages(made, which=("switches",))), "cables")
    assert "Length" in said and "unknown" in said


def test_what_is_unknown_of_every_cable_is_said_once_and_of_some_in_their_rows():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    made.apply(number_cables(made))
    book = pages(made, which=("racks", "switches"))
    for page in book:
        assert {"Trays", "Far place"}.isdisjoint(words(page, "cables"))
        said = " ".join(words(page, "heading") + words(page, "notes"))
        assert "Cable trays are not known. The far devices stand in no rack. All lengths are assumed." in said
        assert ("The form factor of ports is not known: that of the AOCs is assumed." in said) == (
            "Switches" in page.heading
        )
        assert "engths are not known" not in said
    leaf = next(page for page in book if "leaf-01" in page.marks)
    assert "Transceiver" in words(leaf, "cables")  # cables between switches are of one piece, and need none


def test_lines_of_the_whole_topology_have_their_counts_where_names_can_be_read():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    (whole,) = pages(made, which=("overview",))
    written = words(whole, "counts")
    # Once for the 16 servers, and at each line from a leaf switch to either spine.
    assert sorted(written) == ["8 × 400G"] * 8 + ["8 × 400G per server"]


def test_some_lengths_that_are_assumed_are_said_to_be():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    link = next(iter(made.links.values()))
    made.apply(Edit("One", (Change(link, replace(link, length_m=2.0, length_source="typed")),)))
    for page in pages(made, which=("racks",)):
        assert "Some lengths are assumed." in " ".join(words(page, "notes"))
    bare = (Change(link, replace(link, length_m=None, length_source="")) for link in made.links.values())
    made.apply(Edit("None", tuple(bare)))
    said = " ".join(words(pages(made, which=("racks",))[0], "notes"))
    assert said.startswith("Lengths") and "are not known." in said and "assumed" not in said


def test_cables_of_a_server_stand_in_the_order_of_what_its_ports_are_called():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    said = words(pages(made, which=("racks",))[0], "cables")
    ports = [one for one in said if one.startswith("OSFP")]
    assert ports[:8] == [f"OSFP{cage}P{lane}" for cage in range(1, 5) for lane in (1, 2)]


def test_the_index_lists_every_page_of_the_servers_in_no_rack():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    index, *book = pages(made, which=("index", "racks"))
    titles = [one.title for one in book if one.title.startswith("Servers in no rack")]
    assert len(titles) == 2 and set(titles) <= set(words(index, "index"))


def test_no_heading_of_a_table_is_broken_within_a_word():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    made.apply(number_cables(made))
    for page in pages(made, which=("racks", "switches")):
        bold = {one.text for group in page.layers() if group.id == "cables" for one in texts([group]) if one.bold}
        assert {one for one in bold if one[:3] in ("Far", "dev")} <= {"Far device", "Far port", "Far", "device"}


def test_a_port_that_is_kept_free_and_used_is_listed_as_used(design):
    made = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    leaf = next(one for one in made.switches() if one.name == "leaf-su1-r1")
    made.apply(Edit("Keep", (Change(leaf, replace(leaf, reserved_ports=(next(iter(made.used_ports(leaf.id))),))),)))
    of_leaf = [page for page in pages(made, which=("switches",)) if page.title.startswith("leaf-su1-r1:")]
    assert "reserved" not in [word for one in of_leaf for word in words(one, "cables")]


@pytest.fixture(scope="module")
def racks_alone(design):
    return pages(design, which=("racks",))


def test_a_rack_of_many_cables_goes_on_with_tables_side_by_side(racks_alone):
    goes_on = [page for page in racks_alone if page.title == "net-01: cables by port"]
    assert [words(page, "cables").count("Page") for page in goes_on[:2]] == [2, 2]


def test_a_table_that_goes_on_names_the_device_again(racks_alone):
    goes_on = [page for page in racks_alone if page.title == "net-01: cables by port"]
    assert goes_on
    assert any(word.endswith(", continued") for page in goes_on for word in words(page, "cables"))


def test_a_rack_names_the_pages_of_its_switches_and_does_not_repeat_them(design, book, racks_alone):
    front = next(page for page in of(book, "racks") if page.title == "net-01: elevation")
    listed = words(front, "equipment")
    for switch in design.switches():
        if switch.name in listed:
            cells = listed[listed.index(switch.name) :]
            number = next(int(one) for one in cells if one.isdigit())
            assert book[number - 1].title.startswith(f"{switch.name}:")
            assert switch.id in {end.device_id for end in book[number - 1]._numbers.ends}
    assert "leaf-su1-r1" in listed and "cables" not in {group.id for group in front.layers()}
    assert len(racks_alone) > len(of(book, "racks"))


def test_the_page_of_a_server_in_its_rack_is_the_one_that_lists_its_cables(book):
    front = next(page for page in of(book, "racks") if page.title == "rack-01: elevation")
    listed = words(front, "equipment")
    cells = listed[listed.index("gpu-001") :]
    number = next(int(one) for one in cells if one.isdigit())
    assert "gpu-001" in words(book[number - 1], "cables")


def test_a_port_map_has_the_rows_of_the_front_with_the_ports_for_management_at_its_end(design, book):
    leaf = next(one for one in design.switches() if one.role == "leaf")
    page = next(one for one in of(book, "switches") if one.title.startswith(f"{leaf.name}:"))
    (ports,) = (group for group in page.layers() if group.id == "ports")
    places = {one.text: (one.x, one.y) for one in parts_of([ports]) if isinstance(one, Text)}
    upper, lower = ([places[str(number)] for number in numbers] for numbers in (range(1, 33, 2), range(2, 33, 2)))
    assert len({y for _, y in upper}) == len({y for _, y in lower}) == 1 and upper[0][1] < lower[0][1]
    assert [x for x, _ in upper] == [x for x, _ in lower] == sorted(x for x, _ in upper)
    assert places["mgmt0"][0] > upper[-1][0]
    assert any("cages numbered column by column" in one for one in words(page, "heading"))


def test_each_switch_of_a_superpod_needs_one_page(design, book):
    assert len(of(book, "switches")) == len(design.switches())


def test_what_stands_on_large_paper_is_larger(design, qapp, tmp_path):
    small, large = (pages(design, paper_of(name), ("floor", "racks"))[0] for name in ("a3", "a1"))
    assert small.area[2] == pytest.approx(420 / 25.4 * 72)
    assert large.area[2] == pytest.approx(841 / 25.4 * 72 / 1.5)
    write_pages(tmp_path / "x.pdf", "x", [large])
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", (tmp_path / "x.pdf").read_bytes())
    assert [round(float(one) / 72 * 25.4) for one in box.groups()] == [841, 594]


def test_sheets_that_have_nothing_to_show_are_refused(design):
    with pytest.raises(ExportError, match="nothing to draw on these sheets: revisions, changes"):
        pages(design, which=("revisions", "changes"))


def test_an_empty_rack_and_a_switch_without_links_have_their_pages():
    made = Design()
    types = catalog.load().types
    made.apply(operations.add_rack(made, next(one for one in types.values() if isinstance(one, RackType)), 0.0, 0.0))
    made.apply(operations.add_device(made, types["nvidia-qm9700"], 0.0, 0.0, catalog_types=types))
    book = pages(made)
    assert {page.section for page in book} == {"index", "overview", "racks", "switches"}
    for page in book:
        assert page.layers()
    mapped = words(of(book, "switches")[0], "ports")
    assert mapped.count("free") == 65  # 64 ports and that for management


@pytest.mark.parametrize(("paper", "units"), [("a4", 42), ("letter", 48), ("a4", 120)])
def test_all_that_stands_in_a_full_rack_is_listed_within_the_frame(paper, units):
    made = Design()
    types = catalog.load().types
    kind = replace(next(one for one in types.values() if isinstance(one, RackType)), id="tall", units=units)
    made.apply(operations.add_rack(made, kind, 0.0, 0.0))
    rack_id = next(iter(made.racks))
    for unit in range(1, units + 1):
        edit = operations.add_device(
            made, types["nvidia-qm9700"], 0.0, 0.0, catalog_types=types, rack_id=rack_id, unit=unit
        )
        made.apply(edit)
    on = paper_of(paper)
    book = of(pages(made, on, ("racks",)), "racks")
    listed = [one for page in book for group in page.layers() if group.id == "equipment" for one in texts([group])]
    assert {one.name for one in made.devices.values()} <= {one.text for one in listed}
    assert all(one.y <= on.frame[3] - HEIGHT - INSET for one in listed)


@pytest.mark.usefixtures("qapp")
def test_a_page_that_cannot_be_drawn_is_an_error_and_no_warning_of_qt(design, tmp_path):
    narrow = LabelOptions(width=6.0, height=6.0, grid=(5, 5))
    with pytest.raises(ExportError, match="does not fit 6 x 6 mm"):
        write_pages(tmp_path / "labels.pdf", "Labels", label_pages(design, narrow))


def test_pages_of_servers_in_no_rack_name_the_servers_that_they_list(design):
    loose = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    loose.apply(number_cables(loose))
    listed = [page.title for page in pages(loose) if "in no rack" in page.title]
    assert listed[0].startswith("Servers in no rack, gpu-01 to gpu-")
    assert listed[-1].endswith("to gpu-16: cables by port")
    leafs = [page for page in pages(loose, which=("switches",)) if "leaf-01" in page.marks]
    assert "48 of 48 ports used, 0 reserved, 0 free" in " ".join(words(leafs[0], "heading"))
    spines = [page for page in pages(loose, which=("switches",)) if "spine-01" in page.marks]
    assert "32 of 48 ports used, 0 reserved, 16 free" in " ".join(words(spines[0], "heading"))


def test_the_index_has_every_page_of_a_set(book):
    listed: set[int] = set()
    for page in book:
        if page.section == "index":
            for one in words(page, "index"):
                for span in one.split(", "):
                    first, _, last = span.partition("–")
                    if first.isdecimal():
                        listed |= set(range(int(first), int(last or first) + 1))
    assert listed == {page.number for page in book if page.section != "index"}


def test_the_index_names_the_page_that_several_racks_share_at_each_of_them(design):
    book = pages(design, paper_of("a4", "portrait"), ("index", "racks"))
    shared = next(page for page in book if re.fullmatch(r"rack-\d+ to rack-\d+: cables by port", page.title))
    listed = [one for page in book if page.section == "index" for one in words(page, "index")]
    first, last = (int(one) for one in re.findall(r"rack-(\d+)", shared.title))
    for number in range(first, last + 1):
        assert str(shared.number) in re.findall("[0-9]+", listed[listed.index(f"rack-{number:02}") + 1])


def test_no_heading_stands_last_in_a_column_of_the_index(design):
    for paper in ("a4", "a3", "letter"):
        book = pages(design, paper_of(paper), which=("index", "overview", "units", "racks", "switches"))
        for page in book:
            if page.section == "index":
                written = [one for group in page.layers() if group.id == "index" for one in texts([group])]
                foot = max(one.y for one in written)
                assert not [one.text for one in written if one.bold and one.y > foot - 1.0], paper


def test_the_index_lists_sheets_in_the_order_of_their_pages(book):
    listed = words(book[0], "index")
    pages_of = [int(found[0]) for one in listed if (found := re.match("[0-9]+", one))]
    assert len(pages_of) > 90
    assert pages_of == sorted(pages_of)


def test_the_title_block_has_fields_only_for_what_is_known(design):
    page = pages(design, which=("overview", "floor"))[0]
    assert words(page, "title-block")[::2] == ["Sheet", "Design", "Page"]
    block = TitleBlock(design="Pod", customer="Acme")
    overview, *_, floor = pages(design, which=("overview", "floor"), title_block=block)
    assert words(overview, "title-block")[-2:] == ["Customer", "Acme"]
    assert words(floor, "title-block")[6:9] == ["Customer", "Acme", "Scale"]
    for one, lines in ((page, 1), (overview, 2), (floor, 2)):
        assert all(words(one, "title-block"))
        frame = next(group for group in one.layers() if group.id == "title-block").parts
        low = min(part.y for part in frame if isinstance(part, Rect) and part.ink is not None)
        assert one.paper.frame[3] - low == pytest.approx(HEIGHT * lines / 2)


def turned(design):
    """The design with one switch turned to the rear of its rack, and the page of that rack."""
    made = design.snapshot()
    device = next(one for one in made.switches() if made.placements[one.id].rack_id)
    before = made.placements[device.id]
    made.apply(Edit("Flip", (Change(before, replace(before, side="rear")),)))
    title = f"{made.racks[before.rack_id].name}: front and rear"
    return made, device, next(one for one in pages(made) if one.title == title)


def hatched(page, layer):
    parts = (part for group in page.layers() if group.id == layer for part in parts_of([group]))
    return [one for one in parts if isinstance(one, Rect) and one.ink is not None and one.ink.hatched]


def test_the_side_of_ports_is_not_known_of_devices_that_nobody_turned(design, book):
    fronts = [page for page in book if page.title.endswith(": elevation")]
    assert len(fronts) == len(design.racks)
    for page in fronts:
        stated = words(page, "equipment")
        assert "Ports at" in stated and "rear" not in stated
        assert stated.count("not known") == sum(one in {d.name for d in design.devices.values()} for one in stated)
        assert words(page, "front")[0] == "Port sides not known"
        assert not words(page, "rear") and not hatched(page, "front")


def test_the_side_of_ports_is_stated_of_devices_that_somebody_turned(design):
    made, device, page = turned(design)
    assert "Ports at" in words(page, "equipment")
    assert words(page, "equipment").count("rear") == 1
    assert "side of some ports not known" in words(page, "rear")
    rack_id = made.placements[device.id].rack_id
    others = [made.placements[one] for one in made.mounted(rack_id) if one in made.devices and one != device.id]
    made.apply(Edit("Flip", tuple(Change(one, replace(one, side="rear")) for one in others)))
    page = next(one for one in pages(made) if one.title == page.title)
    assert not [one for one in words(page, "rear") if "not known" in one]
    assert "not known" not in words(page, "equipment")
    made, device, page = turned(design)
    assert len(hatched(page, "front")) == 1
    assert not hatched(page, "rear")


def test_the_legend_has_only_what_the_drawings_have(design, generated):
    kinds = ["server", "leaf", "spine"]
    plain = words(pages(design)[0], "legend")
    assert [one for one in plain if one != "reserved"] == kinds
    assert ("reserved" in plain) == any(one.reserved_ports for one in design.devices.values())
    made, _, _ = turned(design)
    assert "ports to the other side" in words(pages(made)[0], "legend")
    routers = pages(generated("dragonfly", p=1, a=4, h=1))
    assert words(routers[0], "legend") == ["host", "router"]
    assert "Routers" in words(routers[0], "index")
    assert "20 hosts, 20 routers, 60 links" in words(routers[0], "heading")


def test_small_switches_share_pages_one_below_the_other_and_each_lists_all_its_ports(generated):
    made = generated("dragonfly", p=1, a=4, h=1)
    book = of(pages(made), "switches")
    routers = sorted(one.name for one in made.switches())
    assert [name for page in book for name in page.marks] == routers
    assert [len(page.marks) for page in book] == [3] * 6 + [2]
    assert book[0].title == f"{book[0].marks[0]} to {book[0].marks[-1]}: port maps and far ends"
    for page in book:
        bottom = page.paper.frame[3] - HEIGHT
        heads = [one.y for group in page.layers() if group.id == "heading" for one in texts([group]) if one.size == 11]
        rows = [one for group in page.layers() if group.id == "cables" for one in texts([group])]
        assert len(heads) == len(page.marks)
        for name, low, high in zip(page.marks, heads, [*heads[1:], bottom], strict=True):
            device = next(one for one in made.switches() if one.name == name)
            own = [one for one in rows if low < one.y < high - 9]
            assert sum(one.bold and one.text == "Port" for one in own) >= 1
            far = {
                made.device((link.b if link.a.device_id == device.id else link.a).device_id).name
                for link in made.links_of(device.id)
            }
            assert far <= {one.text for one in own}
        assert all(low - 9 < one.y < bottom for low in heads[:1] for one in rows)


def test_switches_that_share_a_page_stay_above_its_title_block(generated):
    for paper, orientation in (("a4", "landscape"), ("a1", "landscape"), ("a1", "portrait")):
        book = of(pages(generated("dragonfly", p=2, a=4, h=2), paper_of(paper, orientation)), "switches")
        assert len(book[0].marks) > 1
        for page in book:
            bottom = page.paper.frame[3] - HEIGHT - INSET
            drawn = [one for group in page.layers() if group.id != "title-block" for one in texts([group])]
            assert max(one.y for one in drawn) < bottom


def test_a_switch_that_needs_a_page_has_one_of_its_own(book):
    mixed = of(pages(document.load(EXAMPLES / "fat-tree-16-2to1.fabric")), "switches")
    assert [page.marks for page in mixed] == [
        ("leaf-01",),
        ("leaf-02",),
        ("leaf-03",),
        ("leaf-04",),
        ("spine-01", "spine-02"),
    ]
    assert all(len(page.marks) <= 1 for page in of(book, "switches"))


def test_racks_share_pages_for_what_their_own_have_no_room_for():
    made = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    made.apply(number_cables(made))
    made.apply(networks.build(made, NetworkParameters(storage_switch="nvidia-qm9700"), catalog.load()))
    book = of(pages(made, which=("racks", "switches")), "racks")
    shared = [page for page in book if re.search(" to .*: cables by port", page.title)]
    assert shared
    assert len({page.title for page in shared}) == len(shared)
    listed = {one.text for page in book for one in texts(group for group in page.layers() if group.id == "cables")}
    servers = {one.name for one in made.servers() if made.placements[one.id].rack_id}
    assert servers <= listed
    for page in shared:
        names = [one.text for one in texts(group for group in page.layers() if group.id == "cables") if one.bold]
        names = [one for one in names if "gpu" in one]
        assert names[0].endswith(", continued") or names[0] in servers


def test_a_server_that_goes_on_names_both_pages():
    made = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    made.apply(networks.build(made, NetworkParameters(storage_switch="nvidia-qm9700"), catalog.load()))
    both = [
        word
        for page in pages(made, which=("racks",))
        for word in words(page, "equipment")
        if re.fullmatch("[0-9]+, [0-9]+", word)
    ]
    assert both
    assert all(int(one.split(", ")[0]) < int(one.split(", ")[1]) for one in both)


def test_lengths_of_routes_are_said_to_be_no_lengths_to_order():
    made = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    said = " ".join(words(next(page for page in pages(made, which=("switches",))), "heading"))
    assert "Lengths are those of the routes; the cable plan has the ordered ones." in said
    plain = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    said = " ".join(words(next(page for page in pages(plain, which=("switches",))), "heading"))
    assert "Lengths are those of the routes" not in said

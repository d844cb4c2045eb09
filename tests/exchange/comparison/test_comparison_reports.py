"""Comparisons as page and workbook: the picture in the colors of the differences, figures, bill and every row."""

import re
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from openpyxl import load_workbook

from designer import api
from designer.analysis.billing.price import Price
from designer.analysis.billing.prices import PriceList
from designer.analysis.billing.terms import CostTerms
from designer.analysis.comparing import compare
from designer.catalog.catalog import load
from designer.drawing.composition import Composition, laid_over
from designer.drawing.level_of_detail import detail_at
from designer.drawing.lines import Lines
from designer.drawing.theme import LIGHT
from designer.exchange.as_built.as_design import as_built_design
from designer.exchange.as_built.fault import MISSING, SWAPPED, AsBuilt, Fault
from designer.exchange.comparison import marking, two_pictures
from designer.exchange.comparison.compared import side_names
from designer.exchange.comparison.figure_rows import FigureRow, Measure
from designer.exchange.comparison.figures import figures_of
from designer.exchange.comparison.marking import both, marked_changes, marked_faults
from designer.exchange.comparison.report import (
    NO_DRAWING,
    page_of,
    report_as_built,
    report_of_designs,
    write_report_book,
)
from designer.exchange.diagram_svg import svg_of
from designer.model import operations, removing
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Revision
from designer.simulation.reported import REPORTED_TRAFFIC
from designer.topologies import dragonfly, fat_tree, rail_optimized
from designer.units import format_time

NAMES = ("plan.fabric", "<b>new</b>.fabric")


@pytest.fixture(scope="module")
def pod():
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        switch="nvidia-qm9700", server="dgx-h100", servers=8, servers_per_su=8, reserve_leaf_ports=4
    )
    design.apply(rail_optimized.build(design, parameters, load()))
    return design


def change(design, *pairs):
    design.apply(Edit("change", tuple(Change(before, after) for before, after in pairs)))


@pytest.fixture(scope="module")
def later(pod):
    """Another switch with two links, a server less, and two cables in each other's port."""
    design = pod.snapshot()
    design.apply(removing.delete(design, [design.find("gpu-08").id]))
    one, other = (design.links_of(design.find(name).id)[0] for name in ("gpu-01", "gpu-02"))
    change(design, (one, replace(one, b=other.b)), (other, replace(other, b=one.b)))
    type_ = design.types["nvidia-qm9700"]
    design.apply(operations.add_device(design, type_, 900, -300, catalog_types={}, name="ufm"))
    design.apply(operations.connect_devices(design, design.find("ufm").id, design.find("leaf-su1-r1").id, 2))
    return design


@pytest.fixture(scope="module")
def report(pod, later):
    return report_of_designs(pod, NAMES, compare(pod, later), figures_of(pod, later))


def test_the_page_has_picture_figures_and_every_difference(report):
    page = page_of(report)
    assert "://" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page) and "<script" not in page
    assert "&lt;b&gt;new&lt;/b&gt;" in page and "<b>new" not in page
    assert page.partition("<h2>Loads")[0].count("<svg") == 1 and "Miswired" in page and "Removed" in page
    assert all(
        word in page
        for word in (
            "All-reduce, ring, 1 GiB",
            "Bisection bandwidth",
            "Power, maximum",
            "NIC",
            "Bill of materials",
        )
    )
    ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    assert page == page_of(report)


def test_the_workbook_has_a_sheet_for_figures_differences_and_bill(report, tmp_path):
    write_report_book(report, tmp_path / "out.xlsx")
    book = load_workbook(tmp_path / "out.xlsx")
    assert book.sheetnames == ["Summary", "Differences", "Bill"]
    rows = list(book["Differences"].iter_rows(values_only=True))
    assert rows[0][:3] == ("Change", "Kind", "Name") and len(rows) == len(report.rows) + 1
    write_report_book(report, tmp_path / "again.xlsx")
    assert (tmp_path / "again.xlsx").read_bytes() == (tmp_path / "out.xlsx").read_bytes()


def test_figures_say_how_much_more_the_second_has(pod, later):
    figures = figures_of(pod, later)
    rows = {row.name: row for row in figures.rows}
    assert (rows["Servers"].before, rows["Servers"].after, rows["Servers"].change_text) == (8, 7, "−1 (−12.5 %)")
    assert rows["Switches"].change == 1 and rows["All-reduce, ring, 1 GiB"].before > 0
    assert sum(part.change for part in figures.parts if part.kind == "server") == -1
    same = figures_of(pod, pod.snapshot())
    simulated = {row.name for row in same.rows if row.is_simulated}
    assert same.parts == () and len(simulated) == 3
    assert all(row.change_text == ("no change" if row.name in simulated else "") for row in same.rows)


def test_the_figures_of_the_workbook_are_numbers_in_a_unit_and_a_format_each(report, tmp_path):
    write_report_book(report, tmp_path / "out.xlsx")
    sheet = load_workbook(tmp_path / "out.xlsx")["Summary"]
    shown = {row[0].value: row[1:6] for row in sheet.iter_rows()}
    assert [cell.value for cell in shown["Servers"]] == [8, 7, -1, None, -0.125]
    assert [cell.number_format for cell in shown["Servers"][:3]] == ["#,##0_)"] * 3
    assert shown["Servers"][4].number_format == "0.0%_)"
    for row in report.figures.rows:
        before, after, _change, unit, _share = shown[row.name]
        for cell, figure in ((before, row.before), (after, row.after)):
            assert cell.value == ("not known" if figure is None else pytest.approx(figure / row.measure.of_one))
        assert (unit.value or "") == row.measure.unit
    assert shown["All-reduce, ring, 1 GiB"][3].value == "ms"
    assert {type(cell.value) for cells in shown.values() for cell in cells[:2]} <= {int, float, str, type(None)}


def test_a_change_that_is_no_more_than_noise_is_none_in_the_workbook():
    slight = FigureRow("x", 1.0, 1.0009, Measure(str), is_simulated=True)
    assert (slight.clear_change, slight.clear_share) == (0.0, 0.0)
    assert FigureRow("x", 0, 3, Measure(str)).clear_share is None
    assert FigureRow("x", None, 3, Measure(str)).clear_change is None


@pytest.mark.parametrize(
    ("before", "after", "is_share", "text"),
    [
        (4, 6, False, "+2 (+50 %)"),
        (0, 3, False, "+3"),
        (2.0, 1.0, True, "−50 %"),
        (None, 1, False, ""),
        (5, 5, False, ""),
    ],
)
def test_a_change_is_said_with_its_sign_and_share(before, after, is_share, text):
    assert FigureRow("x", before, after, Measure("{:g}".format), is_share=is_share).change_text == text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (8.755e-3, 8.755e-3 - 344.7e-9, "no change"),
        (1.0, 1.0009, "no change"),
        (1.0, 0.9, "−0.1 (−10 %)"),
        (1.0, 1.0, "no change"),
        (None, 1.0, ""),
    ],
)
def test_what_a_run_says_changes_by_more_than_its_noise_or_not_at_all(before, after, text):
    assert FigureRow("x", before, after, Measure("{:g}".format), is_simulated=True).change_text == text


def test_an_upper_bound_of_the_bisection_is_called_so_where_either_side_has_one(pod):
    bound = api.generate("pgft", children=(2, 2, 2), parents=(1, 2, 1))
    for ours, theirs, name in (
        (pod, pod.snapshot(), "Bisection bandwidth"),
        (pod, bound, "Bisection bandwidth, upper bound"),
        (bound, pod, "Bisection bandwidth, upper bound"),
    ):
        assert [row.name for row in figures_of(ours, theirs).rows if row.name.startswith("Bisection")] == [name]


def test_without_a_result_the_reason_stands_in_its_place(pod):
    rows = {row.name: row for row in figures_of(Design(), pod).rows}
    assert rows["All-reduce, ring, 1 GiB"].before is None and rows["All-reduce, ring, 1 GiB"].note


def test_what_only_one_design_has_is_drawn_and_has_the_color_of_its_change(pod, later):
    marked = marked_changes(pod, compare(pod, later))
    shown = both(pod, marked)
    code = {title.title: number for number, title in enumerate(marking.CHANGES)}
    by_name = {one.name: marked.marks.of.get(one.id, 0) for one in shown.devices.values()}
    assert by_name["ufm"] == code["Added"] and by_name["gpu-08"] == code["Removed"] and by_name["gpu-03"] == 0
    crossed = [one for one, number in marked.marks.of.items() if number == code["Miswired"]]
    ends = {frozenset((shown.links[one].a, shown.links[one].b)) for one in crossed}
    assert len(crossed) == 4 and {frozenset((later.links[one].a, later.links[one].b)) for one in crossed[:2]} < ends


def test_of_links_in_one_line_the_worst_has_its_color(pod):
    """A spine has many links to a leaf, drawn as one line; one of them is missing."""
    composition = Composition(pod)
    uplinks = [one for one in pod.links_of(pod.find("leaf-su1-r1").id) if not pod.is_server(one.a.device_id)]
    found = AsBuilt((Fault(MISSING, "here", link_id=uplinks[0].id),), 1, 0, 0)
    composition.colouring.show_marks(marked_faults(pod, found).marks)
    picture = composition.picture(LIGHT, _detail(composition), None)
    assert isinstance(picture.lines, Lines)
    assert (picture.coloured.lines == len(marking.FAULTS) - 1).sum() == 1
    composition.colouring.show_marks(None)
    assert composition.picture(LIGHT, _detail(composition), None).coloured.lines is None


def _detail(composition):
    return detail_at(0.2, 20, len(composition.bundles.pairs), len(composition.projection.link_ids))


def test_a_report_of_what_was_built_explains_its_kinds_and_draws_cables_as_found(pod):
    one, other = (pod.links_of(pod.find(name).id)[0] for name in ("gpu-01", "gpu-02"))
    swapped = (
        Fault(SWAPPED, "gpu-01", link_id=one.id, ends=(one.a, other.b)),
        Fault(SWAPPED, "gpu-02", link_id=other.id, ends=(other.a, one.b)),
        Fault(MISSING, "=1+1", link_id=pod.links_of(pod.find("gpu-03").id)[0].id),
    )
    found = AsBuilt(swapped, 64, 61, 63)
    report = report_as_built(pod, ("plan", "found"), found, figures_of(pod, as_built_design(pod, found)[0]))
    assert len(report.marked.edit.changes) == 2
    page = page_of(report)
    assert "A cable in a port where another one is planned" in page and "Swapped" in page
    assert {row.name: row for row in report.figures.rows}["Links"].change == -1


def test_an_extra_cable_at_an_unknown_device_is_listed_and_not_drawn(pod):
    fault = Fault("extra", "leaf-su1-r1 port 9", found="tap port 1", ends=(End("d1", "rail1"), End("", "tap port 1")))
    assert marked_faults(pod, AsBuilt((fault,), 1, 1, 2)).edit.changes == ()


def test_parts_have_quantity_price_and_total_of_both_sides_where_prices_are_known(pod, later):
    prices = PriceList("p.csv", {"dgx h100": Price(Decimal(1000), "USD", "2026-11-01", Decimal("0.1"))})
    figures = figures_of(pod, later, prices=prices, terms=CostTerms(pue=1.5))
    server = next(part for part in figures.parts if part.kind == "server")
    assert (server.unit_price, server.currency, server.cost_change) == (1000, "USD", -900)
    assert server.cost_before - server.cost_after == 900
    others = [part for part in figures.parts if part.kind != "server"]
    assert others and all(part.cost_change is None and part.cost_before is None for part in others)
    capital = next(row for row in figures.rows if row.name == "Capital, USD")
    assert capital.change == -900 and "without a price" in capital.note


def test_the_picture_of_two_designs_counts_nothing_of_their_sum(pod, later):
    """Links that lead elsewhere are drawn twice: titles, notes and labels would count both."""
    texts = re.findall(r">([^<>]*)<", svg_of(pod))
    assert any("servers" in one for one in texts) and any(re.search(r"\d × 400G|×\d", one) for one in texts)
    page = page_of(report_of_designs(pod, NAMES, compare(pod, later), figures_of(pod, later)))
    drawn = page[page.index("<svg") : page.index("</svg>")]
    said = [one for one in re.findall(r">([^<>]*)<", drawn) if one.strip()]
    sums = re.compile(r"\d+ (spine|leaf switch|server|link|device)|×|ports used")
    assert "gpu-01" in drawn and not [one for one in said if sums.search(one)]


def test_a_drawing_of_two_designs_shows_every_device_and_no_counts(pod):
    plain, over = Composition(pod), laid_over(pod)
    plain_picture, picture = (one.picture(LIGHT, _detail(one)) for one in (plain, over))
    assert plain_picture.containers[0].note and not any(one.note or one.detail for one in picture.containers)
    assert plain_picture.tiers() is not None and picture.tiers() is None and picture.tier_titles == ()
    rows = np.arange(2)
    assert plain_picture.link_texts(rows) and picture.link_texts(rows) == ()
    assert plain_picture.caption(0).total and not picture.caption(0).total


@pytest.fixture(scope="module")
def alternative(pod):
    """The same servers and switches, every server on two leaf switches more: most links lead elsewhere."""
    design = Design()
    parameters = fat_tree.FatTreeParameters(switch="nvidia-qm9700", server="dgx-h100", servers=8)
    design.apply(fat_tree.build(design, parameters, load()))
    design.file_stem = "fat"
    return design


def test_alternatives_lead_with_figures_under_their_names_and_fold_what_differs(pod, alternative):
    found = compare(pod, alternative)
    assert "no revision in common" in found.alternatives
    names = ("Rail", "Fat")
    page = page_of(report_of_designs(pod, names, found, figures_of(pod, alternative)))
    assert page.index("<table") < page.index("<svg") < page.index("<details>") and "Miswired" not in page
    assert '<th class="right">Rail</th>' in page and "Only in" in page and "miswired" not in page
    rows = {row.name: row for row in figures_of(pod, alternative).rows}
    assert {"All-to-all, direct, 1 GiB", "Transceivers", "Switches, QM9700"} <= rows.keys()
    cut_off, slower = rows["GPUs that one failure cuts off"], rows["Slowdown by one failure, all-reduce, ring"]
    assert (cut_off.before, cut_off.after, cut_off.change_text) == (0, 32, "+32") and "switch leaf-" in cut_off.note
    assert slower.before > 1 == slower.after and slower.measure.text(slower.before).endswith("× the time")
    assert "switch leaf-" in slower.note and "GPUs that are cut off do not count" in slower.note
    assert slower.note.startswith("the time with the worst single failure of a switch") and "1.00×" in slower.note


def test_versions_of_one_design_are_no_alternatives(pod, later, alternative):
    assert compare(pod, later).alternatives == ""
    shared = Revision("v1", "1", "2026-11-01", digest="d" * 64)
    one, other = pod.snapshot(), alternative.snapshot()
    for design in (one, other):
        design.apply(Edit("record", (Change(None, shared),)))
    assert compare(one, other).alternatives == "" and compare(pod, other).alternatives


def test_both_sides_are_called_by_their_names_and_untitled_ones_by_their_files(pod, alternative):
    named = pod.snapshot()
    named.apply(Edit("name", (Change(named.settings, replace(named.settings, name="Rail 64")),)))
    assert side_names(named, alternative) == ("Rail 64", "fat")
    other = named.snapshot()
    named.file_stem, other.file_stem = "a", "b"
    assert side_names(named, other) == ("Rail 64 (a)", "Rail 64 (b)")
    (row,) = [one for one in compare(alternative, named).differences if one.kind == "design" and one.what == "name"]
    assert (row.before, row.after) == ("fat", "Rail 64")


@pytest.fixture(scope="module")
def dragonflies():
    """Of 12 and of 72 routers: neither has a device of the pod."""
    made = []
    for groups in (3, 9):
        design = Design()
        parameters = dragonfly.DragonflyParameters(p=2, a=8, h=1, groups=groups)
        design.apply(dragonfly.build(design, parameters, load()))
        made.append(design)
    return made


def test_designs_with_little_in_common_are_drawn_next_to_each_other_the_earlier_one_first(pod, dragonflies):
    names, other = ("Rail", "Fly"), dragonflies[0]
    page = page_of(report_of_designs(pod, names, compare(pod, other), figures_of(pod, other)))
    page = page.partition("<h2>Loads</h2>")[0]
    assert page.count("<svg") == 2 and page.count('<div class="pair">') == 1
    first, second = re.findall(r"<svg.*?</figcaption>", page, re.DOTALL)
    assert "Only in Rail" in first and "Only in Fly" not in first and ">Rail</figcaption>" in first
    assert "Only in Fly" in second and "Only in Rail" not in second and ">Fly</figcaption>" in second
    widths = {re.search(r'viewBox="\S+ \S+ (\S+) ', one)[1] for one in (first, second)}
    assert len(widths) == 1


@pytest.mark.parametrize("swap", [False, True])
def test_both_pictures_have_one_scale_whichever_design_is_larger(pod, dragonflies, swap):
    sides = [two_pictures.Side("one", pod), two_pictures.Side("other", dragonflies[1])]
    sides = sides[::-1] if swap else sides
    marks = marking.marked_changes(sides[0].design, compare(sides[0].design, sides[1].design)).marks
    size = two_pictures._of_one_scale(sides, marks)
    one, other = (two_pictures._drawn(side, marks, size, "light") for side in sides)
    assert one.scale == other.scale and one.area[2] == other.area[2]
    alone = [two_pictures._drawn(side, marks, two_pictures.HALF, "light").scale for side in sides]
    assert one.scale == pytest.approx(min(alone), rel=0.1) and len(set(alone)) == 2


@pytest.mark.parametrize("grows", [True, False])
def test_the_larger_design_is_drawn_with_its_own_rows_and_what_only_the_other_one_has(generate, grows):
    shape = {"server": "dgx-h100", "servers": 64, "servers_per_su": 32, "oversubscription": 2}
    small, large = (generate("rail-optimized", **shape, spines=spines) for spines in (4, 8))
    before, after = (small, large) if grows else (large, small)
    found = compare(before, after)
    report = report_of_designs(before, ("A", "B"), found, figures_of(before, after))
    shown = both(report.drawn[0], report.marked)
    places = {one.name: shown.placements[one.id] for one in shown.devices.values() if one.role == "spine"}
    assert {name: (one.x, one.y) for name, one in places.items()} == {
        one.name: (large.placements[one.id].x, large.placements[one.id].y)
        for one in large.devices.values()
        if one.role == "spine"
    }
    classes = {report.marked.marks.classes[report.marked.marks.of.get(one.id, 0)].title for name, one in places.items()}
    assert any(title.endswith("B" if grows else "A") and "n" in title for title in classes)
    assert report.design is before


@pytest.mark.parametrize(("n_shared", "is_little"), [(9, False), (8, True), (0, True)])
def test_from_half_of_the_smaller_design_on_both_are_in_one_picture(pod, n_shared, is_little):
    shared = list(pod.devices)[:n_shared]
    n_own = len(pod.devices) - n_shared + 40
    after = SimpleNamespace(devices=dict.fromkeys([*shared, *(f"x{n}" for n in range(n_own))]))
    assert len(pod.devices) == 17
    assert two_pictures.share_little(pod, SimpleNamespace(alignment=SimpleNamespace(design=after))) is is_little


def test_an_empty_design_is_in_one_picture_with_what_was_added(pod):
    assert not two_pictures.share_little(Design(), compare(Design(), pod))


def test_a_page_without_a_drawing_says_why():
    empty = Design()
    figures = figures_of(empty, empty)
    page = page_of(report_of_designs(empty, NAMES, compare(empty, empty), figures))
    assert NO_DRAWING in page and "<svg" not in page
    assert NO_DRAWING in page_of(report_as_built(empty, NAMES, AsBuilt((), 0, 0, 0), figures))


def test_the_page_has_the_loads_of_both_sides_on_one_scale_where_both_have_runs(pod, later):
    figures = figures_of(pod, later)
    page = page_of(report_of_designs(pod, ("Plan", "Built"), compare(pod, later), figures))
    loads = page.partition("<h2>Loads</h2>")[2].partition("<h2>Figures</h2>")[0]
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", loads)
    assert [one.partition(":")[0] for one in captions] == ["Plan", "Built"] * len(REPORTED_TRAFFIC)
    for (before, after), here in zip(figures.runs, (captions[:2], captions[2:]), strict=True):
        for run, caption in zip((before, after), here, strict=True):
            assert run.result.run_text in caption and format_time(run.result.time_s) in caption
        assert (before.design, after.design) == (pod, later)
    assert figures.swapped.runs == tuple((after, before) for before, after in figures.runs)
    scales = [one.count("Peak utilization") for one in re.findall(r"<svg.*?</svg>", loads, re.DOTALL)]
    assert len(scales) == 4 and all(scales)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert "<h2>Loads" not in page_of(report_of_designs(pod, NAMES, compare(pod, later), figures_of(pod, Design())))


def test_loads_of_designs_too_large_for_a_page_are_not_drawn(pod, monkeypatch):
    monkeypatch.setattr(two_pictures, "LINKS_MOST", len(pod.links) - 1)
    both = next(iter(figures_of(pod, pod).runs))
    (said,) = two_pictures.loads_apart(("a", both[0]), ("b", both[1]), "x")
    assert "are too large for this page" in said and "<svg" not in said


def test_wide_pictures_of_loads_stand_below_each_other_at_one_scale(generate, monkeypatch):
    made = []
    monkeypatch.setattr(two_pictures, "_drawn", lambda *given: made.append(real(*given)) or made[-1])
    wide = generate("rail-optimized", server="dgx-h100", servers=32, servers_per_su=16)
    before, after = next(iter(figures_of(wide, wide).runs))
    shown = list(two_pictures.loads_apart(("a", before), ("b", after), "x"))
    assert len(shown) == 2 and not any('class="pair"' in one for one in shown)
    assert len({one.scale for one in made}) == 1
    monkeypatch.setattr(two_pictures, "WIDE", 1e9)
    (shown,) = two_pictures.loads_apart(("a", before), ("b", after), "x")
    assert 'class="pair"' in shown


real = two_pictures._drawn

"""Labels of cables: what their template may hold, both ends of every cable, their length, their sheets and codes."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QHashSeed

from designer.analysis.cable_numbers import number_cables
from designer.canvas.formats import LABELS
from designer.catalog.catalog import load
from designer.drawing.parts.primitives import Text
from designer.drawing.sheets.paper import POINTS_PER_MM
from designer.errors import DesignerError, ExportError, ParameterError
from designer.exchange.exporters_plan import plan_rows
from designer.exchange.labels import files
from designer.exchange.labels.files import pages
from designer.exchange.labels.labels import Label, wrapped
from designer.exchange.labels.options import LabelOptions
from designer.exchange.labels.sheets import MASK, READABLE, sheets
from designer.exchange.labels.template import FIELDS, PRESETS, parse
from designer.exchange.plan_options import BothWaysOptions
from designer.exchange.revisions import design_digest
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.hardware.media import MediumType
from designer.topologies import fat_tree

CATALOG = load()


@pytest.fixture(scope="module")
def pod():
    """Two DGX H100 below a leaf switch with twin-port cages; racks, routes and cables as generating gives them."""
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters(servers=8), CATALOG))
    design.apply(number_cables(design))
    design.apply(operations.set_settings(design, site="Lab 2", project="Aurora"))
    return design


def labels(design, **options):
    return files.made(design, LabelOptions(**options))


def texts(parts):
    for part in parts:
        if hasattr(part, "parts"):
            yield from texts(part.parts)
        elif hasattr(part, "text"):
            yield part.text


# -- templates ------------------------------------------------------------------------------------------------------


def test_the_606_b_preset_prints_rack_unit_and_port_of_the_near_end_first_as_the_standard_shows():
    values = {
        "near.place": "4BK01-55",
        "near.port": "50",
        "far.place": "DC.C03-14",
        "far.port": "04",
    }
    assert parse("tia-606-b").filled(values) == "4BK01-55:50/DC.C03-14:04"
    assert parse("tia-606-b").filled({**values, "near.port": "1/2"}) == "4BK01-55:1/2 / DC.C03-14:04"


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{near.rak}", "did you mean {near.rack}?"),
        ("{rack}", "rack}?"),
        ("{near.rack", "brace without its partner"),
        ("near.rack}", "brace without its partner"),
        ("{near.unit:>9}", "{near.unit:02}"),
        ("{near.unit!r}", "{near.unit:02}"),
        ("{near.__class__}", "no field"),
        ("{0}", "no field"),
        ("   ", "is empty"),
        ("x" * 501, "501 characters"),
    ],
)
def test_a_template_that_cannot_be_read_is_refused_in_one_sentence(template, says):
    with pytest.raises(ParameterError) as refused:
        parse(template)
    assert says in str(refused.value) and "\n" not in str(refused.value)


def test_the_ends_may_be_written_with_an_underscore():
    assert parse("{near_rack}>{far_rack}").filled({"near.rack": "A", "far.rack": "B"}) == "A>B"


@given(st.text(max_size=60) | st.sampled_from(list(FIELDS)).map(lambda name: f"{{{name}}}"))
def test_any_text_is_a_template_or_is_refused(text):
    try:
        filled = parse(text).filled(dict.fromkeys(FIELDS, "7"))
    except DesignerError:
        return
    assert isinstance(filled, str)


def test_every_field_has_a_value_on_every_label(pod):
    every = "|".join(f"{{{name}}}" for name in FIELDS)
    label = labels(pod, template=every, order="cable")[0]
    assert set(label.values) == set(FIELDS) - {"slash"}
    assert label.text.count("|") == len(FIELDS) - 1
    for known in ("Lab 2", "Aurora", "C0001", "compute", "400G"):
        assert known in label.text


@pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.name)
def test_every_preset_makes_labels_of_a_design(pod, preset):
    assert all(label.text for label in labels(pod, template=preset.name))


def test_the_template_of_the_design_is_used_where_none_is_given(pod):
    own = pod.snapshot()
    own.apply(operations.set_settings(own, label_template="{cable} {end}"))
    assert labels(own, order="cable")[0].text == "C0001 A"
    assert labels(own, order="cable", template="{cable}")[0].text == "C0001"


def test_the_cable_plan_has_the_labels_of_the_designs_template(pod):
    own = pod.snapshot()
    own.apply(operations.set_settings(own, label_template="{end} {cable} {near.device}>{far.device}"))
    plain, _ = plan_rows(pod)
    rows, _ = plan_rows(own)
    assert rows[0].label_a == f"A {rows[0].cable_id} {rows[0].a_device}>{rows[0].z_device}"
    assert rows[0].label_b == f"Z {rows[0].cable_id} {rows[0].z_device}>{rows[0].a_device}"
    assert [replace(row, label_a="", label_b="") for row in rows] == [
        replace(row, label_a="", label_b="") for row in plain
    ]
    turned, _ = plan_rows(own, BothWaysOptions(both_ways=True))
    printed = {label.text for label in labels(own)}
    assert {row.label_a for row in turned} == printed
    kept = changed(own, list(own.links.values())[:1], label="KEEP")
    assert [row.label_a for row in plan_rows(kept)[0]].count("KEEP") == 1


# -- which labels ---------------------------------------------------------------------------------------------------


def test_each_end_of_each_cable_has_one_label_that_names_the_other(pod):
    made = labels(pod, template="{near.device}:{near.port}>{far.device}:{far.port}")
    cables = {link.cable for link in pod.links.values()}
    assert len(made) == 2 * len(cables)
    there = {tuple(label.text.split(">")) for label in made}
    assert there == {(far, near) for near, far in there}
    assert {label.end for label in made} == {"A", "Z"}
    servers = {one.name for one in pod.servers()}
    assert all(one.end == "A" for one in made if one.values["near.device"] in servers)
    only = labels(pod, ends="a")
    assert {label.end for label in only} == {"A"} and len(only) == len(cables)
    assert {label.end for label in labels(pod, ends="z")} == {"Z"}


def test_far_end_first_exchanges_the_ends(pod):
    near, far = labels(pod), labels(pod, first="far")
    halves = [label.text.replace(" / ", "|") for label in near]
    assert [label.text.replace(" / ", "|").split("|")[::-1] for label in far] == [one.split("|") for one in halves]


def test_labels_stand_by_rack_or_with_both_ends_of_a_cable_together(pod):
    by_cable = labels(pod, order="cable")
    assert [(one.cable, one.end) for one in by_cable[:4]] == [
        ("C0001", "A"),
        ("C0001", "Z"),
        ("C0002", "A"),
        ("C0002", "Z"),
    ]
    racks = [one.values["near.rack"] for one in labels(pod)]
    assert racks == sorted(racks, key=racks.index) and len(set(racks)) > 1


def test_cables_without_a_number_come_last_by_cable_and_networks_are_chosen(pod):
    own = changed(pod, list(pod.links.values())[:1], cable=0)
    last = labels(own, order="cable")[-2:]
    assert [(one.cable, one.end) for one in last] == [("", "A"), ("", "Z")]
    assert labels(own, networks=("storage",)) == []
    assert labels(own, networks=("compute",)) == labels(own)


def changed(design, links, **fields):
    own = design.snapshot()
    own.apply(Edit("change", tuple(Change(link, replace(link, **fields)) for link in links)))
    return own


def test_a_label_that_was_typed_for_a_link_goes_before_the_template(pod):
    own = changed(pod, list(pod.links.values())[:1], label="KEEP")
    assert [label.text for label in labels(own)].count("KEEP") == 2


def test_lanes_of_one_cable_share_a_label_that_names_all_ports():
    design = Design()
    for x in (0, 300):
        design.apply(operations.add_device(design, CATALOG.get("nvidia-qm9700"), x, 0, catalog_types=CATALOG.types))
    design.apply(operations.connect_devices(design, *design.devices, 2))
    twin = next(
        one for one in CATALOG.types.values() if isinstance(one, MediumType) and one.kind == "DAC" and one.links == 2
    )
    changes = tuple(Change(link, replace(link, medium_id=twin.id)) for link in design.links.values())
    design.apply(Edit("cables", (Change(None, twin), *changes)))
    design.apply(number_cables(design))
    made = labels(design, template="{cable} {near.port} {near.cage}")
    assert [label.text for label in made] == ["C0001 1/1,1/2 1", "C0001 1/1,1/2 1"]


# -- length ---------------------------------------------------------------------------------------------------------


def test_labels_over_the_limit_are_refused_wrapped_or_cut(pod):
    with pytest.raises(ExportError, match=r"labels? of \d+ are longer than 12 characters, the longest with") as refused:
        labels(pod, length=12)
    named = re.search(r"end ([AZ]) of (C\d+)\)", str(refused.value))
    (worst,) = [one for one in labels(pod) if (one.end, one.cable) == named.groups()]
    assert max(map(len, worst.lines)) == max(len(line) for one in labels(pod) for line in one.lines)
    wrapped_ones = labels(pod, length=12, too_long="wrap")
    whole = labels(pod)
    assert all(len(line) <= 12 for label in wrapped_ones for line in label.lines)
    assert [label.text.replace("\n", "").replace(" ", "") for label in wrapped_ones] == [
        label.text.replace(" ", "") for label in whole
    ]
    assert not any(label.is_cut for label in wrapped_ones)
    cut = labels(pod, length=12, too_long="cut")
    assert all(label.is_cut and label.text.endswith("…") and len(label.text) <= 12 for label in cut)


@given(st.text(alphabet="ab/-: 1", max_size=60), st.integers(4, 20))
def test_wrapping_loses_nothing_but_blanks_and_slashes_alone_in_a_line(line, most):
    lines = wrapped(line, most)
    assert all(len(one) <= most for one in lines)
    assert "/" not in lines or len(lines) == 1
    lost = line.replace(" ", "").count("/") - "".join(lines).count("/")
    assert lost >= 0 and "".join(lines).replace(" ", "").replace("/", "") == line.replace(" ", "").replace("/", "")


def test_a_slash_between_ends_as_wide_as_the_label_has_no_line_of_its_own():
    assert wrapped("leaf01port9 / gpu01rail1x", 12) == ["leaf01port9", "gpu01rail1x"]
    assert wrapped("a-01:1/1 / b-01:1", 11) == ["a-01:1/1 /", "b-01:1"]
    assert wrapped("/", 4) == ["/"]


# -- files ----------------------------------------------------------------------------------------------------------


def test_the_list_for_label_printers_has_a_row_a_label_and_runs_no_formula(pod, tmp_path):
    path = tmp_path / "labels.csv"
    LABELS.write(pod, path, {"template": "={cable}\\n{far.device}"})
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode())))
    assert len(rows) == len(labels(pod))
    assert rows[0]["line_1"] == f"'={rows[0]['cable']}"
    assert rows[0]["qr"] == rows[0]["cable"] and rows[0]["line_2"] == rows[0]["far_device"]


def test_a_list_for_excel_starts_with_a_byte_order_mark(pod):
    assert files.csv_bytes(pod, LabelOptions(byte_order_mark=True)) == b"\xef\xbb\xbf" + files.csv_bytes(
        pod, LabelOptions()
    )


def test_a_sheet_begun_is_used_up_and_the_rest_goes_to_more_sheets(pod):
    made = labels(pod)
    options = LabelOptions(grid=(2, 5), width=80.0, height=40.0, start=9)
    pages = sheets(made, options)
    assert len(pages) == -(-(len(made) + 8) // 10)
    assert pages[0].title == f"Sheet 1 of {len(pages)}"
    printed = [group.title for page in pages for group in list(page.layers()[1].parts)]
    assert printed == [label.text for label in made]


def test_all_of_a_label_is_printed_however_it_is_broken(pod):
    made = labels(pod)
    for options in (LabelOptions(), LabelOptions(qr=False), LabelOptions(width=25.0, height=15.0)):
        page = sheets(made, options)[0]
        for group in list(page.layers()[1].parts):
            said = [one for one in texts(group.parts) if one not in {label.cable for label in made}]
            whole = group.title.replace("\n", "").replace(" ", "")
            # A break between the ends stands for the slash where it would have a line of its own.
            assert "".join(said).replace(" ", "") in (
                whole,
                whole.replace("/net", "net"),
                whole.replace("/rack", "rack"),
            )
            assert "/" not in said


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("inband-net-01-41:swp1/rack-01-01:Slot3 P1", ["inband-net-01-41:", "swp1/", "rack-01-01:Slot3 P1"]),
        ("router-g39-16:16/router-g39-12:19", ["router-g39-16:16/", "router-g39-12:19"]),
        ("net-05-27:10/1 / net-02-41:32/1", ["net-05-27:10/1 /", "net-02-41:32/1"]),
        ("storage-net-room-07:1/a:2", ["storage-net-room-07:1/", "a:2"]),
        ("storage-net-room-107:11/a:2", ["storage-net-room-107:", "11/", "a:2"]),
    ],
)
def test_names_on_labels_stay_whole_and_each_end_begins_a_line(line, broken):
    label = Label("C0001", "A", (line,), False, {})
    (group,) = sheets([label], LabelOptions())[0].layers()[1].parts
    assert [one for one in texts(group.parts) if one != "C0001"] == broken


def sizes_of(*lines):
    """The size of the letters of each label of a sheet."""
    labels = [Label("C1", "A", (line,), False, {}) for line in lines]
    groups = sheets(labels, LabelOptions())[0].layers()[1].parts
    return [{part.size for part in group.parts if isinstance(part, Text) and part.text != "C1"} for group in groups]


def test_letters_of_a_sheet_have_one_size_and_a_very_long_label_does_not_make_the_others_small():
    short, long = "net-01-42:1/1 / rack-01-01:OSFP4P2", "net-room-01-42:10/2 / rack-01-01:OSFP4P2"
    (alone,), (narrow,) = sizes_of(short), sizes_of(long)
    assert max(alone) > max(narrow) >= READABLE
    assert sizes_of(short, long, short) == [narrow, narrow, narrow]
    very_long = "/".join(["a-rack-with-a-very-long-name-indeed-and-yet-longer-01-42"] * 2)
    (tiny,) = sizes_of(very_long)
    assert max(tiny) < READABLE and sizes_of(short, very_long) == [alone, tiny]


def test_each_sheet_of_labels_says_what_it_is_of_and_which_of_how_many(pod):
    options = LabelOptions(grid=(2, 5), width=80.0, height=40.0)
    found = pages(pod, options)
    digest = design_digest(pod)[:12]
    for number, page in enumerate(found, 1):
        (head,) = (group for group in page.layers() if group.id == "heading")
        assert list(texts(head.parts)) == [
            f"{pod.name}: cable labels; revision not issued, design digest {digest}; preliminary, not for construction",
            f"Sheet {number} of {len(found)}",
        ]
        foot = max(one.y for one in head.parts)
        assert foot < min(group.at[1] for group in page.layers()[1].parts)
    full = pages(pod, LabelOptions(grid=(2, 7), width=80.0, height=42.0))
    assert [group.id for group in full[0].layers()] == ["paper", "labels"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"grid": (6, 13)}, "mm wide, the paper a4 is 210 mm"),
        ({"grid": (5, 15)}, "mm high"),
        ({"grid": (5,)}, "two numbers"),
        ({"width": 6.0, "height": 6.0}, "does not fit 6 x 6 mm"),
    ],
)
def test_what_does_not_fit_the_paper_or_the_label_is_refused_with_the_sizes(pod, options, says):
    with pytest.raises(ExportError, match=says):
        [page.layers() for page in sheets(labels(pod), LabelOptions(**options))]


def test_the_code_holds_the_number_of_the_cable(pod):
    made = labels(pod)
    group = next(iter(sheets(made, LabelOptions())[0].layers()[1].parts))
    bars = next(part for part in group.parts if hasattr(part, "xywh"))
    module = bars.xywh[:, 3].min()
    left, top = bars.xywh[:, 0].min(), bars.xywh[:, 1].min()
    matrix = [list(map(int, row)) for row in segno.make_qr(made[0].cable, error="m", mask=MASK).matrix]
    drawn = [[0] * len(matrix) for _ in matrix]
    for x, y, width, _ in bars.xywh:
        for n in range(round(width / module)):
            drawn[round((y - top) / module)][round((x - left) / module) + n] = 1
    assert drawn == matrix
    assert made[0].cable in list(texts(group.parts))


def test_labels_stand_in_the_middle_of_the_paper(pod):
    """As much paper is left to the left as to the right, above as below, whatever the gaps between labels are."""
    options = LabelOptions(grid=(2, 5), width=80.0, height=40.0, column_gap=6.0, row_gap=9.0)
    page = sheets(labels(pod), options)[0]
    at = np.array([group.at for group in page.layers()[1].parts]) / POINTS_PER_MM
    size = np.array([options.width, options.height])
    assert at.min(axis=0) == pytest.approx((page.width_mm, page.height_mm) - (at.max(axis=0) + size))
    assert np.unique(at[:, 0].round(6)).tolist() == pytest.approx([22.0, 108.0])
    assert np.diff(np.unique(at[:, 1].round(6))) == pytest.approx(49.0)


@pytest.mark.parametrize(("width", "height"), [(38.0, 21.2), (80.0, 30.0), (60.0, 14.0)])
def test_a_code_and_the_number_below_it_stand_in_the_middle_of_their_part_of_the_label(pod, width, height):
    options = LabelOptions(grid=(1, 1), width=width, height=height, template="devices")
    made = labels(pod)
    (group,) = list(sheets(made[:1], options)[0].layers()[1].parts)
    bars = next(part for part in group.parts if hasattr(part, "xywh")).xywh
    number = next(part for part in group.parts if getattr(part, "text", "") == made[0].cable)
    module = bars[:, 3].min()
    left, top = bars[:, :2].min(axis=0) - 2 * module  # two modules are left white around a code
    right, bottom = (bars[:, :2] + bars[:, 2:]).max(axis=0) + 2 * module
    assert right - left == pytest.approx(bottom - top)
    assert number.x == pytest.approx((left + right) / 2) and number.anchor == "middle"
    foot = 6 * 1.15
    assert top == pytest.approx(height * POINTS_PER_MM - bottom - foot)
    assert bottom < number.y < bottom + foot
    texts_left = min(part.x for part in group.parts if hasattr(part, "text") and part is not number)
    padding = min(1.2, height / 8, width / 8) * POINTS_PER_MM
    room = texts_left - 2 * padding  # the part of the label that a code may take
    assert (left + right) / 2 == pytest.approx(padding + room / 2)


def test_a_cable_without_a_number_has_a_label_without_a_code():
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters(servers=8), CATALOG))
    page = sheets(labels(design), LabelOptions())[0]
    assert not any(hasattr(part, "xywh") for group in page.layers()[1].parts for part in group.parts)


def test_sheets_are_the_same_bytes_in_every_process(pod, tmp_path, qapp):
    """Qt orders the fonts of a file by a seed that is drawn when a process starts."""
    for name in "abcdef":
        QHashSeed.resetRandomGlobalSeed()
        options = {"template": "number-and-ends", "grid": "2x8", "width": "80", "height": "30", "networks": "compute"}
        LABELS.write(pod, tmp_path / f"{name}.pdf", options)
    assert len({path.read_bytes() for path in tmp_path.glob("*.pdf")}) == 1


def test_a_design_without_cables_has_no_labels_to_print():
    with pytest.raises(ExportError, match="no cables to label"):
        files.pages(Design(), LabelOptions())

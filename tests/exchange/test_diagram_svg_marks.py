"""Titles, badges, crosses and diamonds of an SVG diagram, each in its place."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from svg_reading import CATALOG, NUMBER, SVG, frame, layer, pair, rectangle, texts

from designer.drawing.composition import Composition
from designer.drawing.heat import Heat
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts.hot_boxes import LARGE_PX
from designer.drawing.text import width_of
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.diagram_svg import svg_of
from designer.exchange.exporters_diagram import overlay_of
from designer.model import operations, removing
from designer.placement.metrics import BOX_HEIGHT, SWITCH_WIDTH
from designer.storage import document
from designer.validation.engine import validate
from designer.validation.findings import Severity

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def drawn(design, overlay=NO_OVERLAY, heat=None):
    return ET.fromstring(svg_of(design, "light", heat, overlay=overlay, size=None))


def test_a_group_has_its_title_and_a_rack_its_own_inside():
    design = pair()
    design.apply(operations.add_rack(design, CATALOG.get("rack-48u"), 0, 0, "A <1>"))
    rack_id, device_id = next(iter(design.racks)), next(iter(design.devices))
    design.apply(operations.mount(design, device_id, rack_id, 3))
    design.apply(operations.group(design, [rack_id], "pod & co"))
    root = drawn(design)
    frames = Composition(design).containers
    assert [frame.title for frame in frames] == ["pod & co", "A <1>"]
    assert texts(layer(root, "titles")) == [part for one in frames for part in (one.title, one.note) if part]
    shown = [title.text for title in layer(root, "containers").iter(f"{SVG}title")]
    assert shown[1] == "A <1>\n1 in 48 U"
    assert shown[0].startswith("pod & co")
    rack = rectangle(layer(root, "containers").findall(f".//{SVG}rect")[1])
    title = next(text for text in layer(root, "titles").iter(f"{SVG}text") if text.text == "A <1>")
    assert rack[0] < float(title.get("x")) < rack[0] + rack[2]
    assert rack[1] < float(title.get("y")) < rack[1] + rack[3]


def title_of_rack(name):
    """What is written on the frame of a rack of this name, and the frame."""
    design = pair()
    design.apply(operations.add_rack(design, CATALOG.get("rack-48u"), 0, 0, name))
    root = drawn(design)
    return (texts(layer(root, "titles")) or [""])[0], rectangle(layer(root, "containers").find(f".//{SVG}rect"))


def test_a_rack_has_its_whole_name_where_that_leaves_eight_units_on_either_side():
    _, (_, _, frame_width, _) = title_of_rack("A1")
    room = frame_width - 16
    names = ["i" * thin + "n" * middle + "m" * wide for thin in range(12) for middle in range(12) for wide in range(12)]
    wide_of = {name: width_of(name, 13.0, bold=True) for name in names}
    fits = max((name for name in names if wide_of[name] <= room), key=wide_of.__getitem__)
    too_long = min((name for name in names if wide_of[name] > room), key=wide_of.__getitem__)
    assert wide_of[too_long] - 0.5 < room < wide_of[fits] + 0.5
    assert title_of_rack(fits)[0] == fits
    assert title_of_rack(too_long)[0].endswith("…")


def test_a_numbered_rack_whose_name_is_too_long_is_shown_by_its_number():
    assert title_of_rack("rack of the second storage row 12")[0] == "12"
    assert title_of_rack("rack 12")[0] == "rack 12"


def test_badges_of_devices_lie_at_the_right_corners_of_their_boxes_at_the_foot_where_a_title_is_above():
    design = document.load(EXAMPLES / "faults.fabric")
    root = drawn(design, overlay_of(design, DiagramOptions(findings=True)))
    corners, feet, heights = set(), set(), set()
    for box in layer(root, "boxes").iter(f"{SVG}g"):
        if box.find(f"{SVG}rect") is not None:
            x, y = map(float, re.findall(NUMBER, box.get("transform"))[:2])
            wide, high = (float(box.find(f"{SVG}rect").get(side)) for side in ("width", "height"))
            corners.add((x + wide - 3, y + 1))
            feet.add((x + wide - 3, y + high - 1))
            heights.add((y, high))
    badges = [tuple(map(float, re.findall(NUMBER, badge.get("transform"))[:2])) for badge in layer(root, "findings")]
    findings = validate(design).findings
    named = {subject for finding in findings for subject in finding.subjects if subject in design.devices}
    assert len((corners | feet) & set(badges)) == len(named)
    tops, bottoms = ({y for _, y in spots & set(badges)} for spots in (corners, feet))
    rows = {y + 1: y + high - 1 for y, high in heights}
    assert len(tops) > len(bottoms) > 0
    assert not any(top in tops and bottom in bottoms for top, bottom in rows.items()), "one row, one side"


def test_errors_have_round_badges_and_warnings_triangles():
    """The two are known apart without their colors."""
    design = pair()
    one, other = design.devices
    badges = {one: Severity.ERROR, other: Severity.WARNING}
    found = layer(drawn(design, Overlay(badges=badges)), "findings")
    at = {mark.find(f"{SVG}title").text: mark for mark in found}
    assert set(at) == {"error", "warning"}
    assert at["error"].find(f"{SVG}circle").get("fill") == LIGHT.error
    assert at["warning"].find(f"{SVG}circle") is None
    assert at["warning"].find(f"{SVG}path").get("fill") == LIGHT.warning


def test_a_failed_link_is_crossed_out_in_its_middle():
    design = pair()
    design.apply(operations.move(design, {next(iter(design.devices)): (0.0, 200.0)}))
    (link,) = design.links
    line, cross = layer(drawn(design, Overlay(failed=frozenset({link}))), "broken")
    x1, y1, x2, y2 = map(float, re.findall(NUMBER, line.get("d")))
    left, top, *steps = map(float, re.findall(NUMBER, cross.get("d")))
    width, height = steps[:2]
    assert (left + width / 2, top + height / 2) == ((x1 + x2) / 2, (y1 + y2) / 2)
    assert abs(x1 - x2) > 100 and abs(y1 - y2) > 100, "a slanting link"


def test_hot_links_too_short_to_see_have_a_diamond_as_large_as_the_whole_drawing_is_wide():
    """Shown at the width of a screen, 1600, one alone is 22 pixels across, however far the rest reaches."""
    design = pair()
    a, b = design.devices
    design.apply(operations.move(design, {a: (0.0, 0.0), b: (0.0, 100.0)}))
    far = operations.add_device(design, CATALOG.get("nvidia-qm9700"), 20_000, 0, catalog_types=CATALOG.types)
    design.apply(far)
    root = drawn(design, heat=Heat(design.revision, dict.fromkeys(design.links, (0.95, 0.2)), "all-reduce"))
    hottest = layer(root, "hottest")
    mark = hottest.find(f"{SVG}g")
    zoom = float(re.search(rf"scale\(({NUMBER})\)", mark.get("transform")).group(1))
    _, right, _, left = re.findall(NUMBER, mark.find(f"{SVG}path").get("d"))[::2][:4]
    assert (float(right) - float(left)) * zoom * 1600 / frame(root)[2] == pytest.approx(LARGE_PX, rel=0.01)
    ends = " – ".join(design.devices[one].name for one in (a, b))
    assert [one.text for one in hottest.iter(f"{SVG}text")] == [f"{ends}: hot"]


@pytest.mark.parametrize(("above", "is_free"), [(17, False), (21, True)])
def test_a_title_wider_than_its_group_runs_on_up_to_what_stands_in_its_line(above, is_free):
    """Letters of 13 units take 15.2 from top to bottom, and four are left free; a box higher up leaves them alone."""
    name, design = "storage and management", pair()
    grouped, other = design.devices
    design.apply(removing.delete(design, design.links))  # to the other one, over which the title would stand below
    design.apply(operations.group(design, [grouped], name))
    left, top, width, _ = rectangle(layer(drawn(design), "containers").find(f".//{SVG}rect"))
    design.apply(operations.move(design, {other: (160.0, top - above - BOX_HEIGHT / 2)}))
    box_left = 160.0 - SWITCH_WIDTH / 2
    assert left + width < box_left < left + width_of(name, 13.0, bold=True)
    (written,) = texts(layer(drawn(design), "titles"))[:1]
    assert (written == name) is is_free
    if not is_free:
        assert written.endswith("…") and left + width_of(written, 13.0, bold=True) < box_left


def test_the_title_of_a_group_stands_above_its_frame_and_that_of_a_rack_inside_its_frame():
    design = pair()
    design.apply(operations.add_rack(design, CATALOG.get("rack-48u"), 3000, 3000, "A1"))
    design.apply(operations.group(design, [next(iter(design.racks))], "pod"))
    root = drawn(design)
    group, rack = (rectangle(one) for one in layer(root, "containers").iter(f"{SVG}rect"))
    at = {text.text: text for text in layer(root, "titles").iter(f"{SVG}text")}
    size = {name: float(text.get("font-size")) for name, text in at.items()}
    bottom = float(at["pod"].get("y")) + 0.24 * size["pod"]  # letters reach so far below their line
    assert bottom == pytest.approx(group[1] - 3, abs=0.05)
    assert float(at["pod"].get("x")) == group[0] + 2 and float(at["A1"].get("x")) == rack[0] + 8
    top = float(at["A1"].get("y")) - 0.93 * size["A1"]  # and so far above it
    assert top == pytest.approx(rack[1] + 5, abs=0.05)

"""Connectors to other pages: each end of a cut link names the other, and the page where that is."""

import re
from pathlib import Path

import numpy as np
import pytest
from reading import parts_of, texts, words

from designer.drawing.arches import RIGHT
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.parts.primitives import Group, Jump, Lines, Rect, Text
from designer.drawing.sheets.lettering import width
from designer.drawing.sheets.off_page import LINE, SIZE, Connector, _noted, _Place, _texts, connector_parts
from designer.drawing.sheets.pages import pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.sheets.topology import units
from designer.drawing.theme import LIGHT
from designer.model.annotating import annotate
from designer.model.annotation import CALLOUT
from designer.storage import document
from designer.units import format_counted

SUPERPOD = Path(__file__).resolve().parents[3] / "examples" / "superpod-h100-4su.fabric"
TREE = "fat-tree", {"server": "dgx-h100", "servers": 200, "oversubscription": 2.0}
TORUS = "torus", {"dims": (5, 5, 5)}
TALL = (0.0, 0.0, 100.0, 20.0)


def parts_in(book):
    return [page for page in book if ", part " in page.title]


def connectors(page):
    return words(page, "connectors")


def layer(page, name):
    return [one for group in page.layers() if group.id == name for one in parts_of(group.parts)]


def test_a_spine_names_the_leafs_of_other_pages_and_these_name_it(generated):
    family, parameters = TREE
    made = generated(family, **parameters)
    assert not units(made)
    book = parts_in(pages(made, paper_of("a3"), which=("overview", "units")))
    named = {page.number: set(words(page, "boxes")) for page in book}
    seen = {"gpu": set(), "leaf": set(), "spine": set()}
    for page in book:
        text = " ".join(connectors(page))
        for first, kind, last, number in re.findall(r"(\w+-\d+)(?: to (\w+)-(\d+))? \(p(?:age|\.) (\d+)\)", text):
            assert int(number) != page.number
            assert first in named[int(number)]
            if last:
                assert f"{kind}-{last}" in named[int(number)]
            seen[first.split("-")[0]].add((first, int(number)))
    assert seen["leaf"] and seen["spine"]
    tops = [page for page in book if "spine-01" in named[page.number]]
    assert tops
    leaf_pages = [page.number for page in book if any(one.startswith("leaf") for one in named[page.number])]
    for page in tops:
        assert {int(one) for one in re.findall(r"\(page (\d+)\)", " ".join(connectors(page)))} <= set(leaf_pages)
        jumps = {one.page for one in layer(page, "connectors") if isinstance(one, Jump)}
        assert jumps and jumps <= set(leaf_pages)


@pytest.mark.parametrize(("family", "parameters"), [TREE, TORUS])
def test_every_text_of_a_connector_is_on_its_page(generated, family, parameters):
    book = parts_in(pages(generated(family, **parameters), which=("overview", "units")))
    for page in book:
        left, top, right, bottom = page.paper.frame
        for one in layer(page, "connectors"):
            if isinstance(one, Rect):
                assert left <= one.x and top <= one.y and one.x + one.width <= right and one.y + one.height <= bottom


@pytest.mark.parametrize(("family", "parameters"), [TREE, TORUS])
def test_no_box_and_no_line_between_boxes_is_cut_at_the_edge_of_a_part(generated, family, parameters):
    book = parts_in(pages(generated(family, **parameters), which=("overview", "units")))
    assert len(book) > 1
    for page in book:
        (boxes,) = (group for group in page.layers() if group.id == "boxes")
        left, top, width, height = boxes.clip
        for kind in boxes.parts:
            for box in kind.parts:
                border = next(iter(box.parts))
                (x, y), slack = box.at, 0.6
                assert left - slack <= x and x + border.width <= left + width + slack, page.title
                assert top - slack <= y and y + border.height <= top + height + slack, page.title


def test_stubs_of_a_torus_name_the_page_of_what_they_lead_to_where_that_is_another(generated):
    family, parameters = TORUS
    book = parts_in(pages(generated(family, **parameters), which=("overview", "units")))
    named = {page.number: set(words(page, "boxes")) for page in book}
    found = 0
    for page in book:
        texts = [one for one in layer(page, "far-ends") if isinstance(one, Text) and one.x < 1e5]
        for place, one in enumerate(texts):
            if not re.fullmatch(r"\d-\d-\d", one.text):
                continue
            following = texts[place + 1].text if place + 1 < len(texts) else ""
            router = f"router-{one.text}"
            if following.startswith("p. "):
                found += 1
                assert router not in named[page.number]
                assert router in named[int(following.removeprefix("p. "))]
            else:
                assert router in named[page.number]
    assert found


def test_long_links_of_a_torus_are_stubs_and_no_connectors(generated):
    family, parameters = TORUS
    (first, *_) = parts_in(pages(generated(family, **parameters), which=("overview", "units")))
    names = re.findall(r"router-(\d)-(\d)-(\d)", " ".join(connectors(first)))
    assert {layer for _, _, layer in names} == {"1"}  # of layer 0, whole on this page, all that leads out are stubs
    stubs = [one for one in layer(first, "links") if isinstance(one, Lines)]
    ends = np.abs(np.concatenate([one.xy for one in stubs]))
    short = np.hypot(*(ends[:, :2] - ends[:, 2:]).T) < 15
    assert np.count_nonzero(short & (ends < 1e5).all(axis=1)) >= 40


def test_the_uplinks_of_a_unit_lead_to_the_page_that_shows_the_spines():
    for paper, said in (("a4", "32 links (p. {})"), ("a3", "32 links to 16 spines (page {})")):
        book = pages(document.load(SUPERPOD), paper_of(paper), which=("units",))
        unit = next(page for page in book if page.title == "Topology: SU 1")
        spines = next(page for page in book if page.title == "Topology: Compute spines")
        assert connectors(unit) == [said.format(spines.number)] * 8
    assert {one.page for one in layer(unit, "connectors") if isinstance(one, Jump)} == {spines.number}


def test_pods_name_the_part_that_has_their_cores(generated):
    book = pages(generated("k-ary-fat-tree", k=16), which=("units",))
    pod = next(page for page in book if page.title == "Topology: Pod 1")
    cores = [page for page in book if page.title.startswith("Topology: Compute cores")]
    assert len(cores) > 1
    said = [int(one) for text in connectors(pod) for one in re.findall(r"\(page (\d+)\)", text)]
    assert sorted(set(said)) == [page.number for page in cores]
    assert said == sorted(said)


def test_connectors_say_less_where_there_is_less_room():
    design = document.load(SUPERPOD)
    spines = sorted((one for one in design.switches() if one.role == "spine"), key=lambda one: one.name)
    ids = [one.id for one in spines]

    def said(found, room, lines):
        place = _Place(TALL, 0, room, lines, False, None)
        return [text for text, _ in _texts(found, design, place)]

    one = Connector(0, 0, 7, ids)
    assert said([one], 150.0, 1) == ["spine-01 to spine-16 (page 7)"]
    assert said([one], 72.0, 3) == ["spine-01 to spine-16", "(page 7)"]
    assert said([one], 60.0, 1) == ["16 spines (page 7)"]
    assert said([one], 54.0, 1) == ["16 spines (p. 7)"]
    assert said([one], 11.0, 9) == ["p. 7"]
    assert said([one], 21.0, 9) == ["p. 7"]  # no word is broken
    double = Connector(0, 0, 7, [*ids, *ids])
    assert said([double], 150.0, 1) == ["32 links to spine-01 to spine-16 (page 7)"]
    many = [Connector(0, 0, page, ids) for page in range(7, 13)]
    links = format_counted(3 * 16, "link")
    assert said(many, 150.0, 1)[-1] == f"{links} on pages 10 to 12"
    assert len(said(many, 150.0, 1)) == 4


def test_a_unit_whose_links_are_listed_by_port_has_one_short_connector_for_each_device_and_page(generated):
    made = generated("dragonfly", p=4, a=16, h=1)
    book = pages(made, paper_of("a4", "portrait"), which=("units",))
    parts = [page for page in book if page.title.startswith("Topology: Group 1, part ")]
    assert len(parts) == 2
    for page, other in (parts, parts[::-1]):
        said = connectors(page)
        assert said
        assert len(said) <= sum(one.startswith(("router", "host")) for one in words(page, "boxes"))
        assert all(re.fullmatch(rf"(\d+ routers? \((page|p\.) |p\. ){other.number}\)?", one) for one in said), said


def places(parts, at=(0.0, 0.0)):
    """Left, top, right and bottom of the plates of texts, those in groups too."""
    for part in parts:
        if isinstance(part, Group):
            yield from places(part.parts, (at[0] + part.at[0], at[1] + part.at[1]))
        elif isinstance(part, Rect):
            x, y = at[0] + part.x, at[1] + part.y
            yield x, y, x + part.width, y + part.height


def lie_over(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("which", ["superpod-h100-4su", "fat-tree-16-2to1", TREE])
def test_no_text_on_links_lies_under_a_connector(generated, which):
    made = (
        document.load(SUPERPOD.parent / f"{which}.fabric")
        if isinstance(which, str)
        else generated(which[0], **which[1])
    )
    n_texts = 0
    for page in pages(made, which=("overview", "units")):
        groups = {group.id: group for group in page.layers()}
        if "connectors" not in groups or "counts" not in groups:
            continue
        written = [one for name in ("counts", "tiers") for one in places([groups[name]])]
        named = [one for one in parts_of([groups["connectors"]]) if isinstance(one, Text)]
        n_texts += len(written)
        for text in named:
            own = text.x, text.y - 0.8 * LINE, text.x + width(text.text) * SIZE, text.y + 0.2 * LINE
            assert not [one for one in written if lie_over(one, own)], (page.title, text.text)
    assert n_texts or which == "fat-tree-16-2to1"


def test_texts_of_connectors_end_before_notes_and_callouts(generated):
    """Room for them is up to an annotation, as it is up to a box."""
    family, parameters = TREE
    made = generated(family, **parameters)
    left, top, wide, high = Composition(made).boxes[0].tolist()
    place = left + wide + 60.0, top, 40.0, high
    made.apply(annotate(made, CALLOUT, place[:2], (place[0] + 40.0, top + high)))
    noted = Composition(made)
    assert _noted(noted).tolist() == [pytest.approx(place)]
    far = [one.id for one in made.devices.values()][-9:]
    connector, page = Connector(0, RIGHT, 7, far), (-1e4, -1e4, 1e4, 1e4)
    noted.notes.are_shown = False
    free = [one.text for one in texts([connector_parts([connector], made, noted, Camera(), page, LIGHT)])]
    noted.notes.are_shown = True
    short = [one.text for one in texts([connector_parts([connector], made, noted, Camera(), page, LIGHT)])]
    most = max(width(one) * SIZE for one in short)
    assert most <= 60.0 < max(width(one) * SIZE for one in free)

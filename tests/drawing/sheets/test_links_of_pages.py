"""A PDF of many pages: its bookmarks, and the places on its pages that lead to other pages."""

import re
import sys
from pathlib import Path

import pytest
from reading import parts_of

from designer.canvas.export import write_pages
from designer.canvas.pdf_links import with_links
from designer.drawing.parts.primitives import Jump, Text
from designer.drawing.sheets.outline import Bookmark
from designer.drawing.sheets.pages import SECTIONS, pages
from designer.errors import ExportError
from designer.exchange.svg_writing import svg_text
from designer.storage import document

sys.path.append(str(Path(__file__).parents[1]))
import pdf_reading

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def design():
    return document.load(EXAMPLES / "fat-tree-16-2to1.fabric")


@pytest.fixture(scope="module")
def book(design):
    return pages(design)


@pytest.fixture(scope="module")
def data(book, design, qapp, tmp_path_factory):
    path = tmp_path_factory.mktemp("pdf") / "set.pdf"
    write_pages(path, design.name, book)
    return path.read_bytes()


def pages_of(found):
    """The objects of the pages, in their order."""
    kids = next(re.search(rb"/Kids\s*\[(.*?)\]", one, re.DOTALL) for one in found.values() if b"/Type /Pages" in one)
    return [int(one) for one in re.findall(rb"(\d+) 0 R", kids[1])]


def links_of(found):
    """Rectangle and place of the page led to, by place of the page."""
    order = pages_of(found)
    links = []
    for number in order:
        notes = found[int(re.search(rb"/Annots (\d+)", found[number])[1])]
        dests = re.findall(rb"/Rect\[(-?\d+) (-?\d+) (-?\d+) (-?\d+)\].*?/Dest\[(\d+) 0 R", notes)
        links.append([(*map(int, one[:4]), order.index(int(one[4]))) for one in dests])
    return links


def bookmarks_in(found, number):
    """Title, place of the page and what is below, of an item and those after it."""
    order, listed = pages_of(found), []
    while number:
        item = found[number]
        title = bytes.fromhex(re.search(rb"/Title<(\w+)>", item)[1].decode()).decode("utf-16")
        below, after = (re.search(rb"/%s (\d+)" % name, item) for name in (b"First", b"Next"))
        place = order.index(int(re.search(rb"/Dest\[(\d+)", item)[1]))
        listed.append((title, place, bookmarks_in(found, int(below[1])) if below else []))
        number = int(after[1]) if after else 0
    return listed


def test_bookmarks_are_the_sections_and_below_each_what_the_index_lists(book, data):
    found = pdf_reading.objects(data)
    catalog = next(one for one in found.values() if b"/Type /Catalog" in one)
    assert b"/PageMode /UseOutlines" in catalog
    root = found[int(re.search(rb"/Outlines (\d+)", catalog)[1])]
    listed = bookmarks_in(found, int(re.search(rb"/First (\d+)", root)[1]))
    assert [one[0] for one in listed] == [
        "Servers" if name == "racks" else SECTIONS[name]
        for name in ("index", "cables", "overview", "racks", "switches")
    ]
    for title, place, _ in listed:
        assert book[place].heading == title
    switches = next(below for title, _, below in listed if title == "Switches")
    names = (*(f"leaf-0{number}" for number in range(1, 5)), "spine-01", "spine-02")
    assert [title for title, _, _ in switches] == list(names)
    assert all(title in book[place].marks for title, place, _ in switches)
    assert int(re.search(rb"/Count (\d+)", root)[1]) == len(listed)
    folded = [one for one in found.values() if one.startswith(b"<</Title") and b"/First" in one]
    assert [re.search(rb"/Count (-?\d+)", one)[1] for one in folded] == [b"-2", b"-6"]


def test_every_place_that_leads_somewhere_is_a_link_on_the_page_to_that_page(book, data):
    links = links_of(pdf_reading.objects(data))
    assert sum(map(len, links)) > 2 * 192
    for page, found in zip(book, links, strict=True):
        jumps = [one for one in parts_of(page.layers()) if isinstance(one, Jump)]
        assert [one.page - 1 for one in jumps] == [one[4] for one in found]
        height = page.paper.size[1]
        for jump, (left, bottom, right, top, _) in zip(jumps, found, strict=True):
            assert (left, right) == pytest.approx((jump.x, jump.x + jump.width), abs=1)
            assert (bottom, top) == pytest.approx((height - jump.y - jump.height, height - jump.y), abs=1)


def test_a_row_about_a_cable_leads_to_the_page_that_it_names_and_so_do_rows_of_the_index(book):
    counted = 0
    for page in book:
        found = list(parts_of(page.layers()))
        numbers = {(one.y, one.x, one.text) for one in found if isinstance(one, Text) and one.text.isdecimal()}
        for jump in (one for one in found if isinstance(one, Jump)):
            if page.section in ("index", "racks", "switches", "cables") and jump.height < 13 and jump.page != 1:
                inside = [
                    text
                    for y, x, text in numbers
                    if jump.y < y < jump.y + jump.height and jump.x <= x <= jump.x + jump.width
                ]
                assert str(jump.page) in inside or page.section == "index"
                counted += 1
    assert counted > 2 * 192


def test_the_number_of_each_page_leads_back_to_the_index(book, design):
    for page in book:
        block = next(group for group in page.layers() if group.id == "title-block")
        jumps = [one for one in parts_of([block]) if isinstance(one, Jump)]
        assert [one.page for one in jumps] == ([1] if page.section != "index" else [])
        if jumps:
            written = [one for one in parts_of([block]) if isinstance(one, Text)]
            number = next(one for one in written if one.text.endswith(f"of {len(book)}"))
            assert jumps[0].x < number.x < jumps[0].x + jumps[0].width
    without = pages(design, which=("switches",))[0]
    assert not [one for one in parts_of(without.layers()[-1:]) if isinstance(one, Jump)]


def test_every_object_of_a_pdf_with_links_stands_where_its_tables_say(data):
    table = int(re.search(rb"startxref\s+(\d+)\s+%%EOF\s*$", data)[1])
    seen = set()
    while table:
        body, trailer = data[table:].split(b"trailer", 1)
        rows, number = body.split(b"\n")[1:-1], 0
        for row in rows:
            if len(row.split()) == 2:
                number = int(row.split()[0])
            else:
                if row.endswith(b" n ") and number not in seen:
                    assert data[int(row[:10]) :].startswith(b"%d 0 obj" % number)
                seen.add(number)
                number += 1
        before = re.search(rb"/Prev (\d+)", trailer.split(b"startxref")[0])
        table = int(before[1]) if before else 0
    size = int(re.findall(rb"/Size (\d+)", data)[-1])
    assert max(seen) == size - 1


def test_pages_written_alone_lead_only_to_those_written_with_them(book, design, qapp, tmp_path):
    path = tmp_path / "some.pdf"
    write_pages(path, design.name, [book[-1], book[6]])
    links = links_of(pdf_reading.objects(path.read_bytes()))
    assert links[0]
    assert {one[4] for found in links for one in found} <= {0, 1}
    jumps = [one for one in parts_of(book[-1].layers()) if isinstance(one, Jump)]
    assert len(links[0]) == sum(one.page in (book[6].number, book[-1].number) for one in jumps)


def test_a_page_as_svg_has_nothing_for_its_links(book):
    made = book[0].document()
    text = svg_text(made.area, made.title, made.description, made.layers)
    assert "Switches" in text
    assert "Jump" not in text


def test_titles_of_bookmarks_may_have_any_letter_and_a_file_of_another_kind_is_refused(data):
    bare = data[: data.index(b"%%EOF") + 6]
    made = with_links(
        bare, {}, [Bookmark("Größe (1) 漢字", 0, ()), Bookmark("x", 1, (Bookmark("y", 1), Bookmark("z", 2)))]
    )
    found = pdf_reading.objects(made)
    catalog = next(one for one in found.values() if b"/Type /Catalog" in one)
    root = found[int(re.search(rb"/Outlines (\d+)", catalog)[1])]
    listed = bookmarks_in(found, int(re.search(rb"/First (\d+)", root)[1]))
    assert listed == [("Größe (1) 漢字", 0, []), ("x", 1, [("y", 1, []), ("z", 2, [])])]
    assert with_links(bare, {0: []}, []) == bare
    with pytest.raises(ExportError, match="no trailer"):
        with_links(b"%PDF-1.4\n", {}, [Bookmark("x", 0)])

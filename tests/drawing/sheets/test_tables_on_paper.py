"""Tables and letters on paper: nothing is cut that can be smaller or broken, and no page is wasted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QImage, QPainter
from reading import texts

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.parts.primitives import Group, Ink, Rect
from designer.drawing.sheets.lettering import broken, label, width
from designer.drawing.sheets.tables import column, layout, spread, table_parts
from designer.drawing.theme import LIGHT
from designer.exchange.svg_writing import svg_text

ROOM = (0.0, 0.0, 300.0, 400.0)


def drawn(rows, room=ROOM, **options):
    columns = [column(f"Column {number}", [row[number] for row in rows]) for number in range(len(rows[0]))]
    shown, pages = spread(columns, len(rows), None, room, **options)
    parts = [
        list(texts(table_parts(shown, rows[one.start : one.stop], one.x, one.y, LIGHT)))
        for page in pages
        for one in page
    ]
    return shown, pages, parts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.text("abc xyz-17", max_size=90)] * 3), min_size=1, max_size=40))
def test_every_word_of_every_row_is_written_within_the_room(rows):
    shown, pages, parts = drawn(rows)
    assert [row for page in pages for one in page for row in range(one.start, one.stop)] == list(range(len(rows)))
    written = "".join(one.text for table in parts for one in table).replace(" ", "")
    for row in rows:
        for cell in row:
            for word in cell.split():
                assert word in written or shown.lines > 1
    for table in parts:
        for one in table:
            start = one.x if one.anchor == "start" else one.x - width(one.text, one.bold) * one.size
            assert start >= -0.01
            assert start + width(one.text, one.bold) * one.size <= ROOM[2] + 0.01
            assert one.y <= ROOM[3]


def test_a_text_with_too_little_room_is_broken_over_lines_that_say_all_of_it():
    long = "rack in the far corner of the second hall behind the blue door " * 3
    shown, _, parts = drawn([(long.strip(), "C0001", "x" * 60)] * 3)
    assert shown.lines > 1
    first = [one.text for one in parts[0] if one.text in long and len(one.text) > 1]
    assert " ".join(first[: len(first) // 3]) == long.strip()


def test_letters_are_a_little_smaller_where_that_spares_a_page():
    rows = [("abcdefghijklmnopqrstu",) for _ in range(80)]
    shown, pages, _ = drawn(rows)
    assert len(pages) == 1
    assert 6 <= shown.size < 8
    large = layout(shown.columns, ROOM[2])
    assert large.size == 8
    assert large.rows_in(ROOM[3]) < len(rows)


OUTLIER = ("mgmt0", "Cat6 patch cord, RJ45", "C > D over oob-net-01")


def side_by_side(room, n_rows=40):
    """A table whose first row alone is too wide for two tables side by side."""
    rows = [OUTLIER, *((f"{number}/1", "MFP7E10-N015", "A") for number in range(n_rows))]
    columns = [column(name, [row[place] for row in rows]) for place, name in enumerate(("Port", "Cable part", "Trays"))]
    return rows, columns, room


def test_columns_get_narrower_for_a_table_more_where_that_saves_a_page():
    rows, columns, room = side_by_side((0.0, 0.0, 300.0, 260.0))
    shown, pages = spread(columns, len(rows), None, room, rows=rows)
    assert len(pages) == 1 < len(spread(columns, len(rows), None, room).pages)
    assert [one.start for one in pages[0]] == [0, pages[0][0].stop]
    assert pages[0][-1].stop == len(rows)
    for one in pages[0]:
        parts = list(texts(table_parts(shown, rows[one.start : one.stop], one.x, one.y, LIGHT)))
        assert max(part.y for part in parts) <= room[3]
        for part in parts:
            start = part.x if part.anchor == "start" else part.x - width(part.text, part.bold) * part.size
            assert one.x <= start and start + width(part.text, part.bold) * part.size <= one.x + shown.width + 0.01
    written = " ".join(part.text for part in texts(table_parts(shown, rows, 0.0, 0.0, LIGHT)))
    assert all(word in written.split() for row in rows for text in row for word in text.split())
    assert shown.lines_of(rows[0]) > 1
    assert {shown.lines_of(row) for row in rows[1:]} == {1}


def test_only_texts_between_words_are_broken_for_a_table_more():
    rows, columns, _ = side_by_side(None)
    for wide in range(60, 300, 20):
        shown, _pages = spread(columns, len(rows), None, (0.0, 0.0, float(wide), 200.0), rows=rows)
        if shown.is_narrowed:
            drawn = [part.text for part in texts(table_parts(shown, rows, 0.0, 0.0, LIGHT))]
            assert "MFP7E10-N015" in drawn and "oob-net-01" in drawn


def test_columns_stay_as_wide_as_their_texts_where_that_costs_no_page():
    rows, columns, room = side_by_side((0.0, 0.0, 300.0, 260.0), 8)
    shown, pages = spread(columns, len(rows), None, room, rows=rows)
    assert (len(pages), shown.is_narrowed, shown.size) == (1, False, 8)


def test_a_heading_among_the_rows_is_bold_and_spans_the_columns():
    shown, _, _ = drawn([("a", "b"), ("c", "d")])
    row = next(one for one in texts(table_parts(shown, [("leaf-01",)], 0.0, 0.0, LIGHT)) if one.text == "leaf-01")
    assert row.bold


def test_a_label_gets_smaller_before_it_is_shortened():
    text = "A project of some length"
    fits = label(text, 0, 0, width(text) * 6.2, 9, "#000000")
    assert (fits.text, fits.size) == (text, 6)
    short = label(text, 0, 0, width(text) * 3, 9, "#000000")
    assert short.size == 6
    assert short.text != text
    assert width(short.text) * 6 <= width(text) * 3


@given(st.text(max_size=60), st.floats(2.0, 30.0))
def test_lines_of_a_broken_text_fit_and_lose_nothing(text, room):
    lines = broken(text, room)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width(line) <= room or len(line.strip()) <= 1 for line in lines)


@pytest.mark.parametrize("at", [(0.0, 0.0), (10.0, 10.0)])
def test_what_is_clipped_does_not_show_outside(qapp, at):
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    painter = QPainter(image)
    red = Rect(0.0, 0.0, 60.0, 60.0, Ink("#ff0000"))
    paint(painter, [Group((red,), at=at, clip=(5.0, 5.0, 20.0, 20.0))], Fonts(QFont()))
    painter.end()
    pixels = np.array(image.constBits()).reshape(60, 60, 4)[:, :, 1] == 0
    rows, columns = np.nonzero(pixels)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (
        5 + at[1],
        24 + at[1],
        5 + at[0],
        24 + at[0],
    )


def test_a_clipped_group_says_so_in_svg_too():
    text = svg_text((0, 0, 9, 9), "x", "x", [Group((Rect(0, 0, 9, 9, Ink("#ff0000")),), clip=(1.0, 2.0, 3.0, 4.0))])
    assert 'clip-path="url(#clip-1-2-3-4)"' in text
    assert '<clipPath id="clip-1-2-3-4"><rect x="1" y="2" width="3" height="4"/></clipPath>' in text

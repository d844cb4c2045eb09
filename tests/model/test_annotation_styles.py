"""Named styles: made from what is selected, applied, renamed, changed for all, copied along, kept in the file."""

import pytest

from designer.drawing.notes import drawn_notes
from designer.errors import EditError, FileFormatError, ParameterError, UnknownEntityError
from designer.model.annotating import annotate, change_annotations, stretch
from designer.model.annotation_styles import (
    apply_style,
    as_looked,
    change_style,
    delete_style,
    make_style,
    rename_style,
)
from designer.model.design import Design
from designer.model.fragments import copy_fragment, duplicate, paste
from designer.storage import document


def put(design, x=0.0, **values):
    edit = annotate(design, "note", (x, 0.0), (x + 100.0, 40.0), **values)
    design.apply(edit)
    return edit.changes[0].after.id


@pytest.fixture
def notes():
    """A design with three notes; the first two have a style made from the first."""
    design = Design()
    ids = [put(design, 0.0, colour="#d55e00", bold=True), put(design, 200.0, size=30), put(design, 400.0)]
    design.apply(make_style(design, ids[:2], "Warning"))
    return design, ids


def drawn(design, one):
    return next(
        each.note for each in drawn_notes(design, {}, lambda _id: None, lambda _note: 0.0) if each.note.id == one
    )


def test_what_a_style_is_made_from_looks_as_before_and_others_look_alike(notes):
    design, (first, second, third) = notes
    assert (drawn(design, first).colour, drawn(design, first).bold) == ("#d55e00", True)
    assert (drawn(design, second).colour, drawn(design, second).size) == ("#d55e00", 13.0)
    assert drawn(design, third).colour == ""


def test_an_edit_of_one_that_has_it_changes_all_and_only_those(notes):
    design, (first, second, third) = notes
    before = document.encode(design)
    edit = change_annotations(design, [second], colour="#0072b2", text="Mine")
    design.apply(edit)
    assert [drawn(design, one).colour for one in (first, second, third)] == ["#0072b2", "#0072b2", ""]
    assert [drawn(design, one).text for one in (first, second, third)] == ["", "Mine", ""]
    design.apply(edit.inverted())
    assert document.encode(design) == before


def test_a_change_of_several_styles_and_own_looks_is_one_edit(notes):
    design, ids = notes
    design.apply(change_annotations(design, ids, line_style="dotted"))
    assert all(drawn(design, one).line_style == "dotted" for one in ids)
    assert design.annotations[ids[0]].line_style == "solid", "the style says it"


def test_it_is_taken_off_and_deleted_without_a_change_of_looks(notes):
    design, (first, second, _) = notes
    design.apply(apply_style(design, [first], ""))
    assert design.annotations[first].style_id == "" and design.annotations[first].colour == "#d55e00"
    (style,) = design.annotation_styles
    design.apply(delete_style(design, style))
    assert not design.annotation_styles
    assert design.annotations[second].style_id == "" and drawn(design, second).colour == "#d55e00"


def test_names_are_counted_unique_and_checked(notes):
    design, (_, _, third) = notes
    design.apply(make_style(design, [third]))
    design.apply(make_style(design, [third]))
    assert [one.name for one in design.annotation_styles.values()] == ["Warning", "Style 1", "Style 2"]
    first, second, _ = design.annotation_styles
    with pytest.raises(EditError, match="already: choose another name"):
        rename_style(design, second, "Warning")
    design.apply(rename_style(design, second, "Calm"))
    assert design.annotation_styles[second].name == "Calm"
    assert not rename_style(design, first, "Warning")
    with pytest.raises(ParameterError, match="'red' is no color"):
        change_style(design, first, colour="red")
    with pytest.raises(UnknownEntityError):
        apply_style(design, [third], "s99")
    with pytest.raises(EditError, match="select an annotation"):
        make_style(design, [])


def test_a_copy_has_the_same_style_here_and_brings_it_elsewhere(notes):
    design, (first, _, _) = notes
    design.apply(duplicate(design, [first], 10.0, 10.0))
    assert len(design.annotation_styles) == 1
    fragment = copy_fragment(design, [first])
    again = document.decode_fragment(document.encode_fragment(fragment))
    other = Design()
    other.apply(paste(other, again, 0.0, 0.0))
    (note,) = other.annotations
    assert drawn(other, note).colour == "#d55e00"
    (style,) = other.annotation_styles
    other.apply(change_style(other, style, colour="#000000"))
    other.apply(paste(other, again, 0.0, 0.0))
    assert [one.name for one in other.annotation_styles.values()] == ["Warning", "Warning 2"]
    assert [drawn(other, one).colour for one in other.annotations] == ["#000000", "#d55e00"]


def test_a_file_keeps_styles_and_one_that_is_not_there_counts_as_none(notes):
    design, (first, _, _) = notes
    text = document.encode(design)
    assert document.encode(document.decode(text)) == text
    line = next(row for row in text.splitlines() if b"Warning" in row)
    without = document.decode(text.replace(line, b""))
    assert as_looked(without, without.annotations[first]).colour == ""
    with pytest.raises(FileFormatError, match='annotation_styles "s1", field colour'):
        document.decode(text.replace(b'"#d55e00"', b'"url(x)"'))


def test_several_are_stretched_with_the_frame_around_them(notes):
    design, ids = notes
    design.apply(stretch(design, ids, (0.0, 0.0, 500.0, 40.0), (0.0, 0.0, 1000.0, 80.0)))
    assert [(design.annotations[one].dx, design.annotations[one].dy) for one in ids] == [(200.0, 80.0)] * 3
    assert [(design.placements[one].x, design.placements[one].y) for one in ids] == [(100, 40), (500, 40), (900, 40)]

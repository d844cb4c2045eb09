"""Looks of the lines of links: their own or those of named styles, changed, copied, merged, kept in the file, found."""

from dataclasses import replace

import pytest

from designer.analysis.comparing import compare
from designer.analysis.selecting.finder import Finder
from designer.catalog.catalog import load
from designer.errors import EditError, FileFormatError, ParameterError
from designer.exchange.redacting import redacted
from designer.model import operations
from designer.model.annotating import annotate, change_annotations
from designer.model.annotation_styles import (
    apply_style,
    as_looked,
    change_lines,
    delete_style,
    make_style,
    rename_style,
    use_text,
    users_of,
)
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.fragments import copy_fragment, duplicate, paste
from designer.model.merging.merging import merge
from designer.regeneration import recipes
from designer.regeneration.regenerate import regenerate
from designer.session.commands import is_simulated
from designer.storage import document

CATALOG = load()


@pytest.fixture
def pod():
    """Two switches with four links between them."""
    design = Design()
    for number in (1, 2):
        made = operations.add_device(
            design, CATALOG.get("nvidia-qm9700"), 300.0 * number, 0.0, catalog_types=CATALOG.types, name=f"s{number}"
        )
        design.apply(made)
    design.apply(operations.connect_devices(design, *design.devices, 4))
    return design, list(design.links)


def look(design, one):
    link = as_looked(design, design.links[one])
    return link.line_colour, link.line_width, link.line_style


def test_links_get_a_look_of_their_own_in_one_edit_that_can_be_undone(pod):
    design, ids = pod
    before = document.encode(design)
    edit = change_lines(design, ids[:2], line_colour="#d55e00", line_width=3.0, line_style="dashed")
    assert edit.label == "Change lines of 2 links"
    design.apply(edit)
    assert [look(design, one) for one in ids] == [("#d55e00", 3.0, "dashed")] * 2 + [("", 1.5, "solid")] * 2
    assert not change_lines(design, ids[:2], line_colour="#d55e00"), "it is so already"
    design.apply(edit.inverted())
    assert document.encode(design) == before


def test_annotations_and_links_have_the_same_styles_and_a_change_of_one_changes_all(pod):
    design, ids = pod
    design.apply(annotate(design, "note", (0.0, 0.0), (100.0, 40.0), colour="#d55e00", line_style="dotted", bold=True))
    (note,) = design.annotations
    design.apply(make_style(design, [note, *ids[:3]], "Customer"))
    (style,) = design.annotation_styles.values()
    assert look(design, ids[0]) == ("#d55e00", 1.5, "dotted") and style.bold
    assert design.links[ids[0]].line_colour == "", "the style says it"
    assert use_text(design, style) == "1 annotation and 3 links have"
    edit = change_lines(design, ids[1:2], line_width=4.0)
    assert edit.label == "Change style Customer"
    design.apply(edit)
    assert look(design, ids[2])[1] == 4.0 == as_looked(design, design.annotations[note]).line_width
    design.apply(change_annotations(design, [note], colour="#0072b2"))
    assert look(design, ids[0])[0] == "#0072b2"
    mixed = change_lines(design, ids[2:], line_style="dashed")
    design.apply(mixed)
    assert {look(design, one)[2] for one in ids} == {"dashed"} and mixed.label == "Change lines of 2 links"
    assert [one.id for one in users_of(design, style.id)] == [note, *ids[:3]]


def test_a_style_made_of_a_link_is_taken_off_and_deleted_without_a_change_of_looks(pod):
    design, ids = pod
    design.apply(change_lines(design, ids[:1], line_colour="#d55e00", line_width=2.0))
    design.apply(make_style(design, ids[:2]))
    (style,) = design.annotation_styles.values()
    assert (style.colour, style.line_width, style.fill) == ("#d55e00", 2.0, "")
    design.apply(apply_style(design, ids[:1], ""))
    assert design.links[ids[0]].style_id == "" and look(design, ids[0]) == ("#d55e00", 2.0, "solid")
    design.apply(delete_style(design, style.id))
    assert {look(design, one) for one in ids[:2]} == {("#d55e00", 2.0, "solid")}
    assert design.links[ids[1]].style_id == ""


def test_what_could_not_be_drawn_is_refused_wherever_it_comes_from(pod):
    design, ids = pod
    for wrong in ({"line_colour": "red"}, {"line_style": "wavy"}):
        with pytest.raises(ParameterError, match=r"^line (color|style): '(red|wavy)' is no"):
            change_lines(design, ids, **wrong)
        link = design.links[ids[0]]
        with pytest.raises(EditError, match=f"link .*, {next(iter(wrong))}: '(red|wavy)' is no"):
            design.apply(Edit("", (Change(link, replace(link, **wrong)),)))
    with pytest.raises(EditError, match="line_width"):
        design.apply(change_lines(design, ids, line_width=41.0))
    design.apply(change_lines(design, ids[:1], line_style="dashed", line_colour="#d55e00"))
    text = document.encode(design)
    assert document.encode(document.decode(text)) == text
    with pytest.raises(FileFormatError, match='links "l1", field line_style'):
        document.decode(text.replace(b'"dashed"', b'"wavy"'))
    with pytest.raises(FileFormatError, match='links "l1", field line_colour'):
        document.decode(text.replace(b'"#d55e00"', b'"rust"'))


def test_copies_have_the_same_look_here_and_bring_its_style_elsewhere(pod):
    design, ids = pod
    design.apply(change_lines(design, ids[:2], line_style="dotted"))
    design.apply(make_style(design, ids[:1], "Customer"))
    fragment = copy_fragment(design, design.devices)
    again = document.decode_fragment(document.encode_fragment(fragment))
    other = Design()
    other.apply(annotate(other, "note", (0.0, 0.0), (100.0, 40.0)))
    other.apply(make_style(other, other.annotations, "Of its own"))
    other.apply(paste(other, again, 0.0, 0.0))
    assert [look(other, one)[2] for one in other.links] == ["dotted", "dotted", "solid", "solid"]
    named = {one.id: one.name for one in other.annotation_styles.values()}
    assert [named.get(one.style_id, "") for one in other.links.values()] == ["Customer", "", "", ""]
    design.apply(duplicate(design, design.devices, 0.0, 300.0))
    assert len(design.annotation_styles) == 1 and len(users_of(design, next(iter(design.annotation_styles)))) == 2


def test_a_merge_brings_the_style_of_a_link_and_what_both_changed_of_its_line(pod):
    base, ids = pod
    ours, theirs = base.snapshot(), base.snapshot()
    ours.apply(change_lines(ours, ids[:1], line_style="dashed"))
    ours.apply(change_lines(ours, ids[1:2], line_width=3.0))
    ours.apply(make_style(ours, ids[3:], "Ours"))
    theirs.apply(change_lines(theirs, ids[:1], line_colour="#d55e00"))
    theirs.apply(change_lines(theirs, ids[2:3], line_width=2.0))
    theirs.apply(make_style(theirs, ids[2:3], "Theirs"))
    found = merge(base, ours, theirs)
    assert not found.conflicts
    made = found.made
    assert look(made, ids[0]) == ("#d55e00", 1.5, "dashed")
    assert [look(made, one)[1] for one in ids[1:3]] == [3.0, 2.0]
    named = {one.id: one.name for one in made.annotation_styles.values()}
    assert [named.get(made.links[one].style_id) for one in ids] == [None, None, "Theirs", "Ours"]


def test_a_style_that_one_side_deleted_stays_while_a_link_of_the_other_has_it(pod):
    base, ids = pod
    base.apply(make_style(base, ids[:1], "Customer"))
    (style,) = base.annotation_styles
    ours, theirs = base.snapshot(), base.snapshot()
    ours.apply(delete_style(ours, style))
    theirs.apply(apply_style(theirs, ids[1:2], style))
    made = merge(base, ours, theirs).made
    assert made.annotation_styles[made.links[ids[1]].style_id].name == "Customer"


def test_differences_name_the_look_and_the_style_of_a_link(pod):
    before, ids = pod
    after = before.snapshot()
    after.apply(change_lines(after, ids[:1], line_colour="#d55e00", line_style="dashed"))
    after.apply(make_style(after, ids[1:2], "Customer"))
    rows = {(one.what, one.before, one.after) for one in compare(before, after).differences if one.kind == "link"}
    assert rows == {
        ("line color", "", "#d55e00"),
        ("line style", "solid", "dashed"),
        ("style", "", "Customer"),
    }


def test_a_redacted_copy_keeps_the_look_and_not_the_name_of_the_style(pod):
    design, ids = pod
    design.apply(change_lines(design, ids[:1], line_colour="#d55e00"))
    design.apply(make_style(design, ids[:1], "Bank of Süd"))
    copy = redacted(design, CATALOG.types)
    assert look(copy, ids[0])[0] == "#d55e00"
    assert [one.name for one in copy.annotation_styles.values()] == ["Style 1"]


def test_expressions_find_links_by_their_style(pod):
    design, ids = pod
    design.apply(change_lines(design, ids[:1], line_colour="#d55e00"))
    design.apply(make_style(design, ids[1:3], "Customer"))
    (style,) = design.annotation_styles
    design.apply(rename_style(design, style, "Customer links"))
    finder = Finder(design)
    assert set(finder.find("style:own").ids) == {ids[0]}
    assert set(finder.find('style:"customer links"').ids) == set(ids[1:3])
    assert set(finder.find("kind:link style:none").ids) == {ids[3]}


def test_a_result_stays_current_while_lines_and_styles_change(pod):
    design, ids = pod
    edits = []
    for make in (
        lambda: change_lines(design, ids, line_colour="#d55e00", line_width=3.0, line_style="dashed"),
        lambda: make_style(design, ids, "Customer"),
        lambda: change_lines(design, ids, line_style="solid"),
        lambda: delete_style(design, "s1"),
    ):
        edits.append(make())
        design.apply(edits[-1])
    assert [one.label for one in edits][1:] == ["Add style Customer", "Change style Customer", "Delete style Customer"]
    assert not any(is_simulated(one) for one in edits)


def test_the_line_of_a_generated_link_stays_as_it_was_made_by_hand_when_it_is_generated_again():
    family = recipes.family_named("rail-optimized")
    parameters = family.parameters(servers=4)
    design = Design()
    design.apply(recipes.generated(design, family, parameters, CATALOG))
    (fabric,) = (one.id for one in design.groups.values() if one.recipe is not None)
    link = next(iter(design.links))
    design.apply(change_lines(design, [link], line_colour="#d55e00", line_style="dotted"))
    ends = {design.end_name(end) for end in (design.links[link].a, design.links[link].b)}
    design.apply(regenerate(design, fabric, replace(parameters, servers=8), CATALOG).edit)
    kept = [one for one in design.links.values() if {design.end_name(one.a), design.end_name(one.b)} == ends]
    assert [look(design, one.id) for one in kept] == [("#d55e00", 1.5, "dotted")]

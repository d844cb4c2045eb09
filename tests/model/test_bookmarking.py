"""Bookmarks: views of the design under names."""

from dataclasses import replace

import pytest

from designer.analysis.new_designs import new_design
from designer.drawing.parts.ruler import EstimatedRuler
from designer.errors import EditError, ParameterError
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.diagram_svg import text_of
from designer.exchange.exporters_diagram import at_bookmark, drawing_of
from designer.exchange.pack.html import PICTURE
from designer.exchange.redacting import redacted
from designer.model import bookmarking, collapsing, operations
from designer.model.bookmark import Bookmark
from designer.model.edit import Change, Edit
from designer.model.merging.references import rewritten
from designer.model.networks import NETWORKS
from designer.regeneration.recipes import family_named
from designer.storage import document


@pytest.fixture
def design():
    return document.load("examples/superpod-h100-4su.fabric")


def group(design, name):
    return next(one.id for one in design.groups.values() if one.name == name)


def bookmarked(design, name, **values):
    design.apply(operations.add_bookmark(design, name, **values))
    return bookmarking.bookmark_named(design, name)


def test_going_to_a_bookmark_colors_and_collapses_as_it_says_and_undo_takes_it_back(design):
    first, second = group(design, "SU 1"), group(design, "SU 2")
    design.apply(collapsing.collapse(design, [first]))
    one = bookmarked(design, "SU 1 closed", color_links_by="speed")
    design.apply(collapsing.expand(design, [first]))
    design.apply(collapsing.collapse(design, [second]))
    before = document.encode(design)
    edit = operations.look_edit(design, one)
    design.apply(edit)
    assert [str(key) for key in collapsing.collapsed_keys(design)] == [first]
    assert design.settings.color_links_by == "speed"
    assert not operations.look_edit(design, one)
    design.apply(edit.inverted())
    assert document.encode(design) == before


def test_collapsed_roles_come_back_too(design):
    leaf = next(one.id for one in design.devices.values() if one.role == "leaf")
    design.apply(collapsing.collapse_role(design, [leaf]))
    one = bookmarked(design, "leafs as a box")
    kept = collapsing.collapsed_keys(design)
    design.apply(collapsing.expand_all(design))
    design.apply(operations.look_edit(design, one))
    assert collapsing.collapsed_keys(design) == kept


def test_what_is_no_longer_there_is_passed_over(design):
    one = bookmarked(design, "old", collapsed=("g999", "g998/leaf", group(design, "SU 1")))
    design.apply(operations.look_edit(design, one))
    assert [key.id for key in collapsing.collapsed_keys(design)] == [group(design, "SU 1")]


def test_names_are_counted_up_and_none_is_given_twice(design):
    design.apply(operations.add_bookmark(design))
    design.apply(operations.add_bookmark(design))
    assert [one.name for one in design.bookmarks.values()] == ["View 1", "View 2"]
    with pytest.raises(EditError, match="there is a bookmark View 1 already"):
        operations.rename_bookmark(design, "b2", "View 1")
    with pytest.raises(EditError, match="100 characters at most"):
        operations.rename_bookmark(design, "b2", "x" * 101)
    design.apply(operations.rename(design, "b2", "  Rails "))
    assert design.bookmarks["b2"].name == "Rails"
    design.apply(operations.delete_bookmark(design, "b1"))
    assert list(design.bookmarks) == ["b2"]


def test_an_update_keeps_the_name_and_nothing_else(design):
    one = bookmarked(design, "Spines", view="matrix", rows="leaf", columns="spine")
    design.apply(operations.update_bookmark(design, one.id, view="floor"))
    assert replace(design.bookmarks[one.id], collapsed=()) == Bookmark(
        one.id, "Spines", "floor", color_devices_by="kind", color_links_by="network"
    )


@pytest.mark.parametrize(
    "values",
    [{"view": "sky"}, {"seen": (0.0, 1.0)}, {"seen": (5.0, 0.0, 5.0, 1.0)}, {"side": "left"}, {"color_links_by": "x"}],
)
def test_what_leads_nowhere_is_refused_by_verb_and_edit(design, values):
    with pytest.raises(ParameterError):
        operations.add_bookmark(design, "bad", **values)
    with pytest.raises(EditError, match="bookmark 'bad'"):
        design.apply(Edit("Add", (Change(None, Bookmark("b1", "bad", **values)),)))


def test_too_many_are_refused(design, monkeypatch):
    monkeypatch.setattr(bookmarking, "BOOKMARKS_MOST", 1)
    design.apply(operations.add_bookmark(design))
    with pytest.raises(ParameterError, match="1 bookmarks at most"):
        operations.add_bookmark(design)


def test_an_export_takes_view_networks_colors_and_boxes_of_a_bookmark(design):
    su = group(design, "SU 1")
    bookmarked(design, "Storage", view="elevation", side="rear", hidden_networks=("storage",), collapsed=(su,))
    shown, options = at_bookmark(design, DiagramOptions(bookmark="Storage"))
    others = tuple(name for name in NETWORKS if name != "storage")
    assert (options.view, options.side, options.networks) == ("elevation", "rear", others)
    assert shown.groups[su].is_collapsed
    assert not design.groups[su].is_collapsed
    with pytest.raises(ParameterError, match="there is no bookmark 'x': choose one of Storage"):
        at_bookmark(design, DiagramOptions(bookmark="x"))


def test_a_redacted_copy_keeps_the_view_and_loses_the_name(design):
    su = group(design, "SU 1")
    boxes = (su, "AcmeHall", "g1/leaf", "g1/acme-role")
    bookmarked(design, "Customer X", view="floor", collapsed=boxes, opened=boxes)
    (one,) = redacted(design, {}).bookmarks.values()
    assert (one.name, one.view, one.collapsed, one.opened) == ("View 1", "floor", (su, "g1/leaf"), (su, "g1/leaf"))


def test_an_export_opens_the_boxes_that_were_open(catalog):
    values = {"servers": 256, "servers_per_su": 32, "oversubscription": 2}
    design = new_design(family_named("rail-optimized"), values, catalog, "", "none").design
    fabric = next(one.id for one in design.groups.values() if one.kind == "fabric")
    bookmarked(design, "closed")
    bookmarked(design, "open", opened=(f"{fabric}/spine", "g999/spine"))

    def drawn(name):
        return text_of(drawing_of(design, DiagramOptions(bookmark=name), PICTURE)(EstimatedRuler()))

    assert "16 spines" in drawn("closed") and "Spines 1-8" not in drawn("closed")
    assert "16 spines" not in drawn("open") and "Spines 1-8" in drawn("open")


def test_too_many_open_boxes_are_refused(design):
    with pytest.raises(ParameterError, match="opened of View 1: can name 10,000 boxes at most"):
        operations.add_bookmark(design, opened=("g1",) * 10_001)


def test_copies_leave_bookmarks_behind_and_the_file_keeps_them(design):
    bookmarked(design, "Süd", seen=(-1.5, 0.0, 10.25, 20.0))
    assert document.decode(document.encode(design)).bookmarks == design.bookmarks


def test_open_and_collapsed_boxes_follow_new_ids():
    boxes = ("g1", "g1/spine Spines 1-8", "/leaf")
    made = rewritten(Bookmark("b1", "View", collapsed=boxes, opened=boxes), {"g1": "g7"})
    assert made.opened == made.collapsed == ("g7", "g7/spine Spines 1-8", "/leaf")

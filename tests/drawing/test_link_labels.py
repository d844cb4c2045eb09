"""What is written on the lines of links: count and rate, cable, length and label, chosen as for devices."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera, Viewport
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.link_rates import OWN, SILENT, LinkLabels, LinkRates, texts_of
from designer.drawing.overlay import Overlay
from designer.drawing.parts.links import counts
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.projection import _has_label
from designer.drawing.theme import LIGHT
from designer.errors import EditError, ParameterError
from designer.exchange.diagram_svg import svg_of
from designer.model import operations
from designer.model.colour_keys import COUNT, OWN_LABEL
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.equipping import add_device
from designer.model.looks import label_links, toggle_link_label
from designer.model.wiring import connect_devices
from designer.storage import document
from designer.topologies import rail_optimized


@pytest.fixture
def design(catalog):
    """A leaf switch with two links to one spine and one link to another."""
    made, types = Design(), catalog.types
    for x, y in ((0.0, 0.0), (700.0, 0.0), (0.0, 500.0)):
        made.apply(add_device(made, types["nvidia-qm9700"], x, y, catalog_types=types))
    made.apply(connect_devices(made, "d3", "d1", 2))
    made.apply(connect_devices(made, "d3", "d2"))
    return made


def change(design, **by_id):
    links = design.links
    design.apply(Edit("Change", tuple(Change(links[one], replace(links[one], **new)) for one, new in by_id.items())))


def written(design, links=LinkDetail.BUNDLES):
    composition = Composition(design)
    left, top, right, bottom = composition.bounds
    view = Viewport(Camera(2.0, left, top), (right - left) * 2, (bottom - top) * 2)
    sheet = Sheet.of_view(view, LIGHT, EstimatedRuler())
    return sorted(texts(counts(composition.picture(LIGHT, Detail(links)), sheet)))


def choose(design, *labels):
    design.apply(label_links(design, labels))


def test_labels_that_were_typed_into_cables_stand_on_their_lines(design):
    assert written(design) == ["2 × 400G"]
    change(design, l3={"label": "trunk B"})
    assert written(design) == ["2 × 400G", "trunk B"]
    change(design, l1={"label": "A-01"}, l2={"label": "A-02"})
    assert written(design) == ["2 × 400G · A-01 … A-02", "trunk B"]
    assert written(design, LinkDetail.SINGLES) == ["A-01", "A-02", "trunk B"]


def test_a_bundle_whose_links_have_one_label_says_it_once_and_of_how_many(design):
    choose(design, "label")
    change(design, l1={"label": "A"}, l2={"label": "A"})
    assert written(design) == ["A"]
    change(design, l2={"label": ""})
    assert written(design) == ["A (1 of 2)"]


def test_length_and_cable_type_say_what_is_known_and_never_more(design, catalog):
    choose(design, "length")
    assert written(design) == []
    change(design, l1={"length_m": 3.0}, l2={"length_m": 5.0}, l3={"length_m": 12.5})
    assert written(design) == ["12.5 m", "3–5 m"]
    change(design, l2={"length_m": None})
    assert written(design) == ["12.5 m", "3 m (1 of 2)"]
    dac = next(one for one in catalog.types.values() if getattr(one, "kind", "") == "DAC")
    design.apply(Edit("Add", (Change(None, dac),)))
    choose(design, "cable")
    change(design, l1={"medium_id": dac.id}, l2={"medium_id": dac.id})
    assert written(design) == ["DAC"]


def test_each_can_be_left_out_and_none_leaves_the_lines_bare(design):
    change(design, l3={"label": "trunk B"})
    design.apply(toggle_link_label(design, "count"))
    assert design.settings.link_labels == ("label",) and written(design) == ["trunk B"]
    design.apply(toggle_link_label(design, "length"))
    assert design.settings.link_labels == ("length", "label"), "in the order of the table"
    choose(design)
    assert written(design) == []
    assert document.decode(document.encode(design)).settings.link_labels == ()


def test_a_drawing_follows_a_label_that_is_typed(design):
    composition = Composition(design)
    row = composition.projection.link_rows(["l3"])["l3"]
    rows = composition.bundles.order[[row]]
    assert composition.link_labels.texts(rows) == ()
    before = design.links["l3"]
    edit = Edit("Label", (Change(before, replace(before, label="trunk B")),))
    design.apply(edit)
    composition.follow(edit)
    assert composition.link_labels.texts(rows) == ("trunk B",)


def test_exports_have_the_labels_of_links_and_leave_them_out_with_all_others(design):
    change(design, l3={"label": "trunk B"})
    assert "trunk B" in svg_of(design)
    assert "trunk B" not in svg_of(design, overlay=Overlay(labels=False))


def test_long_labels_are_cut(design):
    change(design, l3={"label": "x" * 300})
    (cut,) = (text for text in written(design) if "x" in text)
    assert len(cut) == 40 and cut.endswith("…")


def test_no_count_takes_the_place_of_own_labels_and_they_have_theirs_first(design):
    assert texts_of(design, list(design.links.values())[:2], 2, "400G", {COUNT, OWN_LABEL}) == ("2 × 400G", "×2")
    change(design, l1={"label": "A-01"}, l2={"label": "A-02"})
    two = list(design.links.values())[:2]
    found = texts_of(design, two, 2, "400G", {COUNT, OWN_LABEL})
    assert found == ("2 × 400G · A-01 … A-02", "A-01 … A-02", "A-01 …")
    projection = Composition(design).projection
    labels = LinkLabels(projection, LinkRates(projection))
    lines = Composition(design).picture(LIGHT, Detail(LinkDetail.BUNDLES)).lines
    by_count = dict(zip(lines.counts.tolist(), labels.amounts(lines, np.arange(2)).tolist(), strict=True))
    assert by_count == {2: OWN, 1: SILENT}


def test_what_is_no_label_is_refused(design):
    with pytest.raises(ParameterError, match="there is count, cable, length, label"):
        operations.set_settings(design, link_labels=("colour",))
    with pytest.raises(EditError, match="link_labels: 'colour' is none of"):
        after = replace(design.settings, link_labels=("colour",))
        design.apply(Edit("Change", (Change(design.settings, after),)))


def test_a_note_of_a_tier_leaves_out_no_own_label_and_goes_with_the_counts(generated):
    design = generated("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=128).snapshot()
    noted = {text for one in Composition(design).tier_notes.notes for text in one.texts}
    assert noted & set(written(design)), "counts are written once for all links of a tier"
    switches = (one for one in design.links.values() if design.is_switch(one.a.device_id))
    link = next(one for one in switches if design.is_switch(one.b.device_id))
    change(design, **{link.id: {"label": "trunk B"}})
    assert any("trunk B" in text for text in written(design)) and noted & set(written(design))
    choose(design, "length")
    assert not noted & set(written(design))


def test_which_links_have_labels_is_followed_edit_by_edit(design):
    composition = Composition(design)
    assert composition.base.labelled_links() == frozenset()

    def labelled_after(edit):
        design.apply(edit)
        composition.follow(edit)
        return sorted(composition.base.labelled_links())

    def labelled(**labels):
        pairs = ((design.links[one], replace(design.links[one], label=text)) for one, text in labels.items())
        return Edit("Label", tuple(Change(*pair) for pair in pairs))

    assert labelled_after(labelled(l1="A", l2="B", l3=" ")) == ["l1", "l2"]
    assert labelled_after(labelled(l1="", l3="C")) == ["l2", "l3"]
    deleted = operations.delete(design, ["l2"])
    assert labelled_after(deleted) == ["l3"]
    assert labelled_after(deleted.inverted()) == ["l2", "l3"]
    assert labelled_after(operations.move(design, {"d1": (5.0, 5.0)})) == ["l2", "l3"]


@pytest.mark.parametrize("most", [0, 1000])
def test_labels_of_very_many_links_are_read_again(design, monkeypatch, most):
    monkeypatch.setattr("designer.drawing.projected_rows.READ_ALL_AFRESH", most)
    composition = Composition(design)
    composition.draw_up()
    assert composition.base._with[_has_label] == frozenset(), "drawn up by a worker"
    edit = Edit("Label", (Change(design.links["l3"], replace(design.links["l3"], label="trunk B")),))
    design.apply(edit)
    composition.follow(edit)
    assert composition.base.labelled_links() == {"l3"}


def test_from_afar_own_labels_are_written_as_names_are_and_nothing_is_counted(design):
    composition = Composition(design)
    left, top, right, bottom = composition.bounds
    camera = Camera(0.45, left, top)
    sheet = Sheet.of_view(Viewport(camera, (right - left) * 0.45, (bottom - top) * 0.45), LIGHT, EstimatedRuler())

    def seen(**detail):
        picture = Composition(design).picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False, **detail))
        return [one for one in texts(counts(picture, sheet)) if "to" not in one]

    assert seen() == []
    change(design, l3={"label": "B7"})
    assert seen() == ["B7"]
    assert seen(names=False) == []


def test_from_afar_no_line_is_asked_where_no_link_has_a_label(design):
    composition, asked = Composition(design), []
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False))
    picture = replace(picture, link_amounts=lambda lines, rows: asked.append(rows))
    sheet = Sheet.of_view(Viewport(Camera(0.45, *composition.bounds[:2]), 900.0, 600.0), LIGHT, EstimatedRuler())
    list(counts(picture, sheet))
    assert not asked


def test_a_server_that_stands_elsewhere_has_its_count_on_its_line_though_a_note_says_it_of_the_others(catalog):
    made, types = Design(), catalog.types
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(servers=16), catalog))
    leafs = sorted((made.placements[one.id] for one in made.switches() if one.role == "leaf"), key=lambda one: one.x)
    above = 0.6 * min(made.placements[one.id].y for one in made.switches()) + 0.4 * leafs[0].y
    before = set(made.devices)
    made.apply(add_device(made, types["dgx-h100"], leafs[0].x, above, catalog_types=types))
    (server,) = made.devices.keys() - before
    made.apply(connect_devices(made, server, leafs[4].id, 8))
    composition = Composition(made)
    box, far = composition.rect_of(server), composition.rect_of(leafs[4].id)
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES))
    assert any(one is not None and one.texts[0].startswith("Server to leaf: 8 × 400G") for one in picture.tiers().notes)
    for scale in (0.6, 0.7, 0.8, 1.0):  # links to spines cross all of it
        view = Viewport(Camera(scale, box[0], box[1]), (far[2] - box[0]) * scale, (far[3] - box[1]) * scale)
        assert "8 × 400G" in texts(counts(picture, Sheet.of_view(view, LIGHT, EstimatedRuler()))), scale

"""The rate of links stands beside their count where all of them have it; no figure stands for what is not known."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera, Viewport
from designer.drawing.composition import Composition
from designer.drawing.device_rates import DeviceRates
from designer.drawing.folding.levels import Levels
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.link_rates import MOST_LINKS, LinkRates
from designer.drawing.parts.links import counts
from designer.drawing.parts.paper import paper
from designer.drawing.parts.primitives import Dots
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.stencil import stencil_of
from designer.drawing.theme import LIGHT, SERVER
from designer.drawing.tier_titles import MOST_ASKED, MOST_NOTED
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.placement.layouts.tidy import tidy
from designer.units import format_rate


@pytest.fixture
def tree(generated):
    return Composition(generated("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=16).snapshot())


def written(composition, scale):
    left, top, right, bottom = composition.bounds
    view = Viewport(Camera(scale, left, top), (right - left) * scale, (bottom - top) * scale)
    sheet = Sheet.of_view(view, LIGHT, EstimatedRuler())
    picture = replace(composition.picture(LIGHT, Detail(LinkDetail.BUNDLES)), tiers=lambda: None)
    return set(texts(counts(picture, sheet)))


def test_bundles_say_count_and_rate_where_their_lines_have_room(tree):
    assert "16 × 400G" in written(tree, 3.0)
    assert written(tree, 0.45) == {"16 × 400G"}, "no short text next to a long one"
    assert written(tree, 0.08) == set(), "the same on all lines, which they would cover"


def test_short_lines_with_room_for_them_say_the_count_alone(generated):
    design = generated("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=8)
    assert written(Composition(design.snapshot()), 0.12) == {"×32"}


def test_links_of_different_rates_and_too_many_have_none(tree):
    rates = LinkRates(tree.projection)
    rows = np.arange(4)
    assert rates.text(rows) == "400G" and not rates._known, "not asked one by one"
    for odd in (200.0, None):
        tree.projection._rates._known[:] = np.nan
        rates._known[2] = odd
        assert rates.text(rows) == ""
    assert rates.text(np.arange(0)) == "" and LinkRates(tree.projection).text(np.zeros(MOST_LINKS + 1, np.int64)) == ""


def test_devices_of_different_rates_have_no_links_of_one(tree):
    rates = LinkRates(tree.projection)
    known = DeviceRates(tree.projection.n_own)
    known._known[:] = np.resize((400.0, 200.0), len(known._known))
    tree.projection._rates = known
    assert rates.text(np.arange(len(tree.projection.link_ids))) == "" and not rates._known


def test_a_link_at_a_port_that_does_not_exist_has_no_rate(tree):
    design = tree.design
    link = design.links[tree.projection.link_ids[2]]
    faulty = replace(link, a=replace(link.a, port="none"))
    edit = Edit("Break", (Change(link, faulty),))
    design.apply(edit)
    rates = LinkRates(Composition(design).projection)
    assert rates.text(np.arange(4)) == "" and rates.text(np.array([0, 1, 3])) == "400G"


@pytest.mark.parametrize("name", ["superpod-h100-4su", "faults", "fat-tree-16-2to1"])
@pytest.mark.parametrize("scale", [1.0, 0.02])
def test_links_of_devices_with_one_rate_are_as_asked_one_by_one(example, name, scale):
    composition = Levels(Composition(example(name))).at(scale)
    lines, rates = composition.lines(Detail(LinkDetail.BUNDLES)), LinkRates(composition.projection)
    held = np.split(lines.links, lines.starts[1:])
    for rows in (*held, lines.links[:MOST_LINKS]):
        apart = {rates._rate(row) for row in rows.tolist()}
        rate = apart.pop()
        assert rates.text(rows) == (format_rate(rate) if rate is not None and not apart else "")


def test_another_port_mode_is_followed_and_a_move_costs_nothing(tree):
    design = tree.design
    before = tree.rates
    edit = operations.move(design, {design.find("leaf-01").id: (5.0, 5.0)})
    design.apply(edit)
    tree.follow(edit)
    assert tree.rates is before
    edit = operations.delete(design, [next(iter(design.links))])
    design.apply(edit)
    tree.follow(edit)
    assert tree.rates is not before


def test_what_is_handed_over_has_no_grid_and_the_canvas_has():
    made = Sheet(Camera(), (0.0, 0.0, 100.0, 100.0), LIGHT, EstimatedRuler())
    assert not any(isinstance(part, Dots) for part in paper(made))
    assert any(isinstance(part, Dots) for part in paper(made, 24.0))


def test_of_a_device_with_ports_of_several_rates_those_with_links_count(tree):
    design, projection = tree.design, tree.projection
    server = next(one for one in design.devices if design.is_server(one))
    rates, ports = DeviceRates(projection.n_own), design.port_map(server)
    rates._of_ports[id(ports)] = ports, {200.0, 400.0}
    switch = next(one for one in design.devices if design.is_switch(one))
    rows = np.array([projection.row_of[server], projection.row_of[switch]], np.int32)
    assert rates.of(design, projection.device_ids, rows).tolist() == [400.0, 400.0] and len(rates._of_ports) == 2


def test_a_device_is_asked_once_for_all_levels_and_not_again_after_a_layout(generated, monkeypatch):
    asked = []
    rate = DeviceRates._rate
    monkeypatch.setattr(DeviceRates, "_rate", lambda self, *of: asked.append(of[1]) or rate(self, *of))
    drawing = Composition(generated("dragonfly", p=16, a=32, h=1, groups=2).snapshot())
    rows = np.arange(len(drawing.base.link_ids))
    text = LinkRates(drawing.projection).text(rows)
    known = len(asked)
    assert text and known == len(set(asked)) == len(drawing.base.device_ids)
    level = Levels(drawing).at(1 / 16).projection
    assert level is not drawing.projection and LinkRates(level).text(np.arange(len(level.link_ids))) == text
    made = drawing.design.snapshot()
    made.apply(tidy(made))
    moved = stencil_of(drawing).drawing(made)
    assert LinkRates(moved.projection).text(rows) == text and len(asked) == known


def test_a_line_of_very_many_links_says_their_rate_and_an_edit_of_one_asks_two_devices_again(generated, monkeypatch):
    asked = []
    rate = DeviceRates._rate
    monkeypatch.setattr(DeviceRates, "_rate", lambda self, *of: asked.append(of[1]) or rate(self, *of))
    design = generated("dragonfly", p=16, a=32, h=1, groups=3)
    design.apply(operations.set_settings(design, link_labels=("count", "length")))
    drawing = Composition(design)
    rows = np.arange(len(drawing.projection.link_ids))
    assert len(rows) > MOST_LINKS and not drawing.rates._known
    assert drawing.link_labels.texts(rows)[0] == f"{len(rows):,} × 400G"
    asked.clear()
    link = design.links[drawing.projection.link_ids[-1]]
    edit = operations.delete(design, [link.id])
    design.apply(edit)
    drawing.follow(edit)
    assert drawing.link_labels.texts(rows[:-1])[0] == f"{len(rows) - 1:,} × 400G"
    assert sorted(asked) == sorted((link.a.device_id, link.b.device_id))


def test_very_many_devices_are_not_asked_for_the_rate_of_such_a_line(generated, monkeypatch):
    design = generated("dragonfly", p=16, a=32, h=1, groups=3)
    monkeypatch.setattr("designer.drawing.link_rates.MOST_DEVICES", len(design.devices) - 1)
    monkeypatch.setattr(DeviceRates, "_rate", lambda *_of: pytest.fail("each edit of a device would ask all again"))
    drawing = Composition(design)
    rows = np.arange(len(drawing.projection.link_ids))
    assert drawing.link_labels.texts(rows) == (f"×{len(rows):,}",)


def test_a_device_whose_links_change_is_asked_again(tree):
    design, rows = tree.design, np.arange(4)
    assert LinkRates(tree.projection).text(rows) == "400G"
    link = design.links[tree.projection.link_ids[2]]
    edit = Edit("Break", (Change(link, replace(link, a=replace(link.a, port="none"))),))
    design.apply(edit)
    tree.follow(edit)
    assert LinkRates(tree.projection).text(np.arange(4)) == LinkRates(Composition(design).projection).text(rows) == ""


def test_what_is_known_of_devices_ends_with_another_port_mode(tree):
    design, rows = tree.design, np.arange(4)
    assert LinkRates(tree.projection).text(rows) == "400G"
    handed = stencil_of(tree).base
    (row,) = (row for row in np.unique(tree.projection.ends[rows]).tolist() if tree.projection.kinds[row] != SERVER)
    edit = operations.set_port_mode(design, tree.projection.device_ids[row], "128x200G")
    design.apply(edit)
    tree.follow(edit)
    assert LinkRates(tree.projection).text(rows) == "" and LinkRates(handed).text(rows) == "400G"


def test_what_a_worker_finds_out_of_devices_is_its_own(tree):
    rows = np.arange(4)
    LinkRates(tree.projection).text(rows)
    handed = stencil_of(tree).base
    handed._rates._known[:] = 800.0
    assert LinkRates(handed).text(rows) == "800G" and LinkRates(tree.projection).text(rows) == "400G"


def test_of_more_links_than_are_asked_one_by_one_a_note_says_the_rate_that_their_devices_tell(generated):
    n_pods = 44
    far = Levels(Composition(generated("k-ary-fat-tree", k=n_pods).snapshot())).at(0.004)
    assert len(far.projection.link_ids) > MOST_ASKED
    left, top, right, bottom = far.bounds
    margin_px = 60.0
    seen = Camera(0.004, left - margin_px / 0.004, top - margin_px / 0.004)
    view = Viewport(seen, (right - left) * 0.004 + 2 * margin_px, (bottom - top) * 0.004 + 2 * margin_px)
    said = list(
        texts(counts(far.picture(LIGHT, Detail(LinkDetail.TRUNKS)), Sheet.of_view(view, LIGHT, EstimatedRuler())))
    )
    assert said == ["Pod to core: 484 × 400G per pod"], "it stands once for all"
    far.projection.whole()._rates._known[:] = np.nan
    assert LinkRates(far.projection).text(np.arange(MOST_ASKED + 1), MOST_NOTED, MOST_ASKED) == ""

"""A note between two tiers names the pairs that it counts as unlike the others, and a click selects their links."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from designer.drawing.tier_odds import MOST_NAMED, odd_ones
from designer.model import operations
from designer.topologies import fat_tree


@pytest.fixture
def tree(hand, catalog):
    """Sixteen leaf switches, each with two links to each of eight spines, and 256 servers."""
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-32x400g", server="generic-host", servers=256, racks="none"
    )
    hand.session.push(fat_tree.build(hand.design, parameters, catalog))
    hand.view.resize(1600, 1000)
    hand.view.zoom_to_fit()
    return hand


def between(design):
    """The links of switches by the names of their ends."""
    found = {}
    for link in design.links.values():
        ends = sorted(design.device(end.device_id).name for end in (link.a, link.b))
        if design.is_switch(link.a.device_id) and design.is_switch(link.b.device_id):
            found.setdefault(tuple(ends), []).append(link.id)
    return found


def spot(hand, qtbot):
    """The middle of the note between leafs and spines, once it is drawn with care."""
    fabric = hand.view.fabric
    hand.view.grab()
    number = next(n for n, texts in enumerate(fabric.seen.tier_words.texts) if "spine" in texts[0])
    qtbot.waitUntil(lambda: number in fabric.noted[1].note_places)
    view, picture = fabric.noted
    left, top, width, height = picture.note_places[number]
    assert view.camera == hand.view.camera
    return QPoint(round(left + width / 2), round(top + height / 2)), number


def test_what_differs_is_named_under_the_pointer_and_selected_by_a_click(tree, qtbot):
    pairs = between(tree.design)
    gone = [pairs[pair][0] for pair in list(pairs)[3:6]]
    names = [" – ".join(pair) for pair in list(pairs)[3:6]]
    left = {one for pair in list(pairs)[3:6] for one in pairs[pair]} - set(gone)
    tree.session.push(operations.delete(tree.design, gone))
    qtbot.waitUntil(lambda: "3 pairs differ" in str(tree.view.fabric.seen.tier_words.texts))
    at, _ = spot(tree, qtbot)
    QTest.mouseMove(tree.view, at)
    assert tree.view.hovered.link_ids and set(tree.view.hovered.link_ids) == left
    said = tree.view.fabric.tooltip(tree.view.hovered)
    assert all(f"{name}: 1 link<" in said for name in names)
    assert tree.view.fabric.sentence(tree.view.hovered) == "Click to select what is not as the others"
    tree.click(at)
    assert tree.session.selection == left


def test_pairs_without_links_are_named_and_their_devices_selected(tree, qtbot):
    pairs = between(tree.design)
    pair = next(iter(pairs))
    tree.session.push(operations.delete(tree.design, pairs[pair]))
    qtbot.waitUntil(lambda: "without links" in str(tree.view.fabric.seen.tier_words.texts))
    at, _ = spot(tree, qtbot)
    tree.click(at)
    assert {tree.design.device(one).name for one in tree.session.selection} == set(pair)
    assert f"{' – '.join(pair)}: no link" in tree.view.fabric.tooltip(tree.view.hovered)


def test_six_are_named_and_the_others_counted_and_alike_there_is_nothing_to_meet(tree, qtbot):
    fabric, pairs = tree.view.fabric, between(tree.design)
    at, number = spot(tree, qtbot)
    QTest.mouseMove(tree.view, at)
    assert tree.view.hovered.note_number is None, "all are alike"
    tree.session.push(operations.delete(tree.design, [pairs[pair][0] for pair in list(pairs)[: MOST_NAMED + 2]]))
    seen = fabric.composition
    found = odd_ones(seen.projection, seen.bundles, seen.tier_words, number)
    assert len(found.lines) == MOST_NAMED + 1 and found.lines[-1] == "and 2 more"
    assert len(found.link_ids) == sum(len(pairs[pair]) - 1 for pair in list(pairs)[: MOST_NAMED + 2])

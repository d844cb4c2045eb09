"""Links led through bends by hand: they go along with their devices, and go where these are laid out anew."""

import pytest

from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model import bending, operations
from designer.model.annotation_limits import BENDS_MOST
from designer.model.design import Design
from designer.model.merging.units import is_changed
from designer.placement.layouts.tidy import tidy
from designer.session.commands import is_simulated
from designer.storage import document

CATALOG = load()
BENDS = ((200.0, 50.0), (220.5, 150.0))


@pytest.fixture
def design():
    """Four switches in a square, the first linked twice to the last, once the other way round."""
    made = Design()
    for x, y in ((0, 0), (400, 0), (0, 300), (400, 300)):
        type_ = CATALOG.get("nvidia-qm9700")
        made.apply(operations.add_device(made, type_, float(x), float(y), catalog_types=CATALOG.types))
    a, _, _, d = made.devices
    made.apply(operations.connect_devices(made, a, d))
    made.apply(operations.connect_devices(made, d, a))
    return made


@pytest.fixture
def ends(design):
    a, _, _, d = design.devices
    return a, d


def bent(design, ends, points=BENDS):
    edit = bending.bend_links(design, design.links, points, ends[0])
    design.apply(edit)
    return edit


def bends(design):
    """The bends of all links from the first device on."""
    first = next(iter(design.devices))
    return {one.bends if one.a.device_id == first else one.bends[::-1] for one in design.links.values()}


def test_links_are_led_the_same_way_whichever_end_is_first_and_undo_takes_it_back(design, ends):
    before = document.encode(design)
    edit = bent(design, ends)
    assert [one.bends for one in design.links.values()] == [BENDS, BENDS[::-1]]
    assert edit.label == "Bend 2 links"
    assert not is_simulated(edit)
    design.apply(edit.inverted())
    assert document.encode(design) == before


def test_bends_are_saved_and_read_again(design, ends):
    bent(design, ends)
    text = document.encode(design)
    assert b'"bends": [[200, 50], [220.5, 150]]' in text
    assert document.encode(document.decode(text)) == text


def test_bends_are_removed_all_or_one(design, ends):
    bent(design, ends)
    design.apply(bending.remove_bend(design, design.links, BENDS[1]))
    assert bends(design) == {BENDS[:1]}
    design.apply(bending.remove_bends(design, design.links))
    assert bends(design) == {()}
    with pytest.raises(ParameterError, match="select links with bends"):
        bending.remove_bends(design, design.links)


def test_only_links_of_the_device_are_bent_and_not_too_often(design, ends):
    with pytest.raises(ParameterError, match="between the same two devices"):
        bending.bend_links(design, design.links, BENDS, list(design.devices)[1])
    with pytest.raises(ParameterError, match=f"a line can have {BENDS_MOST} bends at most"):
        bending.bend_links(design, design.links, [(float(x), 0.0) for x in range(BENDS_MOST + 1)], ends[0])


def test_the_same_bends_again_change_nothing_and_links_that_are_not_there_are_passed_over(design, ends):
    bent(design, ends)
    assert not bending.bend_links(design, [*design.links, "l99"], BENDS, ends[0])


def test_a_file_with_too_many_bends_is_refused(design, ends):
    bent(design, ends)
    many = b"[" + b", ".join(b"[1, 2]" for _ in range(BENDS_MOST + 1)) + b"]"
    text = document.encode(design).replace(b"[[200, 50], [220.5, 150]]", many)
    with pytest.raises(Exception, match="101 bends, the most is 100"):
        document.decode(text)


def test_bends_go_along_where_both_ends_are_moved_alike_and_else_stay(design, ends):
    bent(design, ends)
    at = design.placements
    a, d = ends
    design.apply(operations.move(design, {one: (at[one].x + 10.0, at[one].y - 5.0) for one in ends}))
    assert bends(design) == {((210.0, 45.0), (230.5, 145.0))}
    design.apply(operations.move(design, {a: (-100.0, 0.0)}))
    design.apply(operations.move(design, {a: (0.0, 0.0), d: (600.0, 0.0)}))
    assert bends(design) == {((210.0, 45.0), (230.5, 145.0))}


def test_bends_are_turned_and_mirrored_with_their_devices(design, ends):
    bent(design, ends)
    design.apply(operations.mirror(design, design.devices, "x"))
    assert bends(design) == {((200.0, 50.0), (179.5, 150.0))}
    design.apply(operations.mirror(design, design.devices, "x"))
    for _ in range(4):
        design.apply(operations.rotate(design, design.devices, cell=(144.0, 68.0)))
    found = next(iter(bends(design)))
    assert [one for point in found for one in point] == pytest.approx([one for point in BENDS for one in point])
    design.apply(operations.rotate(design, design.devices))
    assert {tuple((round(x, 3), round(y, 3)) for x, y in way) for way in bends(design)} == {
        ((300.0, 150.0), (200.0, 170.5))
    }


def test_copies_of_both_devices_have_the_bends_beside_those_of_the_originals(design, ends):
    bent(design, ends)
    before = set(design.links)
    design.apply(operations.duplicate(design, ends, 1000.0, 20.0))
    copies = {design.links[one].bends for one in design.links.keys() - before}
    assert copies == {tuple((x + 1000.0, y + 20.0) for x, y in way) for way in (BENDS, BENDS[::-1])}


def test_tidying_removes_bends_unless_the_ends_stay(design, ends):
    bent(design, ends)
    design.apply(operations.lock(design, ends, locked=True))
    design.apply(tidy(design))
    assert bends(design) == {BENDS}
    design.apply(operations.lock(design, ends, locked=False))
    design.apply(tidy(design))
    assert bends(design) == {()}


def test_links_led_to_another_device_have_no_bends_and_to_another_port_keep_them(design, ends):
    bent(design, ends)
    _, d = ends
    link = next(iter(design.links.values()))
    free = next(port.name for port in design.free_ports(d))
    design.apply(operations.reconnect(design, [link.id], d, d, free))
    assert design.links[link.id].bends == BENDS
    design.apply(operations.reconnect(design, [link.id], d, list(design.devices)[1]))
    assert design.links[link.id].bends == ()


def test_bends_are_how_the_design_is_shown_and_no_content_of_it(design, ends):
    before = next(iter(design.links.values()))
    bent(design, ends)
    assert before.bends != design.links[before.id].bends
    assert not is_changed(before, design.links[before.id])


def test_bends_within_a_rack_go_along_with_it_when_racks_are_turned(design, ends):
    racks = []
    for x in (1000.0, 1600.0):
        edit = operations.add_rack(design, CATALOG.get("rack-42u"), x, 0.0)
        design.apply(edit)
        racks.append(edit.changes[-1].after.id)
    for one in ends:
        design.apply(operations.mount(design, one, racks[0]))
    bent(design, ends)
    before = design.placements[ends[0]]
    design.apply(operations.rotate(design, racks))
    after = design.placements[ends[0]]
    dx, dy = after.x - before.x, after.y - before.y
    assert (dx, dy) != (0.0, 0.0)
    assert bends(design) == {tuple((x + dx, y + dy) for x, y in BENDS)}

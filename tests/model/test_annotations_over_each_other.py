"""What lies over what: annotations brought to the front and sent to the back, as edits that are kept."""

from dataclasses import replace

import pytest

from designer.errors import EditError
from designer.model.annotating import annotate, bring_to_front, from_back_to_front, send_to_back
from designer.model.annotation import LEVELS
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.storage import document


@pytest.fixture
def design():
    return Design()


def put(design, *kinds):
    """Annotations of these kinds, made one after the other; their ids."""
    ids = []
    for kind in kinds:
        edit = annotate(design, kind, (0.0, 0.0), (100.0, 40.0))
        design.apply(edit)
        ids.append(edit.changes[0].after.id)
    return ids


def stack(design):
    return [one.id for one in from_back_to_front(design)]


def test_zones_lie_behind_the_others_and_what_was_made_last_lies_on_top(design):
    first, zone, second, other = put(design, "note", "zone", "text", "zone")
    assert stack(design) == [zone, other, first, second]


def test_what_comes_to_the_front_or_goes_to_the_back_is_undone_and_saved(design):
    first, zone, second = put(design, "note", "zone", "text")
    for make, ids, order in (
        (bring_to_front, [first], [zone, second, first]),
        (send_to_back, [second], [second, zone, first]),
        (send_to_back, [zone], [zone, second, first]),
        (bring_to_front, [second], [zone, first, second]),
    ):
        before, edit = document.encode(design), make(design, ids)
        design.apply(edit)
        assert stack(design) == order
        assert document.decode(document.encode(design)).annotations == design.annotations
        design.apply(edit.inverted())
        assert document.encode(design) == before
        design.apply(edit)
    assert [design.annotations[one].is_behind for one in order] == [True, False, False]


def test_a_zone_comes_over_all_that_is_behind_the_fabric_and_stays_behind_it(design):
    zone, other, note, on_top = put(design, "zone", "zone", "note", "note")
    design.apply(send_to_back(design, [note]))
    design.apply(bring_to_front(design, [zone]))
    assert stack(design) == [note, other, zone, on_top]
    assert design.annotations[zone].is_behind


def test_several_keep_their_own_order(design):
    a, b, c, zone = put(design, "note", "note", "note", "zone")
    design.apply(bring_to_front(design, [a]))
    design.apply(bring_to_front(design, [a, b]))
    assert stack(design) == [zone, c, b, a]
    design.apply(send_to_back(design, [a, b, zone]))
    assert stack(design) == [zone, b, a, c]


def test_what_is_there_already_is_refused_and_nothing_written(design):
    zone, note, on_top = put(design, "zone", "note", "note")
    with pytest.raises(EditError, match="already as far in front"):
        bring_to_front(design, [on_top, zone])
    with pytest.raises(EditError, match="already as far back"):
        send_to_back(design, [zone])
    design.apply(send_to_back(design, [note]))
    with pytest.raises(EditError, match="already as far back"):
        send_to_back(design, [note])
    assert b'"level": 0' not in document.encode(design)


def test_a_note_that_alone_was_sent_to_the_back_comes_to_the_front_as_it_was_made(design):
    (note,) = put(design, "note")
    made = design.annotations[note]
    design.apply(send_to_back(design, [note]))
    assert design.annotations[note].is_behind
    design.apply(bring_to_front(design, [note]))
    assert design.annotations[note] == made


def test_where_no_level_is_left_the_others_are_numbered_anew(design):
    zone, under, note, on_top, moved = put(design, "zone", "note", "note", "note", "text")
    design.apply(send_to_back(design, [under]))
    levels = {zone: LEVELS.least, under: LEVELS.least, note: 0, on_top: LEVELS.most}
    found = [(design.annotations[one], level) for one, level in levels.items()]
    design.apply(Edit("Level", tuple(Change(one, replace(one, level=level)) for one, level in found)))
    before, edit = document.encode(design), bring_to_front(design, [moved])
    assert stack(design)[-3:] == [note, moved, on_top]
    design.apply(edit)
    assert stack(design)[-3:] == [note, on_top, moved] and stack(design)[:2] == [zone, under]
    design.apply(send_to_back(design, [moved]))
    assert stack(design) == [moved, zone, under, note, on_top] and design.annotations[under].is_behind
    assert document.decode(document.encode(design)).annotations == design.annotations
    design.apply(bring_to_front(design, [zone]))
    assert stack(design)[:3] == [moved, under, zone] and before != document.encode(design)

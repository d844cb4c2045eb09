"""What annotations point to: a device, a link, a point of the drawing or nothing, as edits that are kept."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.errors import EditError, ParameterError
from designer.model import operations
from designer.model.annotating import annotate, detach, is_led, point_at, point_to, pointed_to, resize, stretch, tip_of
from designer.model.annotation_limits import annotation_faults
from designer.model.design import Design
from designer.model.entities import Annotation
from designer.storage import document
from designer.topologies import rail_optimized


@pytest.fixture
def pod():
    design = Design()
    design.apply(rail_optimized.build(design, rail_optimized.RailOptimizedParameters(servers=2), load()))
    return design


def put(design, kind="callout", **values):
    edit = annotate(design, kind, (0.0, 0.0), (100.0, 40.0), **values)
    design.apply(edit)
    return edit.changes[0].after.id


def tip(design, one):
    return tip_of(design.annotations[one], design.placements[one])


def test_a_callout_points_to_a_device_a_link_a_point_and_back_and_each_is_undone_and_saved(pod):
    one, device, link = put(pod), pod.servers()[0], next(iter(pod.links.values()))
    edits = [lambda: point_to(pod, [one], device.id), lambda: point_to(pod, [one], link.id)]
    edits += [lambda: point_at(pod, one, 300.0, -200.0), lambda: detach(pod, [one])]
    said = [device.name, f"{pod.end_name(link.a)} to {pod.end_name(link.b)}", "A point", "A point"]
    for make, name in zip(edits, said, strict=True):
        before, edit = document.encode(pod), make()
        pod.apply(edit)
        assert pointed_to(pod, pod.annotations[one]) == name
        assert document.decode(document.encode(pod)).annotations == pod.annotations
        pod.apply(edit.inverted())
        assert document.encode(pod) == before
        pod.apply(edit)
    assert not is_led(pod, pod.annotations[one])


def test_pointing_at_a_point_leaves_the_device_and_pointing_to_a_device_the_point(pod):
    one, device = put(pod, tip=(-50.0, 90.0)), pod.servers()[0]
    assert tip(pod, one) == (-50.0, 90.0)
    pod.apply(point_to(pod, [one], device.id))
    assert pod.annotations[one].tip_dx is None and pod.annotations[one].pinned_to == device.id
    pod.apply(point_at(pod, one, 7.0, 200.0))
    assert tip(pod, one) == (7.0, 200.0) and not pod.annotations[one].pinned_to


def test_a_callout_always_has_a_tip_and_a_note_only_one_that_was_put_somewhere(pod):
    callout, note = put(pod), put(pod, "note")
    assert tip(pod, callout)[1] > 40.0, "below its box"
    assert tip(pod, note) is None and pointed_to(pod, pod.annotations[note]) == ""
    pod.apply(point_at(pod, note, 5.0, 300.0))
    assert tip(pod, note) == (5.0, 300.0)
    pod.apply(detach(pod, [note]))
    assert tip(pod, note) is None


def test_the_tip_moves_with_the_callout_and_stays_while_that_is_resized(pod):
    one = put(pod, tip=(0.0, 100.0))
    pod.apply(resize(pod, one, (0.0, 0.0), (300.0, 80.0)))
    assert tip(pod, one) == (0.0, 100.0)
    pod.apply(operations.move(pod, {one: (1000.0, 20.0)}))
    assert tip(pod, one) == (850.0, 80.0)


def test_the_tip_is_stretched_with_several(pod):
    one, other = put(pod, tip=(50.0, 100.0)), put(pod, "note")
    pod.apply(stretch(pod, [one, other], (0.0, 0.0, 100.0, 40.0), (0.0, 0.0, 200.0, 40.0)))
    assert tip(pod, one) == (100.0, 100.0)


def test_a_callout_still_points_where_a_deleted_device_was(pod):
    one, note, device = put(pod), put(pod, "note"), pod.servers()[0]
    at = pod.placements[device.id]
    pod.apply(point_to(pod, [one, note], device.id))
    edit = operations.delete(pod, [device.id])
    pod.apply(edit)
    assert not pod.annotations[one].pinned_to and tip(pod, one) == (at.x, at.y)
    assert tip(pod, note) is None
    pod.apply(edit.inverted())
    assert pod.annotations[one].pinned_to == device.id


def test_what_has_no_leader_and_what_is_no_thing_to_point_to_are_refused(pod):
    zone, one = put(pod, "zone"), put(pod)
    with pytest.raises(EditError, match="only notes, callouts and comments"):
        detach(pod, [zone])
    with pytest.raises(EditError, match="a device, a link or a place"):
        point_to(pod, [one], zone)
    with pytest.raises(ParameterError, match="tip_dx"):
        annotate(pod, "zone", (0.0, 0.0), (9.0, 9.0), tip=(1.0, 1.0))
    half = replace(Annotation("a9", "note"), tip_dx=3.0)
    assert [field for field, _ in annotation_faults(half)] == ["tip_dx"]

"""Annotations are records like any other: made, moved, changed, copied, deleted by edits, or refused."""

import base64
import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.errors import EditError, FileFormatError, ParameterError
from designer.model import images, operations
from designer.model.annotating import (
    annotate,
    annotate_image,
    change_annotations,
    resize,
    title_of,
    with_pinned,
)
from designer.model.annotation import IMAGE, KINDS
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Annotation, Placement
from designer.storage import document
from designer.topologies import rail_optimized

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


@pytest.fixture
def pod():
    design, catalog = Design(), load()
    parameters = rail_optimized.RailOptimizedParameters(servers=2)
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


def put(design, kind="text", start=(0.0, 0.0), end=(100.0, 40.0), **values):
    edit = annotate(design, kind, start, end, **values)
    design.apply(edit)
    return edit.changes[0].after.id


@pytest.mark.parametrize("kind", [word.name for word in KINDS if word.name != IMAGE])
def test_every_kind_is_made_undone_and_saved(kind):
    design = Design()
    empty = document.encode(design)
    edit = annotate(design, kind, (10.0, 20.0), (110.0, 60.0))
    design.apply(edit)
    (note,) = design.annotations.values()
    assert (note.kind, note.dx, note.dy) == (kind, 100.0, 40.0)
    assert (design.placements[note.id].x, design.placements[note.id].y) == (60.0, 40.0)
    again = document.decode(document.encode(design))
    assert again.annotations == design.annotations and again.placements == design.placements
    design.apply(edit.inverted())
    assert document.encode(design) == empty


def test_a_box_drawn_backwards_has_its_size_and_a_line_its_direction():
    design = Design()
    box, line = (put(design, kind, (100.0, 80.0), (20.0, 10.0)) for kind in ("zone", "arrow"))
    assert (design.annotations[box].dx, design.annotations[box].dy) == (80.0, 70.0)
    assert (design.annotations[line].dx, design.annotations[line].dy) == (-80.0, -70.0)


def test_it_is_moved_aligned_copied_and_deleted_as_devices_are():
    design = Design()
    a, b = put(design, text="a"), put(design, start=(0.0, 300.0), end=(60.0, 360.0))
    design.apply(operations.move(design, {a: (500.0, 0.0)}))
    design.apply(operations.align(design, [a, b], "left"))
    assert design.placements[a].x == design.placements[b].x
    design.apply(operations.duplicate(design, [a], 10.0, 20.0))
    (copy,) = design.annotations.keys() - {a, b}
    assert design.annotations[copy].text == "a"
    assert design.placements[copy].y == design.placements[a].y + 20.0
    edit = operations.delete(design, [a, b, copy])
    design.apply(edit)
    assert not design.annotations and not design.placements
    design.apply(edit.inverted())
    assert len(design.annotations) == 3


def test_a_fragment_takes_annotations_along_and_pins_only_to_what_comes_too(pod):
    server = pod.servers()[0].id
    note = put(pod, "note", text="here", pinned_to=server)
    both = operations.copy_fragment(pod, [server, note])
    alone = operations.copy_fragment(pod, [note])
    again = document.decode_fragment(document.encode_fragment(both))
    assert again.annotations[0].pinned_to == server
    assert alone.annotations[0].pinned_to == ""
    edit = operations.paste(pod, both, 1000.0, 0.0)
    pod.apply(edit)
    copy = next(one for one in pod.annotations.values() if one.id != note)
    assert copy.pinned_to in pod.devices and copy.pinned_to != server


def test_what_is_pinned_follows_its_device_and_outlives_it(pod):
    server = pod.servers()[0].id
    note = put(pod, "callout", pinned_to=server)
    before, place = pod.placements[note], pod.placements[server]
    edit = with_pinned(pod, operations.move(pod, {server: (place.x + 30.0, place.y - 5.0)}))
    pod.apply(edit)
    assert (pod.placements[note].x, pod.placements[note].y) == (before.x + 30.0, before.y - 5.0)
    together = with_pinned(pod, operations.move(pod, {server: (0.0, 0.0), note: (7.0, 7.0)}))
    assert len(together.changes) == 2, "what moves by itself is not moved twice"
    pod.apply(operations.delete(pod, [server]))
    assert pod.annotations[note].pinned_to == ""


def test_what_is_pinned_to_a_link_stays_where_one_end_moves_and_goes_along_with_both(pod):
    link = next(iter(pod.links.values()))
    note = put(pod, "note", pinned_to=link.id)
    before, (a, b) = pod.placements[note], (pod.placements[one.device_id] for one in (link.a, link.b))
    pod.apply(with_pinned(pod, operations.move(pod, {a.id: (a.x + 40.0, a.y)})))
    assert pod.placements[note] == before, "its leader follows the link"
    pod.apply(with_pinned(pod, operations.move(pod, {a.id: (a.x + 70.0, a.y + 5.0), b.id: (b.x + 30.0, b.y + 5.0)})))
    assert (pod.placements[note].x, pod.placements[note].y) == (before.x + 30.0, before.y + 5.0)


def test_fields_are_changed_for_several_and_refused_with_a_reason():
    design = Design()
    ids = [put(design), put(design, "zone")]
    design.apply(change_annotations(design, ids, colour="#c8321e", size=20))
    assert {one.colour for one in design.annotations.values()} == {"#c8321e"}
    for wrong in ({"colour": "red"}, {"line_style": "wavy"}, {"size": 0}, {"fill": "#FFF"}):
        with pytest.raises(ParameterError):
            change_annotations(design, ids, **wrong)
    with pytest.raises(ParameterError, match="only notes, callouts and comments can be pinned"):
        annotate(design, "zone", (0.0, 0.0), (1.0, 1.0), pinned_to="d1")


def test_resizing_moves_the_middle_along_in_one_step():
    design = Design()
    one = put(design)
    edit = resize(design, one, (0.0, 0.0), (300.0, 100.0))
    design.apply(edit)
    assert (design.annotations[one].dx, design.placements[one].x) == (300.0, 150.0)
    assert not resize(design, one, (0.0, 0.0), (300.0, 100.0)).changes


def test_an_annotation_cannot_be_taken_from_under_its_placement():
    design = Design()
    one = put(design)
    with pytest.raises(EditError, match="still has a placement"):
        design.apply(Edit("Remove", (Change(design.annotations[one], None),)))
    with pytest.raises(EditError, match="places neither a device nor a rack nor an annotation"):
        design.apply(Edit("Place", added([Placement("a77", 0.0, 0.0)])))


def test_a_title_is_one_short_line():
    assert title_of(Annotation("a1", "zone")) == "Zone"
    assert title_of(Annotation("a1", "text", text="two\nlines  \x1b[2J")) == "two lines \\u001b[2J"
    assert len(title_of(Annotation("a1", "text", text="word " * 40))) == 40


# -- pictures -----------------------------------------------------------------------------------------------------


def test_a_picture_keeps_its_shape_and_its_bytes():
    design = Design()
    picture = images.picture_of(PIXEL)
    assert (picture.format, picture.width, picture.height) == ("png", 1, 1)
    design.apply(annotate_image(design, picture._replace(width=200, height=50), 0.0, 0.0, 160.0))
    (note,) = design.annotations.values()
    assert (note.dx, note.dy, note.image) == (160.0, 40.0, PIXEL)


def test_the_size_of_a_jpeg_is_read_past_other_segments():
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, 30, 40, 1) + bytes(3)
    data = b"\xff\xd8" + b"\xff\xe0" + struct.pack(">H", 16) + bytes(14) + frame + b"\xff\xd9" + bytes(4)
    assert images.checked_picture(data)[1:] == ("jpeg", 40, 30)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "must be a PNG or JPEG"),
        (b"GIF89a" + bytes(40), "must be a PNG or JPEG"),
        (b"\x89PNG\r\n\x1a\n" + bytes(8), "must be a PNG or JPEG"),
        (bytes(images.BYTES_MOST + 1), "the most is 1 MB"),
        (base64.b64decode(PIXEL)[:16] + struct.pack(">II", 60_000, 60_000) + bytes(20), "60000 x 60000 pixels"),
        (base64.b64decode(PIXEL)[:16] + struct.pack(">II", 0, 5) + bytes(20), "0 x 5 pixels"),
    ],
)
def test_what_is_no_small_picture_is_refused(data, reason):
    with pytest.raises(ParameterError, match=reason):
        images.checked_picture(data)


@given(st.binary(max_size=300), st.sampled_from([b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"]))
def test_no_bytes_do_worse_than_a_sentence(data, head):
    try:
        assert images.checked_picture(head + data).format in ("png", "jpeg")
    except ParameterError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"image": "/etc/passwd"}, "field image: the picture"),
        ({"image": ""}, "field image: the picture must be a PNG or JPEG"),
        ({"kind": "text"}, "field image: only an image has a picture"),
        ({"kind": "video"}, "field kind: 'video' is none of"),
        ({"colour": "url(#x)"}, "field colour: 'url(#x)' is no color: write it as #rrggbb"),
        ({"dx": 1e9}, "field dx"),
        ({"text": "\ud800"}, "surrogate"),
    ],
)
def test_a_file_with_an_annotation_that_cannot_be_is_refused_with_a_sentence(change, reason):
    design = Design()
    design.apply(annotate_image(design, images.picture_of(PIXEL), 0.0, 0.0, 10.0))
    (note,) = design.annotations.values()
    bad = replace(note, **change)
    with pytest.raises(EditError) as refused:
        design.apply(Edit("Change", (Change(note, bad),)))
    assert reason.removeprefix("field ") in str(refused.value)
    if "\ud800" not in bad.text:
        text = document.encode(design).decode()
        for name, value in change.items():
            old = {"image": f'"{PIXEL}"', "kind": '"image"', "dx": "10"}.get(name)
            new = f'"{value}"' if isinstance(value, str) else f"{value:.0f}"
            if old is None:
                text = text.replace('"kind": "image"', f'"kind": "image", "{name}": {new}')
            else:
                text = text.replace(f'"{name}": {old}', f'"{name}": {new}', 1)
        with pytest.raises(FileFormatError, match="annotations"):
            document.decode(text.encode())

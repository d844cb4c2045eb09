"""A box says what it is at a glance, and bears the labels that were chosen."""

from dataclasses import replace

import pytest

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.parts.boxes import boxes
from designer.drawing.parts.pictograms import pictogram
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model.colour_keys import DEVICE_LABELS
from designer.model.edit import Change, Edit
from designer.model.looks import toggle_label

KINDS = "switch", "server", "GPU server", "storage"
DETAIL = Detail(LinkDetail.BUNDLES)


@pytest.fixture
def composition(example):
    return Composition(example("superpod-h100-4su"))


def box_of(composition, device_id):
    sheet = Sheet(Camera(), (-1e5, -1e5, 2e5, 2e5), LIGHT, EstimatedRuler())
    row = composition.projection.row_of[device_id]
    x, y = composition.boxes[row, :2].tolist()
    drawn = [box for group in boxes(composition.picture(LIGHT, DETAIL), sheet) for box in group.parts]
    return next(box for box in drawn if box.at == (x, y))


def said(box):
    return [part.text for part in box.parts if isinstance(part, Text)]


def pictured(box):
    (drawn,) = [part for part in box.parts if isinstance(part, Group)]
    return [kind for kind in KINDS if pictogram(kind, LIGHT.muted, *drawn.at, 1.0).parts == drawn.parts]


def change(composition, before, **fields):
    edit = Edit("Change", (Change(before, replace(before, **fields)),))
    composition.design.apply(edit)
    composition.follow(edit)


def one(design, role):
    return next(device for device in design.devices.values() if device.role == role)


def test_switches_gpu_servers_and_storage_have_different_pictograms(composition):
    design = composition.design
    leaf = one(design, "leaf")
    server = next(device for device in design.devices.values() if design.is_server(device.id))
    assert pictured(box_of(composition, leaf.id)) == ["switch"]
    assert pictured(box_of(composition, server.id)) == ["GPU server"]
    change(composition, server, role="storage")
    assert pictured(box_of(composition, server.id)) == ["storage"]


def test_without_a_choice_boxes_say_name_type_and_ports(composition):
    leaf = one(composition.design, "leaf")
    assert said(box_of(composition, leaf.id)) == [leaf.name, "QM9700", "64/64"]


def test_chosen_labels_are_shown_and_follow_edits(composition):
    design, leaf = composition.design, one(composition.design, "leaf")
    change(composition, leaf, name="l1", tags=("s2",))
    leaf = design.devices[leaf.id]
    for label in ("unit", "tags", "type", "ports"):
        edit = toggle_label(design, label)
        design.apply(edit)
        composition.follow(edit)
    place = design.placements[leaf.id]
    rack = design.racks[place.rack_id].name
    name, note = said(box_of(composition, leaf.id))
    assert name == leaf.name
    assert note == f"{rack} U{place.unit} · s2"
    change(composition, place, unit=place.unit + 12)
    assert said(box_of(composition, leaf.id))[1].startswith(f"{rack} U{place.unit + 12} · ")


def test_labels_keep_their_order_and_toggle_back(composition):
    design = composition.design
    before = design.settings
    for label in DEVICE_LABELS:
        design.apply(toggle_label(design, label.name))
    assert design.settings.device_labels == ("unit", "tags")
    for label in DEVICE_LABELS:
        design.apply(toggle_label(design, label.name))
    assert design.settings == before

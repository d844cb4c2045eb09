"""Where boxes stand in the frame of a rack that is drawn."""

from designer.model import operations
from designer.model.edit import joined
from designer.model.entities import Device
from designer.placement.metrics import BOX_HEIGHT, RACK_PADDING, RACK_TITLE
from designer.placement.mounting import move_mounted
from designer.placement.rack_stacks import MOST_IN_COLUMN, stacked


def add(design, catalog, type_id, rack_id, unit=None):
    edit = operations.add_device(
        design, catalog.get(type_id), 500.0, 0.0, catalog_types=catalog.types, rack_id=rack_id, unit=unit
    )
    edit = stacked(design, edit)
    design.apply(edit)
    return next(change.after.id for change in edit.changes if isinstance(change.after, Device))


def drawn_rack(room):
    rack_id = room.rack("rack-1")
    room.design.apply(operations.move(room.design, {rack_id: (0.0, 0.0)}))
    return rack_id


def test_a_device_moved_to_a_higher_unit_stands_higher(room, catalog):
    rack_id = drawn_rack(room)
    low = add(room.design, catalog, "nvidia-qm9700", rack_id, 1)
    high = add(room.design, catalog, "dgx-h100", rack_id, 9)
    at = room.design.placements
    assert at[high].y < at[low].y
    room.design.apply(stacked(room.design, move_mounted(room.design, {low: (rack_id, 30)})))
    assert at[high].y > at[low].y
    assert at[high].x == at[low].x


def test_the_first_box_stands_under_the_title_of_a_frame_that_is_three_boxes_high(room, catalog):
    """The frame that was empty stays where it is; files keep the places of boxes and of frames."""
    rack_id = drawn_rack(room)
    box = add(room.design, catalog, "dgx-h100", rack_id)
    top, frame_top = room.design.placements[box].y - BOX_HEIGHT / 2, -3 * BOX_HEIGHT / 2
    assert top - frame_top == RACK_TITLE + RACK_PADDING


def test_a_full_rack_stands_in_columns_without_overlaps(room, catalog):
    rack_id = drawn_rack(room)
    devices = [add(room.design, catalog, "nvidia-qm9700", rack_id) for _ in range(2 * MOST_IN_COLUMN + 1)]
    places = {(room.design.placements[one].x, room.design.placements[one].y) for one in devices}
    assert len(places) == len(devices)
    assert len({x for x, _ in places}) == 3


def test_what_is_dragged_along_inside_its_rack_is_stacked_with_the_newcomer(room, catalog):
    """A selection half of which stands in the rack already moves as one: no change contradicts another."""
    rack_id = drawn_rack(room)
    inside = add(room.design, catalog, "dgx-h100", rack_id)
    outside = room.stand("dgx-h100", None, None)
    moved = operations.move(room.design, {inside: (10.0, 5.0), outside: (0.0, 0.0)})
    after = room.design.snapshot()
    after.apply(moved)
    edit = stacked(room.design, joined("Mount", [moved, operations.mount(after, outside, rack_id)]))
    room.design.apply(edit)
    at = room.design.placements
    assert at[inside].x == at[outside].x == 0.0
    assert at[inside].y - at[outside].y > 44.0


def test_what_is_mounted_in_a_rack_of_the_room_alone_stays_where_it_is(superpod, catalog):
    qm9700, rack_id = catalog.get("nvidia-qm9700"), next(iter(superpod.racks))
    edit = operations.add_device(superpod, qm9700, 500.0, 0.0, catalog_types=catalog.types, rack_id=rack_id)
    assert stacked(superpod, edit) == edit

"""The inside of an opened server: every GPU, slot and NIC is there, inside the box, and nothing overlaps."""

import itertools

import pytest

from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import detail_at
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import Device


@pytest.fixture
def inside():
    catalog = load()
    design = Design()

    def opened(type_id):
        edit = operations.add_device(design, catalog.types[type_id], 0, 0, catalog_types=catalog.types)
        design.apply(edit)
        device_id = next(change.after.id for change in edit.changes if isinstance(change.after, Device))
        composition = Composition(design)
        row = composition.projection.row_of[device_id]
        return composition, row, design.device_type(device_id)

    return opened


@pytest.mark.parametrize(
    "type_id",
    ["dgx-h100", "dgx-a100", "dgx-b200", "hgx-h100-oem", "generic-host", "gb200-nvl72", "gaudi2-hls2", "mi300x-8gpu"],
)
def test_every_gpu_and_slot_has_a_part_inside_the_box_clear_of_the_others(inside, type_id):
    composition, row, type_ = inside(type_id)
    parts = composition.internals(row).parts
    assert sum(part.kind == "gpu" for part in parts) == type_.gpus
    assert [part.title for part in parts if part.kind in ("nic", "empty slot")] == [
        slot.name for gpu in (*range(type_.gpus), None) for slot in type_.slots if slot.gpu == gpu
    ]
    assert sum(part.kind == "scale-up" for part in parts) == (type_.scale_up is not None)
    left, top, right, bottom = composition.rect_of(composition.projection.device_ids[row])
    for part in parts:
        assert left <= part.rect[0] < part.rect[2] <= right
        assert top <= part.rect[1] < part.rect[3] <= bottom
    for one, other in itertools.combinations(parts, 2):
        a, b = one.rect, other.rect
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (one, other)


def test_lines_run_from_each_nic_to_its_gpu_and_from_each_gpu_to_the_crossbar(inside):
    composition, row, type_ = inside("dgx-h100")
    found = composition.internals(row)
    assert len(found.pcie) == sum(slot.gpu is not None for slot in type_.slots)
    assert len(found.scale_up) == type_.gpus


def test_a_switch_has_nothing_to_open_and_far_away_nothing_is_open(inside):
    composition, row, _ = inside("nvidia-qm9700")
    assert composition.internals(row) is None
    assert not detail_at(2.0, 10, 10, 10).internals
    assert detail_at(8.0, 10, 10, 10).internals

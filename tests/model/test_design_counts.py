"""How many devices of each type a design holds."""

from dataclasses import replace

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Placement


def test_devices_are_counted_by_their_type():
    catalog, design = load(), Design()
    for type_id in ("dgx-h100", "nvidia-qm9700", "dgx-h100"):
        type_ = catalog.types[type_id]
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types=catalog.types))
    counted = {type_.id: count for type_, count in design.count_by_type().items()}
    assert counted == {"dgx-h100": 2, "nvidia-qm9700": 1}


def test_devices_are_counted_again_after_edits_of_them_and_of_types_and_after_undo():
    catalog, design = load(), Design()
    added = operations.add_device(design, catalog.types["dgx-h100"], 0, 0, catalog_types=catalog.types)
    design.apply(added)
    before = design.snapshot()
    assert [*design.count_by_type().values()] == [1] == [*before.count_by_type().values()]
    type_ = design.types["dgx-h100"]
    design.apply(Edit("More memory", (Change(type_, replace(type_, power_typical_w=1.0)),)))
    assert [one.power_typical_w for one in design.count_by_type()] == [1.0]
    assert design.count_by_type() == design.snapshot().count_by_type()
    design.apply(operations.add_device(design, catalog.types["nvidia-qm9700"], 0, 0, catalog_types=catalog.types))
    assert len(design.count_by_type()) == 2
    design.arrange_tables({"devices": [*reversed(design.devices)]})
    assert [one.id for one in design.count_by_type()] == ["nvidia-qm9700", "dgx-h100"]
    assert [*before.count_by_type()] == [type_]
    before.apply(added.inverted())
    assert before.count_by_type() == {}


def test_an_edit_taken_back_is_of_the_same_kinds_in_reverse_order():
    catalog, design = load(), Design()
    edit = operations.add_device(design, catalog.types["dgx-h100"], 0, 0, catalog_types=catalog.types)
    back = edit.inverted()
    assert back.kinds == edit.kinds >= {Device, Placement}
    assert back.changes == tuple(Change(one.after, one.before) for one in reversed(edit.changes))

"""How many devices of each type a design holds."""

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design


def test_devices_are_counted_by_their_type():
    catalog, design = load(), Design()
    for type_id in ("dgx-h100", "nvidia-qm9700", "dgx-h100"):
        type_ = catalog.types[type_id]
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types=catalog.types))
    counted = {type_.id: count for type_, count in design.count_by_type().items()}
    assert counted == {"dgx-h100": 2, "nvidia-qm9700": 1}

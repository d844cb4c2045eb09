"""A small room of two racks, and a whole fabric with racks."""

import pytest

from designer.model import operations
from designer.model.design import Design
from designer.model.entities import Device, Rack
from designer.placement import floor
from designer.topologies import rail_optimized


@pytest.fixture(scope="session")
def superpod_as_built(catalog):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4)
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


@pytest.fixture
def superpod(superpod_as_built):
    """DGX SuperPOD H100 of 4 scalable units."""
    return superpod_as_built.snapshot()


class Room:
    """A design with shorthands: racks and what stands in them."""

    def __init__(self, catalog):
        self.catalog = catalog
        self.design = Design()

    def do(self, edit):
        self.design.apply(edit)
        return [c.after.id for c in edit.changes if c.before is None and isinstance(c.after, Device | Rack)]

    def rack(self, name, at=None):
        (rack_id,) = self.do(operations.add_rack(self.design, self.catalog.get("rack-42u"), 0, 0, name))
        if at is not None:
            self.do(floor.place_racks(self.design, {rack_id: at}))
        return rack_id

    def stand(self, type_id, rack_id, unit, **fields):
        types = self.catalog.types
        edit = operations.add_device(
            self.design, types[type_id], 0, 0, catalog_types=types, rack_id=rack_id, unit=unit, **fields
        )
        return self.do(edit)[0]

    def join(self, a, b, count=1):
        edit = operations.connect_devices(self.design, a, b, count)
        self.design.apply(edit)
        return [change.after.id for change in edit.changes]


@pytest.fixture(scope="session")
def new_room(catalog):
    return lambda: Room(catalog)


@pytest.fixture
def room(new_room):
    return new_room()

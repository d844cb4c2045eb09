"""A small fabric to break, and a generated one that is whole."""

import pytest

from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies import rail_optimized


@pytest.fixture(scope="session")
def superpod(catalog):
    """DGX SuperPOD H100 of 4 scalable units. Not to be changed: take a snapshot."""
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4)
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


class Fabric:
    """A design with shorthands for breaking it: names stand for devices."""

    def __init__(self, catalog):
        self.catalog = catalog
        self.design = Design()

    def add(self, type_id, *names):
        for name in names:
            type_, types = self.catalog.get(type_id), self.catalog.types
            self.design.apply(operations.add_device(self.design, type_, 0, 0, catalog_types=types, name=name))

    def join(self, a, b, count=1):
        self.design.apply(operations.connect_devices(self.design, self.id(a), self.id(b), count))

    def id(self, name):
        return self.design.find(name).id

    def device(self, name):
        return self.design.find(name)

    def change(self, before, after):
        self.design.apply(Edit("break", (Change(before, after),)))

    def put(self, *entities):
        self.design.apply(Edit("put", tuple(Change(None, entity) for entity in entities)))


@pytest.fixture
def bare(catalog):
    """No device yet."""
    return Fabric(catalog)


@pytest.fixture
def fabric(catalog):
    """Two spines over two leafs of QM9700, 16 links each way; two DGX H100 below each leaf. Nothing wrong with it."""
    made = Fabric(catalog)
    made.add("nvidia-qm9700", "leaf-1", "leaf-2", "spine-1", "spine-2")
    made.add("dgx-h100", "host-1", "host-2", "host-3", "host-4")
    for host, leaf in (("host-1", "leaf-1"), ("host-2", "leaf-1"), ("host-3", "leaf-2"), ("host-4", "leaf-2")):
        made.join(host, leaf, 8)
    for leaf in ("leaf-1", "leaf-2"):
        for spine in ("spine-1", "spine-2"):
            made.join(leaf, spine, 8)
    return made

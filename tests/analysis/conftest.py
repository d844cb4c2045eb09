"""Designs to measure: generated ones, and ones drawn by hand with the model's own verbs."""

import pytest

from designer.model import operations
from designer.model.design import Design


@pytest.fixture(scope="session")
def superpod(generate):
    """DGX SuperPOD H100 of 4 scalable units. Not to be changed: take a snapshot."""
    return generate("rail-optimized", servers=127, servers_per_su=32, reserve_leaf_ports=4)


class Drawing:
    """A design drawn by hand, device by device; names stand for devices."""

    def __init__(self, catalog):
        self.catalog = catalog
        self.design = Design()

    def add(self, type_id, *names):
        for name in names:
            type_ = self.catalog.get(type_id)
            types = self.catalog.types
            self.design.apply(operations.add_device(self.design, type_, 0, 0, catalog_types=types, name=name))

    def join(self, a, b, count=1):
        ids = self.design.find(a).id, self.design.find(b).id
        self.design.apply(operations.connect_devices(self.design, *ids, count))

    def id(self, name):
        return self.design.find(name).id


@pytest.fixture
def drawing(catalog):
    return Drawing(catalog)

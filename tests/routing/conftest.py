"""Fabrics to route over: generated ones, and ones drawn by hand with the model's own verbs."""

from collections.abc import Callable

import pytest

from designer.catalog.catalog import Catalog
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import End

Generate = Callable[..., Design]


class Drawing:
    """A design drawn by hand, device by device; names stand for devices."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.design = Design()

    def add(self, type_id: str, *names: str) -> None:
        for name in names:
            type_ = self.catalog.get(type_id)
            types = {**self.catalog.types, "generic-nic-400g": self.catalog.get("generic-nic-400g")}
            self.design.apply(operations.add_device(self.design, type_, 0, 0, catalog_types=types, name=name))

    def join(self, a: str, b: str, count: int = 1) -> None:
        ids = self.design.find(a).id, self.design.find(b).id
        self.design.apply(operations.connect_devices(self.design, *ids, count))

    def wire(self, a: str, a_port: str, b: str, b_port: str) -> None:
        ends = End(self.design.find(a).id, a_port), End(self.design.find(b).id, b_port)
        self.design.apply(operations.connect(self.design, *ends))


@pytest.fixture
def drawing(catalog: Catalog) -> Drawing:
    return Drawing(catalog)

"""A design to draw in: real catalog types, and a pen that proves every edit can be taken back."""

import pytest

from designer.model import operations
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Group, Rack
from designer.model.settings import Settings
from designer.storage import document


class Pen:
    """Draws in a design; whatever it does it undoes and redoes once, and compares the file's bytes."""

    def __init__(self, catalog):
        self.catalog = catalog
        self.design = Design()

    def do(self, edit):
        before = document.encode(self.design)
        self.design.apply(edit)
        after = document.encode(self.design)
        self.design.apply(edit.inverted())
        assert document.encode(self.design) == before, f"undo of {edit.label!r} does not restore the design"
        self.design.apply(edit)
        assert document.encode(self.design) == after, f"redo of {edit.label!r} differs"
        assert_indexes_are_fresh(self.design)
        return edit

    def add(self, type_id, name=None, x=0.0, y=0.0, **more):
        type_ = self.catalog.get(type_id)
        types = dict(self.catalog.types)
        types.update((slot.nic_type_id, self.catalog.get(slot.nic_type_id)) for slot in _delivered(type_))
        edit = operations.add_device(self.design, type_, x, y, catalog_types=types, name=name, **more)
        return self.added(Device, self.do(edit))[0].id

    def rack(self, type_id="rack-48u", name=None, x=0.0, y=0.0):
        edit = operations.add_rack(self.design, self.catalog.get(type_id), x, y, name)
        return self.added(Rack, self.do(edit))[0].id

    def group(self, ids, name, kind="group"):
        return self.added(Group, self.do(operations.group(self.design, ids, name, kind)))[0].id

    def join(self, a_id, b_id, count=1):
        return self.do(operations.connect_devices(self.design, a_id, b_id, count))

    def wire(self, a_id, a_port, b_id, b_port):
        edit = operations.connect(self.design, End(a_id, a_port), End(b_id, b_port))
        return self.do(edit).changes[0].after.id

    @staticmethod
    def added(kind, edit):
        """The new records of a kind."""
        return [c.after for c in edit.changes if c.before is None and isinstance(c.after, kind)]


def _delivered(type_):
    return [slot for slot in getattr(type_, "slots", ()) if slot.nic_type_id]


def assert_indexes_are_fresh(design):
    """What the design answers about itself is what one rebuilt from its records answers."""
    entities = [entity for entity in design.entities() if not isinstance(entity, Settings)]
    fresh = from_entities(entities, design.settings)
    assert list(fresh.entities()) == list(design.entities())
    for device_id in design.devices:
        assert dict(design.used_ports(device_id)) == dict(fresh.used_ports(device_id))
        assert design.links_of(device_id) == fresh.links_of(device_id)
        assert design.modules_of(device_id) == fresh.modules_of(device_id)
        assert design.ports(device_id) == fresh.ports(device_id)
        assert design.port_map(device_id) == fresh.port_map(device_id)
    for group_id in design.groups:
        assert design.members(group_id) == fresh.members(group_id)
    for rack_id in design.racks:
        assert design.mounted(rack_id) == fresh.mounted(rack_id)


@pytest.fixture(name="assert_indexes_are_fresh")
def _assert_indexes_are_fresh():
    return assert_indexes_are_fresh


@pytest.fixture
def pen(catalog):
    return Pen(catalog)


@pytest.fixture
def design(pen):
    return pen.design

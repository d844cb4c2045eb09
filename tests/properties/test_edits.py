"""Whatever is done to a design, in whatever order: it stays whole, undo and redo are exact, the file says it all."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from designer.catalog.catalog import load
from designer.errors import DesignerError
from designer.model import operations, policies
from designer.model.design import Design, from_entities
from designer.model.entities import Allocation, End
from designer.model.settings import Settings
from designer.placement import floor, mounting
from designer.placement.cable_lengths import route_cables
from designer.placement.media import pick_media
from designer.storage import document

CATALOG = load()
DEVICE_TYPES = [
    "nvidia-qm9700",
    "nvidia-qm8790",
    "nvidia-sn5600",
    "generic-switch",
    "dgx-h100",
    "dgx-a100",
    "generic-host",
    "arista-7804r4",
    "arista-7804r3",
]
MODULE_TYPES = [
    "connectx-7-ndr",
    "connectx-6-hdr",
    "arista-7800r4c-36pe",
    "arista-7800r4k-36pe",
    "arista-7800r3a-36d",
]
MOST_DEVICES = 24

seeds = st.integers(0, 2**32 - 1)
places = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 1))
names = st.text(max_size=12)


class EditMachine(RuleBasedStateMachine):
    """A user who draws at random, with the history a correct program would keep."""

    def __init__(self):
        super().__init__()
        self.design = Design()
        self.done = []
        self.undone = []

    def attempt(self, make_edit):
        """Push what the verb returns, as the session does; a refusal must leave the design as it was."""
        before = document.encode(self.design)
        try:
            edit = make_edit()
        except DesignerError as error:
            assert str(error)
            assert "\n" not in str(error)
            assert document.encode(self.design) == before
            return
        assert document.encode(self.design) == before, "a verb performed its edit instead of returning it"
        self.design.apply(edit)
        if edit:
            self.done.append((edit, before))
            self.undone.clear()
        else:
            assert document.encode(self.design) == before

    def some(self, seed, *tables):
        """A few ids of the tables, chosen by the seed; unknown ids too, now and then."""
        ids = [one for table in tables for one in getattr(self.design, table)]
        chosen = [one for index, one in enumerate(ids) if seed >> (index % 32) & 1]
        return [*chosen, "d9999"] if seed % 97 == 1 else chosen

    def one(self, seed, table):
        ids = list(getattr(self.design, table))
        return ids[seed % len(ids)] if ids else "none9999"

    @initialize()
    def begin_with_a_small_fabric(self):
        for role in ("leaf", "spine"):
            self.add_device("nvidia-qm9700", 0.0, 0.0, role)
        for _ in range(2):
            self.add_device("dgx-h100", 0.0, 0.0, "")
        self.add_rack(100.0, 100.0)
        self.connect_devices(0, 1, 2)
        self.connect_devices(0, 2, 8)

    @rule(type_id=st.sampled_from(DEVICE_TYPES), x=places, y=places, role=st.sampled_from(["", "leaf", "spine"]))
    def add_device(self, type_id, x, y, role):
        if len(self.design.devices) >= MOST_DEVICES:
            return
        type_ = CATALOG.get(type_id)
        self.attempt(lambda: operations.add_device(self.design, type_, x, y, catalog_types=CATALOG.types, role=role))

    @rule(x=places, y=places)
    def add_rack(self, x, y):
        self.attempt(lambda: operations.add_rack(self.design, CATALOG.get("rack-42u"), x, y))

    @rule(seed=seeds, module=st.sampled_from(MODULE_TYPES))
    def install_module(self, seed, module):
        device = self.one(seed, "devices")
        self.attempt(lambda: operations.install_module(self.design, device, CATALOG.get(module)))

    @rule(seed=seeds, module=st.sampled_from(MODULE_TYPES))
    def swap_module(self, seed, module):
        one = self.one(seed, "modules")
        self.attempt(lambda: operations.swap_module(self.design, one, CATALOG.get(module)))

    @rule(seed=seeds)
    def pull_a_line_card(self, seed):
        cards = [one for one in self.design.modules if self.design.is_switch(self.design.modules[one].device_id)]
        if cards:
            self.attempt(lambda: operations.remove_modules(self.design, [cards[seed % len(cards)]]))

    @rule(seed=seeds)
    def remove_modules(self, seed):
        self.attempt(lambda: operations.remove_modules(self.design, [self.one(seed, "modules")]))

    @rule(a=seeds, b=seeds, count=st.integers(1, 9))
    def connect_devices(self, a, b, count):
        ends = self.one(a, "devices"), self.one(b, "devices")
        possible = operations.connectable(self.design, *ends) is None
        links = len(self.design.links)
        self.attempt(lambda: operations.connect_devices(self.design, *ends, count))
        if count == 1:
            assert possible == (len(self.design.links) == links + 1)

    @rule(a=seeds, b=seeds, per_pair=st.none() | st.integers(1, 3))
    def connect_evenly(self, a, b, per_pair):
        lower = self.some(a, "devices")
        upper = [one for one in self.some(b, "devices") if one not in lower or b % 13 == 0]
        self.attempt(lambda: operations.connect_evenly(self.design, lower, upper, per_pair))

    @rule(seed=seeds, per_pair=st.integers(1, 2), network=st.sampled_from(["compute", "storage", "oob"]))
    def build_by_hand(self, seed, per_pair, network):
        ids = [one for one in self.some(seed, "devices") if one in self.design.devices]
        servers = [one for one in ids if self.design.is_server(one)]
        switches = [one for one in ids if self.design.is_switch(one)]
        if ids:
            self.attempt(lambda: operations.close_ring(self.design, ids, double=seed % 2 == 0))
        if len(self.design.devices) < MOST_DEVICES:
            type_ = CATALOG.get("nvidia-qm9700")
            self.attempt(lambda: operations.make_rails(self.design, servers, switches, type_))
        self.attempt(lambda: operations.make_router_group(self.design, switches, per_pair))
        self.attempt(lambda: operations.join_groups(self.design, self.some(seed, "groups"), per_pair))
        self.attempt(lambda: operations.set_network(self.design, switches[:1], network))

    @rule(a=seeds, b=seeds)
    def connect_ports(self, a, b):
        ends = []
        for seed in (a, b):
            device = self.one(seed, "devices")
            ports = self.design.ports(device) if device in self.design.devices else ()
            ends.append(End(device, ports[seed // 7 % len(ports)].name if ports else "none"))
        self.attempt(lambda: operations.connect(self.design, *ends))

    @rule(seed=seeds, name=st.none() | names, size=st.floats(-1, 1e20), gpus=st.lists(st.integers(-1, 8), max_size=3))
    def place_a_job(self, seed, name, size, gpus):
        servers = tuple(Allocation(one, tuple(gpus)) for one in self.some(seed, "devices"))
        values = {"servers": servers, "size_bytes": size, "collective": "all-reduce"}
        job = self.one(seed, "jobs")
        if seed % 2 and job in self.design.jobs:
            self.attempt(lambda: operations.change_job(self.design, job, **values))
        else:
            self.attempt(lambda: operations.add_job(self.design, name, **values))

    @rule(seed=seeds)
    def delete(self, seed):
        ids = self.some(seed, "jobs", "groups", "racks", "links", "modules", "devices")[: 1 + seed % 7]
        self.attempt(lambda: operations.delete(self.design, ids))

    @rule(seed=seeds, x=places, y=places, turned=st.booleans())
    def place_racks(self, seed, x, y, turned):
        ids = [one for one in self.some(seed, "racks") if one in self.design.racks]
        if turned and ids:
            self.attempt(lambda: floor.turn_racks(self.design, ids))
        elif ids:
            self.attempt(lambda: floor.place_racks(self.design, dict.fromkeys(ids, (x, y))))
        else:
            self.attempt(lambda: floor.auto_place(self.design))

    @rule(seed=seeds, rack=seeds, unit=st.integers(-1, 45))
    def move_mounted(self, seed, rack, unit):
        rack_id = self.one(rack, "racks")
        ids = [one for one in self.some(seed, "devices") if one in self.design.devices][:3]
        if ids:
            berths = {one: (rack_id, unit + shift) for shift, one in enumerate(ids)}
            self.attempt(lambda: mounting.move_mounted(self.design, berths))
            self.attempt(lambda: mounting.turn_mounted(self.design, ids))

    @rule(seed=seeds)
    def copy_rack(self, seed):
        if len(self.design.devices) < MOST_DEVICES:
            self.attempt(lambda: floor.copy_rack(self.design, self.one(seed, "racks")))

    @rule(typed_too=st.booleans(), chosen_too=st.booleans())
    def cable_the_room(self, typed_too, chosen_too):
        self.attempt(lambda: route_cables(self.design, typed_too=typed_too))
        self.attempt(lambda: pick_media(self.design, CATALOG.types, chosen_too=chosen_too))

    @rule(seed=seeds, dx=places, dy=places)
    def duplicate(self, seed, dx, dy):
        if len(self.design.devices) >= MOST_DEVICES:
            return
        ids = self.some(seed, "devices", "racks", "groups")[:6]
        self.attempt(lambda: operations.duplicate(self.design, ids, dx, dy))

    @rule(seed=seeds)
    def copy_and_paste_through_the_clipboard(self, seed):
        if len(self.design.devices) >= MOST_DEVICES:
            return
        ids = self.some(seed, "racks", "devices", "groups", "links")[:6]

        def paste():
            fragment = operations.copy_fragment(self.design, ids)
            text = document.encode_fragment(fragment)
            again = document.decode_fragment(text)
            assert document.encode_fragment(again) == text
            return operations.paste(self.design, again, 10, 10)

        self.attempt(paste)

    @rule(seed=seeds, name=names)
    def group(self, seed, name):
        ids = self.some(seed, "devices", "racks", "groups")
        self.attempt(lambda: operations.group(self.design, ids, name))

    @rule(seed=seeds)
    def ungroup(self, seed):
        self.attempt(lambda: operations.ungroup(self.design, self.one(seed, "groups")))

    @rule(seed=seeds, x=places, y=places)
    def move(self, seed, x, y):
        ids = self.some(seed, "devices", "racks")
        self.attempt(lambda: operations.move(self.design, dict.fromkeys(ids, (x, y))))

    @rule(seed=seeds, edge=st.sampled_from(["left", "right", "top", "bottom", "centre-x", "centre-y"]))
    def align(self, seed, edge):
        self.attempt(lambda: operations.align(self.design, self.some(seed, "devices", "racks"), edge))

    @rule(seed=seeds, axis=st.sampled_from(["x", "y"]))
    def distribute(self, seed, axis):
        self.attempt(lambda: operations.distribute(self.design, self.some(seed, "devices", "racks"), axis))

    @rule(seed=seeds, name=names, table=st.sampled_from(["devices", "racks", "groups", "links", "modules", "jobs"]))
    def rename(self, seed, name, table):
        one = self.one(seed, table)
        self.attempt(lambda: operations.rename(self.design, one, name))

    @rule(name=names, limit=st.floats(), notes=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20))
    def set_settings(self, name, limit, notes):
        values = {"name": name, "notes": notes}
        self.attempt(lambda: operations.set_settings(self.design, **values))
        self.attempt(lambda: policies.set_limits(self.design, leaf_oversubscription=limit))

    @rule(seed=seeds, length=st.none() | st.floats(-1, 200))
    def set_cable(self, seed, length):
        medium = CATALOG.media()[seed % len(CATALOG.media())] if seed % 3 else None
        links = self.some(seed, "links")
        self.attempt(lambda: operations.set_cable(self.design, links, medium, length))

    @rule(seed=seeds, rack=seeds, unit=st.none() | st.integers(-1, 44), out=st.booleans())
    def mount(self, seed, rack, unit, out):
        device = self.one(seed, "devices")
        rack_id = None if out else self.one(rack, "racks")
        self.attempt(lambda: operations.mount(self.design, device, rack_id, unit))

    @rule(seed=seeds, type_id=st.sampled_from(DEVICE_TYPES))
    def set_type(self, seed, type_id):
        device, type_ = self.one(seed, "devices"), CATALOG.get(type_id)
        self.attempt(lambda: operations.set_type(self.design, device, type_, catalog_types=CATALOG.types))

    @rule(seed=seeds, number=st.integers(0, 3))
    def set_port_mode(self, seed, number):
        device = self.one(seed, "devices")
        type_ = self.design.device_type(device) if device in self.design.devices else None
        modes = [mode.name for mode in getattr(type_, "modes", ())] or ["none"]
        self.attempt(lambda: operations.set_port_mode(self.design, device, modes[number % len(modes)]))

    @rule(seed=seeds, number=st.integers(0, 3))
    def set_the_mode_of_a_module(self, seed, number):
        one = self.one(seed, "modules")
        if one in self.design.modules:
            modes = self.design.module_type(one).port_modes
            self.attempt(lambda: operations.set_nic_mode(self.design, [one], modes[number % len(modes)].name))

    @precondition(lambda self: self.done)
    @rule(steps=st.integers(1, 8))
    def undo(self, steps):
        for _ in range(min(steps, len(self.done))):
            edit, before = self.done.pop()
            self.undone.append((edit, document.encode(self.design)))
            self.design.apply(edit.inverted())
            assert document.encode(self.design) == before

    @precondition(lambda self: self.undone)
    @rule(steps=st.integers(1, 8))
    def redo(self, steps):
        for _ in range(min(steps, len(self.undone))):
            edit, after = self.undone.pop()
            self.done.append((edit, document.encode(self.design)))
            self.design.apply(edit)
            assert document.encode(self.design) == after

    @invariant()
    def every_link_made_by_a_verb_is_on_a_port_of_its_own(self):
        for device in self.design.devices:
            for port, links in self.design.used_ports(device).items():
                assert len(links) == 1, f"{device} port {port} carries {links}"
                assert port in self.design.port_map(device)

    @invariant()
    def the_file_gives_back_the_same_design_and_the_same_bytes(self):
        data = document.encode(self.design)
        again = document.decode(data)
        assert list(again.entities()) == list(self.design.entities())
        assert document.encode(again) == data

    @invariant()
    def the_design_answers_as_one_built_anew_from_its_records(self):
        records = [entity for entity in self.design.entities() if not isinstance(entity, Settings)]
        fresh = from_entities(records, self.design.settings)
        for device in self.design.devices:
            assert dict(fresh.used_ports(device)) == dict(self.design.used_ports(device))
            assert fresh.links_of(device) == self.design.links_of(device)
            assert fresh.modules_of(device) == self.design.modules_of(device)
            assert fresh.ports(device) == self.design.ports(device)
        for group in self.design.groups:
            assert fresh.members(group) == self.design.members(group)
        for rack in self.design.racks:
            assert fresh.mounted(rack) == self.design.mounted(rack)


EditMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=40, deadline=None)
TestEdits = EditMachine.TestCase

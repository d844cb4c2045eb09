"""Designs edited at random, and the findings that were kept edit by edit held against a full check."""

from dataclasses import replace
from random import Random

from designer.errors import DesignerError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import DRAGONFLY_GROUP, FABRIC, Allocation, Device, End, Group, Link, Module, Placement
from designer.model.fixture import TRAY, WALL, Fixture
from designer.model.fragments import duplicate
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.policy import Policy
from designer.model.waiving import add_waivers, withdraw
from designer.placement.cable_lengths import route_cables
from designer.regeneration import recipes
from designer.regeneration.regenerate import regenerate
from designer.storage.document import decode, encode
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.torus import TorusParameters
from designer.validation.accepting import waiver_of_kind, waivers_of
from designer.validation.engine import validate
from designer.validation.live import Live, check_whole

TYPES = (
    *("nvidia-qm9700", "nvidia-sn5600", "generic-switch-4x400g", "dgx-h100", "hgx-h100-oem", "generic-host"),
    *("connectx-7-ndr", "connectx-6-hdr", "generic-nic", "generic-nic-400g", "rack-42u"),
    *("dac-ndr-twin", "dac-ndr-split2", "aoc-hdr", "fiber-sm-straight"),
)
PORTS = ("1/1", "1/2", "2/1", "2/2", "3/1", "swp1", "swp2", "swp1s0", "1", "2", "rail1", "rail2", "rail3", "nic1", "=x")
STRICT = Policy(spare_ports=2, diameter_hops=2, length_surplus=0.1, name_pattern="?[a-z]*")
FAMILIES = (
    ("fat-tree", FatTreeParameters(servers=4)),
    ("fat-tree", FatTreeParameters(servers=6, oversubscription=2.0)),
    ("torus", TorusParameters(dims=(2, 2))),
)


class Story:
    """A design that is edited at random, and its findings where asked for. `told` lists the edits."""

    def __init__(self, random: Random, catalog, start: Design | None = None, *, has_findings: bool = True) -> None:
        self.random, self.catalog = random, catalog
        self.design = start.snapshot() if start is not None else Design()
        types = added(catalog.get(one) for one in TYPES if one not in self.design.types)
        self.design.apply(Edit("types", types))
        self.undone: list[Edit] = []
        self.done: list[Edit] = []
        self.told: list[str] = []
        if start is None:
            self.make_up()
        self.live = Live(self.design) if has_findings else None
        self.n_followed = 0

    def make_up(self) -> None:
        """A small design of any devices, and often of a generated fabric."""
        random = self.random
        if random.random() < 0.7:
            self.attempt(self.change_settings)
        for _ in range(2):
            self.attempt(self.add_rack)
            self.attempt(self.place_racks)
        for _ in range(random.randrange(6)):
            self.attempt(self.add_device)
            self.attempt(self.mount)
        for _ in range(random.randrange(6)):
            self.attempt(self.link)
        if random.random() < 0.5:
            self.attempt(self.generate)

    def step(self) -> None:
        """One more edit, and the findings after it."""
        revision = self.design.revision
        verb = Story.redo if self.undone and self.random.random() < 0.4 else self.random.choice(VERBS)
        edit = self.attempt(verb.__get__(self))
        if edit is None or self.design.revision != revision + 1:
            if self.design.revision != revision:
                self.live = Live(self.design)
            return
        if self.live.follow(self.design, edit):
            self.n_followed += 1
        else:
            self.live = Live(self.design)

    def check(self) -> None:
        """The findings are those of a full check."""
        full = validate(self.design)
        pending = self.live.pending
        known = self.live.report(self.design)
        late = {*pending, "DOC-001"}
        for one, other in ((known.findings, full.findings), (known.not_checked, full.not_checked)):
            local = [[each for each in some if each.code not in late] for some in (one, other)]
            assert local[0] == local[1], self.told
        self.live.take(check_whole(self.design, pending))
        assert not self.live.pending
        assert self.live.report(self.design) == full, self.told

    # -- edits ---------------------------------------------------------------------------------------------------

    def attempt(self, verb) -> Edit | None:
        try:
            edit = verb()
            if not edit:
                return None
            return self.apply(edit) if edit is not STEPPED else self.done_or_undone
        except DesignerError as error:
            self.told.append(f"refused: {error}")
            return None

    def apply(self, edit: Edit) -> Edit:
        if not edit:
            return edit
        self.design.apply(edit)
        self.done.append(edit)
        self.undone.clear()
        self.told.append(edit.label)
        return edit

    def one(self, table):
        """Any record of a table. Raises DesignerError where there is none."""
        if not table:
            raise DesignerError("there is nothing")
        return table[self.random.choice(sorted(table))]

    def of_kind(self, *kinds):
        return self.one({key: one for key, one in self.design.types.items() if isinstance(one, kinds)})

    def swap(self, before, **values) -> Edit:
        return Edit(f"{before.id}: {values}", (Change(before, replace(before, **values)),))

    def pick(self, *values):
        return self.random.choice(values)

    def undo(self):
        if not self.done:
            return None
        edit = self.done.pop()
        self.undone.append(edit)
        return self._replayed(edit.inverted(), "undo")

    def redo(self):
        if not self.undone:
            return None
        edit = self.undone.pop()
        self.done.append(edit)
        return self._replayed(edit, "redo")

    def _replayed(self, edit: Edit, word: str) -> Edit:
        self.design.apply(edit)
        self.told.append(f"{word} {edit.label}")
        self.done_or_undone = edit
        return STEPPED

    def add_device(self):
        often = self.design.types["nvidia-qm9700"], self.design.types["dgx-h100"]
        type_ = self.pick(*often, self.of_kind(SwitchType, ServerType))
        role = self.pick("", "leaf", "spine", "odd") if isinstance(type_, SwitchType) else ""
        types, name = self.catalog.types, self.pick(None, "a", "leaf-01")
        return operations.add_device(self.design, type_, 0, 0, catalog_types=types, role=role, name=name)

    def delete(self):
        return operations.delete(self.design, [self.one(self.one(self._deletable())).id])

    def _deletable(self):
        design = self.design
        tables = {"d": design.devices, "l": design.links, "r": design.racks, "g": design.groups, "f": design.fixtures}
        return {key: table for key, table in tables.items() if table}

    def port(self, device: Device) -> str:
        names = [port.name for port in self.design.ports(device.id)][:6]
        return self.pick(*names, *PORTS)

    def link(self):
        a, b = self.one(self.design.devices), self.one(self.design.devices)
        medium = self.pick(None, self.of_kind(MediumType))
        (id_,) = self.design.new_ids("links", 1)
        ends = End(a.id, self.port(a)), End(b.id, self.port(b))
        return Edit(f"link {ends}", (Change(None, Link(id_, *ends, medium.id if medium is not None else "")),))

    def connect(self):
        a, b = self.one(self.design.devices), self.one(self.design.devices)
        return operations.connect_devices(self.design, a.id, b.id, self.pick(1, 2, 4))

    def change_link(self):
        link = self.one(self.design.links)
        values = self.pick(
            {"medium_id": self.of_kind(MediumType).id},
            {"medium_id": ""},
            {"length_m": self.pick(0.1, 1.0, 70.0, 300.0, None), "length_source": self.pick("typed", "rule")},
            {"a": End(link.a.device_id, self.port(self.design.device(link.a.device_id)))},
            {"b": End(self.one(self.design.devices).id, "1/1")},
            {"label": "x"},
        )
        return self.swap(link, **values)

    def cable_all(self):
        """Every link of a switch in one kind of cable, as splitters are."""
        medium, length = self.of_kind(MediumType), self.pick(1.0, 300.0)
        links = self.design.links_of(self.one(self.design.devices).id)
        changes = (Change(link, replace(link, medium_id=medium.id, length_m=length)) for link in links)
        return Edit(f"cable {medium.id} {length}", tuple(changes))

    def change_device(self):
        device = self.one(self.design.devices)
        modes = [mode.name for mode in self.design.port_modes(device.id)] + ["", "nonsense"]
        values = self.pick(
            {"name": self.pick("a", "b", "leaf-01", "=1")},
            {"role": self.pick("", "leaf", "spine", "core", "odd", "storage")},
            {"rail": self.pick(None, 1, 2)},
            {"plane": self.pick(None, 1, 2)},
            {"unit": self.pick(None, 1)},
            {"carries": self.pick((), ("storage",), ("in-band", "oob"))},
            {"network": self.pick("", "storage", "oob", "compute")},
            {"reserved_ports": (self.port(device),)},
            {"cage_modes": ((self.pick(1, 2, 99), self.pick(*modes[:-1])),)},
            {"port_mode": self.pick(*modes)},
            {"group_id": self.pick(None, *self.design.groups)},
        )
        if "port_mode" in values and not isinstance(self.design.device_type(device.id), SwitchType):
            return None
        return self.swap(device, **values)

    def retype(self):
        type_, types = self.of_kind(SwitchType, ServerType), self.catalog.types
        return operations.set_type(self.design, self.one(self.design.devices).id, type_, catalog_types=types)

    def add_module(self):
        servers = {one.id: one for one in self.design.servers()}
        server = self.one(servers)
        slots = [slot.name for slot in self.design.device_type(server.id).slots[:4]]
        (id_,) = self.design.new_ids("modules", 1)
        made = Module(id_, server.id, self.pick(*slots, "none"), self.of_kind(NicType).id)
        return Edit(f"module {made}", (Change(None, made),))

    def change_module(self):
        module = self.one(self.design.modules)
        if self.random.random() < 0.3:
            return operations.delete(self.design, [module.id])
        modes = [mode.name for mode in self.design.module_type(module.id).port_modes]
        return self.swap(module, port_mode=self.pick("", "nonsense", *modes))

    def add_rack(self):
        return operations.add_rack(self.design, self.of_kind(RackType), 0, 0, self.pick(None, "a"))

    def place_racks(self):
        racks = enumerate(self.design.racks.values())
        changes = (Change(rack, replace(rack, x_m=3.0 * number, y_m=self.pick(0.0, 2.4))) for number, rack in racks)
        return Edit("place racks", tuple(changes))

    def cable_lengths(self):
        """Every link the same length, as people type them."""
        length = self.pick(0.1, 4.0, 30.0)
        links = self.design.links.values()
        changes = (Change(link, replace(link, length_m=length, length_source="typed")) for link in links)
        return Edit(f"lengths {length}", tuple(changes))

    def change_rack(self):
        values = self.pick(
            {"group_id": self.pick(None, *self.design.groups)},
            {"x_m": self.pick(0.0, 0.5, 10.0), "y_m": self.pick(0.0, 0.5, 2.4)},
            {"power_budget_w": self.pick(None, 1.0, 1e6)},
            {"facing": self.pick("", "up")},
            {"name": self.pick("a", "Rack")},
        )
        return self.swap(self.one(self.design.racks), **values)

    def mount(self):
        device = self.one(self.design.devices)
        rack = self.pick(None, self.one(self.design.racks).id)
        values = {"rack_id": rack, "unit": self.pick(None, 1, 2, 5, 40) if rack else None}
        before = self.design.placements.get(device.id)
        if before is not None:
            return self.swap(before, **values, x=self.pick(0.0, 5.0))
        return Edit(f"place {device.id}", (Change(None, Placement(device.id, 0.0, 0.0, **values)),))

    def change_room(self):
        (id_,) = self.design.new_ids("fixtures", 1)
        points = ((0.0, 0.0), (12.0, 0.0), (12.0, 3.0))
        made = self.pick(Fixture(id_, WALL, width_m=3.0, depth_m=0.2), Fixture(id_, TRAY, points_m=points))
        return Edit(f"fixture {made}", (Change(None, made),))

    def group(self):
        (id_,) = self.design.new_ids("groups", 1)
        made = Group(id_, self.pick("g", "h"), parent_id=self.pick(None, *self.design.groups))
        return Edit("group", (Change(None, made),))

    def change_group(self):
        kinds = (FABRIC, "scalable unit", DRAGONFLY_GROUP)
        return self.swap(self.one(self.design.groups), kind=self.pick(*kinds))

    def job(self):
        gpus, names = self.pick((), (0, 1)), [one.id for one in self.design.servers()]
        servers = tuple(Allocation(one, gpus) for one in self.random.sample(names, min(len(names), 2)))
        values = {"size_bytes": 1e6, "collective": "all-reduce", "servers": servers}
        return operations.add_job(self.design, self.pick(None, "job"), **values)

    def waive(self):
        findings = validate(self.design).open
        if not findings:
            return None
        finding = self.pick(*findings)
        if self.random.random() < 0.5:
            return add_waivers(self.design, waivers_of([finding], "Kim", "why", "2026-01-01"))
        within = self.pick("", *self.design.racks, *self.design.groups)
        alike = [one for one in findings if one.code == finding.code]
        return add_waivers(self.design, [waiver_of_kind(alike, "Kim", "why", "2026-01-01", within)])

    def withdraw(self):
        return withdraw(self.design, [self.one(self.design.waivers).id])

    def fix(self):
        known = (one for one in self.live.report(self.design).open if one.code not in self.live.pending)
        fixable = [one for one in known if one.fix is not None]
        return self.pick(*fixable).fix if fixable else None

    def change_settings(self):
        weighed = replace(STRICT, off=(("PORT-001", "why"),), severities=(("PORT-002", "info"),))
        policy = self.pick(None, STRICT, weighed)
        return self.swap(self.design.settings, policy=policy, default_cable_length_m=self.pick(None, 2.0))

    def change_type(self):
        type_ = self.of_kind(SwitchType, ServerType)
        return self.swap(type_, rack_units=self.pick(None, 1, 4), power_max_w=self.pick(None, 10.0))

    def generate(self):
        family, parameters = self.pick(*FAMILIES)
        return recipes.generated(self.design, recipes.family_named(family), parameters, self.catalog)

    def regenerate(self):
        group = self.one({one.id: one for one in self.design.groups.values() if one.kind == FABRIC and one.recipe})
        parameters = recipes.parameters_of(group)
        if isinstance(parameters, FatTreeParameters):
            parameters = replace(parameters, servers=self.pick(3, 5))
        return regenerate(self.design, group.id, parameters, self.catalog).edit

    def route(self):
        return route_cables(self.design, typed_too=self.random.random() < 0.5)

    def copy(self):
        return duplicate(self.design, [self.one(self.design.devices).id, *self.design.racks][:2], 50.0, 50.0)

    def reopen(self):
        """Another design comes in the place of this one: the same, as its file has it."""
        self.design = decode(encode(self.design))
        self.live = Live(self.design)
        self.done.clear()
        self.undone.clear()
        self.told.append("reopen")


STEPPED = Edit("stepped", (Change(None, None),))
OFTEN = (
    *(Story.link, Story.connect, Story.change_link, Story.change_device),
    *(Story.mount, Story.undo, Story.redo, Story.delete),
)
SELDOM = (
    *(Story.add_device, Story.cable_all, Story.retype, Story.add_module, Story.change_module, Story.add_rack),
    *(Story.change_rack, Story.change_room, Story.group, Story.job, Story.waive, Story.withdraw, Story.fix),
    *(Story.change_settings, Story.change_type, Story.change_group, Story.generate, Story.regenerate),
    *(Story.route, Story.copy, Story.reopen, Story.place_racks, Story.cable_lengths),
)
VERBS = (*OFTEN, *OFTEN, *OFTEN, *SELDOM)


def run(seed: int, catalog, steps: int = 12, start: Design | None = None) -> int:
    """One sequence; how many of its edits were followed."""
    random = Random(seed)
    story = Story(random, catalog, start)
    for _ in range(steps):
        story.step()
        story.check()
    return story.n_followed

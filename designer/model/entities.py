"""The records a design is made of. All frozen; a change of one is a new record in an Edit."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from designer.model.annotation import (
    LINE_WIDTH_HELP,
    Annotation,
    AnnotationStyle,
    line_colour,
    line_style,
    line_width,
)
from designer.model.bookmark import Bookmark
from designer.model.fixture import Fixture
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.settings import Settings
from designer.model.waiver import Waiver

ROLES = ("leaf", "spine", "core", "router")
"""What switches are in fabrics of every kind."""

STORAGE_ROLE = "storage"
SERVER_ROLES = (STORAGE_ROLE,)
"""What servers are that do not compute."""


@dataclass(frozen=True, slots=True)
class Device:
    """A switch or a server. `role` is a word of the field ("leaf", "spine", "core", ...) or "" when drawn by hand.

    `rail`, `plane` and `unit` (scalable unit or pod) count from 1; None where the notion does not apply.
    """

    id: str
    name: str
    type_id: str
    role: str = ""
    group_id: str | None = None
    port_mode: str = ""
    cage_modes: tuple[tuple[int, str], ...] = ()
    reserved_ports: tuple[str, ...] = ()
    """Ports kept free; connecting passes over them."""
    rail: int | None = None
    plane: int | None = None
    unit: int | None = None
    network: str = ""
    """Of a switch: "compute", "storage", "in-band", "north-south" or "oob"; "" counts as compute.

    Servers are in all of theirs.
    """
    reserved_for: tuple[tuple[str, str], ...] = ()
    """Of reserved ports: the port, and what it is kept for."""
    carries: tuple[str, ...] = ()
    """Of a switch: the networks that share it with its own."""
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""
    colour: str = ""
    """Of its own, as #rrggbb, for drawings colored by it; "" for none."""


@dataclass(frozen=True, slots=True)
class Module:
    """A NIC in a server's slot, or a line card in a chassis's.

    `port_mode` is one of its type's modes; "" stands for the delivered one, of a line card for that of its chassis.
    """

    id: str
    device_id: str
    slot: str
    type_id: str
    port_mode: str = ""
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link: a device and the name of its port."""

    device_id: str
    port: str


TYPED, PICKED = "typed", "picked"
"""Sources of a length or medium: a person, the program."""


@dataclass(frozen=True, slots=True)
class Link:
    """A logical link: one port to one port.

    `length_source` is "typed", "routed", "rule" or "" when unknown; `medium_source` is "typed" where a person chose the
    medium, "picked" where the program did, "" when unknown.
    """

    id: str
    a: End
    b: End
    medium_id: str = ""
    length_m: float | None = None
    length_source: str = ""
    label: str = ""
    medium_source: str = ""
    cable: int = 0
    """Number of the cable that carries the link, printed as C0001; links in one cable share it. 0 has none yet."""
    colour: str = ""
    """Of the cable's jacket, in words."""
    notes: str = ""
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""
    line_colour: str = line_colour()
    line_width: float = line_width(LINE_WIDTH_HELP)
    line_style: str = line_style()
    style_id: str = ""
    """Id of the named style that its line looks like, in place of a look of its own; one that is not there is none."""
    bends: tuple[tuple[float, float], ...] = ()
    """Points of the canvas that its line was led through by hand, from `a` to `b`; none where it finds its own way."""


@dataclass(frozen=True, slots=True)
class Rack:
    """A rack; devices stand in it by their Placement."""

    id: str
    name: str
    type_id: str
    group_id: str | None = None
    x_m: float | None = None
    y_m: float | None = None
    """Centre of its footprint on the floor plan, y down; None while it has no place on the floor."""
    facing: str = ""
    """Where its front looks on the plan: "" down, "up" the other way."""
    power_budget_w: float | None = None
    """What may be drawn in it; None stands for what its type states."""
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""
    is_collapsed: bool = False
    """Whether the drawing shows it as one box, without what stands in it."""
    max_weight_kg: float | None = None
    """What it carries; None stands for what its type states."""
    feeds_w: tuple[float, ...] = ()
    """What each of its power feeds supplies; none given stands for what its type states."""
    is_locked: bool = False
    """Whether it keeps its place on the floor, whatever is dragged or arranged."""
    row: str = ""
    """Name of its row on the floor plan, alike for all racks of the row; "" while that has its letter from the top."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a group was generated: its family and parameters, and which records came of it.

    Parameters stand as text by name, as regeneration.recipes writes them. Ids stand in the order of generating, runs
    of consecutive ones as "d1-63". `prefixes` went before all names of groups, racks and devices.
    """

    family: str
    parameters: tuple[tuple[str, str], ...] = ()
    prefixes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    racks: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A named set of devices: "fabric", "scalable unit", "pod", "tier" or "group". Members point to it."""

    id: str
    name: str
    kind: str = "group"
    parent_id: str | None = None
    recipe: Recipe | None = None
    layout: str = ""
    """How its boxes were last laid out, a name of placement.layouts; "" for what suits them."""
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""
    is_collapsed: bool = False
    """Whether the drawing shows it as one box, without what is in it."""
    collapsed_roles: tuple[str, ...] = ()
    """Roles whose devices, of those that are directly in it, the drawing shows as one box each."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a device or rack stands. `id` is the id of what is placed.

    x, y: centre, in canvas units, y down. `unit` is the lowest rack unit taken, from 1 at the bottom.
    `side` is where the device's ports look in its rack: "front", "rear", or "" where nobody stated it, drawn as front.
    `locked` things keep their place on the canvas, whatever is dragged or arranged.
    """

    id: str
    x: float
    y: float
    rack_id: str | None = None
    unit: int | None = None
    side: str = ""
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Allocation:
    """GPUs of a server that a job runs on, in rank order; none named stands for all of them."""

    device_id: str
    gpus: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedJob:
    """A job: what it sends, between which GPUs, from when on. It sends either a collective or a traffic pattern.

    Words are those of simulation.scenario, sizes as it counts them. What belongs to the fabric (routing, efficiency,
    ...) is said at each run, the same for all jobs.
    """

    id: str
    name: str
    size_bytes: float
    collective: str = ""
    traffic: str = ""
    algorithm: str = ""
    servers: tuple[Allocation, ...] = ()
    """In rank order; none named stands for all servers there are."""
    order: str = "design"
    channels: int | None = None
    chunk_bytes: float | None = None
    dims: tuple[int, ...] = ()
    in_network_reduction: bool = False
    start_s: float = 0.0
    loop: bool = True
    colour: str = "#0072b2"
    """Of its servers on the canvas, as #rrggbb."""
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""


@dataclass(frozen=True, slots=True)
class Revision:
    """An issue of the design that was handed over: when, by whom, and what it was."""

    id: str
    number: str
    """As people count: "1", "B", "2.1"."""
    date: str = ""
    """As 2026-11-22."""
    author: str = ""
    notes: str = ""
    digest: str = ""
    """Of the design's file at the time, without its revisions."""
    plan: str = ""
    """The cables at the time, packed; exchange.change_order reads them."""
    design: str = ""
    """The design's file that the digest is of, packed: a merge takes it as the base."""


FABRIC = "fabric"
"""Kind of the group around a generated fabric."""

DRAGONFLY_GROUP = "dragonfly group"
"""Kind of a dragonfly's or dragonfly+'s groups: switches close together, other groups one global link away."""

SLIM_FLY_GROUP = "Slim Fly group"
"""Kind of a Slim Fly's groups: routers that stand together. Paths lead through any of them, so routing knows none."""

ROUTER_GROUPS = frozenset({DRAGONFLY_GROUP, SLIM_FLY_GROUP})
"""Kinds of groups whose routers are linked to those of other groups: they are drawn around a middle."""

CUBE = "cube"
"""Kind of the groups of a torus whose links lead through optical circuit switches from one group to another."""

UNIT_KINDS = ("scalable unit", "pod")
"""Kinds of groups that devices have the number of: Device.unit."""

GROUP_KINDS = ("group", *UNIT_KINDS, "tier", "plane", DRAGONFLY_GROUP, SLIM_FLY_GROUP, CUBE, FABRIC)
"""All kinds of groups, those that people choose most first."""

Entity = (
    Settings
    | SwitchType
    | ServerType
    | NicType
    | LineCardType
    | RackType
    | MediumType
    | Device
    | Module
    | Link
    | Rack
    | Group
    | Placement
    | PlacedJob
    | Revision
    | Annotation
    | Bookmark
    | AnnotationStyle
    | Fixture
    | Waiver
)

TABLE_OF: dict[type, str] = {
    Settings: "settings",
    SwitchType: "types",
    ServerType: "types",
    NicType: "types",
    LineCardType: "types",
    RackType: "types",
    MediumType: "types",
    Device: "devices",
    Module: "modules",
    Link: "links",
    Rack: "racks",
    Group: "groups",
    Placement: "placements",
    PlacedJob: "jobs",
    Revision: "revisions",
    Annotation: "annotations",
    Bookmark: "bookmarks",
    AnnotationStyle: "annotation_styles",
    Fixture: "fixtures",
    Waiver: "waivers",
}
"""The table of a design that each kind of record lives in."""

ID_PREFIX = {
    "devices": "d",
    "modules": "m",
    "links": "l",
    "racks": "r",
    "groups": "g",
    "jobs": "j",
    "revisions": "v",
    "annotations": "a",
    "bookmarks": "b",
    "annotation_styles": "s",
    "fixtures": "f",
    "waivers": "w",
}


def in_order(ids: Iterable[str]) -> list[str]:
    """The ids in stable order: that of order_key, faster for many."""
    by_length, found = sorted(ids, key=len), list[str]()
    while len(found) < len(by_length):
        begin = len(found)
        end = bisect_right(by_length, len(by_length[begin]), begin, key=len)
        found += sorted(by_length[begin:end])  # takes next to no time where they are in order, as they mostly are
    return found


def order_key(entity_id: str) -> tuple[int, str]:
    """Sort key that puts d2 before d10: the stable order of ids in files, ranks and reports."""
    return (len(entity_id), entity_id)

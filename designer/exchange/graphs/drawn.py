"""A design as boxes and edges, each with its facts, place and colors: what every format of graphs writes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from designer.analysis.part_names import model_name
from designer.analysis.survey import Run
from designer.drawing.composition import Composition
from designer.drawing.display_list import UNKNOWN, Legend
from designer.drawing.geometry import Container
from designer.drawing.link_rates import texts_of
from designer.drawing.notes import Drawn as Noted
from designer.drawing.theme import Theme
from designer.drawing.tier_titles import TierNote, TierTitle
from designer.model.annotation import SOLID
from designer.model.design import Design
from designer.model.hardware.media import MediumType
from designer.model.networks import NETWORKS
from designer.units import format_rate

SWITCH, SERVER = "switch", "server"
GROUP, RACK, ROLE = "group", "rack", "role"
"""Kinds of boxes that stand for many devices."""
MOST_WIDTH = 4.0

Point = tuple[float, float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Box:
    """A device. `x`, `y` are its middle in canvas units, y down; `name` is no other's."""

    id: str
    name: str
    kind: str
    role: str
    type_id: str
    model: str
    network: str
    """Of a switch; "" for a server, which is in several."""
    group: str
    rack: str
    unit: int | None
    """The lowest rack unit taken."""
    rail: int | None
    plane: int | None
    scalable_unit: int | None
    x: float
    y: float
    width: float
    height: float
    is_placed: bool
    """Whether the design says where it is; others are put in rows below."""
    fill: str
    border: str
    stripe: str
    closed: "Closed | None" = None
    """What it stands for; None of a device."""

    @property
    def is_switch(self) -> bool:
        """Whether it forwards."""
        return self.kind == SWITCH


@dataclass(frozen=True, slots=True)
class Closed:
    """What a box holds that stands for many devices."""

    kind: str
    """GROUP, RACK or ROLE."""
    lines: tuple[str, ...]
    """What it says: its name, what is in it, the load inside."""
    devices: str
    """As "32 servers, 8 leaf switches"."""
    boxes: tuple[Box, ...]
    """Its devices, where they stand when it is open."""
    edges: tuple["Edge", ...] = ()
    """The links between them; their ends are places in `boxes`."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A link from `a` to `z`, which are places in the list of boxes."""

    id: str
    a: int
    z: int
    a_port: str
    z_port: str
    rate_gbps: float | None
    network: str
    medium: str
    """Id of the type."""
    part: str
    """The model, as people order it."""
    length_m: float | None
    label: str
    cable: str
    speaks_ethernet: bool
    colour: str
    width: float
    points: tuple[Point, ...]
    """From the edge of one box to that of the other."""
    tier: int = -1
    """The place of the note on its tiers among those of the drawing; -1 where none is about it."""
    utilization: float | None = None
    """Of its busier direction, where it is known."""
    heat: int = UNKNOWN
    """The class of its color where heat is shown."""
    line: str = SOLID
    """Solid, dashed or dotted."""
    is_own: bool = False
    """Whether its color and line were given to it, whatever links are colored by."""
    is_led: bool = False
    """Whether its line was led through bends by hand."""
    is_combed: bool = False
    """Whether others run along its line."""
    a_device: str = ""
    z_device: str = ""
    """Names of the devices at its ends where these are in boxes that stand for many."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """All that is drawn, in stable order."""

    title: str
    theme: Theme
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    frames: tuple[Container, ...]
    """Around racks and groups, outer ones first."""
    design: Design
    composition: Composition
    """Where all of it stands."""
    tiers: tuple[TierTitle, ...] = ()
    notes: tuple[Noted, ...] = ()
    """Annotations, those behind the fabric first."""
    title_rows: tuple[tuple[str, str], ...] = ()
    """What a title block says."""
    tier_notes: tuple[TierNote | None, ...] = ()
    """What all links between two tiers have in common."""
    legend: Legend | None = None
    """What the colors of links mean where they show heat."""
    failed: frozenset[str] = frozenset()
    """Ids of devices and links that are marked as failed."""
    marked: frozenset[str] = frozenset()
    """Ids of links that are wanted most."""

    def text_of(self, bundle: "Bundle") -> str:
        """What is written on a line, as the design chose: "4 × 400G", an own label, ..."""
        rate, links = bundle.rate_gbps, [self.design.links[one.id] for one in bundle.edges]
        said = format_rate(rate) if rate is not None else ""
        return next(iter(texts_of(self.design, links, len(links), said, self.design.settings.link_labels)), "")

    @property
    def networks(self) -> list[str]:
        """Those that have a switch or a link."""
        there = {one.network for one in self.boxes} | {one.network for one in self.edges}
        return [one for one in NETWORKS if one in there]


@dataclass(frozen=True, slots=True)
class Bundle:
    """The links of one network and look between two devices, drawn as one; all of them lead from `a` to `z`.

    Links that are led by hand through the same bends are one of their own.
    """

    edges: tuple[Edge, ...]

    @property
    def first(self) -> Edge:
        """The link that stands for what they share."""
        return self.edges[0]

    @property
    def rate_gbps(self) -> float | None:
        """What each of them carries; None where they differ."""
        return _shared(one.rate_gbps for one in self.edges)

    @property
    def length_m(self) -> float | None:
        """How long each of them is; None where they differ."""
        return _shared(one.length_m for one in self.edges)

    @property
    def medium(self) -> str:
        """What each of them runs over; "" where they differ."""
        return _shared(one.medium for one in self.edges) or ""

    @property
    def part(self) -> str:
        """Their model; "" where they differ."""
        return _shared(one.part for one in self.edges) or ""

    @property
    def width(self) -> float:
        """Of its line: the wider, the more links; with heat that of the hottest."""
        if self.hottest.heat != UNKNOWN:
            return self.hottest.width
        wider = (_shared(one.width for one in self.edges) or 1.0) if self.first.is_own else 1.0
        return min(MOST_WIDTH, 0.5 + 0.5 * len(self.edges)) * wider

    @property
    def label(self) -> str:
        """The label that each of them was given; "" where they differ."""
        return _shared(one.label for one in self.edges) or ""

    @property
    def colour(self) -> str:
        """Theirs; that of the hottest where they differ."""
        return self.hottest.colour

    @property
    def line(self) -> str:
        """Theirs; solid where they differ."""
        return _shared(one.line for one in self.edges) or SOLID

    @property
    def hottest(self) -> Edge:
        """The one of the highest class of heat."""
        return max(self.edges, key=lambda one: one.heat)

    @property
    def utilization(self) -> float | None:
        """Of the busiest direction of any of them, where all are known."""
        found = [one.utilization for one in self.edges]
        return max(one for one in found if one is not None) if None not in found else None

    @property
    def points(self) -> tuple[Point, ...]:
        """From the middle of their ends on one box to that on the other, by the bends of one of them."""
        ways = [one.points for one in self.edges]
        return (_middle([one[0] for one in ways]), *ways[0][1:-1], _middle([one[-1] for one in ways]))


def _middle(points: Sequence[Point]) -> Point:
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _shared(values: Iterable[T]) -> T | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def bundles(edges: Iterable[Edge]) -> list[Bundle]:
    """The edges by pair of devices, network, own look and bends, each turned to lead from the box that comes first."""
    turned = [one if one.a <= one.z else flipped(one) for one in edges]
    turned.sort(key=_pair)
    return [Bundle(tuple(some)) for _, some in groupby(turned, _pair)]


def _pair(edge: Edge) -> tuple[int, int, str, tuple[str, str, float], tuple[Point, ...]]:
    look = (edge.colour, edge.line, edge.width) if edge.is_own and edge.heat == UNKNOWN else ("", "", 0.0)
    return edge.a, edge.z, edge.network, look, edge.points[1:-1] if edge.is_led else ()


def flipped(edge: Edge) -> Edge:
    """The same link from its other end."""
    return replace(
        edge,
        a=edge.z,
        z=edge.a,
        a_port=edge.z_port,
        z_port=edge.a_port,
        points=tuple(reversed(edge.points)),
        a_device=edge.z_device,
        z_device=edge.a_device,
    )


def edge_of(design: Design, run: Run, ends: tuple[int, int], devices: tuple[str, str] = ("", "")) -> Edge:
    """A link between these boxes, without a line; `devices` are the names of those in boxes that stand for many."""
    link = run.link
    return Edge(
        link.id,
        *ends,
        link.a.port,
        link.b.port,
        run.capacity_gbps or None,
        run.network,
        link.medium_id,
        model_name(medium) if isinstance(medium := design.types.get(link.medium_id), MediumType) else "",
        link.length_m,
        link.label,
        f"C{link.cable:04}" if link.cable else "",
        _speaks(run, "ethernet"),
        "",
        1.0,
        (),
        is_led=bool(link.bends),
        a_device=devices[0],
        z_device=devices[1],
    )


def _speaks(run: Run, protocol: str) -> bool:
    ports = run.low_port, run.high_port
    return all(port is not None and protocol in port.protocols for port in ports)

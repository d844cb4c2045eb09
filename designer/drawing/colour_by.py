"""Color by: the class that each device and link is in, by rail, network, speed and so on, and each class's color."""

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from designer.analysis.tiers import device_word, servers_title
from designer.drawing.direct_links import BETWEEN_GROUPS, direct_links
from designer.drawing.jacket_colours import jacket_colour
from designer.drawing.lines import Lines
from designer.drawing.link_rails import Value, device_rails, first_rail, link_rails, shared
from designer.drawing.palette import PLAIN, RAMP, SIZE, Colour, steps
from designer.drawing.projection import Projection
from designer.drawing.theme import KINDS
from designer.fields.kinds import colour_title
from designer.model.annotation import SOLID
from designer.model.colour_keys import FREE, KIND, NETWORK, OWN, STATUS
from designer.model.design import Design
from designer.model.entities import Device, Link
from designer.model.job_colours import is_colour
from designer.model.networks import (
    COMPUTE,
    IN_BAND,
    NETWORK_OF,
    NETWORKS,
    NORTH_SOUTH,
    OUT_OF_BAND,
    STORAGE,
    TITLES,
    network_of_switch,
)
from designer.model.shown_text import visible_line
from designer.units import format_count, format_rate
from designer.validation.findings import Severity

Codes = NDArray[np.int16]

MOST_OWN = 64
"""Colors of their own that are drawn; what has a further one is drawn plain."""
NETWORK_COLOURS: dict[str, Colour] = {COMPUTE: PLAIN, STORAGE: 2, IN_BAND: 5, NORTH_SOUTH: 3, OUT_OF_BAND: 6}
"""A network keeps its color, whatever else is colored."""
PLACES = (0, 1, 4, 7, 3, 5, 2, 6)
"""The palette in the order in which classes take it: first what no network has, then the colors of the rarer ones."""
GLOBAL_WIDTH = SEVERAL_WIDTH = 1.5
DIRECTIONS = (0, 1, 3, 2, 4, 5, 6, 7)
"""Places in the palette of dimensions: the first three are far from each other in light and dark."""
ROLE_PLACES: dict[Value, int] = dict(zip(("Leaf", "Server", "Spine", "Core", "Switch"), PLACES, strict=False))
"""Places in the palette of the roles that most designs have."""
FROM_THE_TOP: tuple[Value, ...] = ("Core", "Spine", "Leaf", "Switch", "Server")
LENGTHS_M = (0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000, 2000)
"""Where classes of lengths may end: where people order cables."""
MOST_LENGTHS = RAMP
"""Classes of lengths."""


@dataclass(frozen=True, slots=True)
class ColourClass:
    """A class, as a legend names it."""

    title: str
    colour: Colour
    width: float = 1.0
    """Of its lines, in terms of others."""
    line: str = SOLID
    """How its lines are drawn."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The class of each row; `title` is what they are classes of. `is_default` where nobody chose."""

    title: str
    codes: Codes
    classes: tuple[ColourClass, ...]
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """What the design itself does not say: the worst finding of things, and what is marked as failed."""

    worst: Mapping[str, Severity] = field(default_factory=dict)
    failed: frozenset[str] = frozenset()

    def of(self, thing: str, *, or_failed: Iterable[str] = ()) -> int:
        """The number of its state in STATES."""
        if thing in self.failed or any(one in self.failed for one in or_failed):
            return 3
        severity = self.worst.get(thing)
        return 2 if severity is Severity.ERROR else 1 if severity is not None else 0


@dataclass(frozen=True, slots=True)
class Marks:
    """Classes of things by id, in place of those that the design colors by; the first is of what has no mark.

    Of a line that stands for several links the last class counts. `title` is what they are classes of.
    """

    title: str
    classes: tuple[ColourClass, ...]
    of: Mapping[str, int]
    ghosts: frozenset[int] = frozenset()
    """Classes of links that the design does not have and that are drawn over it all the same."""
    ghost_devices: frozenset[int] = frozenset()
    """Classes of such devices."""

    def on(self, ids: Iterable[str]) -> Classes:
        """The classes of these, in their order."""
        return _shown(self.title, [self.of.get(one, 0) for one in ids], self.classes)


STATES = (
    ColourClass("No errors or warnings", PLAIN),
    ColourClass("Warning", "warning"),
    ColourClass("Error", "error"),
    ColourClass("Failed", 7),
)
FREE_FROM = (1, 4, 16)
"""Lower ends of the classes of free ports."""
FREE_PORTS = (
    ColourClass("No free ports", PLAIN),
    ColourClass("1 to 3 free ports", 1),
    ColourClass("4 to 15 free ports", 0),
    ColourClass("16 or more free ports", 7),
)


# -- devices --------------------------------------------------------------------------------------------------------


def device_classes(projection: Projection, key: str, title: str, status: Status) -> Classes | None:
    """The class of each device by row; None where their kinds tell them apart, as without a choice."""
    if key == KIND:
        return None
    design, devices = projection.design, [projection.design.devices[one] for one in projection.device_ids]
    if key == STATUS:
        return _shown(title, [status.of(device.id) for device in devices], STATES)
    if key == NETWORK:
        return _shown(title, device_networks(projection), _networks(servers_title(design)))
    if key == OWN:
        return _own(title, own_of_devices(projection))
    if key == FREE:
        return _shown(title, [_free_class(design, device) for device in devices], FREE_PORTS)
    values = device_rails(projection) if key == "rail" else [_DEVICE_VALUES[key](design, device) for device in devices]
    return _ranked(title, values, _WORDS.get(key, str))


def own_of_devices(projection: Projection) -> list[str]:
    """The color that each device was given, by row; "" for none."""
    devices = projection.design.devices
    given = (devices[one].colour for one in projection.device_ids)
    return [colour if colour and is_colour(colour) else "" for colour in given]


def kind_classes(projection: Projection) -> Classes:
    """The kind of each device, titled after colors of their own, which are all that a legend names with these."""
    return _shown("Own color", projection.kinds.tolist(), tuple(ColourClass(one.capitalize(), PLAIN) for one in KINDS))


def with_own(found: Classes, colours: list[str]) -> Classes:
    """The classes, and over them the colors that devices were given."""
    own, n_others = _own("", colours), len(found.classes)
    n_own = len(own.classes) - 1
    codes = np.where(own.codes < n_own, own.codes + n_others, found.codes).astype(np.int16)
    return replace(found, codes=codes, classes=(*found.classes, *own.classes[:n_own]))


def device_networks(projection: Projection) -> Sequence[int]:
    """Numbers in NETWORKS of the switches by row; one beyond them for servers, which are in several."""
    design, number = projection.design, {name: place for place, name in enumerate(NETWORKS)}
    found = np.full(len(projection.device_ids), len(NETWORKS), np.int16)
    devices, ids = design.devices, projection.device_ids
    for row in np.flatnonzero(projection.kinds != KINDS.index("server")).tolist():
        found[row] = number[network_of_switch(devices[ids[row]])]
    numbers: list[int] = found.tolist()
    return numbers


def _networks(others: str) -> tuple[ColourClass, ...]:
    named = tuple(ColourClass(TITLES[name], NETWORK_COLOURS[name]) for name in NETWORKS)
    return (*named, ColourClass(others, PLAIN))


def _role(design: Design, device: Device) -> str:
    role = visible_line(device.role) or device_word(design, device.id)
    return role[:1].upper() + role[1:]


def _free_class(design: Design, device: Device) -> int:
    return int(np.searchsorted(FREE_FROM, design.n_free_ports(device.id), side="right"))


def _tag(one: Device | Link) -> str | None:
    return visible_line(one.tags[0]) if one.tags else None


def _speed(design: Design, device: Device) -> float | None:
    return max((port.rate_gbps for port in design.ports(device.id)), default=None)


_DEVICE_VALUES: Mapping[str, Callable[[Design, Device], Value]] = {
    "role": _role,
    "plane": lambda _, device: device.plane,
    "unit": lambda _, device: device.unit,
    "speed": _speed,
    "tag": lambda _, device: _tag(device),
    "type": lambda design, device: visible_line(design.device_type(device.id).model),
}


# -- links ----------------------------------------------------------------------------------------------------------


def link_classes(projection: Projection, key: str, title: str, status: Status) -> Classes:
    """The class of each link by row, of any key but the network: for that see `network_classes`."""
    design = projection.design
    links = [design.links[one] for one in projection.link_ids]
    if key == STATUS:
        states = [status.of(link.id, or_failed=(link.a.device_id, link.b.device_id)) for link in links]
        return _shown(title, states, STATES)
    if key == OWN:
        return _own(title, [jacket_colour(link.colour) for link in links])
    if key == "rail":
        return _ranked(title, link_rails(projection), _WORDS[key])
    if key in ("plane", "unit"):
        numbers = [getattr(design.devices[one], key) for one in projection.device_ids]
        return _ranked(title, [shared(numbers[a], numbers[b]) for a, b in projection.ends.tolist()], _WORDS[key])
    if key == "tier":
        roles = [_role(design, design.devices[one]) for one in projection.device_ids]
        heights = projection.kinds.tolist()
        pairs = projection.ends.tolist()
        return _ranked(title, [_joined(roles[a], heights[a], roles[b], heights[b]) for a, b in pairs], str)
    if key == "length":
        return _by_length(title, [link.length_m for link in links])
    values = [_LINK_VALUES[key](design, link) for link in links]
    return _ranked(title, values, _WORDS.get(key, str))


def _joined(one: str, height: int, other: str, other_height: int) -> str:
    low, high = (one, other) if (height, one) <= (other_height, other) else (other, one)
    return f"{low} to {high[:1].lower()}{high[1:]}"


def _by_length(title: str, lengths_m: Sequence[float | None]) -> Classes:
    """A class for each band of the lengths that links have, with how many there are: longer ones stand out more."""
    ends_m = length_ends([one for one in lengths_m if one is not None])
    codes = [len(ends_m) if one is None else int(np.searchsorted(ends_m, one)) for one in lengths_m]
    counts = Counter(codes)
    titles = [f"{first:g} to {last:g} m" for first, last in pairwise((0.0, *ends_m))]
    if ends_m:
        titles[0] = f"Up to {ends_m[0]:g} m"
        if ends_m[-1] == math.inf:
            titles[-1] = f"Over {ends_m[-2]:g} m" if len(ends_m) > 1 else "Any length"
    bands = zip(titles, steps(len(titles)), strict=True)
    classes = [ColourClass(f"{text} ({format_count(counts[at])})", step) for at, (text, step) in enumerate(bands)]
    unknown = f"Length not known ({format_count(counts[len(ends_m)])})"
    return _shown(title, codes, (*classes, ColourClass(unknown, PLAIN)))


def length_ends(lengths_m: Sequence[float]) -> list[float]:
    """Upper ends of the bands of some lengths, none of which is empty: the bands with the fewest links are joined."""
    bands = np.searchsorted(LENGTHS_M, lengths_m)
    found = [(place, int(count)) for place, count in enumerate(np.bincount(bands)) if count]
    while len(found) > MOST_LENGTHS:
        at = min(range(len(found) - 1), key=lambda one: found[one][1] + found[one + 1][1])
        found[at : at + 2] = [(found[at + 1][0], found[at][1] + found[at + 1][1])]
    return [float((*LENGTHS_M, math.inf)[place]) for place, _ in found]


def _rate(design: Design, link: Link) -> float | None:
    rates = [port.rate_gbps for port in (design.port(link.a), design.port(link.b)) if port is not None]
    return min(rates, default=None)


def _cable(design: Design, link: Link) -> str | None:
    medium = design.types.get(link.medium_id)
    return visible_line(medium.model) if medium is not None else None


_LINK_VALUES: Mapping[str, Callable[[Design, Link], Value]] = {
    "speed": _rate,
    "tag": lambda _, link: _tag(link),
    "cable": _cable,
}

_WORDS: Mapping[str, Callable[[Value], str]] = {
    "rail": lambda value: "No rail" if value is None else value if isinstance(value, str) else f"Rail {value}",
    "plane": lambda value: "No plane" if value is None else f"Plane {value}",
    "unit": lambda value: "No unit" if value is None else f"Unit {value}",
    "speed": lambda value: format_rate(value) if isinstance(value, float | int) else "Speed not known",
    "tag": lambda value: "No tag" if value is None else str(value),
    "cable": lambda value: "No cable type" if value is None else str(value),
}


def no_classes(projection: Projection, title: str) -> Classes:
    """All links in one class without a color, where there is nothing to tell them apart by."""
    return _shown(title, [0] * len(projection.link_ids), (ColourClass("All links", PLAIN),))


def direct_classes(projection: Projection, *, is_default: bool) -> Classes | None:
    """The dimension of each link of a torus, or whether it stays within its group of a dragonfly; None for others."""
    found = direct_links(projection)
    if found is None:
        return None
    title, classes = "Dimension", [ColourClass(text, DIRECTIONS[place]) for place, text in enumerate(found.titles)]
    if BETWEEN_GROUPS in found.titles:
        title, classes[-1] = "Group", ColourClass(BETWEEN_GROUPS, len(classes) - 1, GLOBAL_WIDTH)
    classes.append(ColourClass("Other links", PLAIN))
    return replace(_shown(title, found.codes, classes), is_default=is_default)


def network_classes(projection: Projection, title: str, of_devices: Sequence[int], managed: Iterable[int]) -> Classes:
    """The network of each link by row, as networks.network_of_link; `managed` are rows that lead to managing ports."""
    servers = len(NETWORKS)
    rows = np.asarray(of_devices, np.int16)
    rows = np.where(rows == servers, 0, rows)
    codes = rows[projection.ends].max(axis=1, initial=0).astype(np.int16)
    if rows.any():
        _follow_purposes(projection, of_devices, codes)
    codes[list(managed)] = NETWORKS.index(OUT_OF_BAND)
    return replace(_shown(title, codes, _networks("")), is_default=True)


def _follow_purposes(projection: Projection, of_devices: Sequence[int], codes: Codes) -> None:
    """Count links at ports of servers to the networks that these are for."""
    design = projection.design
    known: dict[int, dict[str, int]] = {}
    number = {name: place for place, name in enumerate(NETWORKS)}
    is_server = np.asarray(of_devices) == len(NETWORKS)
    for row in np.flatnonzero(is_server[projection.ends].any(axis=1)).tolist():
        link = design.links[projection.link_ids[row]]
        end = link.a if is_server[projection.ends[row, 0]] else link.b
        ports = design.ports(end.device_id)
        purposes = known.get(id(ports))
        if purposes is None:
            slotted = ((port.name, NETWORK_OF.get(port.purpose, COMPUTE)) for port in ports if port.slot)
            purposes = known[id(ports)] = {name: number[network] for name, network in slotted}
        codes[row] = purposes.get(end.port, codes[row])


# -- classes --------------------------------------------------------------------------------------------------------


def _shown(title: str, codes: Sequence[int] | Codes, classes: Sequence[ColourClass]) -> Classes:
    return Classes(title, np.asarray(codes, np.int16), tuple(classes))


def _ranked(title: str, values: list[Value], word: Callable[[Value], str]) -> Classes:
    """A class for each value in order; where there are many, for ranges of numbers or the most frequent words."""
    counts = Counter(value for value in values if value is not None)
    order: list[Value] = sorted(counts, key=_rank)
    if len(order) <= SIZE:
        classes = [ColourClass(word(value), at) for value, at in zip(order, _places(order), strict=True)]
        place_of = {value: place for place, value in enumerate(order)}
    elif not isinstance(order[0], str):
        classes, place_of = _ranges(order, word)
    else:
        kept = sorted(sorted(counts, key=lambda one: (-counts[one], str(one)))[: SIZE - 1], key=str)
        classes = [ColourClass(word(value), place) for place, value in zip(PLACES, kept, strict=False)]
        classes.append(ColourClass(f"{len(order) - len(kept):,} others", PLAIN))
        place_of = dict.fromkeys(order, len(kept)) | {value: place for place, value in enumerate(kept)}
    place_of[None] = len(classes)
    classes.append(ColourClass(word(None), PLAIN))
    return _shown(title, [place_of[value] for value in values], classes)


def _rank(value: Value) -> tuple[int, Value]:
    """Numbers by size, rails that share leafs by the first; roles from the highest tier down, then other words."""
    number = first_rail(value)
    if number is not None or not isinstance(value, str):
        return 0, value if number is None else number
    return (1, FROM_THE_TOP.index(value)) if value in FROM_THE_TOP else (2, value)


def _places(order: Sequence[Value]) -> list[int]:
    """Places in the palette: roles and small numbers keep theirs whatever else there is, others follow each other."""
    if not any(value in ROLE_PLACES for value in order):
        numbers = [value - 1 for value in order if isinstance(value, int) and 1 <= value <= SIZE]
        return [PLACES[one] for one in (numbers if len(numbers) == len(order) else range(len(order)))]
    others = (*PLACES[len(ROLE_PLACES) :], *ROLE_PLACES.values())
    held = {ROLE_PLACES[value] for value in order if value in ROLE_PLACES}
    free = (place for place in others if place not in held)
    return [ROLE_PLACES[value] if value in ROLE_PLACES else next(free) for value in order]


def _ranges(order: list[Value], word: Callable[[Value], str]) -> tuple[list[ColourClass], dict[Value, int]]:
    """Runs of consecutive values, as even as they can be."""
    parts = [part.tolist() for part in np.array_split(np.arange(len(order)), SIZE)]
    classes: list[ColourClass] = []
    place_of: dict[Value, int] = {}
    for place, part in enumerate(parts):
        first, last = word(order[part[0]]), word(order[part[-1]])
        shared = f"{first} to {last.split(' ', 1)[-1]}" if first.split(" ")[0] == last.split(" ")[0] else ""
        classes.append(ColourClass(first if len(part) == 1 else shared or f"{first} to {last}", PLACES[place]))
        place_of |= dict.fromkeys((order[one] for one in part), place)
    return classes, place_of


def _own(title: str, colours: list[str]) -> Classes:
    order = sorted(colour for colour, _ in Counter(one for one in colours if one).most_common(MOST_OWN))
    place_of = {colour: place for place, colour in enumerate(order)}
    named = [ColourClass(colour_title(colour), colour) for colour in order]
    classes = [*named, ColourClass("No color of its own", PLAIN)]
    return _shown(title, [place_of.get(one, len(order)) for one in colours], classes)


def apart_from(found: Classes, present: Iterable[int], taken: Container[Colour]) -> Classes:
    """The classes with no color of the palette that is taken, as far as others are left for those that are present.

    One color would mean two things otherwise: a role of devices and a speed of links.
    """
    rows = [one for one in present if one < len(found.classes)]
    held = {found.classes[one].colour for one in rows}
    free = iter(place for place in PLACES if place not in taken and place not in held)
    classes = list(found.classes)
    for one in rows:
        colour = classes[one].colour
        if isinstance(colour, int) and colour != PLAIN and colour in taken:
            classes[one] = replace(classes[one], colour=next(free, colour))
    return replace(found, classes=tuple(classes))


# -- lines that stand for many links ----------------------------------------------------------------------------------

SEVERAL = ColourClass("Several in one line", "text", SEVERAL_WIDTH)


def of_lines(found: Classes, lines: Lines, *, worst: bool) -> Codes:
    """The class of each line: of its links where they share one, else one beyond the last; or the worst of them."""
    if not len(lines.starts):
        return np.zeros(0, np.int16)
    codes = found.codes[lines.links]
    high = np.maximum.reduceat(codes, lines.starts)
    if worst:
        return np.asarray(high)
    low = np.minimum.reduceat(codes, lines.starts)
    return np.where(low == high, high, np.int16(len(found.classes)))


def present(codes: Codes, rows: NDArray[np.bool_] | None = None) -> list[int]:
    """The classes that have any row, in order."""
    kept: list[int] = np.unique(codes if rows is None else codes[rows]).tolist()
    return kept

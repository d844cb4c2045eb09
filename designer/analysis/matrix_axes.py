"""What the rows and columns of a matrix can be in a design, and in which order they stand."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from designer.analysis.tiers import role_names
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.networks import is_hidden

MOST_LINES = 2048
"""Rows or columns of a matrix; what has more is gathered, neighbors together."""
OUTSIDE = "outside"
"""What stands in no group or rack."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The rows or the columns of a matrix."""

    name: str
    labels: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    """Ids of the devices that each stands for, or of the one group or rack."""
    of_device: Mapping[str, int]
    """Which row or column a device is in, by its id."""
    count: int
    """How many things they stand for: more than there are lines where neighbors are gathered."""

    def __len__(self) -> int:
        return len(self.labels)


Gather = Callable[[Design, Mapping[str, str]], dict[tuple[str, str], list[str]]]
"""The devices of each row by (its label, the id it stands for or ""), from a design and its devices' roles."""


@dataclass(frozen=True, slots=True)
class AxisKind:
    """What rows or columns can be."""

    name: str
    title: str
    gather: Gather
    role: str = ""
    """The role of its devices, where each is a line of its own: they are counted without gathering them."""
    is_there: Callable[[Design, Mapping[str, str]], bool] | None = None
    """Whether a design has any, found sooner than by gathering them; None where a role says that."""


def _of_role(role: str) -> Gather:
    def gather(design: Design, roles: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
        devices = design.devices
        return {(devices[one].name, one): [one] for one, its in roles.items() if its == role}

    return gather


def _switches(design: Design, roles: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
    return {(device.name, one): [one] for one, device in design.devices.items() if roles[one] != "server"}


def _groups(design: Design, _roles: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
    return _held({one: group.name for one, group in design.groups.items()}, design, lambda one: one.group_id)


def _racks(design: Design, _roles: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
    places, names = design.placements, {one: rack.name for one, rack in design.racks.items()}
    return _held(names, design, lambda one: places[one.id].rack_id if one.id in places else None)


def _held(
    names: Mapping[str, str], design: Design, holder: Callable[..., str | None]
) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {(name, one): [] for one, name in names.items()}
    others: list[str] = []
    for one, device in design.devices.items():
        held = holder(device)
        (others if held is None or held not in names else found[names[held], held]).append(one)
    held_ = {key: members for key, members in found.items() if members}
    return held_ | ({(OUTSIDE, ""): others} if others and held_ else {})


def _numbered(word: str) -> Gather:
    def gather(design: Design, _roles: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
        found: dict[int, list[str]] = {}
        for one, device in design.devices.items():
            number = getattr(device, word)
            if number is not None:
                found.setdefault(number, []).append(one)
        return {(f"{word} {number}", ""): found[number] for number in sorted(found)}

    return gather


def _ranks(design: Design, _roles: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
    """The servers with GPUs or links, which ranks run on; only a traffic says what the ranks are."""
    return {(one.name, one.id): [one.id] for one in design.servers()}


def _has_switches(_design: Design, roles: Mapping[str, str]) -> bool:
    return any(role != "server" for role in roles.values())


def _has_number(word: str) -> Callable[[Design, Mapping[str, str]], bool]:
    number_of = attrgetter(word)
    return lambda design, _roles: not {None}.issuperset(map(number_of, design.devices.values()))


def _has_groups(design: Design, _roles: Mapping[str, str]) -> bool:
    groups = design.groups
    return bool(groups) and any(one.group_id in groups for one in design.devices.values())


def _has_racks(design: Design, _roles: Mapping[str, str]) -> bool:
    places, racks = design.placements, design.racks
    return bool(racks) and any(one in places and places[one].rack_id in racks for one in design.devices)


def _has_ranks(design: Design, _roles: Mapping[str, str]) -> bool:
    return any(map(design.is_server, design.devices))


RANK = "rank"
"""Rows and columns of what ranks send to each other: of a traffic, not of links."""

AXES: tuple[AxisKind, ...] = (
    AxisKind("server", "Servers", _of_role("server"), "server"),
    AxisKind("leaf", "Leaf switches", _of_role("leaf"), "leaf"),
    AxisKind("spine", "Spines", _of_role("spine"), "spine"),
    AxisKind("core", "Cores", _of_role("core"), "core"),
    AxisKind("switch", "All switches", _switches, is_there=_has_switches),
    AxisKind("rail", "Rails", _numbered("rail"), is_there=_has_number("rail")),
    AxisKind("unit", "Units or pods", _numbered("unit"), is_there=_has_number("unit")),
    AxisKind("group", "Groups", _groups, is_there=_has_groups),
    AxisKind("rack", "Racks", _racks, is_there=_has_racks),
    AxisKind(RANK, "Ranks, by traffic", _ranks, is_there=_has_ranks),
)
"""What rows and columns can be, in the order of lists."""

ORDERS: tuple[tuple[str, str], ...] = (
    ("design", "As in the design"),
    ("name", "By name"),
    ("rail", "By rail"),
    ("unit", "By unit or pod"),
    ("plane", "By plane"),
)
"""In which order rows and columns stand, by name and title."""
AS_IN_DESIGN, BY_NAME = "design", "name"

LINKED_SETS = ("unit", "group")
"""Rows of many devices that are linked to each other in a direct network."""

USUAL = (("leaf", "spine"), ("rail", "unit"), ("group", "group"), ("switch", "switch"), ("server", "server"))
"""What is shown first: the first pair that a design has both of, more than one of either if it can be."""


def axis_kind(name: str) -> AxisKind:
    """The kind of that name. Raises ParameterError."""
    for kind in AXES:
        if kind.name == name:
            return kind
    raise ParameterError(f"rows and columns cannot be {name!r}: choose {', '.join(kind.name for kind in AXES)}")


@dataclass(frozen=True)
class Axes:
    """What can be rows and columns in a design; hidden networks are left out."""

    design: Design
    hidden: frozenset[str] = frozenset()
    order: str = AS_IN_DESIGN

    @cached_property
    def _roles(self) -> dict[str, str]:
        return role_names(self.design)

    @cached_property
    def _per_role(self) -> Counter[str]:
        return Counter(self._roles.values())

    @cached_property
    def _gathered(self) -> dict[str, dict[tuple[str, str], list[str]]]:
        return {}

    def _of(self, name: str) -> dict[tuple[str, str], list[str]]:
        if name not in self._gathered:
            self._gathered[name] = axis_kind(name).gather(self.design, self._roles)
        return self._gathered[name]

    def count(self, name: str) -> int:
        """How many rows or columns of a kind there are."""
        role = axis_kind(name).role
        return self._per_role[role] if role else len(self._of(name))

    def kinds(self) -> tuple[AxisKind, ...]:
        """The kinds that the design has any of."""
        return self._kinds

    @cached_property
    def _kinds(self) -> tuple[AxisKind, ...]:
        return tuple(kind for kind in AXES if self._has(kind))

    def _has(self, kind: AxisKind) -> bool:
        if kind.is_there is None or kind.name in self._gathered:
            return self.count(kind.name) > 0
        return kind.is_there(self.design, self._roles)

    def usual(self) -> tuple[str, str]:
        """The names of the rows and columns that are shown first."""
        for least in (2, 1):
            for rows, columns in USUAL:
                if min(self.count(rows), self.count(columns)) >= least:
                    return rows, columns
        return USUAL[0]

    def axis(self, name: str, most: int = MOST_LINES) -> Axis:
        """Its rows or columns; of more than `most` neighbors are gathered. Raises ParameterError."""
        design, found = self.design, self._of(name)
        lines = [
            (label, [one], members) if one else (label, members, members) for (label, one), members in found.items()
        ]
        lines = ordered_lines(design, lines, self.order)
        count = len(lines)
        share = -(-count // most)
        if share > 1:
            parts = [lines[first : first + share] for first in range(0, len(lines), share)]
            lines = [
                (
                    f"{part[0][0]} … {part[-1][0]}",
                    [one for _, ids, _ in part for one in ids],
                    [one for *_, held in part for one in held],
                )
                for part in parts
            ]
        hidden = self.hidden
        of_device = {
            one: number
            for number, (_, _, members) in enumerate(lines)
            for one in members
            if not (hidden and design.is_switch(one) and is_hidden(design.devices[one], hidden))
        }
        return Axis(name, tuple(line[0] for line in lines), tuple(tuple(line[1]) for line in lines), of_device, count)


Line = tuple[str, list[str], list[str]]
"""The label of a row or column, the ids that it stands for, and the devices in it."""


def ordered_lines(design: Design, lines: list[Line], order: str) -> list[Line]:
    """Rows or columns by their names, or by the least rail, unit or plane in each, those in none last.

    Those that are alike stay as the design has them. Raises ParameterError for an order that there is not.
    """
    if order not in {name for name, _ in ORDERS}:
        raise ParameterError(f"there is no order {order!r}: choose {', '.join(name for name, _ in ORDERS)}")
    if order == AS_IN_DESIGN:
        return lines
    if order == BY_NAME:
        return sorted(lines, key=lambda line: natural(line[0]))
    number_of = attrgetter(order)
    return sorted(lines, key=lambda line: _least(number_of(design.devices[one]) for one in line[2]))


def _least(numbers: Iterable[int | None]) -> float:
    return min((one for one in numbers if one is not None), default=float("inf"))

"""Groups of a dragonfly by kind: compute, service and others, each of its own size, and the links of each two of them.

Kinds are numbered in the order in which they are given, and so are their groups: those of the first kind come first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import setting
from designer.fields.kinds import NamedSizes, NamedTypes
from designer.topologies.sizing import MOST_DEVICES
from designer.units import format_count, shortened

FIRST_KIND = "compute"
"""What the groups are called that the other parameters describe, where some are of another kind."""
MOST_KINDS = 8


@dataclass(frozen=True, slots=True)
class GroupKind:
    """Groups that are alike."""

    name: str
    first: int
    """Number of the first of them, from 0."""
    count: int
    leafs: int
    """Switches of a group that hosts are on: routers, or leafs."""
    holders: int
    """Switches of a group that hold global links: the same routers, or spines."""
    p: int
    """Host ports of each."""
    h: int
    """Global links of each holder at most."""
    shape: tuple[int, ...] = ()
    """Routers of a group along each dimension where only those of a line are joined; () where all are."""
    widths: tuple[int, ...] = ()
    """Parallel links between every two routers of a line, by dimension."""

    @property
    def degree(self) -> int:
        """Local links of a router of a dragonfly."""
        return sum(width * (size - 1) for size, width in zip(*self.lattice, strict=True))

    @property
    def first_global(self) -> int:
        """The port, from 0, that the global links of a router of a dragonfly begin with."""
        return self.p + self.degree

    @property
    def lattice(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Sizes and widths of the dimensions; all routers in one line where all are joined."""
        return (self.shape, self.widths) if self.shape else ((self.leafs,), (1,))

    @property
    def global_ports(self) -> int:
        """Global links of a group at most."""
        return self.holders * self.h

    @property
    def numbers(self) -> range:
        """Of its groups."""
        return range(self.first, self.first + self.count)

    def group_of(self, per_group: int) -> Callable[[int], int]:
        """The number of the group of each device of a layer, with so many devices in each of these groups."""
        return lambda number: self.first + number // per_group


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """All groups of a dragonfly, and how many links join each two of them."""

    kinds: tuple[GroupKind, ...]
    per_pair: Mapping[tuple[int, int], int]
    """By numbers of kinds, the lower first."""
    has_spines: bool = False
    """Whether other switches hold the global links than those that hosts are on."""

    @property
    def n_groups(self) -> int:
        """Groups in all."""
        return sum(one.count for one in self.kinds)

    def pairs(self, low: int, high: int) -> int:
        """How many pairs of groups there are of two kinds."""
        one, other = self.kinds[low], self.kinds[high]
        return one.count * (one.count - 1) // 2 if low == high else one.count * other.count

    @property
    def pairs_of_kinds(self) -> list[tuple[int, int]]:
        """Every two kinds, the lower first."""
        return list(combinations_with_replacement(range(len(self.kinds)), 2))

    def n_links(self, low: int, high: int) -> int:
        """Global links between groups of two kinds."""
        return self.pairs(low, high) * self.per_pair[low, high]

    @property
    def n_global(self) -> int:
        """Global links in all."""
        return sum(self.n_links(*pair) for pair in self.pairs_of_kinds)

    def used(self, number: int) -> int:
        """Global links of a group of a kind."""
        return _needed(self.kinds, self.per_pair, number)

    def kind_of(self) -> list[int]:
        """The number of the kind of every group."""
        return [number for number, one in enumerate(self.kinds) for _ in one.numbers]

    def group_names(self) -> tuple[str, ...]:
        """What the groups are called; with several kinds the name says which."""
        if len(self.kinds) == 1:
            return tuple(f"Group {number + 1}" for number in self.kinds[0].numbers)
        return tuple(f"{one.name} group {number + 1}" for one in self.kinds for number in one.numbers)


def other_groups_parameter(sizes: str, example: str, counted: str) -> Any:
    """The setting for groups of other kinds; `sizes` is what follows the name, as "GROUPSxROUTERSxHOSTS"."""
    return _by_kind(
        "Other groups",
        f"Groups of another size, such as {example}: a name, and {counted}; several with commas between. The "
        f"groups that the other parameters describe are then called {FIRST_KIND}.",
        f"NAME={sizes}",
    )


def pair_links_parameter() -> Any:
    """The setting for the global links between groups of each two kinds."""
    return _by_kind(
        "Links by kind",
        "Global links between two groups by their kinds, such as compute-compute=20, compute-service=4; pairs "
        "that are not named get the links per pair.",
        "KIND-KIND=N",
    )


def kind_servers_parameter() -> Any:
    """The setting for what the servers of groups of other kinds are."""
    return _by_kind(
        "Servers by kind",
        "Type of the servers of groups by their kind, such as cpu=generic-node, storage=generic-node for hosts "
        "without GPUs, on which no ranks run; kinds that are not named have the type of all others.",
        "KIND=TYPE",
        kinds.NAMED_TYPES,
        "the same",
    )


def _by_kind(title: str, help: str, each: str, kind: kinds.Kind = kinds.NAMED_SIZES, empty: str = "none") -> Any:
    """A setting of which each kind of groups, or each pair of kinds, may have one: written as `each`."""
    return setting((), title=title, help=help, kind=kind, empty=empty, unwritten=(), metavar=f"{each},...")


def servers_of(groups: Sequence[GroupKind], usual: str, by_kind: NamedTypes) -> list[str]:
    """The id of the type of server of each kind: the one named, else the usual one. Raises ParameterError."""
    named = dict(by_kind)
    if len(named) < len(by_kind):
        raise ParameterError("servers by kind: give one type for each kind, such as storage=generic-node")
    known = [one.name for one in groups]
    for name in named:
        if name not in known:
            raise ParameterError(
                f"servers by kind: {shortened(name)} is no kind of groups; there is {', '.join(known)}"
            )
    return [named.get(name, usual) for name in known]


def kinds_of(first: GroupKind, others: NamedSizes, n_sizes: int, usage: str) -> tuple[GroupKind, ...]:
    """The first kind and the others, whose numbers are groups, leafs, holders, hosts and perhaps global links.

    With `n_sizes` 3 leafs and holders are one number, with 4 two. Raises ParameterError.
    """
    found = [first]
    if len(others) >= MOST_KINDS:
        raise ParameterError(f"other groups: {format_count(len(others))} kinds were given, {MOST_KINDS - 1} at most")
    for name, sizes in others:
        if any(name == one.name for one in found):
            raise ParameterError(f"other groups: {shortened(name)} is given twice")
        if len(sizes) not in (n_sizes, n_sizes + 1):
            raise ParameterError(f"other groups: {shortened(name)} should look like {usage}")
        count, *switches, p = sizes[:n_sizes]
        h = sizes[n_sizes] if len(sizes) > n_sizes else first.h
        if 0 in (count, *switches):
            raise ParameterError(f"other groups: {shortened(name)} should have 1 or more groups and switches")
        if max(sizes) > MOST_DEVICES:
            raise ParameterError(f"other groups: {shortened(name)} is more than a design holds")
        alike = replace(first, name=name, first=found[-1].numbers.stop, count=count, p=p, h=h)
        is_complete = not first.shape or switches[0] != first.leafs
        shape = ((), ()) if is_complete else first.lattice
        found.append(replace(alike, leafs=switches[0], holders=switches[-1], shape=shape[0], widths=shape[1]))
    return tuple(found)


def planned(
    groups: Sequence[GroupKind], by_kind: NamedSizes, wanted: int | None, has_spines: bool = False
) -> GroupPlan:
    """The links of each two kinds: those named, else `wanted`, else as many as the ports allow.

    Raises ParameterError where the global ports of a group do not suffice.
    """
    named = _named(groups, by_kind)
    plain = _plain(groups, named) if wanted is None else wanted
    pairs = combinations_with_replacement(range(len(groups)), 2)
    plan = GroupPlan(tuple(groups), {pair: named.get(pair, plain) for pair in pairs}, has_spines)
    for number, one in enumerate(groups):
        need = _needed(groups, plan.per_pair, number)
        if need <= one.global_ports:
            continue
        has = format_count(one.global_ports)
        if len(groups) == 1:
            links, count = format_count(plan.per_pair[0, 0]), format_count(one.count)
            raise ParameterError(
                f"{links} links per pair of {count} groups need {format_count(need)} global links each; a group has "
                f"{has}"
            )
        raise ParameterError(f"a {one.name} group needs {format_count(need)} global links and has {has}")
    return plan


def _named(groups: Sequence[GroupKind], by_kind: NamedSizes) -> dict[tuple[int, int], int]:
    known = {
        name: (low, high)
        for low, one in enumerate(groups)
        for high, other in enumerate(groups)
        if low <= high
        for name in (f"{one.name}-{other.name}", f"{other.name}-{one.name}")
    }
    found: dict[tuple[int, int], int] = {}
    for name, sizes in by_kind:
        if name not in known:
            raise ParameterError(
                f"links by kind: {shortened(name)} are no two kinds of groups; there is {', '.join(sorted(known))}"
            )
        if len(sizes) != 1 or known[name] in found:
            raise ParameterError(f"links by kind: give one number for {shortened(name)}, such as {name}=4")
        found[known[name]] = sizes[0]
    return found


def _partners(groups: Sequence[GroupKind], number: int) -> Iterable[tuple[tuple[int, int], int]]:
    """Each kind that a group of this one meets, as a pair of kinds, and in how many groups."""
    for other, one in enumerate(groups):
        yield (min(number, other), max(number, other)), one.count - (number == other)


def _needed(groups: Sequence[GroupKind], per_pair: Mapping[tuple[int, int], int], number: int) -> int:
    return sum(per_pair.get(pair, 0) * count for pair, count in _partners(groups, number))


def _plain(groups: Sequence[GroupKind], named: Mapping[tuple[int, int], int]) -> int:
    """The most links that all pairs can have that are not named."""
    most = []
    for number, one in enumerate(groups):
        peers = sum(count for pair, count in _partners(groups, number) if pair not in named)
        if not peers:
            continue
        left = one.global_ports - _needed(groups, named, number)
        if left < peers:
            raise ParameterError(_too_few(groups, one, peers, left))
        most.append(left // peers)
    return min(most, default=0)


def _too_few(groups: Sequence[GroupKind], one: GroupKind, peers: int, left: int) -> str:
    if len(groups) == 1:
        return (
            f"{format_count(one.count)} groups need {format_count(peers)} global links each; "
            f"a group has {format_count(left)}: {format_count(left + 1)} groups at most"
        )
    return (
        f"a {one.name} group has {format_count(max(left, 0))} global links left for {format_count(peers)} other "
        "groups: give its switches more, or have fewer groups"
    )

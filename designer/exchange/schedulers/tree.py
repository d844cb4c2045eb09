"""A fabric as the tree that schedulers know: which hosts are near each other, level by level.

A scheduler's tree gives a host one leaf. A host of a rail-optimized fabric hangs from a leaf switch per rail, so the
tree's leaf is the set of hosts that share leaf switches: the scalable unit. Levels above it are what the next tier of
switches joins.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from designer.analysis.survey import UNKNOWN_TIER, Run, Survey
from designer.exchange.schedulers.hosts import Host
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP
from designer.model.hardware.ports import NVLINK

SAME_GROUP, SAME_TIER = 0.25, 0.5
"""What links between switches of one tier stand above that tier: those in a dragonfly group below the others."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of the tree: hosts, or branches below it; never both."""

    name: str
    """As the design calls it, or a word and a number."""
    hosts: tuple[Host, ...]
    children: tuple["Branch", ...]
    switches: tuple[str, ...]
    """Ids of the switches that it stands for."""

    @property
    def inside(self) -> Iterator["Branch"]:
        """It and every branch below it, the lowest first."""
        for child in self.children:
            yield from child.inside
        yield self


def is_scale_up(run: Run) -> bool:
    """Whether a link is one of a scale-up domain whose switches are devices of the design."""
    ports = (run.low_port, run.high_port)
    return any(port is not None and port.protocols == (NVLINK,) for port in ports)


def tree(surveyed: Survey, hosts: Sequence[Host]) -> tuple[Branch, ...]:
    """The tops of the tree, in the order of their first host; hosts without a link are in none."""
    return _Growing(surveyed, hosts).tops()


class Sets:
    """Disjoint sets of names."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def find(self, name: str) -> str:
        """The name that stands for the set."""
        root = name
        while (above := self._above.get(root, root)) != root:
            root = above
        while name != root:
            self._above[name], name = root, self._above.get(name, name)
        return root

    def join(self, one: str, other: str) -> None:
        """Make one set of two."""
        self._above[self.find(one)] = self.find(other)


class _Growing:
    """Grows branches level by level, from the servers up."""

    def __init__(self, surveyed: Survey, hosts: Sequence[Host]) -> None:
        self._surveyed, self._design = surveyed, surveyed.design
        self._by_device: dict[str, list[Host]] = {}
        for host in hosts:
            self._by_device.setdefault(host.device_id, []).append(host)
        self._sets = Sets()
        self._branches: list[Branch] = []
        self._runs = [run for run in surveyed.fabric_runs if not is_scale_up(run)]
        linked = {end.device_id for run in self._runs for end in (run.low, run.high)}
        self._groups = _Groups(self._design, linked & self._by_device.keys())

    def tops(self) -> tuple[Branch, ...]:
        """What is left when all links are joined."""
        levels: dict[float, list[Run]] = {}
        for run in self._runs:
            levels.setdefault(self._level(run), []).append(run)
        seen: set[str] = set()
        for level in sorted(levels):
            for run in levels[level]:
                self._sets.join(run.low.device_id, run.high.device_id)
                seen.update((run.low.device_id, run.high.device_id))
            self._grow(seen)
        return tuple(self._branches)

    def _level(self, run: Run) -> float:
        """At which level a link joins what is below it."""
        ends = run.low.device_id, run.high.device_id
        low, high = (self._surveyed.tier.get(one, UNKNOWN_TIER) for one in ends)
        if low != high:
            return max(low, high)
        groups = [self._design.groups.get(self._design.device(one).group_id or "") for one in ends]
        is_local = groups[0] is not None and groups[0] == groups[1] and groups[0].kind == DRAGONFLY_GROUP
        return high + (SAME_GROUP if is_local else SAME_TIER)

    def _grow(self, seen: set[str]) -> None:
        """Put one branch over all that a set of devices holds by now."""
        below: dict[str, list[Branch]] = {}
        for branch in self._branches:
            below.setdefault(self._sets.find(_first_host(branch).device_id), []).append(branch)
        inside = {host.device_id for top in self._branches for one in top.inside for host in one.hosts}
        fresh: dict[str, list[Host]] = {}
        for device_id, hosts in self._by_device.items():
            if device_id in seen and device_id not in inside:
                fresh.setdefault(self._sets.find(device_id), []).extend(hosts)
        switches: dict[str, list[str]] = {}
        taken = {one for top in self._branches for branch in top.inside for one in branch.switches}
        for switch in self._surveyed.switches:
            if switch.id in seen and switch.id not in taken:
                switches.setdefault(self._sets.find(switch.id), []).append(switch.id)
        grown = [
            self._branch(fresh.get(root, []), below.get(root, []), switches.get(root, []))
            for root in dict.fromkeys((*below, *fresh))
        ]
        self._branches = sorted(grown, key=lambda one: _first_host(one).first_rank)

    def _branch(self, hosts: list[Host], below: list[Branch], switches: list[str]) -> Branch:
        """One branch of these hosts and branches; the only branch that there is stays as it is."""
        if not hosts and len(below) == 1:
            return below[0]
        if below and hosts:  # hosts on a higher tier: a branch of their own among the others
            below = [*below, Branch(self._name(hosts, [], []), tuple(hosts), (), ())]
            hosts = []
        below.sort(key=lambda one: _first_host(one).first_rank)
        return Branch(self._name(hosts, below, switches), tuple(hosts), tuple(below), tuple(switches))

    def _name(self, hosts: list[Host], below: list[Branch], switches: list[str]) -> str:
        if len(switches) == 1:
            device = self._design.device(switches[0])
            return device.name or device.id
        members = hosts or [host for top in below for one in top.inside for host in one.hosts]
        named = self._groups.of_exactly({host.device_id for host in members})
        if named or hosts:
            return named or "unit"
        roles = {self._surveyed.role[one] for one in switches}
        return f"{roles.pop()}s" if len(roles) == 1 else "fabric"


class _Groups:
    """Which group of the design holds exactly which hosts."""

    def __init__(self, design: Design, devices: Iterable[str]) -> None:
        self._design = design
        self._sizes = Counter(group for device_id in devices for group in self._over(device_id))

    def _over(self, device_id: str) -> Iterator[str]:
        """The groups that a device is in, the narrowest first."""
        group_id = self._design.device(device_id).group_id
        while group_id is not None and group_id in self._design.groups:
            yield group_id
            group_id = self._design.groups[group_id].parent_id

    def of_exactly(self, devices: set[str]) -> str:
        """The name of the narrowest group of these devices and no others; "" where there is none."""
        shared = Counter(group for device_id in devices for group in self._over(device_id))
        for group_id in self._over(min(devices)):
            if shared[group_id] == len(devices) == self._sizes[group_id]:
                return self._design.groups[group_id].name
        return ""


def _first_host(branch: Branch) -> Host:
    while branch.children:
        branch = branch.children[0]
    return branch.hosts[0]


def domains(surveyed: Survey, hosts: Sequence[Host]) -> Mapping[str, tuple[Host, ...]]:
    """The scale-up domains of two hosts or more, by name: trays of a rack, and servers that share NVLink switches."""
    design, sets = surveyed.design, Sets()
    for run in surveyed.fabric_runs:
        if is_scale_up(run) and design.is_server(run.low.device_id):
            sets.join(run.low.device_id, run.high.device_id)
    members: dict[str, list[Host]] = {}
    for host in hosts:
        members.setdefault(sets.find(host.device_id), []).append(host)
    groups = _Groups(design, {host.device_id for host in hosts})
    found: dict[str, tuple[Host, ...]] = {}
    for inside in members.values():
        devices = {host.device_id for host in inside}
        if len(inside) < 2:
            continue
        own = design.device(inside[0].device_id).name
        name = own if len(devices) == 1 else groups.of_exactly(devices) or "domain"
        found[_free(name, found)] = tuple(inside)
    return found


def _free(name: str, taken: Mapping[str, object]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free

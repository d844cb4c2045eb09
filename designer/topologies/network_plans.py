"""How many switches a storage or management network takes: leafs that its members fill, spines that spread evenly."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.ports import Port, PortMode
from designer.model.hardware.switches import SwitchType
from designer.model.matching import port_compatibility
from designer.model.networks import TITLES
from designer.topologies.equipment import mode_joining
from designer.topologies.network_members import Member
from designer.topologies.sizing import LeafBudget, even_spread, even_uplinks
from designer.units import format_count, format_counted, format_rate

Kept = tuple[tuple[str, int], ...]
"""What ports of every leaf are kept for, and how many."""


@dataclass(frozen=True, slots=True)
class Rise:
    """Ports of their own that links up take, faster than those of members: the 4 x 100G of a switch of 48 x 1G."""

    rate_gbps: float
    leaf_ports: tuple[str, ...]
    spine: SwitchType
    spine_mode: PortMode
    spine_ports: tuple[str, ...]


def rises(leaf: SwitchType, mode: PortMode, spine: SwitchType) -> Iterator[Rise]:
    """The ways from a leaf, whose members are on ports of a mode, up to spines of a type, the fastest first."""
    own: dict[float, list[Port]] = {}
    for port in switch_ports(leaf, mode.name)[leaf.n_ports(mode) :]:
        own.setdefault(port.rate_gbps, []).append(port)
    for rate_gbps, ports in sorted(own.items(), reverse=True):
        for spine_mode in spine.modes:
            theirs = switch_ports(spine, spine_mode.name)
            first = [port for port in theirs if port_compatibility(ports[0], port) is None]
            if first and rate_gbps > mode.rate_gbps:
                yield Rise(rate_gbps, _names(ports), spine, spine_mode, _names(first))


def _names(ports: Sequence[Port]) -> tuple[str, ...]:
    return tuple(port.name for port in ports)


@dataclass(frozen=True, slots=True)
class NetworkPlan:
    """A network, before anything is built."""

    network: str
    members: tuple[Member, ...]
    budget: LeafBudget
    sides: int
    """Switches each server is on."""
    members_per_unit: int
    n_uplinks: int
    n_spines: int
    kept: Kept
    """Ports of each leaf that are kept."""
    carries: tuple[str, ...] = ()
    """Other networks on its switches."""
    runs: tuple[int, ...] = ()
    """Members on each leaf, one leaf after another, where these are no runs of one length: a leaf per rack."""
    rise: Rise | None = None
    """The ports of links up, where they are not of those that members take."""

    @property
    def n_kept(self) -> int:
        """Number of ports that each leaf keeps."""
        return sum(number for _, number in self.kept)

    @property
    def n_leafs(self) -> int:
        """Number of leafs."""
        return len(self.runs) or math.ceil(len(self.members) / self.members_per_unit) * self.sides

    @property
    def first_leafs(self) -> list[int]:
        """Of each member the number, from 0, of the first leaf that it is on."""
        if self.runs:
            return [leaf for leaf, size in enumerate(self.runs) for _ in range(size)]
        return [number // self.members_per_unit * self.sides for number in range(len(self.members))]


@dataclass(frozen=True, slots=True)
class WantedNetwork:
    """A network that is asked for."""

    network: str
    switch: str
    ratio: float | None
    """Oversubscription of the leafs; None where the uplinks are counted."""
    n_uplinks: int
    kept: Kept
    n_leafs: int | None
    n_spines: int | None
    """Numbers that are asked for; None for the fewest."""
    carries: tuple[str, ...] = ()
    """Other networks on its switches."""
    spines: tuple[SwitchType, ...] = ()
    """Types that its spines may be of, the one wanted most first; none for switches like the leafs."""
    must_rise: bool = False
    """Whether spines of another type are asked for: links up are then between ports of both."""


def plan_network(design: Design, members: tuple[Member, ...], leaf: SwitchType, wanted: WantedNetwork) -> NetworkPlan:
    """How many leafs, uplinks and spines a network of these members has. Raises ParameterError."""
    mode = _budget(design, members, leaf, wanted).down_mode
    plan = _risen(lambda rise: _planned(design, members, leaf, wanted, rise), leaf, mode, wanted)
    return replace(plan, carries=wanted.carries)


def _risen(
    plan: Callable[[Rise | None], NetworkPlan], leaf: SwitchType, mode: PortMode, wanted: WantedNetwork
) -> NetworkPlan:
    """The plan with the fastest links up that it can have; between ports like those of members where there are none."""
    found = [one for spine in wanted.spines for one in rises(leaf, mode, spine)]
    refused: ParameterError | None = None
    for rise in found:
        try:
            if wanted.n_uplinks <= len(rise.leaf_ports):
                return plan(rise)
        except ParameterError as error:
            refused = refused or error
    if not wanted.must_rise:
        return plan(None)
    if refused is not None:
        raise refused
    spine = wanted.spines[0].model
    if found:
        raise ParameterError(
            f"a {leaf.model} has {format_counted(len(found[0].leaf_ports), 'port')} for uplinks to a {spine}, not "
            f"{format_count(wanted.n_uplinks)}: ask for fewer uplinks"
        )
    own = switch_ports(leaf, mode.name)[leaf.n_ports(mode) :]
    rates = " or ".join(dict.fromkeys(format_rate(port.rate_gbps) for port in own))
    has = f"uplink ports of {rates}" if rates else "no uplink ports of its own"
    raise ParameterError(f"no cable joins {leaf.model} to a {spine} above it: it has {has}; choose another spine")


def plan_racks(
    design: Design, racks: Sequence[Sequence[Member]], leaf: SwitchType, wanted: WantedNetwork
) -> NetworkPlan:
    """The same with leafs of its own for the members of each rack, as few as take them. Raises ParameterError."""
    members = tuple(one for rack in racks for one in rack)
    budget = _budget(design, members, leaf, wanted)
    return _risen(lambda rise: _planned_racks(members, racks, budget, wanted, rise), leaf, budget.down_mode, wanted)


def _planned_racks(
    members: tuple[Member, ...],
    racks: Sequence[Sequence[Member]],
    budget: LeafBudget,
    wanted: WantedNetwork,
    rise: Rise | None,
) -> NetworkPlan:
    leaf = budget.type_
    n_ports = max(len(one.ports) for one in members)
    kept = sum(number for _, number in wanted.kept)
    is_alone = len(racks) == 1 and not wanted.n_spines and len(members) * n_ports + kept <= budget.n_cells
    uplinks = 0 if is_alone else wanted.n_uplinks
    on_one = (budget.n_cells - (0 if rise else uplinks) - kept) // n_ports
    if on_one < 1:
        raise ParameterError(
            f"a {leaf.model} has no port left for the devices of its rack in addition to its uplinks and those that "
            "are kept: choose a switch with more ports, or keep fewer"
        )
    runs: list[int] = []
    for rack in racks:
        n_leafs = math.ceil(len(rack) / on_one)
        each, more = divmod(len(rack), n_leafs)
        runs += [each + (number < more) for number in range(n_leafs)]
    n_spines = _spines_for(uplinks, len(runs), _radix(budget, rise), wanted) if uplinks else 0
    most, carries = max(runs), wanted.carries
    return NetworkPlan(
        wanted.network, members, budget, 1, most, uplinks, n_spines, wanted.kept, carries, tuple(runs), rise
    )


def _radix(budget: LeafBudget, rise: Rise | None) -> int:
    """Ports of a spine for links down."""
    return budget.n_cells if rise is None else len(rise.spine_ports)


def _budget(design: Design, members: Sequence[Member], leaf: SwitchType, wanted: WantedNetwork) -> LeafBudget:
    """The ports of a leaf that takes the ports of all members. Raises ParameterError where their rates differ."""
    word, first = TITLES[wanted.network].lower(), members[0].ports[0]
    for member in members:
        for port in member.ports:
            if port.rate_gbps != first.rate_gbps:
                shared = "".join(f" and {TITLES[one].lower()}" for one in wanted.carries)
                raise ParameterError(
                    f"{word}{shared} ports run at {format_rate(first.rate_gbps)} and {format_rate(port.rate_gbps)}: "
                    f"one type of switch does not take both: give the servers NICs of one rate, or leave that network "
                    f"out"
                )
    models = (design.device_type(member.device_id).model for member in members if member.device_id)
    mode = mode_joining(leaf, first, next(models, "the switches"))
    return LeafBudget(leaf, mode, mode)


def _planned(
    design: Design, members: tuple[Member, ...], leaf: SwitchType, wanted: WantedNetwork, rise: Rise | None
) -> NetworkPlan:
    network, ratio, uplinks = wanted.network, wanted.ratio, wanted.n_uplinks
    kept = sum(number for _, number in wanted.kept)
    word = TITLES[network].lower()
    budget = _budget(design, members, leaf, wanted)
    most = max(len(member.ports) for member in members)
    sides = min(2, *(len(member.ports) for member in members))
    on_each = math.ceil(most / sides)
    n_units = _units_asked_for(wanted, sides, len(members))
    if n_units in (None, 1) and not wanted.n_spines and len(members) * on_each + kept <= budget.n_cells:
        return NetworkPlan(network, members, budget, sides, len(members), 0, 0, wanted.kept)
    n_down = (budget.n_cells - (0 if rise else uplinks) if ratio is None else budget.most_down(ratio)) - kept
    per_unit = n_down // on_each
    if per_unit < 1:
        left = format_counted(max(0, n_down), "port")
        also = " and those that are kept" if kept else ""
        raise ParameterError(
            f"a {leaf.model} has {left} left in addition to its uplinks{also}, and a server needs {on_each}: choose a "
            f"switch with more ports or more oversubscription{', or keep fewer' if kept else ''}"
        )
    if n_units is not None:
        fewest = math.ceil(len(members) / n_units)
        if fewest > per_unit:
            raise ParameterError(
                f"the {word} network needs {format_count(math.ceil(len(members) / per_unit) * sides)} leaf switches of "
                f"{leaf.model} at least, not {format_count(n_units * sides)}"
            )
        per_unit = fewest
    n_leafs = math.ceil(len(members) / per_unit) * sides
    radix = _radix(budget, rise)
    if n_leafs > radix:
        raise ParameterError(
            f"the {word} network would take {format_count(n_leafs)} leaf switches of {leaf.model}, and a spine has "
            f"{format_count(radix)} ports: choose a larger switch or more oversubscription"
        )
    plan = NetworkPlan(network, members, budget, sides, per_unit, uplinks, 0, wanted.kept, rise=rise)
    if ratio is None:
        return replace(plan, n_spines=_spines_for(uplinks, n_leafs, radix, wanted))
    full = _under_spines(plan, on_each, ratio, wanted)
    if n_units is not None or wanted.n_spines is not None:
        return full
    fewer = math.ceil(len(members) / (n_leafs // sides)) - 1
    if full.n_spines > full.n_leafs and fewer and math.ceil(len(members) / fewer) * sides <= budget.n_cells:
        # Leafs nearly full leave no choice of uplinks; one more may save many spines.
        spread = math.ceil(len(members) / math.ceil(len(members) / fewer))
        other = _under_spines(replace(plan, members_per_unit=spread), on_each, ratio, wanted)
        return min(full, other, key=lambda one: one.n_leafs + one.n_spines)
    return full


def _units_asked_for(wanted: WantedNetwork, sides: int, n_members: int) -> int | None:
    """Runs of servers for the number of leafs asked for; None where none is. Raises ParameterError."""
    if wanted.n_leafs is None:
        return None
    n_units, rest = divmod(wanted.n_leafs, sides)
    if rest or not n_units or n_units > n_members:
        word = TITLES[wanted.network].lower()
        most = format_count(n_members * sides)
        even = f"an even number up to {most}, as every server is on two" if sides == 2 else f"at most {most}"
        asked = format_count(wanted.n_leafs)
        raise ParameterError(f"leaf switches of the {word} network should be {even}, not {asked}")
    return n_units


def _spines_for(uplinks: int, n_leafs: int, radix: int, wanted: WantedNetwork) -> int:
    """Spines that the uplinks of a leaf spread evenly over. Raises ParameterError for a number that does not do."""
    spines = wanted.n_spines
    if spines is None:
        return even_spread(uplinks, n_leafs, radix)
    if uplinks % spines or n_leafs * uplinks > spines * radix:
        word = TITLES[wanted.network].lower()
        raise ParameterError(
            f"{format_count(uplinks)} uplinks of {format_counted(n_leafs, 'leaf')} of the {word} network do not spread "
            f"evenly over {format_counted(spines, 'spine')} of {format_count(radix)} ports: "
            f"{_other_spines(uplinks, n_leafs, radix)}"
        )
    return spines


def _other_spines(uplinks: int, n_leafs: int, radix: int) -> str:
    """Which numbers of spines would do."""
    fit = [one for one in range(1, uplinks + 1) if uplinks % one == 0 and n_leafs * uplinks <= one * radix]
    numbers = " or ".join(map(format_count, fit))
    return f"choose {numbers} of them" if fit else "choose a switch with more ports, or more oversubscription"


def _under_spines(plan: NetworkPlan, on_each: int, ratio: float, wanted: WantedNetwork) -> NetworkPlan:
    """The plan with as many uplinks as need the fewest spines, and no more servers a leaf than then have ports."""
    n_units, radix = plan.n_leafs // plan.sides, plan.budget.n_cells
    least_down = math.ceil(len(plan.members) / n_units) * on_each + plan.n_kept
    choices = plan.budget.uplink_choices(plan.members_per_unit * on_each + plan.n_kept, ratio, least_down)
    asked = wanted.n_spines
    even = [number for number in choices if asked and number % asked == 0]
    n_uplinks = even[0] if even else choices[0] if asked and choices else even_uplinks(choices, plan.n_leafs, radix)
    per_unit = min(plan.members_per_unit, (plan.budget.ports_down(n_uplinks) - plan.n_kept) // on_each)
    n_spines = _spines_for(n_uplinks, plan.n_leafs, radix, wanted)
    return replace(plan, members_per_unit=per_unit, n_uplinks=n_uplinks, n_spines=n_spines)

"""The arithmetic of layered fabrics: how a leaf's ports are shared out, and how many spines spread evenly."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from designer.errors import ParameterError
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.ports import PortMode
from designer.model.hardware.switches import SwitchType
from designer.units import format_count, format_rate, format_ratio

MOST_DEVICES = 250_000
MOST_LINKS = 1_000_000
MOST_COUNTED = 100_000_000
# Some times the largest fabrics published (100,000 endpoints); past it a slip of the keyboard would fill the memory.


@dataclass(frozen=True, slots=True)
class PortCount:
    """The ports that all switches of a role have at one rate."""

    role: str
    rate_gbps: float
    ports: int
    linked: int

    @property
    def free(self) -> int:
        """Ports without a link; those reserved are among them."""
        return self.ports - self.linked


@dataclass(frozen=True, slots=True)
class Counts:
    """What a generator would build, without building it."""

    servers: int
    endpoints: int
    """GPUs; of generic hosts one each."""
    switches: Mapping[str, int] = field(default_factory=dict)
    """By role, in tier order; a role that is absent is left out."""
    links: Mapping[str, int] = field(default_factory=dict)
    """Logical links by the tiers they join, as "leaf-spine"; absent ones are left out."""
    racks: int = 0
    nics: int = 0
    remark: str = ""
    """A sentence on what the numbers do not show; "" for nothing to tell."""
    too_large: str = ""
    """Why a design cannot hold it, with the way out; "" where it can."""
    ports: tuple[PortCount, ...] = ()
    """By role in tier order, then by rate."""
    planes: int = 1
    """Parallel fabrics that are alike, and among which all counts of switches and links divide evenly."""
    line_cards: int = 0
    """Those that chassis are delivered with."""
    fan_outs: int = 0
    """NICs whose ports lead to several switches: each takes a shuffle cable or an optical fan-out."""


def even_spread(uplinks: int, n_leafs: int, spine_radix: int) -> int:
    """Number of spines: the smallest divisor s of the uplinks per leaf with s * radix >= leafs * uplinks.

    Every leaf then has uplinks / s parallel links to every spine. Taking ceil(leafs * uplinks / radix) instead would
    give 12 spines to 24 leafs of 32 uplinks, which cannot be wired evenly; published tables have 16.
    Raises ParameterError where there are more leafs than a spine has ports.
    """
    if n_leafs > spine_radix:
        raise ParameterError(
            f"{format_count(n_leafs)} leaf switches cannot each have a link to every spine: "
            f"a spine has {format_count(spine_radix)} ports"
        )
    return next(s for s in divisors(uplinks) if s * spine_radix >= n_leafs * uplinks)


def even_uplinks(choices: range, n_leafs: int, spine_radix: int) -> int:
    """Uplinks of a leaf, of those it may have, that spread evenly over the fewest spines; of equals the fewest links.

    43 links spread over 43 spines alone, and 48 over 6: a leaf that needs 43 is better served with 48.
    """
    return min(choices, key=lambda uplinks: even_spread(uplinks, n_leafs, spine_radix))


def divisors(number: int) -> list[int]:
    """All divisors of a positive whole number, ascending."""
    small = [d for d in range(1, math.isqrt(number) + 1) if number % d == 0]
    return small + [number // d for d in reversed(small) if d * d != number]


def holding_fault(n_devices: int, n_links: int) -> str:
    """Why no design holds a fabric of that size: what there is too much of; "" where one does."""
    numbers = (n_devices, MOST_DEVICES, "devices"), (n_links, MOST_LINKS, "links")
    over = [(number, most, word) for number, most, word in numbers if number > most]
    if not over:
        return ""
    counted = " with ".join(f"{format_count(number)} {word}" for number, _, word in over)
    held = ", ".join(f"{format_count(most)} {word}" for _, most, word in over)
    return f"{counted} are more than a design holds: {held}"


def require_holdable(n_devices: int, n_links: int) -> None:
    """Raises ParameterError for a fabric larger than any design is meant to hold."""
    if fault := holding_fault(n_devices, n_links):
        raise ParameterError(fault)


def require_countable(n_devices: int, n_links: int) -> None:
    """Raises ParameterError for a fabric so large that counting it is of no use to anybody."""
    if max(n_devices, n_links) > MOST_COUNTED:
        require_holdable(n_devices, n_links)


@dataclass(frozen=True, slots=True)
class LeafBudget:
    """How the ports of a leaf switch can be shared out between downlinks and uplinks.

    Both run in one mode where they have the same rate, and single ports are shared out; with two rates whole cages are,
    the first ones for downlinks.
    """

    type_: SwitchType
    down_mode: PortMode
    up_mode: PortMode

    @property
    def n_cells(self) -> int:
        """Ports where one mode serves both, else cages."""
        return self.type_.n_ports(self.down_mode) if self.one_mode else self.type_.n_mode_cages

    @property
    def one_mode(self) -> bool:
        """Whether downlinks and uplinks run in the same port mode."""
        return self.down_mode.name == self.up_mode.name

    @property
    def down_per_cell(self) -> int:
        """Ports for downlinks that a cell gives: 1 with one mode, else those of a cage in down mode."""
        return 1 if self.one_mode else self.down_mode.ports_per_cage

    @property
    def up_per_cell(self) -> int:
        """Ports for uplinks that a cell gives: 1 with one mode, else those of a cage in up mode."""
        return 1 if self.one_mode else self.up_mode.ports_per_cage

    def most_down(self, oversubscription: float) -> int:
        """Most downlinks whose capacity is at most `oversubscription` times that of all the ports left.

        With one mode this is floor(r * o / (o + 1)) of r ports.
        """
        ratio = _fraction(oversubscription)
        down = self.down_per_cell * _fraction(self.down_mode.rate_gbps)
        up = self.up_per_cell * _fraction(self.up_mode.rate_gbps)
        return math.floor(self.n_cells * ratio * up / (down + ratio * up)) * self.down_per_cell

    def most_for_servers(self, oversubscription: float, uplinks: int | None) -> int:
        """Most downlinks: next to so many uplinks where given, else at the ratio. Raises ParameterError."""
        if uplinks is None:
            return self.most_down(oversubscription)
        most = self.n_cells * self.up_per_cell
        if uplinks >= most:
            raise ParameterError(
                f"{format_count(uplinks)} uplinks leave a {self.type_.model} no port for servers: it has "
                f"{format_count(most)} of {format_rate(self.up_mode.rate_gbps)}"
            )
        return self.ports_down(uplinks)

    def ports_up(self, n_down: int) -> int:
        """Ports in up mode besides `n_down` ports in down mode."""
        return (self.n_cells - math.ceil(n_down / self.down_per_cell)) * self.up_per_cell

    def ports_down(self, n_up: int) -> int:
        """Ports in down mode besides `n_up` ports in up mode."""
        return (self.n_cells - math.ceil(n_up / self.up_per_cell)) * self.down_per_cell

    def uplinks(self, n_down: int, oversubscription: float) -> int:
        """Uplinks for a leaf that serves `n_down` downlinks.

        A leaf as full as the ratio allows uses every port left; one that serves less has no more uplinks than the
        ratio asks for, so its wiring stays proportionate. Raises ParameterError where the ratio cannot be kept.
        """
        most = self.most_down(oversubscription)
        if n_down > most:
            raise ParameterError(
                f"{format_count(n_down)} downlinks do not fit on a {self.type_.model}: "
                f"at {format_ratio(oversubscription)} it has {format_count(most)} of "
                f"{format_rate(self.down_mode.rate_gbps)} for them"
            )
        left = self.ports_up(n_down)
        if n_down == most:
            return left
        wanted = n_down * _fraction(self.down_mode.rate_gbps)
        wanted /= _fraction(oversubscription) * _fraction(self.up_mode.rate_gbps)
        return min(left, max(1, math.ceil(wanted)))

    def uplink_choices(self, n_down: int, oversubscription: float, least_down: int | None = None) -> range:
        """Uplinks a leaf may have: from what `n_down` downlinks ask for to every port besides `least_down` of them.

        Raises ParameterError where the ratio cannot be kept.
        """
        most = self.ports_up(n_down if least_down is None else least_down)
        return range(self.uplinks(n_down, oversubscription), most + 1)

    def cage_modes(self, n_up: int) -> tuple[tuple[int, str], ...]:
        """Cages that run in another mode than the downlinks: the last ones, as many as `n_up` uplinks take."""
        if self.one_mode or not n_up:
            return ()
        n_up_cages = math.ceil(n_up / self.up_mode.ports_per_cage)
        return tuple((cage, self.up_mode.name) for cage in range(self.n_cells - n_up_cages + 1, self.n_cells + 1))

    def port_names(self, n_up: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the ports that may go down, and of the `n_up` ports that go up, after them."""
        names = tuple(port.name for port in switch_ports(self.type_, self.down_mode.name, self.cage_modes(n_up)))
        n_down = self.ports_down(n_up)
        return names[:n_down], names[n_down : n_down + n_up]


def _fraction(number: float) -> Fraction:
    """The short fraction a decimal figure stands for: 1.1 is 11/10, so that 22 : 20 is not more than 1.1 : 1."""
    return Fraction(number).limit_denominator(10_000)

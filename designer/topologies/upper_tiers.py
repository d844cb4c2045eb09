"""What stands above the leafs: spines, and at three tiers cores, in planes and spine groups, sized by even spread.

A plane is a fabric of its own: no link leads from one to another. Within a plane leafs fall into pods, a pod with
spines of its own: with two tiers all leafs are one pod; with three tiers a pod of a fat-tree is a run of leafs, and one
of a rail-optimized fabric the leafs of one rail (rule rail-groups-3t of the published reference designs).

Spine i of every pod reaches the cores of core group i // spines_per_core_group, all of them over equally many links.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from designer.errors import ParameterError
from designer.topologies.sizing import LeafBudget, divisors, even_spread, even_uplinks
from designer.units import format_count

NEAR = 512
"""How far from a number that does not do others are looked for."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the tiers above the leafs; a number that is None is the fewest that spread evenly."""

    ratio: float = 1.0
    spines: int | None = None
    cores: int | None = None


@dataclass(frozen=True, slots=True)
class UpperTiers:
    """Numbers of spines and cores, and how their links are spread."""

    n_planes: int
    pods: int
    """Spine groups of one plane."""
    leafs_per_pod: int
    """Of a full pod; the last one may have fewer."""
    spines_per_pod: int
    n_uplinks: int
    """Links up of every leaf."""
    spine_uplinks: int = 0
    """Links up of every spine; 0 where there are no cores."""
    spines_per_core_group: int = 1
    """Places in the pod whose spines share cores."""
    cores_per_group: int = 0

    @property
    def n_spines(self) -> int:
        """Spine switches of all planes and pods."""
        return self.n_planes * self.pods * self.spines_per_pod

    @property
    def cores_per_plane(self) -> int:
        """Core switches of one plane; 0 where there are no cores."""
        return self.spines_per_pod // self.spines_per_core_group * self.cores_per_group

    @property
    def n_cores(self) -> int:
        """Core switches of all planes; 0 where there are no cores."""
        return self.n_planes * self.cores_per_plane

    @property
    def leaf_lanes(self) -> int:
        """Parallel links between a leaf and each spine of its pod; some spines have one more where these are uneven."""
        return self.n_uplinks // self.spines_per_pod

    @property
    def uneven(self) -> int:
        """Spines of its pod that a leaf has one link more to than to the others; 0 where the spread is even."""
        return self.n_uplinks % self.spines_per_pod

    def leaf_links(self, leaf: int) -> Iterator[tuple[int, int]]:
        """(spine, port of the spine) for each link up of a leaf of a pod, all counted from 0, parallel ones together.

        Extra links go to the next spines in turn, leaf after leaf, so that all spines have as many, or one fewer.
        """
        lanes, extra, spines = self.leaf_lanes, self.uneven, self.spines_per_pod
        for spine in range(spines):
            before = max(0, leaf * extra - spine + spines - 1) // spines  # extra links of the leafs before this one
            after = max(0, (leaf + 1) * extra - spine + spines - 1) // spines
            for lane in range(lanes + after - before):
                yield spine, leaf * lanes + before + lane

    @property
    def spine_lanes(self) -> int:
        """Parallel links between a spine and each core of its group."""
        return self.spine_uplinks // self.cores_per_group

    def cores_of(self, plane: int, place: int) -> range:
        """Numbers of the cores that the spines at a place of the pod reach, all from 0."""
        first = plane * self.cores_per_plane + place // self.spines_per_core_group * self.cores_per_group
        return range(first, first + self.cores_per_group)

    def core_port(self, pod: int, place: int, lane: int) -> int:
        """Number from 0 of the core's port for one of a spine's links: by pod, then by place, then by lane."""
        return (pod * self.spines_per_core_group + place % self.spines_per_core_group) * self.spine_lanes + lane


def two_tiers(
    n_planes: int, leafs_per_plane: int, uplinks: range, spine_radix: int, n_spines: int | None = None
) -> UpperTiers:
    """One pod a plane, with as many links up of the choice given as need the fewest spines, or spread over `n_spines`.

    Over spines of a number asked for links may spread unevenly, where no number of them in the choice does evenly.
    Raises ParameterError where a spine has fewer ports than the plane has leafs, or where spines asked for do not do.
    """
    if n_spines is None:
        n_uplinks = even_uplinks(uplinks, leafs_per_plane, spine_radix)
        spines = even_spread(n_uplinks, leafs_per_plane, spine_radix)
        return UpperTiers(n_planes, 1, leafs_per_plane, spines, n_uplinks)
    spines = _share(n_spines, n_planes, "spines", "planes")
    even = _spreading(uplinks, spines, leafs_per_plane, spine_radix)
    n_uplinks = uplinks.start if even is None else even
    ports, links = spines * spine_radix, leafs_per_plane * n_uplinks
    in_plane = " in each plane" if n_planes > 1 else ""
    if links > ports:
        raise ParameterError(
            f"{format_count(spines)} spines{in_plane} have {format_count(ports)} ports for "
            f"{format_count(links)} links: {format_count(math.ceil(links / spine_radix))} spines at least are needed"
        )
    if n_uplinks < spines:
        raise ParameterError(
            f"a leaf has {format_count(uplinks[-1])} uplinks at most and cannot reach {format_count(spines)} "
            f"spines{in_plane}"
        )
    return UpperTiers(n_planes, 1, leafs_per_plane, spines, n_uplinks)


def three_tiers(
    n_planes: int,
    pods: int,
    leafs_per_pod: int,
    uplinks: range,
    spine: LeafBudget,
    core_radix: int,
    asked: Asked,
) -> UpperTiers:
    """Spines as few as spread the pod's uplinks evenly, uplinks of a spine from its ratio, cores likewise.

    With numbers of spines or cores asked for, the fewest uplinks that spread evenly over them.
    Raises ParameterError, with the numbers, where pods are too large for the spines or too many for the cores, or where
    the numbers asked for do not spread evenly.
    """
    most_down = spine.most_down(asked.ratio)
    if leafs_per_pod > most_down:
        raise ParameterError(
            f"{format_count(leafs_per_pod)} leaf switches per pod cannot each have a link to every spine: "
            f"a {spine.type_.id} has {format_count(most_down)} ports down"
        )
    if pods > core_radix:
        raise ParameterError(
            f"{format_count(pods)} spine groups cannot each have a link to every core of theirs: "
            f"a core has {format_count(core_radix)} ports"
        )
    if asked.spines is None:
        n_uplinks = even_uplinks(uplinks, leafs_per_pod, most_down)
        spines = even_spread(n_uplinks, leafs_per_pod, most_down)
    else:
        spines = _share(asked.spines, n_planes * pods, "spines", "pods" if n_planes == 1 else "pods of all planes")
        n_uplinks = _even_or_refused(
            lambda number: _spreading(uplinks, number, leafs_per_pod, most_down),
            spines,
            "spines per pod",
            f"the {_choice(uplinks)} uplinks of a leaf",
        )
    choices = spine.uplink_choices(leafs_per_pod * n_uplinks // spines, asked.ratio)

    def cored(cores_per_plane: int) -> UpperTiers | None:
        for shared in divisors(spines):
            groups = spines // shared
            if cores_per_plane % groups:
                continue
            cores = cores_per_plane // groups
            spine_uplinks = _spreading(choices, cores, pods * shared, core_radix)
            if spine_uplinks is not None:
                return UpperTiers(n_planes, pods, leafs_per_pod, spines, n_uplinks, spine_uplinks, shared, cores)
        return None

    if asked.cores is not None:
        in_plane = _share(asked.cores, n_planes, "cores", "planes")
        return _even_or_refused(
            cored,
            in_plane,
            "cores" if n_planes == 1 else "cores per plane",
            f"the {_choice(choices)} uplinks of {format_count(spines)} spines per pod",
        )
    options = []
    for shared in divisors(spines):
        if pods * shared <= core_radix:
            spine_uplinks = even_uplinks(choices, pods * shared, core_radix)
            cores = even_spread(spine_uplinks, pods * shared, core_radix)
            options.append((spines // shared * cores, spine_uplinks, shared, cores))
    _, spine_uplinks, shared, cores = min(options)
    return UpperTiers(n_planes, pods, leafs_per_pod, spines, n_uplinks, spine_uplinks, shared, cores)


def _spreading(uplinks: range, upper: int, lower: int, radix: int) -> int | None:
    """Fewest links up of the choice that spread evenly over `upper` switches with ports for all of `lower`."""
    first = math.ceil(uplinks.start / upper) * upper
    return first if first in uplinks and lower * first <= upper * radix else None


def _even_or_refused(found: Callable[[int], T | None], wanted: int, what: str, links: str) -> T:
    """What `found` makes of a number. Raises ParameterError naming the nearest numbers it does something of."""
    made = found(wanted)
    if made is not None:
        return made
    below = next((n for n in range(wanted - 1, max(0, wanted - NEAR), -1) if found(n) is not None), None)
    above = next((n for n in range(wanted + 1, wanted + NEAR) if found(n) is not None), None)
    near = " or ".join(format_count(n) for n in (below, above) if n is not None)
    raise ParameterError(
        f"{links} do not spread evenly over {format_count(wanted)} {what}{f': {near} would do' if near else ''}"
    )


def _share(number: int, parts: int, what: str, of: str) -> int:
    """The number in each of so many parts. Raises ParameterError where they are not whole."""
    if number % parts:
        below = number // parts * parts
        near = " or ".join(format_count(n) for n in (below, below + parts) if n)
        raise ParameterError(
            f"{format_count(number)} {what} do not divide over {format_count(parts)} {of}: {near} would do"
        )
    return number // parts


def _choice(uplinks: range) -> str:
    first, last = format_count(uplinks[0]), format_count(uplinks[-1])
    return first if first == last else f"{first} to {last}"

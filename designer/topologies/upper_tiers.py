"""What stands above the leafs: spines, and at three tiers cores, in planes and spine groups, sized by even spread.

A plane is a fabric of its own: no link leads from one to another. Within a plane leafs fall into pods, a pod with
spines of its own: with two tiers all leafs are one pod; with three tiers a pod of a fat-tree is a run of leafs, and one
of a rail-optimized fabric the leafs of one rail (rule rail-groups-3t of the published reference designs).

Spine i of every pod reaches the cores of core group i // spines_per_core_group, all of them over equally many links.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.topologies.sizing import LeafBudget, divisors, even_spread, even_uplinks
from designer.units import format_count


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
    """Uplinks of every leaf."""
    spine_uplinks: int = 0
    """Uplinks of every spine; 0 where there are no cores."""
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
        """(spine, port of the spine) for each link up of a leaf of a pod, all from 0, parallel ones together."""
        return spread(leaf, self.n_uplinks, self.spines_per_pod)

    @property
    def spine_downlinks(self) -> int:
        """Ports of a spine for the leafs of a full pod; with an uneven spread some spines have one fewer link."""
        return math.ceil(self.leafs_per_pod * self.n_uplinks / self.spines_per_pod)

    @property
    def spine_lanes(self) -> int:
        """Parallel links between a spine and each core of its group; some cores have one more where uneven."""
        return self.spine_uplinks // self.cores_per_group

    @property
    def uneven_cores(self) -> int:
        """Cores of its group that a spine has one link more to than to the others; 0 where the spread is even."""
        return self.spine_uplinks % self.cores_per_group if self.cores_per_group else 0

    def cores_of(self, plane: int, place: int) -> range:
        """Numbers of the cores that the spines at a place of the pod reach, all from 0."""
        first = plane * self.cores_per_plane + place // self.spines_per_core_group * self.cores_per_group
        return range(first, first + self.cores_per_group)

    def core_links(self, pod: int, place: int) -> Iterator[tuple[int, int]]:
        """(core of the group, port of the core) for each link up of a spine, by pod and place, all counted from 0."""
        number = pod * self.spines_per_core_group + place % self.spines_per_core_group
        return spread(number, self.spine_uplinks, self.cores_per_group)


def spread(lower: int, links: int, uppers: int) -> Iterator[tuple[int, int]]:
    """(upper switch, its port) for each of the uplinks of a lower switch, parallel ones together; all from 0.

    Where they do not come out even, extra links go to the next switches in turn, one lower switch after another, so
    that all upper switches have as many, or one fewer.
    """
    lanes, extra = divmod(links, uppers)
    for upper in range(uppers):
        before = max(0, lower * extra - upper + uppers - 1) // uppers  # extra links of the lower ones before this
        after = max(0, (lower + 1) * extra - upper + uppers - 1) // uppers
        for lane in range(lanes + after - before):
            yield upper, lower * lanes + before + lane


def two_tiers(
    n_planes: int, leafs_per_plane: int, uplinks: range, spine_radix: int, n_spines: int | None = None
) -> UpperTiers:
    """One pod a plane, with as many uplinks of the choice given as need the fewest spines, or spread over `n_spines`.

    Over spines of a number asked for links may spread unevenly, where no number of them in the choice does evenly.
    Raises ParameterError where a spine has fewer ports than the plane has leafs, or where spines asked for do not do.
    """
    if n_spines is None:
        n_uplinks = even_uplinks(uplinks, leafs_per_plane, spine_radix)
        spines = even_spread(n_uplinks, leafs_per_plane, spine_radix)
        return UpperTiers(n_planes, 1, leafs_per_plane, spines, n_uplinks)
    spines = _share(n_spines, n_planes, "spines", "planes")
    where = " in each plane" if n_planes > 1 else ""
    n_uplinks = _spread_over(spines, uplinks, leafs_per_plane, spine_radix, Said("leaf", "spines", where))
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

    With numbers of spines or cores asked for, the fewest uplinks that spread evenly over them, or else unevenly.
    Raises ParameterError, with the numbers, where pods are too large for the spines or too many for the cores, or where
    the numbers asked for have too few ports or cannot all be reached.
    """
    most_down = spine.most_down(asked.ratio)
    if leafs_per_pod > most_down:
        raise ParameterError(
            f"{format_count(leafs_per_pod)} leaf switches per pod cannot each have a link to every spine: "
            f"a {spine.type_.model} has {format_count(most_down)} ports down"
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
        n_uplinks = _spread_over(spines, uplinks, leafs_per_pod, most_down, Said("leaf", "spines", " per pod", " down"))
    choices = spine.uplink_choices(math.ceil(leafs_per_pod * n_uplinks / spines), asked.ratio)
    if asked.cores is not None:
        in_plane = _share(asked.cores, n_planes, "cores", "planes")
        spine_uplinks, shared = _under_cores(in_plane, choices, pods, spines, core_radix, n_planes)
        cores = in_plane // (spines // shared)
        return UpperTiers(n_planes, pods, leafs_per_pod, spines, n_uplinks, spine_uplinks, shared, cores)
    options = []
    for shared in divisors(spines):
        if pods * shared <= core_radix:
            spine_uplinks = even_uplinks(choices, pods * shared, core_radix)
            cores = even_spread(spine_uplinks, pods * shared, core_radix)
            options.append((spines // shared * cores, spine_uplinks, shared, cores))
    _, spine_uplinks, shared, cores = min(options)
    return UpperTiers(n_planes, pods, leafs_per_pod, spines, n_uplinks, spine_uplinks, shared, cores)


def _under_cores(cores: int, choices: range, pods: int, spines: int, core_radix: int, n_planes: int) -> tuple[int, int]:
    """Uplinks of a spine, and places of a pod that share cores: evenly with the most groups, else unevenly."""
    groupings = [shared for shared in divisors(spines) if cores % (spines // shared) == 0]
    for shared in groupings:
        even = _spreading(choices, cores * shared // spines, pods * shared, core_radix)
        if even is not None:
            return even, shared
    links = choices.start
    for shared in groupings:
        in_group = cores * shared // spines
        if in_group <= links and pods * shared * links <= in_group * core_radix:
            return links, shared
    where = " in each plane" if n_planes > 1 else ""
    return _spread_over(cores, choices, pods * spines, core_radix, Said("spine", "cores", where)), spines


@dataclass(frozen=True, slots=True)
class Said:
    """How a sentence speaks of links from lower to upper switches."""

    lower: str
    uppers: str
    where: str = ""
    ports: str = ""


def _spread_over(uppers: int, uplinks: range, lowers: int, radix: int, said: Said) -> int:
    """Uplinks of the choice that spread over so many upper switches: evenly if any do, else the fewest.

    Raises ParameterError where those have too few ports, or are too many to be reached.
    """
    even = _spreading(uplinks, uppers, lowers, radix)
    links = uplinks.start if even is None else even
    if lowers * links > uppers * radix:
        raise ParameterError(
            f"{format_count(uppers)} {said.uppers}{said.where} have {format_count(uppers * radix)} ports{said.ports} "
            f"for {format_count(lowers * links)} links: {format_count(math.ceil(lowers * links / radix))} "
            f"{said.uppers} at least are needed"
        )
    if links < uppers:
        raise ParameterError(
            f"a {said.lower} has {format_count(uplinks[-1])} uplinks at most and cannot reach {format_count(uppers)} "
            f"{said.uppers}{said.where}"
        )
    return links


def _spreading(uplinks: range, upper: int, lower: int, radix: int) -> int | None:
    """Fewest uplinks of the choice that spread evenly over `upper` switches with ports for all of `lower`."""
    first = math.ceil(uplinks.start / upper) * upper
    return first if first in uplinks and lower * first <= upper * radix else None


def _share(number: int, parts: int, what: str, of: str) -> int:
    """The number in each of so many parts. Raises ParameterError where they are not whole."""
    if number % parts:
        below = number // parts * parts
        near = " or ".join(format_count(n) for n in (below, below + parts) if n)
        raise ParameterError(
            f"{format_count(number)} {what} do not divide over {format_count(parts)} {of}: {near} would do"
        )
    return number // parts

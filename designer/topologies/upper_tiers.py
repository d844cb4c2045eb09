"""What stands above the leafs: spines, and at three tiers cores, in planes and spine groups, sized by even spread.

A plane is a fabric of its own: no link leads from one to another. Within a plane leafs fall into pods, a pod with
spines of its own: with two tiers all leafs are one pod; with three tiers a pod of a fat-tree is a run of leafs, and one
of a rail-optimized fabric the leafs of one rail (rule rail-groups-3t of the published reference designs).

Spine i of every pod reaches the cores of core group i // spines_per_core_group, all of them over equally many links.
"""

from dataclasses import dataclass

from designer.errors import ParameterError
from designer.topologies.sizing import LeafBudget, divisors, even_spread, even_uplinks
from designer.units import format_count


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
        return self.n_planes * self.pods * self.spines_per_pod

    @property
    def cores_per_plane(self) -> int:
        return self.spines_per_pod // self.spines_per_core_group * self.cores_per_group

    @property
    def n_cores(self) -> int:
        return self.n_planes * self.cores_per_plane

    @property
    def leaf_lanes(self) -> int:
        """Parallel links between a leaf and each spine of its pod."""
        return self.n_uplinks // self.spines_per_pod

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


def two_tiers(n_planes: int, leafs_per_plane: int, uplinks: range, spine_radix: int) -> UpperTiers:
    """One pod a plane, with as many links up of the choice given as need the fewest spines.

    Raises ParameterError where a spine has fewer ports than the plane has leafs.
    """
    n_uplinks = even_uplinks(uplinks, leafs_per_plane, spine_radix)
    spines = even_spread(n_uplinks, leafs_per_plane, spine_radix)
    return UpperTiers(n_planes, 1, leafs_per_plane, spines, n_uplinks)


def three_tiers(
    n_planes: int, pods: int, leafs_per_pod: int, uplinks: range, spine: LeafBudget, core_radix: int, ratio: float
) -> UpperTiers:
    """Spines as few as spread the pod's uplinks evenly, uplinks of a spine from its `ratio`, cores likewise.

    Raises ParameterError, with the numbers, where pods are too large for the spines or too many for the cores.
    """
    most_down = spine.most_down(ratio)
    if leafs_per_pod > most_down:
        raise ParameterError(
            f"{format_count(leafs_per_pod)} leafs a pod cannot each have a link to every spine: "
            f"a {spine.type_.id} has {format_count(most_down)} ports down"
        )
    n_uplinks = even_uplinks(uplinks, leafs_per_pod, most_down)
    spines = even_spread(n_uplinks, leafs_per_pod, most_down)
    choices = spine.uplink_choices(leafs_per_pod * n_uplinks // spines, ratio)
    if pods > core_radix:
        raise ParameterError(
            f"{format_count(pods)} spine groups cannot each have a link to every core of theirs: "
            f"a core has {format_count(core_radix)} ports"
        )
    options = []
    for shared in divisors(spines):
        if pods * shared <= core_radix:
            spine_uplinks = even_uplinks(choices, pods * shared, core_radix)
            cores = even_spread(spine_uplinks, pods * shared, core_radix)
            options.append((spines // shared * cores, spine_uplinks, shared, cores))
    _, spine_uplinks, shared, cores = min(options)
    return UpperTiers(n_planes, pods, leafs_per_pod, spines, n_uplinks, spine_uplinks, shared, cores)

"""k-ary fat-tree: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores, k^3/4 hosts.

The full three-tier fat-tree of switches of k ports; edge, aggregation and core switches are its leafs, spines, cores.
Source: M. Al-Fares, A. Loukissas, A. Vahdat, "A Scalable, Commodity Data Center Network Architecture" (2008);
`formulas.kary_fat_tree` of the published reference designs in tests/topologies/data/.
"""

from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.model.design import Design
from designer.model.edit import Edit
from designer.topologies import fat_tree
from designer.topologies.equipment import TypeSource, leaf_spine_kit, types_of
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.parameters import (
    link_rate_parameter,
    racks_parameter,
)
from designer.topologies.sizing import Counts
from designer.units import format_count

MOST_PORTS = 4096


@dataclass(frozen=True, slots=True)
class KAryFatTreeParameters:
    """What a k-ary fat-tree is made of. Raises ParameterError for values that make no sense."""

    k: int = setting(
        8,
        title="Ports of a switch, k",
        help="Ports of every switch, an even number; there are k*k*k/4 hosts.",
        kind=kinds.COUNT,
    )
    switch: str = setting(
        "generic-switch",
        title="Switch",
        help="Type of all switches, with k ports at the link rate; a generic switch gets the ports it needs.",
        kind=kinds.SWITCH,
        empty="Generic, made with k ports",
    )
    server: str = setting(
        "generic-host", title="Host", help="Type of the hosts, with one fabric NIC each.", kind=kinds.SERVER
    )
    link_rate_gbps: float = link_rate_parameter("Rate of every link of generic types.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)
        if self.k % 2 or self.k > MOST_PORTS:
            raise ParameterError(f"k is {format_count(self.k)}: it should be even, {format_count(MOST_PORTS)} at most")

    @property
    def oversubscription(self) -> float:
        """By construction: every switch below the cores has as many ports up as down."""
        return 1.0


def build(design: Design, parameters: KAryFatTreeParameters, catalog: Catalog) -> Edit:
    """The edit that adds the fabric to a design. Raises ParameterError for what cannot be built."""
    made = fat_tree.build(design, _as_fat_tree(parameters, types_of(design, catalog)), catalog)
    return Edit(f"Generate {parameters.k}-ary fat-tree", made.changes)


def counts(parameters: KAryFatTreeParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return fat_tree.counts(_as_fat_tree(parameters, catalog.get), catalog)


def _as_fat_tree(parameters: KAryFatTreeParameters, find: TypeSource) -> FatTreeParameters:
    k, rate_gbps = parameters.k, parameters.link_rate_gbps
    switch = parameters.switch
    made = FatTreeParameters(
        switch=f"generic-switch-{k}x{rate_gbps:.10g}g" if switch == "generic-switch" else switch,
        server=parameters.server,
        servers=k**3 // 4,
        tiers="3",
        link_rate_gbps=rate_gbps if parameters.server == "generic-host" else None,
        racks=parameters.racks,
    )
    kit = leaf_spine_kit(find, made)
    if len(kit.server.ports) != 1:
        raise ParameterError(
            f"a host of a k-ary fat-tree has one link; "
            f"{kit.server.type_.model} has {format_count(len(kit.server.ports))}"
        )
    if kit.leaf.ports_down(0) != k or kit.spine_radix != k:
        raise ParameterError(
            f"a {kit.leaf.type_.model} has {format_count(kit.leaf.ports_down(0))} ports at that rate, not k = {k}"
        )
    return made

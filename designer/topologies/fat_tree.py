"""Fat-tree of two tiers: servers fill leaf after leaf, every leaf reaches every spine over equally many links.

With radix r and oversubscription o, a leaf has d = floor(r * o / (o + 1)) ports for links down and r - d for links up;
without oversubscription r leafs carry r * r / 2 hosts under r / 2 spines. Source: `formulas.two_level` of the published
reference designs in tests/topologies/data/.
"""

import math
from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.topologies.assembly import padded
from designer.topologies.equipment import TypeSource, leaf_spine_kit, types_of
from designer.topologies.leaf_spine import LeafSpinePlan, Socket, counted, planned
from designer.topologies.leaf_spine_build import built
from designer.topologies.parameters import LeafSpineParameters, parameter, require_choice
from designer.topologies.sizing import Counts
from designer.units import format_count, format_ratio

TIER_CHOICES = ("auto", "2")


@dataclass(frozen=True, slots=True)
class FatTreeParameters(LeafSpineParameters):
    """What a fat-tree is made of. Raises ParameterError for values that make no sense by themselves."""

    tiers: str = parameter(
        "auto",
        label="Tiers",
        help="Tiers of switches; auto takes the fewest that hold the servers, one leaf alone included.",
        kind="choice",
        choices=TIER_CHOICES,
    )

    def __post_init__(self) -> None:
        LeafSpineParameters.__post_init__(self)
        require_choice("tiers", self.tiers, TIER_CHOICES)


def build(design: Design, parameters: FatTreeParameters, catalog: Catalog) -> Edit:
    """The edit that adds the fabric to a design.

    All NICs of a server go to one leaf, unless a leaf has fewer ports than a server has NICs. `reserve_leaf_ports` are
    counted over the whole fabric, taken from the leafs with free ports, the last leaf first, and marked in
    Device.reserved_ports. The design's settings are left alone, its oversubscription limit too.
    Raises ParameterError, with the numbers, for what cannot be built.
    """
    find = types_of(design, catalog)
    plan = _plan(parameters, find)
    label = f"Generate fat-tree of {format_count(parameters.servers)} servers"
    return built(design, plan, find, label, lambda unit, place: _leaf_name(plan, unit, place))


def counts(parameters: FatTreeParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return counted(_plan(parameters, catalog.get), catalog.get)


def _plan(parameters: FatTreeParameters, find: TypeSource) -> LeafSpinePlan:
    kit = leaf_spine_kit(find, parameters)
    n_down = kit.leaf.most_down(parameters.oversubscription)
    if n_down == 0:
        ratio = format_ratio(parameters.oversubscription)
        raise ParameterError(f"a {kit.leaf.type_.id} at {ratio} has no port for servers")
    leafs_per_unit, sockets = _unit(n_down, len(kit.server.ports))
    return planned(
        kit, parameters, leafs_per_unit, sockets, spines="always" if parameters.tiers == "2" else "needed"
    )


def _unit(n_down: int, per_server: int) -> tuple[int, tuple[tuple[Socket, ...], ...]]:
    """Leafs of a unit, and where its servers' ports go, on leafs with `n_down` ports for links down."""
    if per_server <= n_down:
        servers = range(n_down // per_server)
        return 1, tuple(tuple((0, server * per_server + nic) for nic in range(per_server)) for server in servers)
    # A server has more NICs than a leaf has ports: whole servers come out even on whole leafs every lcm ports.
    n_ports = math.lcm(n_down, per_server)
    sockets = [divmod(port, n_down) for port in range(n_ports)]
    return n_ports // n_down, tuple(
        tuple(sockets[first : first + per_server]) for first in range(0, n_ports, per_server)
    )


def _leaf_name(plan: LeafSpinePlan, unit: int, place: int) -> str:
    return f"leaf-{padded(unit * plan.leafs_per_unit + place + 1, plan.n_leafs)}"

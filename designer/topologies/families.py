"""The topology families: rows from which the command line and the generator's dialog are built."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import PluginError
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.edit import Edit
from designer.plugins import Entry, Table, guarded, of_kind
from designer.topologies import (
    dragonfly,
    dragonfly_plus,
    fat_tree,
    free_graph,
    hyperx,
    jellyfish,
    k_ary_fat_tree,
    pgft,
    rail_optimized,
    scale_up,
    scale_up_plan,
    slim_fly,
    statements,
    torus,
)
from designer.topologies.sizing import Counts
from designer.topologies.statements import Built


def _nothing(_parameters: Any) -> str:
    """No caution."""
    return ""


@dataclass(frozen=True, slots=True)
class Family:
    """A topology family; the fields of `parameters` carry what a form needs as metadata (fields.field.setting)."""

    name: str
    """As on the command line."""
    title: str
    description: str
    """One paragraph of plain text."""
    parameters: type[Any]
    build: Callable[[Design, Any, Catalog], Edit]
    """The edit that adds the fabric to a design; raises ParameterError."""
    counts: Callable[[Any, Catalog], Counts]
    """What `build` would add to an empty design, fast enough to follow typing; raises ParameterError."""
    statement: Callable[[Any, Built], str] | None = None
    """A sentence for documents on what such a network is; None for its title and numbers."""
    caution: Callable[[Any], str] = _nothing
    """A sentence on what such a network is not built for, where its parameters alone say so; "" for none."""
    called: Callable[[Any], str] | None = None
    """What a fabric of parameters is called, "8x8x8 torus"; None for the title."""
    sized: Callable[[Any, int], str] | None = None
    """How large one with so many GPUs is called, "4 × 72 GPUs"; None where that is said by its servers."""

    def name_of(self, parameters: Any) -> str:
        """What a fabric of these parameters is called."""
        return self.title if self.called is None else self.called(parameters)


BUILT_IN: tuple[Family, ...] = (
    Family(
        "fat-tree",
        "Fat-tree",
        "Leaf and spine switches and, with three tiers, pods under core switches, with any oversubscription in "
        "each tier, in one plane or several. Servers fill one leaf switch after another, with all NICs of a "
        "server on the same leaf switch of a plane, or every NIC on two (dual top-of-rack). "
        "Every leaf switch has the same number of links to every "
        "spine above it; the number of spine and core switches is the lowest that allows this.",
        fat_tree.FatTreeParameters,
        fat_tree.build,
        fat_tree.counts,
        statements.fat_tree,
    ),
    Family(
        "rail-optimized",
        "Rail-optimized",
        "Scalable units of servers with one leaf switch per rail: NIC i of every server of a unit connects to leaf "
        "switch i, so traffic between GPUs of the same index in different servers crosses one switch. A rail can have "
        "several leaf switches in a unit: one for each rack, or two for the ports of each NIC. Spines connect "
        "the leaf switches of all units; with three tiers each rail has its own spines under common cores, and "
        "rail-only has no spines. Uplinks are built for the servers there are. To leave room for growth, set the "
        "servers per unit or build full units. Reserved leaf ports are for management appliances.",
        rail_optimized.RailOptimizedParameters,
        rail_optimized.build,
        rail_optimized.counts,
        statements.rail_optimized,
    ),
    Family(
        "pgft",
        "Parallel generalized fat-tree",
        "PGFT(h; children; parents; parallel): a fat-tree with any number of levels, given by three rows of "
        "numbers as in the literature and in simulators. It is made of generic hosts and switches, for abstract "
        "studies.",
        pgft.PgftParameters,
        pgft.build,
        pgft.counts,
        statements.pgft,
    ),
    Family(
        "k-ary-fat-tree",
        "k-ary fat-tree",
        "The full three-tier fat-tree of switches with k ports: k pods of k/2 edge and k/2 aggregation switches "
        "under (k/2)² cores, with k³/4 hosts, as described by Al-Fares, Loukissas and Vahdat.",
        k_ary_fat_tree.KAryFatTreeParameters,
        k_ary_fat_tree.build,
        k_ary_fat_tree.counts,
        statements.k_ary_fat_tree,
    ),
    Family(
        "torus",
        "Torus and mesh",
        "One router per node, connected to its neighbors along every dimension. A torus also connects both ends "
        "of each line, a mesh does not. In a ring of two nodes there is one link, not two. With cubes, links from "
        "cube to cube lead through optical circuit switches, as in TPU pods.",
        torus.TorusParameters,
        torus.build,
        torus.counts,
        statements.torus,
        called=torus.called,
    ),
    Family(
        "dragonfly",
        "Dragonfly",
        "Groups of routers, a in each and all connected to each other, with p hosts and h global links per router; up "
        "to a*h + 1 groups, with the same number of global links between every two of them. Balanced if a = 2p = 2h. "
        "Groups of other kinds may have another size and other servers, such as hosts without GPUs.",
        dragonfly.DragonflyParameters,
        dragonfly.build,
        dragonfly.counts,
        statements.dragonfly,
        statements.idle_routers,
    ),
    Family(
        "dragonfly-plus",
        "Dragonfly+",
        "Groups of leaf and spine switches, each leaf connected to all spines of its group, with p hosts per leaf "
        "and h global links per spine; up to spines*h + 1 groups. Balanced if leafs = spines = p = h. Groups of other "
        "kinds may have another size and other servers, such as hosts without GPUs.",
        dragonfly_plus.DragonflyPlusParameters,
        dragonfly_plus.build,
        dragonfly_plus.counts,
        statements.dragonfly_plus,
        statements.idle_spines,
    ),
    Family(
        "hyperx",
        "HyperX",
        "A lattice of routers in any number of dimensions. Along each dimension a router is connected to all "
        "others of its line, by as many parallel links as the width of the dimension; two routers are at most as "
        "many hops apart as there are dimensions. One dimension is the complete graph, dimensions of two are the "
        "hypercube. As described by Ahn and others.",
        hyperx.HyperXParameters,
        hyperx.build,
        hyperx.counts,
        statements.hyperx,
    ),
    Family(
        "slim-fly",
        "Slim Fly",
        "2*q*q routers with about 3q/2 links each, no two more than two hops apart, for a prime power q: the "
        "graphs of McKay, Miller and Siran, as used for networks by Besta and Hoefler. They stand in q groups of 2*q "
        "routers, every two of which are joined by 2*q links.",
        slim_fly.SlimFlyParameters,
        slim_fly.build,
        slim_fly.counts,
        statements.slim_fly,
    ),
    Family(
        "jellyfish",
        "Jellyfish",
        "Routers connected at random, each to the same number of others, with at most one link between any two, as "
        "proposed by Singla and others. The same seed gives the same network; a seed whose network is not "
        "connected is refused.",
        jellyfish.JellyfishParameters,
        jellyfish.build,
        jellyfish.counts,
        statements.jellyfish,
    ),
    Family(
        "scale-up",
        "Scale-up fabric",
        "The links of GPUs inside a scale-up domain as a design of its own: compute trays and switch trays in one "
        "rack, each GPU with links to every switch chip. Several groups are joined by a second level of switches, one "
        "sub-plane for each chip, or chip to chip; without switches every two GPUs are joined directly. NICs of "
        "the trays can get a network of their own, with a leaf switch per group and NIC.",
        scale_up_plan.ScaleUpParameters,
        scale_up.build,
        scale_up.counts,
        sized=scale_up.sized,
    ),
    Family(
        "graph",
        "Any graph",
        "One router per node, with hosts on each: a graph from a networkx generator and its arguments (hypercube, "
        "circulant, petersen, small-world and more), or from a GraphML file.",
        free_graph.GraphParameters,
        free_graph.build,
        free_graph.counts,
    ),
)


def _accept(row: object, entry: Entry) -> Family:
    """A plug-in's family as it is used. Raises PluginError where no form could be made of its parameters."""
    family = of_kind(row, Family)
    if not is_dataclass(family.parameters):
        raise PluginError("its parameters should be a frozen dataclass")
    described = fields_of(family.parameters)
    for field in fields(family.parameters):
        if field.name not in described:
            raise PluginError(f"its parameter {field.name} should be made by designer.fields.field.setting")
    return replace(
        family,
        build=guarded(family.build, entry, Edit),
        counts=guarded(family.counts, entry, Counts),
        statement=None if family.statement is None else guarded(family.statement, entry, str),
        caution=guarded(family.caution, entry, str),
    )


FAMILIES: Table[Family] = Table("fabric_designer.families", BUILT_IN, _accept)
"""Every topology family: the built-in ones, then those of plug-ins."""

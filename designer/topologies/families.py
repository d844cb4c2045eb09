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
    slim_fly,
    torus,
)
from designer.topologies.sizing import Counts


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


BUILT_IN: tuple[Family, ...] = (
    Family(
        "fat-tree",
        "Fat-tree",
        "Leaf and spine switches and, with three tiers, pods under core switches, with any oversubscription in each "
        "tier, in one plane or several. Servers fill one leaf switch after another, with all NICs of a server on the "
        "same leaf switch of a plane. Every leaf switch has the same number of links to every spine above it; there "
        "are as few spines and cores as spread evenly.",
        fat_tree.FatTreeParameters,
        fat_tree.build,
        fat_tree.counts,
    ),
    Family(
        "rail-optimized",
        "Rail-optimized",
        "Scalable units of servers with one leaf switch per rail: NIC i of every server of a unit connects to leaf "
        "switch i, so traffic between the same GPUs of different servers crosses one switch. Spine switches connect "
        "the leaf switches of all units; with three tiers each rail has its own spines under common cores, and "
        "rail-only has no spines. Uplinks are built for the servers there are. To leave room for growth, set the "
        "servers per unit or build full units. Reserved leaf ports are for management appliances.",
        rail_optimized.RailOptimizedParameters,
        rail_optimized.build,
        rail_optimized.counts,
    ),
    Family(
        "pgft",
        "Parallel generalized fat-tree",
        "PGFT(h; children; parents; parallel), a fat-tree of any number of levels given by three rows of numbers, of "
        "generic hosts and switches: the formalism of the literature and of simulators, for abstract studies.",
        pgft.PgftParameters,
        pgft.build,
        pgft.counts,
    ),
    Family(
        "k-ary-fat-tree",
        "k-ary fat-tree",
        "The full three-tier fat-tree of switches of k ports: k pods of k/2 edge and k/2 aggregation switches under "
        "(k/2)\u00b2 cores, k\u00b3/4 hosts, as Al-Fares, Loukissas and Vahdat describe it.",
        k_ary_fat_tree.KAryFatTreeParameters,
        k_ary_fat_tree.build,
        k_ary_fat_tree.counts,
    ),
    Family(
        "torus",
        "Torus and mesh",
        "One router per node, connected to its neighbours along every dimension; the ends are connected too unless "
        "it is a mesh. In a "
        "ring of two nodes there is one link, not two.",
        torus.TorusParameters,
        torus.build,
        torus.counts,
    ),
    Family(
        "dragonfly",
        "Dragonfly",
        "Groups of a routers, all joined to each other, with p hosts and h global links a router; up to a*h + 1 "
        "groups, each two joined by the same number of global links. Balanced where a = 2p = 2h.",
        dragonfly.DragonflyParameters,
        dragonfly.build,
        dragonfly.counts,
    ),
    Family(
        "dragonfly-plus",
        "Dragonfly+",
        "Groups of leafs and spines, all leafs joined to all spines, with p hosts a leaf and h global links a spine; "
        "up to spines*h + 1 groups. Balanced where leafs = spines = p = h.",
        dragonfly_plus.DragonflyPlusParameters,
        dragonfly_plus.build,
        dragonfly_plus.counts,
    ),
    Family(
        "hyperx",
        "HyperX",
        "A lattice of routers of any dimensions, each router joined to every other one of its line along each "
        "dimension, by as many parallel links as the dimension's width; at most as many hops as dimensions. One "
        "dimension is the complete graph, dimensions of two the hypercube. As Ahn and others describe it.",
        hyperx.HyperXParameters,
        hyperx.build,
        hyperx.counts,
    ),
    Family(
        "slim-fly",
        "Slim Fly",
        "2*q*q routers of about 3q/2 links each, no two more than two hops apart, for a prime power q: the graphs of "
        "McKay, Miller and Siran, as Besta and Hoefler build networks of them.",
        slim_fly.SlimFlyParameters,
        slim_fly.build,
        slim_fly.counts,
    ),
    Family(
        "jellyfish",
        "Jellyfish",
        "Routers joined at random, each to the same number of others and no two twice, as Singla and others propose; "
        "the same seed gives the same network. A seed whose network falls apart is refused.",
        jellyfish.JellyfishParameters,
        jellyfish.build,
        jellyfish.counts,
    ),
    Family(
        "graph",
        "Any graph",
        "One router per node, with hosts on each: a graph that networkx makes, by generator and arguments (hypercube, "
        "circulant, petersen, small-world and more), or one from a GraphML file.",
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
    return replace(family, build=guarded(family.build, entry, Edit), counts=guarded(family.counts, entry, Counts))


FAMILIES: Table[Family] = Table("fabric_designer.families", BUILT_IN, _accept)
"""Every topology family: the built-in ones, then those of plug-ins."""

"""The topology families: rows from which the command line and the generator's dialog are built."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.edit import Edit
from designer.topologies import fat_tree, pgft, rail_optimized
from designer.topologies.sizing import Counts


@dataclass(frozen=True, slots=True)
class Family:
    """A topology family; the fields of `parameters` carry what a form needs as metadata (parameters.parameter)."""

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


FAMILIES: tuple[Family, ...] = (
    Family(
        "fat-tree",
        "Fat-tree",
        "Leafs and spines in two tiers, any oversubscription. Servers fill leaf after leaf, all NICs of a server on "
        "the same leaf; every leaf has the same number of links to every spine. The number of spines is the smallest "
        "that spreads evenly.",
        fat_tree.FatTreeParameters,
        fat_tree.build,
        fat_tree.counts,
    ),
    Family(
        "rail-optimized",
        "Rail-optimized",
        "Scalable units of servers with one leaf a rail: NIC i of every server of the unit is on leaf i, so that "
        "traffic between the same GPUs of different servers crosses one switch. The leafs of all units meet in common "
        "spines; rail-only leaves the spines out. Units are built in full; reserved leaf ports make room for "
        "management appliances.",
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
)

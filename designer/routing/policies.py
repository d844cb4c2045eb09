"""The routing policies as a table: how each finds paths, and how an all-to-all under it is done without its flows."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.plugins import Entry, Table, guarded, of_kind
from designer.routing import adaptive, destination, dimension_order, ecmp, pieces, spray, valiant, weighted_spray
from designer.routing.legs import Legs
from designer.routing.network import Network
from designer.routing.paths import Commodities, Paths
from designer.routing.pieces import Pieces
from designer.routing.tables import following

Route = Callable[[Network, NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], int], Paths]
"""Paths of flows: route(network, src, dst, size_bytes, channel, seed)."""
Detoured = Callable[[Network, Legs, NDArray[np.float64], Commodities], NDArray[np.float64]]
"""(n_commodities,) what of each leaves its minimal ways for Valiant's: detoured(network, legs, size_bytes, sets)."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """How the loads of an all-to-all add up without its flows: by forwarding tables, where nothing else is said."""

    sprays: bool = False
    """Flows are shared over all links of equal cost."""
    detours: bool = False
    """They go by way of switches that are on no shortest path."""
    by_load: bool = False
    """Only a share of them does: the one that loads links least."""
    given: bool = False
    """They go by tables that were read from a file."""


BY_TABLES, SPRAYED, GIVEN = Uniform(), Uniform(sprays=True), Uniform(given=True)
DETOURED, MIXED = Uniform(sprays=True, detours=True), Uniform(sprays=True, detours=True, by_load=True)


@dataclass(frozen=True, slots=True)
class Policy:
    """`prepared` gives the network as the policy sees it.

    `in_full` finds paths with every bundle in the rows, where `route` leaves some out.
    """

    name: str
    route: Route
    uniform: Uniform | None = None
    """None where each pair's path is its own."""
    leaf_by_leaf: bool = False
    """Hosts of a leaf send alike, so that one flow stands for many."""
    wide: bool = False
    """A flow is put on very many arcs, each in the rows: many ports, or switches that are on no shortest path."""
    in_parts: bool = False
    """A flow is split over links of equal cost."""
    evenly: bool = False
    """Those parts are equal for links of equal rate, so that such links are interchangeable."""
    chosen_by: str = ""
    """What puts a whole flow on one of several links of equal cost, to begin a sentence with."""
    by_hash: bool = False
    """It is a hash of the flow's ends, so that flows meet on one link while others are idle."""
    pieces: Pieces | None = None
    """What flows are cut into where switches choose a port for each of these, so that loads are as uneven as they are.
    """
    by_load: bool = False
    """The splits follow the load, and are chosen for all flows together."""
    takes_tables: bool = False
    """The network has to have forwarding tables that were read from a file: see `tables.matching`."""
    prepared: Callable[[Network], Network] = lambda network: network
    in_full: Route | None = None
    detoured: Detoured | None = None
    """None where the splits of a flow are not known but by its arcs, or there are none."""
    title: str = ""
    explanation: str = ""
    """What panels show of a plug-in's policy; those of built-in ones are in simulation.catalogue."""


POLICIES = {
    policy.name: policy
    for policy in (
        Policy(
            "spray",
            spray.route,
            uniform=SPRAYED,
            leaf_by_leaf=True,
            in_full=spray.route_in_full,
            detoured=spray.detoured,
            in_parts=True,
            evenly=True,
        ),
        Policy(
            "weighted-spray",
            spray.route,
            uniform=SPRAYED,
            leaf_by_leaf=True,
            in_full=spray.route_in_full,
            detoured=spray.detoured,
            in_parts=True,
            prepared=weighted_spray.prepared,
        ),
        Policy(
            "destination", destination.route, uniform=BY_TABLES, leaf_by_leaf=True, chosen_by="The forwarding table"
        ),
        Policy("ecmp", ecmp.route, chosen_by="The hash", by_hash=True),
        Policy("flowlet", pieces.flowlets, wide=True, in_parts=True, pieces=pieces.FLOWLETS),
        Policy("packet-spray", pieces.packets, wide=True, in_parts=True, pieces=pieces.PACKETS),
        Policy("dimension-order", destination.route, uniform=BY_TABLES, prepared=dimension_order.prepared),
        Policy("valiant", valiant.route, uniform=DETOURED, wide=True, in_parts=True, detoured=valiant.detoured),
        Policy(
            "adaptive",
            adaptive.route,
            uniform=MIXED,
            wide=True,
            in_parts=True,
            by_load=True,
            detoured=adaptive.detoured,
        ),
        Policy(
            "tables",
            following.route,
            uniform=GIVEN,
            leaf_by_leaf=True,
            chosen_by="The forwarding table",
            takes_tables=True,
        ),
    )
}
"""The built-in ones by name; `policy_named` knows those of plug-ins too."""


def accept(row: object, entry: Entry) -> Policy:
    """A plug-in's policy as it is used. Raises PluginError; the loads of an all-to-all follow from its flows."""
    policy = of_kind(row, Policy)
    return replace(
        policy,
        uniform=None,
        leaf_by_leaf=False,
        takes_tables=False,
        in_full=None,
        detoured=None,
        route=guarded(policy.route, entry, Paths),
        prepared=guarded(policy.prepared, entry, Network),
    )


_TABLE: Table[Policy] = Table("fabric_designer.routing_policies", tuple(POLICIES.values()), accept)


def policy_named(name: str) -> Policy:
    """The policy of that name. Raises ParameterError where there is none."""
    found = POLICIES.get(name) or _TABLE.named(name)
    if found is None:
        raise ParameterError(f"there is no routing {name!r}; there is {', '.join(row.name for row in _TABLE)}")
    return found

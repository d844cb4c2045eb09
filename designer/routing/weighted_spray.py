"""Policy `weighted-spray`: as `spray`, but a next hop gets its share by what can go on from there to the destination.

A hop weighs what its bundle carries, or what all ways on from its end carry where that is less: where one of two links
from a spine to a leaf is missing, that spine gets half of what the others do, and the leaf keeps the rest of its rate.
Ways of other flows over the same links are not looked at. Source: J. Zhou et al., "WCMP: Weighted Cost Multipathing for
Improved Fairness in Data Centers" (EuroSys 2014).
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.switches import SwitchGraph
from designer.graph.threads import in_threads
from designer.routing import weighted_spray_kernels
from designer.routing.network import Network

KEY = "weighted-spray"
LEAFS_WORTH_A_THREAD = 64


def prepared(network: Network) -> Network:
    """The network whose next hops weigh what lies behind them, computed once for each graph."""
    found = network.graph.derived.get(KEY)
    if found is None:
        found = network.graph.derived[KEY] = _prepared(network)
    assert isinstance(found, SwitchGraph)
    return replace(network, switches=found)


def _prepared(network: Network) -> SwitchGraph:
    bundles, goals, _ = network.fabric

    def piece(first: int, last: int) -> NDArray[np.float64]:
        behind: NDArray[np.float64] = weighted_spray_kernels.capacity_behind(bundles, goals, first, last)
        return behind

    parts = in_threads(piece, len(network.switches.leafs), LEAFS_WORTH_A_THREAD)
    return replace(network.switches, behind=np.concatenate(parts))

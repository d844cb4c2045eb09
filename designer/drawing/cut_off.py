"""Devices that stand but that a failure cuts off: their links lead to the main part of the fabric no more."""

from collections.abc import Iterable

import numpy as np

from designer.drawing.bundles import Flags
from designer.drawing.projected_rows import flags_of
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.graph.components import component_of
from designer.graph.failures import broken, present
from designer.model.networks import COMPUTE, networks_of_switch


def cut_off(projection: Projection, failed: Iterable[str]) -> frozenset[str]:
    """Ids of devices that reached the most servers over the compute network, and without what has failed do not.

    As where traffic is simulated, what is left of a fabric is its part of the most servers.
    """
    design = projection.design
    dead = broken(design, present(design, failed))
    if not (dead.devices or dead.links):
        return frozenset()
    is_server: Flags = np.asarray(projection.kinds == SERVER, np.bool_)
    counts = np.array(
        [
            server or COMPUTE in networks_of_switch(design.devices[one])
            for one, server in zip(projection.device_ids, is_server.tolist(), strict=True)
        ],
        np.bool_,
    )
    has_failed = flags_of(dead.devices, projection.device_ids)
    joins: Flags = np.asarray(counts[projection.ends].all(axis=1), np.bool_)
    left: Flags = joins & ~has_failed[projection.ends].any(axis=1) & ~flags_of(dead.links, projection.link_ids)
    alive: Flags = is_server & ~has_failed
    lost = _in_main(projection, is_server, joins) & ~_in_main(projection, alive, left) & ~has_failed
    return frozenset(projection.device_ids[row] for row in np.flatnonzero(lost).tolist())


def _in_main(projection: Projection, servers: Flags, links: Flags) -> Flags:
    """Which boxes hang together with the most of these servers over these links."""
    tail, head = projection.ends[links].T
    of = component_of(tail, head, len(projection.device_ids))
    if not servers.any():
        return np.zeros(len(of), np.bool_)
    found: Flags = of == np.bincount(of[servers]).argmax()
    return found


def failed_links(projection: Projection, failed: frozenset[str]) -> Flags:
    """Whether each link is among these, or at one of them, in the projection of every device."""
    dead = broken(projection.design, present(projection.design, failed))
    at_dead = flags_of(dead.devices, projection.device_ids)[projection.ends].any(axis=1)
    found: Flags = np.asarray(at_dead | flags_of(dead.links, projection.link_ids), np.bool_)
    return found

"""The other GPUs of a GPU's domain, where flows go first that no path over the fabric leads on from its own NICs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.components import component_of
from designer.routing.attachment import Attachment
from designer.routing.lending import NOWHERE

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Mates:
    """GPUs by domain, for GPUs of none alone."""

    members: Ints  # (n_endpoints,) GPUs, domain by domain
    first: Ints  # (n_endpoints,) by GPU where its domain begins among the members
    size: Ints  # (n_endpoints,)
    place: Ints  # (n_endpoints,) of a GPU in its domain
    lends: NDArray[np.bool_]  # (n_endpoints,) whether others may use its NICs
    is_drawn: bool
    """Whether they reach each other over drawn switches, those that are linked to the same one."""

    def other(self, gpus: Ints, place: Ints) -> Ints:
        """The GPUs in these places of the domains of GPUs, counted round."""
        found: Ints = self.members[self.first[gpus] + place % self.size[gpus]]
        return found


def crossbar_mates(ends: Attachment) -> Mates:
    """By crossbar, or by what is joined pairwise."""
    return _mates(ends, ends.domain.astype(np.int64), is_drawn=False)


def drawn_mates(ends: Attachment) -> Mates:
    """By the drawn switches of a domain that GPUs are linked to."""
    n = len(ends.drawn)
    domain = np.full(n, NOWHERE, dtype=np.int64)
    gpu, way = np.nonzero(np.isin(ends.plane, list(ends.scale_up_planes)))
    if len(gpu):
        switch = n + ends.facing[gpu, way].astype(np.int64)
        domain[gpu] = component_of(gpu, switch, int(switch.max()) + 1)[gpu]
    return _mates(ends, domain, is_drawn=True)


def linked(ends: Attachment, a: Ints, b: Ints) -> NDArray[np.bool_]:
    """Which GPUs of `a` are linked to a drawn switch that the one in the same place of `b` is linked to as well."""
    n = len(ends.drawn)
    keys, of = np.unique(a * n + b, return_inverse=True)
    return np.array([bool(len(ends.over_links(*divmod(key, n)))) for key in keys.tolist()], dtype=bool)[of]


def _mates(ends: Attachment, domain: Ints, *, is_drawn: bool) -> Mates:
    """GPUs whose NICs are those of others lend none."""
    n = len(domain)
    key = np.where(domain >= 0, domain, domain.max(initial=0) + 1 + np.arange(n))
    members = np.argsort(key, kind="stable")
    _, begins, of, counts = np.unique(key[members], return_index=True, return_inverse=True, return_counts=True)
    first, size, place = (np.empty(n, dtype=np.int64) for _ in range(3))
    first[members], size[members] = begins[of], counts[of]
    place[members] = np.arange(n) - begins[of]
    lends = (domain >= 0) & ~ends.borrowed
    return Mates(members, first, size, place, lends, is_drawn)

"""What a run changed against the one before, in a sentence or two."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.simulation.failures.affected_servers import affected_servers
from designer.simulation.failures.borrowed_nics import notice
from designer.simulation.failures.impact import FULL, HOT
from designer.simulation.result import Result
from designer.units import format_counted, format_load, format_time

AS_LONG = 5e-4
"""A time that differs by less than this share of it is reported as the same."""


class RunComparison(NamedTuple):
    """Sentences, a line each, and the ids of the servers whose GPUs have less of a way to the fabric than before."""

    words: str = ""
    servers: tuple[str, ...] = ()
    borrowing: int = 0
    """GPUs that the sentences count among those that send through another GPU's NIC."""

    def other_notices(self, result: Result) -> tuple[str, ...]:
        """The notices of the later result, without that of GPUs without a NIC where the sentences count the same."""
        bare = result.model.gpus_without_nic
        if bare is None or self.borrowing != bare.count:
            return tuple(result.notices)
        return tuple(one for one in result.notices if one != notice(bare.count, bare.leave_over))


def compare_runs(before: Result, after: Result, failures: str = "") -> RunComparison:
    """ "It was 16.2 ms before: 100 % longer now." and "48 links became saturated.", of the same scenario.

    `failures` says what failed or was repaired between the two, and what that did to the time.
    """
    suffer = affected_servers(before, after)
    assumed = after.assumed_note or before.assumed_note
    parts = (failures or _time(before, after), _relayed(before, after), assumed, _links(before, after), suffer.sentence)
    return RunComparison("\n".join(part for part in parts if part), suffer.servers, suffer.borrowing)


def _time(before: Result, after: Result) -> str:
    was = format_time(before.time_s)
    if before.ranks != after.ranks:
        return f"It was {was} before, with {format_counted(before.ranks, 'rank')}."
    if before.time_s <= 0 or abs(after.time_s / before.time_s - 1) < AS_LONG:
        return "No change in time."
    change = after.time_s / before.time_s - 1
    share = f"{abs(change):.0%}" if abs(change) >= 0.095 else f"{abs(change):.1%}"
    return f"It was {was} before: {share.replace('%', ' %')} {'longer' if change > 0 else 'shorter'} now."


def _relayed(before: Result, after: Result) -> str:
    """Why a run may take less time with less of a fabric: flows that are relayed now cross fewer links."""
    if after.relays is None or after.time_s >= before.time_s * (1 - AS_LONG) or before.ranks != after.ranks:
        return ""
    if before.relays is not None and before.relays.flows >= after.relays.flows:
        return ""
    return "Flows relayed inside servers no longer load the links between these switches."


def _links(before: Result, after: Result) -> str:
    """How many links are new, are full or hot in some direction that were not, and are full no longer.

    Where something failed or was repaired, links that were out of service are left out. What most links did comes
    first.
    """
    now = after.link_utilization()
    was = before.link_utilization().taken_for(now.link_ids, -1.0).max(axis=1)
    is_new = (was < 0) & (before.graph.failed_names == after.graph.failed_names)
    stood = was >= 0
    full = int(np.count_nonzero(stood & (now.busier >= FULL) & (was < FULL)))
    hot = int(np.count_nonzero(stood & (now.busier >= HOT) & (now.busier < FULL) & (was < HOT)))
    eased = int(np.count_nonzero((now.busier < FULL) & (was >= FULL)))
    eases = "is" if eased == 1 else "are"
    counted = ((full, "became saturated"), (hot, "rose above 80 %"), (eased, f"{eases} no longer saturated"))
    changed = sorted((one for one in counted if one[0]), key=lambda one: -one[0])
    stated = [_new(now.busier[is_new])] if is_new.any() else []
    stated += (f"{format_counted(count, 'link')} {what}" for count, what in changed)
    return "; ".join(stated) + "." if stated else ""


def _new(busier: NDArray[np.float64]) -> str:
    """ "256 new links, at 97 %"; "at up to" where they differ."""
    least, most = (format_load(float(one)) for one in (busier.min(), busier.max()))
    return f"{format_counted(len(busier), 'new link')}, at {'' if least == most else 'up to '}{most}"

"""When flows of a link would end if it were shared fairly at every moment, without queues and control."""

import numpy as np
from numpy.typing import NDArray

from designer.simulation.queues.fluid_kernels import Senders

Floats = NDArray[np.float64]


def fair_rates(caps: Floats, counts: Floats, capacity: float) -> Floats:
    """(n,) max-min fair rates of flows that share one link, none above its cap."""
    order = np.argsort(caps, kind="stable")
    caps, counts = caps[order], counts[order]
    before = np.concatenate([[0.0], np.cumsum(caps * counts)[:-1]])
    others = np.cumsum(counts[::-1])[::-1]
    fits = before + caps * others <= capacity
    level = np.inf if fits.all() else (capacity - before[~fits][0]) / others[~fits][0]
    found = np.empty_like(caps)
    found[order] = np.minimum(caps, level)
    return found


def ideal_ends_s(senders: Senders, capacity: float) -> Floats:
    """(n,) the end of each class, fair share by fair share."""
    left, ends, now = senders.size.copy(), np.zeros(len(senders.size)), 0.0
    running = np.arange(len(left))
    while len(running):
        rates = fair_rates(senders.cap[running], senders.alike[running], capacity)
        lasts = left[running] / rates
        step = float(lasts.min())
        now += step
        done = lasts <= step * (1 + 1e-9)
        ends[running[done]] = now
        left[running] -= rates * step
        running = running[~done]
    return ends


def percentile(values: Floats, counts: Floats, share: float) -> float:
    """The least value that this share of the flows do not exceed; infinite where so many have none."""
    order = np.argsort(values, kind="stable")
    upto = np.cumsum(counts[order])
    return float(values[order][np.searchsorted(upto, share * upto[-1] * (1 - 1e-12))])

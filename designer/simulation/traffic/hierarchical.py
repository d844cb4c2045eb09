"""Hierarchical collectives, with g GPUs in each of m servers: within the servers, and along each rail between them.

The scale-up domain moves parts among its GPUs in one step, rings along each rail do the rest. In turn, an all-reduce of
S bytes takes 2 (g-1)/g S/U + 2 (m-1)/m S/(g B) over scale-up ports of U and NICs of B bytes/s. In chunks of C bytes of
the buffer the first chunk takes that long, and the others the longer of the two parts, (S - C)/S of it: all parts run
at once, and those within the servers share the scale-up ports.
"""

import numpy as np
from numpy.typing import NDArray

from designer.simulation.traffic.phases import Flows, Phase, Pipelines, flows
from designer.simulation.traffic.rings import ring_pipelines
from designer.simulation.traffic.trees import Chunking

FILL = "the first chunk passes the parts one after the other, then all parts run at once"
STEPS = {
    "all-reduce": ("reduce-scatter", "", "all-gather"),
    "reduce-scatter": ("reduce-scatter", ""),
    "all-gather": ("", "all-gather"),
}
"""What each collective does within the servers, before and after the rails, which are ""."""

Table = NDArray[np.int64]


def in_turn(table: Table, size_bytes: float, collective: str) -> list[Phase]:
    """One part after the other; `table` is (servers, GPUs)."""
    phases = [
        in_servers(table, size_bytes, step) if step else along_rails(table, size_bytes, collective)
        for step in STEPS[collective]
    ]
    return [phase for phase in phases if len(phase.traffic) and phase.repeat]


def in_chunks(
    table: Table, size_bytes: float, collective: str, chunk_bytes: float | None
) -> tuple[list[Phase], Chunking | None]:
    """The parts of several chunks at once; in turn where there is but one server, or one GPU in each."""
    m, g = int(table.shape[0]), int(table.shape[1])
    if m == 1 or g == 1:
        return in_turn(table, size_bytes, collective), None
    cut = Chunking(1 / g, chunk_bytes, fill=FILL)

    def first_bytes(of_bytes: float) -> float:
        return g * cut.first_bytes(of_bytes)

    def other_bytes(of_bytes: float) -> float:
        return of_bytes - first_bytes(of_bytes)

    phases = []
    for phase, step in zip(in_turn(table, first_bytes(size_bytes), collective), STEPS[collective], strict=True):
        which = "last" if step == "all-gather" and collective == "all-reduce" else "first"
        phases.append(
            Phase(f"{which} chunk, {phase.name}", phase.repeat, phase.traffic, first_bytes, pipelines=phase.pipelines)
        )
    if other_bytes(size_bytes) > 0:
        sent = _all_at_once(table, other_bytes(size_bytes), collective)
        no_latency = Pipelines(np.zeros(len(sent), dtype=np.int64), rounds=0)
        others = Phase("other chunks, all parts at once", 1, sent, other_bytes, pipelines=no_latency)
        phases.insert(len(phases) - 1, others)
    return phases, cut


def _all_at_once(table: Table, size_bytes: float, collective: str) -> Flows:
    m, g = table.shape
    passes = len(STEPS[collective]) - 1
    inside = within(table, passes * size_bytes / g)
    rails = _to_next_server(table, passes * (m - 1) / m * size_bytes / g)
    return Flows(
        np.concatenate([inside.src, rails.src]),
        np.concatenate([inside.dst, rails.dst]),
        np.concatenate([inside.size_bytes, rails.size_bytes]),
        np.concatenate([inside.channel, rails.channel]),
    )


def in_servers(table: Table, size_bytes: float, step: str) -> Phase:
    """A reduce-scatter or an all-gather among the GPUs of each server."""
    return Phase(f"{step} in the server", 1, within(table, size_bytes / table.shape[1]))


def along_rails(table: Table, size_bytes: float, collective: str) -> Phase:
    """The rings between servers, each rail by itself: twice round for an all-reduce."""
    m, g = table.shape
    sent, rounds = _to_next_server(table, size_bytes / g / m), 2 if collective == "all-reduce" else 1
    return Phase(f"{collective} along the rails", rounds * (m - 1), sent, pipelines=ring_pipelines(sent, rounds))


def within(table: Table, part_bytes: float) -> Flows:
    """Every GPU of a server sends a part to each other GPU of it."""
    g = table.shape[1]
    pairs = np.argwhere(~np.eye(g, dtype=bool))
    return flows(table[:, pairs[:, 0]].reshape(-1), table[:, pairs[:, 1]].reshape(-1), part_bytes)


def _to_next_server(table: Table, part_bytes: float) -> Flows:
    """GPU j of every server sends to GPU j of the next."""
    m, g = table.shape
    if m == 1:
        return flows(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), part_bytes)
    rails = np.broadcast_to(np.arange(g), (m, g)).reshape(-1)
    return flows(table.reshape(-1), np.roll(table, -1, axis=0).reshape(-1), part_bytes, rails)

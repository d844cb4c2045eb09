"""Forwarding tables as arcs of a network."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing.given import ForwardingTables

NO_LID, NO_TABLE, NO_ENTRY, NO_LINK, ELSEWHERE, CIRCLE = -1, -2, -3, -4, -5, -6
"""Why a packet goes no further, where an arc would stand."""


@dataclass(frozen=True, slots=True, eq=False)
class Forwarding:
    """Tables as arcs of a network. Destinations are numbered as Attachment.index has them."""

    tables: ForwardingTables
    next_arc: NDArray[np.int32]  # (n_switches, n_destinations) an arc, or why there is none
    head: NDArray[np.int32]  # (n_arcs,) number of the switch that an arc leads to, else -1
    row: NDArray[np.int64]  # (n_switches,) of the tables, or -1
    column: NDArray[np.int64]  # (n_destinations,) of the tables, or -1
    notes: tuple[str, ...]
    """What of the tables does not fit the drawing, though no traffic need meet it."""

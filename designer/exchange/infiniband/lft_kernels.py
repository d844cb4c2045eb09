"""Reading the lines of forwarding tables, compiled: a subnet of 16,384 hosts has some 20 million."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled

ZERO, NINE, LOWER_A, LOWER_F, UPPER_A, UPPER_F, LOWER_X = 48, 57, 97, 102, 65, 70, 120
BLANK, LINE_END = 32, 10
MOST_DIGITS = 8


@compiled
def read_section(data: NDArray[Any], first: int, last: int, ports: NDArray[np.uint8], starts: NDArray[np.int64]) -> int:
    """Fills ports by LID from the lines "0x0001 033 ..." of data[first:last]; where the first wrong one begins, or -1.

    A line is wrong whose LID is beyond `ports`, and whose port is no number up to 254. `starts` gets where the line of
    each LID begins.
    """
    at = first
    while at < last:
        begin = at
        if at + 1 < last and data[at] == ZERO and data[at + 1] == LOWER_X:
            at += 2
            lid, digits = 0, 0
            while at < last and digits <= MOST_DIGITS:
                byte = data[at]
                if ZERO <= byte <= NINE:
                    lid = 16 * lid + byte - ZERO
                elif LOWER_A <= byte <= LOWER_F:
                    lid = 16 * lid + byte - LOWER_A + 10
                elif UPPER_A <= byte <= UPPER_F:
                    lid = 16 * lid + byte - UPPER_A + 10
                else:
                    break
                at, digits = at + 1, digits + 1
            while at < last and data[at] == BLANK:
                at += 1
            port, places = 0, 0
            while at < last and ZERO <= data[at] <= NINE and places <= MOST_DIGITS:
                port = 10 * port + data[at] - ZERO
                at, places = at + 1, places + 1
            if digits == 0 or places == 0 or lid >= len(ports) or port > 254:
                return begin
            ports[lid] = port
            starts[lid] = begin
        while at < last and data[at] != LINE_END:
            at += 1
        at += 1
    return -1

"""NICs that GPUs take of others in a scale-up domain whose switches are drawn, with the ways to them over its links."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

NOWHERE = -1
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The ways of GPUs onto the fabric, as `Attachment` has them: (n_endpoints, n_ways), and their arcs in `out`."""

    nic: Ints
    number: Ints
    plane: Ints
    facing: Ints
    out: Ints  # (n_endpoints, n_ways, WIDTH)

    def wider(self, by: int) -> "Ways":
        """With so many ways more of every GPU, all unused."""
        pad = [(0, 0), (0, by)]

        def padded(of: Ints) -> Ints:
            return np.pad(of, [*pad, (0, 0)][: of.ndim], constant_values=NOWHERE)

        return Ways(padded(self.nic), padded(self.number), padded(self.plane), padded(self.facing), padded(self.out))


def lent(
    ways: Ways, drawn: NDArray[np.int64], scales_up: NDArray[np.bool_], device: Ints, borrowed: NDArray[np.bool_]
) -> tuple[Ways, NDArray[np.bool_]]:
    """The ways with those over NICs of other GPUs, and which GPUs use some, for GPUs with none of their own.

    A GPU goes over every link that leads it to a switch where its lender has one too, in equal shares. The lender is
    the GPU of the domain that fewest have borrowed of so far, of those one of the same server, then the nearest.
    """
    outside = (ways.nic >= 0) & ~scales_up
    able = outside.any(axis=1)
    found: dict[int, list[tuple[int, int, int, int]]] = {}
    n_borrowers = np.zeros(len(drawn), dtype=np.int64)
    for gpu in np.flatnonzero((drawn >= 0) & ~able).tolist():
        lenders = np.flatnonzero(able & ~borrowed & (drawn == drawn[gpu]))
        order = np.lexsort((np.abs(lenders - gpu), device[lenders] != device[gpu], n_borrowers[lenders]))
        for lender in lenders[order].tolist():
            joined = pairs((ways.facing[gpu], ways.facing[lender]), (scales_up[gpu], scales_up[lender]))
            if joined:
                n_borrowers[lender] += 1
                over = np.flatnonzero(outside[lender]).tolist()
                found[gpu] = [(lender, up, down, way) for (up, down), way in product(joined, over)]
                break
    if not found:
        return ways, borrowed
    n_used, n_numbers = (ways.nic >= 0).sum(axis=1), int(ways.number.max()) + 1
    most = max(int(n_used[gpu]) + len(more) for gpu, more in found.items())
    wide, borrowed = ways.wider(max(0, most - ways.nic.shape[1])), borrowed.copy()
    for gpu, more in found.items():
        borrowed[gpu] = True
        for place, (lender, up, down, way) in enumerate(more):
            row = gpu, int(n_used[gpu]) + place
            for here, there in ((wide.nic, ways.nic), (wide.plane, ways.plane), (wide.facing, ways.facing)):
                here[row] = there[lender, way]
            wide.number[row] = ways.number[lender, way] + place * n_numbers  # the first is that of the lender
            wide.out[row] = (*across(ways.out[gpu, up], ways.out[lender, down]), *ways.out[lender, way, -2:])
    return wide, borrowed


def pairs(facing: tuple[Ints, Ints], scales_up: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> list[tuple[int, int]]:
    """The ways of two GPUs that lead to the same switch of their domain, each used once; rows of `Ways` for both."""
    down: dict[int, list[int]] = {}
    for way in np.flatnonzero(scales_up[1])[::-1].tolist():
        down.setdefault(int(facing[1][way]), []).append(way)
    found = []
    for way in np.flatnonzero(scales_up[0]).tolist():
        same = down.get(int(facing[0][way]))
        if same:
            found.append((way, same.pop()))
    return found


def across(up: Ints, down: Ints) -> tuple[int, ...]:
    """The arcs from a GPU to another over a switch, of the rows in `out` of the ways of both to it."""
    return (*up[-2:].tolist(), *(down[-2:] ^ 1)[::-1].tolist())

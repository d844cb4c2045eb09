"""Full meshes: boxes of a row or a column that are all joined to each other, drawn from afar as one bus beside them.

A line through the row would read as a chain of neighbors, and hundreds of arches as a carpet. Each box has a stub to
the bus, and every piece of the bus stands for the links that pass it.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from designer.drawing.arches import beside, side_by_side
from designer.drawing.bundles import Bundles, Floats, Ints
from designer.drawing.gates import groups_of
from designer.drawing.geometry import Rect
from designer.drawing.lines import of_server
from designer.drawing.projection import Projection
from designer.drawing.theme import KINDS, SWITCH
from designer.drawing.trunks import Bus, Buses, Mesh, gathered
from designer.units import format_counted

LEAST = 3
"""Two boxes next to each other are joined by a line."""
LEAST_FROM_NEAR = 13
"""Up to twelve boxes have 66 links, whose arches can be distinguished."""
LEAST_OF_CROWD = 24
"""The arches of so many, 276, are one bar however near they are."""
MOST_IN_PIECES = 48
"""The bus of more boxes is one piece, which stands for all links: its pieces would hold millions."""


def meshes_of(projection: Projection, bundles: Bundles) -> Iterator[Mesh]:
    """The full meshes of at least LEAST boxes of single devices in a row or a column, none of several router groups."""
    low, high = bundles.pairs.T
    groups = groups_of(projection)
    own = ~of_server(projection, bundles) & (high < projection.n_own) & (groups[low] == groups[high])
    in_column, in_row = side_by_side(bundles.pairs, projection.centres, projection.sizes)
    for axis, aligned in ((1, in_row), (0, in_column)):
        numbers = np.flatnonzero(aligned & own)
        yield from _cliques(numbers, bundles.pairs[numbers], projection.centres[:, 1 - axis], axis)


def buses(projection: Projection, meshes: Iterable[Mesh], centres: Floats, least: int) -> Buses:
    """The buses of the meshes of at least so many boxes, with the boxes at those centers."""
    sizes = projection.sizes
    kept = [one for one in (_in_line(mesh, centres, sizes) for mesh in meshes) if len(one.rows) >= least]
    xy, held, titles = list[Rect](), list[Ints](), list[Bus]()
    for axis in (0, 1):
        own = [one for one in kept if one.axis == axis]
        if not own:
            continue
        ends = np.array([(one.rows[0], one.rows[-1]) for one in own], np.int64)
        runs = beside(np.arange(len(own)), ends, centres, sizes, axis)
        along = runs.lines(centres[ends].reshape(-1, 4))[:, 1].tolist()
        for mesh, line, side in zip(own, along, runs.side.tolist(), strict=True):
            for piece, bundles in _comb(mesh, line[axis], side, centres, sizes):
                xy.append(piece)
                held.append(bundles)
            titles.append(Bus(_text(projection, mesh), tuple(line)))
    of_all = np.concatenate([one.bundles for one in kept]) if kept else np.empty(0, np.int64)
    return Buses(gathered(xy, held, of_all, of_servers=False), tuple(titles))


def _text(projection: Projection, mesh: Mesh) -> str:
    """ "32 routers, all to all", after their roles or kinds."""
    devices, ids, kinds = projection.design.devices, projection.device_ids, projection.kinds
    words = {devices[ids[row]].role or KINDS[kinds[row]] for row in mesh.rows.tolist()}
    return f"{format_counted(len(mesh.rows), words.pop() if len(words) == 1 else KINDS[SWITCH])}, all to all"


def _cliques(numbers: Ints, pairs: Ints, along: Floats, axis: int) -> Iterator[Mesh]:
    """The sets of boxes all joined to each other, such as a link and all that both of its ends are joined to."""
    number_of = dict(zip(map(tuple, pairs.tolist()), numbers.tolist(), strict=True))
    joined: dict[int, set[int]] = {}
    for a, b in number_of:
        joined.setdefault(a, set()).add(b)
        joined.setdefault(b, set()).add(a)
    taken = set[tuple[int, int]]()
    for pair in number_of:
        if pair in taken:
            continue
        a, b = pair
        members = (joined[a] & joined[b]) | {a, b}
        if len(members) < LEAST or any(not members - {one} <= joined[one] for one in members):
            continue
        rows = sorted(members, key=lambda one: (float(along[one]), one))
        place = {row: at for at, row in enumerate(rows)}
        ordered = sorted(members)
        inner = [(one, other) for at, one in enumerate(ordered) for other in ordered[at + 1 :]]
        if taken.isdisjoint(inner):
            taken.update(inner)
            ends = np.sort([(place[one], place[other]) for one, other in inner], axis=1)
            yield Mesh(np.array(rows), axis, ends, np.array([number_of[one] for one in inner]))


def _in_line(mesh: Mesh, centres: Floats, sizes: Floats) -> Mesh:
    """The mesh without the boxes that stand off its row or column now, along which the others may have changed."""
    at = centres[mesh.rows, mesh.axis]
    kept = np.abs(at - np.median(at)) < sizes[mesh.rows, mesh.axis] / 2
    order = np.argsort(centres[mesh.rows, 1 - mesh.axis], kind="stable")
    order = order[kept[order]]
    if len(order) == len(mesh.rows) and (np.diff(order) == 1).all():
        return mesh
    place = np.full(len(mesh.rows), -1, np.int64)
    place[order] = np.arange(len(order))
    inner = kept[mesh.ends].all(axis=1)
    return Mesh(mesh.rows[order], mesh.axis, np.sort(place[mesh.ends[inner]], axis=1), mesh.bundles[inner])


def _comb(mesh: Mesh, bus: float, side: int, centres: Floats, sizes: Floats) -> Iterator[tuple[Rect, Ints]]:
    """Lines with the bundles that run through each: stubs from the boxes, and the bus from foot to foot."""
    axis, outwards = mesh.axis, 1.0 if side % 2 else -1.0
    feet = centres[mesh.rows, 1 - axis].tolist()
    edges = (centres[mesh.rows, axis] + outwards * sizes[mesh.rows, axis] / 2).tolist()

    def line(first: tuple[float, float], last: tuple[float, float]) -> Rect:
        return (*first, *last) if axis else (*first[::-1], *last[::-1])

    first, last = mesh.ends.T
    for place, (foot, edge) in enumerate(zip(feet, edges, strict=True)):
        yield line((foot, edge), (foot, bus)), mesh.bundles[(first == place) | (last == place)]
    if len(feet) > MOST_IN_PIECES:
        yield line((feet[0], bus), (feet[-1], bus)), mesh.bundles
        return
    for place in range(len(feet) - 1):
        yield line((feet[place], bus), (feet[place + 1], bus)), mesh.bundles[(first <= place) & (last > place)]

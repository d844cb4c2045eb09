"""Bisection of tori and meshes: the closed form against every split of small ones, and only where it holds."""

import itertools
import math

import pytest

from designer.analysis.bisection import Bisection, bisection_bandwidth
from designer.analysis.diameter import diameter_hops
from designer.analysis.survey import survey
from designer.analysis.tori import Dimension, bisection_links, torus_bisection_gbps
from designer.model import operations
from designer.model.edit import Edit, removed
from designer.model.entities import End


def links_of(dimensions):
    """Pairs of nodes that a link joins."""
    sizes = [dimension.size for dimension in dimensions]
    number = {place: index for index, place in enumerate(itertools.product(*map(range, sizes)))}
    found = []
    for place, index in number.items():
        for axis, dimension in enumerate(dimensions):
            ahead = place[axis] + 1
            if ahead < dimension.size or dimension.ring:
                found.append((index, number[*place[:axis], ahead % dimension.size, *place[axis + 1 :]]))
    return len(number), found


def least_cut(dimensions):
    """By trying every split with node 0 on one side."""
    n_nodes, links = links_of(dimensions)
    half = n_nodes // 2
    best = len(links)
    for sizes in {half, n_nodes - half}:
        for rest in itertools.combinations(range(1, n_nodes), sizes - 1):
            side = 1 | sum(1 << node for node in rest)
            best = min(best, sum((side >> a ^ side >> b) & 1 for a, b in links))
    return best


def shape(*sizes, mesh=False):
    return [Dimension(size, not mesh and size > 2) for size in sizes]


SMALL = [
    (2,),
    (3,),
    (6,),
    (2, 2),
    (3, 3),
    (4, 3),
    (5, 3),
    (4, 2),
    (6, 2),
    (5, 2),
    (4, 4),
    (2, 2, 2),
    (3, 2, 2),
    (4, 2, 2),
]


@pytest.mark.parametrize("mesh", [False, True], ids=["torus", "mesh"])
@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_the_closed_form_is_the_least_of_all_splits(sizes, mesh):
    dimensions = shape(*sizes, mesh=mesh)
    found = bisection_links(dimensions)
    assert found in (None, least_cut(dimensions))
    # Of these only the longer odd ring with a dimension of two has no closed form.
    assert (found is None) == (sizes == (5, 2) and not mesh)


@pytest.mark.parametrize(("sizes", "links"), [((32, 32), 64), ((16, 16, 16), 512), ((2, 2, 2), 4), ((8, 4, 2), 16)])
def test_published_tori(sizes, links):
    """TPU v3 and v4 pods and the corner case of rings of two, of the published reference designs; 2N/k."""
    assert bisection_links(shape(*sizes)) == links
    longest = max(sizes)
    assert links == (math.prod(sizes) * 2 // longest if longest > 2 else math.prod(sizes) // 2)


@pytest.mark.parametrize(("dims", "mesh"), [((4, 4), False), ((4, 3), False), ((5, 3), True), ((4, 4, 4), False)])
def test_a_generated_one_is_measured_exactly(generate, dims, mesh):
    design = generate("torus", dims=dims, mesh=mesh)
    expected = bisection_links(shape(*dims, mesh=mesh)) * 400.0
    assert bisection_bandwidth(survey(design)) == Bisection(expected, True)


def test_one_drawn_by_hand_is_measured_too(drawing):
    drawing.add("generic-switch-12x400g", *(f"r{number}" for number in range(4)))
    drawing.add("dgx-h100", *(f"h{number}" for number in range(4)))
    design = drawing.design
    routers = [drawing.id(f"r{number}") for number in range(4)]
    design.apply(operations.move(design, {one: (200.0 * number, 0.0) for number, one in enumerate(routers)}))
    design.apply(operations.close_ring(design, routers))
    for number in range(4):
        drawing.join(f"h{number}", f"r{number}", 2)
    assert bisection_bandwidth(survey(design)) == Bisection(800.0, True)


def test_what_is_not_quite_a_torus_is_not_claimed_to_be_exact(generate, drawing):
    design = generate("torus", dims=(4, 4))
    link = next(link for link in design.links.values() if design.is_switch(link.a.device_id))
    broken = design.snapshot()
    broken.apply(Edit("cut", removed([link])))
    assert torus_bisection_gbps(survey(broken)) is None
    assert not bisection_bandwidth(survey(broken)).exact
    slow = generate("torus", dims=(4, 4), node="generic-host-400g")
    assert torus_bisection_gbps(survey(slow)) is None
    assert torus_bisection_gbps(survey(generate("dragonfly", p=1, a=2, h=1))) is None


def test_a_twisted_torus_is_no_torus(drawing):
    """Rings of four whose second dimension comes round one step off: as many nodes, other cuts."""
    names = {(x, y): f"r{x}{y}" for x in range(4) for y in range(4)}
    drawing.add("generic-switch-12x400g", *names.values())
    drawing.add("dgx-h100", *(f"h{name}" for name in names.values()))
    for name in names.values():
        drawing.join(f"h{name}", name, 4)
    design = drawing.design
    ports = [port.name for port in design.ports(drawing.id("r00"))]
    taken = design.used_ports(drawing.id("r00"))
    assert set(ports[:4]) == set(taken)
    assert torus_bisection_gbps(survey(design)) is None
    for (x, y), name in names.items():
        ahead = names[(x + 1) % 4, y]
        above = names[(x + (y == 3)) % 4, (y + 1) % 4]
        for other, pair in ((ahead, 4), (above, 6)):
            design.apply(
                operations.connect(design, End(drawing.id(name), ports[pair]), End(drawing.id(other), ports[pair + 1]))
            )
    assert torus_bisection_gbps(survey(design)) is None


@pytest.mark.parametrize(("rings", "is_torus"), [([0, 1, 2, 3], True), ([0, 2, 1, 3], False)])
def test_rings_of_one_size_are_a_torus_where_all_go_through_their_columns_in_one_order(drawing, rings, is_torus):
    """Sixteen routers in four rings of four, each column a ring too; one ring may have its routers in another order."""
    names = [[f"r{x}{y}" for x in range(4)] for y in range(4)]
    drawing.add("generic-switch-12x400g", *(name for row in names for name in row))
    drawing.add("dgx-h100", *(f"h{name}" for row in names for name in row))
    for name in (name for row in names for name in row):
        drawing.join(f"h{name}", name, 4)
    design = drawing.design
    ports = [port.name for port in design.ports(drawing.id("r00"))]
    ahead = [list(range(4)), list(range(4)), rings, list(range(4))]
    steps = [(names[y][row[n]], names[y][row[(n + 1) % 4]], 4) for y, row in enumerate(ahead) for n in range(4)]
    steps += [(names[y][x], names[(y + 1) % 4][x], 6) for x in range(4) for y in range(4)]
    for one, other, port in steps:
        ends = End(drawing.id(one), ports[port]), End(drawing.id(other), ports[port + 1])
        design.apply(operations.connect(design, *ends))
    assert torus_bisection_gbps(survey(design)) == (8 * 400.0 if is_torus else None)


@pytest.mark.parametrize("mesh", [False, True], ids=["torus", "mesh"])
@pytest.mark.parametrize("dims", [(4, 3), (5, 5), (2, 3, 4), (7,), (2, 2)], ids=str)
def test_the_diameter_is_that_of_networkx(generate, dims, mesh):
    networkx = pytest.importorskip("networkx")
    design = generate("torus", dims=dims, mesh=mesh)
    _, links = links_of(shape(*dims, mesh=mesh))
    expected = networkx.diameter(networkx.Graph(links))
    assert diameter_hops(survey(design)) == expected
    cut = design.snapshot()
    link = next(link for link in cut.links.values() if cut.is_switch(link.a.device_id))
    cut.apply(Edit("cut", removed([link])))
    graph = networkx.Graph(
        (one.a.device_id, one.b.device_id) for one in cut.links.values() if cut.is_switch(one.a.device_id)
    )
    if networkx.is_connected(graph) and len(graph) == len(cut.switches()):
        assert diameter_hops(survey(cut)) == networkx.diameter(graph)


def test_a_torus_of_4096_nodes_is_measured_without_searching(generate):
    surveyed = survey(generate("torus", dims=(16, 16, 16)))
    assert diameter_hops(surveyed) == 24
    assert bisection_bandwidth(surveyed) == Bisection(512 * 400.0, True)

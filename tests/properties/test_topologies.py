"""What holds for every generated fabric, whatever the parameters."""

from collections import Counter

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from designer.analysis.survey import link_kind, survey
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.matching import port_compatibility
from designer.placement.metrics import GAP, box_size
from designer.placement.tiers import arrange
from designer.topologies import (
    dragonfly,
    dragonfly_plus,
    fat_tree,
    free_graph,
    hyperx,
    jellyfish,
    k_ary_fat_tree,
    pgft,
    rail_optimized,
    slim_fly,
    torus,
)
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.free_graph import GraphParameters
from designer.topologies.hyperx import HyperXParameters
from designer.topologies.jellyfish import JellyfishParameters
from designer.topologies.k_ary_fat_tree import KAryFatTreeParameters
from designer.topologies.pgft import PgftParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.sizing import even_spread
from designer.topologies.slim_fly import SlimFlyParameters
from designer.topologies.torus import TorusParameters

CATALOG = load()

ratios = st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0, 1.1])
generic_switches = st.integers(2, 24).map(lambda ports: f"generic-switch-{ports}x400g")
switches = st.one_of(generic_switches, st.just("nvidia-qm9700"), st.just("nvidia-sn5600"))
servers = st.sampled_from(["generic-host", "dgx-h100", "hgx-h100-oem"])

fat_trees = st.builds(
    FatTreeParameters,
    switch=switches,
    server=servers,
    servers=st.integers(1, 24),
    oversubscription=ratios,
    nics_per_server=st.none() | st.integers(1, 8),
    reserve_leaf_ports=st.integers(0, 3),
    link_rate_gbps=st.sampled_from([None, None, None, 400.0, 800.0]),
    tiers=st.sampled_from(["auto", "auto", "2", "3"]),
    planes=st.sampled_from([1, 1, 1, 2]),
    spine_oversubscription=ratios,
    racks=st.sampled_from(["auto", "none"]),
)
rail_optimizeds = st.builds(
    RailOptimizedParameters,
    switch=switches,
    server=servers,
    servers=st.integers(1, 40),
    servers_per_su=st.none() | st.integers(1, 12),
    rails=st.none() | st.sampled_from([1, 2, 4, 8]),
    rail_only=st.booleans(),
    oversubscription=ratios,
    reserve_leaf_ports=st.integers(0, 3),
    link_rate_gbps=st.sampled_from([None, None, 800.0]),
    tiers=st.sampled_from(["auto", "auto", "2", "3"]),
    planes=st.sampled_from([1, 1, 2]),
    spine_groups=st.sampled_from(["rail", "common"]),
    spine_oversubscription=ratios,
    racks=st.sampled_from(["auto", "none"]),
)


@st.composite
def pgfts(draw: st.DrawFn) -> PgftParameters:
    levels = draw(st.integers(1, 3))
    rows = [draw(st.tuples(*[st.integers(1, most)] * levels)) for most in (4, 3, 2)]
    return PgftParameters(*rows)


plain_tori = st.builds(
    TorusParameters,
    dims=st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple),
    mesh=st.booleans(),
    node=st.sampled_from(["generic-host", "dgx-h100"]),
)
tori = plain_tori | st.sampled_from(
    [
        TorusParameters((4, 4), cube=(2, 2)),
        TorusParameters((4, 2, 2), cube=(2, 2, 1), mesh=True, ocs_ports=2),
        TorusParameters((3, 6), twisted=True, cube=(3, 3)),
        TorusParameters((3, 3), dimension_rates_gbps=(400.0, 100.0)),
    ]
)
small = st.integers(1, 3)
dragonflies = st.builds(
    DragonflyParameters,
    p=small,
    a=st.integers(1, 5),
    h=small,
    groups=st.none() | st.integers(1, 6),
    arrangement=st.sampled_from(["relative", "absolute", "circulant", "even"]),
    other_groups=st.sampled_from([(), (("service", (1, 2, 1)),), (("service", (2, 3, 0)), ("io", (1, 1, 2, 4)))]),
)
dragonflies_plus = st.builds(
    DragonflyPlusParameters,
    leafs=small,
    spines=small,
    p=small,
    h=small,
    groups=st.none() | st.integers(1, 6),
    leaf_spine_links=st.sampled_from([1, 1, 2]),
    arrangement=st.sampled_from(["relative", "even"]),
    other_groups=st.sampled_from([(), (("io", (1, 1, 2, 3)),)]),
)
hyperxes = st.integers(1, 3).flatmap(
    lambda n: st.builds(
        HyperXParameters,
        dims=st.tuples(*[st.integers(2, 4)] * n),
        widths=st.none() | st.tuples(*[small] * n),
        p=small,
    )
)
slim_flies = st.builds(SlimFlyParameters, q=st.sampled_from([3, 4, 5]), p=st.none() | small)
jellyfishes = st.builds(
    JellyfishParameters, switches=st.sampled_from([4, 6, 10]), degree=small, p=small, seed=st.integers(0, 50)
)
free_graphs = st.sampled_from(
    [("cycle", "5"), ("grid", "2,3"), ("star", "4"), ("path", "2"), ("path", "3"), ("random", "6,9,4"), ("wheel", "5")]
).map(lambda one: GraphParameters(graph=one[0], arguments=one[1]))

fabrics = st.one_of(
    hyperxes.map(lambda parameters: (hyperx, parameters)),
    slim_flies.map(lambda parameters: (slim_fly, parameters)),
    jellyfishes.map(lambda parameters: (jellyfish, parameters)),
    free_graphs.map(lambda parameters: (free_graph, parameters)),
    tori.map(lambda parameters: (torus, parameters)),
    dragonflies.map(lambda parameters: (dragonfly, parameters)),
    dragonflies_plus.map(lambda parameters: (dragonfly_plus, parameters)),
    st.sampled_from([2, 4, 6]).map(lambda k: (k_ary_fat_tree, KAryFatTreeParameters(k))),
    fat_trees.map(lambda parameters: (fat_tree, parameters)),
    rail_optimizeds.map(lambda parameters: (rail_optimized, parameters)),
    pgfts().map(lambda parameters: (pgft, parameters)),
)


def built(family, parameters):
    design = Design()
    try:
        edit = family.build(design, parameters, CATALOG)
    except ParameterError:
        assume(False)
    design.apply(edit)
    return design, edit


@given(fabrics)
@settings(max_examples=150)
def test_what_is_counted_is_what_is_built(fabric):
    family, parameters = fabric
    design, _ = built(family, parameters)
    counts = family.counts(parameters, CATALOG)
    surveyed = survey(design)
    links = Counter(link_kind(surveyed, run) for run in surveyed.runs)
    assert counts.servers == len(design.servers())
    assert counts.endpoints == sum(design.types[server.type_id].gpus for server in design.servers())
    assert counts.switches == Counter(device.role for device in design.switches())
    assert counts.links == links
    assert counts.racks == len(design.racks)
    assert counts.nics == len(design.modules)


@given(fabrics)
@settings(max_examples=60)
def test_counting_and_building_refuse_the_same_parameters(fabric):
    family, parameters = fabric
    refusals = []
    for ask in (lambda: family.build(Design(), parameters, CATALOG), lambda: family.counts(parameters, CATALOG)):
        try:
            ask()
            refusals.append(None)
        except ParameterError as error:
            refusals.append(str(error))
    assert refusals[0] == refusals[1]


@given(fabrics)
@settings(max_examples=100)
def test_every_link_joins_two_ports_that_a_cable_joins_and_no_port_has_two(fabric):
    design, _ = built(*fabric)
    used = Counter()
    for link in design.links.values():
        a, b = design.port(link.a), design.port(link.b)
        assert a is not None and b is not None
        assert port_compatibility(a, b) is None
        used.update([link.a, link.b])
    assert not used or max(used.values()) == 1
    for device in design.devices.values():
        assert not set(device.reserved_ports) & set(design.used_ports(device.id))


@given(fabrics)
@settings(max_examples=60)
def test_names_are_unique_and_undo_takes_everything_back(fabric):
    design, edit = built(*fabric)
    for table in (design.devices, design.racks, design.groups):
        names = [entity.name for entity in table.values()]
        assert len(set(names)) == len(names)
    design.apply(edit.inverted())
    assert [entity.id for entity in design.entities()] == ["settings"]


@given(st.one_of(fat_trees.map(lambda p: (fat_tree, p)), rail_optimizeds.map(lambda p: (rail_optimized, p))))
@settings(max_examples=60)
def test_switches_are_joined_to_those_above_alike_and_within_the_ratio(fabric):
    """Two switches of a tier share all switches above them or none, and all links are spread evenly."""
    design, _ = built(*fabric)
    role = {device.id: device.role for device in design.devices.values()}
    for below, above, ratio in (
        ("leaf", "spine", fabric[1].oversubscription),
        ("spine", "core", fabric[1].spine_oversubscription),
    ):
        pairs = Counter(
            (link.a.device_id, link.b.device_id)
            for link in design.links.values()
            if (role[link.a.device_id], role[link.b.device_id]) == (below, above)
        )
        if not pairs:
            continue
        assert len(set(pairs.values())) == 1
        reached: dict[str, set[str]] = {}
        for low, high in pairs:
            reached.setdefault(low, set()).add(high)
        assert set(reached) == {one for one, is_role in role.items() if is_role == below}
        together = set(map(frozenset, reached.values()))
        assert sum(map(len, together)) == len(set().union(*together))
        for low in reached:
            down = up = 0.0
            for link in design.links_of(low):
                rate = design.port(link.a).rate_gbps
                down, up = (down, up + rate) if link.a.device_id == low else (down + rate, up)
            assert down <= up * ratio * (1 + 1e-9)


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 200))
def test_the_even_spread_is_the_smallest_divisor_that_holds_all_uplinks(uplinks, leafs, radix):
    assume(leafs <= radix)
    spines = even_spread(uplinks, leafs, radix)
    assert uplinks % spines == 0
    assert spines * radix >= leafs * uplinks
    assert uplinks // spines * leafs <= radix
    assert not any(uplinks % s == 0 and s * radix >= leafs * uplinks for s in range(1, spines))


@given(st.integers(0, 40), st.integers(1, 40), st.lists(st.integers(1, 30), min_size=1, max_size=3))
@settings(max_examples=150)
def test_no_boxes_of_any_layout_overlap(n_top, n_blocks, tiers):
    layout = arrange(n_top, n_blocks, tiers)
    switch, server = box_size(True), box_size(False)
    boxes = [(point, switch) for point in layout.top]
    for block in layout.blocks:
        assert [len(tier) for tier in block] == tiers
        for number, tier in enumerate(block, start=1):
            boxes += [(point, switch if number < len(tiers) else server) for point in tier]
    assert len(layout.top) == n_top
    cells: dict[tuple[int, int], list[tuple[tuple[float, float], tuple[float, float]]]] = {}
    for (x, y), size in boxes:
        cell = int(x // 160), int(y // 80)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for (ox, oy), other in cells.get((cell[0] + dx, cell[1] + dy), ()):
                    apart_x = abs(x - ox) - (size[0] + other[0]) / 2
                    apart_y = abs(y - oy) - (size[1] + other[1]) / 2
                    assert max(apart_x, apart_y) >= GAP - 0.2
        cells.setdefault(cell, []).append(((x, y), size))

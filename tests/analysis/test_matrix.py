"""A matrix counts every link where it belongs, and gathers what would be too many lines."""

import numpy as np
import pytest

from designer.analysis.matrix import NOTHING, caption, matrix_of
from designer.analysis.matrix_axes import AXES, ORDERS, OUTSIDE, Axes, ordered_lines
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design


@pytest.fixture(scope="module")
def fabric(generate):
    """Two units of two servers, eight rails; spines that belong to no unit."""
    return generate("rail-optimized", servers=4, servers_per_su=2)


def by_hand(design, row_ids, column_ids):
    """Links between two sets of devices, counted one by one."""
    ends = [(link.a.device_id, link.b.device_id) for link in design.links.values()]
    return sum((a in row_ids and b in column_ids) or (b in row_ids and a in column_ids) for a, b in ends)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ("leaf", "spine"),
        ("server", "leaf"),
        ("rail", "unit"),
        ("group", "group"),
        ("switch", "switch"),
        ("rack", "group"),
    ],
)
def test_each_cell_counts_the_links_between_its_row_and_its_column(fabric, rows, columns):
    matrix = matrix_of(Axes(fabric), rows, columns)
    of_row, of_column = matrix.rows.of_device, matrix.columns.of_device
    for row in range(len(matrix.rows)):
        for column in range(len(matrix.columns)):
            row_ids = {one for one, number in of_row.items() if number == row}
            column_ids = {one for one, number in of_column.items() if number == column}
            expected = by_hand(fabric, row_ids, column_ids)
            assert matrix.counts[row, column] == expected == len(matrix.links_in(row, column))


def test_leaf_switches_by_spines_come_first_and_rails_by_units_have_the_links_of_servers(fabric):
    axes = Axes(fabric)
    usual = matrix_of(axes, "leaf", "spine")
    assert (
        usual.n_links == usual.counts.sum() == by_hand(fabric, set(usual.rows.of_device), set(usual.columns.of_device))
    )
    rails = matrix_of(axes, "rail", "unit")
    assert rails.rows.labels == tuple(f"rail {number}" for number in range(1, 9))
    assert rails.columns.labels == ("unit 1", "unit 2")
    assert (rails.counts == 2).all()


def test_what_a_design_has_several_of_is_shown_first(fabric, generate):
    assert Axes(generate("pgft", children=(2, 2), parents=(1, 2))).usual() == ("leaf", "spine")
    assert Axes(fabric).usual() == ("rail", "unit")  # there is but one spine
    assert Axes(generate("dragonfly", p=1, a=2, h=1)).usual() == ("group", "group")


def test_what_is_in_no_group_has_a_row_of_its_own(generate):
    design = generate("dragonfly", p=1, a=2, h=1)
    before = matrix_of(Axes(design), "group", "group")
    assert OUTSIDE not in before.rows.labels
    types = load().types
    design.apply(operations.add_device(design, types["nvidia-qm9700"], 0, 0, catalog_types=types))
    after = matrix_of(Axes(design), "group", "group")
    assert after.rows.labels == (*before.rows.labels, OUTSIDE)


def test_a_cell_has_the_busier_direction_and_between_alike_the_one_from_row_to_column(generate):
    design = generate("dragonfly", p=1, a=2, h=1)
    matrix = matrix_of(Axes(design), "group", "group")
    group_of = matrix.rows.of_device
    link = next(one for one in design.links.values() if group_of[one.a.device_id] != group_of[one.b.device_id])
    loads = np.zeros((len(matrix.link_ids), 2))
    loads[matrix.number_of[link.id]] = 0.9, 0.2
    a, b = group_of[link.a.device_id], group_of[link.b.device_id]
    assert matrix.is_one_way
    assert (matrix.worst(loads)[a, b], matrix.worst(loads)[b, a]) == (0.9, 0.2)
    hot = matrix.counted(loads > 0.8)
    assert (hot[a, b], hot[b, a]) == (1, 0)
    flat = matrix_of(Axes(design), "switch", "group")
    row = flat.rows.of_device[link.b.device_id]
    assert not flat.is_one_way
    assert flat.worst(loads)[row, flat.columns.of_device[link.a.device_id]] == 0.9


def test_cells_without_links_have_no_load(generate):
    matrix = matrix_of(Axes(generate("pgft", children=(2, 2), parents=(1, 2))), "server", "leaf")
    worst = matrix.worst(np.zeros((len(matrix.link_ids), 2)))
    assert ((worst == NOTHING) == (matrix.counts == 0)).all()
    assert (matrix.counts == 0).any()


def test_neighbors_are_gathered_where_there_would_be_too_many_lines(generate):
    axes = Axes(generate("pgft", children=(8, 8), parents=(1, 4)))
    whole, gathered = matrix_of(axes, "server", "leaf"), matrix_of(axes, "server", "leaf", most=10)
    assert whole.shape == (64, 8)
    assert gathered.shape == (10, 8)
    assert gathered.counts.sum() == whole.counts.sum()
    assert gathered.rows.labels[0] == f"{whole.rows.labels[0]} … {whole.rows.labels[6]}"
    assert len(gathered.rows.members[0]) == 7
    assert caption(gathered) == "64 servers × 8 leaf switches, 64 links"


def test_switches_of_hidden_networks_are_left_out(generate):
    design = generate("pgft", children=(2, 2), parents=(1, 2))
    assert matrix_of(Axes(design, frozenset({"compute"})), "leaf", "spine").n_links == 0


def test_a_kind_that_there_is_not_is_refused_with_those_there_are(fabric):
    with pytest.raises(ParameterError, match="choose server, leaf, spine"):
        matrix_of(Axes(fabric), "leafs", "spine")
    with pytest.raises(ParameterError, match="has no cores for a matrix; it has server, leaf, spine"):
        matrix_of(Axes(fabric), "leaf", "core")
    with pytest.raises(ParameterError, match="it has nothing"):
        matrix_of(Axes(Design()))
    assert len({kind.name for kind in AXES}) == len(AXES)


@pytest.mark.parametrize("which", ["nothing", "a switch", "a server", "rails", "routers", "racks of no device"])
def test_kinds_are_offered_that_a_design_has_any_of(which, generate, catalog, fabric):
    design = Design()
    if which == "a switch":
        design.apply(operations.add_device(design, catalog.switches()[0], 0, 0, catalog_types=catalog.types))
    elif which == "a server":
        design.apply(operations.add_device(design, catalog.servers()[0], 0, 0, catalog_types=catalog.types))
    elif which == "rails":
        design = fabric
    elif which == "routers":
        design = generate("dragonfly")
    elif which == "racks of no device":
        design.apply(operations.add_rack(design, catalog.racks()[0], 0, 0, "r-01"))
    axes = Axes(design)
    assert axes.kinds() == tuple(kind for kind in AXES if Axes(design).count(kind.name))
    assert bool(axes.kinds()) == bool(design.devices)


def test_groups_that_are_linked_to_each_other_count_links_between_switches_alone(generate):
    """Links of servers on the diagonal would look like links inside of a group."""
    design = generate("dragonfly", p=2, a=4, h=2)
    matrix = matrix_of(Axes(design), "group", "group")
    inside = by_hand_of_switches(design, matrix.rows.of_device)
    assert np.diag(matrix.counts).tolist() == [6] * 9 and inside == 6 * 9
    assert caption(matrix) == "9 groups × 9 groups, 90 links between switches"
    assert matrix_of(Axes(design), "group", "unit").n_links > matrix.n_links, "other pairs are as they were"


def by_hand_of_switches(design, row_of):
    ends = [(link.a.device_id, link.b.device_id) for link in design.links.values()]
    return sum(row_of[a] == row_of[b] for a, b in ends if design.is_switch(a) and design.is_switch(b))


def test_groups_that_are_not_linked_to_each_other_keep_the_links_of_their_servers(generate, fabric):
    for design in (generate("pgft", children=(2, 2), parents=(1, 2)), fabric):
        matrix = matrix_of(Axes(design), "group", "group") if Axes(design).count("group") else None
        if matrix is not None:
            assert not matrix.is_of_switches and not matrix.contents.endswith("switches")
    assert matrix_of(Axes(fabric), "group", "group").n_links == len(fabric.links)


@pytest.fixture(scope="module")
def four_units(generate):
    """Two leaf switches per unit, one for each rail."""
    return generate("rail-optimized", servers=8, servers_per_su=2, rails=2)


def rails_and_units(design, axis):
    return [(design.devices[one].rail, design.devices[one].unit) for (one,) in axis.members]


def test_rows_stand_by_rail_or_by_unit_and_within_as_the_design_has_them(four_units):
    axes = {order: Axes(four_units, order=order).axis("leaf") for order, _ in ORDERS}
    units = range(1, 5)
    assert rails_and_units(four_units, axes["rail"]) == [(rail, unit) for rail in (1, 2) for unit in units]
    assert rails_and_units(four_units, axes["unit"]) == [(rail, unit) for unit in units for rail in (1, 2)]
    assert axes["plane"].labels == axes["design"].labels, "none has a plane"
    assert sorted(axes["rail"].of_device) == sorted(axes["design"].of_device)
    groups = Axes(four_units, order="unit").axis("rack")
    least = [
        min(four_units.devices[one].unit or 99 for one in groups.of_device if groups.of_device[one] == row)
        for row in range(len(groups))
    ]
    assert least == sorted(least)


def test_names_are_in_natural_order_and_those_in_none_come_last():
    lines = [(name, [name], [name]) for name in ("b10", "b9", "a")]
    assert [label for label, *_ in ordered_lines(Design(), lines, "name")] == ["a", "b9", "b10"]


def test_devices_without_a_rail_stand_after_those_with_one(four_units):
    axis = Axes(four_units, order="rail").axis("switch")
    rails = [four_units.devices[one].rail for (one,) in axis.members]
    first_none = rails.index(None)
    assert first_none > 0 and set(rails[first_none:]) == {None} and None not in rails[:first_none]


def test_each_cell_of_another_order_counts_the_links_of_the_same_pair(four_units):
    usual, by_rail = (matrix_of(Axes(four_units, order=order), "leaf", "spine") for order in ("design", "rail"))
    places = [usual.rows.labels.index(label) for label in by_rail.rows.labels]
    assert places != sorted(places) and (by_rail.counts == usual.counts[places]).all()


def test_an_order_that_there_is_not_names_those_there_are(four_units):
    with pytest.raises(ParameterError, match="choose design, name, rail, unit, plane"):
        Axes(four_units, order="color").axis("leaf")

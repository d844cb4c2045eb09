"""A design as it was handed over, and change orders between its states."""

import functools

from designer.analysis.cable_numbers import number_cables
from designer.analysis.optical_parts import optical_parts
from designer.catalog.catalog import load
from designer.exchange.cable_plan import cable_rows
from designer.exchange.plans.change_order import change_order
from designer.exchange.plans.snapshot import snapshot_of
from designer.model.design import Design
from designer.placement.preparation import prepare
from designer.topologies import fat_tree, rail_optimized

CATALOG = load()
PARTS = optical_parts(CATALOG.types.values())


@functools.cache
def base(kind):
    """A design as it was handed over: in racks on the floor, routed, with cables chosen and numbered."""
    made = Design()
    if kind == "rail":
        parameters = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=2)
        made.apply(rail_optimized.build(made, parameters, CATALOG))
    else:
        made.apply(fat_tree.build(made, fat_tree.FatTreeParameters(servers=4), CATALOG))
    made.apply(prepare(made, CATALOG.types).edit)
    made.apply(number_cables(made))
    return made


def rows_of(design):
    return cable_rows(design, parts=PARTS)


def plan_of(design):
    return snapshot_of(design, rows_of(design))


def order_between(old, new):
    return change_order(plan_of(old), plan_of(new))

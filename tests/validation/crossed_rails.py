"""A rail-optimized fabric with a link on the leaf switch of another rail, where fixes get in each other's way."""

from dataclasses import replace

from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.placement.preparation import prepare
from designer.topologies import rail_optimized


def crossed(catalog, *, is_prepared=False):
    """The link of gpu-01 for rail 1 is on the leaf of rail 2, and the leaf of rail 1 lacks an uplink.

    More uplinks for the leaf of rail 2 are uneven and too many once the link is back, and the link brought back alone
    oversubscribes the leaf of rail 1. Prepared, its cable is too short for where it leads now.
    """
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=12, servers_per_su=8, reserve_leaf_ports=2)
    design.apply(rail_optimized.build(design, parameters, catalog))
    if is_prepared:
        design.apply(prepare(design, catalog.types).edit)
    server, own, other = (design.find(name).id for name in ("gpu-01", "leaf-su1-r1", "leaf-su1-r2"))
    (link,) = (one for one in design.links_of(server) if own in (one.a.device_id, one.b.device_id))
    end = End(other, next(iter(design.free_ports(other))).name)
    moved = replace(link, a=end) if link.a.device_id == own else replace(link, b=end)
    design.apply(Edit("Cross a rail", (Change(link, moved),)))
    up = next(one for one in design.links_of(own) if not {one.a.device_id, one.b.device_id} & servers_of(design))
    design.apply(operations.delete(design, [up.id]))
    return design


def servers_of(design):
    """Ids of the servers."""
    return {one.id for one in design.devices.values() if design.is_server(one.id)}

"""Which ports of leafs are kept for management appliances, in a planned fabric."""

from designer.errors import ParameterError
from designer.topologies.leaf_spine_plan import LeafSpinePlan
from designer.units import format_count, format_counted


def reserved_ports(plan: LeafSpinePlan) -> dict[int, tuple[int, ...]]:
    """Leaf ports kept for management appliances: leaf number to port numbers, all from 0.

    One port a leaf in turn, first on the leafs of the last unit where it lacks servers, then on any leaf with a port to
    spare. Raises ParameterError where fewer ports are free than are to be reserved.
    """
    wanted = plan.reserve_leaf_ports
    if not wanted:
        return {}
    n_ports = plan.kit.leaf.ports_down(plan.n_uplinks)
    full_use = _ports_in_use(plan, plan.servers_per_unit)
    last_use = _ports_in_use(plan, plan.servers_in(plan.n_units - 1))
    last = [(plan.n_leafs - plan.leafs_per_unit + leaf, last_use[leaf]) for leaf in range(plan.leafs_per_unit)]
    others = [(leaf, full_use[leaf % plan.leafs_per_unit]) for leaf in range(plan.n_leafs - plan.leafs_per_unit)]
    chosen: dict[int, list[int]] = {}
    free_in_all = 0
    for leafs in (last, others):
        free = [(leaf, [port for port in range(n_ports) if port not in used]) for leaf, used in leafs]
        free_in_all += sum(len(ports) for _, ports in free)
        for turn in range(max(len(ports) for _, ports in free) if free else 0):
            for leaf, ports in free:
                if turn < len(ports) and wanted:
                    chosen.setdefault(leaf, []).append(ports[turn])
                    wanted -= 1
    if wanted:
        raise ParameterError(_too_few_to_reserve(plan, free_in_all))
    return {leaf: tuple(sorted(ports)) for leaf, ports in chosen.items()}


def _too_few_to_reserve(plan: LeafSpinePlan, n_free: int) -> str:
    """Says how many ports the whole fabric has free, and the two ways out."""
    servers = format_counted(plan.n_servers, "server")
    free = f"{format_count(n_free)} {'is' if n_free == 1 else 'are'} free"
    fewer = f"servers, each of which uses {format_counted(len(plan.kit.server.ports), 'leaf port')}"
    way_out = f"Reserve at most {format_count(n_free)}, or generate fewer" if n_free else "Generate fewer"
    return (
        f"{format_counted(plan.reserve_leaf_ports, 'leaf port')} cannot be reserved: with {servers}, {free} "
        f"in the whole fabric. {way_out} {fewer}"
    )


def _ports_in_use(plan: LeafSpinePlan, n_servers: int) -> list[frozenset[int]]:
    """Ports that the first `n_servers` of a unit take, leaf by leaf."""
    taken: list[set[int]] = [set() for _ in range(plan.leafs_per_unit)]
    for server in plan.sockets[:n_servers]:
        for leaf, port in server:
            taken[leaf].add(port)
    return [frozenset(ports) for ports in taken]

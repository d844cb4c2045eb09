"""The network between groups of a scale-up fabric: a leaf switch per group and NIC of a tray, under common spines."""

from collections.abc import Callable, Iterator
from functools import partial

from designer.model.hardware.device_ports import switch_ports
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Layer, Links, Wire
from designer.topologies.scale_up_plan import Plan, Rails


def rail_layers(plan: Plan, rails: Rails, group_of: Callable[[int], Callable[[int], int] | None]) -> tuple[Layer, ...]:
    """Its leaf switches and, where there are any, its spines; `group_of` gives groups for so many devices each."""
    n_rails, groups = len(rails.ports), plan.parameters.groups
    fields = {"port_mode": rails.mode.name} if rails.mode.name != rails.switch.modes[0].name else {}

    def ports() -> list[str]:
        return [port.name for port in switch_ports(rails.switch, rails.mode.name)]

    def leaf_name(number: int) -> str:
        group, rail = divmod(number, n_rails)
        unit = f"g{padded(group + 1, groups)}-" if groups > 1 else ""
        return f"rail-{unit}{padded(rail + 1, n_rails, 1)}"

    leafs = Layer(
        rails.n_leafs,
        rails.switch,
        ports,
        leaf_name,
        role="leaf",
        fields=fields,
        own=lambda: ({"rail": number % n_rails + 1} for number in range(rails.n_leafs)),
        group=group_of(n_rails),
    )
    if not rails.n_spines:
        return (leafs,)
    n = rails.n_spines
    return leafs, Layer(
        n, rails.switch, ports, lambda number: f"spine-{padded(number + 1, n)}", role="spine", fields=fields
    )


def rail_links(plan: Plan, rails: Rails, servers: int, leafs: int) -> tuple[Links, ...]:
    """Its links, by the numbers of the layers of trays and of its leaf switches; its spines follow these."""
    down = Links("server-leaf", plan.n_servers * len(rails.ports), servers, leafs, partial(_down_wires, plan, rails))
    if not rails.n_spines:
        return (down,)
    return down, Links("leaf-spine", rails.n_leafs * rails.uplinks, leafs, leafs + 1, partial(_up_wires, plan, rails))


def _down_wires(plan: Plan, rails: Rails) -> Iterator[Wire]:
    per_group = plan.parameters.servers
    for tray in range(plan.n_servers):
        group, place = divmod(tray, per_group)
        for rail, port in enumerate(rails.ports):
            yield tray, port, group * len(rails.ports) + rail, place


def _up_wires(plan: Plan, rails: Rails) -> Iterator[Wire]:
    lanes = rails.uplinks // rails.n_spines
    for leaf in range(rails.n_leafs):
        for spine in range(rails.n_spines):
            for lane in range(lanes):
                yield leaf, plan.parameters.servers + spine * lanes + lane, spine, leaf * lanes + lane

"""Rules about how networks other than compute are used: second paths, management, ports that nothing takes."""

from collections.abc import Iterator

from designer.analysis.connectivity import components
from designer.model.entities import order_key
from designer.model.hardware.ports import Port
from designer.model.matching import port_compatibility
from designer.model.networks import COMPUTE, NETWORKS, OUT_OF_BAND, PURPOSE_OF, WORDS, network_of_switch
from designer.units import format_counted
from designer.validation.findings import Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, Stated, rule
from designer.validation.scope import CABLING, SETTINGS
from designer.validation.sources import DATA_SHEETS, HPN, SUPERPOD_NETWORKS
from designer.validation.subjects import listed


@rule(
    "NET-004",
    Severity.WARNING,
    "Server without a second path",
    "A server on one switch of a network loses that network with the switch.",
    example="A storage network whose servers are linked to one leaf switch each, where the policy asks for two.",
    remedy="Link the servers to a second switch of the network, or take the network off the policy.",
    policy=("second_path",),
    source=f"{HPN}: each NIC on two leaf switches. Which networks are meant is for the policy of the design to say.",
    reads=(*CABLING, SETTINGS),
)
def one_path(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds servers that are linked to one switch of a network only, in networks where the policy asks for two.

    One finding for each network.
    """
    wanted = seen.design.policy.second_path
    linked: dict[str, dict[str, set[str]]] = {network: {} for network in NETWORKS if network in wanted}
    for run in seen.survey.runs if linked else ():
        its = linked.get(run.network)
        if its is not None and not run.managing and seen.design.is_server(run.low.device_id):
            its.setdefault(run.low.device_id, set()).add(run.high.device_id)
    for network, switches in linked.items():
        single = sorted((one for one, its in switches.items() if len(its) < 2), key=order_key)
        if single:
            names, verb = listed([seen.name(one) for one in single]), "is" if len(single) == 1 else "are"
            yield this.finding(
                f"{names} {verb} linked to one switch of the {WORDS[network]} only",
                tuple(single),
                value=1,
                limit=2,
                aspect=network,
            )
        elif not switches:
            yield this.not_checked(f"no {seen.server_word} is linked to the {WORDS[network]}")


@rule(
    "NET-005",
    Severity.WARNING,
    "Switch that nothing can manage",
    "A switch whose management port leads nowhere cannot be configured, watched or updated.",
    example="An out-of-band network for servers, while no management port of a switch is linked to it.",
    remedy="Link the management ports of the switches to the out-of-band network, and its switches to each other.",
    source=SUPERPOD_NETWORKS,
    reads=CABLING,
)
def unmanaged(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds switches that state a management port and are linked to no out-of-band switch, or to one on its own.

    One finding for all where none is linked; single ones, where others are linked, are NET-002's.
    """
    design = seen.design
    if not any(network_of_switch(switch) == OUT_OF_BAND for switch in design.switches()):
        return
    managers = {run.low.device_id: run.high.device_id for run in seen.survey.runs if run.managing}
    stating = [
        switch.id
        for switch in design.switches()
        if network_of_switch(switch) != OUT_OF_BAND and design.management_ports(switch.id)
    ]
    if not managers:
        if stating:
            verb = "has" if len(stating) == 1 else "have"
            yield this.finding(
                f"{listed([seen.name(one) for one in stating])} {verb} a management port that is not linked to the "
                f"{WORDS[OUT_OF_BAND]}",
                tuple(stating),
                value=0,
                limit=len(stating),
            )
        return
    pieces = components(seen.survey_of(OUT_OF_BAND))
    piece_of = {one: number for number, piece in enumerate(pieces) for one in piece}
    serving = {number for number, piece in enumerate(pieces) if len(piece) > 1 and any(map(design.is_server, piece))}
    alone: dict[str, list[str]] = {}
    for switch, manager in managers.items():
        if serving and piece_of.get(manager) not in serving:
            alone.setdefault(manager, []).append(switch)
    for manager, switches in alone.items():
        verb = "is" if len(switches) == 1 else "are"
        yield this.finding(
            f"{listed([seen.name(one) for one in switches])} {verb} managed through {seen.name(manager)}, "
            "which nothing else of the out-of-band network reaches",
            (*switches, manager),
            value=0,
            limit=len(switches),
            aspect=manager,
        )


@rule(
    "NET-006",
    Severity.INFO,
    "Free ports that nothing drawn can take",
    "The leaf looks as if it had room, but what is still to be linked does not fit its ports.",
    example="A storage leaf with four ports of 100G left, while the servers without a link have ports of 200G.",
    remedy="Use another port mode or switch, or give the servers NICs that fit.",
    source=f"{DATA_SHEETS}: rates and form factors of ports.",
    reads=CABLING,
)
def useless_ports(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds leafs of networks other than compute whose free ports take no port of the servers still without a link."""
    design = seen.design
    serving: dict[str, dict[str, None]] = {}
    linked: set[tuple[str, str]] = set()
    for run in seen.survey.runs:
        if run.network != COMPUTE and not run.managing and design.is_server(run.low.device_id):
            serving.setdefault(run.network, {})[run.high.device_id] = None
            linked.add((run.network, run.low.device_id))
    for network in NETWORKS:
        leafs = serving.get(network, {})
        waiting = {
            one.id: ports
            for one in (design.servers() if leafs else ())
            if (network, one.id) not in linked and (ports := design.ports_for(one.id, PURPOSE_OF[network]))
        }
        wanted = {_kind(port): (one, port) for one, ports in reversed(waiting.items()) for port in reversed(ports)}
        for leaf in sorted(leafs, key=order_key) if wanted else ():
            free = {_kind(port): port for port in design.free_ports(leaf)}
            n_free = len(design.free_ports(leaf))
            if free and all(port_compatibility(a, b) for a in free.values() for _, b in wanted.values()):
                a, (server, b) = next(iter(free.values())), next(iter(wanted.values()))
                why = port_compatibility(a, b, "one of them", f"{seen.name(server)} port {b.name}")
                yield this.finding(
                    f"{seen.name(leaf)}: none of {format_counted(n_free, 'free port')} takes a port of "
                    f"{seen.servers(len(waiting))} still without a link in the {WORDS[network]}: {why}",
                    (leaf,),
                    value=n_free,
                    limit=len(waiting),
                    aspect=network,
                )


def _kind(port: Port) -> tuple[object, ...]:
    return port.rate_gbps, port.form_factor, port.ports_per_cage, port.protocols

"""Rules about the networks beside compute: what joins two of them, and what is left out of one."""

from collections.abc import Iterator

from designer.analysis.connectivity import CutOff, cut_off
from designer.analysis.survey import survey
from designer.model.networks import COMPUTE, NETWORK_OF, NETWORKS, OUT_OF_BAND, TITLES, network_of_switch
from designer.units import format_count
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule


@rule(
    "NET-001",
    Severity.WARNING,
    "Networks joined",
    "Traffic from one network can enter the other.",
    remedy="Delete the link between the two networks, or assign both switches to the same network.",
)
def networks_joined(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links between switches or NIC ports of two different networks."""
    design = seen.design
    networks = {switch.id: network_of_switch(switch) for switch in design.switches()}
    for run in seen.survey.runs:
        if run.managing:
            continue
        low, high = (
            networks.get(end.device_id) or NETWORK_OF.get(port.purpose if port is not None else "", "")
            for end, port in ((run.low, run.low_port), (run.high, run.high_port))
        )
        if low != high and low and high:
            low_name, high_name = (
                seen.name(end.device_id) if end.device_id in networks else design.end_name(end)
                for end in (run.low, run.high)
            )
            yield this.finding(
                f"{low_name} is of the {_word(low)} network, {high_name} of the {_word(high)} network",
                (run.link.id, run.low.device_id, run.high.device_id),
                value=high,
                limit=low,
                fix=seen.delete_link(run.link),
            )


@rule(
    "NET-002",
    Severity.WARNING,
    "Device left out of a network",
    "The server cannot be managed, or cannot reach its data, over that network; a switch cannot be managed.",
    remedy="Connect the server, or the management port of the switch, to a switch of that network.",
)
def left_out(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers without a link in a network beside compute that others have, and switches that alone lack one."""
    for network, n_linked, cuts in _others(seen):
        for cut in cuts:
            if not cut.linked:
                have = "1 other server has" if n_linked == 1 else f"{format_count(n_linked)} other servers have"
                message = f"{seen.name(cut.device_id)} has no link in the {_word(network)} network; {have}"
                yield this.finding(message, (cut.device_id,), value=0, limit=n_linked)
    managed = {run.low.device_id for run in seen.survey.runs if run.managing}
    for switch in seen.design.switches() if managed else ():
        if switch.id not in managed and network_of_switch(switch) != OUT_OF_BAND:
            ports = seen.design.management_ports(switch.id)
            if ports:
                n_other = len(managed)
                have = "1 other switch has" if n_other == 1 else f"{format_count(n_other)} other switches have"
                message = f"{seen.name(switch.id)} has no link at {ports[0].name}, its management port; {have}"
                yield this.finding(message, (switch.id,), value=0, limit=n_other)


@rule(
    "NET-003",
    Severity.ERROR,
    "Network in pieces",
    "Servers of a network must be able to reach each other over it.",
    remedy="Connect the pieces, or assign them to different networks.",
)
def in_pieces(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers that are linked to a storage or management network but do not reach all of its servers."""
    for network, n_linked, cuts in _others(seen):
        for cut in cuts:
            if cut.linked:
                reached = f"{format_count(cut.reached)} of {format_count(n_linked - 1)} servers"
                yield this.finding(
                    f"{seen.name(cut.device_id)} reaches {reached} over the {_word(network)} network, "
                    f"not {seen.name(cut.missed)}",
                    (cut.device_id,),
                    value=cut.reached,
                    limit=n_linked - 1,
                )


def _others(seen: Inspection) -> Iterator[tuple[str, int, list[CutOff]]]:
    """Each network beside compute that servers are linked to, with how many are, and who does not reach them all."""
    there = {run.network for run in seen.survey.runs} - {COMPUTE}
    for network in NETWORKS:
        if network not in there:
            continue
        surveyed = survey(seen.design, network)
        servers = {server.id for server in surveyed.servers}
        linked = {end.device_id for run in surveyed.fabric_runs for end in (run.low, run.high)} & servers
        if linked:
            yield network, len(linked), cut_off(surveyed)


def _word(network: str) -> str:
    return TITLES[network].lower()

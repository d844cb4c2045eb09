"""Rules about the networks other than compute: what joins two of them, and what is left out of one."""

from collections.abc import Iterator
from itertools import product

from designer.analysis.connectivity import CutOff, components, cut_off
from designer.analysis.survey import Survey
from designer.model.edit import Edit
from designer.model.entities import order_key
from designer.model.hardware.ports import Port
from designer.model.networks import (
    COMPUTE,
    NETWORK_OF,
    NETWORKS,
    OUT_OF_BAND,
    TITLES,
    network_of_switch,
)
from designer.model.wiring import connectable
from designer.units import first_of, format_count, format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.joining import joined
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, ROOM, Scope
from designer.validation.sources import SUPERPOD_NETWORKS

MOST_NAMED, MOST_TRIED = 3, 4


@rule(
    "NET-001",
    Severity.WARNING,
    "Networks joined",
    "Traffic from one network can enter the other.",
    remedy="Delete the link between the two networks, assign both switches to the same network, or let one carry both.",
    fix="Deletes the link.",
    example="A link from a storage switch to a spine of the compute network.",
    source=SUPERPOD_NETWORKS,
    scope=Scope.LINK,
    reads=CABLING,
)
def networks_joined(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links between switches or NIC ports of two different networks."""
    design, carried = seen.design, dict[str, tuple[str, ...]]()
    for run in seen.runs():
        if run.managing:
            continue
        for end in (run.low, run.high):
            if end.device_id not in carried:
                carried[end.device_id] = seen.networks_of_switch(end.device_id)
        low = carried[run.low.device_id] or _purpose(run.low_port)
        high = carried[run.high.device_id] or _purpose(run.high_port)
        if low and high and low != high and not set(low) & set(high):
            low_name, high_name = (
                seen.name(end.device_id) if carried[end.device_id] else design.end_name(end)
                for end in (run.low, run.high)
            )
            yield this.finding(
                f"{low_name} is of the {_words(low)}, {high_name} of the {_words(high)}",
                (run.link.id, run.low.device_id, run.high.device_id),
                value=", ".join(high),
                limit=", ".join(low),
                fix=seen.delete_link(run.link),
            )


@rule(
    "NET-002",
    Severity.WARNING,
    "Device left out of a network",
    "The server cannot be managed, or cannot reach its data, over that network; a switch cannot be managed.",
    remedy="Connect the server, or the management port of the switch, to a switch of that network.",
    example="All servers but one have a link in the storage network.",
    source=SUPERPOD_NETWORKS,
    scope=Scope.NETWORK,
    reads=CABLING,
)
def left_out(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers without a link in a network (not compute) that others have, and switches that alone lack one.

    One finding for all servers that a network lacks, and one for the switches of a network.
    """
    for network, n_linked, cuts in _others(seen):
        servers = [cut.device_id for cut in cuts if not cut.linked]
        if servers:
            lack = f"{_listed(seen, servers)} {_have(servers)} no link in the {_word(network)} network"
            yield this.finding(
                f"{lack}; {_other(n_linked, seen.server_word)} one",
                tuple(servers),
                value=0,
                limit=n_linked,
                aspect=network,
            )
    managed = {run.low.device_id for run in seen.survey.runs if run.managing}
    lacking: dict[tuple[str, str], list[str]] = {}
    for switch in seen.design.switches() if managed else ():
        network = network_of_switch(switch)
        if switch.id not in managed and network != OUT_OF_BAND:
            ports = seen.design.management_ports(switch.id)
            if ports:
                lacking.setdefault((network, ports[0].name), []).append(switch.id)
    for (_, port), switches in lacking.items():
        whose = "its management port" if len(switches) == 1 else "their management port"
        yield this.finding(
            f"{_listed(seen, switches, 'switch')} {_have(switches)} no link at {port}, {whose}; "
            f"{_other(len(managed), 'switch')} one",
            tuple(switches),
            value=0,
            limit=len(managed),
            aspect="managed",
        )


def _have(devices: list[str]) -> str:
    return "has" if len(devices) == 1 else "have"


def _other(count: int, word: str) -> str:
    """ "1 other server has", "15 other switches have"."""
    return f"{format_counted(count, f'other {word}')} {'has' if count == 1 else 'have'}"


@rule(
    "NET-003",
    Severity.ERROR,
    "Network in pieces",
    "Servers of a network must be able to reach each other over it.",
    remedy="Connect the pieces, or assign them to different networks.",
    fix="Adds two links from switches of the piece to switches of the rest, or one where no more ports are free, "
    "at the fastest ports that match.",
    example="Nine servers are on one storage switch and a tenth is on another, with no link between the two.",
    source=SUPERPOD_NETWORKS,
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM),
)
def in_pieces(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers that are linked to a storage or management network but do not reach all of its servers.

    One finding for each piece. Its fix joins switches of the piece to some of the rest, by two links so that none is a
    single point of failure, out of band by one unless the policy wants a second path there.
    """
    for network, n_linked, cuts in _others(seen):
        surveyed = seen.survey_of(network)
        is_single = network == OUT_OF_BAND and network not in seen.design.policy.second_path
        pieces = _Pieces(seen, surveyed, 1 if is_single else 2)
        alike: dict[tuple[int, str, int], list[str]] = {}
        for cut in cuts:
            if cut.linked:
                alike.setdefault((cut.reached, cut.missed, pieces.of.get(cut.device_id, -1)), []).append(cut.device_id)
        for (reached, missed, _), servers in alike.items():
            each = "it" if len(servers) == 1 else "each"
            others = n_linked - 1
            missing = first_of(seen.name(missed), others - reached, seen.server_word)
            yield this.finding(
                f"{_listed(seen, servers)} cannot reach {missing} over the "
                f"{_word(network)} network: {each} reaches {format_count(reached)} of {format_count(others)}",
                tuple(servers),
                value=reached,
                limit=n_linked - 1,
                fix=pieces.joined(servers[0], missed),
                aspect=network,
            )


class _Pieces:
    """What of a network hangs together, and the links that join two pieces."""

    def __init__(self, seen: Inspection, surveyed: Survey, n_links: int) -> None:
        self._seen, self._surveyed, self._n_links = seen, surveyed, n_links
        self._parts = components(surveyed)
        self.of = {one: number for number, part in enumerate(self._parts) for one in part}
        """The number of the piece of each device."""

    def joined(self, one: str, other: str) -> Edit | None:
        """Links between switches of the pieces of two servers, the highest with free ports; None without any.

        A second link joins two other switches where there are some, else at least one other, else the same two.
        """
        a, b = self.of.get(one), self.of.get(other)
        if a is None or b is None or a == b:
            return None
        design = self._seen.design
        possible = [two for two in product(self._highest(a), self._highest(b)) if connectable(design, *two) is None]
        if not possible:
            return None
        first = possible[0]
        label = f"Connect {self._seen.name(first[0])} and {self._seen.name(first[1])}"
        seconds = sorted(possible, key=lambda two: len(set(two) & set(first))) if self._n_links > 1 else []
        tried = (joined(self._seen, label, pairs) for pairs in (*([first, two] for two in seconds), [first]))
        return next((edit for edit in tried if edit is not None), None)

    def _highest(self, piece: int) -> list[str]:
        switches = [one for one in self._parts[piece] if self._surveyed.design.is_switch(one)]
        return sorted(switches, key=lambda one: (-self._surveyed.tier.get(one, 0), order_key(one)))[:MOST_TRIED]


def _listed(seen: Inspection, devices: list[str], word: str = "") -> str:
    """ "16 servers (srv-01, srv-02, srv-03 and 13 more)", or the only one."""
    if len(devices) == 1:
        return seen.name(devices[0])
    names, more = ", ".join(map(seen.name, devices[:MOST_NAMED])), len(devices) - MOST_NAMED
    counted = format_counted(len(devices), word or seen.server_word)
    return f"{counted} ({names}{f' and {format_count(more)} more' if more > 0 else ''})"


def _others(seen: Inspection) -> Iterator[tuple[str, int, list[CutOff]]]:
    """Each network but compute that servers are linked to, with how many are, and who does not reach them all."""
    there = {run.network for run in seen.survey.runs} - {COMPUTE}
    for network in NETWORKS:
        if network not in there:
            continue
        surveyed = seen.survey_of(network)
        servers = {server.id for server in surveyed.servers}
        linked = {end.device_id for run in surveyed.fabric_runs for end in (run.low, run.high)} & servers
        if linked:
            yield network, len(linked), cut_off(surveyed)


def _purpose(port: Port | None) -> tuple[str, ...]:
    """The network that a port of a server is for; none where it has none."""
    found = NETWORK_OF.get(port.purpose) if port is not None else None
    return (found,) if found is not None else ()


def _words(networks: tuple[str, ...]) -> str:
    """ "storage network", "storage and in-band management networks"."""
    if len(networks) == 1:
        return f"{_word(networks[0])} network"
    return f"{', '.join(map(_word, networks[:-1]))} and {_word(networks[-1])} networks"


def _word(network: str) -> str:
    return TITLES[network].lower()

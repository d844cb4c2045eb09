"""What lies between the ends of a link and is no cable of the catalog: optical circuit switches, fan-outs of NICs.

None of them is in the catalog, so their lines say how many there are and what is not known.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from designer.analysis.billing.kinds import CIRCUIT_FIBRE, CIRCUIT_SWITCH, FAN_OUT
from designer.analysis.parts import medium_of
from designer.analysis.survey import Run, Survey
from designer.model.circuits import circuit_switch
from designer.units import format_count, format_counted

NO_CIRCUIT_SWITCH = "the catalog has no optical circuit switch: its model is not known"
NO_WAY = "where the circuit switch stands is not known, and so is the length"
NO_FAN_OUT = "no cable is selected for these links, and shuffle cables and optical fan-outs are not in the catalog"

Line = tuple[str, int, str, str, set[str]]
"""Kind, how many, description, what is not known, networks."""


Place = tuple[str, int | str, bool]
"""A device, its cage or slot, and whether that is known to be one cage."""


def passive_lines(surveyed: Survey) -> Iterator[Line]:
    """The lines of a bill for circuit switches, for the fibers on their far side, and for fan-outs."""
    yield from _circuits(surveyed)
    yield from _fan_outs(surveyed)


def _circuits(surveyed: Survey) -> Iterator[Line]:
    """A link through a circuit switch takes two of its ports, and a fiber from each end to it."""
    links: dict[str, int] = {}
    networks: set[str] = set()
    for run in surveyed.runs:
        if name := circuit_switch(run.link):
            links[name] = links.get(name, 0) + 1
            networks.add(run.network)
    yield from circuit_lines(links, networks)


def circuit_lines(links: Mapping[str, int], networks: set[str]) -> Iterator[Line]:
    """The lines for circuit switches that so many links lead through, by the names of the switches."""
    if not links:
        return
    fewest, most = 2 * min(links.values()), 2 * max(links.values())
    ports = format_count(most) if fewest == most else f"{format_count(fewest)} to {format_count(most)}"
    yield CIRCUIT_SWITCH, len(links), f"Optical circuit switch, {ports} ports in use", NO_CIRCUIT_SWITCH, networks
    second = "Fiber from a circuit switch to the far end of a link, in addition to the one to it"
    yield CIRCUIT_FIBRE, sum(links.values()), second, NO_WAY, networks


def _fan_outs(surveyed: Survey) -> Iterator[Line]:
    """Cages of servers whose links lead to several devices, as far as nobody selected what they take.

    A cable or transceiver that is selected says by its connectors how its links part, and has lines of its own.
    """
    servers = {server.id for server in surveyed.servers}
    far: dict[Place, set[str]] = {}
    networks: dict[Place, str] = {}
    for run in surveyed.runs:
        if medium_of(surveyed.design, run.link) is not None:
            continue
        for place, device in shared_places(run, servers):
            far.setdefault(place, set()).add(device)
            networks[place] = run.network
    counts = Counter((len(devices), place[2]) for place, devices in far.items() if len(devices) > 1)
    used = {networks[place] for place, devices in far.items() if len(devices) > 1}
    yield from fan_out_lines(counts, used)


def fan_out_lines(counts: Mapping[tuple[int, bool], int], networks: set[str]) -> Iterator[Line]:
    """The lines for so many cages that lead to several devices: by how many, and whether each is known to be one."""
    for (n_devices, is_known), count in sorted(counts.items()):
        parting = "Twin-port transceiver, shuffle" if n_devices == 2 else "Shuffle"
        what = f"{parting} cable or optical fan-out of a NIC, to {format_counted(n_devices, 'device')}"
        yield FAN_OUT, count, what if is_known else f"{what}, if its ports share a cage", NO_FAN_OUT, networks


def shared_places(run: Run, servers: Collection[str]) -> Iterator[tuple[Place, str]]:
    """The cages of servers that a link leaves through, where it may share one, each with the device at the far end.

    Ports of generic NICs are taken together: whether they share a cage is not known.
    """
    for near, port, other in ((run.low, run.low_port, run.high), (run.high, run.high_port, run.low)):
        if port is None or near.device_id not in servers:
            continue
        if port.ports_per_cage > 1:
            yield (near.device_id, port.cage, True), other.device_id
        elif port.slot and not port.form_factor:
            yield (near.device_id, port.slot, False), other.device_id

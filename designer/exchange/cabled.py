"""The links of a design between ports that exist, once each, for formats that list devices and what joins them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from designer.analysis.survey import Run, survey
from designer.errors import ExportError
from designer.model.design import Design
from designer.model.entities import Device, End
from designer.model.hardware.ports import Port
from designer.model.records import ordered
from designer.units import format_counted

PROTOCOL_WORDS = {"ethernet": "Ethernet", "infiniband": "InfiniBand"}


@dataclass(frozen=True, slots=True)
class Cabled:
    """Devices and links of some networks. Links stand in design order, from the end nearer to the servers."""

    devices: tuple[Device, ...]
    """Those that have one of the links, in design order: servers first, then switches."""
    runs: tuple[Run, ...]


def cabled(
    design: Design, networks: Collection[str] = (), protocols: Collection[str] = (), *, managing: bool = True
) -> Cabled:
    """The links of the networks, of all without any, whose both ends speak one of the protocols, any without.

    `managing` takes in links to the ports by which switches are managed.

    Raises ExportError where there is none, and where two links are in one port.
    """
    runs = tuple(run for run in _wanted(design, networks, protocols) if managing or not run.managing)
    if not runs:
        raise ExportError(_nothing(design, protocols))
    seen: set[End] = set()
    for run in runs:
        for end in (run.low, run.high):
            if end in seen:
                raise ExportError(f"{design.end_name(end)} has two links: remove one of them first")
            seen.add(end)
    there = {end.device_id for end in seen}
    listed = [device for device in ordered(design.devices) if device.id in there]
    return Cabled(tuple(sorted(listed, key=lambda device: not design.is_server(device.id))), runs)


def _nothing(design: Design, protocols: Collection[str]) -> str:
    """Why no link is left to write."""
    if not design.links:
        return "there is no link to write: connect servers and switches first"
    words = " or ".join(PROTOCOL_WORDS.get(one, one) for one in protocols)
    speaking = f" speaks {words} at both ends and" if words else ""
    return (
        f"none of the {format_counted(len(design.links), 'link')}{speaking} is of the networks chosen: choose other "
        "networks, or another format"
    )


def _wanted(design: Design, networks: Collection[str], protocols: Collection[str]) -> Iterator[Run]:
    for run in survey(design).runs:
        low, high = run.low_port, run.high_port
        if low is None or high is None or (networks and run.network not in networks):
            continue
        if not protocols or all(speaks(port, protocols) for port in (low, high)):
            yield run


def speaks(port: Port, protocols: Collection[str]) -> bool:
    """Whether a port can speak one of the protocols."""
    return not set(protocols).isdisjoint(port.protocols)

"""The Ethernet fabric of a design as labs know it: nodes with plain names, and links between numbered ports."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from designer.analysis.tiers import server_word, switch_word
from designer.exchange.cabled import Cabled, cabled
from designer.exchange.node_names import NameRule, changed_names, plain_names
from designer.model.design import Design
from designer.model.entities import End
from designer.model.hardware.ports import Port
from designer.units import format_counted

ETHERNET = ("ethernet",)


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a link: the node's name, its port, and the port's place among the ports of the node, from 1."""

    device_id: str
    node: str
    port: Port
    place: int


@dataclass(frozen=True, slots=True)
class Fabric:
    """Nodes in design order, servers first, by id; links from the end nearer to the servers."""

    design: Design
    names: dict[str, str]
    links: tuple[tuple[Side, Side], ...]
    left_out: int
    """Links that do not speak Ethernet, and those by which switches are managed."""
    rule: NameRule

    @property
    def servers(self) -> list[str]:
        """Names of the servers."""
        return [name for device_id, name in self.names.items() if self.design.is_server(device_id)]

    @property
    def switches(self) -> list[tuple[str, str]]:
        """Ids and names of the switches."""
        return [(device_id, name) for device_id, name in self.names.items() if self.design.is_switch(device_id)]


def fabric(design: Design, networks: Collection[str], rule: NameRule) -> Fabric:
    """The Ethernet links of the networks. Raises ExportError where there is none, and for a name that is too long."""
    found = cabled(design, networks, ETHERNET, managing=False)
    names = plain_names([device.name for device in found.devices], rule)
    by_id = {device.id: name for device, name in zip(found.devices, names, strict=True)}
    every = cabled(design, networks)
    return Fabric(design, by_id, tuple(_links(design, found, by_id)), len(every.runs) - len(found.runs), rule)


def _links(design: Design, found: Cabled, names: dict[str, str]) -> Iterator[tuple[Side, Side]]:
    ports = {
        device.id: {port.name: (port, place) for place, port in enumerate(design.ports(device.id), start=1)}
        for device in found.devices
    }

    def side(end: End) -> Side:
        port, place = ports[end.device_id][end.port]
        return Side(end.device_id, names[end.device_id], port, place)

    for run in found.runs:
        yield side(run.low), side(run.high)


def said(made: Fabric, notes: Sequence[str] = ()) -> str:
    """ "8 servers, 4 switches, 40 links", what is left out, and what is called otherwise than in the design."""
    counts = ", ".join(
        (
            format_counted(len(made.servers), server_word(made.design)),
            format_counted(len(made.switches), switch_word(made.design)),
            format_counted(len(made.links), "link"),
        )
    )
    links = format_counted(made.left_out, "link")
    out = f"{links} left out: not Ethernet, or of a switch's management port" if made.left_out else ""
    drawn = (made.design.device(device_id).name for device_id in made.names)
    return "; ".join(filter(None, (counts, out, *notes, changed_names(drawn, made.names.values(), made.rule))))

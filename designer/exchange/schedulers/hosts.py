"""The hosts of a design in rank order: servers, and the compute trays of a rack that is one server of the design."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from designer.errors import ExportError
from designer.exchange.node_names import HOST_NAMES, NameRule, changed_names, plain_names
from designer.model.design import Design
from designer.model.hardware.servers import ServerType


@dataclass(frozen=True, slots=True)
class Host:
    """What runs an operating system of its own. `tray` counts from 0 in a rack of several trays, None elsewhere."""

    name: str
    """As resolvers take it."""
    device_id: str
    tray: int | None
    first_gpu: int
    """Number of its first GPU among those of the device."""
    gpus: int
    first_rank: int

    @property
    def ranks(self) -> range:
        """The GPUs' numbers, counted through the design."""
        return range(self.first_rank, self.first_rank + self.gpus)


def hosts(design: Design, rule: NameRule = HOST_NAMES) -> tuple[Host, ...]:
    """Every host in rank order. Raises ExportError where there is none, and for a name that is too long."""
    found = tuple(_drawn(design))
    if not found:
        raise ExportError("there is no server to list: place servers first")
    names = plain_names([host.name for host in found], rule, "host")
    return tuple(replace(host, name=name) for host, name in zip(found, names, strict=True))


def host_remark(design: Design, made: Sequence[Host], rule: NameRule = HOST_NAMES) -> str:
    """A sentence on the hosts that are not called as in the design; "" where all are."""
    return changed_names((host.name for host in _drawn(design)), (host.name for host in made), rule)


def _drawn(design: Design) -> Iterator[Host]:
    """The hosts with the names of the design. A tray has the number of its place in the rack after the rack's name."""
    rank = 0
    for server in design.servers():
        type_ = design.device_type(server.id)
        assert isinstance(type_, ServerType)
        name = server.name or server.id
        if type_.trays > 1 and type_.gpus % type_.trays == 0:
            share = type_.gpus // type_.trays
            width = len(str(type_.trays))
            for tray in range(type_.trays):
                tray_name = f"{name}-t{tray + 1:0{width}}"
                yield Host(tray_name, server.id, tray, tray * share, share, rank + tray * share)
        else:
            yield Host(name, server.id, None, 0, type_.gpus, rank)
        rank += type_.gpus

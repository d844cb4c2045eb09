"""Which ranks the GPUs of given servers have, without building the graph."""

from collections.abc import Collection

from designer.model.design import Design
from designer.model.hardware import ServerType


def ranks_of_servers(design: Design, server_ids: Collection[str], failed: Collection[str] = ()) -> tuple[int, ...]:
    """The numbers of their GPUs as endpoints of the design's graph without the devices that failed."""
    ranks: list[int] = []
    first = 0
    for server in design.servers():
        type_ = design.device_type(server.id)
        if server.id in failed or not isinstance(type_, ServerType):
            continue
        if server.id in server_ids:
            ranks.extend(range(first, first + type_.gpus))
        first += type_.gpus
    return tuple(ranks)

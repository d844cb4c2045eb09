"""What InfiniBand calls ports and nodes: a switch's ports by number, a server's adapters mlx5_0, mlx5_1 and so on."""

import re
from collections.abc import Iterable, Sequence

from designer.model.hardware.ports import Port

INFINIBAND = "infiniband"
_OTHER = re.compile(r"[^A-Za-z0-9_.-]")


def port_numbers(ports: Sequence[Port]) -> tuple[int, ...]:
    """The number of each port among those that speak InfiniBand, from 1; 0 of others.

    A server has an adapter with one port for each of them, as the mlx5 driver shows them (NVIDIA Cable Validation
    Tool, "P2P file").
    """
    found, number = [], 0
    for port in ports:
        speaks = INFINIBAND in port.protocols
        number += speaks
        found.append(number if speaks else 0)
    return tuple(found)


def adapter_name(number: int) -> str:
    """ "mlx5_0" of the port with number 1."""
    return f"mlx5_{number - 1}"


def plain_name(name: str) -> str:
    """A name in letters that every reader takes: others become "_"."""
    return _OTHER.sub("_", name)


def node_names(devices: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Plain names by id of (id, name): a number is added to one that is taken."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for device_id, given in devices:
        plain = plain_name(given or device_id)
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{plain}_{number}"
        taken.add(name)
        found[device_id] = name
    return found

"""Where the fabric ports of a server go: to which plane, and there over how many leafs a NIC spreads."""

from collections import Counter
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.topologies.equipment import LeafSpineKit
from designer.topologies.parameters import BY_NIC, LeafSpineParameters
from designer.units import format_count, format_counted


@dataclass(frozen=True, slots=True)
class Attachment:
    """The plane of every port of a server, and how its ports in a plane belong to NICs."""

    planes: tuple[tuple[int, int], ...]
    """Of each port its plane, and its number among the server's ports of that plane, both from 0."""
    per_plane: int
    """Ports that a server has in each plane."""
    per_nic: int
    """Ports that each NIC has in a plane that it is in; 1 where NICs are not alike in that."""
    leafs_per_nic: int
    """Leafs of a plane that the ports of a NIC spread over."""

    @property
    def n_nics(self) -> int:
        """NICs of a server in each plane; ports where NICs are not alike."""
        return self.per_plane // self.per_nic

    def twin(self, number: int) -> tuple[int, int, int]:
        """NIC of a port of a plane, which of the NIC's leafs it goes to, and its number among those ports, from 0."""
        nic, port = divmod(number, self.per_nic)
        return nic, port % self.leafs_per_nic, port // self.leafs_per_nic

    @property
    def per_twin(self) -> int:
        """Ports that each NIC has on one leaf."""
        return self.per_nic // self.leafs_per_nic


def attachment(kit: LeafSpineKit, parameters: LeafSpineParameters) -> Attachment:
    """How the server of a kit is attached. Raises ParameterError where ports or NICs do not spread evenly."""
    n_ports, n_planes = len(kit.server.ports), parameters.planes
    of_nics = Counter(port.slot for port in kit.server.ports)
    if parameters.plane_by == BY_NIC and n_planes > 1:
        planes = _planes_of_nics(kit, of_nics, n_planes)
        per_nic = n_ports // len(of_nics)
    else:
        if n_ports % n_planes:
            raise ParameterError(_uneven(kit, format_counted(n_ports, "fabric port"), n_planes))
        planes = tuple((port % n_planes, port // n_planes) for port in range(n_ports))
        per_nic = _ports_per_nic(of_nics, n_ports // n_planes)
    found = Attachment(planes, n_ports // n_planes, per_nic, parameters.leafs_per_nic)
    if per_nic % found.leafs_per_nic:
        has = f"{format_counted(per_nic, 'port')} in {'its plane' if n_planes > 1 else 'the fabric'}"
        raise ParameterError(
            f"a NIC of {kit.server.called} has {has}, which do not spread evenly over "
            f"{format_count(found.leafs_per_nic)} leaf switches: choose NICs, or a NIC mode, with a multiple of "
            f"{format_count(found.leafs_per_nic)} ports"
        )
    return found


def _planes_of_nics(kit: LeafSpineKit, of_nics: Counter[str], n_planes: int) -> tuple[tuple[int, int], ...]:
    """NIC i is in plane i modulo their number with all its ports. Raises ParameterError where NICs are not alike."""
    n_nics = len(of_nics)
    if len(set(of_nics.values())) != 1:
        raise ParameterError(
            f"the NICs of {kit.server.type_.model} have different numbers of ports: choose planes by port"
        )
    if n_nics % n_planes:
        raise ParameterError(_uneven(kit, format_counted(n_nics, "fabric NIC"), n_planes))
    per_nic = next(iter(of_nics.values()))
    return tuple((nic % n_planes, nic // n_planes * per_nic + port) for nic in range(n_nics) for port in range(per_nic))


def _uneven(kit: LeafSpineKit, what: str, n_planes: int) -> str:
    planes = format_counted(n_planes, "plane")
    return f"{what} of {kit.server.type_.model} do not spread evenly over {planes}"


def _ports_per_nic(of_nics: Counter[str], n_ports: int) -> int:
    """Ports that each NIC has in a plane, where a server has `n_ports` there; 1 where NICs are not alike in that."""
    alike = len(set(of_nics.values())) == 1 and n_ports % len(of_nics) == 0
    return n_ports // len(of_nics) if alike else 1

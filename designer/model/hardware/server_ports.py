"""The logical ports of a server with the NICs in its slots."""

from designer.model.hardware.modules import NicType, nic_port_count
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType


def server_ports(
    type_: ServerType, installed: tuple[tuple[str, NicType], ...], nic_modes: tuple[tuple[str, str], ...] = ()
) -> tuple[Port, ...]:
    """The logical ports of a server whose slots hold the given NICs, in slot order; `nic_modes` are modes by slot.

    A NIC with one port lends the port its slot's name; with several, they are "slot/1", "slot/2", ... as the mode
    names them. Slots without a mode, and modes the NIC does not have, count as the delivered mode.
    """
    nics, chosen = dict(installed), dict(nic_modes)
    shared: dict[int, int] = {}
    for slot in type_.slots:
        if slot.cage is not None and slot.name in nics:
            nic = nics[slot.name]
            shared[slot.cage] = shared.get(slot.cage, 0) + nic_port_count(nic, chosen.get(slot.name, ""))
    ports: list[Port] = []
    seen: dict[int, int] = {}
    next_cage = max((slot.cage or 0 for slot in type_.slots), default=0)
    for slot in type_.slots:
        found = nics.get(slot.name)
        if found is None:
            continue
        mode = found.mode(chosen.get(slot.name, ""))
        n_ports = found.n_cages * mode.ports_per_cage
        form_factor = slot.form_factor or (found.form_factors[0] if found.form_factors else "")
        for number in range(n_ports):
            own_cage, lane0 = divmod(number, mode.ports_per_cage)
            if slot.cage is None:
                next_cage += lane0 == 0
                cage, lane, width = next_cage, lane0 + 1, mode.ports_per_cage
            else:
                cage = slot.cage
                seen[cage] = seen.get(cage, 0) + 1
                lane = seen[cage] if slot.lane is None else slot.lane + number
                width = shared[cage]
            name = mode.port_name.format(
                cage=own_cage + 1, lane=lane0 + 1, lane0=lane0, port=number + 1, slot=slot.name, socket=own_cage + 1
            )
            ports.append(
                Port(
                    slot.name if n_ports == 1 else f"{slot.name}/{name}",
                    mode.rate_gbps,
                    form_factor,
                    slot.heat_sink or found.heat_sink,
                    cage,
                    lane,
                    width,
                    mode.protocols or found.protocols,
                    slot.purpose_of_port(number),
                    slot.gpu,
                    slot.name,
                    label=slot.label if n_ports == 1 or not slot.label else f"{slot.label} P{number + 1}",
                    type_id=found.id,
                )
            )
    return tuple(ports)

"""InfiniBand subnets as files: the netlist of ibsim, and the topology of ibdiagnet with the systems that it names.

Sources: linux-rdma/ibsim, README and net-examples; ibutils, manual pages ibdm-topo-file and ibdm-ibnl-file.
"""

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from designer.exchange.archives import member
from designer.exchange.file_names import file_stem
from designer.exchange.infiniband.subnet import Node, Subnet, subnet
from designer.exchange.plan_options import NetworkOptions
from designer.model.design import Design

_MODE = 0o644


def write_ibsim(design: Design, path: Path, options: NetworkOptions) -> None:
    """Write the netlist that ibsim reads. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes(ibsim_text(subnet(design, options.networks)).encode())


def ibsim_text(made: Subnet) -> str:
    """The nodes with their links, adapters first: a subnet manager is on the first node unless SIM_HOST names one."""
    return "\n".join(_ibsim_node(made, node) for node in made.nodes)


def _ibsim_node(made: Subnet, node: Node) -> str:
    kind = "Switch" if node.is_switch else "Hca"
    lines = [f'{kind} {node.n_ports} "{node.name}"']
    lines += (f'[{wire.port}] "{made.nodes[wire.peer].name}"[{wire.peer_port}]' for wire in node.wires)
    return "\n".join((*lines, ""))


def write_topo(design: Design, path: Path, options: NetworkOptions) -> None:
    """Write the topology with its systems as an archive, or alone where the path ends in .topo.

    Raises ExportError, and OSError where it cannot be written.
    """
    made = subnet(design, options.networks)
    topology = topo_text(design, made)
    if path.suffix.lower() == ".topo":
        path.write_bytes(topology.encode())
        return
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in ((f"{file_stem(design.name)}.topo", topology), *ibnl_texts(design, made)):
            archive.writestr(member(name, _MODE), text)


def topo_text(design: Design, made: Subnet) -> str:
    """Every system with its links, each link at both its ends."""
    kinds = _kinds(design, made)
    return "\n".join(_topo_system(made, kinds, nodes) for nodes in _systems(made).values())


def _topo_system(made: Subnet, kinds: dict[str, str], nodes: list[Node]) -> str:
    lines = [f"{kinds[nodes[0].device_id]} {nodes[0].system}"]
    for node in nodes:
        for wire in node.wires:
            peer = made.nodes[wire.peer]
            to = f"{kinds[peer.device_id]} {peer.system} {_panel(peer, wire.peer_port)}"
            lines.append(f"   {_panel(node, wire.port)} -> {to}")
    return "\n".join((*lines, ""))


def _panel(node: Node, port: int) -> str:
    """ "P33" of a switch, "mlx5_0/P1" of a server: what the system's own file calls it."""
    return f"{node.board}/P{port}" if node.board else f"P{port}"


def ibnl_texts(design: Design, made: Subnet) -> Iterator[tuple[str, str]]:
    """A file for each kind of system, by name: which adapters or switch chip its ports are on."""
    kinds = _kinds(design, made)
    written: set[str] = set()
    for nodes in _systems(made).values():
        kind = kinds[nodes[0].device_id]
        if kind in written:
            continue
        written.add(kind)
        lines = [f"TOPSYSTEM {kind}", ""]
        for node in nodes:
            lines.append(f"NODE {'SW' if node.is_switch else 'CA'} {node.n_ports} {kind} {node.board or 'U1'}")
            lines += (f"   {port} -> {_panel(node, port)}" for port in range(1, node.n_ports + 1))
            lines.append("")
        yield f"ibnl/{kind}.ibnl", "\n".join(lines)


def _systems(made: Subnet) -> dict[str, list[Node]]:
    """The nodes of each device."""
    found: dict[str, list[Node]] = {}
    for node in made.nodes:
        found.setdefault(node.device_id, []).append(node)
    return found


def _kinds(design: Design, made: Subnet) -> dict[str, str]:
    """A word for each device's kind of system: its type, with the ports of a switch and the adapters of a server."""
    found: dict[str, str] = {}
    words: dict[tuple[str, tuple[tuple[str, int], ...]], str] = {}
    for device_id, nodes in _systems(made).items():
        inside = tuple((node.board, node.n_ports) for node in nodes)
        type_id = design.device(device_id).type_id
        if (type_id, inside) not in words:
            words[type_id, inside] = _word(type_id, words.values())
        found[device_id] = words[type_id, inside]
    return found


def _word(type_id: str, taken: Iterable[str]) -> str:
    """The type in letters that a name in these files can have; a number tells like ones apart."""
    used = set(taken)
    plain = "".join(one if one.isascii() and one.isalnum() else "_" for one in type_id)
    plain = f"T_{plain}" if not plain[:1].isalpha() else plain
    word, number = plain, 1
    while word in used:
        number += 1
        word = f"{plain}_{number}"
    return word

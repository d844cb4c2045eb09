"""A second reader of forwarding tables, which shares nothing with ours, and tables made without a subnet manager."""

import re
from collections import Counter, deque

from designer.exchange.infiniband.subnet import subnet

HEADER = re.compile(r"Unicast lids .*guid 0x\w+ \('?([^')]*)'?\):")
ENTRY = re.compile(r"0x(\w+) (\d+) [#:] \(?(Channel Adapter|Switch) portguid 0x\w+: '([^']*)'\)?")


def tables_in(text):
    """Ports by switch and LID, and the LID of each node, by name."""
    tables, lids = {}, {}
    for line in text.split("\n"):
        if found := HEADER.match(line):
            table = tables[found[1]] = {}
        elif found := ENTRY.match(line):
            lid = int(found[1], 16)
            table[lid] = int(found[2])
            lids.setdefault(found[4], lid)
    return tables, lids


def wires_of(made):
    """The far end (name, port) of each port (name, number) of a subnet."""
    return {
        (node.name, wire.port): (made.nodes[wire.peer].name, wire.peer_port)
        for node in made.nodes
        for wire in node.wires
    }


def walked(text, made, pairs):
    """How many packets leave by each port (name, number), one for each pair of adapters' names."""
    tables, lids = tables_in(text)
    wires, crossed = wires_of(made), Counter()
    for source, target in pairs:
        here, port = source, 1
        for _ in range(20):
            crossed[here, port] += 1
            here, _port = wires[here, port]
            if here == target:
                break
            port = tables[here][lids[target]]
        else:
            raise AssertionError(f"{source} to {target} goes round in a circle")
    return crossed


def dump(design, choose=lambda lid, ports: ports[(lid + lid // 8) % len(ports)], layout="opensm"):
    """Tables over shortest ways in the words of OpenSM's dump, or of dump_fts; `choose` takes one of equal ports."""
    made = subnet(design)
    nodes = made.nodes
    neighbours = [{} for _ in nodes]
    for number, node in enumerate(nodes):
        for wire in node.wires:
            neighbours[number].setdefault(wire.peer, []).append(wire.port)
    toward = []
    for goal in range(len(nodes)):
        hops, queue = {goal: 0}, deque([goal])
        while queue:
            here = queue.popleft()
            for peer in neighbours[here]:
                if peer not in hops and (nodes[peer].is_switch or peer == goal):
                    hops[peer] = hops[here] + 1
                    queue.append(peer)
        toward.append(hops)
    lines = []
    for number, node in enumerate(nodes):
        if not node.is_switch:
            continue
        lines += _head(node, number, len(nodes), layout)
        for goal, other in enumerate(nodes):
            hops = toward[goal]
            if goal == number:
                lines.append(_entry(goal + 1, 0, other, goal, layout))
            elif number in hops:
                nearer = [peer for peer in neighbours[number] if hops.get(peer, 999) < hops[number]]
                ports = sorted(port for peer in nearer for port in neighbours[number][peer])
                lines.append(_entry(goal + 1, choose(goal + 1, ports), other, goal, layout))
        lines.append(f"{len(nodes)} lids dumped\n" if layout == "opensm" else f"{len(nodes)} valid lids dumped \n")
    return "\n".join(lines)


def _head(node, number, n_nodes, layout):
    guid = f"0x{0x200000 + number:016x}"
    if layout == "opensm":
        return [f"Unicast lids [0-{n_nodes}] of switch Lid {number + 1} guid {guid} ('{node.name}'):"]
    return [
        f"Unicast lids [0x0-{n_nodes:#x}] of switch DR path slid 0; dlid 0; 0,1 guid {guid} ({node.name}):",
        "  Lid  Out   Destination",
        "       Port     Info ",
    ]


def _entry(lid, port, node, number, layout):
    kind = "Switch" if node.is_switch else "Channel Adapter"
    owner = f"{kind} portguid 0x{0x100000 + number:016x}: '{node.name}'"
    return f"0x{lid:04x} {port:03d} # {owner}" if layout == "opensm" else f"0x{lid:04x} {port:03d} : ({owner})"

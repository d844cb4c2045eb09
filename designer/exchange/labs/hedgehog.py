"""The wiring diagram of Hedgehog's fabric: switches, servers and connections as objects of Kubernetes.

Source: githedgehog/fabric, api/wiring/v1beta1, and docs.hedgehog.cloud, "Build Wiring Diagram".
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from designer.analysis.survey import survey
from designer.errors import ExportError
from designer.exchange.labs.fabric import Fabric, Side, fabric, said
from designer.exchange.labs.options import HedgehogOptions
from designer.exchange.node_names import KUBERNETES_NAMES, plain_names
from designer.exchange.quoted import quoted
from designer.model.design import Design

API = "wiring.githedgehog.com/v1beta1"
LEAF, SPINE = 1, 2
ROLES = {LEAF: "server-leaf", SPINE: "spine"}
CONNECTIONS = replace(KUBERNETES_NAMES, what="a connection of Hedgehog", most=253)
_PROFILE = re.compile(r"[a-z0-9-]{1,63}")

PROFILES = frozenset(
    (
        "celestica-ds2000",
        "celestica-ds3000",
        "celestica-ds4000",
        "celestica-ds4101",
        "celestica-ds5000",
        "dell-s5232f-on",
        "dell-s5248f-on",
        "dell-z9332f-on",
        "edgecore-dcs203",
        "edgecore-dcs204",
        "edgecore-dcs240",
        "edgecore-dcs501",
        "edgecore-eps202",
        "edgecore-eps203",
        "supermicro-sse-c4632sb",
    )
)
"""Names of Hedgehog's profiles of hardware; a type of the catalog whose id is one of them has that profile."""


def write_hedgehog(design: Design, path: Path, options: HedgehogOptions) -> None:
    """Write the wiring. Raises ExportError, and OSError where it cannot be written."""
    made = fabric(design, options.networks, KUBERNETES_NAMES)
    path.write_bytes("---\n".join(documents(made, options)).encode())


def summary(design: Design, options: HedgehogOptions) -> str:
    """ "8 servers, 4 switches, 40 links", and what is left out."""
    made = fabric(design, options.networks, KUBERNETES_NAMES)
    bare = sum(not _profile(design, device_id, options) for device_id, _ in made.switches)
    profile = f"profiles of {bare} switches are left out: state one with profile" if bare else ""
    return said(made, (profile, "addresses, AS numbers and boot data are left out"))


def documents(made: Fabric, options: HedgehogOptions) -> Iterator[str]:
    """Each object as YAML. Raises ExportError for what is neither a leaf nor a spine switch, or joined otherwise."""
    if options.profile and not _PROFILE.fullmatch(options.profile):
        raise ExportError("a profile of Hedgehog is called like celestica-ds5000: small letters, digits and hyphens")
    tier = _tiers(made)
    for device_id, name in made.switches:
        yield _switch(made, device_id, name, tier[device_id], options)
    for name in made.servers:
        yield _object("Server", name, "spec: {}\n")
    yield from _connections(made, tier)


def _tiers(made: Fabric) -> dict[str, int]:
    """Leaf and spine switches. Raises ExportError naming another one."""
    found = survey(made.design).tier
    for device_id, _ in made.switches:
        if found.get(device_id) not in ROLES:
            name = made.design.device(device_id).name
            raise ExportError(
                f"{name} is neither a leaf nor a spine switch, and Hedgehog's fabric has these two tiers: set its "
                "role, or write networks that have no more"
            )
    return found


def _profile(design: Design, device_id: str, options: HedgehogOptions) -> str:
    type_id = design.device(device_id).type_id
    return type_id if type_id in PROFILES else options.profile


def _switch(made: Fabric, device_id: str, name: str, tier: int, options: HedgehogOptions) -> str:
    lines = ["spec:", f"  role: {ROLES[tier]}"]
    profile = _profile(made.design, device_id, options)
    if profile:
        lines.append(f"  profile: {quoted(profile)}")
    used = {side.port.cage: side.port for link in made.links for side in link if side.device_id == device_id}
    splits = [port for _, port in sorted(used.items()) if port.ports_per_cage > 1]
    if splits:
        lines.append("  portBreakouts:")
        lines += (f"    {quoted(_cage(port.cage))}: {port.ports_per_cage}x{port.rate_gbps:.10g}G" for port in splits)
    return _object("Switch", name, "\n".join((*lines, "")))


def _object(kind: str, name: str, spec: str) -> str:
    return f"apiVersion: {API}\nkind: {kind}\nmetadata:\n  name: {quoted(name)}\n{spec}"


def _connections(made: Fabric, tier: dict[str, int]) -> Iterator[str]:
    """One for each link of a server, and one for all links between two switches."""
    drawn: list[tuple[str, str]] = []
    between: dict[tuple[str, str], list[tuple[Side, Side]]] = {}
    for low, high in made.links:
        if made.design.is_server(low.device_id):
            drawn.append((f"{low.node}--unbundled--{high.node}", _unbundled(made, low, high, tier)))
        else:
            between.setdefault((low.device_id, high.device_id), []).append((low, high))
    for links in between.values():
        low, high = links[0]
        is_mesh = tier[low.device_id] == tier[high.device_id]
        if is_mesh and tier[low.device_id] != LEAF:
            raise ExportError(f"{low.node} and {high.node} are spine switches that are joined, which Hedgehog has not")
        word = "mesh" if is_mesh else "fabric"
        drawn.append((f"{high.node}--{word}--{low.node}", _between(links, is_mesh=is_mesh)))
    names = plain_names([name for name, _ in drawn], CONNECTIONS)
    for name, (_, spec) in zip(names, drawn, strict=True):
        yield _object("Connection", name, spec)


def _unbundled(made: Fabric, server: Side, switch: Side, tier: dict[str, int]) -> str:
    if made.design.is_server(switch.device_id) or tier[switch.device_id] != LEAF:
        raise ExportError(
            f"{server.node} is linked to {switch.node}, and Hedgehog links servers to leaf switches alone"
        )
    server_port = f"{server.node}/{KUBERNETES_NAMES.plain(server.port.name) or f'eth{server.place}'}"
    return (
        "spec:\n  unbundled:\n    link:\n"
        f"      server: {{port: {quoted(server_port)}}}\n"
        f"      switch: {{port: {quoted(_port(switch))}}}\n"
    )


def _between(links: list[tuple[Side, Side]], *, is_mesh: bool) -> str:
    low_word, high_word = ("leaf1", "leaf2") if is_mesh else ("leaf", "spine")
    lines = ["spec:", f"  {'mesh' if is_mesh else 'fabric'}:", "    links:"]
    for low, high in links:
        lines.append(f"    - {low_word}: {{port: {quoted(_port(low))}}}")
        lines.append(f"      {high_word}: {{port: {quoted(_port(high))}}}")
    return "\n".join((*lines, ""))


def _cage(cage: int) -> str:
    return f"E1/{cage}"


def _port(side: Side) -> str:
    """ "leaf-01/E1/3", of a split cage "leaf-01/E1/3/2"."""
    port = side.port
    lane = f"/{port.lane}" if port.ports_per_cage > 1 else ""
    return f"{side.node}/{_cage(port.cage)}{lane}"

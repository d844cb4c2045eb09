"""A plug-in for Fabric Designer: a family, a rule, two formats, a collective algorithm and a routing policy."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.exchange.exporter import Exporter
from designer.exchange.importer import Import, Importer
from designer.exchange.options import ExportOptions, Progress
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End
from designer.routing import ecmp
from designer.routing.network import Network
from designer.routing.paths import Paths
from designer.routing.policies import Policy
from designer.simulation.catalogue import AlgorithmRow
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import Plan
from designer.simulation.traffic.phases import Phase, flows
from designer.topologies.assembly import Assembly
from designer.topologies.equipment import server_kit, types_of
from designer.topologies.families import Family
from designer.topologies.parameters import link_rate_parameter
from designer.topologies.sizing import Counts
from designer.validation.findings import Finding, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule

Ints = NDArray[np.int64]


# -- a topology family ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StarParameters:
    """What a star is made of. Raises ParameterError for values that make no sense."""

    hosts: int = setting(8, title="Hosts", help="Hosts on the one switch.", kind=kinds.COUNT, within=Range(2))
    link_rate_gbps: float = link_rate_parameter("Rate of every link.")

    def __post_init__(self) -> None:
        check(self)


def build_star(design: Design, parameters: StarParameters, catalog: Catalog) -> Edit:
    """The edit that adds the star to a design."""
    assembly = Assembly(design, types_of(design, catalog))
    kit = server_kit(*generic.generic_host(parameters.link_rate_gbps))
    switch = generic.generic_switch(parameters.hosts, parameters.link_rate_gbps)
    hosts = [assembly.add_device(f"host-{n + 1:02d}", kit.type_, (180.0 * n, 240.0)) for n in range(parameters.hosts)]
    for one in hosts:
        assembly.install(one, kit.nics)
    hub = assembly.add_device("hub-01", switch, (90.0 * (parameters.hosts - 1), 0.0), role="leaf")
    for number, one in enumerate(hosts):
        assembly.link(End(one, kit.ports[0].name), End(hub, str(number + 1)))
    return assembly.edit(f"Generate star of {parameters.hosts}")


def count_star(parameters: StarParameters, catalog: Catalog) -> Counts:
    """What `build_star` would add to an empty design."""
    n = parameters.hosts
    return Counts(servers=n, endpoints=n, switches={"leaf": 1}, links={"server-leaf": n}, nics=n)


STAR = Family("star", "Star", "Hosts on a single switch.", StarParameters, build_star, count_star)


# -- a rule -----------------------------------------------------------------------------------------------------------


@rule("ACME-001", Severity.WARNING, "No spare port", "Acme keeps a port of every switch for a tester.")
def spare_ports(seen: Inspection, this: Rule) -> Iterator[Finding]:
    """A finding for every switch without a free port."""
    for switch in seen.design.switches():
        if not seen.free_ports(switch.id):
            yield this.finding(f"{switch.name} has no spare port", (switch.id,), value=0, limit=1)


# -- formats ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AdjacencyOptions(ExportOptions):
    """How the list is written."""

    sorted: bool = setting(False, title="Sorted", help="Sort the lines by name.", kind=kinds.FLAG)


def write_adjacency(design: Design, path: Path, options: AdjacencyOptions, _progress: Progress) -> None:
    """A line for every link: the names of its ends."""
    named = design.devices
    rows = [(named[link.a.device_id].name, named[link.b.device_id].name) for link in design.links.values()]
    if options.sorted:
        rows.sort()
    path.write_text("".join(f"{a} {b}\n" for a, b in rows), encoding="utf-8")


ADJACENCY = Exporter("adjacency", "Adjacency List", ".adj", AdjacencyOptions, write_adjacency)


def read_hosts(path: Path) -> Import:
    """A design with a generic host for every line of a file."""
    design, (host, nic) = Design(), generic.generic_host(400.0)
    for number, line in enumerate(path.read_text(encoding="utf-8").split()):
        types = {host.id: host, nic.id: nic}
        design.apply(operations.add_device(design, host, 180.0 * number, 0.0, catalog_types=types, name=line))
    return Import(design, f"{len(design.devices)} hosts")


HOST_LIST = Importer("host-list", "Names of hosts, one a line", read_hosts)


# -- a collective algorithm -------------------------------------------------------------------------------------------


def parameter_server(network: Network, scenario: Scenario, ranks: Ints) -> Plan:
    """All-reduce by rank 0: every other rank sends it its buffer, and receives the sum."""
    if len(ranks) > 4096:
        raise ParameterError(f"a parameter server takes up to 4,096 ranks, not {len(ranks)}")
    root = np.full(len(ranks) - 1, ranks[0])
    size_bytes = float(scenario.size_bytes)
    return Plan(
        [
            Phase("to the server", 1, flows(ranks[1:], root, size_bytes)),
            Phase("from the server", 1, flows(root, ranks[1:], size_bytes)),
        ]
    )


PARAMETER_SERVER = AlgorithmRow(
    "parameter-server",
    "Parameter server",
    "Every rank sends its buffer to rank 0, which sends the sum back.",
    {"all-reduce": parameter_server},
)


# -- a routing policy -------------------------------------------------------------------------------------------------


def route_by_ends(
    network: Network, src: Ints, dst: Ints, size_bytes: NDArray[np.float64], channel: Ints, seed: int
) -> Paths:
    """As ECMP, but all channels between two ranks take one path."""
    return ecmp.route(network, src, dst, size_bytes, np.zeros_like(channel), seed)


STATIC_HASH = Policy(
    "static-hash",
    route_by_ends,
    title="Static hash",
    explanation="Flows between two ranks are hashed onto one path, whatever their channel.",
)

"""The rows of the InfiniBand formats in the tables of exporters and importers."""

import re
from pathlib import Path

from designer.exchange.exporter import INFINIBAND, Exporter, rendered_by
from designer.exchange.importer import FABRICS, Importer
from designer.exchange.plan_options import NetworkOptions
from designer.exchange.reading.found import FoundNetwork
from designer.late import Late

subnets = Late("designer.exchange.infiniband.files")
lists = Late("designer.exchange.infiniband.reading")
topologies = Late("designer.exchange.infiniband.topo_reading")
_DISCOVERED = re.compile(rb"^(?:switchguid|caguid|rtguid)=", re.MULTILINE)
_NETLIST = re.compile(rb'^(?:Switch|Hca|Ca)\s+\d+\s+"', re.MULTILINE)


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "ibsim",
        "InfiniBand netlist for ibsim",
        ".net",
        NetworkOptions,
        rendered_by(lambda: subnets.write_ibsim),
        group=INFINIBAND,
        about="Switches and adapters with their links for the InfiniBand simulator ibsim, under which OpenSM runs.",
    ),
    Exporter(
        "topo",
        "InfiniBand topology for ibdiagnet",
        ".zip",
        NetworkOptions,
        rendered_by(lambda: subnets.write_topo),
        other_suffixes=(".topo",),
        group=INFINIBAND,
        about="The topology file that ibdmchk and ibdiagnet check a fabric against, with the systems that it names.",
    ),
)


def _listed(path: Path) -> FoundNetwork:
    found: FoundNetwork = lists.read(path)
    return found


def _systems(path: Path) -> FoundNetwork:
    found: FoundNetwork = topologies.read(path)
    return found


IMPORTERS: tuple[Importer, ...] = (
    Importer(
        "ibnetdiscover",
        "InfiniBand fabric as ibnetdiscover found it",
        found=_listed,
        suffixes=(".txt", ".out", ".log", ".ibnetdiscover"),
        looks=lambda _name, head: _DISCOVERED.search(head) is not None,
        group=FABRICS,
        about="What ibnetdiscover prints of a running subnet: switches, adapters, links and their rates.",
    ),
    Importer(
        "ibsim",
        "InfiniBand netlist of ibsim",
        found=_listed,
        suffixes=(".net", ".txt", ".ibsim"),
        looks=lambda _name, head: _NETLIST.search(head) is not None,
        group=FABRICS,
        about="The netlist of the InfiniBand simulator ibsim: switches and adapters with their links.",
    ),
    Importer(
        "topo",
        "InfiniBand topology of ibdiagnet",
        found=_systems,
        suffixes=(".topo", ".zip"),
        looks=lambda name, head: name.lower().endswith(".topo") or b".topo" in head,
        group=FABRICS,
        about="A topology file of ibdiagnet and ibutils, alone or in the archive that this program writes.",
    ),
)

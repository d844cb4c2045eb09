"""The rows of cable lists, and of lists of links as well as cables, in the table of importers."""

from pathlib import Path

from designer.exchange.importer import DRAWINGS, FABRICS, SHEETS, Importer
from designer.exchange.reading.found import FoundNetwork
from designer.late import Late

cables = Late("designer.exchange.reading.netbox_cables")
neighbours = Late("designer.exchange.reading.lldp")
infragraphs = Late("designer.exchange.reading.infragraph")
sheets = Late("designer.exchange.reading.sheets")


def _sheets(path: Path) -> FoundNetwork:
    found: FoundNetwork = sheets.read(path)
    return found


def _netbox(path: Path) -> FoundNetwork:
    found: FoundNetwork = cables.read(path)
    return found


def _looks_like_netbox(name: str, head: bytes) -> bool:
    return bool(cables.looks(name, head))


def _lldp(path: Path) -> FoundNetwork:
    found: FoundNetwork = neighbours.read(path)
    return found


def _looks_like_lldp(name: str, head: bytes) -> bool:
    return bool(neighbours.looks(name, head))


def _infragraph(path: Path) -> FoundNetwork:
    found: FoundNetwork = infragraphs.read(path)
    return found


def _looks_like_infragraph(name: str, head: bytes) -> bool:
    return bool(infragraphs.looks(name, head))


IMPORTERS: tuple[Importer, ...] = (
    Importer(
        "netbox-cables",
        "Cables of NetBox, CSV or JSON",
        found=_netbox,
        suffixes=(".csv", ".json"),
        looks=_looks_like_netbox,
        group=SHEETS,
        about="The table of cables as NetBox exports it or as its form imports it, or what api/dcim/cables/ answers.",
    ),
    Importer(
        "lldp",
        "Neighbors of lldpctl",
        found=_lldp,
        suffixes=(".json", "/"),
        looks=_looks_like_lldp,
        group=FABRICS,
        about="What lldpctl -f json prints: HOST.json for each host in a folder, or one JSON file of outputs by host.",
    ),
    Importer(
        "infragraph",
        "InfraGraph infrastructure",
        found=_infragraph,
        suffixes=(".yaml", ".yml", ".json"),
        looks=_looks_like_infragraph,
        group=DRAWINGS,
        about="Instances of devices and the edges between their components, as YAML or JSON; what is inside a device "
        "is not read.",
    ),
    Importer(
        "cable-list",
        "Point-to-point list of cables, CSV or workbook",
        found=_sheets,
        suffixes=(".csv", ".xlsx", ".tsv", ".txt"),
        group=SHEETS,
        about="Any list with a device and a port for both ends: cable plans of this program and the lists of NVIDIA, "
        "Arista, HPE and Omni-Path, with columns found by heading or by position.",
    ),
)

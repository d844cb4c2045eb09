"""The row of the files for NetBox in the table of exporters."""

from pathlib import Path

from designer.exchange.exporter import INVENTORY, Exporter
from designer.exchange.inventory.options import NetboxOptions
from designer.exchange.options import Progress
from designer.late import Late
from designer.model.design import Design

sets = Late("designer.exchange.inventory.netbox_set")


def _netbox(design: Design, path: Path, options: NetboxOptions, progress: Progress) -> None:
    sets.write_netbox(design, path, options, progress)


def _summary(design: Design, options: NetboxOptions) -> str:
    summary: str = sets.summary(design, options)
    return summary


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "netbox",
        "NetBox import files",
        ".zip",
        NetboxOptions,
        _netbox,
        group=INVENTORY,
        about="Manufacturers, device types, roles, site, locations, racks, devices, interfaces and cables for the "
        "import forms of NetBox, numbered in the order in which they are loaded.",
        outcome=_summary,
    ),
)

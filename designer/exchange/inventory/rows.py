"""The row of the files for NetBox in the table of exporters."""

from designer.exchange.exporter import INVENTORY, Exporter, rendered_by, said_by
from designer.exchange.inventory.options import NetboxOptions
from designer.late import Late

sets = Late("designer.exchange.inventory.netbox_set")


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "netbox",
        "NetBox import files",
        ".zip",
        NetboxOptions,
        rendered_by(lambda: sets.write_netbox, hears=True),
        group=INVENTORY,
        about="Manufacturers, device types, roles, site, locations, racks, devices, interfaces and cables for the "
        "import forms of NetBox, numbered in the order in which they are loaded.",
        outcome=said_by(lambda: sets.summary),
    ),
)

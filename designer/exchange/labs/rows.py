"""The rows of the labs' files in the table of exporters."""

from designer.exchange.exporter import DEPLOYMENT, Exporter, rendered_by, said_by
from designer.exchange.labs.options import AirOptions, ContainerlabOptions, HedgehogOptions
from designer.late import Late

hedgehogs = Late("designer.exchange.labs.hedgehog")
airs = Late("designer.exchange.labs.air")
containerlabs = Late("designer.exchange.labs.containerlab")


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "hedgehog",
        "Hedgehog wiring diagram",
        ".yaml",
        HedgehogOptions,
        rendered_by(lambda: hedgehogs.write_hedgehog),
        group=DEPLOYMENT,
        about="Leaf and spine switches, servers and their connections, for Hedgehog's fabric (hhfab).",
        outcome=said_by(lambda: hedgehogs.summary),
    ),
    Exporter(
        "air",
        "NVIDIA Air simulation",
        ".json",
        AirOptions,
        rendered_by(lambda: airs.write_air),
        group=DEPLOYMENT,
        about="Ethernet switches and servers with their links, to import into NVIDIA Air.",
        outcome=said_by(lambda: airs.summary),
    ),
    Exporter(
        "containerlab",
        "Containerlab topology",
        ".yml",
        ContainerlabOptions,
        rendered_by(lambda: containerlabs.write_containerlab),
        group=DEPLOYMENT,
        about="Ethernet switches and servers as containers with their links, for containerlab.",
        outcome=said_by(lambda: containerlabs.summary),
    ),
)

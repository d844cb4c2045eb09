"""The rows of the labs' files in the table of exporters."""

from pathlib import Path

from designer.exchange.exporter import DEPLOYMENT, Exporter
from designer.exchange.labs.options import AirOptions, ContainerlabOptions, HedgehogOptions
from designer.exchange.options import Progress
from designer.late import Late
from designer.model.design import Design

hedgehogs = Late("designer.exchange.labs.hedgehog")
airs = Late("designer.exchange.labs.air")
containerlabs = Late("designer.exchange.labs.containerlab")


def _hedgehog(design: Design, path: Path, options: HedgehogOptions, _progress: Progress) -> None:
    hedgehogs.write_hedgehog(design, path, options)


def _hedgehog_summary(design: Design, options: HedgehogOptions) -> str:
    summary: str = hedgehogs.summary(design, options)
    return summary


def _air(design: Design, path: Path, options: AirOptions, _progress: Progress) -> None:
    airs.write_air(design, path, options)


def _air_summary(design: Design, options: AirOptions) -> str:
    summary: str = airs.summary(design, options)
    return summary


def _containerlab(design: Design, path: Path, options: ContainerlabOptions, _progress: Progress) -> None:
    containerlabs.write_containerlab(design, path, options)


def _containerlab_summary(design: Design, options: ContainerlabOptions) -> str:
    summary: str = containerlabs.summary(design, options)
    return summary


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "hedgehog",
        "Hedgehog wiring diagram",
        ".yaml",
        HedgehogOptions,
        _hedgehog,
        group=DEPLOYMENT,
        about="Leaf and spine switches, servers and their connections, for Hedgehog's fabric (hhfab).",
        outcome=_hedgehog_summary,
    ),
    Exporter(
        "air",
        "NVIDIA Air simulation",
        ".json",
        AirOptions,
        _air,
        group=DEPLOYMENT,
        about="Ethernet switches and servers with their links, to import into NVIDIA Air.",
        outcome=_air_summary,
    ),
    Exporter(
        "containerlab",
        "Containerlab topology",
        ".yml",
        ContainerlabOptions,
        _containerlab,
        group=DEPLOYMENT,
        about="Ethernet switches and servers as containers with their links, for containerlab.",
        outcome=_containerlab_summary,
    ),
)

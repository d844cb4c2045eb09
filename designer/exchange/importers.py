"""The table of formats that designs are made from, from which the command line is built."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from designer.exchange import netbox
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.hardware import LineCardType, RackType
from designer.placement.metrics import COLUMN_PITCH
from designer.plugins import Entry, Table, guarded, of_kind
from designer.units import format_count


@dataclass(frozen=True, slots=True)
class Import:
    """A design made from another tool's files.

    `skipped` are sentences about what was left out, `notes` about what was read, `contents` what the design holds:
    "3 device types". `refused` says why there is no design, where all was left out.
    """

    design: Design
    contents: str
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that designs are made from; `read` raises DesignerError or OSError where nothing can be made of it."""

    name: str
    title: str
    read: Callable[[Path], Import]


def _netbox_devicetypes(path: Path) -> Import:
    report = netbox.read(path)
    design, notes = Design(), []
    if not report.imported:
        refused = f"{path} holds no device type that could be read"
        return Import(design, "", tuple(report.skipped), refused=refused)
    for number, one in enumerate(report.imported):
        x, name = number * COLUMN_PITCH, one.type_.id
        if isinstance(one.type_, RackType):
            design.apply(operations.add_rack(design, one.type_, x, 0.0, name))
        elif isinstance(one.type_, LineCardType):
            design.apply(Edit(f"Add {one.type_.model}", added([one.type_])))
        else:
            design.apply(operations.add_device(design, one.type_, x, 0.0, catalog_types={}, name=name))
        notes.append(f"{one.file}: {one.type_.id}" + "".join(f"; {note}" for note in one.notes))
    contents = f"{format_count(len(report.imported))} device types"
    return Import(design, contents, tuple(report.skipped), tuple(notes))


BUILT_IN = (
    Importer(
        "netbox-devicetypes",
        "NetBox device and rack types, a YAML file or a folder: a design with one of each",
        _netbox_devicetypes,
    ),
)


def _accept(row: object, entry: Entry) -> Importer:
    importer = of_kind(row, Importer)
    return replace(importer, read=guarded(importer.read, entry, Import))


IMPORTERS: Table[Importer] = Table("fabric_designer.importers", BUILT_IN, _accept)
"""Every format: the built-in ones, then those of plug-ins."""

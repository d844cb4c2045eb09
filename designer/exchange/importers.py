"""The table of formats that designs are made from, from which the command line is built."""

import itertools
import os
from dataclasses import replace
from pathlib import Path

from designer.errors import ParameterError, PluginError
from designer.exchange import netbox
from designer.exchange.graphs.reading import rows as drawings
from designer.exchange.importer import ADDED, TYPES, Import, Importer
from designer.exchange.infiniband import rows as infiniband
from designer.exchange.reading import rows as lists
from designer.exchange.reading.found import FoundNetwork
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.hardware.modules import LineCardType
from designer.model.hardware.racks import RackType
from designer.placement.metrics import COLUMN_PITCH
from designer.plugins import Entry, Table, guarded, of_kind
from designer.units import format_count


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


def _looks_like_types(name: str, head: bytes) -> bool:
    """Whether a file begins like a type of NetBox's library, or a folder has YAML files."""
    if name.endswith("/"):
        return b".yaml" in head or b".yml" in head
    return all(word in head for word in (b"manufacturer:", b"model:"))


BUILT_IN: tuple[Importer, ...] = (
    *infiniband.IMPORTERS,
    *lists.IMPORTERS,
    *drawings.IMPORTERS,
    Importer(
        "netbox-devicetypes",
        "NetBox device and rack types, a YAML file or a folder: a design with one of each",
        _netbox_devicetypes,
        suffixes=(".yaml", ".yml", "/"),
        looks=_looks_like_types,
        group=TYPES,
        about="Device and rack types of the NetBox library, one of each on the canvas.",
    ),
)


def _accept(row: object, entry: Entry) -> Importer:
    importer = of_kind(row, Importer)
    if (importer.read is None) == (importer.found is None):
        raise PluginError("it should have either read, which makes a design, or found, which gives a network")
    read = None if importer.read is None else guarded(importer.read, entry, Import)
    found = None if importer.found is None else guarded(importer.found, entry, FoundNetwork)
    looks = None if importer.looks is None else guarded(importer.looks, entry)
    return replace(importer, read=read, found=found, looks=looks, group=ADDED)


IMPORTERS: Table[Importer] = Table("fabric_designer.importers", BUILT_IN, _accept)
"""Every format: the built-in ones, then those of plug-ins."""

HEAD_BYTES = 65_536
"""What a format is recognized by."""


def guess_importer(path: Path) -> Importer:
    """The format that a file or folder probably has, by its name and its first bytes.

    Raises ParameterError where it fits none, and OSError.
    """
    if path.is_dir():
        name, head = (
            f"{path.name}/",
            b"\n".join(sorted(os.fsencode(one.name) for one in itertools.islice(path.iterdir(), 500))),
        )
    else:
        name = path.name
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    suited = next((one for one in IMPORTERS if one.suits(name, head)), None)
    if suited is None:
        names = ", ".join(importer.name for importer in IMPORTERS)
        raise ParameterError(f"{path.name} is of no format that is known by its content: name one of {names}")
    return suited

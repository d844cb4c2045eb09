"""The catalog: hardware facts from data files, each with its sources and the date they were checked."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from designer.catalog import data_files, generic, own_types
from designer.errors import UnknownEntityError
from designer.model.hardware.device_ports import with_delivered_cards
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.paths import own_types_dir, resources_dir


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure was read."""

    id: str
    title: str
    url: str = ""
    document: str = ""
    """Number of a document that has no public address, as "ANSI/TIA-568.3-D"."""
    date: str = ""
    """Of the text where it states one, else when it was read: "2025-08-06", "read 2026-11", "2026-09-13 (quoted)"."""
    kind: str = "secondary"
    """"official" (vendor, operator or paper) or "secondary"."""

    @property
    def reference(self) -> str:
        """Where to check it: the address, else the number of the document."""
        return self.url or self.document


@dataclass(frozen=True, slots=True)
class Catalog:
    """Hardware types by id, in catalog order, with their sources."""

    types: Mapping[str, HardwareType]
    sources: Mapping[str, Source] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    """The day (ISO) the figures of a type were last checked; generic types have none."""
    own: frozenset[str] = frozenset()
    """Ids of the user's own types."""
    skipped: tuple[str, ...] = ()
    """One sentence for each file of own types that could not be read."""

    def get(self, type_id: str) -> HardwareType:
        """The type of that id; generic ids may spell out radix and rate ("generic-switch-36x200g").

        "generic-switch-64x8x100g" has 64 cages that split into up to 8 ports each.
        Raises UnknownEntityError naming near matches.
        """
        found = self.types.get(type_id) or generic.parse(type_id)
        if found is None:
            raise UnknownEntityError(f"the catalog has no {type_id!r}{_suggestion(type_id, self.types)}")
        return found

    def source(self, source_id: str) -> Source:
        """The source of that id. Raises UnknownEntityError naming near matches."""
        found = self.sources.get(source_id)
        if found is None:
            raise UnknownEntityError(f"the catalog has no source {source_id!r}{_suggestion(source_id, self.sources)}")
        return found

    def switches(self) -> list[SwitchType]:
        """All switch types, in catalog order."""
        return [type_ for type_ in self.types.values() if isinstance(type_, SwitchType)]

    def servers(self) -> list[ServerType]:
        """All server types, in catalog order."""
        return [type_ for type_ in self.types.values() if isinstance(type_, ServerType)]

    def nics(self) -> list[NicType]:
        """All NIC types, in catalog order."""
        return [type_ for type_ in self.types.values() if isinstance(type_, NicType)]

    def line_cards(self) -> list[LineCardType]:
        """All line card types, in catalog order."""
        return [type_ for type_ in self.types.values() if isinstance(type_, LineCardType)]

    def racks(self) -> list[RackType]:
        """All rack types, in catalog order."""
        return [type_ for type_ in self.types.values() if isinstance(type_, RackType)]

    def media(self) -> list[MediumType]:
        """All cables and optics, in catalog order."""
        return [type_ for type_ in self.types.values() if isinstance(type_, MediumType)]


def load(folder: Path | None = None, own_folder: Path | None = None) -> Catalog:
    """The catalog in a folder of data files (the program's by default), the generic types, and the user's own.

    Own types are read from `own_folder`, the user's where not given; with a `folder` and none given there are none.
    Raises CatalogError naming file, entry and field; files of own types that cannot be read are skipped and reported.
    """
    if own_folder is None and folder is None:
        own_folder = own_types_dir()
    catalog = _read(folder) if folder is not None else delivered()
    if own_folder is None:
        return catalog
    own, skipped = own_types.load(own_folder, catalog.types)
    types = MappingProxyType({**catalog.types, **own})
    return replace(catalog, types=types, own=frozenset(own), skipped=skipped)


@cache
def delivered() -> Catalog:
    """What comes with the program: its files do not change while it runs, and tests have checked their figures."""
    return _read(resources_dir() / "catalog", are_checked=True)


def _read(folder: Path, *, are_checked: bool = False) -> Catalog:
    """What the data files of a folder say, and the generic types. Figures that `are_checked` are taken as they are."""
    found = data_files.read(folder / "sources.yaml", Source, known_sources=None, are_checked=are_checked)
    sources = {source.id: source for source in found.entries}
    types: dict[str, HardwareType] = {}
    dates: dict[str, str] = {}
    for file_name, record in data_files.TYPE_FILES.items():
        contents = data_files.read(
            folder / file_name, record, known_sources=sources.keys(), taken=types.keys(), are_checked=are_checked
        )
        types.update((type_.id, type_) for type_ in contents.entries)
        dates.update((type_.id, contents.date) for type_ in contents.entries)
    types.update((type_.id, type_) for type_ in generic.default_types())
    data_files.check_delivered_modules(types)
    types.update((one.id, with_delivered_cards(one, types)) for one in types.values() if isinstance(one, SwitchType))
    return Catalog(MappingProxyType(types), MappingProxyType(sources), MappingProxyType(dates))


def _suggestion(wanted: str, known: Iterable[str]) -> str:
    """ "; did you mean ...?" with the nearest of the known ids, or nothing where none is near."""
    known = list(known)
    lowered = wanted.lower()
    parts = [name for name in known if len(lowered) >= 3 and (lowered in name or name in lowered)]
    near = difflib.get_close_matches(lowered, known, n=3, cutoff=0.6)
    names = list(dict.fromkeys([*near, *parts]))[:3]
    return f"; did you mean {' or '.join(names)}?" if names else ""

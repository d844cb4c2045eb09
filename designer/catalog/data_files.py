"""Reading the catalog's data files: YAML to records, every fault named by file, entry and field."""

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from designer.catalog import yaml_text
from designer.errors import CatalogError
from designer.model import limits
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import DeviceType, HardwareType
from designer.model.networks import NETWORK_OF

TYPE_FILES: dict[str, type[Any]] = {
    "switches.yaml": SwitchType,
    "servers.yaml": ServerType,
    "rack-systems.yaml": ServerType,
    "nics.yaml": NicType,
    "line-cards.yaml": LineCardType,
    "racks.yaml": RackType,
    "media.yaml": MediumType,
}
"""The files of device and cable types, in catalog order, with the record each entry becomes."""

_PATH_IN_MESSAGE = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?", re.DOTALL)
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")


class Record(Protocol):
    """What every record of the catalog has."""

    @property
    def id(self) -> str:
        """The id that the data files and designs refer to it by."""


R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Contents(Generic[R]):
    """What a data file holds."""

    date: str
    entries: tuple[R, ...]


def read(
    path: Path,
    record: type[R],
    *,
    known_sources: Collection[str] | None,
    taken: Collection[str] = (),
    are_checked: bool = False,
) -> Contents[R]:
    """The types of a data file as records. `taken` are ids that earlier files use.

    `known_sources` None leaves the entries' sources unchecked (the file of sources itself). Figures and names of fields
    that `are_checked` already are not checked again.
    Raises CatalogError naming file, entry and field.
    """
    contents = entries(path, record, taken, are_checked=are_checked)
    for entry in () if are_checked else contents.entries:
        for field_name, fault in _faults(entry, known_sources):
            raise CatalogError(f"{path.name}, entry {entry.id}, field {field_name}: {fault}")
    return contents


def entries(path: Path, record: type[R], taken: Collection[str] = (), *, are_checked: bool = False) -> Contents[R]:
    """The entries of a data file as records, whatever their figures. `taken` are ids that earlier files use.

    Whether there are fields that no record has is not looked at where the names of fields `are_checked` already.
    Raises CatalogError naming file, entry and field.
    """
    raw = _parsed(path)
    found: list[R] = []
    seen = set(taken)
    for number, raw_entry in enumerate(raw["entries"], start=1):
        where = f"{path.name}, entry {_entry_name(raw_entry, number)}"
        entry = _record(raw_entry, record, where, are_checked=are_checked)
        entry_id = entry.id
        if not _ID.fullmatch(entry_id):
            raise CatalogError(f"{where}, field id: {entry_id!r} is not small letters, digits, dots and hyphens")
        if entry_id in seen:
            raise CatalogError(f"{where}, field id: {entry_id!r} is used twice in the catalog")
        seen.add(entry_id)
        found.append(entry)
    return Contents(raw["date"], tuple(found))


def checked_entry(raw: dict[str, Any], record: type[R], where: str, lines: Mapping[str, int] | None = None) -> R:
    """The record of an entry that stands by itself. Raises CatalogError naming the field, and its line where given."""
    entry = _record(raw, record, where, lines)
    check_entry(entry, where, lines)
    return entry


def check_entry(entry: Record, where: str, lines: Mapping[str, int] | None = None) -> None:
    """Raises CatalogError naming the field where a type cannot be, or could not be kept in a design."""
    if not _ID.fullmatch(entry.id):
        raise _fault(where, "id", f"{_short(entry.id)} is not small letters, digits, dots and hyphens", lines)
    for field_name, fault in _faults(entry, None):
        raise _fault(where, field_name, fault, lines)


def _fault(where: str, place: str, fault: str, lines: Mapping[str, int] | None) -> CatalogError:
    found = place
    while lines and found and found not in lines:
        found = found[: max(found.rfind("."), found.rfind("["), 0)]
    line = f", line {lines[found]}" if lines and found else ""
    return CatalogError(f"{where}{line}, field {place}: {fault}")


def _short(value: object) -> str:
    """A value as a message quotes it, never long."""
    text = value if isinstance(value, str) else repr(value)
    short = text if len(text) <= 60 else text[:59] + "…"
    return repr(short) if isinstance(value, str) else short


def check_delivered_modules(types: Mapping[str, HardwareType], only: str = "") -> None:
    """Raises CatalogError where a slot is delivered with a NIC or line card that the catalog does not have."""
    for type_ in types.values():
        if not isinstance(type_, DeviceType) or (only and type_.id != only):
            continue
        file, field, kind, word = _DELIVERED[type(type_)]
        for index, slot in enumerate(type_.slots):
            if slot.module_type_id and not isinstance(types.get(getattr(slot, field)), kind):
                raise CatalogError(
                    f"{file}, entry {type_.id}, field slots[{index}].{field}: "
                    f"{slot.module_type_id!r} is not a {word} of the catalog"
                )


_DELIVERED: dict[type[DeviceType], tuple[str, str, type[HardwareType], str]] = {
    ServerType: ("servers.yaml", "nic_type_id", NicType, "NIC"),
    SwitchType: ("switches.yaml", "card_type_id", LineCardType, "line card"),
}
"""Of what a slot of a device is: file, field, type and word of what it is delivered with."""


def _parsed(path: Path) -> dict[str, Any]:
    """The file's outer mapping: a date, and a list of entries."""
    raw = yaml_text.read(path).value
    if not isinstance(raw, dict) or set(raw) != {"date", "entries"}:
        raise CatalogError(f"{path.name}: the file should hold exactly the fields date and entries")
    if not isinstance(raw["date"], str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", raw["date"]):
        raise CatalogError(f'{path.name}, field date: {_short(raw["date"])} is not a day like "2026-11-20"')
    if not isinstance(raw["entries"], list):
        raise CatalogError(f"{path.name}, field entries: expected a list")
    return raw


def _entry_name(raw_entry: object, number: int) -> str:
    entry_id = raw_entry.get("id") if isinstance(raw_entry, dict) else None
    return entry_id[:100] if isinstance(entry_id, str) else f"number {number}"


def _record(
    raw_entry: object,
    record: type[R],
    where: str,
    lines: Mapping[str, int] | None = None,
    *,
    are_checked: bool = False,
) -> R:
    if not isinstance(raw_entry, dict):
        raise CatalogError(f"{where}: expected a mapping of fields")
    # A null stands for "unknown", which is what leaving the field out means.
    stated = {name: value for name, value in raw_entry.items() if value is not None}
    try:
        entry = msgspec.convert(stated, record)
    except msgspec.ValidationError as error:
        match = _PATH_IN_MESSAGE.fullmatch(str(error))
        what, place = (match["what"], match["path"]) if match else (str(error), None)
        missing = re.search(r"missing required field `(\w+)`", what)
        if missing:
            place = f"{place}.{missing[1]}" if place else missing[1]
            what = "is missing"
        raise _fault(where, place or "id", f"{what[:1].lower()}{what[1:]}", lines) from None
    for place in () if are_checked else _unknown_fields(stated, entry, ""):
        raise _fault(where, place, "there is no such field", lines)
    return entry


def _unknown_fields(raw: object, built: object, place: str) -> Iterator[str]:
    """Fields of the file that no record field took in, wherever they are nested."""
    if isinstance(raw, dict) and dataclasses.is_dataclass(built):
        for name, value in raw.items():
            inner = f"{place}.{name}" if place else str(name)
            if not hasattr(built, str(name)):
                yield inner
            else:
                yield from _unknown_fields(value, getattr(built, name), inner)
    elif isinstance(raw, list) and isinstance(built, tuple):
        for index, (raw_item, built_item) in enumerate(zip(raw, built, strict=True)):
            yield from _unknown_fields(raw_item, built_item, f"{place}[{index}]")


def _faults(entry: object, known_sources: Collection[str] | None) -> Iterator[tuple[str, str]]:
    """Field and fault of every figure of an entry that cannot be true."""
    yield from limits.value_faults(entry)
    if known_sources is not None:
        for index, source in enumerate(getattr(entry, "sources", ())):
            if source not in known_sources:
                yield f"sources[{index}]", f"{_short(source)} is not in sources.yaml"
    names = {field.name for field in dataclasses.fields(entry)}  # type: ignore[arg-type]
    for index, name in enumerate(getattr(entry, "unverified", ())):
        if name.split(".")[0] not in names:
            yield f"unverified[{index}]", f"{_short(name)} is not a field of this entry"
    if isinstance(entry, HardwareType):
        yield from limits.type_faults(entry)
    if isinstance(entry, SwitchType) and not entry.cages and not entry.slots:
        yield "cages", "a switch has at least one group of cages, or slots for line cards"
    if isinstance(entry, LineCardType) and not entry.cages:
        yield "cages", "a line card has at least one group of cages"
    if isinstance(entry, ServerType):
        yield from _purposes(entry)


def _purposes(type_: ServerType) -> Iterator[limits.Fault]:
    for index, slot in enumerate(type_.slots):
        for field, purposes in (("purpose", (slot.purpose,)), ("port_purposes", slot.port_purposes)):
            for purpose in purposes:
                if purpose not in NETWORK_OF:
                    yield f"slots[{index}].{field}", f"{purpose!r} is none of {', '.join(NETWORK_OF)}"

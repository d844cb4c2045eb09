"""The user's own types: one YAML file a type in the user's folder, in the words of the catalog's data files."""

import contextlib
import dataclasses
import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from designer.catalog import data_files, yaml_text
from designer.errors import CatalogError
from designer.model import limits
from designer.model.hardware.device_ports import with_delivered_cards
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import DeviceType, HardwareType

KINDS: dict[str, type[Any]] = {
    "switch": SwitchType,
    "server": ServerType,
    "nic": NicType,
    "line-card": LineCardType,
    "rack": RackType,
    "cable": MediumType,
}


def kind_of(type_: HardwareType) -> str:
    """The word for a type: "switch", "server", "nic", "line-card", "rack" or "cable"."""
    return next(kind for kind, record in KINDS.items() if isinstance(type_, record))


def load(folder: Path, taken: Mapping[str, HardwareType]) -> tuple[dict[str, HardwareType], tuple[str, ...]]:
    """(types by id, one sentence for each file that was skipped) of a folder, which may not exist.

    An id that the catalog itself uses is not overridden.
    """
    found: dict[str, HardwareType] = {}
    skipped: list[str] = []
    try:
        files = sorted(folder.glob("*.yaml"))
    except OSError as error:
        return {}, (f"{folder} cannot be read: {error.strerror}",)
    for path in files:
        try:
            type_ = read(path)
            if type_.id in taken or type_.id in found:
                raise CatalogError(f"{path.name}: the catalog has a {type_.id} already")
            found[type_.id] = type_
        except CatalogError as error:
            skipped.append(str(error))
    every = {**taken, **found}
    for type_id in [one for one, type_ in found.items() if isinstance(type_, DeviceType)]:
        try:
            data_files.check_delivered_modules({**every, type_id: found[type_id]}, only=type_id)
        except CatalogError as error:
            skipped.append(str(error))
            del found[type_id]
            continue
        type_ = found[type_id]
        if isinstance(type_, SwitchType):
            found[type_id] = with_delivered_cards(type_, every)
    return found, tuple(skipped)


def read(path: Path) -> HardwareType:
    """The type of one file. Raises CatalogError naming file and field."""
    return _type_of(yaml_text.read(path), path.name)


def from_text(text: str, name: str) -> HardwareType:
    """The type that a text states as a file does. Raises CatalogError that begins with that name."""
    return _type_of(yaml_text.parse(text, name), name)


def _type_of(found: yaml_text.Yaml, where: str) -> HardwareType:
    raw = found.value
    if not isinstance(raw, dict) or not isinstance(raw.get("kind"), str) or raw["kind"] not in KINDS:
        raise CatalogError(f"{where}, field kind: it should be one of {', '.join(KINDS)}")
    fields = {name: value for name, value in raw.items() if name != "kind"}
    # A cable's own kind ("DAC") goes by another name here, as "kind" says which record it is.
    if raw["kind"] == "cable" and "cable_kind" in fields:
        fields["kind"] = fields.pop("cable_kind")
    type_: HardwareType = data_files.checked_entry(fields, KINDS[raw["kind"]], where, found.lines)
    return type_


def save(type_: HardwareType, folder: Path) -> Path:
    """Write a type into the user's folder, whole or not at all, and say where.

    Raises CatalogError for figures that are not possible or contradict each other, and where the file cannot be
    written.
    """
    data_files.checked_entry(_plain(type_), type(type_), type_.id)
    for _, fault in limits.unlikely_figures(type_):
        raise CatalogError(f"{type_.id}: {fault}")
    text = text_of(type_)
    path = folder / f"{file_name(type_.id)}.yaml"
    part = path.with_name(f"{path.name}.{secrets.token_hex(6)}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with part.open("x", encoding="utf-8") as file:  # readable by whom the umask says
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise CatalogError(f"{path} cannot be written: {error.strerror}") from None
    return path


def text_of(type_: HardwareType) -> str:
    """A type as its file states it."""
    stated: dict[str, Any] = _plain(type_)
    if isinstance(type_, MediumType):
        stated["cable_kind"] = stated.pop("kind")
    text: str = yaml.safe_dump({"kind": kind_of(type_), **stated}, sort_keys=False, allow_unicode=True, width=110)
    return text


def delete(type_id: str, folder: Path) -> None:
    """Remove a type's file. Raises CatalogError where it cannot be removed."""
    for path in folder.glob("*.yaml"):
        try:
            if read(path).id == type_id:
                path.unlink()
                return
        except CatalogError:
            continue
        except OSError as error:
            raise CatalogError(f"{path} cannot be removed: {error.strerror}") from None
    raise CatalogError(f"{type_id} is not one of your own types")


def file_name(type_id: str) -> str:
    """The stem of a type's file, made of its id: lower case, other characters than a-z, 0-9, "." and "-" replaced."""
    return re.sub(r"[^a-z0-9.-]", "-", type_id.lower())[:100] or "type"


def _plain(value: Any) -> Any:
    """As YAML writes it: lists for tuples, and records as mappings without what they leave at its default."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        stated = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {field.name: _plain(inner) for field, inner in stated if inner != field.default}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value

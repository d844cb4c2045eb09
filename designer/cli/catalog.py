"""`catalog list|show|import`: hardware types, their figures and sources, and types of one's own."""

import itertools
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from designer.catalog import own_types
from designer.catalog.catalog import Catalog, load
from designer.catalog.headline import delivered_ports
from designer.cli.json_text import json_text
from designer.cli.main import FOUND_ERRORS, say, tell
from designer.cli.options import FORCE_OPTION, FORMAT_OPTION, PATH
from designer.late import Late
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType, Slot
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.paths import own_types_dir
from designer.tables.columns import Column, record
from designer.tables.table import ResultTable, facts
from designer.units import format_count, format_counted, format_rate

netbox = Late("designer.exchange.netbox")

KINDS = tuple(own_types.KINDS)


@click.group(subcommand_metavar="COMMAND [OPTIONS]", options_metavar="")
def command() -> None:
    """List and show hardware types with their figures and sources, and import types of your own."""


@command.command("list")
@click.option("--kind", type=click.Choice(KINDS), help="Only types of this kind.")
@click.option("--search", default="", metavar="TEXT", help="Only types with these words in id, vendor or model.")
@FORMAT_OPTION
def list_types(kind: str | None, search: str, format_: str) -> None:
    """List the types of the catalog, your own included."""
    catalog = _loaded()
    found = [
        type_
        for type_ in catalog.types.values()
        if (kind is None or own_types.kind_of(type_) == kind) and matches(type_, search)
    ]
    columns = (
        Column("id", "id"),
        Column("kind", "kind", own_types.kind_of),
        Column("vendor", "vendor"),
        Column("model", "model"),
        Column("summary", "", summary, is_json=False),
        Column("own", "", lambda type_: type_.id in catalog.own, lambda own: "own" if own else ""),
    )
    if format_ == "json":
        say(json_text({"types": [record(type_, columns) for type_ in found]}))
    else:
        say(ResultTable(columns, found).text(indent="") or "no type matches")


@command.command("show")
@click.argument("type_id", metavar="ID")
@FORMAT_OPTION
def show(type_id: str, format_: str) -> None:
    """Show all figures of a type, with their sources."""
    catalog = _loaded()
    type_ = catalog.get(type_id)
    if format_ == "json":
        say(json_text(_as_json(catalog, type_)))
        return
    rows = [(name.replace("_", " "), _text(value)) for name, value in asdict(type_).items() if name not in _NAMED_APART]
    if isinstance(type_, ServerType | SwitchType):
        rows = [(name, _slots(type_.slots) if name == "slots" else text) for name, text in rows]
    say(f"{type_.vendor} {type_.model} ({own_types.kind_of(type_)})")
    say(facts((name, text or "not known") for name, text in rows))
    for note in type_.notes:
        say(f"  {note}")
    for source_id in type_.sources:
        source = catalog.sources.get(source_id)
        stated = f"{source.title}, {source.reference} ({source.kind}, {source.date})" if source else source_id
        say(f"  source: {stated}")
    unverified = getattr(type_, "unverified", ())
    if unverified:
        say(f"  not verified: {', '.join(unverified)}")


@command.command("import")
@click.argument("path", type=PATH)
@FORCE_OPTION
def import_types(path: Path, force: bool) -> None:
    """Read NetBox device and rack types (a YAML file, or a folder of them) into types of your own."""
    catalog = _loaded()
    report = netbox.read(path)
    taken, refused = netbox.take_in(report, catalog, own_types_dir(), replace=force)
    for one in taken:
        tell(f"{one.file}: {one.type_.id}, {summary(one.type_)}" + "".join(f"; {note}" for note in one.notes))
    for sentence in refused:
        tell(sentence)
    if refused and any(one.type_.id in catalog.own for one in report.imported) and not force:
        tell("use --force to replace types of your own")
    for sentence in report.skipped:
        tell(sentence)
    if report.skipped or refused:
        click.get_current_context().exit(FOUND_ERRORS)


_NAMED_APART = ("id", "vendor", "model", "sources", "unverified", "notes")


def matches(type_: HardwareType, search: str) -> bool:
    """Whether every word of the search is somewhere in the type's id, vendor, model or protocols."""
    text = " ".join([type_.id, type_.vendor, type_.model, *getattr(type_, "protocols", ())]).lower()
    return all(word in text for word in search.lower().split())


def summary(type_: HardwareType) -> str:
    """A few words on a type: ports and rates, GPUs and NICs, reach."""
    if isinstance(type_, SwitchType | LineCardType):
        slots = getattr(type_, "slots", ())
        if not type_.modes:
            return f"{len(slots)} empty slots for line cards"
        there = delivered_ports(type_)
        ports = " + ".join(f"{format_count(count)} x {format_rate(rate_gbps)}" for count, rate_gbps in there)
        return f"{ports} on {format_counted(len(slots), 'line card')}" if slots else ports
    if isinstance(type_, ServerType):
        nics = sum(slot.purpose == "fabric" for slot in type_.slots)
        gpus = "GPUs not stated" if type_.is_host else format_counted(type_.gpus, "GPU")
        return f"{gpus}, {format_counted(nics, 'fabric NIC')}"
    if isinstance(type_, NicType):
        modes = type_.port_modes
        return " or ".join(f"{type_.n_ports(mode)} x {format_rate(mode.rate_gbps)}" for mode in modes)
    if isinstance(type_, RackType):
        return f"{type_.units} units"
    assert isinstance(type_, MediumType)
    rate = f"{type_.links} x {format_rate(type_.link_gbps)}" if type_.link_gbps else format_counted(type_.links, "link")
    reach = f", up to {type_.max_length_m:,g} m" if type_.max_length_m is not None else ""
    return f"{type_.kind}, {rate}{reach}"


def _loaded() -> Catalog:
    catalog = load()
    for sentence in catalog.skipped:
        tell(f"one of your own types is left out: {sentence}")
    return catalog


def _as_json(catalog: Catalog, type_: HardwareType) -> dict[str, Any]:
    sources = [asdict(catalog.sources[one]) for one in type_.sources if one in catalog.sources]
    return {
        "kind": own_types.kind_of(type_),
        **asdict(type_),
        "sources": sources,
        "date": catalog.dates.get(type_.id),
        "own": type_.id in catalog.own,
    }


def _slots(slots: tuple[Slot, ...]) -> str:
    """A line for each run of slots that are alike but for name, GPU and cage."""
    lines = []
    for _, run in itertools.groupby(slots, lambda one: replace(one, name="", gpu=None, cage=None)):
        alike = list(run)
        first, last = alike[0], alike[-1]
        names = first.name if first == last else f"{first.name} to {last.name} ({len(alike)})"
        rest = {name: value for name, value in asdict(first).items() if name not in ("name", "gpu", "cage")}
        serves = [one.gpu for one in (first, last) if one.gpu is not None]
        gpus = f"GPU {serves[0]}" + (f" to {serves[1]}" if serves[0] != serves[-1] else "") if serves else ""
        lines.append(", ".join(one for one in (names, gpus, _text(rest)) if one))
    return "\n".join(lines)


def _text(value: object) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, tuple | list):
        return "\n".join(_text(inner) for inner in value)
    if isinstance(value, dict):
        stated = {name.replace("_", " "): _text(inner).replace("\n", " and ") for name, inner in value.items()}
        return ", ".join(f"{name} {text}" for name, text in stated.items() if text)
    return f"{value:g}" if isinstance(value, float) else str(value)

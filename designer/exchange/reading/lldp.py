"""Neighbors as `lldpctl -f json` lists them: a file for each host, in a folder, or one file with all hosts."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from designer.exchange.reading.collecting import Collector
from designer.exchange.reading.found import SWITCH, FoundEnd, FoundLink, FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.json_text import as_list, read_json, text_at
from designer.exchange.reading.limits import MOST_MEMBERS
from designer.exchange.reading.texts import clean
from designer.units import format_counted, shortened

_RUNS_ON = re.compile(r"running on (?:a |an )?([\w .+/-]{3,60})", re.IGNORECASE)
_SWITCH_WORDS = re.compile(r"cumulus|sonic|arista|\beos\b|nx-os|junos|onyx|mlnx-os|nvos|dell.*os10", re.IGNORECASE)
_MAC = re.compile(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}", re.IGNORECASE)


def read(path: Path) -> FoundNetwork:
    """The links that the hosts of a file or folder see. Raises ImportFailure where there is none, or OSError."""
    found = Collector(path.name)
    hosts: dict[str, None] = {}
    for spot, host, interfaces in _hosts(path):
        hosts.setdefault(host)
        found.node(host, spot)
        for name, about in interfaces:
            _neighbours(found, spot, host, clean(name), about)
    if not found.n_links:
        raise ImportFailure(
            f"{path.name} has no neighbors: give the output of lldpctl -f json, HOST.json for each host in a folder"
        )
    if found.repeated:
        count = format_counted(found.repeated, "link")
        found.guess(Spot(path.name), f"{count} are seen from both ends; each is counted once")
    return replace(found.network(), reporters=tuple(hosts))


def looks(name: str, head: bytes) -> bool:
    """Whether a file begins like lldpctl's output, or a folder has JSON files."""
    return b".json" in head if name.endswith("/") else b'"lldp"' in head


def _hosts(path: Path) -> Iterator[tuple[Spot, str, list[tuple[str, Any]]]]:
    """Place, name and interfaces of each host."""
    if path.is_dir():
        files = sorted(itertools.islice(path.glob("*.json"), MOST_MEMBERS))
        if not files:
            raise ImportFailure(f"{path.name} holds no files HOST.json with the output of lldpctl -f json")
        for file in files:
            yield from _in_file(file)
        return
    yield from _in_file(path)


def _in_file(path: Path) -> Iterator[tuple[Spot, str, list[tuple[str, Any]]]]:
    data = read_json(path)
    spot = Spot(path.name)
    if isinstance(data, Mapping) and "lldp" in data:
        yield spot, clean(path.name.split(".")[0]) or "host", _interfaces(data)
        return
    hosts = [(host, one) for host, one in data.items() if _is_output(one)] if isinstance(data, Mapping) else []
    if not hosts:
        raise ImportFailure(f"{path.name} is not the output of lldpctl -f json, nor such outputs by host")
    for host, one in hosts:
        yield spot, clean(host), _interfaces(one)


def _is_output(value: Any) -> bool:
    return isinstance(value, Mapping) and "lldp" in value


def _interfaces(data: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Name and neighbor of each interface, in the forms json and json0 of lldpctl."""
    found: list[tuple[str, Any]] = []
    for lldp in as_list(data["lldp"]):
        for one in as_list(lldp.get("interface")) if isinstance(lldp, Mapping) else []:
            if isinstance(one, Mapping) and isinstance(one.get("name"), str):
                found.append((one["name"], one))
            elif isinstance(one, Mapping):
                found += [(name, about) for name, each in one.items() for about in as_list(each)]
    return found


def _neighbours(found: Collector, spot: Spot, host: str, name: str, about: Any) -> None:
    """The link of an interface, where its neighbor says who it is."""
    here = Spot(spot.file, "", None, name)
    chassis = next(iter(as_list(about.get("chassis"))), None) if isinstance(about, Mapping) else None
    node, facts = _chassis(chassis)
    port = _port(next(iter(as_list(about.get("port"))), None)) if isinstance(about, Mapping) else ""
    if not node or not port:
        what = "name" if not node else "port"
        found.unread(here, f"the neighbor of {shortened(host)} {shortened(name)} states no {what}", "it runs no lldpd")
        return
    if node == host:
        found.unread(here, f"{shortened(host)} {shortened(name)} sees its own host", "a cable from the host to itself")
        return
    text = text_at(facts, "descr")
    model = _RUNS_ON.search(text)
    kind = SWITCH if _SWITCH_WORDS.search(text) else ""
    found.node(node, here, kind=kind, model=clean(model[1]) if model else "")
    found.link(FoundLink(FoundEnd(host, name), FoundEnd(node, port), spot=here))


def _chassis(chassis: Any) -> tuple[str, Any]:
    """Name of a neighbor, and what it says of itself; its id where it has no name."""
    if not isinstance(chassis, Mapping):
        return "", None
    if "name" in chassis:
        return clean(text_at(chassis, "name")), chassis
    if "id" in chassis:
        return clean(text_at(chassis, "id", "value")), chassis
    for name, facts in chassis.items():
        if isinstance(facts, Mapping):
            return clean(name), facts
    return "", None


def _port(port: Any) -> str:
    """The port by its name; by its description where it states an address for a name."""
    name, described = clean(text_at(port, "id", "value")), clean(text_at(port, "descr"))
    return described if described and (not name or _MAC.fullmatch(name)) else name

"""Interfaces of NetBox types as ports: which of them build a fabric, manage a switch, or are left out."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from designer.catalog import yaml_text
from designer.errors import CatalogError
from designer.paths import resources_dir
from designer.units import format_count, format_rate

MOST_INTERFACES = 4096
LEAST_GBPS = 100
"""Slower interfaces are for management."""
NAMES_SHOWN = 3
USUAL_RADIXES = (32, 36, 40, 48, 64, 72, 128, 144, 256)

_MANAGEMENT = re.compile(r"(mgmt|eth\d|management|fnm|oob|bmc|ipmi)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedPort:
    """An interface of a NetBox type, as the port that it is."""

    name: str
    gbps: float
    form_factor: str
    heat_sink: str
    protocol: str
    assumed: bool
    mgmt_only: bool

    @property
    def is_fabric(self) -> bool:
        """Whether a fabric is built with it: fast enough, and not for management."""
        return not self.mgmt_only and self.gbps >= LEAST_GBPS and not _MANAGEMENT.match(self.name)

    @property
    def is_managing(self) -> bool:
        """Whether a switch with it is managed by it: the file says so, and it is too slow for a fabric."""
        return self.mgmt_only and bool(self.form_factor) and self.gbps < LEAST_GBPS

    @property
    def kind(self) -> tuple[float, str, str, str]:
        """Rate, form factor, heat sink and protocol."""
        return self.gbps, self.form_factor, self.heat_sink, self.protocol


def ports_of(raw: dict[str, Any], fault: Callable[[str, str], CatalogError], notes: list[str]) -> Iterator[NamedPort]:
    """The ports of a type; interfaces of kinds that are not known are noted."""
    interfaces = raw.get("interfaces") or []
    if not isinstance(interfaces, list):
        raise fault("interfaces", "interfaces should be a list")
    if len(interfaces) > MOST_INTERFACES:
        raise fault("interfaces", f"{format_count(len(interfaces))} interfaces are more than any device has")
    known, other = _interface_types(), Counter[str]()
    names: set[str] = set()
    for number, one in enumerate(interfaces):
        place = f"interfaces[{number}]"
        if not isinstance(one, dict) or not isinstance(one.get("name"), str) or not isinstance(one.get("type"), str):
            raise fault(place, "an interface has a name and a type, both texts")
        name, type_name = one["name"], one["type"]
        if name in names:
            raise fault(place, f"interface {as_stated(name)} appears twice")
        names.add(name)
        facts = known.get(type_name)
        if facts is None:
            other[type_name] += 1
            continue
        yield NamedPort(
            name,
            float(facts["gbps"]),
            facts["form_factor"],
            facts.get("heat_sink", ""),
            facts["protocol"],
            bool(facts.get("assumed")),
            bool(one.get("mgmt_only")),
        )
    for type_name, count in other.items():
        notes.append(f"{format_count(count)} interfaces of type {as_stated(type_name)} are not known and left out")


def left_out(ports: list[NamedPort]) -> Iterator[str]:
    """A sentence for each kind of port that is for management, or too slow for a fabric."""
    kinds: dict[str, list[str]] = {}
    for port in ports:
        kinds.setdefault(f"{format_rate(port.gbps)} {port.form_factor}".strip(), []).append(port.name)
    for kind, names in kinds.items():
        shown = ", ".join(names[:NAMES_SHOWN]) + (", ..." if len(names) > NAMES_SHOWN else "")
        yield f"{format_count(len(names))} x {kind} left out, for management or slower than {LEAST_GBPS}G: {shown}"


@cache
def _interface_types() -> dict[str, dict[str, Any]]:
    path = resources_dir() / "netbox" / "interface_types.yaml"
    types: dict[str, dict[str, Any]] = yaml_text.read(path).value["types"]
    return types


def interface_type_named(gbps: float, form_factor: str, heat_sink: str, protocol: str) -> str:
    """What NetBox calls an interface of that kind; "" where it has no word for it.

    A type of InfiniBand says the rate of four lanes and no form factor.
    """
    for name, facts in _interface_types().items():
        is_meant = float(facts["gbps"]) == gbps and facts["protocol"] == protocol
        if not is_meant:
            continue
        if protocol == "infiniband" or (facts["form_factor"], facts.get("heat_sink", "")) == (form_factor, heat_sink):
            return name
    return ""


def of_one_kind(ports: list[NamedPort], fault: Callable[[str, str], CatalogError], notes: list[str]) -> list[NamedPort]:
    """The ports that make up the fabric switch: all of one kind, the kind there is most capacity of."""
    groups: dict[tuple[float, str, str, str], list[NamedPort]] = {}
    for port in ports:
        groups.setdefault(port.kind, []).append(port)
    stated = {
        kind: f"{format_count(len(group))} x {format_rate(kind[0])} {kind[1]}".strip() for kind, group in groups.items()
    }
    usual = [kind for kind, group in groups.items() if len(group) in USUAL_RADIXES]
    if len(groups) > 1 and not usual:
        raise fault(
            "interfaces",
            f"{' and '.join(stated.values())}: none is the radix of a fabric switch, and a server's GPUs are not in "
            f"the format; make a type of your own",
        )
    kind = max(usual or groups, key=lambda kind: len(groups[kind]) * kind[0])
    if len(groups[kind]) < min(USUAL_RADIXES) / 2:
        raise fault(
            "interfaces",
            f"{stated[kind]} are too few for a fabric switch, and a server's GPUs are not in the format; make a type "
            f"of your own",
        )
    others = (text for other, text in stated.items() if other != kind)
    notes += [f"{text} are left out: a switch has ports of one kind here" for text in others]
    return groups[kind]


def as_stated(value: object) -> str:
    """What a file has there, so short that a message can hold it."""
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"

"""InfraGraph: instances of devices and the edges between their components, in YAML or JSON, as links between devices.

Source: InfraGraph 3.1, models of its OpenAPI description and how its service expands them. An endpoint names an
instance and a component, each with an index or a slice as in Python, or none for all; a component may be a device that
has components of its own: "cx5[0].port[1]". Of what is inside a device only what edges lead to is read.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from designer.catalog import yaml_text
from designer.errors import CatalogError
from designer.exchange.reading.collecting import Collector
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.json_text import read_json
from designer.exchange.reading.limits import check_size
from designer.exchange.reading.texts import clean
from designer.units import BYTES_PER_S_PER_GBPS, format_count, shortened

MOST_YAML_BYTES = 32 * 10**6
"""YAML takes some 10 s for as much; a fabric of 16,384 hosts is 7 MB. JSON is read in a tenth of the time."""
MOST_COUNT = 10**6
"""Components of one kind in a device."""
DEEPEST = 8
"""Devices in one another."""
MOST_EXPANDED = 250_000
"""Links that all edges stand for: a line of the file may stand for millions."""

_PART = re.compile(r"([^\[\].:]{1,200})(?:\[([0-9:+-]{0,40})\])?")
_NETWORK_PORTS = ("nic", "port", "device", "custom")
"""Choices of components that cables lead to."""
_OF_HOSTS, _OF_SWITCHES = frozenset(("cpu", "xpu", "nic", "memory")), frozenset(("switch", "port"))
_GBPS = {"gigabits_per_second": 1.0, "gigabytes_per_second": 1e9 / BYTES_PER_S_PER_GBPS}


class _Component(NamedTuple):
    choice: str
    number: int


class _Instance(NamedTuple):
    name: str
    device: str
    number: int


_Devices = Mapping[str, Mapping[str, _Component]]


def read(path: Path) -> FoundNetwork:
    """The devices and links of an infrastructure. Raises ImportFailure, or OSError."""
    data, lines = _read_data(path)
    if not isinstance(data, Mapping) or not all(isinstance(data.get(key), list) for key in ("devices", "instances")):
        raise ImportFailure(f"{path.name} is no infrastructure of InfraGraph: it should list devices and instances")
    found = Collector(path.name)
    devices = {name: _components(one) for name, one in _named(data["devices"])}
    instances: dict[str, _Instance] = {}
    n_nodes = 0
    for number, (name, one) in enumerate(_named(data["instances"])):
        instances[name] = _Instance(clean(name), _text(one, "device"), _count(one))
        n_nodes += instances[name].number
        check_size(n_nodes, 0, path.name)
        _add_nodes(found, instances[name], devices, Spot(path.name, row=lines.get(f"instances[{number}]")))
    rates = {name: _rate_gbps(one) for name, one in _named(data.get("links") or ())}
    edges = _Edges(found, devices, instances)
    for number, edge in enumerate(data.get("edges") or ()):
        spot = Spot(path.name, row=lines.get(f"edges[{number}]"))
        edges.add(edge, rates, spot)
    return found.network()


def looks(_name: str, head: bytes) -> bool:
    """Whether a file begins like an infrastructure of InfraGraph."""
    return all(word in head for word in (b"devices", b"components", b"choice")) and (
        b"instances" in head or b"many2many" in head or b"one2one" in head
    )


def _read_data(path: Path) -> tuple[Any, Mapping[str, int]]:
    """What the file holds, and the line of each of its places where these are known."""
    if path.suffix.lower() == ".json":
        return read_json(path), {}
    try:
        text = yaml_text.read(path, MOST_YAML_BYTES)
    except CatalogError as error:
        raise ImportFailure(str(error)) from None
    return text.value, text.lines


def _named(items: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a list that have a name."""
    for one in items if isinstance(items, Sequence) and not isinstance(items, str) else ():
        if isinstance(one, Mapping) and _text(one, "name"):
            yield _text(one, "name"), one


def _text(one: Mapping[str, Any], key: str) -> str:
    value = one.get(key)
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _count(one: Mapping[str, Any]) -> int:
    """How many there are: 1 where nothing is stated."""
    count = one.get("count", 1)
    return min(max(count, 0), MOST_COUNT) if isinstance(count, int) else 0


def _components(device: Mapping[str, Any]) -> dict[str, _Component]:
    return {name: _Component(_text(one, "choice"), _count(one)) for name, one in _named(device.get("components") or ())}


def _add_nodes(found: Collector, instance: _Instance, devices: _Devices, spot: Spot) -> None:
    if instance.device not in devices:
        found.unread(spot, f"{shortened(instance.name)} is of {shortened(instance.device)}, which is not described")
    choices = {one.choice for one in devices.get(instance.device, {}).values()}
    kind = HOST if choices & _OF_HOSTS else SWITCH if choices & _OF_SWITCHES else ""
    for index in range(instance.number):
        found.node(_node(instance, index), spot, kind=kind, model=clean(instance.device))


def _node(instance: _Instance, index: int) -> str:
    """The name of a device: that of the instance where it stands for one, else with a number."""
    return instance.name if instance.number == 1 else f"{instance.name}-{index + 1}"


def _rate_gbps(link: Mapping[str, Any]) -> float | None:
    """What a link carries one way; None where it is not stated in bits or bytes."""
    physical = link.get("physical")
    bandwidth = physical.get("bandwidth") if isinstance(physical, Mapping) else None
    if not isinstance(bandwidth, Mapping):
        return None
    for unit, factor in _GBPS.items():
        value = bandwidth.get(unit)
        if isinstance(value, int | float) and 0 < value < 1e9:
            return value * factor
    return None


class _Edges:
    """The edges of a file; one may stand for many links."""

    def __init__(self, found: Collector, devices: _Devices, instances: Mapping[str, _Instance]) -> None:
        self._found, self._devices, self._instances = found, devices, instances
        self._n_expanded = 0

    def add(self, edge: Any, rates: Mapping[str, float | None], spot: Spot) -> None:
        """Add the links that an edge stands for. Raises ImportFailure where all are more than any fabric has."""
        if not isinstance(edge, Mapping):
            return
        one, other = (self._ends(edge.get(key), spot) for key in ("ep1", "ep2"))
        if one is None or other is None:
            return
        is_product = edge.get("scheme") == "many2many"
        self._n_expanded += one.count * other.count if is_product else min(one.count, other.count)
        if self._n_expanded > MOST_EXPANDED:
            raise ImportFailure(
                f"{self._found.file} has edges for more than {format_count(MOST_EXPANDED)} links: import it in parts"
            )
        rate_gbps = rates.get(_text(edge, "link"))
        for a, b in ((a, b) for a in one for b in other) if is_product else zip(one, other, strict=False):
            if a != b:
                self._found.link(FoundLink(a, b, rate_gbps, spot=spot))

    def _ends(self, endpoint: Any, spot: Spot) -> "_Ends | None":
        """The ends that an endpoint stands for; None, and a word in the list, where it names none."""
        name, component = (_text(endpoint, key) if isinstance(endpoint, Mapping) else "" for key in _KEYS)
        part = _PART.fullmatch(name)
        instance = self._instances.get(part[1]) if part is not None else None
        if part is None or instance is None:
            self._found.unread(spot, f"an edge leads to {shortened(name) or 'nothing'}, which is no instance")
            return None
        places, ports = _places(part[2], instance.number), self._ports(instance.device, component)
        if places is None or ports is None:
            what = f"{shortened(name)} {shortened(component)}"
            self._found.unread(spot, f"an edge leads to {what}, where the device has no network port")
            return None
        return _Ends(instance, places, ports)

    def _ports(self, device: str, component: str) -> "tuple[tuple[str, range], ...] | None":
        """Names and numbers of the components on the way to the ports; None where it does not lead to ports."""
        found: list[tuple[str, range]] = []
        choice = ""
        for text in component.split(".")[: DEEPEST + 1]:
            part = _PART.fullmatch(text)
            known = self._devices.get(device, {}).get(part[1]) if part is not None else None
            places = _places(part[2], known.number) if part is not None and known is not None else None
            if part is None or known is None or places is None:
                return None
            found.append((clean(part[1]), places))
            choice, device = known.choice, part[1]
        return tuple(found) if choice in _NETWORK_PORTS and len(found) <= DEEPEST else None


_KEYS = ("instance", "component")


class _Ends:
    """The ends of an endpoint in its order: every port of every instance."""

    def __init__(self, instance: _Instance, places: range, ports: tuple[tuple[str, range], ...]) -> None:
        self._instance, self._places, self._ports = instance, places, ports
        self.count = len(places) * math.prod(len(one) for _, one in ports)

    def __iter__(self) -> Iterator[FoundEnd]:
        for index in self._places:
            name = _node(self._instance, index)
            for numbers in _each([places for _, places in self._ports]):
                words = (f"{word} {number + 1}" for (word, _), number in zip(self._ports, numbers, strict=True))
                yield FoundEnd(name, " ".join(words))


def _each(places: Sequence[range]) -> Iterator[tuple[int, ...]]:
    """The product of ranges, one after the other: none is held as a list."""
    if not places:
        yield ()
        return
    for number in places[0]:
        for rest in _each(places[1:]):
            yield (number, *rest)


def _places(text: str | None, count: int) -> range | None:
    """The indexes that a slice stands for, all where there is none; None where it is none, or none is left."""
    bounds = (text or "").split(":")
    try:
        numbers = [int(one) if one else None for one in bounds]
    except ValueError:
        return None
    if len(numbers) == 1 and numbers[0] is not None:
        index = numbers[0] + (count if numbers[0] < 0 else 0)
        return range(index, index + 1) if 0 <= index < count else None
    if len(numbers) > 3 or (len(numbers) == 3 and numbers[2] == 0):
        return None
    found = range(count)[slice(*numbers)] if len(numbers) > 1 else range(count)
    return found if len(found) else None

"""Which port of a device another program means: by its name, the numbers in it, or its place among the ports."""

import re
from collections.abc import Sequence

from designer.analysis.counterparts.names import unique
from designer.model.design import Design
from designer.model.hardware.ports import NVLINK, Port
from designer.model.infiniband import INFINIBAND, port_numbers

_NUMBERS = re.compile(r"[0-9]+")
_CUMULUS = re.compile(r"swp([0-9]+)(?:s([0-9]+))?")
_ADAPTER = re.compile(r"mlx[0-9]+_([0-9]+)(?:[ /]*(?:P|port )?1)?", re.IGNORECASE)
_RAIL = re.compile(r"rail[ _-]?([0-9]+)", re.IGNORECASE)
_PLAIN = re.compile(r"(?:port|p)?[ _-]?([0-9]+)", re.IGNORECASE)
MOST_DIGITS = 6


class PortNames:
    """The ports of the devices of a design by what other programs call them."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._books: dict[int, _Book] = {}
        self._kept: dict[int, tuple[Port, ...]] = {}

    def port(self, device_id: str, text: str, adapter: int | None = None) -> str | None:
        """The name that the design has for the port, on the server's adapter of that number; None where not known."""
        book = self._book(device_id)
        if adapter is not None:
            return book.by_infiniband.get(adapter + 1)
        if text in self._design.port_map(device_id):
            return text
        return book.port(text, is_server=self._design.is_server(device_id))

    def _book(self, device_id: str) -> "_Book":
        ports = self._design.ports(device_id)
        if id(ports) not in self._books:
            self._books[id(ports)] = _Book(ports)
            self._kept[id(ports)] = ports  # so that no other ports come to have the number
        return self._books[id(ports)]


class _Book:
    """The names of the ports of devices that are alike."""

    def __init__(self, ports: Sequence[Port]) -> None:
        numbers = zip(ports, port_numbers(ports), strict=True)
        self.by_infiniband = {number: port.name for port, number in numbers if number}
        self._by_place = {number: port.name for number, port in enumerate(ports, start=1)}
        fabric = (port.name for port in ports if port.purpose == "fabric" and port.protocols != (NVLINK,))
        self._by_rail = dict(enumerate(fabric, start=1))
        self._by_text = unique((text.casefold(), port.name) for port in ports for text in {port.name, port.label})
        self._by_numbers = unique((_numbers(port.name), port.name) for port in ports)
        self._speaks_infiniband = any(INFINIBAND in port.protocols for port in ports)

    def port(self, text: str, *, is_server: bool) -> str | None:
        """What the text means, by what is surest."""
        found = self._by_text.get(text.casefold())
        if found is not None:
            return found
        if match := _CUMULUS.fullmatch(text):
            return self._cage(_whole(match[1]), None if match[2] is None else _whole(match[2]) + 1)
        if is_server and (match := _ADAPTER.fullmatch(text)):
            return self.by_infiniband.get(_whole(match[1]) + 1)
        if is_server and (match := _RAIL.fullmatch(text)):
            return self._by_rail.get(_whole(match[1]))
        if match := _PLAIN.fullmatch(text):
            return self._numbered(_whole(match[1]))
        return None if is_server else self._by_numbers.get(_numbers(text))

    def _cage(self, cage: int, lane: int | None) -> str | None:
        """The port of a cage and its lane; a cage that is one port has none."""
        if lane is not None:
            return self._by_numbers.get((cage, lane)) or (self._by_numbers.get((cage,)) if lane == 1 else None)
        alone = (cage, 2) not in self._by_numbers
        return self._by_numbers.get((cage,)) or (self._by_numbers.get((cage, 1)) if alone else None)

    def _numbered(self, number: int) -> str | None:
        """The port of that number: on its cage alone, else counted as InfiniBand does, else in port order."""
        if not self._speaks_infiniband:
            return self._cage(number, None) or self._by_place.get(number)
        return self._by_numbers.get((number,)) or self.by_infiniband.get(number)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(_whole, _NUMBERS.findall(text)))


def _whole(digits: str) -> int:
    """The number; one with more digits than any port has is none that a port can have."""
    return int(digits) if len(digits) <= MOST_DIGITS else -1

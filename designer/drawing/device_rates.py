"""What all links of a device run at: calculated once for all levels of detail, and kept until these links change."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from designer.drawing.bundles import Floats
from designer.model.design import Design
from designer.model.hardware.ports import Port

UNASKED = -1.0
"""Stands for the rate of a device that was not looked for."""


class DeviceRates:
    """Answers by the row of a device, as long as no device or type changes."""

    def __init__(self, n_devices: int) -> None:
        self._known: Floats = np.full(n_devices, UNASKED)
        self._of_ports: dict[int, tuple[Mapping[str, Port], set[float]]] = {}

    def copied(self) -> "DeviceRates":
        """One that knows as much, for another thread."""
        found = DeviceRates(0)
        found._known, found._of_ports = self._known.copy(), dict(self._of_ports)
        return found

    def forget(self, rows: Iterable[int | None]) -> None:
        """The links of these devices have changed."""
        for row in rows:
            if row is not None:
                self._known[row] = UNASKED

    def of(self, design: Design, device_ids: Sequence[str], rows: NDArray[np.int32]) -> Floats:
        """The rates in Gb/s; nan where the links of a device differ or one is unknown."""
        for row in np.unique(rows[self._known[rows] == UNASKED]).tolist():
            self._known[row] = self._rate(design, device_ids[row])
        rates: Floats = self._known[rows]
        return rates

    def _rate(self, design: Design, device_id: str) -> float:
        ports, used = design.port_map(device_id), design.used_ports(device_id)
        if id(ports) not in self._of_ports:  # those of all devices of a type
            self._of_ports[id(ports)] = ports, {one.rate_gbps for one in ports.values()}
        rates: Collection[float | None] = self._of_ports[id(ports)][1]
        if len(rates) > 1 or not used.keys() <= ports.keys():
            rates = {None if port is None else port.rate_gbps for port in map(ports.get, used)}
        (rate,) = rates if len(rates) == 1 else (None,)
        return np.nan if rate is None else rate

"""The facts that expressions ask about, column by column, each made when it is first asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from designer.model.design import Design
from designer.model.entities import Device, End, Group, Link, Module, Rack
from designer.model.fixture import Fixture
from designer.model.hardware.ports import Port
from designer.model.records import ordered

Mask = NDArray[np.bool_]
Rows = NDArray[np.int64]

Entities = Sequence[Device | Rack | Group | Link | Module | Fixture]


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts by row: `rows` and `codes` are pairs, a row may have several texts; `applies` are the rows asked about."""

    rows: Rows
    codes: Rows
    values: tuple[str, ...]
    applies: Mask

    def fitting(self, test: Callable[[str], bool]) -> Mask:
        """The rows one of whose texts passes the test; each text is looked at once."""
        hits = np.fromiter(map(test, self.values), bool, len(self.values))
        mask = np.zeros(len(self.applies), bool)
        mask[self.rows[hits[self.codes]]] = True
        return mask

    def known(self) -> Mask:
        """The rows that have any text."""
        mask = np.zeros(len(self.applies), bool)
        mask[self.rows] = True
        return mask


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers by row, in the same way."""

    rows: Rows
    values: NDArray[np.float64]
    applies: Mask

    def fitting(self, test: Callable[[NDArray[np.float64]], Mask]) -> Mask:
        """The rows one of whose numbers passes the test."""
        mask = np.zeros(len(self.applies), bool)
        mask[self.rows[test(self.values)]] = True
        return mask

    def known(self) -> Mask:
        """The rows that have any number."""
        mask = np.zeros(len(self.applies), bool)
        mask[self.rows] = True
        return mask


class Index:
    """The rows of a design, devices first, then racks, groups, links, modules, fixtures; and columns over them."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self._ports: dict[str, Mapping[str, Port]] = {}
        self.devices = ordered(design.devices)
        self.racks = ordered(design.racks)
        self.groups = ordered(design.groups)
        self.links = ordered(design.links)
        self.modules = ordered(design.modules)
        fixtures = ordered(design.fixtures)
        self.tables: tuple[Entities, ...] = (
            *(self.devices, self.racks, self.groups, self.links, self.modules, fixtures),
        )
        self.starts = np.cumsum([0, *(len(table) for table in self.tables)]).tolist()
        self.n = self.starts[-1]

    @cached_property
    def ids(self) -> list[str]:
        """The id of each row."""
        return [one.id for table in self.tables for one in table]

    @cached_property
    def device_row(self) -> dict[str, int]:
        """The row of each device by its id."""
        return {one.id: row for row, one in enumerate(self.devices)}

    @cached_property
    def ends(self) -> tuple[Rows, Rows]:
        """Rows of the devices at both ends of each link, in the order of the links."""
        row = self.device_row
        n = len(self.links)
        a = np.fromiter((row[link.a.device_id] for link in self.links), np.int64, n)
        b = np.fromiter((row[link.b.device_id] for link in self.links), np.int64, n)
        return a, b

    def port(self, end: End) -> Port | None:
        """The port at a link's end; the ports of each device are looked up once."""
        ports = self._ports.get(end.device_id)
        if ports is None:
            ports = self._ports[end.device_id] = self.design.port_map(end.device_id)
        return ports.get(end.port)

    def span(self, *tables: int) -> Mask:
        """The rows of these tables: 0 devices, 1 racks, 2 groups, 3 links, 4 modules, 5 fixtures."""
        mask = np.zeros(self.n, bool)
        for one in tables:
            mask[self.starts[one] : self.starts[one + 1]] = True
        return mask

    # -- columns --------------------------------------------------------------------------------------------------

    def texts(self, pairs: Iterable[tuple[int, str]], applies: Mask) -> Texts:
        """A column of texts of (row, text) pairs; empty texts are none."""
        code: dict[str, int] = {}
        rows, codes = [], []
        for row, text in pairs:
            if text:
                rows.append(row)
                codes.append(code.setdefault(text, len(code)))
        return Texts(np.array(rows, np.int64), np.array(codes, np.int64), tuple(code), applies)

    def numbers(self, pairs: Iterable[tuple[int, float | None]], applies: Mask) -> Numbers:
        """A column of numbers of (row, number) pairs; None is none."""
        known = [(row, value) for row, value in pairs if value is not None]
        rows = np.array([row for row, _ in known], np.int64)
        return Numbers(rows, np.array([value for _, value in known], np.float64), applies)

    def of_table(self, table: int, get: Callable[..., str]) -> Iterable[tuple[int, str]]:
        """(row, text) of a table's records."""
        return zip(range(self.starts[table], self.starts[table + 1]), map(get, self.tables[table]), strict=True)

    def with_links_texts(self, column: Texts) -> Texts:
        """The column of devices, asked of links too: of the devices at their ends."""
        code = np.full(len(self.devices), -1, np.int64)
        of_devices = column.rows < len(self.devices)
        code[column.rows[of_devices]] = column.codes[of_devices]
        rows, codes = self._at_ends(code)
        known = codes >= 0
        return Texts(
            np.concatenate((column.rows, rows[known])),
            np.concatenate((column.codes, codes[known])),
            column.values,
            column.applies | self.span(3),
        )

    def with_links_numbers(self, column: Numbers) -> Numbers:
        """The column of devices, asked of links too: of the devices at their ends."""
        value = np.full(len(self.devices), np.nan)
        of_devices = column.rows < len(self.devices)
        value[column.rows[of_devices]] = column.values[of_devices]
        rows, values = self._at_ends(value)
        known = ~np.isnan(values)
        return Numbers(
            np.concatenate((column.rows, rows[known])),
            np.concatenate((column.values, values[known])),
            column.applies | self.span(3),
        )

    def _at_ends(self, of_device: NDArray) -> tuple[Rows, NDArray]:  # type: ignore[type-arg]
        a, b = self.ends
        rows = np.arange(len(self.links)) + self.starts[3]
        return np.concatenate((rows, rows)), np.concatenate((of_device[a], of_device[b]))

"""Point-to-point sheets as networks: CSV files and workbooks, their columns found by heading or by position."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designer.errors import ParameterError
from designer.exchange.reading import headings as words
from designer.exchange.reading.collecting import Collector
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.grids import Grid, Row, read_grids
from designer.exchange.reading.headings import A, Columns, Z, by_position, columns_of
from designer.model.networks import NETWORKS, TITLES, WORDS
from designer.units import format_counted, parse_rate, shortened

HEAD_ROWS = 40
"""Rows in which headings are looked for."""
ROWS_COMPARED = 20
"""Rows without headings from which the meaning of columns is taken."""
MOST_PASSED_OVER = 40
"""Sheets in a row without links after which no more are looked at: plans have one for each rack and switch."""
MOST_LANES = 64
"""Links in one row."""

KINDS = {
    "host": HOST, "server": HOST, "hca": HOST, "fi": HOST, "node": HOST, "compute": HOST, "gpu": HOST, "nic": HOST,
    "switch": SWITCH, "sw": SWITCH,
}  # fmt: skip
ROLES = {
    "leaf": "leaf", "l3leaf": "leaf", "l2leaf": "leaf", "tor": "leaf", "spine": "spine", "core": "core",
    "super-spine": "core", "superspine": "core", "super_spine": "core", "aggregation": "spine",
}  # fmt: skip
"""What other tools call the roles of switches."""
_NETWORKS = {
    text.casefold(): network for network in NETWORKS for text in (network, TITLES[network], WORDS[network])
}  # fmt: skip
METRES = {
    "m": 1.0, "meters": 1.0, "metres": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0, "ft": 0.3048, "feet": 0.3048,
    "in": 0.0254, "mi": 1609.344,
}  # fmt: skip
_NOT_MODELS = ("dcim.", "circuits.")
"""What NetBox calls the kinds of terminations."""
_LENGTH = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)\s*([a-z]*)", re.IGNORECASE)
_UNIT = re.compile(r"(?:r?u)?\s*0*([0-9]{1,3})(?:\.0)?", re.IGNORECASE)


def read(path: Path) -> FoundNetwork:
    """The network that the sheets of a file list. Raises ImportFailure where no sheet lists links, or OSError."""
    found = Collector(path.name)
    file = _File(found)
    for grid in read_grids(path):
        file.read(grid)
        if found.n_links and file.passed_over >= MOST_PASSED_OVER:
            file.others.append("and further ones")
            break
    if not found.n_links:
        looked = f"; its headings are {', '.join(file.headings[:8])}" if file.headings else ""
        raise ImportFailure(
            f"{path.name} has no list of links: name the columns A-Node, A-Port, Z-Node and Z-Port{looked}"
        )
    if found.repeated:
        count = format_counted(found.repeated, "row")
        found.guess(Spot(path.name), f"{count} repeat a link that stands already; each link is counted once")
    if file.others:
        count, names = format_counted(len(file.others), "sheet"), ", ".join(map(shortened, file.others[:6]))
        found.guess(Spot(path.name), f"{count} hold no list of links and are not read: {names}")
    return found.network()


class _File:
    """The sheets of a file, one after the other."""

    def __init__(self, found: Collector) -> None:
        self._found = found
        self._headings: tuple[str, ...] | None = None
        self.headings: list[str] = []
        """Of a sheet that was not understood, for the message where none was."""
        self.others: list[str] = []
        """Sheets that are not read."""
        self.passed_over = 0
        """How many of them came since the last one that is read."""

    def read(self, grid: Grid) -> None:
        """Read a sheet that lists links or nodes; others are passed over."""
        first = list(itertools.islice(grid.rows, HEAD_ROWS))
        links, nodes = self._headed(first)
        if links is None and nodes is None and self._headings is None:
            taken = by_position([_trimmed(cells) for _, cells in first[:ROWS_COMPARED]])
            if taken is not None:
                spot = Spot(self._found.file, grid.title, first[0][0])
                stated = f"there are no headings; the columns were taken by position as {_names(taken)}"
                self._found.guess(spot, stated)
                self._headings = ()
                _Sheet(grid.title, taken, self._found).read(itertools.chain(first, grid.rows), None)
                return
        index, columns = links or nodes or (0, Columns({}, {}))
        if columns.is_list_of_links or (columns.ends and not self._found.n_links) or _is_named_nodes(grid, columns):
            self.passed_over = 0
            if columns.is_list_of_links:
                self._headings = columns.headings
            rest = itertools.chain(first[index + 1 :], grid.rows)
            _Sheet(grid.title, columns, self._found).read(rest, first[index][0])
        elif first:
            self.headings = self.headings or [shortened(cell) for cell in first[0][1] if cell]
            self.passed_over += 1
            if grid.title:
                self.others.append(grid.title)

    def _headed(self, first: Sequence[Row]) -> tuple[tuple[int, Columns] | None, tuple[int, Columns] | None]:
        """Where the headings of a list of links stand, else those of a list of nodes."""
        above: Sequence[str] = ()
        nodes: tuple[int, Columns] | None = None
        for index, (_, cells) in enumerate(first):
            columns = columns_of(cells, above)
            above = cells
            if columns.is_list_of_links and (self._headings in (None, columns.headings) or columns.names_both_ends):
                return (index, columns), nodes
            if nodes is None and _lists_nodes(columns):
                nodes = index, columns
        return None, nodes


def _is_named_nodes(grid: Grid, columns: Columns) -> bool:
    """Whether a sheet after the links lists the nodes, as its title says."""
    return bool(columns.ends) and grid.title.casefold() in ("nodes", "devices", "hosts", "switches", "servers")


def _lists_nodes(columns: Columns) -> bool:
    facts = {what for side, what in columns.ends if side == A}
    is_of_one_end = not any(side == Z for side, _ in columns.ends)
    return is_of_one_end and words.NODE in facts and words.PORT not in facts and len(facts) > 1


def _trimmed(cells: Sequence[str]) -> list[str]:
    """The cells without empty ones at the end."""
    row = list(cells)
    while row and not row[-1]:
        row.pop()
    return row


def _names(columns: Columns) -> str:
    return ", ".join(f"{side.upper()} {what}" for side, what in columns.ends)


@dataclass(slots=True)
class _Stated:
    """What a row says of one of its ends."""

    nodes: list[str]
    ports: list[str]
    rack: str
    unit: int | None


class _Sheet:
    """A sheet whose columns are known, read into a collector."""

    def __init__(self, title: str, columns: Columns, found: Collector) -> None:
        self._title, self._columns, self._found = title, columns, found
        self._above: dict[str, str] = {}
        self._network = _NETWORKS.get(title.casefold(), "")
        self._stated_once: set[tuple[str, str]] = set()

    def read(self, rows: Iterator[Row], head: int | None) -> None:
        """Read the rows below the headings, which stand in row `head`."""
        for column in self._columns.unknown:
            heading = self._columns.headings[column]
            meant = words.probable_meaning(heading)
            self._found.unread(
                Spot(self._found.file, self._title, head, heading),
                f"the column {shortened(heading)} is not read",
                f"perhaps {meant}" if meant else "",
            )
        read = self._link if self._columns.is_list_of_links else self._node
        for number, cells in rows:
            read(number, cells)

    def _node(self, number: int, cells: Sequence[str]) -> None:
        name = self._cell(cells, A, words.NODE)
        if name and len(name) <= 200:
            self._add_node(name, A, cells, self._spot(number))

    def _link(self, number: int, cells: Sequence[str]) -> None:
        """Read the links of a row: one, or those of the lanes of a cable."""
        a, z = self._end(A, number, cells), self._end(Z, number, cells)
        if a is None or z is None:
            return
        lanes = max(len(a.ports), len(z.ports), len(a.nodes), len(z.nodes))
        spread = [_spread(texts, lanes) for texts in (a.nodes, a.ports, z.nodes, z.ports)]
        spot = self._spot(number)
        if lanes > MOST_LANES or any(len(texts) != lanes for texts in spread):
            self._found.unread(spot, "the ends of its links cannot be paired", "list each link in a row of its own")
            return
        facts = self._facts(number, cells, lanes)
        for a_node, a_port, z_node, z_port in zip(*spread, strict=True):
            for name, side, end in ((a_node, A, a), (z_node, Z, z)):
                self._add_node(name, side, cells, spot, end)
            self._found.link(FoundLink(FoundEnd(a_node, a_port), FoundEnd(z_node, z_port), spot=spot, **facts))

    def _end(self, side: str, number: int, cells: Sequence[str]) -> _Stated | None:
        """What a row says of an end; None, and listed, where the device or port is missing."""
        node, port = self._cell(cells, side, words.NODE), self._port(side, cells)
        if not node and port and side in self._above:
            node = self._above[side]
            self._guess_once(number, side, "blank devices", f"a blank device is that of the row above, {node}")
        if not node or not port:
            what = "device" if not node else "port"
            if any(cells[column] for column in self._columns.ends.values() if column < len(cells)):
                spot = self._spot(number, self._heading(side, words.NODE if not node else words.PORT))
                self._found.unread(spot, f"there is no {side.upper()} {what}", "a port without a cable, or a note")
            return None
        self._above[side] = node
        rack = self._cell(cells, side, words.RACK)
        if "termination" in self._heading(side, words.PORT).casefold():
            port = re.sub(r",(?! )", ", ", port)  # NetBox joins several so
        return _Stated(_listed(node), _listed(port), "" if rack == "none" else rack, self._unit(side, number, cells))

    def _port(self, side: str, cells: Sequence[str]) -> str:
        port = self._cell(cells, side, words.PORT)
        second, slot = self._cell(cells, side, words.SECOND), self._cell(cells, side, words.SLOT)
        if second and KINDS.get(self._cell(cells, side, words.TYPE).casefold()) == HOST:
            return second  # of an adapter the name tells more than the number of its port
        if slot and port and not port.casefold().startswith(slot.casefold()):
            return f"{slot}/{port}"
        return port

    def _unit(self, side: str, number: int, cells: Sequence[str]) -> int | None:
        text = self._cell(cells, side, words.UNIT)
        if not text:
            return None
        found = _UNIT.fullmatch(text)
        if found is None and "location" in self._heading(side, words.UNIT).casefold():
            return None  # a room, where others have the unit
        if found is None or not 1 <= int(found[1]) <= 200:
            self._found.unread(
                self._spot(number, self._heading(side, words.UNIT)),
                f"{shortened(text)} is not a rack unit",
                "the place of the device in its rack stays open",
            )
            return None
        return int(found[1])

    def _add_node(self, name: str, side: str, cells: Sequence[str], spot: Spot, end: _Stated | None = None) -> None:
        kind, role, model = self._type(side, cells)
        if end is None:
            rack, unit = self._cell(cells, side, words.RACK), self._unit(side, spot.row or 0, cells)
        else:
            rack, unit = (end.rack, end.unit) if len(end.nodes) == 1 else ("", None)
        self._found.node(name, spot, kind=kind, role=role, model=model, rack=rack, unit=unit)

    def _type(self, side: str, cells: Sequence[str]) -> tuple[str, str, str]:
        """Kind, role and model; one column may say any of the three."""
        kind = role = ""
        model = self._cell(cells, side, words.MODEL)
        for what in (words.KIND, words.ROLE, words.TYPE):
            text = self._cell(cells, side, what)
            low = text.casefold()
            if low in KINDS:
                kind = kind or KINDS[low]
            elif low in ROLES:
                kind, role = kind or SWITCH, role or ROLES[low]
            elif text and what == words.ROLE:
                role = role or text
            elif text and what == words.TYPE and not low.startswith(_NOT_MODELS):
                model = model or text
        return kind, role, model

    def _facts(self, number: int, cells: Sequence[str], lanes: int) -> dict[str, Any]:
        """What a row says of its links beyond their ends."""
        network = _NETWORKS.get(self._of_link(cells, words.NETWORK).casefold(), self._network)
        rate = self._rate(number, cells)
        return {
            "rate_gbps": None if rate is None else rate / lanes,
            "medium": self._of_link(cells, words.MEDIUM),
            "length_m": self._length(number, cells),
            "label": self._of_link(cells, words.LABEL),
            "network": network,
            "cable": self._of_link(cells, words.NUMBER),
        }

    def _rate(self, number: int, cells: Sequence[str]) -> float | None:
        text = self._of_link(cells, words.RATE)
        if not text:
            return None
        try:
            return parse_rate(text)
        except ParameterError:
            spot = self._spot(number, self._heading("", words.RATE))
            self._found.unread(spot, f"{shortened(text)} is not a rate", "the rate of the ports is used")
            return None

    def _length(self, number: int, cells: Sequence[str]) -> float | None:
        text = self._of_link(cells, words.LENGTH)
        if not text:
            return None
        found = _LENGTH.fullmatch(text)
        unit = (found[2] if found else "") or self._of_link(cells, words.LENGTH_UNIT) or self._columns.length_unit
        if (
            found is None
            or unit.casefold() not in METRES
            or (length := float(found[1]) * METRES[unit.casefold()]) > 1e6
        ):
            spot = self._spot(number, self._heading("", words.LENGTH))
            self._found.unread(spot, f"{shortened(text)} is not a length", "the length of the cable stays open")
            return None
        return round(length, 6)

    def _cell(self, cells: Sequence[str], side: str, what: str) -> str:
        column = self._columns.ends.get((side, what))
        return cells[column] if column is not None and column < len(cells) else ""

    def _of_link(self, cells: Sequence[str], what: str) -> str:
        column = self._columns.links.get(what)
        return cells[column] if column is not None and column < len(cells) else ""

    def _heading(self, side: str, what: str) -> str:
        column = self._columns.ends.get((side, what)) if side else self._columns.links.get(what)
        return self._columns.headings[column] if column is not None and self._columns.headings else ""

    def _spot(self, number: int, column: str = "") -> Spot:
        return Spot(self._found.file, self._title, number, column)

    def _guess_once(self, number: int, side: str, what: str, sentence: str) -> None:
        if (side, what) not in self._stated_once:
            self._stated_once.add((side, what))
            self._found.guess(self._spot(number), sentence)


def _listed(text: str) -> list[str]:
    return text.split(", ") if ", " in text else [text]


def _spread(texts: list[str], lanes: int) -> list[str]:
    """One text for each lane, where one stands for all."""
    return texts * lanes if len(texts) == 1 else texts

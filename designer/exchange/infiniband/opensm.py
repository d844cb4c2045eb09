"""Forwarding tables as OpenSM dumps them (opensm-lfts.dump), and as dump_fts and ibroute print them.

OpenSM writes the dump with flag 0x40 of its log level: `opensm -D 0x43 --dump_files_dir .`; dump_fts of
infiniband-diags asks the switches of a running subnet. Source: opensm/osm_dump.c, infiniband-diags/src/dump_fts.c.
"""

import mmap
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from designer.errors import FileFormatError
from designer.exchange.infiniband.lft_kernels import read_section
from designer.routing.given import NO_PORT, ForwardingTables, Owner
from designer.units import format_count, shortened

USUAL_NAME = "opensm-lfts.dump"
_BEGIN = b"Unicast lids ["
_HEADER = re.compile(rb"Unicast lids \[[^\]\n]*\] of switch [^\n]*?guid 0x([0-9a-fA-F]{1,16}) \('?(.*?)'?\):\s*$")
_OWNER = re.compile(rb"0x[0-9a-fA-F]{1,8} +\d+ +[:#] *\(?([A-Za-z ]*?) ?portguid 0x([0-9a-fA-F]{1,16}): '(.*?)'\)?\s*$")
FIRST_MULTICAST = 0xC000
"""LIDs from here on are of multicast groups (InfiniBand specification)."""
MOST_ENTRIES = 300_000_000
LONGEST_LINE = 400
"""Bytes of a line that are looked at; with the longest name it has some 140."""
LONGEST_NAME = 64
"""Bytes of a node's description."""


def read_tables(path: Path) -> ForwardingTables:
    """The tables of a dump, or of opensm-lfts.dump in a folder.

    Raises FileFormatError, with the line where one cannot be read.
    """
    if path.is_dir():
        path = path / USUAL_NAME
    try:
        with path.open("rb") as file:
            if file.seek(0, 2) == 0:
                raise _no_dump(path)
            # Not closed by hand: arrays on it live as long as an error with its traceback does.
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _Reading(path, data).tables()
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {error.strerror or error}") from error


class _Reading:
    """A dump, section by section: each is the table of a switch."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self._path = path
        self._data = data
        self._owners: dict[int, Owner] = {}

    def tables(self) -> ForwardingTables:
        """All of them."""
        begins = [at for at in _found(self._data, _BEGIN) if at == 0 or self._data[at - 1 : at] == b"\n"]
        if not begins:
            raise _no_dump(self._path)
        return self._tables(np.frombuffer(self._data, dtype=np.uint8), begins)

    def _tables(self, bytes_: NDArray[np.uint8], begins: list[int]) -> ForwardingTables:
        names, rows, guids = [], [], set()
        seen, n_entries = np.zeros(FIRST_MULTICAST, dtype=np.bool_), 0
        for first, last in zip(begins, [*begins[1:], len(self._data)], strict=True):
            end = self._data.find(b"\n", first, last)
            header = _HEADER.match(self._data[first : last if end < 0 else end])
            if header is None:
                raise FileFormatError(f"{self._place(first)}: a table should begin with its switch and guid")
            if header[1] in guids:
                raise FileFormatError(f"{self._place(first)}: the switch with guid 0x{header[1].decode()} comes twice")
            guids.add(header[1])
            names.append(_text(header[2]))
            row = self._row(bytes_, first, last, seen)
            n_entries += len(row)
            if n_entries > MOST_ENTRIES:
                raise FileFormatError(
                    f"{self._path.name} has more than {format_count(MOST_ENTRIES)} entries, more than a subnet can have"
                )
            rows.append(row)
        lids = np.flatnonzero(seen)
        if not len(lids):
            raise FileFormatError(f"{self._path.name} has tables without entries: dump them after OpenSM has set them")
        ports = []
        for row in rows:
            of_lids = np.full(len(lids), NO_PORT, dtype=np.uint8)
            within = lids < len(row)
            of_lids[within] = row[lids[within]]
            ports.append(of_lids.tobytes())
        owners = tuple(self._owners.get(lid, _UNKNOWN) for lid in lids.tolist())
        return ForwardingTables(
            self._path.name, tuple(names), tuple(lids.tolist()), owners, tuple(ports), str(self._path)
        )

    def _row(self, bytes_: NDArray[np.uint8], first: int, last: int, seen: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Ports by LID up to the highest of a section. Notes whose the LIDs are that were not met before."""
        row, starts = np.full(FIRST_MULTICAST, NO_PORT, dtype=np.uint8), np.full(FIRST_MULTICAST, -1, dtype=np.int64)
        wrong = read_section(bytes_, first, last, row, starts)
        if wrong >= 0:
            end = self._data.find(b"\n", wrong, last)
            line = _text(self._data[wrong : min(last if end < 0 else end, wrong + 100)])
            raise FileFormatError(
                f"{self._place(wrong)}: {shortened(line)!r} should be a LID and a port, as 0x0001 033"
            )
        own = starts >= 0
        for lid in np.flatnonzero(own & ~seen).tolist():
            begin = int(starts[lid])
            if found := _OWNER.match(self._data[begin : begin + LONGEST_LINE].partition(b"\n")[0]):
                is_switch = found[1].strip() in (b"Switch", b"Router")
                self._owners[lid] = Owner(_text(found[3]), found[2].decode().lower(), is_switch)
        seen |= own
        return row[: int(np.flatnonzero(own).max(initial=-1)) + 1].copy()

    def _place(self, at: int) -> str:
        lines = sum(1 for _ in _found(self._data, b"\n", at))
        return f"{self._path.name}, line {format_count(lines + 1)}"


_UNKNOWN = Owner("", "", is_switch=False)


def _found(data: mmap.mmap, text: bytes, end: int | None = None) -> Iterator[int]:
    """Where the text stands, one after the other."""
    last = len(data) if end is None else end
    at = data.find(text, 0, last)
    while at >= 0:
        yield at
        at = data.find(text, at + len(text), last)


def _text(raw: bytes) -> str:
    """A description without what no description has: letters that cannot be shown become "?"."""
    decoded = raw.decode("utf-8", "replace")
    return "".join(one if one.isprintable() else "?" for one in decoded)[:LONGEST_NAME]


def _no_dump(path: Path) -> FileFormatError:
    return FileFormatError(
        f"{path.name} has no forwarding tables: choose {USUAL_NAME}, which OpenSM writes with -D 0x43, or what "
        "dump_fts prints"
    )

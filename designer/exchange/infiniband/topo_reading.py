"""Topology files of ibdiagnet and ibutils (.topo), alone or in the archive that `topo` writes.

Sources: ibutils, manual page ibdm-topo-file; NVIDIA Cable Validation Tool, "Topology file".
"""

import re
import zipfile
import zlib
from pathlib import Path

from designer.exchange.reading.collecting import Collector
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.limits import MOST_BYTES, MOST_PORTS, MOST_ROWS, MOST_UNLINKED, too_many_ports
from designer.exchange.reading.texts import clean, read_bytes, text_of
from designer.units import format_count, shortened

_LINK = re.compile(r"(\S+)\s+(?:->|-(\d{1,2})x-([\d.]{1,6})G->)\s+(\S+)\s+(\S+)\s+(\S+)$")
_SYSTEM = re.compile(r"(\S+)\s+(\S+)(?:\s+CFG:.*)?$")
_OF_HOST = re.compile(r"([^/]+)/P(\d{1,4})$")
_NO_MODEL = re.compile(r"HCA_")
"""Words for any server with adapters, which name no type (NVIDIA's own sample)."""
_WANTED = "choose a topology file as ibdiagnet reads them"


def read(path: Path) -> FoundNetwork:
    """The network that a topology file lists. Raises ImportFailure, OSError."""
    lines = _text(path).split("\n")
    if len(lines) > MOST_ROWS:
        raise ImportFailure(f"{path.name} has more than {MOST_ROWS:,} lines: import it in parts")
    reading = _Reading(path.name)
    for row, line in enumerate(lines, start=1):
        reading.take(row, line)
    return reading.network()


def _text(path: Path) -> str:
    """The topology, from the archive where it is one."""
    data = read_bytes(path)
    if not data.startswith(b"PK\x03\x04"):
        return text_of(data, path.name)
    try:
        with zipfile.ZipFile(path) as archive:
            names = [one for one in archive.namelist() if one.lower().endswith(".topo")]
            if len(names) != 1:
                raise ImportFailure(f"{path.name} holds {len(names)} topology files: choose an archive with one")
            with archive.open(names[0]) as member:
                data = member.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, zlib.error) as error:
        raise ImportFailure(f"{path.name} cannot be unpacked: {clean(str(error)) or 'it is damaged'}") from None
    if len(data) > MOST_BYTES:
        raise ImportFailure(f"{path.name} holds a topology larger than {MOST_BYTES // 10**6} MB: import it in parts")
    return text_of(data, path.name)


class _Reading:
    """One file, system by system."""

    def __init__(self, file: str) -> None:
        self._found = Collector(file)
        self._system, self._of_system = "", 0
        """The last one, and how many links it has."""
        self._links: list[tuple[int, FoundEnd, FoundEnd, float | None]] = []
        self._several: set[tuple[str, str]] = set()

    def take(self, row: int, line: str) -> None:
        """Read a line: a system where it begins at the margin, else a link of the last one."""
        stripped = line.split("#", maxsplit=1)[0].strip()
        if not stripped:
            return
        spot = Spot(self._found.file, row=row)
        if link := _LINK.match(stripped):
            if not self._system:
                self._found.unread(spot, f"{shortened(stripped)!r} is a link of no system")
                return
            self._link(row, spot, link)
        elif (system := _SYSTEM.match(stripped)) and not line[:1].isspace():
            self._system, self._of_system = clean(system[2]), 0
            self._node(self._system, system[1], spot)
            if self._found.n_nodes > MOST_UNLINKED and not self._links:
                count = format_count(MOST_UNLINKED)
                raise ImportFailure(f"{self._found.file} lists more than {count} systems and no link: {_WANTED}")
        else:
            self._found.unread(spot, f"{shortened(stripped)!r} is neither a system nor a link of one")

    def _node(self, name: str, word: str, spot: Spot, port: str = "") -> None:
        is_host = bool(_NO_MODEL.match(word)) or "/" in port
        model = "" if _NO_MODEL.match(word) else clean(word)
        kind = HOST if is_host else SWITCH if port else ""
        self._found.node(name, spot, kind=kind, model=model)

    def _link(self, row: int, spot: Spot, found: re.Match[str]) -> None:
        near, lanes, lane_gbps, word, far, far_port = (one and clean(one) for one in found.groups())
        rate = int(lanes) * float(lane_gbps) if lanes and lane_gbps.count(".") < 2 and lane_gbps != "." else None
        ends = FoundEnd(self._system, near), FoundEnd(far, far_port)
        if self._links and self._links[-1][1:3] == ends:
            self._found.repeat()
            return
        self._found.node(self._system, None, kind=HOST if "/" in near else SWITCH)
        self._node(far, word, spot, far_port)
        self._of_system += 1
        if self._of_system > MOST_PORTS:
            raise ImportFailure(too_many_ports(self._found.file, self._system))
        for end in ends:
            if (of_host := _OF_HOST.match(end.port)) and of_host[2] != "1":
                self._several.add((end.node, of_host[1]))
        self._links.append((row, *ends, rate or None))

    def network(self) -> FoundNetwork:
        """All that was read. Raises ImportFailure where there is no system."""
        if not self._links:
            raise ImportFailure(f"{self._found.file} lists no link: {_WANTED}")
        for row, a, b, rate_gbps in self._links:
            spot = Spot(self._found.file, row=row)
            self._found.link(FoundLink(self._named(a), self._named(b), rate_gbps=rate_gbps, spot=spot))
        return self._found.network()

    def _named(self, end: FoundEnd) -> FoundEnd:
        """ "mlx5_0" of "mlx5_0/P1" where the adapter has one port, "33" of "P33"."""
        if of_host := _OF_HOST.match(end.port):
            several = (end.node, of_host[1]) in self._several
            return end if several else FoundEnd(end.node, of_host[1])
        return FoundEnd(end.node, end.port[1:]) if re.fullmatch(r"P\d+", end.port) else end

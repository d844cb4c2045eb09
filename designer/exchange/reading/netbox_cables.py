"""Cables of NetBox: the table as CSV, with the headings of its page or of its import form, and the API's JSON."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from designer.exchange.reading import sheets
from designer.exchange.reading.collecting import Collector
from designer.exchange.reading.found import FoundEnd, FoundLink, FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.json_text import as_list, read_json, text_at
from designer.exchange.reading.texts import clean

_MARKS = (b"termination a", b"termination b")
_FORM_MARKS = (b"side_a_device", b"side_b_device")
PORTS = ("dcim.interface", "dcim.frontport", "dcim.rearport")


def read(path: Path) -> FoundNetwork:
    """The network of a file of cables. Raises ImportFailure, or OSError."""
    if path.suffix.lower() != ".json":
        return sheets.read(path)
    found = Collector(path.name)
    data = read_json(path)
    rows = data.get("results") if isinstance(data, Mapping) else data
    if not isinstance(rows, list):
        raise ImportFailure(f"{path.name} holds no list of cables: save what api/dcim/cables/ answers")
    for number, row in enumerate(rows, start=1):
        if isinstance(row, Mapping):
            _cable(found, Spot(path.name, "", number, "results"), row)
    if not found.n_links:
        raise ImportFailure(f"{path.name} has no cable between two interfaces: save what api/dcim/cables/ answers")
    if isinstance(data, Mapping) and data.get("next"):
        found.unread(Spot(path.name), "the file holds one page of several", "ask for limit=0")
    return found.network()


def looks(name: str, head: bytes) -> bool:
    """Whether a file begins like a table of cables of NetBox."""
    if name.lower().endswith(".json"):
        return b'"a_terminations"' in head
    line = head.split(b"\n", 1)[0].lower()
    return all(mark in line for mark in _MARKS) or all(mark in line for mark in _FORM_MARKS)


def _cable(found: Collector, spot: Spot, row: Mapping[str, Any]) -> None:
    a, b = list(_ends(row.get("a_terminations"))), list(_ends(row.get("b_terminations")))
    if not a or not b:
        found.unread(spot, "the cable has an end that is no interface", "a cable of power or console")
        return
    count = max(len(a), len(b))
    if len(a) not in (1, count) or len(b) not in (1, count) or (count > 1 and len(a) != len(b)):
        found.unread(spot, "the ends of its links cannot be paired", "a breakout whose lanes NetBox does not pair")
        return
    length = row.get("length")
    unit = sheets.METRES.get(text_at(row, "length_unit", "value"), 1.0)
    is_length = isinstance(length, int | float) and 0 <= length <= 1e6 and length * unit <= 1e6
    for a_end, b_end in zip(a, b, strict=True):
        for end in (a_end, b_end):
            found.node(end.node, spot)
        found.link(
            FoundLink(
                a_end,
                b_end,
                medium=clean(text_at(row, "type")),
                length_m=round(length * unit, 6) if is_length and isinstance(length, int | float) else None,
                label=clean(text_at(row, "label")),
                spot=spot,
            )
        )


def _ends(value: Any) -> Iterator[FoundEnd]:
    for one in as_list(value):
        if isinstance(one, Mapping) and one.get("object_type", PORTS[0]) in PORTS:
            node, port = clean(text_at(one, "object", "device", "name")), clean(text_at(one, "object", "name"))
            if node and port:
                yield FoundEnd(node, port)

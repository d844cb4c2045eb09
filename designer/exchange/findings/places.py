"""On which line of its file each record of a design stands."""

import re

ROW = re.compile(rb'^\{"id": "((?:[^"\\]|\\.)*)"')
TABLE = re.compile(rb'^"(\w+)": \[')
PLACEMENTS = b"placements"


def lines_of(data: bytes) -> dict[str, int]:
    """Line by id, from 1; of placements, which share the ids of what they place, none."""
    found: dict[str, int] = {}
    table = b""
    for number, line in enumerate(data.split(b"\n"), start=1):
        heading = TABLE.match(line)
        if heading is not None:
            table = heading[1]
            continue
        row = ROW.match(line)
        if row is not None and table != PLACEMENTS:
            found.setdefault(row[1].decode("utf-8", "replace"), number)
    return found

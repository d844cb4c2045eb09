"""How many things of which kind, in words."""

from collections.abc import Iterable, Mapping

from designer.model.design import Design
from designer.units import format_counted

KINDS = (
    ("devices", "device"),
    ("racks", "rack"),
    ("groups", "group"),
    ("links", "link"),
    ("modules", "NIC"),
    ("fixtures", "fixture"),
    ("annotations", "annotation"),
)
"""The tables of a design that can be selected from, and what one of their records is called."""


def counted_kinds(counts: Iterable[int]) -> str:
    """ "32 devices, 4 racks" of numbers in the order of KINDS; "nothing" where all are 0."""
    return ", ".join(format_counted(count, word) for (_, word), count in zip(KINDS, counts, strict=False) if count) or (
        "nothing"
    )


def counted(design: Design, ids: Iterable[str]) -> str:
    """The same of these ids."""
    wanted = frozenset(ids)
    return counted_kinds(_number_in(getattr(design, table), wanted) for table, _ in KINDS)


def _number_in(table: Mapping[str, object], ids: frozenset[str]) -> int:
    """How many of the ids the table has; takes as long as the smaller of both."""
    return len(ids.intersection(table)) if len(table) < len(ids) else sum(map(table.__contains__, ids))

"""The first sheet of a plan: which design it is, what is in it, and how much of each kind of cable."""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from designer.analysis.parts import link_parts
from designer.analysis.survey import survey
from designer.exchange.cable_plan import CableRow
from designer.exchange.plans.cell_words import cell_word
from designer.exchange.plans.headings import word
from designer.exchange.revisions import DIGEST_SHOWN, latest
from designer.exchange.workbook import COUNT, FIGURE, TENTHS, Block, SheetColumn
from designer.exchange.workbook_cells import Marked, Value
from designer.model.design import Design
from designer.model.networks import NETWORKS, TITLES
from designer.model.title_facts import stated_facts

K = TypeVar("K", bound=Hashable)
Kind = tuple[str, str, str, float | None]
"""Medium, model, part number and stock length."""

ABREAST = 6
"""Titles of sheets in a line."""
NOT_CHOSEN = "not selected"


@dataclass(frozen=True, slots=True)
class Total:
    """How many cables of a kind there are, and how long they are together: those whose length is known."""

    links: int
    cables: int
    length_m: float
    shortest_m: float | None
    longest_m: float | None
    unknown: int
    """Cables without a length."""


def total(rows: Iterable[CableRow]) -> Total:
    """The total of these rows, one per link; links in one cable count for one."""
    lengths_m: dict[str, float | None] = {}
    links = 0
    for row in rows:
        links += 1
        lengths_m.setdefault(row.piece, row.length_m)
    known = [length_m for length_m in lengths_m.values() if length_m is not None]
    least, most = min(known, default=None), max(known, default=None)
    return Total(links, len(lengths_m), round(math.fsum(known), 3), least, most, len(lengths_m) - len(known))


def by_kind(rows: Iterable[CableRow], kind: Callable[[CableRow], K]) -> dict[K, list[CableRow]]:
    """The rows of each kind, kinds in the order in which they occur."""
    found: dict[K, list[CableRow]] = {}
    for row in rows:
        found.setdefault(kind(row), []).append(row)
    return found


def summary_blocks(
    design: Design, rows: Sequence[CableRow], language: str, digest: str, sheets: Sequence[str]
) -> tuple[Block, ...]:
    """The blocks of the sheet: the design, its counts, its totals, and the way to the other sheets."""
    return (
        _about(design, language, digest),
        _counts(design, language),
        _networks(rows, language),
        _kinds(rows, language),
        _way(sheets, language),
    )


def _about(design: Design, language: str, digest: str) -> Block:
    last = latest(design)
    is_issue = last is not None and last.digest == digest
    number = "" if last is None else last.number if is_issue else f"{word('after', language)} {last.number}"
    facts: list[tuple[str, str]] = [
        *stated_facts(design),
        ("Revision", number),
        ("Date", last.date if last is not None and is_issue else ""),
        ("Digest", digest[:DIGEST_SHOWN]),
    ]
    lines = [(Marked(word(name, language), is_bold=True), value) for name, value in facts if value]
    return Block((SheetColumn(""), SheetColumn("")), lines)


def _counts(design: Design, language: str) -> Block:
    counted = link_parts(survey(design)).counts(selected_only=True)
    counts: list[tuple[str, int]] = [
        ("Servers", len(design.servers())),
        ("Switches", len(design.switches())),
        ("Racks", len(design.racks)),
        ("Links", counted.links),
        ("Cables", counted.cables),
        ("Fibres", counted.fibres),
        ("Cages in use", counted.cages),
        ("Transceivers", counted.transceivers),
    ]
    if counted.links_without_medium:
        counts.append(("Links without a selected cable", counted.links_without_medium))
    columns = (SheetColumn(word("Fact", language)), SheetColumn(word("Count", language), COUNT))
    return Block(columns, [(word(name, language), count) for name, count in counts], word("Counts", language))


def _networks(rows: Sequence[CableRow], language: str) -> Block:
    titles = ("Network", "Links", "Cables", "Total length", "Shortest", "Longest", "Without a length")
    formats = ("", COUNT, COUNT, TENTHS, TENTHS, TENTHS, COUNT)
    of = by_kind(rows, lambda row: row.network)
    there = [network for network in NETWORKS if network in of]
    lines = [_line((cell_word(TITLES[network], language),), total(of[network]), with_range=True) for network in there]
    if len(there) > 1:
        lines.append(_line((word("All networks", language),), total(rows), with_range=True))
    return Block(_columns(titles, formats, language), lines, word("Totals by network", language))


def _kinds(rows: Sequence[CableRow], language: str) -> Block:
    titles = ("Medium", "Model", "Part number", "Stock length", "Cables", "Total length", "Without a length")
    formats = ("", "", "", FIGURE, COUNT, TENTHS, COUNT)
    of: dict[Kind, list[CableRow]] = by_kind(
        rows, lambda row: (row.medium, row.cable_model, row.cable_pn, row.stock_length_m)
    )
    ordered_kinds = sorted(of, key=_kind_key)
    lines: list[list[Value]] = []
    for kind in ordered_kinds:
        medium, model, part, stock_m = kind
        found = total(of[kind])
        known = found.length_m if found.unknown < found.cables else None
        lines.append(
            [
                cell_word(medium, language) or word(NOT_CHOSEN, language),
                model or None,
                part or None,
                stock_m,
                found.cables,
                known,
                found.unknown or None,
            ]
        )
    title = word("Totals by medium, part and stock length", language)
    return Block(_columns(titles, formats, language), lines, title)


def _kind_key(kind: Kind) -> tuple[object, ...]:
    medium, model, part, stock_m = kind
    return (not medium, medium, model.rstrip("0123456789"), stock_m is None, stock_m or 0.0, part)


def _line(names: tuple[str, ...], found: Total, *, with_range: bool) -> list[Value]:
    known = found.length_m if found.unknown < found.cables else None
    line: list[Value] = [*names, found.links, found.cables, known]
    if with_range:
        line += [found.shortest_m, found.longest_m]
    return [*line, found.unknown or None]


def _columns(titles: Sequence[str], formats: Sequence[str], language: str) -> tuple[SheetColumn, ...]:
    metres = ("Total length", "Shortest", "Longest", "Stock length")
    return tuple(
        SheetColumn(f"{word(title, language)} (m)" if title in metres else word(title, language), format_)
        for title, format_ in zip(titles, formats, strict=True)
    )


def _way(sheets: Sequence[str], language: str) -> Block:
    jumps = [Marked(sheet, sheet=sheet) for sheet in sheets]
    rows = [jumps[first : first + ABREAST] for first in range(0, len(jumps), ABREAST)]
    return Block((SheetColumn(""),) * ABREAST, rows, word("Sheets", language))

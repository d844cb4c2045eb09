"""The first sheet of a plan: which design it is, what is in it, and how much of each kind of cable."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar

from designer.analysis.optical_parts import ORDER_STEPS
from designer.analysis.parts import link_parts
from designer.analysis.survey import survey
from designer.analysis.topology_text import topology_text
from designer.exchange import plan_options as chosen
from designer.exchange.cable_plan import CableRow
from designer.exchange.plans.cell_words import cell_word
from designer.exchange.plans.headings import word
from designer.exchange.revisions import DIGEST_SHOWN, latest
from designer.exchange.workbook import COUNT, FIGURE, LENGTH, TENTHS, Block, SheetColumn, entry_width
from designer.exchange.workbook_cells import Marked, Value
from designer.exchange.workbook_parts import MOST_TITLE
from designer.model.design import Design
from designer.model.networks import NETWORKS, TITLES
from designer.model.title_facts import stated_facts
from designer.placement.cable_lengths import lengths_cover
from designer.units import format_count

K = TypeVar("K", bound=Hashable)
Kind = tuple[str, str, str, float | None]
"""Medium, model, part number and order length."""

OpenPoint = tuple[str, str, int, str]
"""What is missing, why, of how many links or devices, and the first of them."""

ABREAST = 6
"""Titles of sheets in a line of the summary."""
POINTS_SHOWN = 12
KIND_TITLES = {chosen.RACKS: "Racks", chosen.SWITCHES: "Switches"}
"""Kinds of sheets whose titles stand together under a heading."""
TEXTS = (SheetColumn("", widest=24), SheetColumn("", widest=12))
"""Columns of a page whose last text goes on over the empty cells next to it."""
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
    """The total of these rows, one per link; links in one cable count for one.

    A link through a circuit switch takes a second fiber, of unknown length.
    """
    lengths_m: dict[str, float | None] = {}
    links, second = 0, 0
    for row in rows:
        links += 1
        second += row.has_second_fibre
        lengths_m.setdefault(row.piece, row.length_m)
    known = [length_m for length_m in lengths_m.values() if length_m is not None]
    least, most = min(known, default=None), max(known, default=None)
    cables = len(lengths_m) + second
    return Total(links, cables, round(math.fsum(known), 3), least, most, cables - len(known))


def by_kind(rows: Iterable[CableRow], kind: Callable[[CableRow], K]) -> dict[K, list[CableRow]]:
    """The rows of each kind, kinds in the order in which they occur."""
    found: dict[K, list[CableRow]] = {}
    for row in rows:
        found.setdefault(kind(row), []).append(row)
    return found


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What a summary is made of: `rows` has one for each link."""

    design: Design
    rows: Sequence[CableRow]
    digest: str
    open_points: Sequence[OpenPoint] = ()
    preliminary: str = ""
    """Why it is not for purchase, as a sentence."""


def summary_blocks(
    facts: PlanFacts, language: str, sheets: Mapping[str, Sequence[str]], index: str = ""
) -> tuple[Block, ...]:
    """The blocks of the sheet: the design, the way to the other sheets, counts and totals, and what is open.

    `sheets` are the titles by kind of sheet; those of racks and switches are left to the sheet `index` where there is
    one.
    """
    return (
        Block(TEXTS, [(Marked(facts.preliminary, is_bold=True),)] if facts.preliminary else []),
        _about(facts.design, language, facts.digest),
        *_way(sheets, language, index),
        _counts(facts.design, language),
        _networks(facts.rows, language),
        _kinds(facts.rows, language),
        _steps(facts.rows, language),
        _slack(facts, language),
        _open(facts.open_points, language),
    )


def _about(design: Design, language: str, digest: str) -> Block:
    last = latest(design)
    is_issue = last is not None and last.digest == digest
    number = "" if last is None else last.number if is_issue else f"{word('after', language)} {last.number}"
    facts: list[tuple[str, str]] = [
        *stated_facts(design),
        *zip_longest(("Topology",), topology_text(design).lines, fillvalue=""),
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
        ("Fiber cables", counted.fibres),
        ("Cages in use", counted.cages),
        ("Transceivers", counted.transceivers),
    ]
    if counted.links_without_medium:
        counts.append(("Links without a selected cable", counted.links_without_medium))
    columns = (SheetColumn(word("Fact", language)), SheetColumn(word("Count", language), COUNT))
    return Block(columns, [(word(name, language), count) for name, count in counts], word("Counts", language))


def _networks(rows: Sequence[CableRow], language: str) -> Block:
    titles = ("Network", "Links", "Cables", "Total length", "Shortest", "Longest", "Cables without a length")
    formats = ("", COUNT, COUNT, TENTHS, TENTHS, TENTHS, COUNT)
    of = by_kind(rows, lambda row: row.network)
    there = [network for network in NETWORKS if network in of]
    lines = [_line((cell_word(TITLES[network], language),), total(of[network]), with_range=True) for network in there]
    if len(there) > 1:
        lines.append(_line((word("All networks", language),), total(rows), with_range=True))
    return Block(_columns(titles, formats, language), lines, word("Totals by network", language))


def _kinds(rows: Sequence[CableRow], language: str) -> Block:
    titles = ("Medium", "Model", "Part number", "Order length", "Cables", "Total length", "Cables without a length")
    formats = ("", "", "", FIGURE, COUNT, TENTHS, COUNT)
    of: dict[Kind, list[CableRow]] = by_kind(
        rows, lambda row: (row.medium, row.cable_model, row.cable_pn, row.order_length_m)
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
    title = word("Totals by medium, part and order length", language)
    return Block(_columns(titles, formats, language), lines, title)


ORDER_IS = f"Order lengths are stock lengths; where none is known, the length needed, rounded up {ORDER_STEPS}."


def _steps(rows: Sequence[CableRow], language: str) -> Block:
    """What order lengths are, where some are not stock lengths."""
    is_rounded = any(row.order_length_m is not None and row.stock_length_m is None for row in rows)
    return Block(TEXTS, [(word(ORDER_IS, language),)] if is_rounded else [])


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
    metres = ("Total length", "Shortest", "Longest", "Order length")
    return tuple(
        SheetColumn(f"{word(title, language)} (m)" if title in metres else word(title, language), format_)
        for title, format_ in zip(titles, formats, strict=True)
    )


def _slack(facts: PlanFacts, language: str) -> Block:
    """How much longer than their routes cables are: what was added, and what the order lengths leave."""
    found: dict[str, float] = {}
    for row in facts.rows:
        if row.slack_m is not None:
            found[row.piece] = min(row.slack_m, found.get(row.piece, row.slack_m))
    if not found:
        return Block((), ())
    least_m = min(found.values())
    lines: list[tuple[Value, ...]] = [
        (word("Added to each route (m)", language), _number(facts.design.settings.cable_slack_m)),
        (word("Least of a cable (m)", language), _number(least_m)),
        (word("Cables with the least", language), Marked(sum(one == least_m for one in found.values()), format=COUNT)),
        (word("Most of a cable (m)", language), _number(max(found.values()))),
        (word(SLACK_IS, language),),
        *((sentence,) for sentence in lengths_cover(facts.design)),
    ]
    return Block(TEXTS, lines, word("Slack of routed cables", language))


SLACK_IS = "Length is the route with what is added for bends and loops; total slack is the order length less the route."


def _number(metres: float) -> Marked:
    return Marked(metres, format=LENGTH)


def _open(points: Sequence[OpenPoint], language: str) -> Block:
    """What is open, each once: rows do not repeat what every link lacks."""
    lines: list[tuple[Value, ...]] = [
        (cell_word(what, language), Marked(count or None, format=COUNT), cell_word(reason, language))
        for what, reason, count, _ in points[:POINTS_SHOWN]
    ]
    if len(points) > POINTS_SHOWN:
        lines.append((f"{word('see', language)} {word('Open points', language)}",))
    titles = (word(title, language) for title in ("Open point", "Count", "Reason"))
    columns = [SheetColumn(title, format_, 24) for title, format_ in zip(titles, ("", COUNT, ""), strict=True)]
    return Block(columns, lines, word("Open points", language))


def _way(sheets: Mapping[str, Sequence[str]], language: str, index: str) -> Iterator[Block]:
    """Titles that lead to their sheets, in their order; the index in place of very many."""
    leading = [Marked(index, sheet=index)] if index else []
    leading += [_jump(title) for name, titles in sheets.items() if name not in KIND_TITLES for title in titles]
    counted = [
        f"{word(KIND_TITLES[name], language)}: {format_count(len(titles))}"
        for name, titles in sheets.items()
        if index and name in KIND_TITLES
    ]
    yield _abreast(leading, ABREAST, word("Sheets", language), counted)
    if not index:
        yield from index_blocks(sheets, language)


def index_blocks(sheets: Mapping[str, Sequence[str]], language: str, room: float | None = None) -> Iterator[Block]:
    """The titles of the sheets of racks and of switches, each kind under its heading, as many abreast as have room."""
    kinds = {name: titles for name, titles in sheets.items() if name in KIND_TITLES and titles}
    widest = max((entry_width(title) for titles in kinds.values() for title in titles), default=1)
    abreast = ABREAST if room is None else max(1, int(room / widest))
    for name, titles in kinds.items():
        yield _abreast([_jump(title) for title in titles], abreast, word(KIND_TITLES[name], language))


def _abreast(jumps: Sequence[Marked], abreast: int, title: str, more: Sequence[str] = ()) -> Block:
    """The titles line by line, so that their order stays where paper ends."""
    rows: list[Sequence[Value]] = [jumps[first : first + abreast] for first in range(0, len(jumps), abreast)]
    rows += [(text,) for text in more]
    return Block((SheetColumn("", widest=MOST_TITLE),) * abreast, rows, title)


def _jump(title: str) -> Marked:
    return Marked(title, sheet=title)

"""What an import found, took for something and did not understand: tables for the window, a terminal and JSON."""

from dataclasses import dataclass
from typing import Any

from designer.exchange.reading.building import Proposal
from designer.exchange.reading.found import SWITCH, Guess, Unread
from designer.exchange.reading.type_table import TypeRow
from designer.tables.columns import Column, Columns
from designer.tables.table import ResultTable, facts

TYPE_COLUMNS: Columns = (
    Column("key", "In the file"),
    Column("kind", "Kind", lambda row: "switch" if row.kind == SWITCH else "server"),
    Column("count", "Devices", lambda row: len(row.nodes), right=True),
    Column("n_ports", "Ports used", right=True),
    Column("type", "Type", lambda row: row.type_.model or row.type_.id),
    Column("type_id", "Type id", lambda row: row.type_.id),
    Column("how", "Matched"),
    Column("reason", "Why"),
)
"""The table to correct: nodes that are alike, and the type taken for them."""

MOST_SHOWN = 12
"""Guesses, things left open and places not understood that a terminal shows; JSON has all."""


@dataclass(frozen=True, slots=True)
class Point:
    """A guess, a thing left open or a place that was not understood, as a list shows it."""

    what: str
    place: str
    sentence: str
    meant: str


POINT_COLUMNS: Columns = (
    Column("what", "What"),
    Column("place", "Where"),
    Column("sentence", "Detail"),
    Column("meant", "Probably"),
)
NOT_UNDERSTOOD, GUESSED, LEFT_OPEN, READ = "not understood", "guessed", "left open", "read"


def points_of(proposal: Proposal) -> tuple[Point, ...]:
    """What was not understood, guesses beyond those in the table of types, what is left open, what a format read."""
    rows = {row.sentence for row in proposal.rows}
    return (
        *(Point(NOT_UNDERSTOOD, one.spot.text, one.sentence, one.meant) for one in proposal.unread),
        *(Point(GUESSED, one.spot.text, one.sentence, "") for one in proposal.guesses if one.sentence not in rows),
        *(Point(LEFT_OPEN, one.spot.text, one.sentence, "") for one in proposal.left_open),
        *(Point(READ, one.spot.text, one.sentence, "") for one in proposal.notes),
    )


def summary_text(proposal: Proposal) -> str:
    """The summary as a terminal shows it."""
    lines = [facts([("found", proposal.contents)]), "", "types"]
    shown = tuple(one for one in TYPE_COLUMNS if one.key not in ("type", "reason"))
    lines.append(ResultTable(shown, proposal.rows).text())
    for title, entries in (
        (GUESSED, proposal.guesses),
        (LEFT_OPEN, proposal.left_open),
        (NOT_UNDERSTOOD, proposal.unread),
    ):
        if entries:
            lines += ["", title, *(f"  {_line(one)}" for one in entries[:MOST_SHOWN])]
            if len(entries) > MOST_SHOWN:
                lines.append(f"  and {len(entries) - MOST_SHOWN:,} more; --format json lists all")
    return "\n".join(lines)


def _line(one: Guess | Unread) -> str:
    meant = f" ({one.meant})" if isinstance(one, Unread) and one.meant else ""
    return f"{one.spot.text}: {one.sentence}{meant}"


def summary_json(proposal: Proposal) -> dict[str, Any]:
    """The summary for programs."""
    return {
        "found": {word: count for count, word in proposal.counts},
        "types": [_type_json(row) for row in proposal.rows],
        "guessed": [{**_place(one), "sentence": one.sentence} for one in proposal.guesses],
        "left_open": [{**_place(one), "sentence": one.sentence} for one in proposal.left_open],
        "not_understood": [{**_place(one), "sentence": one.sentence, "meant": one.meant} for one in proposal.unread],
    }


def _type_json(row: TypeRow) -> dict[str, Any]:
    return {
        "name": row.key,
        "kind": row.kind,
        "devices": list(row.nodes),
        "ports": row.n_ports,
        "type": row.type_.id,
        "matched": row.how,
        "reason": row.reason,
    }


def _place(one: Guess | Unread) -> dict[str, Any]:
    spot = one.spot
    stated = {"file": spot.file, "sheet": spot.sheet, "row": spot.row, "column": spot.column}
    return {key: value for key, value in stated.items() if value not in ("", None)}

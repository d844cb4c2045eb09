"""Revisions: what was handed over when, recorded in the design so that a later issue can be compared with it."""

import hashlib
import re
from dataclasses import dataclass, replace

from designer.analysis.cable_numbers import number_cables
from designer.errors import ParameterError
from designer.exchange.kept_designs import packed
from designer.exchange.options import ExportOptions
from designer.exchange.plans.recorded import recorded_plan
from designer.fields import kinds
from designer.fields.field import setting
from designer.model.design import Design
from designer.model.edit import Edit, added, joined, removed
from designer.model.entities import Revision
from designer.model.naming import checked_name
from designer.model.records import ordered
from designer.placement.row_order import issued_names
from designer.storage import document
from designer.tables.columns import Column, Columns
from designer.units import parse_date

NUMBER_LONGEST, AUTHOR_LONGEST, NOTE_LONGEST = 40, 200, 2000
DIGEST_SHOWN = 12
"""Hexadecimal digits of a digest that people compare."""


@dataclass(frozen=True, slots=True)
class RevisionOptions(ExportOptions):
    """What is recorded of a hand-over."""

    revision: str = setting(
        "",
        title="Revision",
        help="Number of the revision to record, as 1, B or 2.1.",
        kind=kinds.TEXT,
        empty="no new one is recorded",
        metavar="NUMBER",
    )
    date: str = setting(
        "",
        title="Date",
        help="Date of the hand-over; no date is written without it.",
        kind=kinds.TEXT,
        empty="not stated",
        metavar="YYYY-MM-DD",
    )
    author: str = setting(
        "", title="Author", help="Who hands over.", kind=kinds.TEXT, empty="the author of the design", metavar="NAME"
    )
    note: str = setting("", title="Note", help="What this revision is for, in a line.", kind=kinds.TEXT, empty="none")


COLUMNS: Columns = (
    Column("number", "Revision"),
    Column("date", "Date"),
    Column("author", "Author"),
    Column("notes", "Note"),
    Column("digest", "Digest", value=lambda revision: revision.digest[:DIGEST_SHOWN]),
)
"""How revisions are listed."""


def listed(design: Design) -> list[Revision]:
    """The revisions, oldest first."""
    return ordered(design.revisions)


def latest(design: Design) -> Revision | None:
    """The last that was recorded; None where none was."""
    return listed(design)[-1] if design.revisions else None


def design_digest(design: Design) -> str:
    """SHA-256 of the design's file without its revisions: equal designs have equal digests. Raises SaveError."""
    return hashlib.sha256(_bare_file(design)).hexdigest()


def _bare_file(design: Design) -> bytes:
    """The design's file without its revisions."""
    bare = design
    if design.revisions:
        bare = design.snapshot()
        bare.apply(Edit("Without revisions", removed(design.revisions.values())))
    return document.encode(bare)


def issue_of(design: Design, digest: str) -> Revision | None:
    """The revision that a design with that digest is; None where it was changed since the last, or none was."""
    last = latest(design)
    return last if last is not None and last.digest == digest else None


def next_number(design: Design) -> str:
    """What the next revision is called where nobody says: "1", or one more than the last: "B" after "A"."""
    last = latest(design)
    if last is None:
        return "1"
    counted = re.fullmatch(r"(.*?)([0-9]+)", last.number)
    if counted:
        return f"{counted[1]}{int(counted[2]) + 1:0{len(counted[2])}d}"
    if re.fullmatch(r"[A-Ya-y]", last.number):
        return chr(ord(last.number) + 1)
    return f"{last.number}.1"


def require(design: Design, options: RevisionOptions) -> Revision:
    """The revision that would be recorded, without digest and plan. Raises ParameterError as `record` does."""
    number = _checked(options.revision, "the revision number", NUMBER_LONGEST)
    if not number:
        raise ParameterError(f"enter the number of the revision, such as {next_number(design)}")
    for one in listed(design):
        if one.number.casefold() == number.casefold():
            when = f" on {one.date}" if one.date else ""
            another = f"choose another number, such as {next_number(design)}"
            raise ParameterError(f"revision {one.number} was recorded{when} already: {another}")
    return Revision(
        design.new_ids("revisions", 1)[0],
        number,
        checked_date(options.date),
        _checked(options.author or design.settings.author, "the author", AUTHOR_LONGEST),
        _checked(options.note, "the note", NOTE_LONGEST),
    )


def record(design: Design, options: RevisionOptions) -> Edit:
    """The edit that records a revision; cables without a number get theirs, and rows keep their names from then on.

    So what was printed stays true.

    Raises ParameterError for a number that is taken, or a date that is none; ExportError for more cables than are kept.
    """
    stated = require(design, options)
    numbered, named = number_cables(design), issued_names(design)
    after = design.snapshot()
    after.apply(numbered)
    after.apply(named)
    file = _bare_file(after)
    digest = hashlib.sha256(file).hexdigest()
    revision = replace(stated, digest=digest, plan=recorded_plan(after), design=packed(file))
    return joined(f"Record revision {revision.number}", (numbered, named, Edit("", added((revision,)))))


def previous(design: Design, issue: Revision | None) -> Revision | None:
    """The revision before an issue, or the last where the design is none; None without one that keeps its cables."""
    earlier = [one for one in listed(design) if one != issue and one.plan]
    return earlier[-1] if earlier else None


def checked_date(text: str) -> str:
    """The date as 2026-11-22; "" for none. Raises ParameterError."""
    return parse_date(text.strip()) if text.strip() else ""


def _checked(text: str, what: str, most: int) -> str:
    text = " ".join(text.split())
    if len(text) > most:
        raise ParameterError(f"{what} has {len(text):,} characters, the most is {most:,}")
    return checked_name(text, what) if text else ""

"""What every printed page states of its issue: revision, date, digest, and whether it may be built from.

A document is preliminary until somebody records or states a revision of exactly this design, because only a person can
issue it. No date is taken from a clock: the same design gives the same bytes.
"""

from dataclasses import dataclass, replace

from designer.exchange.revisions import DIGEST_SHOWN, design_digest, latest
from designer.model.design import Design

NOT_ISSUED, NOT_STATED = "not issued", "not stated"
PRELIMINARY, ISSUED = "Preliminary, not for construction", "Issued"
ISSUED_OPEN = "Issued with open points"
"""The status of an issue that something is missing or to be decided for."""


@dataclass(frozen=True, slots=True)
class Issue:
    """What is stated of an issue."""

    revision: str
    date: str
    author: str
    """Of the revision; "" where the design's own is to be stated."""
    digest: str
    """The first digits of the design's digest."""
    status: str
    reason: str = ""
    """Why the status is preliminary; "" for what is issued."""

    @property
    def line(self) -> str:
        """All of it in one line, without the author."""
        date = f" of {self.date}" if self.date not in (NOT_ISSUED, NOT_STATED) else ""
        stated = f"revision {self.revision}{date}, design digest {self.digest}"
        return f"{stated}; {self.status.lower()}" if self.reason else stated

    def with_open_points(self, *, are_open: bool) -> "Issue":
        """The same, whose status says that points are open; they make nothing preliminary again that was issued."""
        return replace(self, status=ISSUED_OPEN) if are_open and self.status == ISSUED else self


def issue_stated(design: Design, revision: str = "", digest: str = "") -> Issue:
    """What is stated of a design's issue: of the revision given, else of the last that was recorded. Raises SaveError.

    A design that was changed since is no issue of that revision. With `digest`, that of the design is not made again.
    """
    last, digest = latest(design), digest or design_digest(design)
    short = digest[:DIGEST_SHOWN]
    if revision:
        return Issue(revision, NOT_STATED, "", short, ISSUED)
    if last is None:
        return Issue(NOT_ISSUED, NOT_ISSUED, "", short, PRELIMINARY, f"{PRELIMINARY}: no revision is recorded")
    if last.digest != digest:
        why = f"{PRELIMINARY}: the design was changed since revision {last.number}"
        return Issue(f"after {last.number}", NOT_ISSUED, "", short, PRELIMINARY, why)
    return Issue(last.number, last.date or NOT_STATED, last.author, short, ISSUED)

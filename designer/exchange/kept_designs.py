"""Designs as they were at a revision, kept in it: from the latest that two versions have in common both grew."""

import base64
import binascii
import hashlib
import zlib
from dataclasses import dataclass

from designer.errors import FileFormatError, ParameterError
from designer.model.design import Design
from designer.model.entities import Revision
from designer.model.limits import KEPT_LONGEST
from designer.model.records import ordered
from designer.storage.document import SIZE_MOST, decode
from designer.storage.shared import SharedRows

SHOWN_MOST = 6
"""Numbers of revisions that a message lists."""


@dataclass(frozen=True, slots=True)
class CommonBase:
    """What two versions of a design grew from."""

    revision: Revision
    design: Design

    @property
    def name(self) -> str:
        """ "revision B of 2026-11-22"."""
        return revision_name(self.revision)


def revision_name(revision: Revision) -> str:
    """ "revision B of 2026-11-22"."""
    return f"revision {revision.number}" + (f" of {revision.date}" if revision.date else "")


def packed(data: bytes) -> str:
    """A design's file as the text that a revision keeps; "" for one too large to be kept."""
    text = base64.b64encode(zlib.compress(data, 6)).decode("ascii")
    return text if len(text) <= KEPT_LONGEST else ""


def common_base(ours: Design, theirs: Design, shared: SharedRows | None = None) -> CommonBase:
    """The latest revision that both designs recorded, as it was. Raises ParameterError, or FileFormatError for damage.

    Revisions are the same where their digests are, whatever they are called.
    """
    there = {one.digest: one for one in ordered(theirs.revisions) if one.digest}
    both = [one for one in ordered(ours.revisions) if one.digest in there]
    for one in reversed(both):
        if text := one.design or there[one.digest].design:
            return CommonBase(one, _unpacked(text, one, shared))
    if both:
        raise ParameterError(
            f"{revision_name(both[-1])}, which both designs recorded, was recorded without the design itself: "
            "give the design that both grew from"
        )
    recorded = f"{_recorded('yours', ours)} and {_recorded('the other', theirs)}"
    if not ours.revisions and not theirs.revisions:
        recorded = "neither recorded one"
    raise ParameterError(f"the two designs have no revision in common, {recorded}: give the design that both grew from")


def _recorded(whose: str, design: Design) -> str:
    numbers = [one.number for one in ordered(design.revisions)]
    if not numbers:
        return f"{whose} recorded none"
    left_out = "… " if len(numbers) > SHOWN_MOST else ""
    return f"{whose} recorded {left_out}{', '.join(numbers[-SHOWN_MOST:])}"


def _unpacked(text: str, revision: Revision, shared: SharedRows | None) -> Design:
    name = revision_name(revision)
    try:
        inflating = zlib.decompressobj()
        data = inflating.decompress(base64.b64decode(text, validate=True), SIZE_MOST)
        if not inflating.eof or hashlib.sha256(data).hexdigest() != revision.digest:
            raise ValueError("cut off, too large, or not the one that the digest is of")
    except (binascii.Error, zlib.error, ValueError):
        raise FileFormatError(f"the design that {name} keeps is damaged: give the design that both grew from") from None
    return decode(data, name, shared=shared)

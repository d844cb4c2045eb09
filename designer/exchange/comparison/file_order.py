"""Which of two designs is the earlier one, by what is known of them: revisions first, then when files were written."""

from designer.exchange.comparison.compared import NO_ORDER, FileOrder
from designer.model.design import Design


def file_order(design: Design, saved_at: float | None, other: Design, other_saved_at: float) -> FileOrder:
    """How the open design and another one follow each other; the open one comes first where nothing is known.

    Times are in seconds, as the clock of the computer counts them; that of the open design is None without a file.
    """
    ours, theirs = ([(one.number, one.digest) for one in each.revisions.values()] for each in (design, other))
    if ours and theirs and ours != theirs:
        if ours[: len(theirs)] == theirs:
            return FileOrder(True, "by their revisions")
        if theirs[: len(ours)] == ours:
            return FileOrder(False, "by their revisions")
        last, other_last = (max(one.date for one in each.revisions.values()) for each in (design, other))
        if last and other_last and last != other_last:
            return FileOrder(other_last < last, "by the dates of their revisions")
    if saved_at is None or saved_at == other_saved_at:
        return NO_ORDER
    return FileOrder(other_saved_at < saved_at, "by when their files were written")

"""What the links of many pairs of boxes have in common, in words: of two tiers, and of groups of routers."""

from collections.abc import Sequence

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.gates import are_all_joined
from designer.drawing.text import kind_of_group
from designer.model.shown_text import visible_line
from designer.units import format_count, format_counted

MOST_UNLIKE = 0.1
"""Of the pairs or servers such a share may have other numbers of links, as after a few edits by hand."""
MOST_KINDS, MOST_NAMED = 8, 4
"""Kinds of groups that are compared, and pairs of them that are named where they have other numbers of links."""


def of_groups(names: Sequence[str], pairs: Ints, counts: Ints, rate: str) -> tuple[str, ...]:
    """ "31 groups, all to all: 17 × 200G per pair", the longest text first; () where too many pairs differ.

    `names` are those of all groups, `pairs` the places of linked ones in it, (m, 2), and `counts` of their links. Where
    kinds of groups differ, it says of which.
    """
    without = len(names) * (len(names) - 1) // 2 - len(pairs)
    each = _by_kinds(names, pairs, counts, rate) if not without else ""
    each = each or alike_where_linked(counts, rate, without)
    are_joined = are_all_joined(len(names), len(pairs))
    said = f"{format_count(len(names))} groups, all to all" if are_joined else "Group to group"
    return (f"{said}: {each}", each) if each else ()


def _by_kinds(names: Sequence[str], pairs: Ints, counts: Ints, rate: str) -> str:
    """As "2 × 200G per pair, storage to storage 22"; "" where groups of two kinds are not all joined alike."""
    kinds, of = np.unique([visible_line(kind_of_group(name)) for name in names], return_inverse=True)
    values, times = np.unique(counts, return_counts=True)
    if len(values) == 1 or not 1 < len(kinds) <= MOST_KINDS:
        return ""
    ends = of.reshape(-1)[pairs]
    keys, usual = ends.min(axis=1) * len(kinds) + ends.max(axis=1), int(values[times.argmax()])
    other = list[str]()
    for key in np.unique(keys).tolist():
        own = np.unique(counts[keys == key])
        if len(own) > 1:
            return ""
        if own[0] != usual:
            other.append(" to ".join(kinds[list(divmod(key, len(kinds)))].tolist()) + f" {format_count(int(own[0]))}")
    return f"{format_count(usual)} × {rate} per pair, {', '.join(other)}" if len(other) <= MOST_NAMED else ""


def alike_where_linked(counts: Ints, rate: str, without: int) -> str:
    """The same of pairs; `without` links are so many: where these are many, it is of "each linked pair"."""
    if without <= MOST_UNLIKE * len(counts):
        return alike(counts, rate, "pair", without)
    return alike(counts, rate, "linked pair")


def alike(counts: Ints | Floats, rate: str, word: str, without: int = 0) -> str:
    """As "2 × 400G per pair (1 pair differs)"; "" where more than a few differ. `without` links are so many more."""
    values, times = np.unique(counts, return_counts=True)
    usual = int(values[times.argmax()])
    others = len(counts) - int(times.max())
    if others > MOST_UNLIKE * len(counts):
        return ""
    exceptions = []
    if others:
        exceptions.append(f"{format_counted(others, word)} {'differs' if others == 1 else 'differ'}")
    if without:
        exceptions.append(f"{format_counted(without, word)} without links")
    noted = f" ({', '.join(exceptions)})" if exceptions else ""
    return f"{format_count(usual)} × {rate} per {word}{noted}"

"""Matching of what is typed against names, best first: commands, devices, groups, cables. A few letters are enough."""

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

WORD_START = 8
IN_A_ROW = 5
FIRST_LETTER = 6
GAP = 1
LENGTH_WEIGHT = 8
KEYWORD = 1
"""What a word that only a keyword begins with adds: any match of the name counts for more."""
# Of two texts that match alike the shorter is meant.


class Score(NamedTuple):
    """How well a name matches: the rank first, then points among those of the same rank; greater is better."""

    rank: int
    points: int


RANKS = LOOSE, PART, WORDS, PREFIX, EXACT = tuple(range(5))
"""Initials or keywords, parts of the name, beginnings of its words, its own beginning, the name itself."""
INITIALS_MOST = 2
"""Letters of a word that are as likely initials as a part of a name."""


def score(pattern: str, text: str) -> Score | None:
    """How well the words of `pattern` match `text`; None where one of them does not.

    A word matches where it stands in the text as it is, or as beginnings of words of the text, in order: "ce" and
    "coev" find "Connect Evenly", "leaf7" finds "leaf-07". Letters scattered anywhere are no match.
    """
    return score_with(pattern, text, "")


def score_with(pattern: str, text: str, keywords: str) -> Score | None:
    """As `score`, but a word that does not match `text` may also begin one of these keywords, which counts for less.

    Only a whole beginning finds a keyword, never letters of several: a command that is offered for want of a better one
    would be run by Enter.
    """
    rank, total = WORDS, 0
    asked, name, others = " ".join(pattern.casefold().split()), text.casefold(), keywords.casefold()
    for word in asked.split():
        found = _score_word(word, name)
        if found is None and _begins_in(word, others):
            found = Score(LOOSE, KEYWORD)
        if found is None:
            return None
        rank, total = min(rank, found.rank), total + found.points
    if asked and name.startswith(asked):
        rank = EXACT if name == asked else PREFIX
    return Score(rank, total * LENGTH_WEIGHT - len(text))


def keywords_found(pattern: str, text: str, keywords: Sequence[str]) -> tuple[int, ...]:
    """The places of the keywords by which `score_with` finds a text: those that begin what the text does not match."""
    left = [word for word in pattern.casefold().split() if _score_word(word, text.casefold()) is None]
    firsts = (next((n for n, one in enumerate(keywords) if _begins_in(word, one.casefold())), None) for word in left)
    return tuple(dict.fromkeys(n for n in firsts if n is not None))


def _begins_in(word: str, text: str) -> bool:
    """Whether a word of the text begins so."""
    return re.search(rf"(?<!\w){re.escape(word)}", text) is not None


def _score_word(word: str, text: str) -> Score | None:
    whole = text.find(word)
    if whole >= 0:
        start = _start_of_word(word, text, whole)
        at_start, whole = start >= 0, max(start, whole)
        points = len(word) * IN_A_ROW + (WORD_START if at_start else 0) + (FIRST_LETTER if whole == 0 else 0)
        return Score(WORDS if at_start else PART if len(word) > INITIALS_MOST else LOOSE, points)
    points_of_initials = _score_beginnings(word, text) if _in_order(word, text) else None
    return Score(LOOSE, points_of_initials) if points_of_initials is not None else None


def _start_of_word(word: str, text: str, position: int) -> int:
    """Where the word stands at the start of a word of the text, from a position on where it stands; -1 for nowhere."""
    while position > 0 and text[position - 1].isalnum():
        position = text.find(word, position + 1)
    return position


def _in_order(word: str, text: str) -> bool:
    """Whether the letters appear in order at all: quick to see, and most of many thousand names fail it."""
    position = 0
    for letter in word:
        position = text.find(letter, position) + 1
        if position == 0:
            return False
    return True


def _score_beginnings(word: str, text: str) -> int | None:
    """The best way to read a word as beginnings of words of the text, letter by letter; None where there is none.

    Between two of these words at most one is left out.
    """
    gaps = (position == 0 or text[position - 1].isspace() for position in range(len(text)))
    counted = list(itertools.accumulate(map(int, gaps)))
    best = {-1: 0}  # where the last letter was found: the score so far
    for number, letter in enumerate(word):
        reached: dict[int, int] = {}
        for position in range(len(text)):
            if text[position] != letter:
                continue
            starts = _starts_word(text, position)
            for last, so_far in best.items():
                if last >= position:
                    continue
                in_a_row = number > 0 and last == position - 1
                near = number == 0 or counted[position] <= counted[last] + 2
                if in_a_row or (starts and near):
                    gained = (WORD_START if starts else 0) + (IN_A_ROW if in_a_row else -GAP)
                    reached[position] = max(reached.get(position, so_far + gained), so_far + gained)
        if not reached:
            return None
        best = reached
    return max(best.values())


def _starts_word(text: str, position: int) -> bool:
    """Whether a word begins there, or a number but for its leading zeros."""
    if position == 0 or not text[position - 1].isalnum():
        return True
    if not text[position].isdigit():
        return False
    before = text[:position].rstrip("0")
    return not (before and before[-1].isdigit())

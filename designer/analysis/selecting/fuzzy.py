"""Matching for the command palette and for finding devices: a few letters of the words that are meant are enough."""

import itertools
import re

WORD_START = 8
IN_A_ROW = 5
FIRST_LETTER = 6
GAP = 1
LENGTH_WEIGHT = 8
KEYWORD = 1
"""What a word that only a keyword begins with adds: any match of the name counts for more."""
# Of two texts that match alike the shorter is meant.


def score(pattern: str, text: str) -> int | None:
    """How well the words of `pattern` match `text`; None where one of them does not.

    A word matches where it stands in the text as it is, or as beginnings of words of the text, in order: "ce" and
    "coev" find "Connect Evenly", "leaf7" finds "leaf-07". Letters scattered anywhere are no match.
    """
    return score_with(pattern, text, "")


def score_with(pattern: str, text: str, keywords: str) -> int | None:
    """As `score`, but a word that does not match `text` may also begin one of these keywords, which counts for less.

    Only a whole beginning finds a keyword, never letters of several: a command that is offered for want of a better one
    would be run by Enter.
    """
    total = 0
    lowered, others = text.lower(), keywords.lower()
    for word in pattern.lower().split():
        found = _score_word(word, lowered)
        if found is None and re.search(rf"(?<!\w){re.escape(word)}", others):
            found = KEYWORD
        if found is None:
            return None
        total += found
    return total * LENGTH_WEIGHT - len(text)


def _score_word(word: str, text: str) -> int | None:
    whole = text.find(word)
    if whole >= 0:
        at_start = whole == 0 or not text[whole - 1].isalnum()
        return len(word) * IN_A_ROW + (WORD_START if at_start else 0) + (FIRST_LETTER if whole == 0 else 0)
    return _score_beginnings(word, text) if _in_order(word, text) else None


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

"""Fuzzy matching for the command palette and for finding devices: a few letters in order are enough."""

WORD_START = 8
IN_A_ROW = 5
FIRST_LETTER = 6
GAP = 1
LENGTH_WEIGHT = 8
# Of two texts that match alike the shorter is meant.


def score(pattern: str, text: str) -> int | None:
    """How well the letters of `pattern` appear, in order, in `text`; None where they do not.

    Letters at the start of a word and letters in a row count more; words of the pattern may stand anywhere.
    """
    total = 0
    lowered = text.lower()
    for word in pattern.lower().split():
        found = _score_word(word, lowered)
        if found is None:
            return None
        total += found
    return total * LENGTH_WEIGHT - len(text)


def _score_word(word: str, text: str) -> int | None:
    whole = text.find(word)
    if whole >= 0:
        at_start = whole == 0 or not text[whole - 1].isalnum()
        return len(word) * IN_A_ROW + (WORD_START if at_start else 0) + (FIRST_LETTER if whole == 0 else 0)
    total, position, last = 0, 0, -2
    for letter in word:
        # Prefer the next start of a word with this letter, else the next letter at all.
        found = _next_word_start(letter, text, position)
        plain = text.find(letter, position)
        if found < 0 or plain == last + 1:
            found = plain
        if found < 0:
            return None
        total += WORD_START if found == 0 or not text[found - 1].isalnum() else 0
        total += IN_A_ROW if found == last + 1 else -GAP
        last, position = found, found + 1
    return total


def _next_word_start(letter: str, text: str, position: int) -> int:
    while (found := text.find(letter, position)) >= 0:
        if found == 0 or not text[found - 1].isalnum():
            return found
        position = found + 1
    return -1

"""Links as lines of text: "leaf-1 swp[1-4] -- spine-[1-4] swp1; cable=C[0001-0004]" are four of them.

A line names a port at either end, before it the device where the end is no single device, and facts of its own.
`[1-4]` counts on by one, `[1-7:2]` by two, and all brackets of a line do so together. What has blanks, quotation marks,
semicolons or brackets stands in quotation marks, and brackets in those count nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from designer.model.naming import natural

MOST_OF_RUN = 10_000
"""Links that one line may stand for."""
LONGEST_LINE = 2000
"""Characters; longer ones are not read."""
MOST_NUMBER, NO_TEXT = 999_999_999, "\n"
"""Of what is counted, and what a rule says beyond: no text of a link."""
_WORD = r'"(?:[^"]|"")*"|[^\s";]+'
_FACT = re.compile(rf"\s*;\s*(\w+)=({_WORD})")
_LINE = re.compile(rf"\s*({_WORD})(?:\s+({_WORD}))?\s+--\s+({_WORD})(?:\s+({_WORD}))?((?:\s*;\s*\w+=(?:{_WORD}))*)\s*")
_COUNTED = re.compile(r"([^\[\]]*)\[([0-9]{1,9})-([0-9]{1,9})(?::([0-9]{1,9}))?\]([^\[\]]*)")
_BARE = re.compile(r'[^\s";\[\]]+')
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class ListedLink:
    """A link of a list; a device is "" where the line says none."""

    a_device: str
    a_port: str
    z_device: str
    z_port: str
    facts: Mapping[str, str]


# -- writing --------------------------------------------------------------------------------------------------------


def link_lines(links: Sequence[ListedLink], *, joined: bool = True) -> str:
    """The links, one a line, or `joined` one line for each run that a rule fits."""
    names = tuple(dict.fromkeys(name for one in links for name in one.facts))
    rows = [(one.a_device, one.a_port, one.z_device, one.z_port, *map(one.facts.get, names)) for one in links]
    texts = [tuple(text or "" for text in row) for row in rows]
    if not joined:
        return "\n".join(_line(row, names) for row in texts)
    keys = {text: natural(text) for text in {text for row in texts for text in row[:4]}}
    from_a = sorted(texts, key=lambda row: (*map(keys.__getitem__, row[:4]), row[4:]))
    from_z = sorted(texts, key=lambda row: (*map(keys.__getitem__, (*row[2:4], *row[:2])), row[4:]))
    return min(("\n".join(_run_lines(order, names)) for order in (from_a, from_z)), key=len)


Row = tuple[str, ...]


def _run_lines(rows: Sequence[Row], names: Row) -> Iterator[str]:
    """The rows by runs in which each text stays or counts on."""
    first = 0
    while first < len(rows):
        rules = _rules(rows[first], rows[first + 1]) if first + 1 < len(rows) else None
        end = first + 1
        while rules is not None and end < len(rows) and end - first < MOST_OF_RUN:
            if any(rule(end - first) != text for rule, text in zip(rules, rows[end], strict=True)):
                break
            end += 1
        if rules is None or end - first < 2:
            yield _line(rows[first], names)
        else:
            last = end - first - 1
            yield _joined([rule.over(last) for rule in rules], names)
        first = end


class _Rule(NamedTuple):
    """A text that stays, or counts on from a number in it."""

    before: str
    after: str = ""
    start: int = 0
    step: int = 0
    digits: int = 0

    def __call__(self, number: int) -> str:
        if not self.step:
            return self.before
        value = self.start + number * self.step
        return f"{self.before}{value:0{self.digits}}{self.after}" if 0 <= value <= MOST_NUMBER else NO_TEXT

    def over(self, last: int) -> str:
        """As it is written for this many more."""
        if not self.step:
            return _word(self.before)
        ends = f"{self.start:0{self.digits}}-{self.start + last * self.step:0{self.digits}}"
        step = f":{abs(self.step)}" if abs(self.step) > 1 else ""
        return f"{self.before}[{ends}{step}]{self.after}"


def _rules(row: Row, following: Row) -> list[_Rule] | None:
    """What leads from one row to the following; None where nothing does."""
    found = [_rule(*pair) for pair in zip(row, following, strict=True)]
    rules = [one for one in found if one is not None]
    return rules if len(rules) == len(found) and any(one.step for one in rules) else None


def _rule(text: str, following: str) -> _Rule | None:
    if text == following:
        return _Rule(text)
    if _BARE.fullmatch(text) is None or _BARE.fullmatch(following) is None:
        return None
    theirs = list(_NUMBER.finditer(following))
    for ours, other in zip(_NUMBER.finditer(text), theirs, strict=False):
        if ours[0] != other[0]:
            digits = _digits(ours[0], other[0])
            rule = _Rule(text[: ours.start()], text[ours.end() :], int(ours[0]), int(other[0]) - int(ours[0]), digits)
            return rule if rule.step and (rule(0), rule(1)) == (text, following) else None
    return None


def _digits(*numbers: str) -> int:
    """How many digits all of them have; 0 where none begins with zeros."""
    return len(numbers[0]) if any(len(one) > 1 and one[0] == "0" for one in numbers) else 0


def _line(row: Row, names: Row) -> str:
    return _joined([_word(text) for text in row], names)


def _joined(words: Sequence[str], names: Row) -> str:
    a_device, a_port, z_device, z_port, *values = words
    both = (a_device, a_port), (z_device, z_port)
    ends = (f"{device} {port}" if device != NOTHING else port for device, port in both)
    facts = (f"; {name}={value}" for name, value in zip(names, values, strict=True) if value != NOTHING)
    return " -- ".join(ends) + "".join(facts)


NOTHING = '""'


def _word(text: str) -> str:
    if _BARE.fullmatch(text) is not None and text != "--":
        return text
    return '"' + text.replace('"', '""') + '"'


# -- reading --------------------------------------------------------------------------------------------------------


def read_line(line: str) -> list[ListedLink] | None:
    """The links of a line; None where it is none of a list, or stands for more than MOST_OF_RUN."""
    found = _LINE.fullmatch(line) if len(line) <= LONGEST_LINE else None
    if found is None:
        return None
    a, a_more, z, z_more = found[1], found[2], found[3], found[4]
    words = [a if a_more else "", a_more or a, z if z_more else "", z_more or z]
    facts = _FACT.findall(found[5])
    columns = [_column(word) for word in (*words, *(value for _, value in facts))]
    counts = {count for count, _ in columns if count}
    if len(counts) > 1 or max(counts, default=1) > MOST_OF_RUN or None in counts:
        return None
    names = [name for name, _ in facts]
    made = []
    for number in range(next(iter(counts), 1) or 1):
        texts = [of(number) for _, of in columns]
        made.append(ListedLink(texts[0], texts[1], texts[2], texts[3], dict(zip(names, texts[4:], strict=True))))
    return made


def _column(word: str) -> tuple[int, Callable[[int], str]]:
    """How many texts a word counts, 0 for one that stays, and each of them."""
    if word.startswith('"'):
        text = word[1:-1].replace('""', '"')
        return 0, lambda _number: text
    found = _COUNTED.fullmatch(word)
    if found is None:
        return 0, lambda _number: word
    before, first, last, by, after = found[1], found[2], found[3], found[4] or "1", found[5]
    start, span, step = int(first), int(last) - int(first), int(by)
    if not step or span % step:
        return MOST_OF_RUN + 1, lambda _number: word
    rule = _Rule(before, after, start, step if span >= 0 else -step, _digits(first, last))
    return abs(span) // step + 1, rule.__call__

"""Finds what an expression fits in a design, and completes what is being typed."""

import difflib
import fnmatch
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from designer.analysis.selecting.counted import KINDS, counted_kinds
from designer.analysis.selecting.expression import (
    NONE_WORD,
    AllOf,
    Expression,
    ExpressionError,
    Not,
    Term,
    parse,
    quoted,
    terms_in,
    tokens_of,
    written,
)
from designer.analysis.selecting.index import Index, Mask, Numbers, Rows, Texts
from designer.analysis.selecting.terms import (
    ALL,
    BY_NAME,
    CABLE,
    DEVICES,
    FIXTURES,
    GROUPS,
    LINKS,
    MODULES,
    PLAIN,
    RACKS,
    TERMS,
    TermRow,
    own_field,
)
from designer.errors import ParameterError
from designer.model.design import Design
from designer.units import shortened

COMPLETIONS_MOST = 60
_RANGE = re.compile(r"(?P<low>[^-]+)-(?P<high>[^-]+)")
_WILD = re.compile(r"[*?\[]")
_LINK_KINDS, _MODULE_KINDS = ("link",), ("nic", "card")

Compare = Callable[[NDArray[np.float64], float], Mask]
COMPARE: dict[str, Compare] = {
    ":": np.equal,
    "=": np.equal,
    "!=": np.equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "<": np.less,
    "<=": np.less_equal,
}


@dataclass(frozen=True, slots=True)
class Found:
    """What an expression fits: ids of devices, racks, groups, links, modules and fixtures, each in design order."""

    ids: tuple[str, ...]
    by_kind: tuple[int, ...]
    """How many of each kind, in the order of KINDS."""

    @property
    def counts(self) -> dict[str, int]:
        """How many, by what one of the kind is called; kinds without any are left out."""
        return {word: count for (_, word), count in zip(KINDS, self.by_kind, strict=False) if count}

    @property
    def text(self) -> str:
        """ "32 devices, 4 racks"; "nothing"."""
        return counted_kinds(self.by_kind)


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that may be meant: the whole expression with it, the word itself, and what it means."""

    text: str
    word: str
    about: str


class Finder:
    """Answers expressions about one revision of a design; facts are read when they are first asked for."""

    def __init__(self, design: Design) -> None:
        self.index = Index(design)
        self._columns: dict[object, Texts | Numbers] = {}

    def find(self, expression: str | Expression) -> Found:
        """What an expression fits. Raises ExpressionError naming the place of its fault."""
        parsed = parse(expression) if isinstance(expression, str) else expression
        mask, _ = self._asked(parsed)
        is_for = self._kinds_meant(parsed)
        for table in (LINKS, MODULES):
            if table not in is_for:
                mask = mask & ~self.index.span(table)
        starts, ids = self.index.starts, self.index.ids
        counts = tuple(int(mask[starts[table] : starts[table + 1]].sum()) for table in ALL)
        return Found(tuple(ids[row] for row in np.flatnonzero(mask).tolist()), counts)

    def ids_in(self, expression: str | Expression, table: int) -> list[str]:
        """What it fits among the records of one table, whether they are asked for or not. Raises ExpressionError."""
        mask, _ = self._asked(parse(expression) if isinstance(expression, str) else expression)
        start, end = self.index.starts[table : table + 2]
        return [self.index.ids[start + row] for row in np.flatnonzero(mask[start:end]).tolist()]

    def why_nothing(self, text: str) -> str:
        """Of an expression that fits nothing, which part leaves nothing of what those before it fit."""
        parsed = parse(text)
        parts = parsed.parts if isinstance(parsed, AllOf) else (parsed,)
        before = ""
        for number, part in enumerate(parts):
            found = self.find(AllOf(parts[: number + 1]))
            if not found.ids:
                return f"No matches: {before or 'nothing fits'} {written(part)}."
            before = f"{' '.join(map(written, parts[: number + 1]))} fits {found.text}, none of which fits"
        return "No matches."

    # -- terms ----------------------------------------------------------------------------------------------------

    def _asked(self, expression: Expression) -> tuple[Mask, Mask]:
        """The rows that fit, and those that are asked about at all."""
        if isinstance(expression, Term):
            return self._term(expression)
        if isinstance(expression, Not):
            mask, applies = self._asked(expression.part)
            return applies & ~mask, applies
        joined = np.logical_and if isinstance(expression, AllOf) else np.logical_or
        parts = [self._asked(part) for part in expression.parts]
        return _reduced(joined, [mask for mask, _ in parts]), _reduced(joined, [applies for _, applies in parts])

    def _term(self, term: Term) -> tuple[Mask, Mask]:
        row = self._row(term)
        column = self._column(row)
        if isinstance(column, Texts):
            mask = self._texts(row, column, term)
        else:
            mask = self._numbers(row, column, term)
        return (column.applies & ~mask if term.operator == "!=" else mask), column.applies

    def _texts(self, row: TermRow, column: Texts, term: Term) -> Mask:
        if term.operator not in (":", "=", "!="):
            raise ExpressionError(f"{row.name} is no number: write {row.name}:VALUE", term.place)
        masks = []
        for value in term.values:
            if row is not PLAIN and value.lower() == NONE_WORD:
                masks.append(column.applies & ~column.known())
            else:
                masks.append(column.fitting(text_test(value, is_part=row.is_part)))
        found = _reduced(np.logical_or, masks)
        if row is PLAIN:  # the number printed on a cable is its name
            cables = self._column(CABLE)
            assert isinstance(cables, Texts)
            found = found | cables.fitting(text_test(term.values[0], is_part=False))
        return found

    def _numbers(self, row: TermRow, column: Numbers, term: Term) -> Mask:
        compare, masks = COMPARE[term.operator], []
        for value in term.values:
            if value.lower() == NONE_WORD:
                masks.append(column.applies & ~column.known())
            elif value == "*":
                masks.append(column.known())
            else:
                masks.append(column.fitting(comparison(row, compare, value, term)))
        return _reduced(np.logical_or, masks)

    def _row(self, term: Term) -> TermRow:
        if not term.name:
            return PLAIN
        row = BY_NAME.get(term.name.lower())
        if row is not None:
            return row
        own = self.field_names.get(term.name.casefold())
        if own is not None:
            return self._own_rows.setdefault(own, own_field(own))
        near = difflib.get_close_matches(term.name.lower(), [*BY_NAME, *self.field_names], n=1)
        hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(one.name for one in TERMS[:8])} and more"
        raise ExpressionError(f"nothing is called {shortened(term.name)!r}; {hint}", term.place)

    @cached_property
    def _own_rows(self) -> dict[str, TermRow]:
        return {}

    @cached_property
    def field_names(self) -> dict[str, str]:
        """The fields of the user's own that the design has, as they are written, by their names in small letters."""
        names: dict[str, str] = {}
        for table in self.index.tables:
            for one in table:
                for name, _ in one.fields:
                    names.setdefault(name.casefold(), name)
        return names

    def _column(self, row: TermRow) -> Texts | Numbers:
        key = row.name if row.is_own and row is not PLAIN else row.column
        found = self._columns.get(key)
        if found is None:
            found = self._columns[key] = row.column(self.index)
        return found

    def _kinds_meant(self, expression: Expression) -> frozenset[int]:
        """Whether links and modules are asked for: by name of their kind, by what only they have, or by words alone."""
        terms = [(self._row(term), term, negated) for term, negated in terms_in(expression)]
        meant = {DEVICES, RACKS, GROUPS, FIXTURES}
        words = all(row.is_own and not negated and term.operator != "!=" for row, term, negated in terms)
        kinds = [value.lower() for row, term, _ in terms if row.name == "kind" for value in term.values]
        if words or any(row.for_links for row, _, _ in terms) or _names_one(_LINK_KINDS, kinds):
            meant.add(LINKS)
        if words or any(row.for_modules for row, _, _ in terms) or _names_one(_MODULE_KINDS, kinds):
            meant.add(MODULES)
        return frozenset(meant)

    # -- completion -----------------------------------------------------------------------------------------------

    def completions(self, text: str) -> list[Completion]:
        """What the last word of an expression may become: terms, and the values that a term has in the design."""
        tokens = tokens_of(text)
        last = tokens[-1] if tokens and not text[-1:].isspace() and tokens[-1].text not in ("(", ")") else None
        before, word = (text[: last.place], last.text) if last is not None else (text, "")
        sign = word[:1] if word[:1] in ("-", "!") and len(word) > 1 else ""
        before, word = before + sign, word[len(sign) :]
        found = re.match(r'([^\W\d][\w.\-]*|"[^"]+")(>=|<=|!=|:|=|>|<)', word)
        if found is not None:
            return self._values(before + found[0], found[1].strip('"'), found[2], word[found.end() :])
        names = [(one.name, one.help) for one in TERMS]
        names += [(quoted(name), "field of your own") for name in self.field_names.values()]
        return [
            Completion(f"{before}{name}:", f"{name}:", about)
            for name, about in names
            if name.strip('"').lower().startswith(word.strip('"').lower())
        ]

    def _values(self, before: str, name: str, operator: str, typed: str) -> list[Completion]:
        row = BY_NAME.get(name.lower()) or (own_field(name) if name.casefold() in self.field_names else None)
        if row is None:
            return []
        done, comma, typed = typed.rpartition(",")
        column = self._column(row)
        if isinstance(column, Texts):
            values, codes = list(column.values), column.codes
        else:
            numbers, codes = np.unique(column.values, return_inverse=True)
            values = [f"{value:g}" for value in numbers.tolist()]
        counts = self._by_kind(column, codes, len(values))
        start = typed.strip('"').casefold()
        found = [
            (value, counts[number].tolist())
            for number, value in enumerate(values[: 50 * COMPLETIONS_MOST])
            if value.casefold().startswith(start)
        ][:COMPLETIONS_MOST]
        if operator not in (":", "="):  # what is below a value, or above, or another one: not what has it
            found = [(value, self.find(f"{quoted(name)}{operator}{quoted(value)}").by_kind) for value, _ in found]
        return [
            Completion(f"{before}{done}{comma}{quoted(value)}", value, counted_kinds(count)) for value, count in found
        ]

    def _by_kind(self, column: Texts | Numbers, codes: Rows, n_values: int) -> Rows:
        """How many things of each kind have each value, (n_values, kinds); a link at two of them counts once."""
        pairs = np.unique(np.stack((codes, column.rows)), axis=1)
        kinds = np.searchsorted(self.index.starts, pairs[1], side="right") - 1
        found: Rows = np.bincount(pairs[0] * len(ALL) + kinds, minlength=n_values * len(ALL))
        return found.reshape(n_values, len(ALL))


def _reduced(join: np.ufunc, masks: Sequence[Mask]) -> Mask:
    found: Mask = join.reduce(masks)
    return found


def _names_one(wanted: Sequence[str], values: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(one, value) for one in wanted for value in values)


def text_test(value: str, *, is_part: bool) -> Callable[[str], bool]:
    """Whether a text is the value, whatever the letters' case; * and ? stand for any letters, [12] for one of them."""
    wanted = value.casefold()
    if _WILD.search(wanted):
        fits = re.compile(fnmatch.translate(wanted)).match
        return lambda text: fits(text.casefold()) is not None
    if is_part:
        return lambda text: wanted in text.casefold()
    return lambda text: text.casefold() == wanted


def comparison(row: TermRow, compare: Compare, value: str, term: Term) -> Callable[[NDArray[np.float64]], Mask]:
    """What compares numbers with a value, or with a range such as 2-4. Raises ExpressionError."""
    span = _RANGE.fullmatch(value) if term.operator in (":", "=", "!=") else None
    try:
        if span is not None:
            low, high = row.read(span["low"]), row.read(span["high"])
            return lambda numbers: (numbers >= low) & (numbers <= high)
        wanted = row.read(value)
    except ParameterError as error:
        raise ExpressionError(f"{row.name}: {error}", term.value_place) from None
    return lambda numbers: compare(numbers, wanted)

"""Expressions that select things: words, terms such as su:2, and, or, not, parentheses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from designer.errors import DesignerError
from designer.units import shortened

LONGEST = 4000
"""Characters of an expression."""
TERMS_MOST = 500
DEPTH_MOST = 50

NONE_WORD = "none"
"""The value that stands for none at all."""

_TOKEN = re.compile(r'\s+|\(|\)|(?:"[^"]*"?|[^\s()"])+')
_TERM = re.compile(r'(?P<name>[^\W\d][\w.\-]*|"[^"]+")(?P<operator>>=|<=|!=|:|=|>|<)(?P<value>.*)', re.DOTALL)
_LISTED = re.compile(r'(?:"[^"]*"?|[^,"])+')


class ExpressionError(DesignerError, ValueError):
    """An expression does not say what to select; `place` is the character, from 0, that the fault is at."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(f"character {place + 1}: {message}")
        self.place = place


@dataclass(frozen=True, slots=True)
class Term:
    """One question: does the fact of that name compare so with one of the values? Without a name: is it called so?

    `place` is the character it begins at, `value_place` the one its values begin at.
    """

    name: str
    operator: str
    values: tuple[str, ...]
    place: int
    value_place: int


@dataclass(frozen=True, slots=True)
class Not:
    """What its part does not fit, of the kinds of things that the part is about."""

    part: "Expression"


@dataclass(frozen=True, slots=True)
class AllOf:
    """What each of the parts fits."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """What one of the parts fits at least."""

    parts: tuple["Expression", ...]


Expression = Term | Not | AllOf | OneOf


@dataclass(frozen=True, slots=True)
class Token:
    """A word or parenthesis, and the character it begins at."""

    text: str
    place: int


def tokens_of(text: str) -> list[Token]:
    """The words and parentheses of an expression; blanks separate them but within quotation marks."""
    return [Token(found[0], found.start()) for found in _TOKEN.finditer(text) if not found[0].isspace()]


def parse(text: str) -> Expression:
    """What an expression says. Raises ExpressionError naming the place of its fault."""
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression has {LONGEST:,} characters at most, not {len(text):,}", LONGEST)
    tokens = tokens_of(text)
    if not tokens:
        raise ExpressionError("write what to select, such as role:leaf su:2", 0)
    if len(tokens) > TERMS_MOST:
        raise ExpressionError(f"an expression has {TERMS_MOST} words at most", tokens[TERMS_MOST].place)
    reader = _Reader(tokens, len(text))
    found = reader.either(0)
    if reader.next is not None:
        raise ExpressionError("this parenthesis closes none", reader.next.place)
    return found


def terms_in(expression: Expression, *, negated: bool = False) -> Iterator[tuple[Term, bool]]:
    """The terms of an expression, each with whether what it fits is left out."""
    if isinstance(expression, Term):
        yield expression, negated
    elif isinstance(expression, Not):
        yield from terms_in(expression.part, negated=not negated)
    else:
        for part in expression.parts:
            yield from terms_in(part, negated=negated)


def written(expression: Expression) -> str:
    """The expression as one would write it: "role:leaf", "-su:2", "(rail:1 or rail:2)"."""
    if isinstance(expression, Term):
        asked = f"{expression.name}{expression.operator}" if expression.name else ""
        return f"{asked}{','.join(map(quoted, expression.values))}"
    if isinstance(expression, Not):
        return f"not {written(expression.part)}"
    joint = " " if isinstance(expression, AllOf) else " or "
    return f"({joint.join(map(written, expression.parts))})"


def unquoted(text: str) -> str:
    """A text without its quotation marks."""
    return text.replace('"', "")


def quoted(text: str) -> str:
    """A value as it stands in an expression: in quotation marks where it needs them."""
    plain = text and not re.search(r'[\s()",]', text) and not text.startswith(("-", "!"))
    return text if plain and text.lower() not in _WORDS else f'"{text}"'


_WORDS = ("and", "or", "not")


class _Reader:
    """Goes through the tokens of an expression once."""

    def __init__(self, tokens: list[Token], end: int) -> None:
        self._tokens = tokens
        self._end = end
        self._number = 0

    @property
    def next(self) -> Token | None:
        """The token that is read next; None at the end."""
        return self._tokens[self._number] if self._number < len(self._tokens) else None

    def either(self, depth: int) -> Expression:
        """Parts with "or" between them."""
        parts = [self._all(depth)]
        while self._take("or"):
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else OneOf(tuple(parts))

    def _all(self, depth: int) -> Expression:
        parts = [self._one(depth)]
        while self.next is not None and self.next.text != ")" and self.next.text.lower() != "or":
            self._take("and")
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _one(self, depth: int) -> Expression:
        token = self.next
        if token is None:
            raise ExpressionError("something is missing at the end", self._end)
        if depth > DEPTH_MOST:
            raise ExpressionError(f"parentheses are {DEPTH_MOST} deep at most", token.place)
        if token.text == ")" or token.text.lower() in ("and", "or"):
            raise ExpressionError(f"something is missing before {token.text!r}", token.place)
        self._number += 1
        if token.text.lower() == "not" or token.text in ("-", "!"):
            return Not(self._one(depth + 1))
        if token.text == "(":
            found = self.either(depth + 1)
            if not self._take(")"):
                raise ExpressionError("this parenthesis is not closed", token.place)
            return found
        if token.text[0] in "-!":
            return Not(_term(Token(token.text[1:], token.place + 1)))
        return _term(token)

    def _take(self, word: str) -> bool:
        if self.next is not None and self.next.text.lower() == word:
            self._number += 1
            return True
        return False


def _term(token: Token) -> Term:
    if token.text.count('"') % 2:
        raise ExpressionError("this quotation mark is not closed", token.place + token.text.rindex('"'))
    found = _TERM.fullmatch(token.text)
    if found is None:
        return Term("", ":", (unquoted(token.text),), token.place, token.place)
    place = token.place + found.start("value")
    values = tuple(unquoted(one[0]) for one in _LISTED.finditer(found["value"]))
    if not values:
        what = shortened(unquoted(found["name"]))
        raise ExpressionError(f"write a value behind {what}{found['operator']}, or {NONE_WORD}", place)
    return Term(unquoted(found["name"]), found["operator"], values, token.place, place)

"""Spares: how many to order more than are installed, by kind of part."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from designer.analysis.billing.kinds import CABLE_KIND, CABLES, ORDERED, SPELLINGS
from designer.errors import ParameterError
from designer.fields.kinds import Kind
from designer.units import parse_whole, shortened

ALL = "all"
USAGE = "write kinds with percent and minimum, like cable:2%:1,transceiver:2%:2"
MOST_PERCENT = 1000


@dataclass(frozen=True, slots=True)
class SpareRule:
    """So many percent more of each part of a kind, and at least so many."""

    kind: str
    """One of ORDERED, or "all" for those without a rule of their own; "cable" is for all CABLES without one."""
    percent: Fraction
    least: int = 0

    @property
    def text(self) -> str:
        """ "cable:2%:1", as it is typed."""
        return f"{self.kind}:{float(self.percent):.10g}%" + (f":{self.least}" if self.least else "")


SparesPolicy = tuple[SpareRule, ...]
"""At most one rule per kind."""


def spares_of(policy: SparesPolicy, kind: str, quantity: int) -> int:
    """How many spares of a part to order, rounded up; none of a part that the design has none of."""
    rule = _rule_of(policy, kind)
    if rule is None or not quantity:
        return 0
    return max(rule.least, ceil(quantity * rule.percent / 100))


def _rule_of(policy: SparesPolicy, kind: str) -> SpareRule | None:
    """The rule that a kind follows: its own before that of cables, and that before the one of all."""
    rules = {rule.kind: rule for rule in policy if kind in ORDERED}
    general = (CABLE_KIND, ALL) if kind in CABLES else (ALL,)
    return next((rules[one] for one in (kind, *general) if one in rules), None)


def require_used(policy: SparesPolicy, kinds: Iterable[str]) -> None:
    """Raises ParameterError for a rule that is for no part of a bill, which has parts of these kinds."""
    there = set(kinds)
    if there.intersection(CABLES):
        there.add(CABLE_KIND)
    for rule in policy:
        if there and rule.kind not in (*there, ALL):
            offered = (f"{kind} (of every kind)" if kind == CABLE_KIND else kind for kind in ORDERED if kind in there)
            raise ParameterError(f"spares {rule.text} are for no part of this bill: it has {', '.join(offered)}")


def parse_spares(text: str) -> SparesPolicy:
    """The policy of "cable:2%:1,transceiver:2%:2". Raises ParameterError."""
    rules: dict[str, SpareRule] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        rule = _rule(entry)
        if rule.kind in rules:
            raise ParameterError(f"spares for {rule.kind} are given twice: {USAGE}")
        rules[rule.kind] = rule
    return tuple(rules.values())


def _rule(entry: str) -> SpareRule:
    kind, *rest = (part.strip() for part in entry.split(":"))
    kind = SPELLINGS.get(kind, kind)
    if kind not in ORDERED and kind != ALL:
        raise ParameterError(f"{shortened(kind)!r} is no kind of part: choose from {', '.join((*ORDERED, ALL))}")
    if not 1 <= len(rest) <= 2 or not rest[0].endswith("%"):
        raise ParameterError(f"{shortened(entry)!r} does not say how many spares: {USAGE}")
    return SpareRule(kind, _percent(rest[0]), parse_whole(rest[1]) if len(rest) == 2 else 0)


def _percent(text: str) -> Fraction:
    number = text.removesuffix("%").strip()
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", number):
        raise ParameterError(f"{shortened(text)!r} is not a percentage: {USAGE}")
    percent = Fraction(number)
    if percent > MOST_PERCENT:
        raise ParameterError(f"{shortened(text)} is too much: spares go up to {MOST_PERCENT} %")
    return percent


def spares_text(policy: SparesPolicy) -> str:
    """The text that `parse_spares` makes the policy of."""
    return ",".join(rule.text for rule in policy)


def _is_policy(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, SpareRule) for one in value)


SPARES = Kind(
    "spares",
    "KIND:PERCENT%[:MINIMUM],...",
    parse_spares,
    spares_text,
    _is_policy,
    "a spares policy",
    may_be_empty=True,
)
"""A field that holds a spares policy."""

"""Names of a design in the letters that another program takes: others are replaced, and names stay apart."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from designer.errors import ExportError
from designer.model.shown_text import plain_text
from designer.units import format_count

MOST_TOLD = 3
"""Names of a sentence that lists changed ones."""
MOST_SHOWN = 40
"""Letters of a name in it."""


@dataclass(frozen=True, slots=True)
class NameRule:
    """What a program takes for a name.

    Every letter that `other` finds becomes `stand_in`; `edges` are letters that no name begins or ends with.
    """

    what: str
    """What a sentence calls such a name."""
    other: re.Pattern[str]
    stand_in: str = "-"
    edges: str = "-"
    most: int = 63
    reserved: frozenset[str] = frozenset()
    """Names with a meaning of their own, in small letters."""
    is_small: bool = False
    """Whether capitals become small letters."""
    is_one_case: bool = False
    """Whether names that differ by case alone are one."""
    number_prefix: str = ""
    """Goes before a name that is a number or an address."""

    def plain(self, text: str) -> str:
        """The text in letters of the rule; "" where nothing is left."""
        made = self.other.sub(self.stand_in, text.lower() if self.is_small else text).strip(self.edges)
        if self.number_prefix and made.replace(".", "").isdigit():
            made = self.number_prefix + made.replace(".", self.stand_in)
        return made


HOST_NAMES = NameRule(
    "a host",
    re.compile(r"[^A-Za-z0-9.-]|\.(?=\.)"),
    edges="-.",
    reserved=frozenset(("default", "all", "none", "localhost")),
    is_one_case=True,
    number_prefix="host-",
)
"""Names that resolvers, MPI and Slurm take. Source: RFC 1123, section 2.1; slurm.conf(5), NodeName."""

KUBERNETES_NAMES = NameRule("a Kubernetes object", re.compile(r"[^a-z0-9-]"), is_small=True)
"""Source: RFC 1123 labels, as Kubernetes' "Object Names and IDs" has them."""

SLURM_SWITCHES = NameRule("a Slurm switch", re.compile(r"[^A-Za-z0-9_.-]"), edges="-", most=64)
"""Source: topology.conf(5), SwitchName."""


def plain_names(texts: Sequence[str], rule: NameRule, fallback: str = "node") -> tuple[str, ...]:
    """A name that the rule allows for each text, all different: "-2" is added to one that is taken.

    Names that need no change keep theirs, whatever stands before them. Raises ExportError where one is too long.
    """
    made = [rule.plain(text) or fallback for text in texts]
    long = next((number for number, name in enumerate(made) if len(name) > rule.most), None)
    if long is not None:
        raise ExportError(
            f"{shown(texts[long])} has {len(made[long])} letters, and {rule.what} has at most {rule.most}: "
            "give it a shorter name"
        )
    taken = set(rule.reserved)
    found = [""] * len(made)
    for is_kept in (True, False):
        for place, (text, name) in enumerate(zip(texts, made, strict=True)):
            if (text == name and _key(name, rule) not in taken) is is_kept and not found[place]:
                found[place] = name if is_kept else _free(name, taken, rule)
                taken.add(_key(found[place], rule))
    return tuple(found)


def _key(name: str, rule: NameRule) -> str:
    return name.lower() if rule.is_one_case or rule.reserved else name


def _free(name: str, taken: set[str], rule: NameRule) -> str:
    number, free = 1, name
    while _key(free, rule) in taken:
        number += 1
        tail = f"{rule.stand_in}{number}"
        free = name[: rule.most - len(tail)] + tail
    return free


def shown(text: str) -> str:
    """A name as a sentence has it: in one line, and not too long."""
    line = plain_text(text).replace("\n", " ")
    return line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 1]}…"


def changed_names(before: Iterable[str], after: Iterable[str], rule: NameRule) -> str:
    """A sentence on the names that are not those of the design; "" where all are."""
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    if not changed:
        return ""
    listed = ", ".join(f"{shown(old)} is {new}" for old, new in changed[:MOST_TOLD])
    more = len(changed) - MOST_TOLD
    rest = f" and {format_count(more)} more" if more > 0 else ""
    names = "1 name" if len(changed) == 1 else f"{format_count(len(changed))} names"
    return f"{names} changed to what {rule.what} can be called: {listed}{rest}"

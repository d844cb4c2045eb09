"""The candidates of a search: every combination of values, and what its parameters come to."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import DesignerError, ParameterError
from designer.exploring.request import MOST_CANDIDATES, Candidate, Choice, Exploration
from designer.fields import kinds
from designer.fields.field import Field, fields_of
from designer.model.hardware.servers import ServerType
from designer.regeneration.recipes import family_named
from designer.topologies.families import Family
from designer.topologies.sizing import Counts
from designer.units import format_count

SERVERS, SERVER = "servers", "server"

Distinct = tuple[str, tuple[tuple[str, str], ...], str]
"""Family, values and optics."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A candidate whose fabric can be built, with what it would have."""

    candidate: Candidate
    family: Family
    parameters: Any
    counts: Counts


def all_candidates(search: Exploration, catalog: Catalog) -> tuple[Candidate, ...]:
    """Every combination, in the order of the file, numbered from 1. Raises ParameterError for too many."""
    n_wanted = sum(_n_combinations(choice) for choice in search.choices)
    if n_wanted > MOST_CANDIDATES:
        raise ParameterError(
            f"the values multiply to {format_count(n_wanted)} candidates, and {format_count(MOST_CANDIDATES)} are the "
            "most: list fewer values"
        )
    found: dict[Distinct, None] = {}
    for choice in search.choices:
        for combination in itertools.product(*(texts for _, texts in choice.values)):
            named = dict(zip((name for name, _ in choice.values), combination, strict=True))
            for servers in _server_counts(choice, named, search, catalog):
                values = (*named.items(), *servers)
                found.update({(choice.family, values, optics): None for optics in choice.optics})
    varied = _varied(found)
    has_optics = len({optics for _, _, optics in found}) > 1
    return tuple(
        Candidate(number, *one, _title(one, varied.get(one[0], ()), catalog, has_optics=has_optics))
        for number, one in enumerate(found, start=1)
    )


def _varied(found: Iterable[Distinct]) -> dict[str, tuple[str, ...]]:
    """By family, the parameters that are not the same in all its candidates."""
    texts: dict[str, dict[str, set[str]]] = {}
    numbers: Counter[str] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    for family, values, _ in found:
        numbers[family] += 1
        for name, text in values:
            texts.setdefault(family, {}).setdefault(name, set()).add(text)
            counts[family, name] += 1
    return {
        family: tuple(name for name, own in named.items() if len(own) > 1 or counts[family, name] < numbers[family])
        for family, named in texts.items()
    }


def counted(candidate: Candidate, catalog: Catalog) -> Counted:
    """The candidate with its parameters and counts. Raises DesignerError where it cannot be built."""
    family = family_named(candidate.family)
    described = fields_of(family.parameters)
    values = {name: described[name].read(text) for name, text in candidate.values}
    parameters = family.parameters(**values)
    counts = family.counts(parameters, catalog)
    if counts.too_large:
        raise ParameterError(counts.too_large)
    return Counted(candidate, family, parameters, counts)


def design_name(made: Counted, search: Exploration) -> str:
    """What a design of the candidate is called: "Cluster 512: Fat-tree, QM9700, 1:1"."""
    name = made.candidate.title
    return name if search.name == fields_of(Exploration)["name"].default else f"{search.name}: {name}"


def _title(one: Distinct, varied: Iterable[str], catalog: Catalog, *, has_optics: bool) -> str:
    """The family with the values by which its candidates differ, and the optics where these do.

    Types are named by their model and ratios by themselves; other values come with the title of their parameter.
    """
    family, values, optics = one
    described = fields_of(family_named(family).parameters)
    stated = [_value_text(described.get(name), name, text, catalog) for name, text in values if name in varied]
    return ", ".join(
        [family_named(family).title, *filter(None, stated), *([optics.replace("-", " ")] if has_optics else [])]
    )


def _value_text(field: Field | None, name: str, text: str, catalog: Catalog) -> str:
    try:
        if field is None:
            raise ParameterError(name)
        value = field.read(text)
        if field.kind in (kinds.SWITCH, kinds.SERVER, kinds.NIC):
            return catalog.get(value).model if value else ""
    except DesignerError:  # counting says what is wrong with it
        return f"{name.replace('_', ' ')} {text}"
    shown = field.show(value) or field.write(value)
    return shown if field.kind is kinds.RATIO else f"{field.title} {shown}"


def _n_combinations(choice: Choice) -> int:
    return math.prod(len(texts) for _, texts in choice.values) * len(choice.optics)


def _server_counts(
    choice: Choice, named: dict[str, str], search: Exploration, catalog: Catalog
) -> Iterator[tuple[tuple[str, str], ...]]:
    """The servers that the GPUs wanted take, where the family counts servers and the file does not."""
    described = fields_of(family_named(choice.family).parameters)
    if SERVERS not in described or SERVERS in named:
        yield ()
        return
    try:
        type_ = catalog.get(named.get(SERVER, str(described[SERVER].default)))
    except DesignerError:  # counting says so
        yield ()
        return
    each = max(1, type_.gpus) if isinstance(type_, ServerType) else 1
    least, most = search.gpus
    for servers in dict.fromkeys((math.ceil(least / each), most // each)):
        if servers:
            yield ((SERVERS, str(servers)),)

"""Wider links between switches of a generated network of routers, where they are the bottleneck, by its parameters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from designer.catalog.catalog import Catalog
from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.entities import Group, order_key
from designer.regeneration.recipes import family_of, parameters_of
from designer.simulation.result import Result
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.hyperx import HyperXParameters
from designer.units import format_count

TIMES = (2, 4)
"""How many times as many parallel links are tried."""


@dataclass(frozen=True, slots=True)
class Wider:
    """Other parameters of a generated group, which keep its servers and switches."""

    group: Group
    title: str
    parameters: Any


class _Width(NamedTuple):
    """Parallel links there are, what they are, as in "links per leaf and spine", and how parameters have more."""

    number: int
    what: str
    changed: dict[int, dict[str, Any]]
    """By another number what the parameters have instead."""


def wider(design: Design, result: Result, catalog: Catalog) -> Iterator[Wider]:
    """What ports allow, for links that set the pace; nothing where no link between switches does."""
    inside, between = _pace(design, result)
    for group in sorted(design.groups.values(), key=lambda one: order_key(one.id)):
        if group.recipe is None or not (inside or between):
            continue
        try:
            family, parameters = family_of(group), parameters_of(group)
        except DesignerError:
            continue
        for width in _widths(parameters, inside=inside, between=between):
            for number, fields in width.changed.items():
                try:
                    more = replace(parameters, **fields)
                    family.counts(more, catalog)
                except DesignerError:
                    continue
                title = f"{format_count(number)} {width.what} instead of {format_count(width.number)}"
                yield Wider(group, title, more)


def _pace(design: Design, result: Result) -> tuple[bool, bool]:
    """Whether links between switches of one group, and of two, are bottlenecks."""
    inside = between = False
    for one in result.bottlenecks:
        link = design.links.get(one.link_id or "")
        if link is not None:
            a, b = design.device(link.a.device_id), design.device(link.b.device_id)
            if design.is_switch(a.id) and design.is_switch(b.id):
                is_inside = (a.unit, a.group_id) == (b.unit, b.group_id)
                inside, between = inside or is_inside, between or not is_inside
    return inside, between


def _widths(parameters: Any, *, inside: bool, between: bool) -> Iterator[_Width]:
    if isinstance(parameters, HyperXParameters):
        yield from _along("widths", parameters.lanes, "a line")
    if isinstance(parameters, DragonflyParameters) and inside:
        if parameters.group_dims is None:
            changed = {n: {"group_dims": (parameters.a,), "group_widths": (n,)} for n in TIMES}
            yield _Width(1, "links between every two routers of a group", changed if parameters.a > 1 else {})
        else:
            widths = parameters.group_widths or (1,) * len(parameters.group_dims)
            yield from _along("group_widths", widths, "a line of a group")
    if isinstance(parameters, DragonflyPlusParameters) and inside:
        n = parameters.leaf_spine_links
        yield _Width(n, "links per leaf and spine", {n * times: {"leaf_spine_links": n * times} for times in TIMES})
    if isinstance(parameters, DragonflyParameters | DragonflyPlusParameters) and between:
        yield _globals(parameters, "router" if isinstance(parameters, DragonflyParameters) else "spine")


def _along(field: str, widths: Sequence[int], line: str) -> Iterator[_Width]:
    """A dimension at a time."""
    for place, n in enumerate(widths):
        where = f" along dimension {place + 1}" if len(widths) > 1 else ""
        changed = {n * times: {field: (*widths[:place], n * times, *widths[place + 1 :])} for times in TIMES}
        yield _Width(n, f"links between every two routers of {line}{where}", changed)


def _globals(parameters: DragonflyParameters | DragonflyPlusParameters, holder: str) -> _Width:
    """More global links of every router or spine, between as many groups as there are."""

    def fields(times: int) -> dict[str, Any]:
        per_pair = parameters.links_per_pair
        pairs = {} if per_pair is None else {"links_per_pair": per_pair * times}
        return {"h": parameters.h * times, "groups": parameters.n_groups, **pairs}

    return _Width(
        parameters.h, f"global links of every {holder}", {parameters.h * times: fields(times) for times in TIMES}
    )

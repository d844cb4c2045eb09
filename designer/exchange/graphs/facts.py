"""What graphs say of devices and links: the same facts by the same names in every format."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from designer.exchange.graphs.drawn import Box, Bundle, Edge
from designer.exchange.graphs.link_runs import ListedLink, link_lines

STRING, INTEGER, NUMBER = "string", "integer", "number"

T = TypeVar("T")
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """A fact by its name in files; None and "" are not written."""

    name: str
    kind: str
    of: Callable[[T], Value]


BOX_FACTS: tuple[Fact[Box], ...] = (
    Fact("name", STRING, lambda box: box.name),
    Fact("kind", STRING, lambda box: box.kind),
    Fact("role", STRING, lambda box: box.role),
    Fact("type", STRING, lambda box: box.type_id),
    Fact("model", STRING, lambda box: box.model),
    Fact("network", STRING, lambda box: box.network),
    Fact("rack", STRING, lambda box: box.rack),
    Fact("unit", INTEGER, lambda box: box.unit),
    Fact("rail", INTEGER, lambda box: box.rail),
    Fact("plane", INTEGER, lambda box: box.plane),
    Fact("scalable_unit", INTEGER, lambda box: box.scalable_unit),
    Fact("group_path", STRING, lambda box: box.group),
)
PLACE_FACTS: tuple[Fact[Box], ...] = (
    Fact("x", NUMBER, lambda box: box.x if box.is_placed else None),
    Fact("y", NUMBER, lambda box: box.y if box.is_placed else None),
)
"""Where a format has no place for places."""
EDGE_FACTS: tuple[Fact[Edge], ...] = (
    Fact("a_port", STRING, lambda edge: edge.a_port),
    Fact("z_port", STRING, lambda edge: edge.z_port),
    Fact("rate_gbps", NUMBER, lambda edge: edge.rate_gbps),
    Fact("network", STRING, lambda edge: edge.network),
    Fact("medium", STRING, lambda edge: edge.medium),
    Fact("part", STRING, lambda edge: edge.part),
    Fact("length_m", NUMBER, lambda edge: edge.length_m),
    Fact("link_label", STRING, lambda edge: edge.label),
    Fact("cable", STRING, lambda edge: edge.cable),
    Fact("utilization", NUMBER, lambda edge: edge.utilization),
)
BUNDLE_FACTS: tuple[Fact[Bundle], ...] = (
    Fact("count", INTEGER, lambda bundle: len(bundle.edges)),
    Fact("links", STRING, lambda bundle: listed(bundle.edges, joined=False)),
    Fact("rate_gbps", NUMBER, lambda bundle: bundle.rate_gbps),
    Fact("network", STRING, lambda bundle: bundle.first.network),
    Fact("medium", STRING, lambda bundle: bundle.medium),
    Fact("part", STRING, lambda bundle: bundle.part),
    Fact("length_m", NUMBER, lambda bundle: bundle.length_m),
    Fact("link_label", STRING, lambda bundle: bundle.label),
    Fact("utilization", NUMBER, lambda bundle: bundle.utilization),
)
CABLE = "cable"
OF_EACH = frozenset(("rate_gbps", "network", "medium", "length_m", "link_label", CABLE))
"""Facts that a list of links has of each of them where they differ."""


def listed(edges: Sequence[Edge], *, joined: bool = True) -> str:
    """The links as a list, with the facts in which they differ; `joined` is with a line for each run of them."""
    own = {name: texts for name, texts in _by_fact(edges).items() if name == CABLE or len(set(texts)) > 1}
    links = [
        ListedLink(one.a_device, one.a_port, one.z_device, one.z_port, {name: own[name][at] for name in own})
        for at, one in enumerate(edges)
    ]
    return link_lines(links, joined=joined)


def list_facts(edges: Sequence[Edge]) -> dict[str, str]:
    """What links have in common, and a list of them with all else."""
    shared = {name: texts[0] for name, texts in _by_fact(edges).items() if name != CABLE and len(set(texts)) == 1}
    return {"links": listed(edges), **{name: text for name, text in shared.items() if text}}


def _by_fact(edges: Sequence[Edge]) -> dict[str, list[str]]:
    return {fact.name: [fact_text(fact.of(one)) for one in edges] for fact in EDGE_FACTS if fact.name in OF_EACH}


def known(facts: tuple[Fact[T], ...], of: T) -> dict[str, str]:
    """Those that there are, as text by name."""
    found = ((fact.name, fact.of(of)) for fact in facts)
    return {name: text for name, value in found if (text := fact_text(value))}


def fact_text(value: Value) -> str:
    """The fact as files have it; "" for what is not known."""
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:.12g}"

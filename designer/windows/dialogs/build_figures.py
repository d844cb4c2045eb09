"""Figures of a fabric before it is built: counts, ports in use and cost."""

from collections.abc import Collection
from typing import Any

from designer.analysis.cost import cost
from designer.analysis.tiers import ROUTER
from designer.catalog.catalog import Catalog
from designer.fields import kinds
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.hardware.servers import HOST, SERVER, word_for_servers
from designer.topologies.sizing import Counts
from designer.units import format_count


def ports_used(design: Design) -> list[str]:
    """How many ports the switches of each role have in use: "leaf ports 60 of 64"; most and least where they differ."""
    by_role: dict[str, list[tuple[int, int]]] = {}
    for switch in design.switches():
        used = design.n_used_ports(switch.id)
        by_role.setdefault(switch.role or "switch", []).append((used, len(design.ports(switch.id))))
    stated = []
    for role, rows in by_role.items():
        least, most = min(used for used, _ in rows), max(used for used, _ in rows)
        span = format_count(most) if least == most else f"{format_count(least)}-{format_count(most)}"
        stated.append(f"{role} ports used: {span} of {format_count(rows[0][1])}")
    return stated


def price_of(design: Design) -> str:
    """What it costs as far as prices are known, and what has none."""
    found = cost(design)
    if found.total_usd is not None:
        return f"cost {found.total_usd:,.0f} USD"
    models = [str(getattr(design.types[type_id], "model", type_id)) for type_id, _ in found.unpriced[:3]]
    names = ", ".join(models) + ("…" if len(found.unpriced) > 3 else "")
    if found.known_usd:
        return f"cost {found.known_usd:,.0f} USD without {names}"
    return f"cost not known: no price for {names}"


def server_types(parameters: Any, catalog: Catalog) -> list[object]:
    """The types of the servers that a family's parameters name, in all kinds of groups; of none hosts are built."""
    named = [getattr(parameters, one.name) for one in fields_of(type(parameters)).values() if one.kind is kinds.SERVER]
    named = named or ["generic-host"]
    return [catalog.get(one) for one in (*named, *dict(getattr(parameters, "kind_servers", ())).values())]


def count_rows(counts: Counts, types: Collection[object]) -> tuple[tuple[str, str], ...]:
    """The counts as (what, how many), switches and links by tier; `types` are those of the servers.

    Hosts are an endpoint each, which is shown where only some of the nodes are hosts.
    """
    word = word_for_servers(types)
    rows = [(f"{word}s", counts.servers)]
    if word == SERVER:
        rows.append(("endpoints", counts.endpoints))
    elif counts.endpoints != counts.servers:
        rows.append((f"{HOST}s among them", counts.endpoints))
    rows += [("routers" if role == ROUTER else f"{role} switches", number) for role, number in counts.switches.items()]
    rows += [(f"{tiers} links", number) for tiers, number in counts.links.items()]
    rows.append(("racks", counts.racks))
    return tuple((name, format_count(number)) for name, number in rows)

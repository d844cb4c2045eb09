"""What published designs count, each under a name of its own: links with or without those of hosts, ports, switches.

The same fabric has 2,048 links or 1,024 of them, depending on who counts: tables of vendors count those to servers,
papers only those between switches. A published figure is compared with the row that counts as its source does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from designer.model.networks import IN_BAND, NORTH_SOUTH, OUT_OF_BAND, STORAGE
from designer.tables.columns import exact_percent
from designer.topologies.group_kinds import GroupPlan
from designer.topologies.optical_cubes import Cubes
from designer.topologies.sizing import Counts
from designer.units import format_count, format_counted

HOST_LINKS = ("server-leaf", "server-router", "server-switch", "server-scale-up", "server-server")
"""Links of servers, as Counts.links calls them."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One thing that is counted."""

    name: str
    """As data files call it."""
    title: str
    """As a table labels it."""
    number: Callable[[Counts, Any], int]
    """Of the counts of a fabric, and the parameters it was made with."""
    is_of_other_network: bool = False
    """Whether it counts switches of a network other than compute."""


def _switches(role: str) -> Callable[[Counts, Any], int]:
    return lambda counts, _parameters: counts.switches.get(role, 0)


def _links(kind: str) -> Callable[[Counts, Any], int]:
    return lambda counts, _parameters: counts.links.get(kind, 0)


def _host_ports(counts: Counts, _parameters: Any) -> int:
    return sum(counts.links.get(kind, 0) for kind in HOST_LINKS)


def _between_switches(counts: Counts, _parameters: Any) -> int:
    return sum(number for kind, number in counts.links.items() if kind not in HOST_LINKS)


def _chips(counts: Counts, parameters: Any) -> int:
    return counts.switches.get("scale-up leaf", counts.switches.get("leaf", 0)) * int(getattr(parameters, "chips", 1))


def _with_reserved(counts: Counts, parameters: Any) -> int:
    reserved = int(getattr(parameters, "reserve_leaf_ports", 0))
    return counts.links.get("server-leaf", 0) + reserved if reserved else 0


def _groups(_counts: Counts, parameters: Any) -> int:
    plan = getattr(parameters, "plan", None)
    return plan.n_groups if isinstance(plan, GroupPlan) else 0


def _per_group(_counts: Counts, parameters: Any) -> int:
    """Of groups of the first kind."""
    plan = getattr(parameters, "plan", None)
    if not isinstance(plan, GroupPlan):
        return 0
    first = plan.kinds[0]
    return first.leafs + (first.holders if plan.has_spines else 0)


def _of_cubes(number: Callable[[Cubes], int]) -> Callable[[Counts, Any], int]:
    def counted(_counts: Counts, parameters: Any) -> int:
        cubes = getattr(parameters, "cubes", None)
        return number(cubes) if isinstance(cubes, Cubes) else 0

    return counted


OTHERS = ((STORAGE, "storage"), (IN_BAND, "in-band"), (NORTH_SOUTH, "north-south"), (OUT_OF_BAND, "out-of-band"))
"""Networks other than compute, each with what titles call it."""

COUNTED: tuple[Counted, ...] = (
    Counted("servers", "servers", lambda counts, _parameters: counts.servers),
    Counted("endpoints", "GPUs, or hosts where they have none", lambda counts, _parameters: counts.endpoints),
    Counted("host-ports", "ports that hosts are on", _host_ports),
    Counted("nics", "NICs", lambda counts, _parameters: counts.nics),
    Counted("leaf", "leaf switches", _switches("leaf")),
    Counted("spine", "spine switches", _switches("spine")),
    Counted("core", "core switches", _switches("core")),
    *(
        Counted(f"{network}-{role}", f"{role} switches of the {word} network", _switches(f"{network} {role}"), True)
        for network, word in OTHERS
        for role in ("leaf", "spine")
    ),
    Counted("groups", "groups of a dragonfly", _groups),
    Counted("switches-per-group", "switches per group", _per_group),
    Counted("switches", "switches in all", lambda counts, _parameters: sum(counts.switches.values())),
    Counted("switch-chips", "switch chips of the first level", _chips),
    Counted("line-cards", "line cards of chassis switches", lambda counts, _parameters: counts.line_cards),
    Counted("server-leaf", "links between servers and leafs", _links("server-leaf")),
    Counted("server-leaf-and-reserved", "links of leafs to servers and reserved ports", _with_reserved),
    Counted("leaf-spine", "links between leafs and spines", _links("leaf-spine")),
    Counted("spine-core", "links between spines and cores", _links("spine-core")),
    Counted("leaf-leaf", "links between leafs", _links("leaf-leaf")),
    Counted("local", "links inside groups", _links("local")),
    Counted("global", "links between groups", _links("global")),
    Counted("cubes", "cubes", _of_cubes(lambda cubes: cubes.n_cubes)),
    Counted("inside-cubes", "links inside cubes", _links("torus")),
    Counted("between-cubes", "links between cubes", _links("optical")),
    Counted("circuit-switches", "optical circuit switches", _of_cubes(lambda cubes: cubes.n_switches)),
    Counted("circuit-ports", "ports of optical circuit switches in use", _of_cubes(lambda cubes: 2 * cubes.n_links)),
    Counted("optical-modules", "optical modules of links between cubes", _of_cubes(lambda cubes: 2 * cubes.n_links)),
    Counted("switch-links", "links between switches, without those of hosts", _between_switches),
    Counted("fan-outs", "NICs whose ports go to several switches", lambda counts, _parameters: counts.fan_outs),
    Counted("links", "links in all, with those of hosts", lambda counts, _parameters: sum(counts.links.values())),
)
"""Everything that a published figure may be compared with. A logical link joins one port to one port; both directions
of it are one link."""

BY_NAME = {row.name: row for row in COUNTED}


NIC_LINK, UPLINK, PLANE = "link of a NIC", "uplink of a leaf switch", "plane"
LOSERS = {
    NIC_LINK: "the NIC loses {} of its capacity",
    UPLINK: "the leaf switch loses {} of its uplink capacity",
    PLANE: "the fabric loses {} of its capacity",
}
"""What a failure does, by what fails, with room for the share."""


def failure_shares(counts: Counts) -> tuple[tuple[str, float], ...]:
    """What fails, in words, and the share of the capacity it belongs to that fails with it."""
    to_leafs, to_spines = counts.links.get("server-leaf", 0), counts.links.get("leaf-spine", 0)
    shares = (
        (NIC_LINK, counts.nics, to_leafs),
        (UPLINK, counts.switches.get("leaf", 0), to_spines),
        (PLANE, 1, counts.planes),
    )
    return tuple((what, each / links) for what, each, links in shares if links > each)


def sentences(counts: Counts) -> tuple[str, ...]:
    """What one plane of several has, and what share of the capacity fails with a link or a plane."""
    said = []
    if counts.planes > 1:
        said.append(f"Each of the {format_count(counts.planes)} planes has {_of_one_plane(counts)}.")
    if shares := failure_shares(counts):
        said += [f"If one {what} fails, {LOSERS[what].format(exact_percent(share))}." for what, share in shares]
    return tuple(said)


def _of_one_plane(counts: Counts) -> str:
    """Switches and links of one plane, in words."""
    planes = counts.planes
    switches = [format_counted(number // planes, f"{role} switch") for role, number in counts.switches.items()]
    links = (f"{format_count(number // planes)} {kind}" for kind, number in counts.links.items())
    return f"{', '.join(switches)}; links: {', '.join(links)}"

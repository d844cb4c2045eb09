"""Leafs, spines and cores, planned: all numbers that fat-tree and rail-optimized share, before anything is built.

A fabric is a row of like units. A unit is the smallest run of whole servers on whole leafs: one leaf and its servers in
a fat-tree, a scalable unit of one leaf a rail in a rail-optimized fabric. The last unit may lack servers; its leafs,
their links to the spines and the spines are there in full, and the ports of the missing servers stay free. Units that
may be trimmed share the servers out evenly, so that hardly any are missing.

The leafs of a unit stand plane by plane. What is above them is in upper_tiers.

Port order, which routing relies on: on a leaf, links down take the first ports, by server and then by NIC, and links up
the last ones, by spine, parallel links side by side; on a spine, ports follow the leafs of its pod and then the cores,
parallel links side by side; on a core, ports follow the pods.
"""

import math
from dataclasses import dataclass, replace

from designer.errors import ParameterError
from designer.topologies.equipment import LeafSpineKit
from designer.topologies.parameters import LeafSpineParameters
from designer.topologies.sizing import require_countable
from designer.topologies.upper_tiers import Asked, UpperTiers, three_tiers, two_tiers
from designer.units import format_count, format_counted, format_ratio

WORTH_A_REMARK = 0.25
"""If at least this share of the servers is missing that a unit's uplinks are built for, a remark says so."""

HARDLY_USED = 0.125
"""Share of a leaf's ports: with fewer in use, a remark says so where NICs could share leaf switches."""

Socket = tuple[int, int]
"""A leaf of the unit, and the number of its port, both from 0."""


@dataclass(frozen=True, slots=True)
class LeafSpinePlan:
    """Every number of a fabric of one to three tiers, before anything is built."""

    kit: LeafSpineKit
    n_servers: int
    n_units: int
    leafs_per_unit: int
    sockets: tuple[tuple[Socket, ...], ...]
    """Where the ports of each server of a unit go: (servers a unit, fabric ports a server)."""
    n_planes: int
    upper: UpperTiers | None
    """None where there is nothing above the leafs."""
    pods_by_rail: bool
    """With three tiers, the leafs of one rail are a pod; else a run of units is."""
    inter_leaf_links: int
    """Links between the two leafs of a fabric of one tier."""
    reserve_leaf_ports: int
    racks: str
    scalable_units: bool
    """Units are shown as groups, and stand in racks of their own."""
    whole: "LeafSpinePlan | None" = None
    """The plan of all planes, where this is the plan of one of them."""
    first_plane: int = 0
    """The plane of the first leaf of a unit, from 0; above 0 only where this is the plan of one plane."""

    def only_plane(self, plane: int) -> "LeafSpinePlan":
        """The plan of one plane, counted from 0, as if there were no other. Leafs and spines are numbered anew."""
        first = plane * self.leafs_per_plane
        return replace(
            self,
            leafs_per_unit=self.leafs_per_plane,
            sockets=tuple(
                tuple((leaf - first, port) for leaf, port in server if self.plane_of(leaf) == plane)
                for server in self.sockets
            ),
            n_planes=1,
            upper=self.upper and replace(self.upper, n_planes=1),
            inter_leaf_links=0,
            whole=self,
            first_plane=plane,
        )

    @property
    def server_ports(self) -> tuple[int, ...]:
        """Fabric ports of a server that have a socket, from 0, in the order of `sockets`."""
        if self.whole is None:
            return tuple(range(len(self.sockets[0])))
        leafs = enumerate(leaf for leaf, _ in self.whole.sockets[0])
        return tuple(port for port, leaf in leafs if self.whole.plane_of(leaf) == self.first_plane)

    @property
    def servers_per_unit(self) -> int:
        """Servers of a full unit; the last unit may have fewer."""
        return len(self.sockets)

    @property
    def n_leafs(self) -> int:
        """Leaf switches of all units."""
        return self.n_units * self.leafs_per_unit

    @property
    def n_uplinks(self) -> int:
        """Ports of a leaf that do not go down to servers: links to spines, or to the other leaf."""
        return self.upper.n_uplinks if self.upper else self.inter_leaf_links

    @property
    def n_spines(self) -> int:
        """Spine switches of all planes; 0 for one tier."""
        return self.upper.n_spines if self.upper else 0

    @property
    def n_cores(self) -> int:
        """Core switches of all planes; 0 for fewer than three tiers."""
        return self.upper.n_cores if self.upper else 0

    @property
    def n_links(self) -> dict[str, int]:
        """Links of each kind, as counts call it."""
        found = {"server-leaf": self.n_servers * len(self.sockets[0])}
        if self.upper is None:
            found["leaf-leaf"] = self.inter_leaf_links
        else:
            found["leaf-spine"] = self.n_leafs * self.n_uplinks
            found["spine-core"] = self.n_spines * self.upper.spine_uplinks
        return found

    @property
    def leafs_per_plane(self) -> int:
        """Leafs of one unit in one plane."""
        return self.leafs_per_unit // self.n_planes

    def plane_of(self, place: int) -> int:
        """The plane of a unit's leaf, both from 0."""
        return place // self.leafs_per_plane

    def pod_of(self, unit: int, place: int) -> tuple[int, int]:
        """The pod in its plane of a unit's leaf, and the leaf's number in that pod, all from 0."""
        assert self.upper is not None
        row, per_pod = place % self.leafs_per_plane, self.upper.leafs_per_pod
        if self.pods_by_rail and self.upper.n_cores:
            pods_per_rail = self.upper.pods // self.leafs_per_plane
            return row * pods_per_rail + unit // per_pod, unit % per_pod
        return divmod(unit * self.leafs_per_plane + row, per_pod)

    def servers_in(self, unit: int) -> int:
        """Servers present in a unit, counted from 0."""
        return min(self.servers_per_unit, self.n_servers - unit * self.servers_per_unit)

    @property
    def remark(self) -> str:
        """What the counts do not show: links up for servers that are missing, leafs that are all but empty; or ""."""
        return " ".join(filter(None, (self._of_planes(), self._built_out(), self._hardly_used(), self._uneven())))

    def _of_planes(self) -> str:
        whole = self.whole
        if whole is None:
            return ""
        counts = {"leaf": whole.n_leafs, "spine": whole.n_spines, "core": whole.n_cores}
        switches = [format_counted(number, word) for word, number in counts.items() if number]
        links = f"{format_count(sum(whole.n_links.values()))} links"
        this = f"Plane {format_count(self.first_plane + 1)} of {format_count(whole.n_planes)}"
        return f"{this}; all planes have {', '.join([*switches, links])}."

    def _built_out(self) -> str:
        last, full = self.servers_in(self.n_units - 1), self.servers_per_unit
        if self.upper is None or full - last < WORTH_A_REMARK * full:
            return ""
        what = f"SU {self.n_units}" if self.scalable_units else "The last leaf" if self.n_units > 1 else "The leaf"
        have = f"has {format_count(last)} of {format_count(full)} servers"
        return f"{what} {have}; its uplinks are built for all {format_count(full)} to leave room for growth."

    def _uneven(self) -> str:
        if self.upper is None or not self.upper.uneven:
            return ""
        few, more, spines = self.upper.leaf_lanes, self.upper.uneven, self.upper.spines_per_pod
        return (
            f"{format_count(self.n_uplinks)} uplinks of a leaf spread unevenly over {format_count(spines)} spines: "
            f"{few + 1} to {more} of them, {few} to the others."
        )

    def _hardly_used(self) -> str:
        per_leaf = 1 + max(port for server in self.sockets[: self.servers_in(0)] for _, port in server)
        used, ports = per_leaf + self.n_uplinks, self.kit.leaf.ports_down(0)
        if not (self.scalable_units and self.leafs_per_plane > 1 and used < HARDLY_USED * ports):
            return ""
        in_use = f"{used} of {format_count(ports)} ports in use"
        return f"Each leaf switch has {in_use}: fewer rails would need fewer leaf switches."


def planned(
    kit: LeafSpineKit,
    parameters: LeafSpineParameters,
    leafs_per_unit: int,
    sockets: tuple[tuple[Socket, ...], ...],
    *,
    tiers: str = "auto",
    above: bool = True,
    scalable_units: bool = False,
    pods_by_rail: bool = False,
    inter_leaf_links: int = 0,
    trim: bool = False,
) -> LeafSpinePlan:
    """The plan for units of the given shape: links up from the ratio, spines and cores by even spread.

    `tiers` is "1", "2", "3" or "auto", the fewest that hold the servers; one leaf a plane needs no spine. `above` is
    False where nothing is to stand above the leafs. With `trim` scalable units share the servers out evenly, and
    any unit may have fewer servers than its shape where its leafs then need fewer spines; a unit is added where spines
    would outnumber leafs and that makes fewer switches.
    Raises ParameterError, with the numbers, for what cannot be built.
    """
    n_servers, n_planes = parameters.servers, parameters.planes
    n_units = math.ceil(n_servers / len(sockets))
    plan = LeafSpinePlan(
        kit,
        n_servers,
        n_units,
        leafs_per_unit,
        sockets,
        n_planes,
        None,
        pods_by_rail,
        inter_leaf_links,
        parameters.reserve_leaf_ports,
        parameters.racks,
        scalable_units,
    )
    in_plane = n_units * plan.leafs_per_plane
    if tiers == "1" and n_units > 1:
        raise ParameterError(
            f"one tier has one leaf switch per plane, which ends at {format_count(len(sockets))} servers; "
            f"{format_count(n_servers)} were asked for"
        )
    tiers = _tiers_asked_for(parameters, tiers, above)
    if above and tiers != "1" and (tiers in ("2", "3") or in_plane > 1 or parameters.spines):
        plan = _under_spines(plan, parameters, tiers, trim)
        if trim and plan.n_spines > plan.n_leafs:
            plan = _one_unit_more(plan, parameters, sockets)
    require_countable(n_servers + plan.n_leafs + plan.n_spines + plan.n_cores, sum(plan.n_links.values()))
    reserved_ports(plan)  # refuses here, before anything is built
    return plan if parameters.only_plane is None else plan.only_plane(parameters.only_plane - 1)


def _tiers_asked_for(parameters: LeafSpineParameters, tiers: str, above: bool) -> str:
    """The tiers that numbers of spines, cores or leafs per pod ask for. Raises ParameterError where they contradict."""
    wanted = [
        (name, value, least)
        for name, value, least in (
            ("spines", parameters.spines, "2"),
            ("cores", parameters.cores, "3"),
            ("pod size", parameters.pod_size, "3"),
        )
        if value is not None
    ]
    for name, value, least in wanted:
        if not above:
            raise ParameterError(
                f"{name} is {format_count(value)}, and rail-only has no switches above its leaf switches"
            )
        if tiers != "auto" and tiers < least:
            word = {"1": "one tier has", "2": "two tiers have"}[tiers]
            what = "no spines" if name == "spines" else "no cores and no pods"
            raise ParameterError(f"{name} is {format_count(value)}, and {word} {what}")
    return "3" if tiers == "auto" and any(least == "3" for _, _, least in wanted) else tiers


def ports_per_plane(kit: LeafSpineKit, n_planes: int) -> int:
    """Fabric ports a server has in each plane. Raises ParameterError where they do not come out even."""
    n_ports = len(kit.server.ports)
    if n_ports % n_planes:
        raise ParameterError(
            f"{format_count(n_ports)} fabric ports of {kit.server.type_.id} do not spread evenly over "
            f"{format_count(n_planes)} planes"
        )
    return n_ports // n_planes


def _one_unit_more(
    plan: LeafSpinePlan, parameters: LeafSpineParameters, sockets: tuple[tuple[Socket, ...], ...]
) -> LeafSpinePlan:
    """The plan in more units of fewer servers each, if two tiers of fewer switches come of it; else as it is.

    Units nearly full leave no choice of uplinks, and a prime number of these spreads over as many spines alone.
    """
    fewer = math.ceil(plan.n_servers / plan.n_units) - 1
    if plan.n_cores or not fewer:
        return plan
    n_units = math.ceil(plan.n_servers / fewer)
    if n_units * plan.leafs_per_plane > plan.kit.spine_radix:
        return plan
    shape = replace(plan, n_units=n_units, sockets=sockets[: math.ceil(plan.n_servers / n_units)])
    other = _under_spines(shape, parameters, "2", trim=True)
    return min(plan, other, key=lambda one: one.n_leafs + one.n_spines)


def _under_spines(plan: LeafSpinePlan, parameters: LeafSpineParameters, tiers: str, trim: bool) -> LeafSpinePlan:
    """The plan with spines, and cores at three tiers, and no more servers a unit than its leafs then have ports for."""
    kit, in_plane = plan.kit, plan.n_units * plan.leafs_per_plane
    n_servers = _servers_served(plan, trim)
    n_down = 1 + max(port for server in plan.sockets[:n_servers] for _, port in server)
    uplinks = _uplink_choices(plan, parameters.oversubscription, n_down, trim)
    if tiers == "3" or (tiers == "auto" and in_plane > kit.spine_radix):
        upper = _three_tiers(plan, parameters, uplinks)
    elif in_plane > kit.spine_radix:
        raise ParameterError(_too_large(plan, parameters, 2, kit.spine_radix // plan.leafs_per_plane))
    else:
        upper = two_tiers(plan.n_planes, in_plane, uplinks, kit.spine_radix, parameters.spines)
    most_down = kit.leaf.ports_down(upper.n_uplinks)
    sockets = tuple(server for server in plan.sockets[:n_servers] if _fits(server, most_down))
    return replace(plan, upper=upper, sockets=sockets)


def _servers_served(plan: LeafSpinePlan, trim: bool) -> int:
    """Servers of a unit that its leafs' links up are for: with `trim` an even share of those there are.

    The leafs of a fat-tree are filled one after another instead.
    """
    if trim and plan.scalable_units:
        return math.ceil(plan.n_servers / plan.n_units)
    return plan.servers_per_unit


def _uplink_choices(plan: LeafSpinePlan, oversubscription: float, n_down: int, trim: bool) -> range:
    """Links up that a leaf may have: no more than leave room for the servers and for the ports to be reserved."""
    leaf, sockets = plan.kit.leaf, plan.sockets
    least_servers = math.ceil(plan.n_servers / plan.n_units) if trim else plan.servers_per_unit
    least_down = 1 + max(port for server in sockets[:least_servers] for _, port in server)
    in_use = plan.n_servers * len(sockets[0]) + plan.reserve_leaf_ports
    choices = leaf.uplink_choices(n_down, oversubscription, max(least_down, math.ceil(in_use / plan.n_leafs)))
    return choices or range(choices.start, choices.start + 1)


def _fits(server: tuple[Socket, ...], n_down: int) -> bool:
    """Whether the ports of a server are among the first `n_down` of its leafs."""
    return all(port < n_down for _, port in server)


def _three_tiers(plan: LeafSpinePlan, parameters: LeafSpineParameters, uplinks: range) -> UpperTiers:
    """Pods of the size asked for, or as large as a spine's ports down allow and all of one size."""
    kit = plan.kit
    asked = Asked(parameters.spine_oversubscription, parameters.spines, parameters.cores)
    most_leafs = kit.spine.most_down(asked.ratio)
    size = parameters.pod_size
    if size is not None:
        leafs_per_pod, pods = size, _pods_of(plan, size)
        most_units = kit.core_radix * size // plan.leafs_per_plane
    elif plan.pods_by_rail:
        pods_per_rail = math.ceil(plan.n_units / max(1, most_leafs))
        pods = pods_per_rail * plan.leafs_per_plane
        leafs_per_pod = math.ceil(plan.n_units / pods_per_rail)
        most_units = kit.core_radix // plan.leafs_per_plane * most_leafs
    else:
        units_per_pod = most_leafs // plan.leafs_per_plane
        if not units_per_pod:
            raise ParameterError(
                f"{format_count(plan.leafs_per_plane)} leaf switches that share servers do not fit under one pod's "
                "spines: "
                f"a {kit.spine_type.id} has {format_count(most_leafs)} ports down"
            )
        pods = math.ceil(plan.n_units / units_per_pod)
        leafs_per_pod = math.ceil(plan.n_units / pods) * plan.leafs_per_plane
        most_units = kit.core_radix * units_per_pod
    if pods > kit.core_radix:
        raise ParameterError(_too_large(plan, parameters, 3, most_units))
    return three_tiers(plan.n_planes, pods, leafs_per_pod, uplinks, kit.spine, kit.core_radix, asked)


def _pods_of(plan: LeafSpinePlan, size: int) -> int:
    """Spine groups of one plane, with pods of so many leafs. Raises ParameterError where units would be cut in two."""
    if plan.pods_by_rail:
        return math.ceil(plan.n_units / size) * plan.leafs_per_plane
    if size % plan.leafs_per_plane:
        raise ParameterError(
            f"a pod of {format_count(size)} leaf switches would separate the {format_count(plan.leafs_per_plane)} "
            f"leaf switches that share servers: choose a multiple of {format_count(plan.leafs_per_plane)}"
        )
    return math.ceil(plan.n_units * plan.leafs_per_plane / size)


def _too_large(plan: LeafSpinePlan, parameters: LeafSpineParameters, tiers: int, most_units: int) -> str:
    kit = plan.kit
    per_server = len(kit.server.ports)
    most_servers = most_units * plan.servers_per_unit
    n_servers, ratio = parameters.servers, format_ratio(parameters.oversubscription)
    tier_word, top = ("two", kit.spine_radix) if tiers == 2 else ("three", kit.core_radix)
    return (
        f"{format_count(n_servers)} x {kit.server.type_.id} needs {format_count(n_servers * per_server)} ports; "
        f"a {tier_word}-tier fabric of {kit.leaf.type_.id} at {ratio} under {'spines' if tiers == 2 else 'cores'} "
        f"of radix {top} ends at {format_count(most_servers * per_server)} endpoint ports "
        f"({format_count(most_servers)} servers)"
    )


def reserved_ports(plan: LeafSpinePlan) -> dict[int, tuple[int, ...]]:
    """Leaf ports kept for management appliances: leaf number to port numbers, all from 0.

    One port a leaf in turn, first on the leafs of the last unit where it lacks servers, then on any leaf with a port to
    spare. Raises ParameterError where fewer ports are free than are to be reserved.
    """
    wanted = plan.reserve_leaf_ports
    if not wanted:
        return {}
    n_ports = plan.kit.leaf.ports_down(plan.n_uplinks)
    full_use = _ports_in_use(plan, plan.servers_per_unit)
    last_use = _ports_in_use(plan, plan.servers_in(plan.n_units - 1))
    last = [(plan.n_leafs - plan.leafs_per_unit + leaf, last_use[leaf]) for leaf in range(plan.leafs_per_unit)]
    others = [(leaf, full_use[leaf % plan.leafs_per_unit]) for leaf in range(plan.n_leafs - plan.leafs_per_unit)]
    chosen: dict[int, list[int]] = {}
    free_in_all = 0
    for leafs in (last, others):
        free = [(leaf, [port for port in range(n_ports) if port not in used]) for leaf, used in leafs]
        free_in_all += sum(len(ports) for _, ports in free)
        for turn in range(max(len(ports) for _, ports in free) if free else 0):
            for leaf, ports in free:
                if turn < len(ports) and wanted:
                    chosen.setdefault(leaf, []).append(ports[turn])
                    wanted -= 1
    if wanted:
        raise ParameterError(_too_few_to_reserve(plan, free_in_all))
    return {leaf: tuple(sorted(ports)) for leaf, ports in chosen.items()}


def _too_few_to_reserve(plan: LeafSpinePlan, n_free: int) -> str:
    """Says how many ports the whole fabric has free, and the two ways out."""
    servers = format_counted(plan.n_servers, "server")
    free = f"{format_count(n_free)} {'is' if n_free == 1 else 'are'} free"
    fewer = f"servers, each of which uses {format_counted(len(plan.kit.server.ports), 'leaf port')}"
    way_out = f"Reserve at most {format_count(n_free)}, or generate fewer" if n_free else "Generate fewer"
    return (
        f"{format_counted(plan.reserve_leaf_ports, 'leaf port')} cannot be reserved: with {servers}, {free} "
        f"in the whole fabric. {way_out} {fewer}"
    )


def _ports_in_use(plan: LeafSpinePlan, n_servers: int) -> list[frozenset[int]]:
    """Ports that the first `n_servers` of a unit take, leaf by leaf."""
    taken: list[set[int]] = [set() for _ in range(plan.leafs_per_unit)]
    for server in plan.sockets[:n_servers]:
        for leaf, port in server:
            taken[leaf].add(port)
    return [frozenset(ports) for ports in taken]

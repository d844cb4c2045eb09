"""Leafs, spines and cores, planned: all numbers that fat-tree and rail-optimized share, before anything is built.

A fabric is a row of like units. A unit is the smallest run of whole servers on whole leafs: one leaf and its servers in
a fat-tree, a scalable unit of one leaf a rail, or several, in a rail-optimized fabric. The last unit may lack servers;
its leafs, their links to the spines and the spines are there in full, and the ports of the missing servers stay free.
Units that may be trimmed share the servers out evenly, so that hardly any are missing.

The leafs of a unit stand plane by plane. What is above them is in upper_tiers.

Port order, which routing relies on: on a leaf, downlinks take the first ports, by server and then by NIC, and uplinks
the last ones, by spine, parallel links side by side; on a spine, ports follow the leafs of its pod and then the cores,
parallel links side by side; on a core, ports follow the pods.
"""

from dataclasses import dataclass, replace

from designer.topologies.equipment import LeafSpineKit
from designer.topologies.upper_tiers import UpperTiers
from designer.units import format_count, format_counted

WORTH_A_REMARK = 0.25
"""If at least this share of the servers is missing that a unit's uplinks are built for, a remark says so."""

SPEED_UP = 1.01
"""If a leaf has at least so many times the capacity up, a remark says so."""

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
    leafs_per_rail: int = 1
    """Leafs of one rail in a unit and plane, side by side; of a rail-optimized fabric."""
    uplinks_asked: bool = False
    """Whether the uplinks of a leaf were asked for, and not made of a ratio."""
    whole: "LeafSpinePlan | None" = None
    """The plan of all planes, where this is the plan of one of them."""
    first_plane: int = 0
    """The plane of the first leaf of a unit, from 0; above 0 only where this is the plan of one plane."""

    def only_plane(self, plane: int) -> "LeafSpinePlan":
        """The plan of one plane, counted from 0, as if there were no other. Leafs and spines are renumbered."""
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
    def servers_per_row(self) -> int:
        """Servers of a unit on the leafs of its first, which are those of a rack; 0 where all of them are."""
        first = {leaf for leaf, _ in self.sockets[0]}
        alike = sum(first == {leaf for leaf, _ in server} for server in self.sockets)
        return alike if alike < self.servers_per_unit else 0

    @property
    def leaf_rows(self) -> list[list[int]]:
        """Leafs of a unit that serve the same servers: all of them, or those of a rack, one of each rail, and so on."""
        per_row = self.servers_per_row if self.scalable_units else 0
        rows = [sorted({leaf for leaf, _ in server}) for server in self.sockets[:: per_row or self.servers_per_unit]]
        in_rows = sorted(leaf for row in rows for leaf in row)
        return rows if in_rows == [*range(self.leafs_per_unit)] else [[*range(self.leafs_per_unit)]]

    @property
    def unit_word(self) -> str:
        """What a scalable unit is called: a system that fills a rack, alone in its unit, is a rack."""
        return "Rack" if self.servers_per_unit == 1 and self.kit.server.type_.fills_rack else "SU"

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
    def fan_outs(self) -> int:
        """NICs whose ports lead to several leafs."""
        ports = self.kit.server.ports
        reached: dict[str, set[int]] = {}
        for port, (leaf, _) in zip(self.server_ports, self.sockets[0], strict=True):
            reached.setdefault(ports[port].slot, set()).add(leaf)
        return self.n_servers * sum(len(leafs) > 1 for leafs in reached.values())

    @property
    def leafs_per_plane(self) -> int:
        """Leafs of one unit in one plane."""
        return self.leafs_per_unit // self.n_planes

    @property
    def n_rails(self) -> int:
        """Rails of one plane."""
        return self.leafs_per_plane // self.leafs_per_rail

    def rail_of(self, place: int) -> int:
        """The rail of a unit's leaf, both from 0."""
        return place % self.leafs_per_plane // self.leafs_per_rail

    def plane_of(self, place: int) -> int:
        """The plane of a unit's leaf, both from 0."""
        return place // self.leafs_per_plane

    def pod_of(self, unit: int, place: int) -> tuple[int, int]:
        """The pod in its plane of a unit's leaf, and the leaf's number in that pod, all from 0."""
        assert self.upper is not None
        row, per_pod = place % self.leafs_per_plane, self.upper.leafs_per_pod
        if self.pods_by_rail and self.upper.n_cores:
            rail, leaf = divmod(row, self.leafs_per_rail)
            pod, number = divmod(unit * self.leafs_per_rail + leaf, per_pod)
            return rail * (self.upper.pods // self.n_rails) + pod, number
        return divmod(unit * self.leafs_per_plane + row, per_pod)

    def servers_in(self, unit: int) -> int:
        """Servers present in a unit, counted from 0."""
        return min(self.servers_per_unit, self.n_servers - unit * self.servers_per_unit)

    @property
    def remark(self) -> str:
        """What the counts do not show: uplinks for servers that are missing, leafs that are all but empty; or ""."""
        return " ".join(
            filter(
                None,
                (
                    self._of_planes(),
                    self._in_one_pod(),
                    self._built_out(),
                    self._hardly_used(),
                    self._uneven(),
                    self._sped_up(),
                ),
            )
        )

    def _of_planes(self) -> str:
        whole = self.whole
        if whole is None:
            return ""
        counts = {"leaf": whole.n_leafs, "spine": whole.n_spines, "core": whole.n_cores}
        switches = [format_counted(number, word) for word, number in counts.items() if number]
        links = f"{format_count(sum(whole.n_links.values()))} links"
        this = f"Plane {format_count(self.first_plane + 1)} of {format_count(whole.n_planes)}"
        return f"{this}; all planes have {', '.join([*switches, links])}."

    def _in_one_pod(self) -> str:
        if not self.n_cores or self.upper is None or self.upper.pods > 1:
            return ""
        return "Cores connect the spines of one pod only, and add nothing yet: choose two tiers or smaller pods."

    def _built_out(self) -> str:
        last, full = self.servers_in(self.n_units - 1), self.servers_per_unit
        if self.upper is None or full - last < WORTH_A_REMARK * full:
            return ""
        what = (
            f"{self.unit_word} {self.n_units}"
            if self.scalable_units
            else "The last leaf"
            if self.n_units > 1
            else "The leaf"
        )
        have = f"has {format_count(last)} of {format_count(full)} servers"
        return f"{what} {have}; its uplinks are built for all {format_count(full)} to leave room for growth."

    def _uneven(self) -> str:
        upper = self.upper
        if upper is None:
            return ""
        spread = (
            ("leaf", self.n_uplinks, upper.uneven, upper.spines_per_pod, "spines"),
            ("spine", upper.spine_uplinks, upper.uneven_cores, upper.cores_per_group, "cores"),
        )
        return " ".join(
            f"{format_count(links)} uplinks of a {lower} spread unevenly over {format_count(uppers)} {word}: "
            f"{links // uppers + 1} links to {more} of them, {links // uppers} to each of the others."
            for lower, links, more, uppers, word in spread
            if more
        )

    def _sped_up(self) -> str:
        """Of scheduled fabrics, which spread every flow over all uplinks."""
        leaf = self.kit.leaf
        per_leaf = 1 + max(port for server in self.sockets[: self.servers_in(0)] for _, port in server)
        down, up = per_leaf * leaf.down_mode.rate_gbps, self.n_uplinks * leaf.up_mode.rate_gbps
        if self.upper is None or not self.uplinks_asked or up < SPEED_UP * down:
            return ""
        return f"Leaf switches have {up / down:.2f} times as much capacity up as down."

    def _hardly_used(self) -> str:
        per_leaf = 1 + max(port for server in self.sockets[: self.servers_in(0)] for _, port in server)
        used, ports = per_leaf + self.n_uplinks, self.kit.leaf.ports_down(0)
        if not (self.scalable_units and self.n_rails > 1 and used < HARDLY_USED * ports):
            return ""
        in_use = f"{used} of {format_count(ports)} ports in use"
        return f"Each leaf switch has {in_use}: fewer rails would need fewer leaf switches."

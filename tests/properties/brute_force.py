"""Loads, rates and times of flows over a drawn fabric, from its file, by the plainest means and in exact fractions.

Nothing here comes from the program: the file is read as JSON, ways are found by breadth-first search, rates by
progressive filling from scratch after every end. Single paths are not chosen here but checked: each must be a shortest
one between a pair of NICs that may carry the flow.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

Gpu = tuple[str, int]
"""Server id and number in the server."""
Port = tuple[str, str]
"""Device id and port name."""
Arc = tuple[Any, ...]
"""(link id, 0 from end a to b or 1 back), ("to" or "from" the crossbar, GPU), ("direct", GPU, GPU)."""
Row = dict[Arc, Fraction]


class Unreachable(Exception):
    """No NICs lead from the one GPU to the other."""


def natural(id_: str) -> list[Any]:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", id_)]


@dataclass(frozen=True)
class Way:
    """A NIC port that a GPU uses: its number among the GPU's, what its link leads to, and the arc there."""

    number: int
    port: Port
    far: Port
    arc: Arc


class Fabric:
    """What a file says, less the links that are gone."""

    def __init__(self, text: str, gone: Collection[str] = ()) -> None:
        document = json.loads(text)
        self.capacity: dict[Arc, Fraction] = {}  # bytes/s
        self.gpus: list[Gpu] = []
        self._types = {
            type_["id"]: type_ for table in ("switch_types", "server_types", "nic_types") for type_ in document[table]
        }
        self.devices = document["devices"]
        self._devices = {device["id"]: device for device in self.devices}
        self._modules = defaultdict(dict)
        for module in document["modules"]:
            self._modules[module["device_id"]][module["slot"]] = module["type_id"]
        self._rate_gbps: dict[Port, Fraction] = {}
        self._nics: dict[Gpu, list[tuple[Port, bool]]] = {}  # in port order; whether the GPU has it to itself
        for device in sorted(self._devices.values(), key=lambda device: natural(device["id"])):
            type_ = self._types[device["type_id"]]
            if "cages" in type_:
                self._add_switch(device["id"], type_)
            else:
                self._add_server(device["id"], type_)
        self._add_links(sorted(document["links"], key=lambda link: natural(link["id"])), gone)
        self._plane = self._planes()
        self._ways = {gpu: self._own_ways(gpu) for gpu in self.gpus}
        self._lender = self._lent()

    def _add_switch(self, id_: str, type_: dict[str, Any]) -> None:
        mode = type_["modes"][0]
        for number in range(1, sum(cage["count"] for cage in type_["cages"]) * mode["ports_per_cage"] + 1):
            self._rate_gbps[id_, str(number)] = Fraction(mode["rate_gbps"])

    def _add_server(self, id_: str, type_: dict[str, Any]) -> None:
        gpus = [(id_, number) for number in range(type_["gpus"])]
        self.gpus += gpus
        self._nics |= {gpu: [] for gpu in gpus}
        for slot in type_["slots"]:
            if slot["name"] not in self._modules[id_]:
                continue
            nic = self._types[self._modules[id_][slot["name"]]]
            for number in range(1, nic["ports"] + 1):
                port = (id_, slot["name"] if nic["ports"] == 1 else f"{slot['name']}/{number}")
                self._rate_gbps[port] = Fraction(nic["rate_gbps"])
                users = gpus if "gpu" not in slot else [(id_, slot["gpu"])]
                for gpu in users:
                    self._nics[gpu].append((port, len(users) == 1))
        scale_up = type_.get("scale_up")
        if scale_up is None:
            self._share_nics(gpus)
        if scale_up is None or len(gpus) == 1:
            return
        for gpu in gpus:
            if "gbytes_per_s_per_pair" in scale_up:
                rate = Fraction(scale_up["gbytes_per_s_per_pair"]) * 10**9
                self.capacity |= {("direct", gpu, other): rate for other in gpus if other != gpu}
            else:
                rate = Fraction(scale_up["gbytes_per_s_per_gpu"]) * 10**9
                self.capacity |= {("to", gpu): rate, ("from", gpu): rate}

    def _share_nics(self, gpus: list[Gpu]) -> None:
        """GPUs without a NIC have those of another, of which no more GPUs have them than in an even division."""
        lenders = [gpu for gpu in gpus if self._nics[gpu]]
        users = dict.fromkeys(lenders, 1)
        for number, gpu in enumerate(gpus):
            free = [(place, one) for place, one in enumerate(lenders) if users[one] * len(lenders) < len(gpus)]
            if self._nics[gpu] or not free:
                continue
            wanted = number * len(lenders) // len(gpus)
            _, lender = min(free, key=lambda one: (abs(one[0] - wanted), one[1]))
            users[lender] += 1
            self._nics[gpu] = list(self._nics[lender])

    def _add_links(self, links: list[dict[str, Any]], gone: Collection[str]) -> None:
        self.ends: dict[Arc, tuple[Port, Port]] = {}
        self._neighbours: dict[str, dict[str, list[Arc]]] = defaultdict(lambda: defaultdict(list))
        self._link_at: dict[Port, Arc] = {}
        for link in links:
            if link["id"] in gone:
                continue
            a, b = (tuple(link["a"]), tuple(link["b"]))
            rate = min(self._rate_gbps[a], self._rate_gbps[b]) * 10**9 / 8
            for arc, from_, to in (((link["id"], 0), a, b), ((link["id"], 1), b, a)):
                self.capacity[arc], self.ends[arc] = rate, (from_, to)
                self._link_at.setdefault(from_, arc)
                if self._is_switch(a[0]) and self._is_switch(b[0]):
                    self._neighbours[from_[0]][to[0]].append(arc)

    def _is_switch(self, device_id: str) -> bool:
        return "cages" in self._types[self._devices[device_id]["type_id"]]

    def hops_to(self, switch: str) -> dict[str, int]:
        """Fewest links from every switch that reaches it."""
        hops, queue = {switch: 0}, [switch]
        for here in queue:
            for other in self._neighbours[here]:
                if other not in hops:
                    hops[other] = hops[here] + 1
                    queue.append(other)
        return hops

    def _planes(self) -> dict[str, str]:
        planes: dict[str, str] = {}
        for device_id in self._devices:
            if self._is_switch(device_id) and device_id not in planes:
                planes |= dict.fromkeys(self.hops_to(device_id), device_id)
        return planes

    # -- NICs ---------------------------------------------------------------------------------------------------------

    def _own_ways(self, gpu: Gpu) -> list[Way]:
        ways = [
            (Way(number, port, self.ends[self._link_at[port]][1], self._link_at[port]), alone)
            for number, (port, alone) in enumerate(self._nics[gpu])
            if port in self._link_at
        ]
        return [way for way, alone in ways if alone] or [way for way, _ in ways]

    def _lent(self) -> dict[Gpu, Gpu]:
        """GPUs without a way: the GPU of the domain, with one, that fewest borrow from, the nearest, then the lower."""
        lender: dict[Gpu, Gpu] = {}
        for gpu in self.gpus:
            able = [other for other in self._mates(gpu) if self._ways[other]]
            if not self._ways[gpu] and able:
                times = list(lender.values())
                lender[gpu] = min(able, key=lambda one: (times.count(one), abs(one[1] - gpu[1]), one[1]))
        return lender

    def _mates(self, gpu: Gpu) -> list[Gpu]:
        """The GPUs of its scale-up domain, itself among them; none without a domain."""
        joined = ("to", gpu) in self.capacity or any(arc[:2] == ("direct", gpu) for arc in self.capacity)
        return [other for other in self.gpus if other[0] == gpu[0]] if joined else []

    def _crossing(self, a: Gpu, b: Gpu) -> list[Arc]:
        """The arcs from one GPU to another of its domain."""
        if a == b:
            return []
        return [("direct", a, b)] if ("direct", a, b) in self.capacity else [("to", a), ("from", b)]

    def nic_pairs(self, src: Gpu, dst: Gpu) -> list[tuple[list[Arc], Way, Way, list[Arc], Fraction]]:
        """(arcs inside the sender's server, NIC, NIC, arcs inside the receiver's, share). Raises Unreachable."""
        a, b = (self._lender.get(gpu, gpu) for gpu in (src, dst))
        shares = self._shares(a, b)
        if shares:
            return [(self._crossing(src, a), out, in_, self._crossing(b, dst), share) for out, in_, share in shares]
        for changed, kept in ((src, b), (dst, a)):
            mates = self._mates(changed)
            near = [mates[(changed[1] + step) % len(mates)] for step in range(1, len(mates))]
            place = kept[1] if self._mates(kept) else 0
            for other in [*(mates[place % len(mates)] for _ in mates[:1]), *near]:
                if other == changed or not self._ways[other]:
                    continue
                ends = (other, b) if changed == src else (a, other)
                shares = self._shares(*ends)
                if shares:
                    inside = self._crossing(src, ends[0]), self._crossing(ends[1], dst)
                    return [(inside[0], out, in_, inside[1], share) for out, in_, share in shares]
        raise Unreachable(src, dst)

    def _shares(self, a: Gpu, b: Gpu) -> list[tuple[Way, Way, Fraction]]:
        """Evenly over either end's NICs in a plane: like numbers together, of the rest the first with the first."""
        planes = defaultdict(lambda: ([], []))
        for side, gpu in enumerate((a, b)):
            for way in self._ways[gpu]:
                switch = self._plane.get(way.far[0])
                planes[switch or frozenset((way.port, way.far))][side].append(way)
        both = [ways for ways in planes.values() if ways[0] and ways[1]]
        total = sum(min(map(len, ways)) for ways in both)
        found = []
        for ways in both:
            left = [{way: Fraction(min(map(len, ways)), total * len(side)) for way in side} for side in ways]
            order = sorted(
                ((out, in_) for out in ways[0] for in_ in ways[1]),
                key=lambda pair: (pair[0].number != pair[1].number, pair[0].number, pair[1].number),
            )
            for out, in_ in order:
                share = min(left[0][out], left[1][in_])
                if share:
                    left[0][out] -= share
                    left[1][in_] -= share
                    found.append((out, in_, share))
        return found

    # -- paths --------------------------------------------------------------------------------------------------------

    def weigh(self, arc: Arc, hops: dict[str, int]) -> Fraction:
        """What can go over an arc and on to where hops are 0: not more than all shortest ways on from there carry."""
        there = self.ends[arc][1][0]
        ahead = [on for other, arcs in self._neighbours[there].items() if hops[other] == hops[there] - 1 for on in arcs]
        own = Fraction(self.capacity[arc])
        if hops[there] == 0:
            return own
        bundle = [one for one, ends in self.ends.items() if (ends[0][0], ends[1][0]) == self._between(arc)]
        whole = sum(Fraction(self.capacity[one]) for one in bundle)
        on_from = {}
        for on in ahead:
            on_from[self._between(on)] = on_from.get(self._between(on), Fraction(0)) + self.weigh(on, hops)
        return own / whole * min(whole, sum(on_from.values(), Fraction(0)))

    def _between(self, arc: Arc) -> tuple[str, str]:
        return self.ends[arc][0][0], self.ends[arc][1][0]

    def sprayed(self, src: Gpu, dst: Gpu, *, weighted: bool = False) -> Row:
        """What share of the flow is on which arc: at every switch split by capacity over the shortest ways on.

        `weighted` by what the ways on from the next switch carry too.
        """
        if src[0] == dst[0] and dst in self._mates(src):
            return dict.fromkeys(self._crossing(src, dst), Fraction(1))
        row: Row = defaultdict(Fraction)
        for before, out, in_, after, share in self.nic_pairs(src, dst):
            for arc in (*before, *after):
                row[arc] += share
            if out.port == in_.port:  # GPUs that share a NIC
                continue
            row[out.arc] += share
            if out.far == in_.port:  # a cable from NIC to NIC
                continue
            row[in_.arc[0], 1 - in_.arc[1]] += share
            hops = self.hops_to(in_.far[0])
            at = {out.far[0]: share}
            for distance in range(hops[out.far[0]], 0, -1):
                for switch in [switch for switch in at if hops[switch] == distance]:
                    amount = at.pop(switch)
                    ahead = [
                        arc
                        for other, arcs in self._neighbours[switch].items()
                        if hops[other] == distance - 1
                        for arc in arcs
                    ]
                    weights = {arc: self.weigh(arc, hops) if weighted else self.capacity[arc] for arc in ahead}
                    total = sum(weights.values())
                    for arc in ahead:
                        part = amount * weights[arc] / total
                        row[arc] += part
                        to = self.ends[arc][1][0]
                        at[to] = at.get(to, Fraction(0)) + part
        return dict(row)

    def is_allowed(self, src: Gpu, dst: Gpu, path: list[Arc]) -> bool:
        """Whether a single path is a shortest one between NICs that carry flows from the one GPU to the other."""
        if src[0] == dst[0] and dst in self._mates(src):
            return path == self._crossing(src, dst)
        return any(
            path[: len(before)] == before
            and path[len(path) - len(after) :] == after
            and self._is_shortest(path[len(before) : len(path) - len(after)], out, in_)
            for before, out, in_, after, _ in self.nic_pairs(src, dst)
        )

    def _is_shortest(self, links: list[Arc], out: Way, in_: Way) -> bool:
        if out.port == in_.port:
            return not links
        if out.far == in_.port:
            return links == [out.arc]
        if not links or links[0] != out.arc or links[-1] != (in_.arc[0], 1 - in_.arc[1]):
            return False
        joined = all(self.ends[a][1][0] == self.ends[b][0][0] for a, b in pairwise(links))
        return joined and len(links) - 2 == self.hops_to(in_.far[0])[out.far[0]]


@dataclass(frozen=True)
class Answer:
    """What became of the flows: bytes/s and seconds, None for a rate that nothing limits."""

    first_rate: list[Fraction | None]
    finish_s: list[Fraction]
    bytes_on: dict[Arc, Fraction]
    peak: dict[Arc, Fraction]


def answer(rows: list[Row], capacity: dict[Arc, Fraction], size_bytes: list[int]) -> Answer:
    """Max-min fair rates from scratch at the start and after every end."""
    left, finish, now = [Fraction(size) for size in size_bytes], [Fraction(0)] * len(rows), Fraction(0)
    running, first, peak = list(range(len(rows))), None, dict.fromkeys(capacity, Fraction(0))
    bytes_on = dict.fromkeys(capacity, Fraction(0))
    for row, size in zip(rows, size_bytes, strict=True):
        for arc, weight in row.items():
            bytes_on[arc] += weight * size
    while running:
        rates, load = _max_min({flow: rows[flow] for flow in running}, capacity)
        first = first or [rates[flow] for flow in range(len(rows))]
        for arc, amount in load.items():
            peak[arc] = max(peak[arc], amount / capacity[arc])
        ends = {flow: Fraction(0) if rates[flow] is None else left[flow] / rates[flow] for flow in running}
        wait = min(ends.values())
        now += wait
        for flow in running:
            if ends[flow] == wait:
                finish[flow] = now
            else:
                left[flow] -= rates[flow] * wait
        running = [flow for flow in running if ends[flow] > wait]
    return Answer(first or [], finish, bytes_on, peak)


def _max_min(
    rows: dict[int, Row], capacity: dict[Arc, Fraction]
) -> tuple[dict[int, Fraction | None], dict[Arc, Fraction]]:
    """(rate of every flow, load of every arc in use)."""
    rates: dict[int, Fraction | None] = dict.fromkeys(rows)
    weight: dict[Arc, Fraction] = defaultdict(Fraction)
    users: dict[Arc, list[int]] = defaultdict(list)
    for flow, row in rows.items():
        for arc, share in row.items():
            weight[arc] += share
            users[arc].append(flow)
    load = dict.fromkeys(weight, Fraction(0))
    while weight:
        levels = {arc: (capacity[arc] - load[arc]) / open_ for arc, open_ in weight.items()}
        level = min(levels.values())
        held = {flow for arc, at in levels.items() if at == level for flow in users[arc] if rates[flow] is None}
        for flow in held:
            rates[flow] = level
            for arc, share in rows[flow].items():
                load[arc] += share * level
                weight[arc] -= share
        weight = {arc: open_ for arc, open_ in weight.items() if open_ > 0}
    return rates, load

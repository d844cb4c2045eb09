"""Random fabrics as files: planes of switches, servers with 1 to 4 NICs per GPU, mixed speeds, failures, flows."""

import json
import random
from dataclasses import dataclass
from typing import Any

RATES = (100, 200, 400)
CAGES = 60


@dataclass(frozen=True)
class Case:
    """A file, what fails in it (as the command line names it, and the links that are gone then), and flows by rank."""

    text: str
    failed: tuple[str, ...]
    gone: frozenset[str]
    flows: tuple[tuple[int, int, int], ...]


class _Drawing:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.devices: list[dict[str, Any]] = []
        self.modules: list[dict[str, Any]] = []
        self.links: list[dict[str, Any]] = []
        self.server_types: dict[str, dict[str, Any]] = {}
        self._used: dict[str, int] = {}

    def link(self, a: tuple[str, str] | str, b: str) -> None:
        """Between a port, or the next free port of a switch, and the next free one of another switch."""
        ends = [end if isinstance(end, tuple) else self._next_port(end) for end in (a, b)]
        self.links.append({"id": f"l{len(self.links) + 1}", "a": ends[0], "b": ends[1]})

    def _next_port(self, switch: str) -> tuple[str, str]:
        self._used[switch] = self._used.get(switch, 0) + 1
        return switch, str(self._used[switch])

    def plane(self) -> list[str]:
        """A few switches that hang together, by links of which some are parallel."""
        switches = []
        for _ in range(self.random.choice((1, 2, 2, 3, 4))):
            id_ = f"s{len(self.devices) + 1}"
            self.devices.append({"id": id_, "name": f"switch {id_}", "type_id": f"sw{self.random.choice(RATES)}"})
            switches.append(id_)
        for place in range(1, len(switches)):
            self.link(switches[place], self.random.choice(switches[:place]))
        for _ in range(self.random.randint(0, 4) if len(switches) > 1 else 0):
            self.link(*self.random.sample(switches, 2))
        return switches

    def server_type(self) -> str:
        """One, two or four GPUs, alike in NICs or not, some with NICs that all share; joined with each other or not."""
        draw = self.random
        gpus, nics = draw.choice((1, 2, 2, 4)), draw.randint(1, 4)
        even = draw.random() < 0.6
        slots = [
            {"name": f"g{gpu}n{nic}", "gpu": gpu}
            for gpu in range(gpus)
            for nic in range(nics if even else draw.randint(0, nics))
        ]
        if draw.random() < 0.2 or not slots:
            slots += [{"name": f"all{number}"} for number in range(draw.randint(1, 2))]
        id_ = f"box{len(self.server_types) + 1}"
        type_ = {"id": id_, "vendor": "", "model": "", "gpus": gpus, "slots": slots}
        if draw.random() < 0.8:
            type_["scale_up"] = {"name": "X", "gbytes_per_s_per_gpu": draw.choice((20, 75, 450))}
            if draw.random() < 0.3:
                type_["scale_up"]["gbytes_per_s_per_pair"] = draw.choice((10, 25))
        self.server_types[id_] = type_
        return id_

    def server(self, type_id: str, planes: list[list[str]]) -> None:
        """NIC k on plane k, mostly; some slots are empty, some ports have no link, some NICs have two ports."""
        draw, id_ = self.random, f"t{len(self.devices) + 1}"
        self.devices.append({"id": id_, "name": f"server {id_}", "type_id": type_id})
        rate = draw.choice(RATES)
        neat = draw.random() < 0.7
        by_gpu: dict[Any, int] = {}
        for slot in self.server_types[type_id]["slots"]:
            if draw.random() < 0.05:
                continue
            two = draw.random() < 0.15
            nic = f"nic{'2x' if two else ''}{rate if neat else draw.choice(RATES)}"
            self.module(id_, slot["name"], nic)
            for port in (f"{slot['name']}/1", f"{slot['name']}/2") if two else (slot["name"],):
                number = by_gpu[slot.get("gpu")] = by_gpu.get(slot.get("gpu"), -1) + 1
                plane = planes[number % len(planes)] if neat or draw.random() < 0.5 else draw.choice(planes)
                if draw.random() > 0.08:
                    self.link((id_, port), draw.choice(plane))

    def module(self, device_id: str, slot: str, nic: str) -> None:
        self.modules.append({"id": f"m{len(self.modules) + 1}", "device_id": device_id, "slot": slot, "type_id": nic})

    def cabled_pair(self) -> None:
        """Two servers with nothing but a cable from the one to the other."""
        slots = [{"name": "g0n0", "gpu": 0}]
        self.server_types["cabled"] = {"id": "cabled", "vendor": "", "model": "", "gpus": 1, "slots": slots}
        ends = []
        for _ in range(2):
            id_ = f"t{len(self.devices) + 1}"
            self.devices.append({"id": id_, "name": f"server {id_}", "type_id": "cabled"})
            self.module(id_, "g0n0", "nic400")
            ends.append((id_, "g0n0"))
        self.links.append({"id": f"l{len(self.links) + 1}", "a": ends[0], "b": ends[1]})

    def text(self) -> str:
        no_facts = {"vendor": "", "model": "", "protocols": []}
        modes = {rate: [{"name": "", "ports_per_cage": 1, "rate_gbps": rate}] for rate in RATES}
        cages = [{"count": CAGES, "form_factor": ""}]
        return json.dumps(
            {
                "format": "fabric-design",
                "version": 4,
                "switch_types": [
                    {"id": f"sw{rate}", **no_facts, "cages": cages, "modes": modes[rate]} for rate in RATES
                ],
                "server_types": list(self.server_types.values()),
                "nic_types": [
                    {"id": f"nic{prefix}{rate}", **no_facts, "ports": ports, "rate_gbps": rate}
                    for rate in RATES
                    for ports, prefix in ((1, ""), (2, "2x"))
                ],
                "devices": self.devices,
                "modules": self.modules,
                "links": self.links,
            }
        )

    def failures(self) -> tuple[tuple[str, ...], frozenset[str]]:
        draw, failed, gone = self.random, [], set()
        names = {device["id"]: device["name"] for device in self.devices}
        for link in self.links:
            if draw.random() < 0.06:
                device, port = link[draw.choice("ab")]
                failed.append(f"{names[device]}:{port}")
                gone.add(link["id"])
        switches = [device["id"] for device in self.devices if device["id"].startswith("s")]
        if draw.random() < 0.1:
            switch = draw.choice(switches)
            failed.append(names[switch])
            gone |= {link["id"] for link in self.links if switch in (link["a"][0], link["b"][0])}
        return tuple(failed), frozenset(gone)


def case(seed: int) -> Case:
    """The same case for the same seed."""
    drawing = _Drawing(seed)
    draw = drawing.random
    planes = [drawing.plane() for _ in range(draw.choice((1, 1, 2, 3, 4)))]
    types = [drawing.server_type() for _ in range(draw.choice((1, 1, 2)))]
    for _ in range(draw.randint(2, 4)):
        drawing.server(draw.choice(types), planes)
    if draw.random() < 0.1:
        drawing.cabled_pair()
    failed, gone = drawing.failures()
    gpus = sum(drawing.server_types[d["type_id"]]["gpus"] for d in drawing.devices if d["id"].startswith("t"))
    flows = []
    for _ in range(draw.randint(2, 9) if gpus > 1 else 0):
        src, dst = draw.sample(range(gpus), 2)
        flows.append((src, dst, draw.randint(1, 40) * 10**8))
    return Case(drawing.text(), failed, gone, tuple(flows))

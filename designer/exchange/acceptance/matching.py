"""Which part of a design each measurement is of: by the mark in its log, by its hosts, or by its number of GPUs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from designer.exchange.schedulers.hosts import Host, hosts
from designer.measurements.records import Measurement
from designer.model.design import Design
from designer.simulation.acceptance.evidence import MeasuredPart
from designer.simulation.acceptance.parts import HOSTS, RAIL, Part
from designer.simulation.catalogue import collective
from designer.units import format_count

_HOSTS = re.compile(r"hosts?\s+(.+?)(?:\s+rail\s+(\d{1,4}))?")
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Matched:
    """Measurements with their parts, and a sentence for each that could not be placed or was placed by a guess."""

    tests: tuple[MeasuredPart, ...]
    notes: tuple[str, ...]


def matched(design: Design, parts: Sequence[Part], measurements: Iterable[Measurement], usual: str) -> Matched:
    """The parts that the measurements are of; `usual` is the collective of those that do not say which."""
    matcher = _Matcher(design, parts, usual)
    found = [matcher.test_of(one) for one in measurements]
    return Matched(tuple(one for one in found if one is not None), tuple(dict.fromkeys(matcher.notes)))


class _Matcher:
    """Looks parts up. Ranks are those of the design as it is drawn."""

    def __init__(self, design: Design, parts: Sequence[Part], usual: str) -> None:
        self._parts = {part.name: part for part in parts}
        self._by_ranks = {part.ranks: part for part in reversed(parts)}
        self._whole = parts[0]
        self._usual = usual
        self._hosts: Mapping[str, Host] = {host.name.lower(): host for host in hosts(design)}
        self._short = {name.partition(".")[0]: host for name, host in self._hosts.items()}
        self.notes: list[str] = []

    def test_of(self, measurement: Measurement) -> MeasuredPart | None:
        """The measurement with its part; None, and a note, where it is of none."""
        name = measurement.collective or self._usual
        if collective(name) is None or not measurement.rows:
            self.notes.append(f"{measurement.id} is left out: {name or 'it'} is not a collective with results by size")
            return None
        part = self._part_of(measurement)
        if part is None or len(part.ranks) < 2:
            return None
        return MeasuredPart(part, replace(measurement, collective=name))

    def _part_of(self, measurement: Measurement) -> Part | None:
        if measurement.part:
            found = self._parts.get(measurement.part) or self._named_hosts(measurement.part)
            if found is None:
                self.notes.append(
                    f"{measurement.id} is left out: the design has no part {measurement.part!r}; it has "
                    + ", ".join(list(self._parts)[:6])
                )
            return found
        if measurement.ranks:
            return self._of_ranks(measurement)
        if measurement.n_gpus == len(self._whole.ranks):
            return self._whole
        what = "the number of its GPUs" if measurement.n_gpus is None else f"where its {measurement.n_gpus} GPUs are"
        self.notes.append(
            f"{measurement.id} is left out: it does not say {what}; put a line {'# fabric-designer part: whole'!r} "
            "before it"
        )
        return None

    def _of_ranks(self, measurement: Measurement) -> Part | None:
        unknown = [name for name in measurement.hosts if self._host(name) is None]
        if unknown:
            return self._without_hosts(measurement, unknown)
        found: list[int] = []
        for place in measurement.ranks:
            host = self._host(place.host)
            if host is not None and place.gpu < host.gpus:
                found.append(host.first_rank + place.gpu)
        ranks = tuple(sorted(set(found)))
        if len(ranks) < len(measurement.ranks):
            self.notes.append(f"{measurement.id} is left out: it lists GPUs that the design does not have, or twice")
            return None
        known = self._by_ranks.get(ranks)
        return known or Part(HOSTS, "hosts", _hosts_title(measurement.hosts, len(ranks)), ranks)

    def _without_hosts(self, measurement: Measurement, unknown: Sequence[str]) -> Part | None:
        """A run on hosts of other names: the whole, where its size fits."""
        named = ", ".join(unknown[:MOST_NAMED]) + (" and others" if len(unknown) > MOST_NAMED else "")
        if measurement.n_gpus == len(self._whole.ranks):
            self.notes.append(f"{measurement.id}: the design has no host {named}; treated as the whole fabric")
            return self._whole
        self.notes.append(f"{measurement.id} is left out: the design has no host {named}")
        return None

    def _host(self, name: str) -> Host | None:
        plain = name.lower()
        return self._hosts.get(plain) or self._short.get(plain.partition(".")[0])

    def _named_hosts(self, text: str) -> Part | None:
        """ "hosts gpu-01 gpu-02 rail 3": their GPUs, those of a rail only where one is named."""
        match = _HOSTS.fullmatch(text)
        if match is None:
            return None
        names = re.split(r"[,\s]+", match[1])
        known = [self._host(name) for name in names]
        if None in known:
            return None
        ranks = {rank for host in known if host is not None for rank in host.ranks}
        if match[2]:
            rail = self._parts.get(f"{RAIL} {match[2]}")
            if rail is None:
                return None
            ranks &= set(rail.ranks)
        found = tuple(sorted(ranks))
        return self._by_ranks.get(found) or Part(HOSTS, text, text[:1].upper() + text[1:], found)


def _hosts_title(names: Sequence[str], n_ranks: int) -> str:
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    return f"{shown}, {format_count(n_ranks)} GPUs"

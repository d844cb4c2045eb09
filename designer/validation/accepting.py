"""Which waiver accepts a finding: the same things, or fewer of them, and figures that are not worse."""

from collections.abc import Iterable
from dataclasses import replace

from designer.model.design import Design
from designer.model.entities import Device, Link, Module, Rack
from designer.model.records import ordered
from designer.model.waiver import Waiver
from designer.validation.findings import Finding

TOLERANCE = 1e-9


class Acceptance:
    """The waivers of a design, at hand for one finding after another. Notes which of them accepted something."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._by_code: dict[str, list[tuple[Waiver, frozenset[str]]]] = {}
        for one in ordered(design.waivers):
            self._by_code.setdefault(one.code, []).append((one, frozenset(one.subjects)))
        self._around: dict[str, frozenset[str]] = {}
        self.used: set[str] = set()
        """Ids of waivers that accepted a finding."""
        self.outgrown: dict[str, Finding] = {}
        """By id of a waiver the first finding that it would accept, were it not worse than it was."""

    def accepted(self, finding: Finding) -> Finding:
        """The finding with the waiver that accepts it; as it is where none does."""
        for waiver, about in self._by_code.get(finding.code, ()):
            if not self._is_about(waiver, about, finding):
                continue
            if is_worse(finding, waiver):
                self.outgrown.setdefault(waiver.id, finding)
                continue
            self.used.add(waiver.id)
            return replace(finding, waiver=waiver)
        return finding

    def _is_about(self, waiver: Waiver, about: frozenset[str], finding: Finding) -> bool:
        if about and not (about.issuperset(finding.subjects) and waiver.aspect == finding.aspect):
            return False
        return not waiver.within or self.is_within(finding, waiver.within)

    def is_within(self, finding: Finding, container: str) -> bool:
        """Whether all that a finding is about is in a group or rack; findings about the whole design are in none."""
        return bool(finding.subjects) and all(container in self.containers(one) for one in finding.subjects)

    def containers(self, entity_id: str) -> frozenset[str]:
        """Ids of the groups and racks that something is in, or in both ends of a link."""
        found = self._around.get(entity_id)
        if found is None:
            found = self._around[entity_id] = self._found(entity_id)
        return found

    def _found(self, entity_id: str) -> frozenset[str]:
        entity = self._design.entity(entity_id)
        if isinstance(entity, Link):
            return self.containers(entity.a.device_id) & self.containers(entity.b.device_id)
        if isinstance(entity, Module):
            return self.containers(entity.device_id)
        found = {entity_id}
        if isinstance(entity, Device):
            placement = self._design.placements.get(entity_id)
            if placement is not None and placement.rack_id is not None:
                found |= self.containers(placement.rack_id)
        group = getattr(entity, "group_id", None) if isinstance(entity, Device | Rack) else None
        group = group or getattr(entity, "parent_id", None)
        return frozenset(found | self.containers(group)) if group else frozenset(found)


def is_worse(finding: Finding, waiver: Waiver) -> bool:
    """Whether the finding is further beyond its limit than when it was accepted.

    What is beyond is seen from where it was then; findings without figures are never worse.
    """
    now, then = _figure(finding.value), waiver.value
    if now is None or then is None:
        return False
    is_too_little = waiver.limit is not None and then < waiver.limit
    return now < then - TOLERANCE if is_too_little else now > then + TOLERANCE


def waivers_of(findings: Iterable[Finding], author: str, reason: str, date: str) -> list[Waiver]:
    """What accepts exactly these findings as they are: one waiver each."""
    return [
        Waiver("", one.code, one.subjects, "", author, reason, date, _figure(one.value), _figure(one.limit), one.aspect)
        for one in findings
    ]


def waiver_of_kind(findings: Iterable[Finding], author: str, reason: str, date: str, within: str = "") -> Waiver:
    """One waiver for all findings of a rule, or all of them in a group or rack, none worse than the worst of these.

    Raises ValueError where there is none.
    """
    found = list(findings)
    if not found:
        raise ValueError("there is no finding to accept")
    figured = [one for one in found if _figure(one.value) is not None]
    worst = max(figured, key=_excess, default=found[0])
    return Waiver("", worst.code, (), within, author, reason, date, _figure(worst.value), _figure(worst.limit))


def _excess(finding: Finding) -> float:
    value, limit = _figure(finding.value), _figure(finding.limit)
    assert value is not None
    return value if limit is None else abs(value - limit)


def _figure(value: float | str | None) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

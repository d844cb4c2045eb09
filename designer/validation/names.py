"""The rule about names: a cable plan and a person at a rack have nothing else to go by."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from designer.model.edit import Change, Edit
from designer.model.entities import Device, Rack
from designer.model.naming import Names
from designer.model.records import ordered
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import DEVICES, RACKS
from designer.validation.sources import TIA_606


@rule(
    "NAME-001",
    Severity.ERROR,
    "Duplicate name",
    "Labels, cable plans and scripts identify things by name.",
    remedy="Rename one of them.",
    fix="Renames the later one.",
    example="Two servers that are both called gpu-01.",
    source=f"{TIA_606}: each element has an identifier of its own.",
    reads=(DEVICES, RACKS),
)
def duplicate_name(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds devices, and racks, whose name an earlier one has; the fix renames the later one."""
    yield from _duplicates(this, "devices", ordered(seen.design.devices))
    yield from _duplicates(this, "racks", ordered(seen.design.racks))


def _duplicates(this: Rule, what: str, entities: Iterable[Device | Rack]) -> Iterator[Finding]:
    """One finding for each entity whose name an earlier one has; the fix renames the later one."""
    named: dict[str, list[Device | Rack]] = {}
    for entity in entities:
        named.setdefault(entity.name, []).append(entity)
    names = Names(named)
    for name, alike in named.items():
        for entity in alike[1:]:
            unique = names.unique(name)
            yield this.finding(
                f"{len(alike)} {what} are called {name!r}",
                (entity.id, alike[0].id),
                value=len(alike),
                limit=1,
                fix=Edit(f"Rename to {unique}", (Change(entity, replace(entity, name=unique)),)),
            )

"""Rules about what people go by: names, groups, waivers."""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from designer.fields.ranges import number_text
from designer.model.edit import Change, Edit, removed
from designer.model.entities import Device, Group, Rack
from designer.model.records import ordered
from designer.model.waiver import Waiver
from designer.units import format_count, format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import DEVICES, GROUPS, RACKS, Scope

NAMED = 5
"""Names that a finding lists before the rest is counted."""


@rule(
    "DOC-001",
    Severity.WARNING,
    "Unused waiver",
    "A waiver that accepts nothing hides the next finding like it.",
    remedy="Withdraw the waiver, or waive the finding again as it is now.",
    fix="Withdraws a waiver that accepts nothing.",
    example="A waiver accepts a link from leaf-1 to itself; the link was deleted since.",
    source="The waivers of the design.",
    is_last=True,
)
def unused_waiver(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds waivers whose finding is no longer there, or is worse than it was when it was accepted."""
    for waiver in ordered(seen.design.waivers):
        named = f"The waiver of {waiver.code} ({waiver.reason})"
        worse = seen.acceptance.outgrown.get(waiver.id)
        if worse is not None:
            then = "" if waiver.value is None else f" {number_text(waiver.value)} and"
            message = f"{named} accepts{then} nothing worse: {worse.message}"
            yield this.finding(message, (waiver.id,), value=worse.value, limit=waiver.value)
        elif waiver.code not in seen.known:
            message = f"{named} accepts no finding: no rule that can be waived has this code"
            yield this.finding(message, (waiver.id,), fix=_withdraw(waiver))
        elif waiver.code in seen.run and waiver.id not in seen.acceptance.used:
            yield this.finding(f"{named} accepts no finding", (waiver.id,), fix=_withdraw(waiver))


def _withdraw(waiver: Waiver) -> Edit:
    return Edit(f"Withdraw the waiver of {waiver.code}", removed((waiver,)))


def delete_group(group: Group) -> Edit:
    """The edit that deletes a group that has nothing in it."""
    return Edit(f"Delete {group.name}", removed((group,)))


@rule(
    "DOC-002",
    Severity.WARNING,
    "Name does not match the pattern",
    "Labels, DNS and scripts expect names of one form.",
    remedy="Rename the device or rack, or change the pattern in the policy of the design.",
    fix="Renames them in small letters, with hyphens and numbers of two or more digits, where that fits the pattern.",
    example="A switch called Leaf_1, where the policy asks for [a-z]*-[0-9][0-9].",
    policy=("name_pattern",),
    source="RFC 1123, section 2.1: host names. The pattern is that of the policy of the design.",
    scope=Scope.WHOLE,
    reads=(DEVICES, RACKS),
)
def name_against_pattern(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds devices and racks whose name is not of the form that the policy asks for; one finding for each kind."""
    pattern = seen.design.policy.name_pattern
    if not pattern:
        return
    fits = re.compile(fnmatch.translate(pattern)).match
    named: tuple[tuple[str, Iterable[Device | Rack]], ...] = (
        ("device", ordered(seen.design.devices)),
        ("rack", ordered(seen.design.racks)),
    )
    for noun, entities in named:
        astray = [one for one in entities if not fits(one.name)]
        if astray:
            names = ", ".join(one.name for one in astray[:NAMED])
            verb = "does" if len(astray) == 1 else "do"
            more = f" and {format_count(len(astray) - NAMED)} more" if len(astray) > NAMED else ""
            yield this.finding(
                f"{format_counted(len(astray), f'{noun} name')} {verb} not match {pattern}: {names}{more}",
                tuple(one.id for one in astray),
                value=len(astray),
                limit=0,
                fix=_renamed(noun, astray, entities, fits),
            )


def _renamed(
    noun: str, astray: Sequence[Device | Rack], entities: Iterable[Device | Rack], fits: Callable[[str], object]
) -> Edit | None:
    """All that do not match under names that do and nothing else has; None where one cannot be made of its name."""
    names = {one.name for one in entities}
    changes = list[Change]()
    renamed = list[str]()
    for one in astray:
        name = next((name for name in _forms(one.name) if fits(name) and name not in names), None)
        if name is None:
            return None
        names.add(name)
        renamed.append(name)
        changes.append(Change(one, replace(one, name=name)))
    what = f"{astray[0].name} to {renamed[0]}" if len(astray) == 1 else format_counted(len(astray), noun)
    return Edit(f"Rename {what}", tuple(changes))


def _forms(name: str) -> Iterator[str]:
    """The name as patterns usually want it: hyphens for blanks, small or capital letters, longer numbers."""
    plain = re.sub("[^0-9A-Za-z]+", "-", name).strip("-")
    apart = re.sub("(?<=[A-Za-z])(?=[0-9])", "-", plain)
    for stem in dict.fromkeys((name, plain, apart)):
        parts = re.split("([0-9]+)", stem)
        for width in (1, 2, 3, 4):
            long = "".join(part.zfill(width) if part.isdigit() else part for part in parts)
            yield from (long, long.lower(), long.upper())


@rule(
    "DOC-003",
    Severity.INFO,
    "Empty group",
    "A group without members is left over, or still to be filled.",
    remedy="Delete the group, or put devices into it.",
    fix="Deletes the group.",
    example="A scalable unit whose servers were all deleted.",
    source="The groups of the design.",
    scope=Scope.GROUP,
    reads=(GROUPS, DEVICES, RACKS),
)
def empty_group(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds groups with no device, rack or group in them."""
    design = seen.design
    for group in seen.groups():
        if not design.members(group.id):
            yield this.finding(f"{group.name} is empty", (group.id,), fix=delete_group(group))

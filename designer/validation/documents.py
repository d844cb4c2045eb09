"""Rules about what people go by: names, groups, waivers."""

import fnmatch
import re
from collections.abc import Iterable, Iterator

from designer.fields.ranges import number_text
from designer.model.entities import Device, Rack
from designer.model.records import ordered
from designer.units import format_count, format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule

NAMED = 5
"""Names that a finding lists before the rest is counted."""


@rule(
    "DOC-001",
    Severity.WARNING,
    "Waiver of nothing",
    "A waiver that accepts nothing hides the next finding like it.",
    remedy="Withdraw the waiver, or accept the finding again as it is now.",
    is_last=True,
    fix="Withdraws a waiver that accepts nothing.",
)
def waiver_of_nothing(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds waivers whose finding is no longer there, or is worse than it was when it was accepted."""
    off = dict(seen.design.policy.off)
    for waiver in ordered(seen.design.waivers):
        if waiver.code in off or waiver.id in seen.acceptance.used or waiver.code not in seen.run:
            continue
        worse = seen.acceptance.outgrown.get(waiver.id)
        if worse is None:
            message = f"The waiver of {waiver.code} ({waiver.reason}) accepts no finding"
        else:
            then = "" if waiver.value is None else f" at {number_text(waiver.value)}"
            message = f"The waiver of {waiver.code} ({waiver.reason}) was given{then}: {worse.message}"
        yield this.finding(
            message,
            (waiver.id,),
            value=None if worse is None else worse.value,
            limit=waiver.value,
            fix=seen.withdraw(waiver) if worse is None else None,
        )


@rule(
    "DOC-002",
    Severity.WARNING,
    "Name against the pattern",
    "Labels, DNS and scripts take names of one form only.",
    remedy="Rename the device or rack, or change the pattern in the policy of the design.",
    policy=("name_pattern",),
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
            more = f" and {format_count(len(astray) - NAMED)} more" if len(astray) > NAMED else ""
            yield this.finding(
                f"{format_counted(len(astray), noun)} not named as {pattern}: {names}{more}",
                tuple(one.id for one in astray),
                value=len(astray),
                limit=0,
            )


@rule(
    "DOC-003",
    Severity.INFO,
    "Empty group",
    "A group without members is left over, or still to be filled.",
    remedy="Delete the group, or put devices into it.",
    fix="Deletes the group.",
)
def empty_group(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds groups with no device, rack or group in them."""
    design = seen.design
    for group in ordered(design.groups):
        if not design.members(group.id):
            yield this.finding(f"{group.name} has nothing in it", (group.id,), fix=seen.delete_group(group))

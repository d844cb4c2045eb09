"""The oversubscription that a generated fabric was asked to have, as limits of the policy its design is checked by."""

from collections.abc import Iterable
from typing import Any

from designer.analysis.oversubscription import switches
from designer.analysis.survey import survey
from designer.model import policies
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.policy import Policy
from designer.units import format_ratio

LEAF, SPINE = "leaf_oversubscription", "spine_oversubscription"
"""The limits that follow what was asked for."""


def stated_limits(design: Design, device_ids: Iterable[str], parameters: Any) -> dict[str, float]:
    """The oversubscription asked for, or that of the switches among these which the numbers make; at least 1."""
    surveyed, own = survey(design), set(device_ids)
    worst = {1: 1.0, 2: 1.0}
    for row in switches(surveyed):
        tier = surveyed.tier.get(row.device_id, 0)
        if tier in worst and row.ratio is not None and row.device_id in own:
            worst[tier] = max(worst[tier], row.ratio)
    asked: float | None = getattr(parameters, "oversubscription", None)
    is_stated = asked is not None and getattr(parameters, "uplinks", None) is None
    leaf = max(1.0, asked) if asked is not None and is_stated else worst[1]
    return {LEAF: leaf, SPINE: worst[2]}


def raised_limits(design: Design, device_ids: Iterable[str], parameters: Any) -> Edit:
    """The policy with limits that allow what these devices, generated with the parameters, were asked to be.

    No change where they do already, and none of a policy that has a name: it is a company's, not the design's own.
    """
    if design.policy.name:
        return Edit("", ())
    stated = stated_limits(design, device_ids, parameters)
    above = {name: value for name, value in stated.items() if value > max(1.0, getattr(design.policy, name))}
    return policies.set_limits(design, **above)


def followed_limits(before: Design, after: Design, stood: Any, parameters: Any) -> Edit:
    """The policy of a design whose fabric was generated again, held to what the fabric is asked to be from now on.

    A limit that is what the old parameters asked for becomes what the new ones do, where no other fabric of the design
    was generated; any other limit is raised where it has to be.
    """
    if before.policy.name:
        return Edit("", ())
    was = stated_limits(before, before.devices, stood)
    now = stated_limits(after, after.devices, parameters)
    alone = sum(one.recipe is not None for one in before.groups.values()) == 1
    changed = {
        name: value
        for name, value in now.items()
        if value > max(1.0, getattr(before.policy, name)) or (alone and getattr(before.policy, name) == was[name])
    }
    return policies.set_limits(after, **changed)


def limits_sentence(before: Policy, after: Policy) -> str:
    """ "The policy now allows an oversubscription of 2:1 at leaf switches."; "" where neither limit changed."""
    named = ((LEAF, "leaf switches"), (SPINE, "spine switches"))
    changed = [
        f"{format_ratio(getattr(after, name))} at {where}"
        for name, where in named
        if getattr(after, name) != getattr(before, name)
    ]
    return f"The policy now allows an oversubscription of {' and '.join(changed)}." if changed else ""

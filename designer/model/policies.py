"""Verbs about the policy of a design: what it is checked against."""

from dataclasses import replace
from typing import Any

from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.policy import DEFAULT, Policy
from designer.model.policy_limits import policy_faults
from designer.units import shortened


def set_policy(design: Design, policy: Policy) -> Edit:
    """The design with a copy of a policy to be checked against. Raises ParameterError for what no policy can be."""
    for field, fault in policy_faults(policy):
        raise ParameterError(f"policy, {field}: {fault}")
    before = design.settings
    after = replace(before, policy=None if policy == DEFAULT else policy)
    label = f"Check against {shortened(policy.name)}" if policy.name else "Change the policy"
    return Edit(label, () if after == before else (Change(before, after),))


def set_limits(design: Design, **values: Any) -> Edit:
    """The same with these limits changed. Raises ParameterError naming the limit that cannot be."""
    known = fields_of(Policy)
    for name, value in values.items():
        if name not in known:
            raise ParameterError(f"a policy has no limit {shortened(name)!r}: it has {', '.join(known)}")
        known[name].require(value)
    return set_policy(design, replace(design.policy, **values))

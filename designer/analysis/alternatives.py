"""Whether two designs are alternatives that were made apart, or versions of one."""

from designer.model.design import Design
from designer.tables.columns import whole_percent
from designer.units import format_count

LEAST_ALIKE = 0.75
"""Share of what the smaller design has: where less of it is in the other, the two are alternatives."""


def why_alternatives(before: Design, after: Design) -> str:
    """By which rule two designs are alternatives, as a sentence; "" of versions of one design.

    `after` is under ids of `before`. Designs that recorded a revision in common are versions; of others the devices,
    of the same type, and the links, between the same ports, decide. A design that only grew is a version.
    """
    if _revisions(before) & _revisions(after):
        return ""
    types = [{one.id: one.type_id for one in design.devices.values()} for design in (before, after)]
    ends = [{one.id: frozenset((one.a, one.b)) for one in design.links.values()} for design in (before, after)]
    for what, (ours, theirs) in (("devices are of the same type", types), ("links join the same ports", ends)):
        smaller = min(len(ours), len(theirs))
        alike = sum(theirs.get(one) == fact for one, fact in ours.items())
        if alike < LEAST_ALIKE * smaller:
            return (
                f"Compared as alternatives: the designs have no revision in common, and only {format_count(alike)} of "
                f"{format_count(smaller)} {what} in both, less than {whole_percent(LEAST_ALIKE)}."
            )
    return ""


def _revisions(design: Design) -> set[str]:
    return {one.digest for one in design.revisions.values() if one.digest}

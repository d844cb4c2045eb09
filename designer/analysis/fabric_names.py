"""What a design is called that holds a generated fabric, as long as nobody gave it another name."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from designer.analysis.stated_limits import LEAF, SPINE, stated_limits
from designer.analysis.tiers import server_word
from designer.catalog.catalog import Catalog
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import FABRIC
from designer.model.hardware.servers import ServerType
from designer.model.naming import stem_of
from designer.regeneration import recipes
from designer.topologies.families import Family
from designer.units import format_count, format_counted, format_ratio

UNIT = "scalable unit"
"""The kind of the groups that a name counts."""


def fabric_name(design: Design, family: Family, parameters: Any) -> str:
    """What a design that holds nothing but a fabric of this family with these parameters is called.

    "Rail-optimized, 4 SU, 128 servers"; "Fat-tree, 2:1, 16 servers" where its switches are oversubscribed.
    """
    groups = (one for one in design.groups.values() if one.kind == UNIT)
    words = Counter(stem_of(one.name).strip(" -") for one in groups)
    units = [
        f"{format_count(n)} {word}" if word.isupper() else format_counted(n, word.lower()) for word, n in words.items()
    ]
    fabric = _fabric_of(design, family)
    ratios = _ratios(stated_limits(design, design.devices, parameters))
    return ", ".join(filter(None, (fabric, *ratios, *units, _size(design, family, parameters))))


def _size(design: Design, family: Family, parameters: Any) -> str:
    """By its servers, or by GPUs where the family counts these; "" without any."""
    servers = design.servers()
    if servers and family.sized is not None:
        types = (design.device_type(one.id) for one in servers)
        return family.sized(parameters, sum(one.gpus for one in types if isinstance(one, ServerType)))
    return format_counted(len(servers), server_word(design)) if servers else ""


def _fabric_of(design: Design, family: Family) -> str:
    return next((one.name for one in design.groups.values() if one.kind == FABRIC), family.title)


def _ratios(limits: Mapping[str, float]) -> Iterator[str]:
    """ "2:1" of leaf switches, and "1.5:1 at spines"; nothing of what is not oversubscribed."""
    even = format_ratio(1.0)
    leaf, spine = (format_ratio(limits[name]) for name in (LEAF, SPINE))
    if leaf != even:
        yield leaf
    if spine != even:
        yield f"{spine} at spines"


def follow_parameters(before: Design, after: Design, group_id: str, catalog: Catalog) -> Edit:
    """The name that a design has after its fabric was generated again; no change of a name that somebody gave.

    A name counts as generated where it is that of the design before, or that of its fabric without edits by hand.
    """
    group, again, name = before.groups[group_id], after.groups[group_id], before.settings.name
    family, stood = recipes.family_of(group), recipes.parameters_of(group)
    if not name.startswith(_fabric_of(before, family)):
        return Edit("", ())
    if name != fabric_name(before, family, stood):
        alone = Design()
        alone.apply(recipes.generated(alone, family, stood, catalog))
        if name != fabric_name(alone, family, stood):
            return Edit("", ())
    return operations.set_settings(after, name=fabric_name(after, family, recipes.parameters_of(again)))

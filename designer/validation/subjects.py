"""How reports name what findings are about."""

from collections.abc import Sequence

from designer.model.design import Design
from designer.model.networks import COMPUTE, WORDS
from designer.model.waiver import Waiver
from designer.units import format_count

NAMED = 3
"""Names that a finding lists before the rest is counted."""


def subject_name(design: Design, entity_id: str) -> str:
    """The name of a device, rack or group, "gpu-1 slot pcie1" of a NIC, both ends of a link."""
    if entity_id in design.links:
        link = design.links[entity_id]
        return f"{design.end_name(link.a)} to {design.end_name(link.b)}"
    if entity_id in design.modules:
        module = design.modules[entity_id]
        return f"{design.device(module.device_id).name} slot {module.slot}"
    entity = design.entity(entity_id)
    if isinstance(entity, Waiver):
        return f"waiver of {entity.code}"
    name: str = getattr(entity, "name", entity_id)
    return name


def listed(names: Sequence[str]) -> str:
    """ "leaf-01, leaf-02, leaf-03 and 13 more"."""
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {format_count(more)} more" if more > 0 else "")


def in_network(network: str) -> str:
    """ " in the storage network", as it follows a name; "" for the compute network, which goes without saying."""
    return "" if network == COMPUTE else f" in the {WORDS[network]}"

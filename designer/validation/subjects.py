"""How reports name what findings are about."""

from designer.model.design import Design
from designer.model.waiver import Waiver


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

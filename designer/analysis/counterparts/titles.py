"""What a comparison calls a record."""

from designer.model.annotating import title_of as annotation_title
from designer.model.annotation import Annotation
from designer.model.design import Design
from designer.model.entities import Entity, Link, Module, Revision
from designer.model.fixture import Fixture
from designer.model.furnishing import title_of as fixture_title
from designer.model.waiver import Waiver


def title_of(design: Design, entity: Entity) -> str:
    """Its name, both ends of a link, the words of an annotation."""
    if isinstance(entity, Link):
        return f"{design.end_name(entity.a)} to {design.end_name(entity.b)}"
    if isinstance(entity, Module):
        return f"{design.device(entity.device_id).name} slot {entity.slot}"
    if isinstance(entity, Annotation):
        return annotation_title(entity)
    if isinstance(entity, Fixture):
        return fixture_title(entity)
    if isinstance(entity, Waiver):
        return f"waiver of {entity.code}"
    if isinstance(entity, Revision):
        return entity.number
    return str(getattr(entity, "name", "") or getattr(entity, "model", "") or entity.id)

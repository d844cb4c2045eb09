"""What turns one design into another."""

from designer.model.design import Design
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import TABLE_OF, Entity


def difference(now: Design, wanted: Design, label: str) -> Edit:
    """The edit that makes the one design equal to the other; empty where they are equal."""
    before, after = _by_place(now), _by_place(wanted)
    gone = [entity for place, entity in before.items() if place not in after]
    new = [entity for place, entity in after.items() if place not in before]
    both = [(entity, after[place]) for place, entity in before.items() if place in after]
    changed = tuple(Change(old, entity) for old, entity in both if old is not entity and old != entity)
    return Edit(label, (*removed(gone), *changed, *added(new)))


def _by_place(design: Design) -> dict[tuple[str, type, str], Entity]:
    """Entities by table, kind and id: a type of hardware may have been of another kind under the same id."""
    return {(TABLE_OF[type(entity)], type(entity), entity.id): entity for entity in design.entities()}

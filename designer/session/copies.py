"""What was copied last, so that the next duplicate can repeat the step."""

from collections.abc import Collection

from designer.model.annotation import Annotation
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Group, Link, Placement, Rack
from designer.model.fixture import Fixture
from designer.model.fragments import first_placed
from designer.units import format_counted

Step = tuple[float, float]


def arrivals(edit: Edit) -> list[str]:
    """Ids of the devices, racks, annotations and fixtures that an edit brings."""
    return [
        c.after.id
        for c in edit.changes
        if c.before is None and isinstance(c.after, Device | Rack | Annotation | Fixture)
    ]


def _outermost(edit: Edit) -> list[str]:
    """Of what an edit brings, groups and what is in none of them."""
    new = [c.after for c in edit.changes if c.before is None]
    groups = {one.id for one in new if isinstance(one, Group)}
    outer = [one.id for one in new if isinstance(one, Group) and one.parent_id not in groups]
    loose = [one.id for one in new if isinstance(one, Device | Rack) and one.group_id not in groups]
    return [*outer, *loose, *(one.id for one in new if isinstance(one, Annotation | Fixture))]


def labels_left(n_labels: int, edit: Edit) -> str:
    """ "2 cable labels are left empty in the copy: ...", of so many in the originals; "" where all were counted on."""
    new = (c.after for c in edit.changes if c.before is None and isinstance(c.after, Link))
    n_left = n_labels - sum(1 for one in new if one.label)
    if n_left <= 0:
        return ""
    verb = "is" if n_left == 1 else "are"
    return f"{format_counted(n_left, 'cable label')} {verb} left empty in the copy: no two cables may have the same."


class Copies:
    """The last copies made in the design, and what they were made of."""

    def __init__(self) -> None:
        self._new: frozenset[str] = frozenset()
        self._pair: tuple[str, str] | None = None
        """One that was copied, and its copy."""

    def remember(self, design: Design, ids: Collection[str], edit: Edit) -> list[str]:
        """That an edit copied these; the copies, to be selected.

        Groups where groups were copied, and racks without what is in them.
        """
        original = first_placed(design, ids)
        stands = (c.after.id for c in edit.changes if c.before is None and isinstance(c.after, Placement))
        copy = next(stands, None)
        new = arrivals(edit)
        if any(one in design.groups for one in ids):
            new = _outermost(edit)
        elif any(one in design.racks for one in ids):
            mounted = {one for rack_id in new if rack_id in design.racks for one in design.mounted(rack_id)}
            new = [one for one in new if one not in mounted]
        self._new = frozenset(new)
        self._pair = (original, copy) if original is not None and copy is not None else None
        return new

    def step(self, design: Design, selection: frozenset[str]) -> Step | None:
        """How far the last copies stand from their originals now; None where they are not what is selected."""
        places = design.placements
        if self._pair is None or selection != self._new or not all(one in places for one in self._pair):
            return None
        original, copy = (places[one] for one in self._pair)
        return copy.x - original.x, copy.y - original.y

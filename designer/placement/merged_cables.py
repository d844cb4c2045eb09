"""A merge with what follows from it: pinned annotations and calculated cables move along, as after any edit."""

from collections.abc import Mapping
from dataclasses import replace

from designer.model.annotating import with_pinned
from designer.model.hardware.types import HardwareType
from designer.model.merging.merging import Merge
from designer.placement.following import with_cables


def with_followers(merge: Merge, types: Mapping[str, HardwareType]) -> Merge:
    """The merge whose edit moves along what is pinned to what it moves, and the cables of racks that it moves."""
    ours = merge.versions.ours
    edit = with_cables(ours, with_pinned(ours, merge.edit), types)
    if edit is merge.edit:
        return merge
    made = ours.snapshot()
    made.apply(edit)
    return replace(merge, edit=edit, made=made)

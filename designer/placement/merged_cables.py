"""A merge with what follows from it, as after any edit: pinned annotations and cables move along, rows keep names."""

from collections.abc import Mapping
from dataclasses import replace

from designer.model.annotating import with_pinned
from designer.model.hardware.types import HardwareType
from designer.model.merging.merging import Merge
from designer.placement.following import with_cables
from designer.placement.row_order import with_row_names


def with_followers(merge: Merge, types: Mapping[str, HardwareType]) -> Merge:
    """The merge whose edit moves along what is pinned to what it moves, and the cables of racks that it moves."""
    ours = merge.versions.ours
    edit = with_cables(ours, with_pinned(ours, with_row_names(ours, merge.edit)), types)
    if edit is merge.edit:
        return merge
    made = ours.snapshot()
    made.apply(edit)
    return replace(merge, edit=edit, made=made)

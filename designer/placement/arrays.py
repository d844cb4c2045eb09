"""Copies in rows and columns, as one edit."""

from collections.abc import Sequence
from dataclasses import replace

from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, Entity
from designer.model.several import names_from
from designer.placement.extents import extent_of

MOST_COPIES = 512
MOST_DEVICES = 10_000
"""What an array may add, so that its preview follows what is typed."""


def array(
    design: Design, ids: Sequence[str], columns: int, rows: int, gap_x: float, gap_y: float, name: str = ""
) -> Edit:
    """The things, and copies of them with the links among them, in columns and rows that far apart, edge to edge.

    Copies are named on from their originals, row by row; devices, from `name` where one is given. Raises
    ParameterError for an array of nothing, of one, or of too much.
    """
    n_copies = columns * rows - 1
    if not 1 <= n_copies <= MOST_COPIES:
        raise ParameterError(f"an array has 2 to {MOST_COPIES + 1} places, not {columns} x {rows} = {columns * rows:,}")
    fragment = operations.copy_fragment(design, ids)
    n_devices = len(fragment.devices)
    if n_copies * n_devices > MOST_DEVICES:
        raise ParameterError(
            f"an array adds {MOST_DEVICES:,} devices at most; {n_copies} copies of {n_devices:,} are "
            f"{n_copies * n_devices:,}: choose fewer columns or rows"
        )
    extent = extent_of(fragment)
    if extent is None:
        raise ParameterError("select what stands on the canvas to make an array of it")
    left, top, right, bottom = extent
    width, height = right - left, bottom - top
    after, changes = design.snapshot(), list[Change]()
    for place in range(1, n_copies + 1):
        row, column = divmod(place, columns)
        edit = operations.duplicate(after, ids, column * (width + gap_x), row * (height + gap_y))
        after.apply(edit)
        changes += edit.changes
    entities = [change.after for change in changes if change.after is not None]
    return Edit(f"Array of {columns} x {rows}", added(_named(design, entities, name)))


def _named(design: Design, entities: Sequence[Entity], name: str) -> Sequence[Entity]:
    """What is new, its devices named on from a name."""
    devices = [one for one in entities if isinstance(one, Device)]
    if not name.strip() or not devices:
        return entities
    given = iter(names_from(name, len(devices), [one.name for one in design.devices.values()]))
    return [replace(one, name=next(given)) if isinstance(one, Device) else one for one in entities]

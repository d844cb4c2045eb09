"""Large edits that a worker applies and draws beforehand, so that the window only has to take them over."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.drawing.composition import Composition
from designer.drawing.stencil import Stencil
from designer.model.design import Design
from designer.model.edit import Edit

LARGE_EDIT = 2_000
"""Changes; less than this is applied and drawn in no time."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An edit of a snapshot, and where it is large the design it makes and its drawing."""

    base: Design
    edit: Edit
    made: Design | None = None
    drawing: Composition | None = None
    hidden: frozenset[str] = frozenset()
    """The networks that the drawing leaves out."""


def prepared(
    base: Design,
    edit: Edit,
    hidden: frozenset[str],
    progress: Callable[[float], None] = lambda _share: None,
    stencil: Stencil | None = None,
) -> Prepared:
    """For workers. Raises EditError where the edit does not fit.

    Of an edit that only moves, the `stencil` of the base's drawing saves reading the design again.
    """
    if len(edit.changes) < LARGE_EDIT:
        return Prepared(base, edit)
    made = base.snapshot()
    _ = edit.kinds
    progress(0.1)
    made.apply(edit)
    progress(0.4)
    stays = stencil is not None and stencil.hidden == hidden and not edit.others
    drawing = stencil.drawing(made) if stencil is not None and stays else Composition(made, hidden)
    progress(0.6)
    drawing.draw_up()
    return Prepared(base, edit, made, drawing, hidden)

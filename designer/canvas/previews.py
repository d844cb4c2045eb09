"""What is shown of an edit before it is done: its ghosts, and what it does in words with counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.analysis.outlook import outlook
from designer.canvas.ghosts import Ghosts, ghosts_of, moves_of
from designer.drawing.placed import Shift
from designer.model.design import Design
from designer.model.edit import Edit


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """An edit of a design as it was at a revision, and what it would do."""

    edit: Edit
    revision: int
    text: str
    ghosts: Ghosts
    moves: Mapping[str, Shift]


def preview_of(design: Design, edit: Edit) -> Preview:
    """What the edit would do to the design, which stays as it is. Raises EditError where it cannot be done."""
    return Preview(edit, design.revision, outlook(design, edit).sentence, ghosts_of(design, edit), moves_of(edit))

"""What a gesture needs of the view it is made on."""

from collections.abc import Iterable
from typing import Protocol

from designer.canvas.cursor_notes import CursorNotes
from designer.canvas.hits import Target
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.subject import Subject
from designer.drawing.camera import Camera
from designer.model.edit import Edit
from designer.session.session import Session


class Stage(Protocol):
    """A view of a subject, as tools know it."""

    session: Session
    subject: Subject
    notes: CursorNotes
    hovered: Target

    @property
    def sight(self) -> Sight:
        """How the subject is seen now."""

    def target_at(self, at: Pointer) -> Target:
        """What is under the mouse."""

    def move_camera(self, camera: Camera) -> None:
        """Show another part."""

    def zoom_onto(self, ids: Iterable[str]) -> None:
        """Fill the view with these."""

    def schedule_repaint(self) -> None:
        """Something moves: draw quickly until it rests."""

    def show_cursor(self) -> None:
        """The cursor of what a press would do."""

    def update(self) -> None:
        """Paint it again."""


def open_on(stage: Stage, target: Target) -> None:
    """Expand what a person collapsed, or zoom in to where what is under the mouse opens."""
    if not stage.session.attempt(lambda: stage.subject.expanded(target) or Edit("", ())):
        stage.zoom_onto(stage.subject.opened_by(target))

"""What a gesture needs of the view it is made on."""

from typing import Protocol

from designer.canvas.cursor_notes import CursorNotes
from designer.canvas.hits import Target
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.subject import Subject
from designer.drawing.camera import Camera
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

    def schedule_repaint(self) -> None:
        """Something moves: draw quickly until it rests."""

    def show_cursor(self) -> None:
        """The cursor of what a press would do."""

    def update(self) -> None:
        """Paint it again."""

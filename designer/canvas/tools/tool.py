"""What every gesture is: press, move, release, cancel."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.stage import Stage
from designer.errors import DesignerError
from designer.model.edit import Edit


class Tool:
    """A way of using the mouse. One gesture ends in one edit, or in none."""

    name = ""
    shows_knobs = True
    uses_selection = False
    """Whether it is used on what is selected, which Esc clears before it leaves the tool."""
    pans_at_edges = True
    """Whether the picture moves while its gesture is held at an edge of the view."""
    ignores_letters = False
    """Whether a letter does nothing while it is in hand: words typed too early would be commands, one after another."""

    has_opened = False
    """Whether the last click opened a box: with one more it is no double click on what is there now."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    @property
    def active(self) -> bool:
        """Whether a gesture is under way."""
        return False

    @property
    def hint(self) -> str:
        """What to do with it next, for as long as it is in hand; "" for one that needs no words."""
        return ""

    @property
    def cursor(self) -> Qt.CursorShape:
        """The cursor over the view."""
        return Qt.CursorShape.ArrowCursor

    def hover(self, at: Pointer) -> None:
        """The mouse moved with no button held."""

    def press(self, at: Pointer) -> None:
        """The left button went down."""

    def move(self, at: Pointer) -> None:
        """The mouse moved with the left button held."""

    def release(self, at: Pointer) -> None:
        """The left button went up."""

    def cancel(self) -> None:
        """The view lost the mouse, or the design changed: as if the gesture had not begun."""

    def escape(self) -> None:
        """Esc: as if the gesture had not begun, unless it can end with what there is of it."""
        self.cancel()

    def enter(self, at: Pointer | None) -> bool:
        """Enter, with the mouse there or elsewhere: whether it ends what the tool is for."""
        del at
        return False

    def put_down(self, make: Callable[[], Edit]) -> str | None:
        """Push the edit of a gesture that draws and select what it made first; its id, None where it is refused."""
        session = self.stage.session
        try:
            edit = make()
            session.push(edit)
        except DesignerError as error:
            session.message.emit(str(error))
            return None
        made = edit.changes[0].subject.id
        session.select([made])
        return made

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """What the gesture shows, over the picture, in pixels of the view."""

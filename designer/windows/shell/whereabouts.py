"""Says in every pane where in the design the selection is, or what is looked at."""

from collections.abc import Collection, Iterable

from PySide6.QtCore import QObject

from designer.analysis.trail import Step, trail
from designer.canvas.view import CanvasView
from designer.model.bookmark import ELEVATION, FLOOR
from designer.session.session import Session
from designer.session.timers import later
from designer.windows.shell.pane import Pane

LATER_MS = 40
IN_ROOM = (FLOOR, ELEVATION)
LEAST_SHARE = 0.5
"""Of the width or height of the view, which what is looked at takes up."""


class Whereabouts(QObject):
    """Follows the selection, the design and the camera of the canvas; works for the panes that are seen."""

    def __init__(self, session: Session, panes: Iterable[Pane], canvas: CanvasView, parent: QObject) -> None:
        """`canvas` is the one last at work, of those that are followed."""
        super().__init__(parent)
        self._session, self._panes, self._canvas = session, list(panes), canvas
        self._later = later(self, LATER_MS, self.refresh)
        signals = (session.selection_changed, session.changed, session.reset, session.path_changed)
        for signal in (*signals, canvas.camera_changed):
            signal.connect(self._soon)
        self._soon()

    def follow(self, pane: Pane, canvas: CanvasView) -> None:
        """Work for one more pane, that of another canvas."""
        self._panes.append(pane)
        canvas.camera_changed.connect(self._soon)

    def look_at(self, canvas: CanvasView) -> None:
        """That canvas is at work now."""
        self._canvas = canvas
        self._soon()

    def _soon(self) -> None:
        if not self._later.isActive():  # once in a while, too, during a long movement
            self._later.start()

    def refresh(self) -> None:
        """Show the steps that there are now."""
        made: dict[bool, tuple[Step, ...]] = {}
        for pane in self._panes:
            if not pane.isVisible():
                continue
            in_room = pane.name in IN_ROOM
            if in_room not in made:
                made[in_room] = trail(self._session.design, self.subject(), in_room=in_room)
            pane.crumbs.show_steps(made[in_room])

    def subject(self) -> frozenset[str]:
        """The selection; where nothing is selected, the group or rack that the canvas shows from within."""
        if self._session.selection:
            return self._session.selection
        looked_at = looked_at_in(self._canvas) if self._canvas.isVisible() else ""
        return frozenset((looked_at,)) if looked_at else frozenset()

    def above(self, name: str) -> Collection[str] | None:
        """What contains the subject in the view of that name: ids; () for everything, None where it is everything."""
        steps = trail(self._session.design, self.subject(), in_room=name in IN_ROOM)
        return steps[-2].ids if len(steps) > 1 else None


def looked_at_in(canvas: CanvasView) -> str:
    """The id of the innermost group or rack around the middle of the view, at least half as wide or high as that."""
    if canvas.shows_all:
        return ""
    left, top, right, bottom = canvas.camera.seen(*canvas.extent)
    x, y = (left + right) / 2, (top + bottom) / 2
    best, smallest = "", float("inf")
    for one in canvas.fabric.composition.containers:
        width, height = one.rect[2] - one.rect[0], one.rect[3] - one.rect[1]
        is_around = one.rect[0] <= x <= one.rect[2] and one.rect[1] <= y <= one.rect[3]
        is_large = width >= LEAST_SHARE * (right - left) or height >= LEAST_SHARE * (bottom - top)
        if is_around and is_large and width * height < smallest:
            best, smallest = one.id, width * height
    return best

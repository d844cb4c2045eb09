"""Two open designs next to each other: in the window of each, the other one stands in a pane of its own."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QMetaObject, QObject

from designer.canvas.camera_view import CameraView
from designer.drawing.camera import Camera
from designer.drawing.colour_by import Marks
from designer.exchange.comparison.compared import Compared
from designer.late import Late
from designer.model.bookmark import CANVAS
from designer.session.session import Session
from designer.session.timers import later
from designer.windows.desk import Desk
from designer.windows.shell.beside_pane import BesidePane, run_texts

marking = Late("designer.exchange.comparison.marking")

OTHER_SIZE_PX = 16.0
"""A view that has become so much wider, narrower, higher or lower is fitted again."""


class SideBySide(QObject):
    """One design at the left and one at the right, whichever is the current one.

    `go` brings a design to the front, `choose` shows another one beside it, `end` ends it all.
    """

    def __init__(
        self,
        left: Desk,
        right: Desk,
        go: Callable[[Desk], None],
        choose: Callable[[Session, Session], None],
        end: Callable[[], None],
        others: Callable[[Session], Sequence[Session]],
    ) -> None:
        super().__init__()
        self.left, self.right, self._go = left, right, go
        self.moves_together = False
        self._is_moving = False
        self._alike: tuple[float, float] | None = None
        """The extent in which both were fitted alike, as long as nobody has moved them since."""
        self._marked: dict[Session, tuple[Compared, Marks]] = {}
        self._last: dict[CameraView, Camera] = {}
        self._held: list[QMetaObject.Connection] = []
        self._heat_later = later(self, 0, self._show_heat)
        self._fit_later = later(self, 0, self._fit_both)
        self._alike_later = later(self, 0, self._show_alike)
        self.panes: dict[Session, BesidePane] = {}
        """By the session of the window that it is in."""
        for desk in self.desks:
            pane = BesidePane(self._other(desk).session, desk.appearance, partial(others, desk.session))
            self.panes[desk.session] = pane
            desk.views.grid.show_beside(pane, at_left=desk is right)
            pane.linked.connect(self.move_together)
            pane.chosen.connect(partial(choose, desk.session))
            pane.closed.connect(end)
            pane.view.wanted.connect(partial(self._visit, self._other(desk)))
            self._connect(desk, pane.view)
        self._show_heat()

    def _connect(self, desk: Desk, look: CameraView) -> None:
        """Hear what changes in a window and the views of it."""
        views = desk.views
        for view in (look, *views.canvases):
            self._follow(view)
        workbench = desk.session.workbench
        for signal in (views.switched, views.grid.arranged, workbench.heat_view.changed, workbench.comparison.changed):
            self._held.append(signal.connect(self._heat_later.start))
        self._held.append(views.made.connect(self._follow))

    @property
    def desks(self) -> tuple[Desk, Desk]:
        """Left and right."""
        return self.left, self.right

    @property
    def sessions(self) -> tuple[Session, Session]:
        """Left and right."""
        return self.left.session, self.right.session

    def end(self) -> None:
        """Take both panes away."""
        for connection in self._held:
            QObject.disconnect(connection)
        self._held.clear()
        for desk in self.desks:
            desk.views.grid.show_beside(None)
            desk.views.panes[CANVAS].show_outcome()
            desk.session.workbench.heat_view.share_scale(0.0)
            desk.session.drawn = desk.views.canvas.fabric.composition
            if self._alike is not None:
                desk.views.canvas.zoom_to_fit(when_seen=True)
            self.panes[desk.session].deleteLater()
        self.deleteLater()

    def switch(self, before: Desk, now: Desk) -> None:
        """The other one is the current one now: what is seen stays where it is, as large as it is."""
        if before not in self.desks or now not in self.desks:
            return
        here, there = self.panes[now.session].view, self.panes[before.session].view
        now.views.grid.share_room(before.views.grid)
        self._is_moving = True
        _look_alike(there, now.views.canvas)
        _look_alike(before.views.canvas, here)
        self._is_moving = False

    # -- moving ---------------------------------------------------------------------------------------------------

    def move_together(self, together: bool) -> None:
        """Have both move and zoom alike from now on, or each by itself."""
        self.moves_together = together
        for pane in self.panes.values():
            pane.together.setChecked(together)

    def look_alike(self) -> None:
        """Show the same part of both from now on, as of two versions of one design, once they have their sizes."""
        self._alike_later.start()

    def _show_alike(self) -> None:
        for desk in self.desks:
            canvas, look = desk.views.canvas, self.panes[desk.session].view
            if canvas.isVisible():
                self._is_moving = True
                canvas.zoom_to_fit()
                look.move_camera(canvas.camera)
                self._is_moving = False
                self._alike = canvas.extent
                for view in (canvas, look):
                    view.stay()

    def _follow(self, view: CameraView) -> None:
        self._held.append(view.camera_changed.connect(partial(self._moved, view)))
        self._held.append(view.moved.connect(partial(self._follow_size, view)))
        self._note(view)

    def _note(self, view: CameraView) -> None:
        self._last[view] = view.camera

    def _follow_size(self, view: CameraView) -> None:
        """Fit both alike again, where that is how they are and they have more room or less."""
        self._note(view)
        is_own = any(view is desk.views.canvas and view.isVisible() for desk in self.desks)
        if self._alike is not None and is_own and not _is_about(view.extent, self._alike):
            self._alike_later.start()

    def _moved(self, view: CameraView) -> None:
        """The other one moves by as many pixels, and grows by as much."""
        before, now = self._last[view], view.camera
        self._note(view)
        if not self._is_moving and view.isVisible():  # not one that is fitted behind, as its file was opened
            self._alike = None
        partner = self._partner(view)
        if self._is_moving or not self.moves_together or partner is None:
            return
        self._is_moving = True
        partner.move_camera(moved_alike(partner.camera, before, now))
        self._is_moving = False
        self._fit_later.start()

    def _partner(self, view: CameraView) -> CameraView | None:
        """What is seen next to a view; None where that is not seen itself."""
        for desk in self.desks:
            canvas, look = desk.views.canvas, self.panes[desk.session].view
            if view in (canvas, look):
                return (look if view is canvas else canvas) if view.isVisible() else None
        return None

    def _fit_both(self) -> None:
        """Where all of one is shown, all of the other is, too."""
        self._is_moving = True
        for desk in self.desks:
            both = desk.views.canvas, self.panes[desk.session].view
            if both[0].isVisible() and any(one.shows_all for one in both):
                for one in both:
                    if not one.shows_all:
                        one.zoom_to_fit()
        self._is_moving = False

    # -- heat -----------------------------------------------------------------------------------------------------

    def _show_heat(self) -> None:
        """One scale and one legend where both show the same measure; what came of the run is said next to the name."""
        views = [desk.session.workbench.heat_view for desk in self.desks]
        heats = [view.own_heat for view in views]
        first, second = heats
        is_same = first is not None and second is not None and first.measure == second.measure
        most = max((heat.full_bytes for heat in heats if heat is not None), default=0.0) if is_same else 0.0
        for view in views:
            view.share_scale(most)
        for desk in self.desks:
            pane, canvas = self.panes[desk.session], desk.views.canvas
            own, other = (one.session.workbench.heat_view.heat for one in (desk, self._other(desk)))
            pane.show_heat(other, own)
            desk.views.panes[CANVAS].show_outcome(*run_texts(own, other))
            is_here = canvas.fabric.legend_shown and canvas.isVisibleTo(desk.views.grid)
            pane.view.fabric.show_differences(self._differences(desk))
            pane.view.fabric.show_heat_legend(not (is_same and is_here))

    def _differences(self, desk: Desk) -> Marks | None:
        """The colors of the other design, where one compares itself with the file of that; None where it does not."""
        job, path = desk.session.workbench.comparison, self._other(desk).session.path
        found = job.found
        is_other = job.path is not None and path is not None and job.path.resolve() == path.resolve()
        if found is None or not found.can_swap or not is_other:
            return None
        kept = self._marked.get(desk.session)
        if kept is None or kept[0] is not found:
            kept = self._marked[desk.session] = found, marking.marks_of_other(found)
        return kept[1]

    def _other(self, desk: Desk) -> Desk:
        return self.right if desk is self.left else self.left

    def _visit(self, desk: Desk, ids: Sequence[str]) -> None:
        """Make a design the current one, with what was clicked selected."""
        desk.views.show_canvas()
        self._go(desk)
        desk.session.select(ids)
        desk.views.canvas.setFocus()


def moved_alike(camera: Camera, before: Camera, now: Camera) -> Camera:
    """The camera after the change from one camera to another: points at the same pixel stay at the same pixel."""
    factor = now.scale / before.scale
    zoomed = camera.zoomed(factor, 0.0, 0.0)
    return zoomed.moved((before.left - now.left) * now.scale, (before.top - now.top) * now.scale)


def _is_about(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two extents are the same but for what a border takes."""
    return all(abs(a - b) < OTHER_SIZE_PX for a, b in zip(one, other, strict=True))


def _look_alike(shown: CameraView, view: CameraView) -> None:
    """Let a view of a design show what another one shows of it."""
    if not shown.shows_all:
        view.move_camera(shown.camera)
    elif not view.shows_all:
        view.zoom_to_fit()

"""Selecting and moving: click, shift-click, rubber band, drag; a drag from a handle connects."""


from PySide6.QtCore import QRectF

from designer.canvas.hits import Target
from designer.canvas.snapping import Snap
from designer.canvas.tools.connect import ConnectTool
from designer.canvas.tools.tool import Pointer, Tool


class SelectTool(Tool):
    """The everyday tool. A drag moves what is drawn and pushes one edit when let go."""

    name = "select"

    def __init__(self, view: "CanvasView") -> None:  # noqa: F821
        super().__init__(view)
        self._connecting = ConnectTool(view)
        self._start: Pointer | None = None
        self._pressed = Target()
        self._band: QRectF | None = None
        self._before: frozenset[str] = frozenset()
        self._moving: tuple[str, ...] = ()
        self._snap: Snap | None = None
        self._rack_id: str | None = None

    @property
    def active(self) -> bool:
        return self._start is not None or self._connecting.active

    # -- the mouse ------------------------------------------------------------------------------------------------

    def press(self, at: Pointer) -> None:
        view = self.view
        found = view.target_at(at)
        if found.end is not None or view.knob_at(at) is not None:
            knob_of = view.knob_at(at)
            self._connecting.begin(found if found.end is not None else Target(device_id=knob_of), at)
            return
        self._start, self._pressed, self._before = at, found, view.session.selection
        adding = at.shift or at.control
        if found and not (set(found.ids) & view.session.selection):
            view.session.select((view.session.selection | set(found.ids)) if adding else found.ids)
            self._before = view.session.selection
        elif not found and not adding:
            view.session.select(())

    def move(self, at: Pointer) -> None:
        if self._connecting.active:
            self._connecting.move(at)
            return
        if self._start is None:
            return
        if self._moving:
            self._drag(at)
        elif self._band is not None:
            self._stretch(at)
        elif at.far_from(self._start):
            if self._pressed.device_id is not None or self._pressed.container_id is not None:
                self._moving = self.view.movable(self.view.session.selection)
                self._drag(at)
            elif not self._pressed:
                self._stretch(at)

    def release(self, at: Pointer) -> None:
        if self._connecting.active:
            self._connecting.release(at)
            return
        if self._start is None:
            return
        self.move(at)
        if self._moving:
            self._drop()
        elif self._band is None:
            self._click(at)
        self._finish()

    def cancel(self) -> None:
        if self._connecting.active:
            self._connecting.cancel()
        elif self._band is not None:
            self.view.session.select(self._before)
        self._finish()

    def _finish(self) -> None:
        self.view.composition.shift({})
        self._start, self._band, self._moving, self._snap, self._rack_id = None, None, (), None, None
        self.view.note(None)
        self.view.update()

    # -- clicking -------------------------------------------------------------------------------------------------

    def _click(self, at: Pointer) -> None:
        session, ids = self.view.session, set(self._pressed.ids)
        was_selected = bool(ids & self._before)
        if at.shift or at.control:
            if was_selected and self._start is not None and self._was_there(ids):
                session.select(session.selection - ids)
        elif ids:
            session.select(ids)

    def _was_there(self, ids: set[str]) -> bool:
        """Whether the press found it selected already, rather than having selected it."""
        return ids <= self._held_before_press

    # -- moving ---------------------------------------------------------------------------------------------------

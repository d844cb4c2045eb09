"""Selecting and moving: click, shift-click, rubber band, drag; a drag from a port or a knob connects."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.hits import NOTHING, Target
from designer.canvas.link_ends import EndDrag
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.stage import Stage, open_on
from designer.canvas.subject import Drag
from designer.canvas.tools.connect import ConnectTool
from designer.canvas.tools.tool import Tool
from designer.late import Late
from designer.model.edit import Edit
from designer.model.fragments import labels_within
from designer.session.copies import labels_left
from designer.units import format_counted

offers = Late("designer.session.offers")

_SEVERAL = "Select a single line to bend it: links between the same two devices that no others run along"


class SelectTool(Tool):
    """The everyday tool. A drag moves what is drawn, or with Control or Alt a copy of it, and pushes one edit."""

    name = "select"

    def __init__(self, stage: Stage, connecting: ConnectTool | None = None) -> None:
        """`connecting` takes over where a press pulls a line."""
        super().__init__(stage)
        self._connecting = connecting
        self._forget()

    def _forget(self) -> None:
        self._start: Pointer | None = None
        self._pressed: Target = NOTHING
        self._before: frozenset[str] = frozenset()
        self._band: QRectF | None = None
        self._drag: Drag | None = None
        self._pulled_at: Pointer | None = None
        """Where a line was taken hold of."""

    @property
    def _pulling(self) -> ConnectTool | None:
        """What drives the line that is being pulled; None where none is."""
        return self._connecting if self._connecting is not None and self._connecting.active else None

    @property
    def active(self) -> bool:
        """Whether a button is held for a click, a drag, a rubber band or a link."""
        return self._start is not None or self._pulling is not None

    @property
    def cursor(self) -> Qt.CursorShape:
        """An arrow; a cross over a port, the tip of a leader or the end of a selected link: drags there connect.

        Over a bend of a line, or where a drag makes one, that of moving.
        """
        if self.stage.hovered.bend is not None and self.stage.hovered.bend.is_shown:
            return Qt.CursorShape.SizeAllCursor
        if self.stage.hovered.tip:
            return Qt.CursorShape.CrossCursor
        return Qt.CursorShape.ArrowCursor if self.stage.hovered.end is None else Qt.CursorShape.CrossCursor

    # -- the mouse ------------------------------------------------------------------------------------------------

    def press(self, at: Pointer) -> None:
        """Select what is under the mouse, or pull a link from a port or knob.

        Shift or Control adds to the selection or takes away from it. Alt takes the next of the links of one line.
        Links are selected on release, as a drag that begins on them is a rubber band, unless they are selected. What
        the plus of a box opens is selected only where it is dragged.
        """
        stage, session = self.stage, self.stage.session
        found = stage.target_at(at)
        handle = stage.subject.handle_at(at, stage.sight, found, stage.hovered)
        if handle is not None and self._connecting is not None:
            self._connecting.begin(handle, at)
            self._pulled_at, self._pressed, self._before = at, handle, session.selection
            return
        self._start, self._pressed, self._before = at, found, session.selection
        self.has_opened, session.held_bend = False, None
        if at.alt and not found.tip and not (found.bend is not None and found.bend.is_bend) and len(found.link_ids) > 1:
            self._pressed = found = Target(link_ids=(_next_of(found.link_ids, self._before),))
        ids = set(found.ids)
        if found.link_ids or (found.sign and not at.adding):
            return
        if not ids and not at.adding:
            session.select(())
        elif not ids & self._before:
            session.select(self._before | ids if at.adding else ids)

    def move(self, at: Pointer) -> None:
        """Drag what was pressed, stretch the rubber band or pull the link."""
        if self._pulling is not None:
            self._pulling.move(at)
        elif self._start is None:
            return
        elif self._drag is not None:
            self._take_along(self._drag, at)
        elif self._band is not None:
            self._stretch(at)
        elif at.far_from(self._start):
            self._begin(at)

    def _begin(self, at: Pointer) -> None:
        assert self._start is not None
        if self._is_chosen_line:
            self.stage.notes.show(_SEVERAL, at, refused=True)
            return
        if not self._pressed or (self._pressed.link_ids and not self._pressed.is_handle):
            self._stretch(at)
            return
        if self._pressed.sign and not self._before.intersection(self._pressed.ids):
            self.stage.session.select(self._pressed.ids)
        self._drag = self.stage.subject.drag(self._pressed, self._start)
        if self._drag is not None:
            self._take_along(self._drag, at)

    @property
    def _is_chosen_line(self) -> bool:
        """Whether links that are selected were pressed, at no end: they stay selected while somebody tugs at them."""
        links = self._pressed.link_ids
        return bool(links) and not self._pressed.is_handle and self._before.issuperset(links)

    def _take_along(self, drag: Drag, at: Pointer) -> None:
        refusal = drag.move(at, self.stage.sight)
        self.stage.notes.show(refusal, at, refused=refusal is not None)
        self.stage.schedule_repaint()

    def release(self, at: Pointer) -> None:
        """End the click, drag, rubber band or link; a drag pushes one edit."""
        if self._pulling is not None:
            if self._pulled_at is None or at.far_from(self._pulled_at):
                self._pulling.release(at)
            else:  # nothing was pulled: it is a click on the device
                self._pulling.cancel()
                self._click(at)
            self._forget()
            return
        if self._start is None:
            return
        self.move(at)
        drag = self._drag
        if drag is None and self._band is None and not at.far_from(self._start):
            self._click(at)
        self._finish()
        if drag is not None:
            self._let_go(drag)

    def _let_go(self, drag: Drag) -> None:
        """Push one edit: things at their new places, or copies of them, which are selected then."""
        session, copied = self.stage.session, drag.copied()
        if copied is None:
            if not (isinstance(drag, EndDrag) and self._is_offered(drag)):
                session.attempt(lambda: drag.edit() or Edit("", ()))
            return
        ids, make = copied

        def select(edit: Edit) -> None:
            session.select(session.copies.remember(session.design, ids, edit))
            if left := labels_left(labels_within(session.design, ids), edit):
                session.message.emit(left)

        session.large_edits.attempt(f"Copying {format_counted(len(ids), 'item')}", len(ids), make, select)

    def _is_offered(self, drag: EndDrag) -> bool:
        """Whether links that cannot lead where they were let go are offered with what lets them."""
        make, device_id = drag.make, drag.led_to
        if drag.reason is None or make is None or device_id is None:
            return False
        return not offers.offer_change(self.stage.session, drag.reason, make, (device_id,))

    def cancel(self) -> None:
        """Put the picture back as it was; a rubber band gives the selection back too."""
        if self._pulling is not None:
            self._pulling.cancel()
        elif self._band is not None:
            self.stage.session.select(self._before)
        self._finish()

    def _finish(self) -> None:
        if self._drag is not None:
            self._drag.end()
        self._forget()
        self.stage.notes.show(None)
        self.stage.update()

    # -- clicking -------------------------------------------------------------------------------------------------

    def _click(self, at: Pointer) -> None:
        session, ids = self.stage.session, set(self._pressed.ids)
        if not self._pressed.sign:  # a box is opened to look at what is previewed in it
            session.workbench.heat_view.end_preview()
        if not ids:
            return
        if not at.adding and self._pressed.sign:  # the selection stays: links of all in the box would cover it
            self.has_opened = True
            open_on(self.stage, self._pressed)
        elif not at.adding:
            session.select(ids)
            bend = self._pressed.bend
            session.held_bend = bend.at if bend is not None and bend.is_bend else None
        elif ids & self._before:
            session.select(session.selection - ids)
        elif self._pressed.link_ids or self._pulled_at is not None:
            session.select(self._before | ids)

    # -- the rubber band ------------------------------------------------------------------------------------------

    def _stretch(self, at: Pointer) -> None:
        assert self._start is not None
        stage = self.stage
        began_at = stage.sight.point_px(self._start.x, self._start.y)  # the picture may have moved since
        self._band = QRectF(began_at, at.spot).normalized()
        left, right = sorted((self._start.x, at.x))
        top, bottom = sorted((self._start.y, at.y))
        inside = stage.subject.within((left, top, right, bottom))
        stage.session.select(self._before.union(inside) if at.adding else inside)
        stage.update()

    # -- what is shown --------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The rubber band, the guides of a drag, or the link that is pulled."""
        if self._pulling is not None:
            self._pulling.paint(painter, sight)
        elif self._band is not None:
            colour = QColor(sight.theme.accent)
            painter.setPen(QPen(colour, 1.0))
            colour.setAlphaF(0.12)
            painter.setBrush(colour)
            painter.drawRect(self._band)
        elif self._drag is not None:
            self._drag.paint(painter, sight)


def _next_of(link_ids: tuple[str, ...], selection: frozenset[str]) -> str:
    """The link of a line after the one that is selected alone, the first where none is."""
    chosen = [number for number, one in enumerate(link_ids) if selection == {one}]
    return link_ids[(chosen[0] + 1) % len(link_ids) if chosen else 0]

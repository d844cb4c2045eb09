"""Connecting: drag from device to device for the next free matching ports, or from port to port for just these."""

from collections.abc import Callable
from typing import Any, cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.budget_marks import budgets_around
from designer.canvas.fabric import Fabric
from designer.canvas.hits import Target
from designer.canvas.marks import Frame
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.stage import Stage
from designer.canvas.tools.tool import Tool
from designer.errors import DesignerError
from designer.late import Late
from designer.model import operations
from designer.model.budgets import PortBudgets
from designer.model.edit import Edit
from designer.model.entities import End, Link, order_key
from designer.model.networks import TITLES

nic_choice = Late("designer.model.nic_choice")
offers = Late("designer.session.offers")

ChoosePorts = Callable[[str, str, tuple[str, str], QPointF], None]
"""Asks which ports of two devices are linked; these two, unless "", are chosen; at a pixel of the view."""

_CLOSED = "{} is collapsed: expand it, then connect its devices"


class ConnectTool(Tool):
    """Press on a device or port, drag a line, let go on another. Several selected devices are connected together."""

    name = "connect"
    uses_selection = True

    _source: Target | None = None
    _target: Target | None = None
    _start: Pointer | None = None
    _at: Pointer | None = None
    _reason: str | None = None
    _revision = -1
    _budgets: tuple[int, PortBudgets] | None = None
    """What all devices have left for the line, and at which revision of the design."""

    def __init__(self, stage: Stage, fabric: Fabric, choose_ports: ChoosePorts) -> None:
        super().__init__(stage)
        self._fabric, self._choose_ports = fabric, choose_ports

    @property
    def hint(self) -> str:
        """How a link is drawn."""
        return "Drag from a device or port to another to link them; Alt chooses the ports. Esc returns to Select."

    @property
    def cursor(self) -> Qt.CursorShape:
        """A cross, everywhere."""
        return Qt.CursorShape.CrossCursor

    @property
    def active(self) -> bool:
        """Whether a link is being drawn."""
        return self._source is not None

    @property
    def sources(self) -> list[str]:
        """The devices the line comes from: all selected ones when it began on one of them."""
        if self._source is None or self._source.device_id is None:
            return []
        device_id, session = self._source.device_id, self.stage.session
        if self._source.end is None and device_id in session.selection:
            return sorted((one for one in session.selection if one in session.design.devices), key=order_key)
        return [device_id]

    def hover(self, at: Pointer) -> None:
        """Take the note of the last gesture away."""
        self.stage.notes.show(None, at)

    def press(self, at: Pointer) -> None:
        """Begin a link at the device or port under the mouse; elsewhere say what to do."""
        found = self.stage.target_at(at)
        if found.box is not None:
            self.stage.notes.show(_CLOSED.format(found.box.name), at, refused=True, lasting=True)
            return
        if found.device_id is None:
            self.stage.notes.show("Drag from one device to another", at)
            return
        self.begin(found, at)

    def begin(self, source: Target, at: Pointer) -> None:
        """Start a line at a device or port; also how the select tool hands a drag from a handle over."""
        self._source, self._start, self._at = source, at, at
        self._target, self._reason, self._revision, self._budgets = None, None, -1, None
        self.stage.update()

    def move(self, at: Pointer) -> None:
        """Draw the link to the mouse; say what letting go on this device would link, or why it is refused."""
        if self._source is None:
            return
        self._at = at
        found = self.stage.target_at(at)
        target = found if found.device_id is not None and found.device_id != self._source.device_id else None
        revision = self.stage.session.design.revision
        if target != self._target or revision != self._revision:
            self._target, self._revision = target, revision
            self._reason = self._refusal(target) if target is not None else None
        if found.box is not None:
            self.stage.notes.show(_CLOSED.format(found.box.name), at, refused=True)
        elif target is None:
            self.stage.notes.show(None, at)
        elif self._reason is not None:
            self.stage.notes.show(self._reason, at, refused=True)
        else:
            self.stage.notes.show(self._promise(target), at)
        self.stage.update()

    def release(self, at: Pointer) -> None:
        """Push one edit with the links promised; where they are refused the reason stays at the cursor.

        Where a way out is offered, the reason is with that.
        """
        self.move(at)
        target, reason, make, sources = self._target, self._reason, self._maker(), self.sources
        box, asked = self.stage.target_at(at).box, self._ends_asked() if at.alt else None
        self.cancel()
        if asked is not None:
            self._choose_ports(*asked, at.spot)
            return
        if box is not None:
            self.stage.notes.show(_CLOSED.format(box.name), at, refused=True, lasting=True)
        if target is None or make is None:
            return
        if reason is not None:
            is_pair = len(sources) == 1 and target.device_id is not None
            if is_pair:
                reason = offers.offer_link(self.stage.session, reason, sources[0], target.device_id or "")
            if reason:
                self.stage.notes.show(reason, at, refused=True, lasting=True)
            return
        self.stage.session.attempt(make)

    def cancel(self) -> None:
        """Drop the link that is being drawn."""
        self._source = self._target = self._start = self._at = None
        self._reason = self._budgets = None
        self.stage.notes.show(None)
        self.stage.update()

    # -- what would be done ---------------------------------------------------------------------------------------

    def _maker(self) -> Callable[[], Edit] | None:
        """The verb that this source and this target ask for."""
        source, target, design = self._source, self._target, self.stage.session.design
        if source is None or target is None or source.device_id is None or target.device_id is None:
            return None
        if source.end is not None and target.end is not None:
            a, b = source.end, target.end
            return lambda: cast(Edit, nic_choice.with_network(design, operations.connect(design, a, b)))
        if source.end is not None or target.end is not None:
            return lambda: cast(Edit, nic_choice.with_network(design, self._port_to_device(source, target)))
        sources, target_id, find = self.sources, target.device_id, self.stage.session.catalog.types.get
        if len(sources) > 1:
            others = [one for one in sources if one != target_id]
            return lambda: operations.connect_evenly(design, others, [target_id], 1)
        return lambda: cast(Edit, nic_choice.connect_drawn(design, sources[0], target_id, find))

    def _port_to_device(self, source: Target, target: Target) -> Edit:
        """From the exact port to the first free one of the other device that matches it."""
        design = self.stage.session.design
        exact = source.end or target.end
        assert exact is not None
        assert source.device_id is not None
        assert target.device_id is not None
        other_id = target.device_id if source.end is not None else source.device_id
        port = design.port(exact)
        for free in design.free_ports(other_id):
            if port is not None and operations.port_compatibility(port, free) is None:
                ends = (exact, End(other_id, free.name))
                return operations.connect(design, *(ends if source.end is not None else ends[::-1]))
        # Nothing matches: the verb for whole devices knows how to say why.
        return operations.connect_devices(design, source.device_id, target.device_id)

    def _refusal(self, target: Target) -> str | None:
        self._target = target
        make = self._maker()
        if make is None:
            return None
        try:
            make()
        except DesignerError as error:
            return str(error)
        return None

    def _promise(self, target: Target) -> str:
        """What letting go would do: "leaf-01 port 3/1 to spine-02 port 1/1"."""
        make, design = self._maker(), self.stage.session.design
        if make is None:
            return ""
        try:
            links = [change.after for change in make().changes if isinstance(change.after, Link)]
        except DesignerError as error:
            return str(error)
        if len(links) == 1:
            said = f"{design.end_name(links[0].a)} to {design.end_name(links[0].b)}"
            networks = [TITLES[one.network].lower() for one in self._choices()]
            of = f": {' or '.join(networks)}" if len(networks) > 1 else ""
            return f"{said}. Hold Alt to choose the ports{of}"
        name = design.device(target.device_id).name if target.device_id is not None else ""
        return f"{len(links)} links to {name}"

    def _choices(self) -> tuple[Any, ...]:
        """The networks whose NICs the line could take, drawn between a server and a switch as a whole."""
        source, target, sources = self._source, self._target, self.sources
        if source is None or target is None or source.end or target.end or len(sources) != 1 or not target.device_id:
            return ()
        pair = (sources[0], target.device_id)
        design = self.stage.session.design
        server, switch = pair if design.is_server(pair[0]) else pair[::-1]
        found: tuple[Any, ...] = nic_choice.nic_choices(design, server, switch, self.stage.session.catalog.types.get)
        return found

    def _ends_asked(self) -> tuple[str, str, tuple[str, str]] | None:
        """The two devices whose ports are chosen with Alt, with the ports that the line is drawn to."""
        source, target, sources = self._source, self._target, self.sources
        if source is None or target is None or target.device_id is None or len(sources) != 1:
            return None
        a, b = ("" if end is None else end.port for end in (source.end, target.end))
        return sources[0], target.device_id, (a, b)

    # -- what is shown --------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The lines to be linked, dashed while they end on no device, in the color of errors where refused."""
        if self._source is None or self._at is None:
            return
        fabric, budget_of = self._fabric, self.budgets().of

        def name_of(one: str) -> QRectF | None:
            return fabric.name_rect(one, sight)

        with budgets_around(painter, sight, self.stage.notes, fabric.takers(sight), budget_of, name_of):
            self._paint_lines(painter, sight, self._at.spot)

    def _paint_lines(self, painter: QPainter, sight: Sight, spot: QPointF) -> None:
        frame = self._fabric.frame(sight)
        colour = QColor(sight.theme.error if self._reason is not None else sight.theme.accent)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        end = self._target_point(frame) or spot
        pen = QPen(colour, 2.0)
        if self._target is None:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        for start in self._start_points(frame):
            painter.drawLine(start, end)
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(end, 3.5, 3.5)
        if self._target is not None and self._target.device_id is not None:
            box = frame.box(self._target.device_id)
            if box is not None:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colour, 2.5))
                painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 6, 6)

    def budgets(self) -> PortBudgets:
        """What devices have left for the line that is being drawn."""
        design = self.stage.session.design
        if self._budgets is None or self._budgets[0] != design.revision:
            end = self._source.end if self._source is not None else None
            self._budgets = design.revision, PortBudgets(design, self.sources, end.port if end is not None else "")
        return self._budgets[1]

    def _start_points(self, frame: Frame) -> list[QPointF]:
        assert self._source is not None
        if self._source.end is not None:
            point = frame.port(self._source.end)
            return [point] if point is not None else []
        boxes = [box for one in self.sources if (box := frame.box(one)) is not None]
        return [_edge_towards(box, self._at.spot) for box in boxes] if self._at is not None else []

    def _target_point(self, frame: Frame) -> QPointF | None:
        if self._target is None or self._target.device_id is None:
            return None
        if self._target.end is not None:
            return frame.port(self._target.end)
        box = frame.box(self._target.device_id)
        if box is None or not self.sources:
            return None
        source = frame.box(self.sources[0])
        return _edge_towards(box, source.center()) if source is not None else box.center()


def _edge_towards(box: QRectF, point: QPointF) -> QPointF:
    """The middle of the side of a box that faces a point."""
    centre = box.center()
    if box.top() <= point.y() <= box.bottom():
        return QPointF(box.right() if point.x() > centre.x() else box.left(), centre.y())
    return QPointF(centre.x(), box.bottom() if point.y() > centre.y() else box.top())

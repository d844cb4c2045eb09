"""The elevation of the racks, from the front or the rear. Devices are dragged between units and racks."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from designer.canvas.comparison_layer import tints
from designer.canvas.dropping import Landing, new_mounted, said
from designer.canvas.hits import NOTHING, Target
from designer.canvas.pointer import Pointer
from designer.canvas.room.new_racks import into_row
from designer.canvas.room.room_view import RoomSubject, RoomView, middle_in
from designer.canvas.sight import Sight
from designer.drawing.bundles import Floats
from designer.drawing.geometry import Rect
from designer.drawing.parts.elevation import Marked, elevation_parts
from designer.drawing.parts.marks import badges_at, beside_name, in_corner, is_on_badge, worst_of
from designer.drawing.parts.primitives import Part
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import UNIT, Box, Frame, Line, elevation
from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.equipping import height
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.several import ONE, Wanted
from designer.placement.metrics import ROW_PITCH
from designer.placement.mounting import Berth, copy_mounted, move_mounted
from designer.placement.rack_stacks import racked
from designer.session.session import Session
from designer.validation.findings import Severity

LEAST_SIGNED_UNIT_PX = 6.0
"""Lower units have no room for a badge or a dot each."""

Placed = tuple[Frame, Box]
"""A device where it is drawn."""


class ElevationView(RoomView):
    """The racks as one stands before them."""

    side_changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self.racks = Elevation(session)
        super().__init__(self.racks, parent)

    @property
    def rear(self) -> bool:
        """Whether one stands behind the racks."""
        return self.racks.rear

    def show_rear(self, rear: bool) -> None:
        """Walk round to the rear of the racks, or back to the front."""
        if rear != self.racks.rear:
            self.racks.rear = rear
            self.racks.read_again()
            self.side_changed.emit()


class Elevation(RoomSubject[tuple[Line, ...]]):
    """Devices that are dragged between units and racks."""

    name = "Rack elevation"
    readable_scale = 0.65
    rear = False

    def read(self) -> tuple[Line, ...]:
        """The racks in lines, as seen from the front or the rear; the shelf comes last."""
        return elevation(self.session.design, rear=self.rear)

    @property
    def frames(self) -> list[Frame]:
        """The racks and the shelf, line by line."""
        return [frame for line in self.drawn for frame in line.frames]

    def bounds(self) -> Rect | None:
        """Left, top, right and bottom of all racks, with room for a heading above; None where there is no rack."""
        rects = [frame.whole for frame in self.frames]
        if not rects:
            return None
        lefts, _, rights, bottoms = zip(*rects, strict=True)
        titles = [(line.top, line.y) for line in self.drawn]
        return min(lefts), min(top for top, _ in titles), max(rights), max(*bottoms, *(foot for _, foot in titles))

    def boxes(self) -> Floats:
        """Those of racks with their names, and of the shelf."""
        return np.array([(x, y, end - x, low - y) for x, y, end, low in (one.whole for one in self.frames)])

    def target_at(self, at: Pointer, sight: Sight) -> Target:
        """The device under the mouse, or the rack whose title or badge it is on; nothing elsewhere."""
        frame = _frame_at(self.frames, at)
        if frame is None:
            return NOTHING
        if frame.rack_id is not None and self._is_on_badge(frame, at, sight):
            return Target(container_id=frame.rack_id)
        for box in frame.boxes:
            left, top, right, bottom = box.rect
            if left <= at.x < right and top <= at.y < bottom:
                return Target(device_id=box.id)
        return Target(container_id=frame.rack_id) if at.y < frame.rect[1] else NOTHING

    def takers(self, sight: Sight) -> list[tuple[str, QRectF]]:
        """The racks in sight."""
        rects = ((one.rack_id, sight.px(one.rect)) for one in self.frames)
        return [(rack_id, rect) for rack_id, rect in rects if rack_id is not None and rect.intersects(sight.rect)]

    def rect_of(self, entity_id: str) -> Rect | None:
        """Where a rack or a device in one is drawn; None for everything else."""
        for frame in self.frames:
            if frame.rack_id == entity_id:
                return frame.whole
            for box in frame.boxes:
                if box.id == entity_id:
                    return box.rect
        return None

    def within(self, rect: Rect) -> list[str]:
        """Devices whose middle is in the band."""
        return [box.id for frame in self.frames for box in frame.boxes if middle_in(box.rect, rect)]

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The devices among these that stand in a rack, sorted by id."""
        design = self.session.design
        mounted = (one for one in ids if one in design.devices and _berth_of(design, one) is not None)
        return tuple(sorted(mounted))

    def nudged(self, dx: int, dy: int, *, fine: bool) -> Edit | None:
        """By one unit up or down; sideways is nowhere."""
        design = self.session.design
        berths: dict[str, Berth] = {}
        for one in self.movable(self.session.selection):
            berth = _berth_of(design, one)
            assert berth is not None
            berths[one] = (berth[0], berth[1] - dy)
        return racked(design, move_mounted(design, berths)) if dy else None

    def drag(self, target: Target, start: Pointer) -> "DeviceDrag | None":
        """A drag of the selected devices, of whichever racks, or of the one under the mouse; None from a rack."""
        if target.device_id is None:
            return None
        places = [(frame, box) for frame in self.frames for box in frame.boxes]
        held = next(place for place in places if place[1].id == target.device_id)
        selection = self.session.selection
        chosen = [place for place in places if place[1].id in selection] if target.device_id in selection else [held]
        return DeviceDrag(self.session.design, self.frames, held, chosen, start)

    def landing(self, type_: HardwareType, at: Pointer, sight: Sight, wanted: Wanted = ONE) -> Landing:
        """Racks in the row, devices from the unit up that they are let go over.

        On the canvas devices stand in their rack, or below all.
        """
        frame, design = _frame_at(self.frames, at), self.session.design
        if isinstance(type_, RackType):
            return into_row(design, self.drawn, type_, at, wanted)
        if not isinstance(type_, SwitchType | ServerType):
            return Landing(None, f"{type_.model} is not mounted in a rack")
        if frame is None or frame.rack_id is None:
            return Landing(None, f"{type_.model} is dropped onto a rack")
        units, count = height(type_), wanted.count
        unit = max(1, min(frame.unit_at(at.y), frame.units - units * count + 1))
        places = design.placements.values()
        below = max((place.y for place in places), default=0.0) + ROW_PITCH
        left = min((place.x for place in places), default=0.0)
        rects = tuple(frame.rect_of_units(unit + number * units, units) for number in range(count))
        feet = [unit + number * units for number in range(count)]
        try:
            edit = new_mounted(design, type_, self.session.catalog.types, (left, below), frame.rack_id, feet, wanted)
        except DesignerError as error:
            return Landing(None, str(error), rects)
        return Landing(edit, f"{said(type_, wanted)} in {frame.title}, unit {unit}", rects)

    def sentence(self, target: Target) -> str:
        """A device with its type, rack, unit and port side, or a rack with its note; "" on nothing."""
        design = self.session.design
        if target.container_id is not None:
            frame = next(frame for frame in self.frames if frame.rack_id == target.container_id)
            return f"{frame.title}: {frame.note}"
        if target.device_id is None:
            return ""
        device_id = target.device_id
        place = design.placements.get(device_id)
        units = height(design.device_type(device_id))
        model = design.device_type(device_id).model
        if place is None or place.rack_id is None or place.unit is None:
            return f"{design.device(device_id).name}: {model}, {units} U, in no rack"
        side = f"ports to the {place.side}" if place.side else "side of ports not known"
        rack = design.racks[place.rack_id].name
        return f"{design.device(device_id).name}: {model}, {rack} unit {place.unit}, {units} U, {side}"

    def parts(self, sheet: Sheet) -> Iterator[Part]:
        """The racks with their devices; what is selected, inside of that or at its ends, or in RACK-001 is marked."""
        found = (one.subjects[:2] for one in self.findings if one.code == "RACK-001")
        wrong = frozenset(subject for subjects in found for subject in subjects)
        differing = tints(self.session.workbench.comparison, sheet.theme)
        signed = frozenset[str]() if _are_low(sheet.scale) else self.worst.keys()
        marked = Marked(self.session.selected.lit_in_room, wrong, differing, signed, self.classes(sheet.theme))
        yield from elevation_parts(self.drawn, sheet, self.rear, marked)
        yield from self._badges(sheet)

    def _badges(self, sheet: Sheet) -> Iterator[Part]:
        """At racks and devices; where units are too low for a sign, racks bear the worst of what is in them."""
        worst = self.worst
        frames = [one for one in self.frames if sheet.touches(*sheet.seen(one.whole))] if worst else ()
        if not _are_low(sheet.scale):
            boxes = ((box.rect, worst[box.id]) for frame in frames for box in frame.boxes if box.id in worst)
            yield from badges_at(boxes, sheet, beside_name)
        signed = ((frame.filled, self._borne(frame, sheet.scale)) for frame in frames)
        yield from badges_at([(rect, found) for rect, found in signed if found is not None], sheet, in_corner)

    def _borne(self, frame: Frame, scale: float) -> Severity | None:
        """What the badge of a rack shows at such a scale; None where it has none."""
        ids = (frame.rack_id or "", *(box.id for box in frame.boxes if _are_low(scale)))
        return worst_of(self.worst[one] for one in ids if one in self.worst)

    def _is_on_badge(self, frame: Frame, at: Pointer, sight: Sight) -> bool:
        at_px, seen = sight.camera.to_view(at.x, at.y), sight.seen_px(frame.filled)
        return self._borne(frame, sight.camera.scale) is not None and is_on_badge(at_px, seen, in_corner)


def _are_low(scale: float) -> bool:
    return scale * UNIT < LEAST_SIGNED_UNIT_PX


def _one_on_the_other(design: Design, devices: Sequence[Placed]) -> dict[str, int]:
    """Where the foot of each device stands on those before: frame by frame, each from the bottom up."""
    feet: dict[str, int] = {}
    foot, frames = 0, list(dict.fromkeys(frame for frame, _ in devices))
    for _, box in sorted(devices, key=lambda place: (frames.index(place[0]), -place[1].rect[3])):
        feet[box.id] = foot
        foot += height(design.device_type(box.id))
    return feet


def _frame_at(frames: Iterable[Frame], at: Pointer) -> Frame | None:
    for frame in frames:
        left, top, right, bottom = frame.whole
        if left <= at.x <= right and top <= at.y <= bottom:
            return frame
    return None


def _berth_of(design: Design, device_id: str) -> tuple[str, int] | None:
    """The rack and unit that a device is mounted in."""
    place = design.placements.get(device_id)
    if place is None or place.rack_id is None or place.unit is None:
        return None
    return place.rack_id, place.unit


class DeviceDrag:
    """Devices dragged to other units, to another rack, or out onto the shelf.

    With Control or Alt they stay, and copies of them come there. Those of one rack keep their distances. Those of
    several racks stand one on the other in the rack they are taken to, rack by rack from the bottom up; within the
    rack of the held one each moves in its own.
    """

    def __init__(
        self, design: Design, frames: list[Frame], held: Placed, devices: Sequence[Placed], start: Pointer
    ) -> None:
        self._design = design
        self._frames = frames
        self._at = start
        self._reason: str | None = None
        self._home, box = held
        self._grabbed = self._home.unit_at(start.y)
        units = {one.id: frame.unit_at(one.rect[3] - 1) for frame, one in devices}
        are_of_several = len({frame.rect for frame, _ in devices}) > 1
        are_in_racks = all(frame.rack_id is not None for frame, _ in devices)
        self._own = (
            [(frame, one.id, units[one.id]) for frame, one in devices] if are_of_several and are_in_racks else []
        )
        """Devices of several racks, with the rack and unit of each."""
        feet = _one_on_the_other(design, devices) if are_of_several else units
        lift = units[box.id] - feet[box.id] - self._grabbed
        self._offset = {one: foot + lift for one, foot in feet.items()}
        """Units of each device's foot over the point the mouse holds."""

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the devices to the unit under the mouse; returns why they do not fit there, None where they do."""
        self._at = at
        self._reason = self._refusal()
        return self._reason

    def end(self) -> None:
        """Nothing to put back: only marks over the picture have moved."""

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """What is copied, and how, where Control or Alt was held last, over what holds devices."""
        berths = self.berths()
        if berths is None or not self._is_copying:
            return None
        return tuple(berths), lambda design: copy_mounted(design, berths)

    def edit(self) -> Edit | None:
        """The devices in their new units, as one edit; None where they cannot be let go. Raises DesignerError."""
        berths = self.berths()
        return racked(self._design, move_mounted(self._design, berths)) if berths is not None else None

    def berths(self) -> dict[str, Berth] | None:
        """Where each device would stand; None where the mouse is over nothing that holds devices."""
        frame = _frame_at(self._frames, self._at)
        if frame is None:
            return None
        if frame.rack_id is None:
            return dict.fromkeys(self._offset)
        if self._own and frame.rack_id == self._home.rack_id:
            return self._in_their_racks(frame.unit_at(self._at.y) - self._grabbed)
        wanted = {one: frame.unit_at(self._at.y) + offset for one, offset in self._offset.items()}
        top = max(unit + height(self._design.device_type(one)) - 1 for one, unit in wanted.items())
        shift = min(0, frame.units - top)
        shift = max(shift, 1 - min(wanted.values()))
        return {one: (frame.rack_id, unit + shift) for one, unit in wanted.items()}

    @property
    def _is_copying(self) -> bool:
        return self._at.control or self._at.alt

    def _in_their_racks(self, by: int) -> dict[str, Berth]:
        """Each so many units up in its own rack, as far as all of them can go."""
        room = min(frame.units - unit - height(self._design.device_type(one)) + 1 for frame, one, unit in self._own)
        by = max(min(by, room), 1 - min(unit for _, _, unit in self._own))
        return {one: (frame.rack_id, unit + by) for frame, one, unit in self._own if frame.rack_id is not None}

    def _refusal(self) -> str | None:
        """Why the devices cannot be let go here; None where they can."""
        berths = self.berths()
        if berths is None:
            return "Drop it on a rack"
        try:
            (copy_mounted if self._is_copying else move_mounted)(self._design, berths)
        except DesignerError as error:
            return str(error)
        return None

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The units that the devices would take, red where they cannot."""
        colour = QColor(sight.theme.error if self._reason else sight.theme.accent)
        painter.setPen(QPen(colour, 2.0))
        colour.setAlpha(60)
        painter.setBrush(colour)
        for one, berth in (self.berths() or {}).items():
            if berth is not None:
                frame = next(frame for frame in self._frames if frame.rack_id == berth[0])
                units = height(self._design.device_type(one))
                painter.drawRect(sight.px(frame.rect_of_units(berth[1], units)))

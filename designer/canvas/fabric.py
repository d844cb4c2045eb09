"""The fabric under the hand: what a point of the drawing is on, and what gestures do to the design."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from designer.canvas import hits, marks
from designer.canvas.dropping import Landing, landing
from designer.canvas.fabric_picture import FabricPicture
from designer.canvas.guides import into_line
from designer.canvas.hits import KNOB_REACH_PX, Box, Target, pinnable_at
from designer.canvas.link_ends import EndDrag, LinkEnd, end_at, gripped_end, link_ends
from designer.canvas.moving import BoxDrag, LockedDrag, locked_note, movable, moved
from designer.canvas.pointer import Pointer
from designer.canvas.pointing import OnCanvas, TipDrag, is_tip, led
from designer.canvas.resizing import ResizeDrag, grip_at, gripped, in_line_without
from designer.canvas.sight import Sight
from designer.canvas.snapping import NO_SNAP, Snap
from designer.canvas.subject import CLOSE_SCALE, Drag
from designer.canvas.tooltips import sentence_of, table, tooltip_of
from designer.drawing.camera import Camera, Viewport
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.folding.folded_projection import FoldedProjection, devices_of
from designer.drawing.folding.stacks import far_ends, load_rows, ports_text
from designer.drawing.geometry import Rect, middle_seen, reading_order
from designer.drawing.link_rates import MOST_LINKS
from designer.drawing.parts.annotations import zone_titled_at
from designer.drawing.parts.boxes import name_place
from designer.drawing.parts.frames import title_place, titled, titled_at
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import is_on_sign
from designer.drawing.theme import LIGHT
from designer.drawing.tier_odds import OddOnes, odd_ones
from designer.late import Late
from designer.model.edit import Edit
from designer.model.entities import End
from designer.model.hardware.types import HardwareType
from designer.model.several import ONE, Wanted
from designer.placement.layouts import closing
from designer.placement.metrics import usual_scale
from designer.units import format_counted

bending = Late("designer.canvas.bending")
free_places = Late("designer.canvas.free_places")
opening = Late("designer.canvas.opening")
walking = Late("designer.canvas.walking")

NUDGE = 12.0
FINE_NUDGE = 1.0
OPEN_SCALE = 8.0
"""A server this large shows what is inside it."""
LABEL_PX = 90.0, 16.0
"""The place of a label on a line."""


class Fabric(FabricPicture):
    """The session's design as the canvas shows it."""

    # -- what is under the mouse ----------------------------------------------------------------------------------

    def target_at(self, at: Pointer, sight: Sight) -> Target:
        """The port, device, link, rack or group under the mouse, by what is drawn at this zoom."""
        scale = sight.camera.scale
        composition, sheet = self.seen_at(scale), sight.sheet(self._fonts)
        notes = gripped(composition, self.session.selection)
        if is_tip(led(notes), at, scale):
            return Target(note_id=notes[0].note.id, tip=True)
        if grip_at(notes, at, scale) is not None:  # whatever lies below: the grips of what is selected are on top
            ids = tuple(one.note.id for one in notes)
            return Target(members=ids) if len(ids) > 1 else Target(note_id=ids[0])
        found = hits.target_at(composition, self.detail(scale), scale, at.x, at.y, self._titled(at, sheet))
        row = hits.box_at(composition, at.x, at.y)
        if found.box is not None and row is not None:
            (place,) = sheet.boxes(composition.boxes[row : row + 1]).tolist()
            return replace(found, sign=is_on_sign(place, sheet, at.x_px, at.y_px))
        found = gripped_end(found, self._link_end_at(composition, at, scale))
        if not self.session.selected.are_links:
            return found
        line = bending.held_line(composition, self.detail(scale), self.session.selected)
        gripped_: Target = bending.gripped_bend(found, line, at, scale)
        return gripped_

    def _link_end_at(self, composition: Composition, at: Pointer, scale: float) -> LinkEnd | None:
        """The end of the selected links under the mouse."""
        return end_at(link_ends(composition, self.detail(scale), self.session.selected), at, scale)

    def _titled(self, at: Pointer, sheet: Sheet) -> Target | None:
        """The group, or else the zone, whose title is painted there; or what a note between tiers does not fit."""
        painted = _painted_of(self, sheet.scale)
        container_id = titled_at(painted, sheet, at.x_px, at.y_px)
        if container_id is not None:
            return Target(container_id=container_id)
        zone_id = zone_titled_at(painted, sheet, at.x_px, at.y_px)
        if zone_id in self.seen.design.annotations:
            return Target(note_id=zone_id)
        number = _note_at(self.noted, at, sheet)
        odd = _odd_ones(self.seen, number) if number is not None else None
        if odd is None:
            return None
        return Target(link_ids=odd.link_ids, members=() if odd.link_ids else odd.device_ids, note_number=number)

    def takers(self, sight: Sight) -> list[tuple[str, QRectF]]:
        """The devices that are drawn each for itself, and the racks, that are in sight."""
        composition, sheet = self.seen_at(sight.camera.scale), sight.sheet(self._fonts)
        ids, design = composition.projection.device_ids, composition.design
        rects = sheet.boxes(composition.boxes)
        seen = np.flatnonzero(sheet.boxes_on(rects))
        found = [(ids[row], QRectF(*rects[row].tolist())) for row in seen.tolist() if ids[row] in design.devices]
        racks = [(one.id, sight.px(one.rect)) for one in composition.containers if one.kind == "rack"]
        return [*found, *((rack_id, rect) for rack_id, rect in racks if rect.intersects(sight.rect))]

    def handle_at(self, at: Pointer, sight: Sight, found: Target, hovered: Target) -> Target | None:
        """A port, or the hovered device whose knob a press at this point takes hold of."""
        if found.is_handle:
            return None
        if found.end is not None:
            return found
        box = self.frame(sight).box(hovered.device_id) if hovered.device_id is not None else None
        if box is None:
            return None
        # the middle of a small box stays for moving it; boxes are wider than high
        reach_px = min(KNOB_REACH_PX, box.height() / 4)
        reached = any((at.spot - knob).manhattanLength() <= reach_px for knob in marks.knobs(box))
        return Target(device_id=hovered.device_id) if reached else None

    def within(self, rect: Rect) -> list[str]:
        """Devices that the band touches and racks inside it."""
        return [
            *hits.devices_within(self.seen, *rect),
            *hits.racks_within(self.seen, *rect),
            *hits.notes_within(self.seen, *rect),
        ]

    def opened_by(self, target: Target) -> tuple[str, ...]:
        """The device, box or bend under a double click; none on a port, a link or a frame."""
        if target.bend is not None:
            return target.link_ids if target.bend.is_bend else ()
        if target.box is not None:
            return target.box.ids
        return (target.device_id,) if target.device_id is not None and target.end is None else ()

    def expanded(self, target: Target) -> Edit | None:
        """The devices in the box under a double click drawn each for itself, or a line without the bend there.

        None where there is neither, or the box was not collapsed.
        """
        if target.bend is not None:
            edit: Edit | None = bending.unbent(self.session.design, target)
            return edit
        box = target.box
        return closing.expand(self.session.design, box.ids) if box is not None and box.by_hand else None

    def boxed(self, ids: frozenset[str]) -> list[str]:
        """What clicks on the boxes select that these are drawn in; what is drawn in none as it is."""
        projection = self.composition.projection
        found = [one for row in projection.boxes_of(ids) for one in projection.ids_at(row)]
        return [*found, *(one for one in ids if projection.box_of(one) is None)]

    def camera_onto(self, ids: Iterable[str], sight: Sight) -> Camera | None:
        """What is a box from afar is opened; a server alone is too, so that its GPUs and NICs show."""
        design, chosen = self.session.design, frozenset(ids)
        self.seen_at(sight.camera.scale)  # now the levels are those of the drawing
        alone = design.devices.get(next(iter(chosen))) if len(chosen) == 1 else None
        most = OPEN_SCALE if alone is not None and design.is_server(alone.id) else CLOSE_SCALE
        camera: Camera | None = opening.camera_onto(self.levels, chosen, sight, most)
        return camera

    def port_px(self, end: End, sight: Sight) -> QPointF | None:
        """The middle of a port's handle in pixels of the view."""
        return self.frame(sight).port(end)

    def name_rect(self, entity_id: str, sight: Sight) -> QRectF | None:
        """Where the name of a device, rack or group is written; all of a box too small to hold one."""
        composition = self.composition
        sheet, row = sight.sheet(self._fonts), composition.projection.row_of.get(entity_id)
        if row is not None:
            left, top, width, height = composition.boxes[row].tolist()
            box = sight.px((left, top, left + width, top + height))
            x, y, name_width, name_height = name_place(
                self.detail(sight.camera.scale), sheet, box.width(), box.height()
            )
            return QRectF(box.left() + x, box.top() + y, name_width, name_height)
        frames = titled(_painted_of(self, sheet.scale), sheet)
        frame = next((one for one in (*frames, *composition.containers) if one.id == entity_id), None)
        if frame is None:
            return None
        return QRectF(*title_place(frame, frames, composition.boxes, sheet))

    def label_rect(self, link_ids: Sequence[str], sight: Sight) -> QRectF | None:
        """A place on the line that they share, in the middle of what is seen of it."""
        if len(link_ids) > MOST_LINKS:
            return None
        composition = self.seen_at(sight.camera.scale)
        lines, chosen = composition.lines(self.detail(sight.camera.scale)), composition.chosen_links(link_ids)
        xy = lines.xy[lines.of_all(chosen)]
        if not len(xy):
            return None
        x, y = middle_seen(sight.camera.points_to_view(xy), (0.0, 0.0, sight.width, sight.height))
        width, height = LABEL_PX
        if sight.rect.contains(x, y):  # then all of it is in view
            x = min(max(x, width / 2), sight.width - width / 2)
            y = min(max(y, height / 2), sight.height - height / 2)
        return QRectF(x - width / 2, y - height / 2, width, height)

    def named_at(self, found: Target, at: Pointer, sight: Sight) -> tuple[str, ...]:
        """What is renamed by a double click there: on a line, a title, or in a box that shows more than its name."""
        if found.note_id is not None:
            return (found.note_id,)
        if found.bend is not None and found.bend.is_bend:
            return ()
        if found.link_ids:
            return found.link_ids if len(found.link_ids) <= MOST_LINKS else ()
        if found.end is not None or found.box is not None or not found:
            return ()
        if found.device_id is not None and not self.detail(sight.camera.scale).models:
            return ()  # the name fills the box, and a double click goes nearer
        place = self.name_rect(found.ids[0], sight)
        return found.ids[:1] if place is not None and place.contains(at.spot) else ()

    def next_named(self, entity_id: str, step: int) -> str | None:
        """The device, or the rack or group, that is drawn after it in reading order."""
        composition = self.composition
        if entity_id in composition.projection.row_of:
            ids = [one for one in composition.projection.device_ids if composition.design.entity(one) is not None]
            rects = composition.boxes[[composition.projection.row_of[one] for one in ids]]
        else:
            held = next((one for one in composition.containers if one.id == entity_id), None)
            alike = [one for one in composition.containers if held and (one.kind == "rack") == (held.kind == "rack")]
            ids = [one.id for one in alike]
            rects = np.array([one.rect for one in alike]).reshape(-1, 4)
            rects[:, 2:] -= rects[:, :2]
        order = [ids[row] for row in reading_order(rects)]
        place = order.index(entity_id) + step if entity_id in order else -1
        return order[place] if 0 <= place < len(order) else None

    # -- what the hand does ---------------------------------------------------------------------------------------

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The devices and racks on the canvas among these and in the groups among them."""
        return movable(self.session.design, ids)

    def nudged(self, dx: int, dy: int, *, fine: bool) -> Edit | None:
        """The selection moved by one step of 12 canvas units, or of 1 where fine. Raises DesignerError."""
        step, design = FINE_NUDGE if fine else NUDGE, self.session.design
        return moved(design, movable(design, self.session.selection), dx * step, dy * step)

    def step(self, dx: int, dy: int) -> Rect | None:
        """Select the device in that direction, along a link where one leads there; at first the one in the middle."""
        chosen = [one for one in self.session.selection if one in self.session.design.devices]
        if len(chosen) == 1:
            found: str | None = walking.neighbour(self.composition, chosen[0], dx, dy)
        else:
            found = walking.nearest_to_middle(self.composition)
        if found is None:
            return None
        self.session.select([found])
        return self.rect_of(found)

    def drag(self, target: Target, start: Pointer) -> Drag | None:
        """A drag of the boxes that are selected, which says so where they are locked; None from a link."""
        notes = gripped(self.seen, self.session.selection)
        held = led(notes)
        if held is not None and is_tip(held, start, self._scale):
            return TipDrag(OnCanvas(self.seen, self.detail(self._scale)), held)
        grip = grip_at(notes, start, self._scale)
        drafting = self.session.drafting.now
        end = self._link_end_at(self.seen, start, self._scale) if target.tip else None
        if end is not None:
            return EndDrag(self.seen, end, self.detail(self._scale))
        if target.bend is not None:
            line = bending.held_line(self.seen, self.detail(self._scale), self.session.selected)
            hold = partial(setattr, self.session, "held_bend")
            drag: Drag | None = line and bending.BendDrag(self.seen, line, target.bend, drafting, hold)
            return drag
        if grip is not None:
            return ResizeDrag(self.session.design, notes, grip, in_line_without(self.seen, notes, drafting))
        ids = () if target.link_ids else movable(self.session.design, self.session.selection)
        held_box, groups = target.device_id or target.note_id, self.session.selected.groups
        if ids:
            return BoxDrag(self.seen, ids, held_box, start, drafting, groups)
        note = "" if target.link_ids else locked_note(self.session.design, self.session.selection)
        return LockedDrag(note) if note else None

    def point_snap(self, at: Pointer, sight: Sight) -> Snap:
        """The rest of the way of the mouse into line with what is drawn; none with Control and Alt."""
        if at.control and at.alt:
            return NO_SNAP
        return into_line(self.seen, (), np.array((at.x, at.y, 0.0, 0.0)), sight, self.session.drafting.now)

    def pinnable(self, at: Pointer, sight: Sight) -> str:
        """What an annotation can be pinned to under the mouse; "" for none, or with Control and Alt."""
        scale = sight.camera.scale
        return "" if at.control and at.alt else pinnable_at(self.seen_at(scale), self.detail(scale), scale, at.x, at.y)

    @property
    def note_scale(self) -> float:
        """How much larger new annotations are in this drawing than in one that is seen at full size."""
        return usual_scale(self.composition.fabric_bounds)

    @property
    def drawn_bounds(self) -> Rect | None:
        """Left, top, right and bottom of all that is drawn, but what a comparison adds; None where there is nothing."""
        return self.composition.bounds

    def shift_for_note(self, rect: Rect, sight: Sight) -> tuple[float, float]:
        """How far a new annotation goes to where it covers nothing in view, as near as there is room."""
        shift: tuple[float, float] = free_places.shift_in_view(
            self.seen_at(sight.camera.scale), rect, sight.seen(), _on_canvas(self.taken_px(sight), sight)
        )
        return shift

    def landing(self, type_: HardwareType, at: Pointer, sight: Sight, wanted: Wanted = ONE) -> Landing:
        """What so many of a type become where they are let go here: boxes, or parts of a device; or why they cannot."""
        types, drafting = self.session.catalog.types, self.session.drafting.now
        return landing(self.composition, type_, types, at.x, at.y, sight.camera.scale, wanted, drafting)

    def free_spot(self, x: float, y: float, size: tuple[float, float], sight: Sight) -> tuple[float, float]:
        """Where something new can stand: the place itself, or the nearest one to it in sight that is free."""
        spot: tuple[float, float] = free_places.free_spot(
            self.composition, x, y, size, sight.seen(), _on_canvas(self.taken_px(sight), sight)
        )
        return spot

    def free_row(self, x: float, y: float, size: tuple[float, float], side: int) -> tuple[float, float]:
        """Where a row of new devices can stand: the place itself, or straight below it, or above it with side -1."""
        spot: tuple[float, float] = free_places.free_row(self.composition, x, y, *size, side)
        return spot

    # -- what is said ---------------------------------------------------------------------------------------------

    def sentence(self, target: Target) -> str:
        """What the status bar says of the device, port, link, rack or group under the mouse."""
        if target.note_number is not None:
            return "Click to select what is not as the others"
        if target.members:
            return f"Drag to resize {format_counted(len(target.members), 'annotation')}"
        if target.tip and target.link_ids:
            return f"Drag to lead {format_counted(len(target.link_ids), 'link')} to another device or port"
        if target.bend is not None and target.bend.is_shown:
            many = format_counted(len(target.link_ids), "link")
            if target.bend.is_bend:
                return f"Drag to move the bend of {many}; double-click it, or press Del, to remove it"
            return f"Drag to bend the line of {many}"
        if target.tip:
            return "Drag the tip of the leader to a device, a link or a point; into its own text to point nowhere"
        if target.box is not None:
            return f"{target.box.name}: {'click' if target.sign else 'double-click'} opens it"
        return sentence_of(self.session.design, target)

    def tooltip(self, target: Target) -> str:
        """Rich text about what is under the mouse, with its load and the jobs that run on it."""
        session = self.session
        if target.box is not None:
            return _box_tooltip(self, target.box)
        if target.note_number is not None:
            odd = _odd_ones(self.seen, target.note_number)
            return table("Not as the others", [("", line) for line in odd.lines]) if odd is not None else ""
        jobs = session.workbench.placed_jobs.names_on(target.device_id)
        heat_view = session.workbench.heat_view
        about = (target.end or target).device_id or target.container_id
        found = session.workbench.validation.about(target.link_ids if about is None else (about,))
        state, is_cut_off = session.workbench.simulation.state, target.device_id in self.seen.cut_off_by(session.failed)
        scale, several = self._scale, len(target.link_ids) > 1
        n_of_bus = hits.links_of_bus(self.seen, self.detail(scale), target.link_ids) if several else 0
        heat = heat_view.heat
        return tooltip_of(session.design, target, heat, state, jobs, found, is_cut_off=is_cut_off, n_of_bus=n_of_bus)


def _box_tooltip(fabric: FabricPicture, box: Box) -> str:
    """What stands in a box, its ports, the loads of a run that is current, and what it is linked to."""
    seen, projection = fabric.seen, fabric.seen.projection
    row = projection.box_of(box.ids[0])
    if row is None or not isinstance(projection, FoldedProjection):
        return ""
    rows = [("Devices", devices_of(projection.base, projection.folds[row - projection.n_own].rows))]
    kept = projection.caption(row).reserved
    rows.append(("Ports", ports_text(projection, row) + (f", {kept:,} reserved" if kept else "")))
    if fabric.heat is not None and fabric.session.workbench.simulation.state == "current":
        rows += load_rows(projection, row, fabric.heat)
    rows += [(format_counted(count, "link"), f"to {name}") for name, count in far_ends(seen, row)]
    return table(box.name, rows)


def _painted_of(fabric: FabricPicture, scale: float) -> Picture:
    """The picture as it was painted, or as it will be next where something has moved since."""
    if fabric.painted is not None and fabric.painted.boxes is fabric.seen.boxes:
        return fabric.painted
    return fabric.seen.picture(LIGHT, fabric.detail(scale))


def _note_at(noted: tuple[Viewport, Picture] | None, at: Pointer, sheet: Sheet) -> int | None:
    """The number of the note between tiers that is written there, of a drawing as it is seen."""
    view, picture = noted or (None, None)
    if view is None or picture is None or view.camera != sheet.camera:
        return None
    on = (
        number
        for number, (left, top, width, height) in picture.note_places.items()
        if 0 <= at.x_px - left <= width and 0 <= at.y_px - top <= height
    )
    return next(on, None)


def _odd_ones(seen: Composition, number: int) -> OddOnes | None:
    words = seen.tier_words
    found: OddOnes | None = None
    if number < len(words.bundles):
        found = odd_ones(seen.projection, seen.bundles, words, number)
    return found


def _on_canvas(rects: Iterable[Rect], sight: Sight) -> list[Rect]:
    """Rectangles of the view in canvas units."""
    to_canvas = sight.camera.to_canvas
    return [(*to_canvas(left, top), *to_canvas(right, bottom)) for left, top, right, bottom in rects]

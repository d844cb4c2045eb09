"""The boxes and links of a design as rows of arrays: read once, and brought up to date edit by edit."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from enum import IntFlag
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from designer.drawing.captions import Caption, PortCounts
from designer.drawing.frame_rows import GroupFrame, RackFrame, frames_of
from designer.drawing.theme import KIND_OF_ROLE, SERVER, SWITCH
from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.arranging import only_bends_differ
from designer.model.circuits import circuit_switch
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import (
    Device,
    Group,
    Link,
    Module,
    PlacedJob,
    Placement,
    Rack,
    Revision,
    in_order,
    order_key,
)
from designer.model.networks import is_hidden, is_link_hidden
from designer.model.settings import Settings
from designer.placement.metrics import box_size

Floats = NDArray[np.float64]
Rows = NDArray[np.int32]
Holds = Callable[[Link], bool]

NOT_DRAWN = (PlacedJob, Revision)
READ_AFRESH = 1000
"""More new links than this are read with all others rather than put in one by one."""
LOOKED_UP = 500
"""More rows of links than this are not looked up one by one."""
READ_ALL_AFRESH = 10_000
"""With more changes than this in one edit, following each takes longer than reading the design again."""


class Touched(IntFlag):
    """What of a picture an edit has changed."""

    NOTHING = 0
    TEXTS = 1
    PLACES = 2
    LINKS = 4
    CONTAINERS = 8
    BOXES = 16
    """Boxes came, went or changed their kind: rows are renumbered."""
    NOTES = 32
    """Annotations came, went, moved or changed."""


class ProjectedRows:
    """Placed devices and the links between them, as arrays; rows are in stable id order."""

    _ids_of_loads: tuple[str, ...] | None = None

    def __init__(self, design: Design, hidden: frozenset[str] = frozenset()) -> None:
        self.design = design
        self.hidden = hidden
        """Networks whose switches, and with them links, are not drawn."""
        self.n_own = 0
        """Boxes of single devices; those that stand for many come after them."""
        self.device_ids: list[str] = []
        self.row_of: dict[str, int] = {}
        self.centres: Floats = np.empty((0, 2))
        self.sizes: Floats = np.empty((0, 2))
        self.kinds: NDArray[np.int8] = np.empty(0, np.int8)
        self.types: Rows = np.empty(0, np.int32)  # (n,) numbers in type_ids
        self.type_ids: list[str] = []
        self.link_ids: list[str] = []
        self._link_row_of: dict[str, int] | None = {}
        """Made when many rows are asked for: an edit of one link must not number all the others."""
        self.ends: Rows = np.empty((0, 2), np.int32)  # (n_links, 2): rows of a and b
        self.racks: tuple[RackFrame, ...] = ()
        self.groups: tuple[GroupFrame, ...] = ()
        self._captions: dict[int, Caption] = {}
        self._port_counts = PortCounts(0)
        self._with: dict[Holds, frozenset[str]] = {}
        """Ids of all links, drawn or not, that hold something; read when first asked for."""
        self._read_boxes()

    # -- reading the design ---------------------------------------------------------------------------------------

    def _read_boxes(self) -> None:
        design = self.design
        placements = design.placements
        placed = (one for one in design.devices if one in placements)
        self.device_ids = in_order(filter(self._shown, placed) if self.hidden else placed)
        self._read_centres()
        self.type_ids = []
        self.kinds, self.types = self._kinds_and_types(self.device_ids)
        self._number_boxes()
        self._read_links()
        self._read_containers()

    def _kinds_and_types(self, ids: Iterable[str]) -> tuple[NDArray[np.int8], Rows]:
        """The numbers of the kinds and types of devices, found once for all that are alike."""
        numbers, known = list[int](), dict[tuple[str, str], int]()
        kinds, types = list[int](), list[int]()
        for device in map(self.design.devices.__getitem__, ids):
            sort = device.type_id, device.role
            if sort not in known:
                known[sort] = len(known)
                kinds.append(self._kind(device))
                types.append(self._number_of_type(device.type_id))
            numbers.append(known[sort])
        rows = np.array(numbers, np.int64)
        return np.array(kinds, np.int8)[rows], np.array(types, np.int32)[rows]

    def _number_of_type(self, type_id: str) -> int:
        if type_id not in self.type_ids:
            self.type_ids.append(type_id)
        return self.type_ids.index(type_id)

    def _read_centres(self) -> None:
        places = [*map(self.design.placements.__getitem__, self.device_ids)]
        self.centres = np.array([[one.x for one in places], [one.y for one in places]], float).T.copy()

    def _number_boxes(self) -> None:
        self.row_of = dict(zip(self.device_ids, range(len(self.device_ids)), strict=True))
        size = np.array([box_size(False), box_size(True)])
        self.sizes = size[(self.kinds != SERVER).astype(int)]
        self.n_own = len(self.device_ids)
        self._captions.clear()
        self._port_counts = PortCounts(self.n_own)

    def _shown(self, device_id: str) -> bool:
        design = self.design
        return not self.hidden or design.is_server(device_id) or not is_hidden(design.devices[device_id], self.hidden)

    def _read_links(self) -> None:
        links, row_of = self.design.links, self.row_of
        known: Iterable[str] = links
        if len(row_of) < len(self.design.devices):
            known = (i for i, link in links.items() if link.a.device_id in row_of and link.b.device_id in row_of)
        if self.hidden:
            shared = {one for one in row_of if self.design.devices[one].carries}
            known = _without_hidden(self.design, known, shared, self.hidden)
        self.link_ids = in_order(known)
        self._link_row_of = None
        self._ids_of_loads = None
        drawn = [links[one] for one in self.link_ids]
        ends = [row_of[link.a.device_id] for link in drawn], [row_of[link.b.device_id] for link in drawn]
        self.ends = np.ascontiguousarray(np.array(ends, np.int32).T)

    def _read_containers(self) -> None:
        self.racks, self.groups = frames_of(self.design, self.row_of, self.kinds)

    def _kind(self, device: Device) -> int:
        if self.design.is_server(device.id):
            return SERVER
        return KIND_OF_ROLE.get(device.role.lower(), SWITCH)

    def link_row(self, link_id: str) -> int | None:
        """The row of a link; None where it is not drawn."""
        if self._link_row_of is not None:
            return self._link_row_of.get(link_id)
        row = bisect_left(self.link_ids, order_key(link_id), key=order_key)
        return row if row < len(self.link_ids) and self.link_ids[row] == link_id else None

    def link_rows(self, ids: Iterable[str]) -> dict[str, int]:
        """The rows of those that are links and drawn, by id."""
        chosen = [one for one in ids if one not in self.row_of]
        if self._link_row_of is None and len(chosen) > LOOKED_UP:
            self._link_row_of = dict(zip(self.link_ids, range(len(self.link_ids)), strict=True))
        look_up = self.link_row if self._link_row_of is None else self._link_row_of.get
        return {one: row for one in chosen if (row := look_up(one)) is not None}

    # -- keeping up -----------------------------------------------------------------------------------------------

    def copied(self) -> Self:
        """One of the same boxes and links that no longer follows: for a worker, which brings it to another design."""
        found = copy(self)
        found.device_ids, found.row_of, found.link_ids = [*self.device_ids], dict(self.row_of), [*self.link_ids]
        found.centres, found._captions, found._link_row_of = self.centres.copy(), {}, None
        found._with = dict(self._with)
        found._port_counts = self._port_counts.copied()
        return found

    def move_to(self, design: Design) -> None:
        """Become the projection of a design that differs from this one's in places on the canvas alone."""
        self.design = design
        self._read_centres()
        at = design.placements
        self.racks = tuple(replace(rack, centre=(at[rack.id].x, at[rack.id].y)) for rack in self.racks)

    def follow(self, edit: Edit) -> Touched:
        """Bring the arrays up to date with an edit the design has applied; says what changed."""
        if len(edit.changes) > READ_ALL_AFRESH:
            self._with = {}
            self._read_boxes()
            return ~Touched.NOTHING
        touched, noted = Touched.NOTHING, self._annotations_in(edit)
        self._follow_what_links_hold(edit)
        removed: list[Link] = []
        new: list[Link] = []
        boxes = _Boxes()
        for change in edit.changes:
            subject = change.subject
            if isinstance(subject, Link):
                touched |= self._note_link(change, removed, new)
            elif isinstance(subject, Placement) and subject.id in noted:
                touched |= Touched.NOTES
            elif isinstance(subject, Placement):
                touched |= boxes.note(change, self._place(change))
            elif isinstance(subject, Device):
                touched |= boxes.note(change, self._note_device(change))
            elif isinstance(subject, Module | Settings):
                self._forget_captions(subject)
                touched |= Touched.TEXTS | (Touched.PLACES if _runs_otherwise(change) else Touched.NOTHING)
            elif type(subject) in _TOUCHED_BY:
                touched |= Touched.NOTHING if _only_collapses(change) else _TOUCHED_BY[type(subject)]
            else:
                touched |= boxes.note_type(change)
        if touched & Touched.BOXES:
            self._follow_boxes(boxes, removed, new)
            return touched | Touched.TEXTS | Touched.PLACES | Touched.LINKS | Touched.CONTAINERS
        if touched & Touched.LINKS:
            self._follow_links(removed, new)
        if touched & Touched.CONTAINERS:
            self._read_containers()
        return touched

    def _follow_what_links_hold(self, edit: Edit) -> None:
        if not self._with or Link not in edit.kinds:
            return
        links = [(one.subject.id, one.after) for one in edit.changes if isinstance(one.subject, Link)]
        for holds, ids in self._with.items():
            now = {one for one, after in links if isinstance(after, Link) and holds(after)}
            self._with[holds] = ids.difference(one for one, _ in links) | now

    def _annotations_in(self, edit: Edit) -> Container[str]:
        """Ids of annotations there are, and of those that the edit takes away."""
        removed = {change.subject.id for change in edit.changes if isinstance(change.subject, Annotation)}
        return removed | self.design.annotations.keys()

    def _forget_captions(self, subject: Module | Settings) -> None:
        if isinstance(subject, Settings):
            self._captions.clear()
        else:
            self._forget_caption(subject.device_id)

    def _forget_caption(self, device_id: str) -> None:
        row = self.row_of.get(device_id)
        if row is not None:
            self._captions.pop(row, None)
            self._port_counts.forget(row)

    def _follow_links(self, removed: list[Link], new: list[Link]) -> None:
        if len(new) > READ_AFRESH:
            self._read_links()
        else:
            self._swap_links(removed, new)

    def _follow_boxes(self, boxes: "_Boxes", removed: list[Link], new: list[Link]) -> None:
        if boxes.only_came_and_went(self.row_of) and len(new) <= READ_AFRESH:
            self._swap_links(removed, ())
            self._swap_boxes(boxes)
            self._swap_links((), new)
            self._read_containers()
        else:
            self._read_boxes()

    def _note_device(self, change: Change) -> Touched:
        before, after = change.before, change.after
        if not (isinstance(before, Device) and isinstance(after, Device)):
            return Touched.BOXES
        self._forget_caption(after.id)
        if _nature(before) != _nature(after):
            return Touched.BOXES
        return Touched.TEXTS | (Touched.CONTAINERS if before.group_id != after.group_id else Touched.NOTHING)

    def _place(self, change: Change) -> Touched:
        before, after = change.before, change.after
        subject = change.subject
        if subject.id not in self.design.devices and subject.id not in self.row_of:
            return Touched.CONTAINERS | Touched.PLACES
        row = self.row_of.get(subject.id)
        if row is None or not isinstance(before, Placement) or not isinstance(after, Placement):
            return Touched.BOXES
        self.centres[row] = after.x, after.y
        if (before.rack_id, before.unit, before.locked) != (after.rack_id, after.unit, after.locked):
            self._captions.pop(row, None)
        return Touched.PLACES | (Touched.CONTAINERS if before.rack_id != after.rack_id else Touched.NOTHING)

    def _note_link(self, change: Change, removed: list[Link], new: list[Link]) -> Touched:
        before, after = change.before, change.after
        if isinstance(before, Link) and isinstance(after, Link) and _is_drawn_alike(before, after):
            texts = Touched.NOTHING if only_bends_differ(before, after) else Touched.TEXTS
            return texts if before.bends == after.bends else texts | Touched.PLACES
        for link, heap in ((before, removed), (after, new)):
            if isinstance(link, Link):
                heap.append(link)
                for end in (link.a, link.b):
                    self._forget_caption(end.device_id)
        return Touched.LINKS | Touched.TEXTS

    def _swap_boxes(self, boxes: "_Boxes") -> None:
        """Take out and put in rows of boxes that no link row leads to."""
        removed = sorted(self.row_of[one] for one in boxes.removed if one in self.row_of)
        if removed:
            before, self.device_ids = self.device_ids, []
            for first, row in pairwise((-1, *removed, len(before))):
                self.device_ids += before[first + 1 : row]
            self._move_ends(-np.searchsorted(removed, np.arange(len(before))))
            self.centres, self.kinds = np.delete(self.centres, removed, axis=0), np.delete(self.kinds, removed)
            self.types = np.delete(self.types, removed)
        placements = self.design.placements
        new = sorted((one for one in boxes.came if one in placements and self._shown(one)), key=order_key)
        if new:
            at = [bisect_left(self.device_ids, order_key(one), key=order_key) for one in new]
            self._move_ends(np.searchsorted(at, np.arange(len(self.device_ids)), side="right"))
            for shift, (place, one) in enumerate(zip(at, new, strict=True)):
                self.device_ids.insert(place + shift, one)
            centres = [(placements[one].x, placements[one].y) for one in new]
            self.centres = np.insert(self.centres, at, centres, axis=0)
            kinds, types = self._kinds_and_types(new)
            self.kinds, self.types = np.insert(self.kinds, at, kinds), np.insert(self.types, at, types)
        self._number_boxes()

    def _move_ends(self, shift: NDArray[np.int64]) -> None:
        """Rows of boxes are others now, by so many each."""
        self.ends = (self.ends + shift[self.ends]).astype(np.int32)

    def _swap_links(self, removed: Iterable[Link], new: Iterable[Link]) -> None:
        rows = sorted(self.link_rows(link.id for link in removed).values())
        if rows:
            self.ends = np.delete(self.ends, rows, axis=0)
            self.link_ids, before = [], self.link_ids
            for first, row in pairwise((-1, *rows, len(before))):
                self.link_ids += before[first + 1 : row]
        row_of = self.row_of
        drawn = [
            link
            for link in new
            if link.a.device_id in row_of and link.b.device_id in row_of and link.id in self.design.links
        ]
        if drawn:
            drawn.sort(key=lambda link: order_key(link.id))
            at = [bisect_left(self.link_ids, order_key(link.id), key=order_key) for link in drawn]
            ends = [(row_of[link.a.device_id], row_of[link.b.device_id]) for link in drawn]
            self.ends = np.insert(self.ends, at, np.array(ends, np.int32), axis=0)
            for shift, (place, link) in enumerate(zip(at, drawn, strict=True)):
                self.link_ids.insert(place + shift, link.id)
        self._link_row_of = self._ids_of_loads = None


def _runs_otherwise(change: Change) -> bool:
    """Whether links are to run another way than before."""
    before, after = change.before, change.after
    return isinstance(before, Settings) and isinstance(after, Settings) and before.link_lines != after.link_lines


def _only_collapses(change: Change) -> bool:
    """Whether a group or rack is but collapsed or expanded, which moves and renames nothing."""
    before, after = change.before, change.after
    if isinstance(before, Group) and isinstance(after, Group):
        return replace(before, is_collapsed=after.is_collapsed, collapsed_roles=after.collapsed_roles) == after
    if isinstance(before, Rack) and isinstance(after, Rack):
        return replace(before, is_collapsed=after.is_collapsed) == after
    return False


_TOUCHED_BY: dict[type, Touched] = {
    Group: Touched.CONTAINERS,
    Rack: Touched.CONTAINERS,
    Annotation: Touched.NOTES,
    AnnotationStyle: Touched.NOTES | Touched.TEXTS,  # links have them too
}
"""What any change of these records touches."""


def _without_hidden(design: Design, links: Iterable[str], shared: set[str], hidden: Collection[str]) -> Iterable[str]:
    """The links without those that carry hidden networks alone, at switches that are shared with ones shown."""
    if not shared:
        return links
    table = design.links
    at_one = {i for i, link in table.items() if link.a.device_id in shared or link.b.device_id in shared}
    return [one for one in links if one not in at_one or not is_link_hidden(design, table[one], hidden)]


def _nature(device: Device) -> tuple[object, ...]:
    """What decides how a device is drawn, and with which layers."""
    return device.type_id, device.role, device.network, device.carries


def flags_of(ids: frozenset[str], of: list[str]) -> NDArray[np.bool_]:
    """A flag for each of a list that is among the ids: in its order, which is quicker than in theirs for very many."""
    return np.fromiter(map(ids.__contains__, of), np.bool_, len(of))


@dataclass
class _Boxes:
    """What an edit does to the boxes: ids of devices that come and go, with or without a place."""

    came: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    placed: set[str] = field(default_factory=set)
    unplaced: set[str] = field(default_factory=set)
    others: bool = False
    """Whether boxes changed in any other way."""

    def note(self, change: Change, touched: Touched) -> Touched:
        if touched & Touched.BOXES:
            is_device, subject = isinstance(change.subject, Device), change.subject
            if change.before is None and isinstance(subject, Device | Placement):
                (self.came if is_device else self.placed).add(subject.id)
            elif change.after is None and isinstance(subject, Device | Placement):
                (self.removed if is_device else self.unplaced).add(subject.id)
            else:
                self.others = True
        return touched

    def note_type(self, change: Change) -> Touched:
        """A type that is another now changes the boxes of its devices; one that comes or goes changes none."""
        if isinstance(change.subject, NOT_DRAWN) or change.before is None or change.after is None:
            return Touched.NOTHING
        return self.note(change, Touched.BOXES)

    def only_came_and_went(self, drawn: Container[str]) -> bool:
        """Whether a few devices came or went with their places and nothing else did."""
        if self.others or self.came & self.removed or len(self.came) + len(self.removed) > LOOKED_UP:
            return False
        return self.placed <= self.came and {one for one in self.unplaced if one in drawn} <= self.removed


def _is_drawn_alike(before: Link, after: Link) -> bool:
    """Whether a link leads from and to the same ports, through the same circuit switch if any."""
    if (before.a, before.b) != (after.a, after.b):
        return False
    return before.fields == after.fields or circuit_switch(before) == circuit_switch(after)

"""A projection in which one box stands for many devices, and what leads from box to box for all their links."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.captions import Caption, word_of_kind
from designer.drawing.folding.folds import (
    FOLDED,
    Fold,
    cards,
    edges_of,
    grown,
    parted,
    rect_of,
    rows_in_frames,
    tiers_parted,
)
from designer.drawing.heat import Heat, evened, hottest
from designer.drawing.lines import Lines, loads
from designer.drawing.projected_rows import LOOKED_UP, Rows, Touched, flags_of
from designer.drawing.projection import Projection
from designer.drawing.theme import KINDS, SERVER
from designer.graph.link_loads import LinkLoads
from designer.late import Late
from designer.model.collapsing import BoxKey, name_of
from designer.model.edit import Edit
from designer.model.entities import ROUTER_GROUPS
from designer.model.shown_text import visible_line
from designer.units import format_count, format_counted

opened = Late("designer.drawing.folding.opened")


class InnerLinks(NamedTuple):
    """Links inside boxes: those of box `boxes[i]` begin at `links[starts[i]]`."""

    links: Ints  # rows in the base
    boxes: Ints  # ascending
    starts: Ints


class Seen(NamedTuple):
    """From how far folds are seen, pixels per canvas unit, and what they are before any is divided into parts."""

    scale: float
    wholes: tuple[Fold, ...]


class FoldedProjection(Projection):
    """Boxes of the devices that are drawn themselves, then one for each fold. Links inside a fold are not drawn."""

    def __init__(self, base: Projection, folds: tuple[Fold, ...], seen: Seen | None = None) -> None:
        self.base, self.folds = base, folds
        self.is_of_scale = False
        """Whether some boxes are as large as words are at that scale: it is rebuilt for another one."""
        self.design, self.hidden = base.design, base.hidden
        hides: Flags = np.zeros(len(base.device_ids), np.bool_)
        for fold in folds:
            hides[fold.rows] = True
        own = np.flatnonzero(~hides)
        self.n_own = len(own)
        """Boxes of single devices; those of folds come after them."""
        self.row_now: Ints = np.empty(len(base.device_ids), np.int64)
        """The row here of each row of the base."""
        self.row_now[own] = np.arange(len(own))
        for number, fold in enumerate(folds):
            self.row_now[fold.rows] = len(own) + number
        self._take_boxes(own, seen)
        self._take_links(hides)
        self._take_frames(hides)
        self._captions = {}
        self._models: dict[BoxKey, str] = {}
        self._devices: dict[int, str] = {}
        self._lines: tuple[Lines, Lines] | None = None
        self._loads: list[tuple[LinkLoads | None, LinkLoads]] = []
        self.hot_known: tuple[object, Any] | None = None
        """The heat that hot links inside were last asked for with, and the answer: a picture moves in many frames."""
        self.inner_known: tuple[object, Floats] | None = None
        """The same of the loads inside."""

    def whole(self) -> Projection:
        """The projection with every device in a box of its own."""
        return self.base.whole()

    def whole_links(self, links: Ints) -> Ints:
        """The rows of these links in the whole projection."""
        return self.base.whole_links(self.link_rows_of_base[links])

    def _take_boxes(self, own: Ints, seen: Seen | None) -> None:
        base, folds = self.base, self.folds if seen is None else seen.wholes
        self.device_ids = [base.device_ids[row] for row in own.tolist()]
        self.device_ids += [str(fold.key) for fold in self.folds]
        self.row_of = dict(zip(self.device_ids, range(len(self.device_ids)), strict=True))
        edges = edges_of(base)
        rects = np.array([rect_of(edges, fold) for fold in folds]).reshape(-1, 4)
        singles = np.hstack((base.centres[own], base.sizes[own]))
        framed = {frame.id for frame in base.groups}
        if seen is not None:
            framed.difference_update(fold.key.id for fold in folds if fold.by_hand)
        rects = grown(cards(rects, singles, folds), singles, folds, framed)
        rects = tiers_parted(rects, singles, folds, framed if seen is not None else ())
        rects = parted(rects, singles, folds)
        if seen is not None and any(fold.is_role and fold.key.id in framed for fold in folds):
            at = self.row_now.copy()
            for row, fold in enumerate(folds, start=len(own)):
                at[fold.rows] = row
            inside = {one: np.unique(at[rows]) for one, rows in rows_in_frames(base).items()}
            around = [inside[frame.id] for frame in base.groups if frame.kind in ROUTER_GROUPS]
            inside = {one: rows for one, rows in inside.items() if one in framed}
            self.is_of_scale = True
            rects, singles = opened.framed_apart(rects, singles, folds, inside, seen.scale, around)
        if folds is not self.folds:
            rects = opened.in_parts(rects, folds, self.folds)
        self.centres = np.concatenate((singles[:, :2], rects[:, :2]))
        self.sizes = np.concatenate((singles[:, 2:], rects[:, 2:]))
        self.kinds = np.concatenate((base.kinds[own], np.full(len(self.folds), FOLDED, np.int8))).astype(np.int8)

    def _take_links(self, hides: Flags) -> None:
        base = self.base
        ends = self.row_now[base.ends].astype(np.int32)
        inside = (ends[:, 0] == ends[:, 1]) & hides[base.ends[:, 0]] if len(ends) else np.zeros(0, np.bool_)
        self.link_rows_of_base: Ints = np.flatnonzero(~inside)
        """The row in the base of each link here."""
        self.inner_links: Ints = np.flatnonzero(inside)
        """Rows in the base of the links inside folds."""
        self.ends = ends[self.link_rows_of_base]
        self.link_ids = [base.link_ids[row] for row in self.link_rows_of_base.tolist()]
        self._link_row_of = None

    def _take_frames(self, hides: Flags) -> None:
        """The frames that are left: those that hold a device that is drawn, and are not boxes themselves."""
        base, boxed = self.base, {fold.key.id for fold in self.folds if not fold.key.role}
        inside = boxed.union(*(frame.rack_ids for frame in base.groups if frame.id in boxed))
        self.racks = tuple(
            replace(frame, rows=self._rows_now(frame.rows))
            for frame in base.racks
            if frame.id not in inside and not (frame.rows and hides[list(frame.rows)].all())
        )
        left = {frame.id for frame in self.racks}
        groups = []
        for frame in base.groups:
            if frame.id in boxed:
                continue
            rows = self._rows_now(frame.rows)
            if len(rows) == 1 and rows[0] >= self.n_own and not self.folds[rows[0] - self.n_own].key.role:
                continue  # inside a box, or around a single one
            groups.append(replace(frame, rows=rows, rack_ids=tuple(one for one in frame.rack_ids if one in left)))
        self.groups = tuple(groups)

    def _rows_now(self, rows: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(np.unique(self.row_now[list(rows)]).tolist()) if rows else ()

    # -- what a box stands for ------------------------------------------------------------------------------------

    def fold_at(self, row: int) -> Fold | None:
        """What the box of that row stands for; None for a device."""
        return self.folds[row - self.n_own] if row >= self.n_own else None

    def ids_at(self, row: int) -> tuple[str, ...]:
        """What a click on that box selects: the device, the group or rack, or all devices of the role."""
        fold = self.fold_at(row)
        if fold is None:
            return (self.device_ids[row],)
        return tuple(self.members_at(row)) if fold.key.role else (fold.key.id,)

    def box_of(self, entity_id: str) -> int | None:
        """The row of the box that a device is in or that a group or rack is; None where it is not drawn."""
        row = self.row_of.get(entity_id)
        if row is None:
            before = self.base.row_of.get(entity_id)
            return None if before is None else int(self.row_now[before])
        return row

    def boxes_of(self, ids: frozenset[str]) -> list[int]:
        """The rows of the boxes that any of these are drawn in, ascending, each once."""
        found = super().boxes_of(ids)
        if len(ids) > LOOKED_UP:
            inside = self.row_now[flags_of(ids, self.base.device_ids)]
            found = np.union1d(np.array(found, np.int64), inside).tolist()
        return found

    def box_of_link(self, link_id: str) -> int | None:
        """The row of the box that a link is inside of; None where it is drawn, or nowhere."""
        link_row = self.base.link_row(link_id)
        if link_row is None:
            return None
        a, b = self.row_now[self.base.ends[link_row]].tolist()
        return a if a == b and a >= self.n_own else None

    def members_at(self, row: int) -> list[str]:
        """The devices that a box stands for."""
        fold = self.fold_at(row)
        rows = [] if fold is None else fold.rows.tolist()
        return [self.base.device_ids[one] for one in rows] if rows else [self.device_ids[row]]

    def share_at(self, row: int, ids: Sequence[str]) -> str:
        """How many of its devices of one kind these are: "1 of 16 spines"; "" where they are not of one kind."""
        fold, rows = self.fold_at(row), [self.base.row_of.get(one, -1) for one in ids]
        kinds = np.unique(self.base.kinds[rows]).tolist() if rows and min(rows) >= 0 else []
        if fold is None or len(kinds) != 1 or kinds[0] not in range(len(KINDS)):
            return ""
        return f"{format_count(len(rows))} of {_counted(self.base, fold.rows, kinds[0])}"

    def title_at(self, row: int) -> str:
        """The name of a box: of the device, group or rack, or which devices of a role it stands for."""
        if self.is_single(row):
            return super().title_at(row)
        fold = self.folds[row - self.n_own]
        is_whole_role = fold.is_role and not fold.name
        return self.devices_at(row) if is_whole_role else fold.name or name_of(self.design, fold.key)

    def models_at(self, row: int) -> str:
        """The models of what a box stands for, servers first, as "DGX H100 · QM9700"; "" where they are many."""
        fold = self.fold_at(row)
        if fold is None:
            return ""
        if fold.key not in self._models:
            self._models[fold.key] = models_of(self.base, fold.rows)
        return self._models[fold.key]

    def devices_at(self, row: int) -> str:
        """The devices that a box stands for by kind, in words; remembered, as their loads change many times."""
        if row not in self._devices:
            self._devices[row] = devices_of(self.base, self.folds[row - self.n_own].rows)
        return self._devices[row]

    def loads_of_base(self, known: LinkLoads | None) -> LinkLoads:
        """Load of each link of the base, row by row; the two last asked for are remembered."""
        found = next((of_base for one, of_base in self._loads if one is known), None)
        if found is None:
            found = loads(self.base, known)
            self._loads = [*self._loads[-1:], (known, found)]
        return found

    def hottest_of_base(self, heat: Heat, *, alike: bool = False) -> Ints:
        """Rows in the base of its hot links, in the order of `Heat.hottest`, or `Heat.hottest_alike`."""
        drawn = self.loads_of_base(heat.drawn)
        if drawn is heat.drawn:
            return heat.hottest_alike if alike else heat.hottest
        demands = self.loads_of_base(heat.demands).busier
        return hottest(drawn.busier, evened(demands) if alike else demands)

    @cached_property
    def link_row_now(self) -> Rows:
        """The row here of each link of the base; -1 of those inside folds."""
        now = np.full(len(self.base.link_ids), -1, np.int32)  # half as long as rows mostly are: read in any order
        now[self.link_rows_of_base] = np.arange(len(self.link_ids))
        return now

    @cached_property
    def box_of_inner_link(self) -> Rows:
        """The row of the box that each link of the base is inside of; -1 of those that are drawn."""
        boxes = np.full(len(self.base.link_ids), -1, np.int32)
        boxes[self.inner_links] = self.row_now[self.base.ends[self.inner_links, 0]]
        return boxes

    @cached_property
    def inner_by_box(self) -> InnerLinks:
        """The links inside folds, box after box."""
        boxes = self.box_of_inner_link[self.inner_links].astype(np.int64)
        order = np.argsort(boxes, kind="stable")
        found, starts = np.unique(boxes[order], return_index=True)
        return InnerLinks(self.inner_links[order], found, starts)

    def caption(self, row: int) -> Caption:
        """What a box says: of a fold its name, its devices by kind, and the ports of its switches.

        NICs at the other ends of their links would count twice: those of servers count where there is no switch.
        """
        fold = self.fold_at(row)
        if fold is None:
            return self.base.caption(self.base.row_of[self.device_ids[row]])
        found = self._captions.get(row)
        if found is None:
            found = self._captions[row] = self._summed(fold)
        return found

    def _summed(self, fold: Fold) -> Caption:
        switches = fold.rows[self.base.kinds[fold.rows] != SERVER]
        counts = self.base.port_counts(switches if len(switches) else fold.rows)
        return Caption(fold.name or name_of(self.design, fold.key), fold.kind, *counts)

    @cached_property
    def managed_of_base(self) -> dict[int, int]:
        """As `managed_switches`, by the rows of the base."""
        return self.base.managed_switches()

    def managed_switches(self) -> dict[int, int]:
        """The rows of links by which switches that are drawn themselves are managed, each with the switch's row."""
        managed, now = self.managed_of_base, self.link_row_now
        found = {int(now[link]): int(self.row_now[switch]) for link, switch in managed.items()}
        return {link: switch for link, switch in found.items() if link >= 0 and switch < self.n_own}

    def lines_of_base(self, lines: Lines) -> Lines:
        """Lines of this projection with the rows that links have in the base; the last ones are remembered."""
        if self._lines is None or self._lines[0] is not lines:
            self._lines = lines, replace(lines, links=self.link_rows_of_base[lines.links])
        return self._lines[1]

    # -- keeping up -----------------------------------------------------------------------------------------------

    def follow(self, edit: Edit) -> Touched:
        """A folded projection is rebuilt by whoever folded it."""
        raise NotImplementedError

    def link_rows(self, ids: Iterable[str]) -> dict[str, int]:
        """The rows of those that are links and drawn, by id; devices inside folds are no links."""
        return super().link_rows(one for one in ids if one not in self.base.row_of)

    def shifted(self, shifts: Mapping[str, tuple[float, float]]) -> dict[int, tuple[float, float]]:
        """How far each box moves, by row: that of a fold as its first device does."""
        moves = super().shifted(shifts)
        for number, fold in enumerate(self.folds):
            by = shifts.get(self.base.device_ids[int(fold.rows[0])])
            if by is not None:
                moves[self.n_own + number] = by
        return moves


def folded(base: Projection, folds: tuple[Fold, ...]) -> Projection:
    """The projection with these folds; itself where there are none."""
    return FoldedProjection(base, folds) if folds else base


MOST_MODELS = 3


def models_of(projection: Projection, rows: Ints) -> str:
    """The models of devices, servers first, as "DGX H100 · QM9700"; "" of more than MOST_MODELS."""
    design, order = projection.design, rows[np.argsort(projection.kinds[rows] != SERVER, kind="stable")]
    numbers, first = np.unique(projection.types[order], return_index=True)
    types = map(projection.type_ids.__getitem__, numbers[np.argsort(first)].tolist())
    models = dict.fromkeys(visible_line(getattr(design.types[one], "model", "")) for one in types)
    return " · ".join(models) if len(models) <= MOST_MODELS else ""


def devices_of(projection: Projection, rows: Ints) -> str:
    """Devices by kind, in words: "32 servers, 8 leaf switches"."""
    kinds = np.unique(projection.kinds[rows]).tolist()
    return ", ".join(_counted(projection, rows, kind) for kind in kinds if kind in range(len(KINDS)))


def _counted(projection: Projection, rows: Ints, kind: int) -> str:
    """The devices of that kind among those of these rows: "32 hosts"."""
    ids = [projection.device_ids[row] for row in rows[projection.kinds[rows] == kind].tolist()]
    return format_counted(len(ids), word_of_kind(projection.design, kind, ids))

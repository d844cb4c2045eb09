"""Two designs compared: what was added, removed, renamed, moved, rewired and changed from one to the other.

Records are taken for the same by their ids, which edits never change, then by their names, then by their cables. Where
the boxes of devices are on the canvas is layout and no difference; where an annotation is counts, unless it just went
along with what it is pinned to. Of alternatives, links between the same devices are the same: what the program gives by
itself, ports, cable numbers, lengths and cables, is no difference.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar

from designer.analysis.counterparts.aligned import Alignment
from designer.analysis.counterparts.titles import title_of
from designer.analysis.record_texts import (
    canvas_text,
    field_title,
    floor_text,
    rack_text,
    size_text,
    tip_text,
    value_text,
)
from designer.late import Late
from designer.model import annotating
from designer.model.annotation import Annotation
from designer.model.design import Design
from designer.model.difference import difference
from designer.model.edit import Change
from designer.model.entities import TABLE_OF, Entity, Link, Placement, Rack, order_key
from designer.model.fixture import Fixture
from designer.model.shown_text import visible_line
from designer.placement import floor
from designer.tables.columns import Column, Columns
from designer.units import format_counted

alignments = Late("designer.analysis.counterparts.alignment")

ADDED, REMOVED, RENAMED, MOVED = "added", "removed", "renamed", "moved"
RESIZED, REWIRED, MISWIRED, CHANGED = "resized", "rewired", "miswired", "changed"
DESIGN = "design"
"""What records of the settings of a design are called, of which there is one."""

KINDS: Mapping[str, str] = {
    "settings": DESIGN,
    "groups": "group",
    "racks": "rack",
    "devices": "device",
    "modules": "module",
    "links": "link",
    "fixtures": "fixture",
    "annotations": "annotation",
    "annotation_styles": "annotation style",
    "bookmarks": "bookmark",
    "jobs": "job",
    "waivers": "waiver",
    "revisions": "revision",
    "types": "type",
}
"""What the records of each table are called, in the order in which they are listed."""

SOURCE_OF = {"length_source": "length_m", "medium_source": "medium_id"}
"""What a field says the origin of."""
NOT_COMPARED = frozenset(
    ("is_collapsed", "is_locked", "collapsed_roles", "layout", "recipe", "last_cable", "digest", "plan", "design")
)
"""Fields about how a design is shown, or how it was made."""
_ENDS, _PLACE, _SIZE = frozenset(("a", "b")), frozenset(("x_m", "y_m", "facing")), frozenset(("dx", "dy"))
_TIP = frozenset(("tip_dx", "tip_dy"))
ROUNDED = 0.05
"""Units of the floor plan: places on it are kept to a tenth of a millimeter."""
_TYPED = "typed"
"""The source of what a person stated."""
SHOWN_MOST = 50
"""Characters of a value where people read it in a table."""
_Row = tuple[str, str, str, str]
"""The change, what changed, and how that was before and is after."""


def _in_line(text: str) -> str:
    return visible_line(text if len(text) <= SHOWN_MOST else f"{text[: SHOWN_MOST - 1]}…")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same in both designs. `before` and `after` are "" where there is nothing to say."""

    kind: str
    name: str
    change: str
    what: str = ""
    before: str = ""
    after: str = ""
    id: str = field(default="", compare=False)
    """Of the record in the earlier design, or in the aligned one where it was added."""

    COLUMNS: ClassVar[Columns] = (
        Column("change", "Change"),
        Column("kind", "Kind"),
        Column("name", "Name", text=visible_line),
        Column("what", "What"),
        Column("before", "Before", text=_in_line),
        Column("after", "After", text=_in_line),
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences from one design to another, kind by kind, in the order of ids."""

    differences: tuple[Difference, ...]
    counts: Mapping[tuple[str, str], int]
    """How many things of a kind have such a change: by kind and change."""
    alignment: Alignment
    """The later design, under ids of the earlier one."""
    alternatives: str = ""
    """By which rule the designs are alternatives, as sentences; "" of versions of one."""

    @property
    def summary(self) -> str:
        """ "2 devices added, 1 annotation moved"; "no differences"."""
        of_design = itertools.takewhile(lambda row: row.kind == DESIGN, self.differences)
        return summary(self.counts, sum(row.change == CHANGED for row in of_design))


def summary(counts: Mapping[tuple[str, str], int], n_fields: int = 0) -> str:
    """ "design renamed, 6 fields of the design changed, 2 devices added"; "no differences".

    `n_fields` counts the fields of the design itself that changed, a row each.
    """
    parts = []
    for (kind, change), count in counts.items():
        if kind != DESIGN:
            parts.append(f"{format_counted(count, kind)} {change}")
        elif change == CHANGED and n_fields > 1:
            parts.append(f"{format_counted(n_fields, 'field')} of the design {change}")
        else:
            parts.append(f"{kind} {change}")
    return ", ".join(parts) or "no differences"


def compare(
    before: Design,
    after: Design,
    progress: Callable[[float], None] = lambda _share: None,
    *,
    are_versions: bool = False,
) -> Comparison:
    """What is not the same in the second design as in the first, which may be an alternative. May raise Cancelled.

    That comes of `progress`. Of versions it is known that they are no alternatives, however much was changed.
    """
    alignment: Alignment = alignments.align(
        before, after, lambda share: progress(0.6 * share), are_versions=are_versions
    )
    apart = bool(alignment.alternatives)
    found, counts = differences(before, alignment.design, lambda share: progress(0.6 + 0.4 * share), apart=apart)
    return Comparison(found, counts, alignment, alignment.alternatives)


def swapped(found: Comparison, design: Design, progress: Callable[[float], None] = lambda _share: None) -> Comparison:
    """The comparison from the other design to this one, which was the earlier; ids stay those of this one."""
    rows, counts = differences(found.alignment.design, design, progress, apart=bool(found.alternatives))
    return replace(found, differences=rows, counts=counts)


def differences(
    before: Design, after: Design, progress: Callable[[float], None] = lambda _share: None, *, apart: bool = False
) -> tuple[tuple[Difference, ...], Mapping[tuple[str, str], int]]:
    """The same where equal ids are the same things, and how many things of a kind have such a change.

    `apart` are alternatives, whose links have been matched by devices.
    """
    order = {table: number for number, table in enumerate(KINDS)}
    found: list[tuple[Entity, _Row]] = []
    changes = difference(before, after, "Compare").changes
    progress(0.4)
    for change in changes:
        if isinstance(change.subject, Placement):
            entity = after.entity(change.subject.id)
            if entity is not None and before.entity(entity.id) is not None:
                found += ((entity, row) for row in _moved(entity, change, before, after))
        else:
            found += ((change.subject, row) for row in _rows(change, before, after, apart))
    found = _with_rows(found, before, after)
    found.sort(key=lambda pair: (order[TABLE_OF[type(pair[0])]], order_key(pair[0].id)))
    progress(0.8)
    crossed = _crossed(before, changes)
    made, things = [], dict[tuple[str, str, str], None]()
    for entity, (verb, what, was, now) in found:
        kind = KINDS[TABLE_OF[type(entity)]]
        change_made = MISWIRED if verb == REWIRED and entity.id in crossed else verb
        name = title_of(before if change_made == REMOVED else after, entity)
        made.append(Difference(kind, name, change_made, what, was, now, entity.id))
        things[kind, change_made, entity.id] = None
    return tuple(made), Counter((kind, change_made) for kind, change_made, _id in things)


def _with_rows(found: list[tuple[Entity, _Row]], before: Design, after: Design) -> list[tuple[Entity, _Row]]:
    """What was found, with rows of racks as documents call them; not where only the letter they had was kept."""
    if not any(isinstance(entity, Rack) and row[1] == "row" for entity, row in found):
        return found
    was, now = ({one: row.name for row in floor.rows(design) for one in row.rack_ids} for design in (before, after))
    listed = list[tuple[Entity, _Row]]()
    for entity, row in found:
        if isinstance(entity, Rack) and row[1] == "row":
            names = was.get(entity.id, ""), now.get(entity.id, "")
            listed += [(entity, (*row[:2], *names))] if names[0] != names[1] else []
        else:
            listed.append((entity, row))
    return listed


def _crossed(before: Design, changes: Sequence[Change]) -> frozenset[str]:
    """Ids of links that have come to a port which another link, that is still there, had before."""
    rewired = {now.id: now for now in (change.after for change in changes if change.before) if isinstance(now, Link)}
    crossed = set[str]()
    for now in rewired.values():
        was = before.links[now.id]
        for end in {now.a, now.b} - {was.a, was.b}:
            others = (one for one in before.links_at(end) if one != now.id and one in rewired)
            if any(end not in (rewired[one].a, rewired[one].b) for one in others):
                crossed.add(now.id)
    return frozenset(crossed)


def _rows(change: Change, before: Design, after: Design, apart: bool) -> Iterator[_Row]:
    """What became of a record that is no placement."""
    was, now = change.before, change.after
    if was is None or now is None:
        yield (REMOVED if now is None else ADDED, "", "", "")
        return
    changed = [field.name for field in fields(now) if getattr(was, field.name) != getattr(now, field.name)]
    left = [name for name in changed if name not in NOT_COMPARED]
    if apart and isinstance(was, Link) and isinstance(now, Link):
        left = [name for name in left if name not in _by_itself(was, now)]
    if isinstance(was, Link) and isinstance(now, Link) and _ENDS & set(left):
        if {was.a, was.b} != {now.a, now.b}:
            yield REWIRED, "ends", title_of(before, was), title_of(after, now)
        left = [name for name in left if name not in _ENDS]
    if isinstance(now, Rack | Fixture | Annotation) and _PLACE & set(left):
        if not _went_with_rack(was, now, before, after):
            yield MOVED, "place", floor_text(was), floor_text(now)
        left = [name for name in left if name not in _PLACE]
    if isinstance(now, Annotation) and _SIZE & set(left):
        yield RESIZED, "size", size_text(was), size_text(now)
        left = [name for name in left if name not in _SIZE]
    if isinstance(now, Annotation) and _TIP & set(left):
        yield MOVED, "tip", tip_text(was), tip_text(now)
        left = [name for name in left if name not in _TIP]
    for name in left:
        if SOURCE_OF.get(name) in left:  # where a value came from that is another one now
            continue
        texts = value_text(before, was, name), value_text(after, now, name)
        yield (RENAMED, "name", *texts) if name == "name" else (CHANGED, field_title(name), *texts)


def _by_itself(was: Link, now: Link) -> set[str]:
    """The fields of a link that the program gives: its ports and number, and what nobody typed."""
    found = {"a", "b", "cable"}
    for source, name in SOURCE_OF.items():
        if _TYPED not in (getattr(was, source), getattr(now, source)):
            found |= {source, name}
    return found


def _moved(entity: Entity, change: Change, before: Design, after: Design) -> Iterator[_Row]:
    """Where something went: in racks, or an annotation on the canvas."""
    was, now = change.before, change.after
    if not isinstance(entity, Annotation):
        texts = rack_text(before, was), rack_text(after, now)
        if texts[0] != texts[1]:
            yield (MOVED, "rack unit", *texts)
    elif isinstance(was, Placement) and isinstance(now, Placement):
        texts = canvas_text(was), canvas_text(now)
        if texts[0] != texts[1] and not _went_along(entity, was, now, before, after):
            yield (MOVED, "place", *texts)


def _went_with_rack(was: Entity, now: Entity, before: Design, after: Design) -> bool:
    """Whether it is an annotation that moved on the floor just as the rack that it is pinned to did."""
    if not (isinstance(was, Annotation) and isinstance(now, Annotation)):
        return False
    old, new = (annotating.on_plan(design, now.pinned_to) for design in (before, after))
    here, there = annotating.place_of(before, was), annotating.place_of(after, now)
    if old is None or new is None or here is None or there is None:
        return False
    apart = abs((there.x - here.x) - (new[0] - old[0])) + abs((there.y - here.y) - (new[1] - old[1]))
    return apart < ROUNDED


def _went_along(note: Annotation, was: Placement, now: Placement, before: Design, after: Design) -> bool:
    """Whether it moved just as the device that it is pinned to did."""
    old, new = before.placements.get(note.pinned_to), after.placements.get(note.pinned_to)
    if old is None or new is None:
        return False
    apart = abs((now.x - was.x) - (new.x - old.x)) + abs((now.y - was.y) - (new.y - old.y))
    return apart < 1e-6

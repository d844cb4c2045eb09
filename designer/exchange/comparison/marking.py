"""A comparison on the drawing: the design together with what only the other side has, and a color for each change."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from designer.analysis import comparing
from designer.analysis.comparing import Comparison
from designer.drawing.colour_by import ColourClass, Marks
from designer.drawing.folding import differing
from designer.drawing.palette import PLAIN, Colour
from designer.exchange.as_built import fault as faults
from designer.exchange.as_built.fault import AsBuilt
from designer.exchange.comparison.compared import Compared, Marked
from designer.exchange.comparison.standing import standing
from designer.model.collapsing import holders
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.entities import Device, Entity, Link

WIDE = 2.0
TITLE = "Difference"
_BLUE, _ORANGE, _TEAL, _VIOLET, _BROWN, _LILAC, _OCHRE = range(7)
"""Places in the palette."""


def _classes(
    none: str, *rows: tuple[str, Colour, tuple[str, ...]]
) -> tuple[tuple[ColourClass, ...], Mapping[str, int]]:
    """Classes of lines and boxes from the least to the one that counts where several are in one line.

    The first, `none`, is of what has no change. Also the number of the class of each word of a comparison.
    """
    classes = (ColourClass(none, PLAIN), *(ColourClass(title, colour, WIDE) for title, colour, _ in rows))
    return classes, {word: number for number, (*_, words) in enumerate(rows, start=1) for word in words}


CHANGES, _OF_CHANGE = _classes(
    "The same in both",
    (
        "Changed, moved or renamed",
        _BLUE,
        (comparing.RENAMED, comparing.MOVED, comparing.RESIZED, comparing.CHANGED),
    ),
    ("Rewired", _ORANGE, (comparing.REWIRED,)),
    ("Miswired", _VIOLET, (comparing.MISWIRED,)),
    ("Added", _TEAL, (comparing.ADDED,)),
    ("Removed", _BROWN, (comparing.REMOVED,)),
)
FAULTS, _OF_FAULT = _classes(
    "As planned",
    ("Wrong speed", _OCHRE, (faults.WRONG_SPEED,)),
    ("Extra", _TEAL, (faults.EXTRA,)),
    ("Wrong port", _LILAC, (faults.WRONG_PORT,)),
    ("Swapped", _ORANGE, (faults.SWAPPED,)),
    ("Wrong rail", _VIOLET, (faults.WRONG_RAIL,)),
    ("Dead end", _BLUE, (faults.DEAD, faults.NOT_FOUND)),
    ("Missing", _BROWN, (faults.MISSING,)),
)


def marked_changes(design: Design, found: Comparison, names: tuple[str, str] | None = None) -> Marked:
    """How the other design differs, on this one. Links that were rewired lead to where they went, too.

    With the names of both, classes say what is in which.
    """
    classes, of_change = (
        (CHANGES, _OF_CHANGE) if names is None else _alternatives(names) if found.alternatives else _versions(names)
    )
    other = found.alignment.design
    new = standing(design, other, _new_records(design, other))
    codes: dict[str, int] = {}
    for row in found.differences:
        _raise_to(codes, row.id, of_change[row.change])
        module = design.modules.get(row.id) or other.modules.get(row.id)
        if module is not None:
            _raise_to(codes, module.device_id, 1)
    wired = [(one.id, other.links[one.id]) for one in found.differences if one.change in _MOVED_LINKS]
    links = _numbered(design, other, [link for _, link in wired])
    codes.update((link.id, codes[one]) for (one, _), link in zip(wired, links, strict=True))
    edit = Edit("Add the other design", added([*new, *links]))
    signs = dict.fromkeys(range(1, len(classes)), differing.CHANGED) | {
        of_change[comparing.ADDED]: differing.ADDED,
        of_change[comparing.REMOVED]: differing.REMOVED,
    }
    ghosts = _ghosts(codes, (*new, *links), Link), _ghosts(codes, new, Device)
    marks = differing.Differences(TITLE, classes, codes, *ghosts, signs, _outside(design, new, edit))
    return Marked(marks, edit, of_change)


def _outside(design: Design, new: Iterable[Entity], edit: Edit) -> Mapping[str, tuple[str, ...]]:
    """By id of devices that only the other design has, the boxes that they would be in, outermost first."""
    ids = [one.id for one in new if isinstance(one, Device)]
    if not ids:
        return {}
    made = design.snapshot()
    made.apply(edit)
    return {one: tuple(map(str, holders(made, one))) for one in ids if one in made.placements}


def _ghosts(codes: Mapping[str, int], new: Iterable[Entity], kind: type[Entity]) -> frozenset[int]:
    """The classes of devices or of links among what is new."""
    return frozenset(codes[one.id] for one in new if isinstance(one, kind) and one.id in codes)


def _versions(names: tuple[str, str]) -> tuple[tuple[ColourClass, ...], Mapping[str, int]]:
    """The classes of changes, with the design that has what was added, and that which had what was removed."""
    said = {"Added": f"Added in {names[1]}", "Removed": f"Removed from {names[0]}"}
    return tuple(replace(one, title=said.get(one.title, one.title)) for one in CHANGES), _OF_CHANGE


def _alternatives(names: tuple[str, str]) -> tuple[tuple[ColourClass, ...], Mapping[str, int]]:
    """Classes of what alternatives differ in: nobody has changed anything."""
    first, second = (f"Only in {name}" for name in names)
    there = (comparing.RENAMED, comparing.MOVED, comparing.RESIZED, comparing.CHANGED)
    return _classes(
        "The same in both",
        ("Differs", _BLUE, there),
        (second, _TEAL, (comparing.ADDED,)),
        (first, _BROWN, (comparing.REMOVED,)),
    )


def marks_of_other(compared: Compared) -> Marks:
    """The colors on the other design, by its own ids: of what it alone has, and of what is not the same in both."""
    found, marks = compared.found, compared.marked.marks
    assert isinstance(found, Comparison)
    tables = {kind: table for table, kind in comparing.KINDS.items()}
    other, back, codes = found.alignment.design, found.alignment.ids, dict[str, int]()

    def raise_to(table: str, one: str, code: int) -> None:
        _raise_to(codes, back.get(table, {}).get(one, one), code)

    for row in found.differences:
        if other.entity(row.id) is not None:
            raise_to(tables[row.kind], row.id, compared.marked.codes[row.change])
        if (module := other.modules.get(row.id)) is not None:
            raise_to("devices", module.device_id, 1)
    return replace(marks, of=codes, ghosts=frozenset(), ghost_devices=frozenset())


_MOVED_LINKS = frozenset((comparing.REWIRED, comparing.MISWIRED))


def marked_faults(design: Design, found: AsBuilt) -> Marked:
    """What was built otherwise, on the design: the planned cables, and those that were found in their place."""
    codes: dict[str, int] = {}
    built: list[tuple[int, Link]] = []
    for fault in found.faults:
        code = _OF_FAULT.get(fault.kind, 0)
        _raise_to(codes, fault.link_id or fault.device_id, code)
        is_elsewhere = fault.kind != faults.WRONG_SPEED and len(fault.ends) == 2
        if is_elsewhere and all(end.device_id in design.devices for end in fault.ends):
            built.append((code, Link("", fault.ends[0], fault.ends[1])))
    links = _numbered(design, design, [link for _, link in built])
    codes.update((link.id, code) for (code, _), link in zip(built, links, strict=True))
    codes.pop("", None)
    return Marked(
        Marks(TITLE, FAULTS, codes, _ghosts(codes, links, Link)), Edit("Add what was built", added(links)), _OF_FAULT
    )


def both(design: Design, marked: Marked) -> Design:
    """The design with what only the other side has."""
    made = design.snapshot()
    made.apply(marked.edit)
    return made


def _raise_to(codes: dict[str, int], one: str, code: int) -> None:
    codes[one] = max(code, codes.get(one, 0))


def _new_records(design: Design, other: Design) -> list[Entity]:
    """Types, groups, racks, devices with their modules and places, and links that only the other design has."""
    made: list[Entity] = [type_ for one, type_ in other.types.items() if one not in design.types]
    inside: dict[str, Entity] = {}
    for tables in ((design.groups, other.groups), (design.racks, other.racks), (design.devices, other.devices)):
        olds, news = tables
        inside.update((one, record) for one, record in news.items() if one not in olds)
    made += inside.values()
    made += (one for one in other.modules.values() if one.device_id in inside and one.id not in design.modules)
    made += (place for one, place in other.placements.items() if one in inside and one not in design.placements)
    made += (link for one, link in other.links.items() if one not in design.links)
    return made


def _numbered(design: Design, other: Design, links: Iterable[Link]) -> list[Link]:
    """The links under ids that neither design has."""
    first = max(int(one.new_ids("links", 1)[0][1:]) for one in (design, other))
    return [replace(link, id=f"l{number}") for number, link in enumerate(links, start=first)]


def places_of(design: Design, marks: Marks) -> Mapping[str, int]:
    """Classes of devices by their own and their links', and of racks by what stands in them."""
    found: dict[str, int] = {}
    for one, code in marks.of.items():
        link = design.links.get(one)
        if link is not None:
            _raise_to(found, link.a.device_id, code)
            _raise_to(found, link.b.device_id, code)
        elif one in design.devices or one in design.racks:
            _raise_to(found, one, code)
    for one in [one for one in found if one in design.devices]:
        placement = design.placements.get(one)
        if placement is not None and placement.rack_id is not None:
            _raise_to(found, placement.rack_id, found[one])
    return found

"""What is drawn of a merge: the changes coming in over the whole design, and the three versions of a conflict."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from designer.analysis.comparing import Comparison
from designer.drawing.colour_by import ColourClass, Marks
from designer.drawing.palette import PLAIN
from designer.exchange.comparison.compared import Marked
from designer.exchange.comparison.marking import both, marked_changes
from designer.model.design import Design, from_entities
from designer.model.entities import Device, Entity, Group, Link, Module, PlacedJob, Placement
from designer.model.fragments import copy_fragment
from designer.model.merging.conflicts import Conflict
from designer.model.merging.versions import SIDES, Versions
from designer.model.settings import Settings
from designer.placement.layouts.tidy import tidy

DEVICES_MOST = 8
"""In a picture of a conflict: what it is about, then neighbors while there is room."""
NEIGHBORS_MOST = 4
"""With more, names would have no room in a picture as small."""
_ORANGE, _WIDE = 1, 2.5
CONFLICT = (ColourClass("The same in all versions", PLAIN), ColourClass("In conflict", _ORANGE, _WIDE))


@dataclass(frozen=True, slots=True)
class Pictured:
    """A small design that shows one version, and what to color in it."""

    design: Design
    marks: Marks
    n_left_out: int = 0
    """Neighbors that are not drawn."""


def incoming_picture(ours: Design, found: Comparison) -> Pictured:
    """Our design with all that comes in, and what goes, in the colors of the changes."""
    marked: Marked = marked_changes(ours, found)
    return Pictured(both(ours, marked), marked.marks)


def conflict_pictures(versions: Versions, one: Conflict) -> tuple[Pictured, Pictured, Pictured] | None:
    """What the conflict is about and what is around, in the base, in ours and in theirs; boxes stand alike.

    None where it is about nothing that is drawn.
    """
    designs = (versions.base, versions.ours, versions.theirs)
    shown, n_left_out = _shown(versions, one)
    parts = [_part(design, shown) for design in designs]
    records = {(type(record), record.id): record for part in parts for record in part}
    if not any(isinstance(record, Device) for record in records.values()):
        return None
    places = _places(records.values())
    marks = Marks("Conflict", CONFLICT, dict.fromkeys(_marked(versions, one), 1))
    made = [Pictured(from_entities(_placed(part, places)), marks, n_left_out) for part in parts]
    return made[0], made[1], made[2]


def _marked(versions: Versions, one: Conflict) -> Iterator[str]:
    """Ids to color: the records themselves, of a NIC its device."""
    for key in one.keys:
        yield key[1]
        for record in _versions_of(versions, key):
            if isinstance(record, Module):
                yield record.device_id


def _versions_of(versions: Versions, key: tuple[str, str]) -> Iterator[Entity]:
    for record in (versions.before(key), *(versions.of(side, key) for side in SIDES)):
        if record is not None:
            yield record


def _shown(versions: Versions, one: Conflict) -> tuple[list[str], int]:
    """Ids of the devices to draw, those it is about, then those next to them; and how many of the latter are not."""
    designs = (versions.ours, versions.theirs, versions.base)
    ids: dict[str, None] = {}
    for key in one.keys:
        for record in _versions_of(versions, key):
            for design in designs:
                ids |= dict.fromkeys(_devices_of(design, record))
    about = list(ids)[:DEVICES_MOST]
    around = dict.fromkeys(other for one in about for design in designs for other in _neighbors(design, one))
    neighbors = [other for other in around if other not in ids]
    drawn = neighbors[: max(0, min(NEIGHBORS_MOST, DEVICES_MOST - len(about)))]
    return [*about, *drawn], len(neighbors) - len(drawn)


def _neighbors(design: Design, device_id: str) -> list[str]:
    """What is at the other ends of its links, switches first."""
    links = design.links_of(device_id) if device_id in design.devices else []
    others = dict.fromkeys(end.device_id for link in links for end in (link.a, link.b))
    return sorted(others, key=design.is_server)


def _devices_of(design: Design, record: Entity) -> list[str]:
    if isinstance(record, Link):
        return [record.a.device_id, record.b.device_id]
    if isinstance(record, Module):
        return [record.device_id]
    if isinstance(record, PlacedJob):
        return [one.device_id for one in record.servers[:DEVICES_MOST]]
    if isinstance(record, Group):
        return [one for one in design.members(record.id) if one in design.devices][:DEVICES_MOST]
    if isinstance(record, Device | Placement) and record.id in design.devices:
        mounted = design.mounted(record.rack_id) if isinstance(record, Placement) and record.rack_id else []
        return [record.id, *(one for one in mounted if one in design.devices)][:DEVICES_MOST]
    return []


def _part(design: Design, device_ids: Iterable[str]) -> tuple[Entity, ...]:
    """These devices with the links among them, without the rest of the design; none where it has none of them."""
    here = [one for one in device_ids if one in design.devices]
    if not here:
        return ()
    fragment = copy_fragment(design, here)
    return replace(fragment, jobs=(), annotations=(), annotation_styles=(), fixtures=(), groups=()).entities()


def _places(records: Iterable[Entity]) -> dict[str, Placement]:
    """Where boxes stand in all three pictures: laid out with the devices and links of all of them."""
    every = list(records)
    devices = [one for one in every if isinstance(one, Device)]
    bare: list[Entity] = [replace(one, group_id=None) if isinstance(one, Device) else one for one in every]
    union = from_entities(
        [
            *(one for one in bare if not isinstance(one, Placement)),
            *(Placement(one.id, 90.0 * number, 0.0) for number, one in enumerate(devices)),
        ]
    )
    union.apply(tidy(union, [one.id for one in devices], ""))
    return dict(union.placements)


def _placed(part: Iterable[Entity], places: dict[str, Placement]) -> Iterator[Entity]:
    for record in part:
        if isinstance(record, Settings | Placement):
            continue
        yield replace(record, group_id=None) if isinstance(record, Device) else record
        if isinstance(record, Device):
            yield places[record.id]

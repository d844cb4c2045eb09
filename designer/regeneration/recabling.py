"""Lengths, media and places that the program chose, brought up to date on the new fabric."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Link
from designer.model.hardware.types import HardwareType
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.preparation import NOTHING, Steps, cabled, chosen_by_program
from designer.regeneration.ground import Ground


@dataclass(frozen=True, slots=True)
class Programmed:
    """What of a generated fabric the program prepared, as it stood."""

    media: frozenset[str]
    """Links whose medium it chose."""
    steps: Steps
    """What it did, to be done again."""


def programmed(
    design: Design, link_ids: Mapping[str, Link], rack_ids: Mapping[str, object], types: Mapping[str, HardwareType]
) -> Programmed:
    """What the program did to these links and racks; lengths tell it by their source."""
    media = chosen_by_program(design, types) & link_ids.keys()
    routed = any(link.length_source in ("routed", "rule") for link in link_ids.values())
    placed = any(floor.place_of(design.racks[one]) is not None for one in rack_ids)
    steps = Steps(placed, routed, bool(media))
    return Programmed(media, steps)


def recable(ground: Ground, was: Programmed, types: Mapping[str, HardwareType]) -> None:
    """New racks on the floor, and links of the fabric routed and cabled as those before them were."""
    if was.steps == NOTHING:
        return
    target, own = ground.target, ground.fabric.tables
    if was.steps.place:
        target.apply(floor.place_missing(target, own["racks"].keys() & target.racks.keys()))
    links = ordered(target.links)
    made = cabled(target, links, types, was.steps, follow=was.media)
    pairs = zip(links, made.links, strict=True)
    changes = [Change(one, new) for one, new in pairs if one is not new and _touches(one, own["devices"])]
    used = {change.after.medium_id for change in changes if isinstance(change.after, Link)}
    target.apply(Edit("Cables", (*added(one for one in made.media if one.id in used), *changes)))


def _touches(link: Link, devices: Mapping[str, object]) -> bool:
    return link.a.device_id in devices or link.b.device_id in devices

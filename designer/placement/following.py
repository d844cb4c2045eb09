"""Cables that follow: where racks, devices or trays move, the lengths and media that the program chose move along."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from designer.model.arranging import only_bends_differ
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import PICKED, Device, Link, Placement, Rack, order_key
from designer.model.hardware.types import HardwareType
from designer.model.settings import Settings
from designer.placement.preparation import Steps, cabled

BY_PROGRAM = ("routed", "rule")
"""Sources of lengths that the program calculated."""

_MOVERS = frozenset((Rack, Placement, Settings))
_OF_TRAYS = ("tray_height_m", "cable_slack_m", "cross_trays_m", "default_cable_length_m")
_ON_FLOOR = ("x_m", "y_m")


def with_cables(design: Design, edit: Edit, types: Mapping[str, HardwareType]) -> Edit:
    """The edit, joined by new lengths and media of the cables whose ends or trays it moves, as one step to undo.

    Lengths and media that a person chose stay, and so do links that the edit itself changes. Cables are chosen from
    `types` and those of the design. Raises EditError where the edit cannot be applied.
    """
    if not edit.kinds & _MOVERS:
        return edit
    moved = _moved_links(design, edit)
    if not moved:
        return edit
    after = design.snapshot()
    after.apply(edit)
    own = {change.subject.id for change in edit.changes if isinstance(change.subject, Link) and not _is_led(change)}
    ids = _sharing_cages(after, moved)
    links = [after.links[one] for one in sorted(ids, key=order_key)]
    picked = {link.id for link in links if link.medium_source == PICKED}
    made = cabled(after, links, types, Steps(place=False, choose=bool(picked)), follow=picked)
    pairs = ((link, _followed(link, new)) for link, new in zip(links, made.links, strict=True) if link.id not in own)
    changes = [Change(link, new) for link, new in pairs if link != new]
    used = {change.subject.medium_id for change in changes if isinstance(change.subject, Link)}
    return Edit(edit.label, (*edit.changes, *added(one for one in made.media if one.id in used), *changes))


def _is_led(change: Change) -> bool:
    """Whether a change leads a line through other points and does nothing else."""
    before, after = change.before, change.after
    return isinstance(before, Link) and isinstance(after, Link) and only_bends_differ(before, after)


def _followed(link: Link, new: Link) -> Link:
    """The link as far as it follows: a length that the program did not calculate stays, and what has none gets none."""
    if link.length_source not in BY_PROGRAM:
        new = replace(new, length_m=link.length_m, length_source=link.length_source)
    return new if link.medium_id else replace(new, medium_id="", medium_source="")


def _moved_links(design: Design, edit: Edit) -> set[str]:
    """The links, with a length that the program calculated, whose route the edit changes."""
    devices: set[str] = set()
    for change in edit.others:
        before, after = change.before, change.after
        if isinstance(after, Settings) and isinstance(before, Settings) and _differs(before, after, _OF_TRAYS):
            return {link.id for link in design.links.values() if link.length_source in BY_PROGRAM}
        if isinstance(after, Rack) and isinstance(before, Rack) and _differs(before, after, _ON_FLOOR):
            devices.update(design.mounted(before.id))
        elif isinstance(after, Placement) and isinstance(before, Placement) and not _stays_in_rack(before, after):
            devices.add(before.id)
    gone = {change.before.id for change in edit.changes if change.after is None and isinstance(change.before, Device)}
    there = (one for one in devices - gone if one in design.devices)
    return {link.id for one in there for link in design.links_of(one) if link.length_source in BY_PROGRAM}


def _stays_in_rack(before: Placement, after: Placement) -> bool:
    return before.rack_id == after.rack_id and before.unit == after.unit


def _differs(before: object, after: object, names: tuple[str, ...]) -> bool:
    return any(getattr(before, name) != getattr(after, name) for name in names)


def _sharing_cages(design: Design, ids: set[str]) -> set[str]:
    """These links as far as they are still there, and all whose medium depends on theirs because they share a cage."""
    found: set[str] = set()
    left = [one for one in ids if one in design.links]
    while left:
        link_id = left.pop()
        if link_id not in found:
            found.add(link_id)
            left += _in_its_cages(design, design.links[link_id])
    return found


def _in_its_cages(design: Design, link: Link) -> Iterator[str]:
    for end in (link.a, link.b):
        port, ports = design.port(end), design.port_map(end.device_id)
        if port is None or port.ports_per_cage < 2:
            continue
        for name, others in design.used_ports(end.device_id).items():
            if name in ports and ports[name].cage == port.cage:
                yield from others

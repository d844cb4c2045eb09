"""Boxes of single devices in a drawing for other programs, each with a name of its own."""

from collections.abc import Iterable, Iterator, Mapping

from designer.drawing.display_list import Picture
from designer.drawing.theme import BoxColours
from designer.exchange.graphs.drawn import SERVER, SWITCH, Box
from designer.model.design import Design
from designer.model.entities import Device
from designer.model.networks import network_of_switch


def boxes_of(design: Design, picture: Picture, names: Mapping[str, str]) -> Iterator[Box]:
    """Boxes of single devices, with these names by id."""
    colours = _box_colours(picture)
    for row, device_id in enumerate(picture.device_ids):
        device, place = design.device(device_id), design.placements.get(device_id)
        is_switch = design.is_switch(device_id)
        left, top, width, height = picture.boxes[row].tolist()
        rack = design.racks.get(place.rack_id or "") if place is not None else None
        yield Box(
            device_id,
            names[device_id],
            SWITCH if is_switch else SERVER,
            device.role,
            device.type_id,
            design.device_type(device_id).model,
            network_of_switch(device) if is_switch else "",
            _group_path(design, device),
            rack.name if rack is not None else "",
            place.unit if place is not None else None,
            device.rail,
            device.plane,
            device.unit,
            left + width / 2,
            top + height / 2,
            width,
            height,
            place is not None,
            colours[row].fill,
            colours[row].border,
            colours[row].stripe,
        )


def _box_colours(picture: Picture) -> list[BoxColours]:
    codes, colours = picture.coloured.boxes, picture.coloured.box_colours
    if codes is None:
        return [picture.theme.boxes[one] for one in picture.kinds.tolist()]
    return [colours[one] for one in codes.tolist()]


def _group_path(design: Design, device: Device) -> str:
    """The groups that it is in, outermost first: "fabric / unit 1"."""
    names, group_id = list[str](), device.group_id
    while group_id is not None:
        group = design.groups[group_id]
        names.append(group.name)
        group_id = group.parent_id
    return " / ".join(reversed(names))


def unique_names(design: Design, device_ids: Iterable[str]) -> dict[str, str]:
    """A name for each device that no other has: its own, with a number where it is taken, its id where it has none."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for device_id in device_ids:
        own = design.device(device_id).name or device_id
        name, number = own, 1
        while name in taken:
            number += 1
            name = f"{own}_{number}"
        taken.add(name)
        found[device_id] = name
    return found

"""Parts besides those of links that a design is ordered with, and that no part number is known for."""

from collections.abc import Iterator

from designer.analysis.billing.items import Item, equipment_item, passive_item
from designer.analysis.billing.kinds import FAN_OUT
from designer.analysis.billing.passive import passive_lines
from designer.analysis.equipment import Equipment, equipment
from designer.analysis.survey import survey
from designer.model.design import Design
from designer.model.records import ordered


def unnumbered_parts(design: Design) -> Iterator[tuple[Item, tuple[str, ...]]]:
    """The lines of the bill that these are, each with the ids of the devices or racks it is of, where it has some.

    Fan-outs are not among them: links without a cable stand for them.
    """
    for one in equipment(design):
        item = equipment_item(one)
        if item.gap and item.ordered_apart:
            yield item, _having(design, one)
    for item in map(passive_item, passive_lines(survey(design))):
        if item.kind != FAN_OUT:
            yield item, ()


def _having(design: Design, one: Equipment) -> tuple[str, ...]:
    """The devices and racks of a type, and the devices that have a module of it."""
    of_type = [device.id for device in ordered(design.devices) if device.type_id == one.type.id]
    of_type += [rack.id for rack in ordered(design.racks) if rack.type_id == one.type.id]
    carrying = (module.device_id for module in ordered(design.modules) if module.type_id == one.type.id)
    return tuple(dict.fromkeys((*of_type, *carrying)))

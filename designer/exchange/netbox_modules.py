"""Line cards and the slots for them in NetBox's terms: module types, and the module bays of a device type."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from designer.errors import CatalogError
from designer.model.hardware.modules import Slot
from designer.units import format_count

MODULE = "{module}"
"""Where NetBox puts the position of the bay into the name of an interface."""

_OTHER_BAYS = re.compile(r"psu|ps\b|power|fan|sup|fabric|\bfm|\bsf|management|mgmt|clock|controller", re.IGNORECASE)
_CARD_BAYS = re.compile(r"line.?card|slot|module|\blc|fpc|iom|linecard", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")


def is_module(raw: dict[str, Any]) -> bool:
    """A module type has interfaces and no place in a rack."""
    return "slug" not in raw and "u_height" not in raw and "model" in raw and "manufacturer" in raw


def slots(raw: dict[str, Any], fault: Callable[[str, str], CatalogError], notes: list[str]) -> tuple[Slot, ...]:
    """A slot for every bay that is meant for a line card; bays for power, fans and supervisors are left out."""
    bays = raw.get("module-bays") or []
    if not isinstance(bays, list):
        raise fault("module-bays", "module-bays should be a list")
    found: dict[str, None] = {}
    other = 0
    for index, bay in enumerate(bays):
        place = f"module-bays[{index}]"
        if not isinstance(bay, dict) or not isinstance(bay.get("name"), str):
            raise fault(place, "a module bay has a name, a text")
        if _OTHER_BAYS.search(bay["name"]) or not _CARD_BAYS.search(bay["name"]):
            other += 1
            continue
        position = bay.get("position", "")
        if not isinstance(position, str | int) or isinstance(position, bool):
            raise fault(place, "the position of a module bay is a text")
        name = str(position) or bay["name"]
        if name in found:
            raise fault(place, f"module bay {name[:40]!r} is there twice")
        found[name] = None
    if found and other:
        notes.append(f"{format_count(other)} module bays for other things than line cards are left out")
    return tuple(Slot(name) for name in found)


def port_name(names: Iterable[str], notes: list[str]) -> str:
    """The template of the names of a card's ports: numbers from 1 in one place become the socket's.

    Ethernet{module}/1/1 to Ethernet{module}/36/1 make Ethernet{slot}/{socket}/1.
    """
    every = [name.replace(MODULE, "\0") for name in names]
    if all("\0" in name for name in every):
        parts = [_NUMBER.split(name) for name in every]
        numbers = [_NUMBER.findall(name) for name in every]
        if all(one == parts[0] and len(some) == len(numbers[0]) for one, some in zip(parts, numbers, strict=True)):
            counted = list(map(str, range(1, len(every) + 1)))
            for place in range(len(numbers[0])):
                rest = [some[:place] + some[place + 1 :] for some in numbers]
                if all(one == rest[0] for one in rest) and [some[place] for some in numbers] == counted:
                    return _template(parts[0], numbers[0], place)
    notes.append("ports are named slot/cage here")
    return "{slot}/{socket}"


def _template(parts: list[str], numbers: list[str], place: int) -> str:
    text = parts[0]
    for index, number in enumerate(numbers):
        text += ("\1" if index == place else number) + parts[index + 1]
    plain = text.replace("{", "{{").replace("}", "}}")
    return plain.replace("\0", "{slot}").replace("\1", "{socket}")

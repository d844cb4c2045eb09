"""Fields of records as people read them where versions of a design are compared."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from designer.analysis.cable_numbers import cable_name
from designer.analysis.counterparts.titles import title_of
from designer.analysis.link_facts import SOURCES
from designer.model.cage_runs import modes_text
from designer.model.design import Design
from designer.model.entities import Entity, Link, Placement
from designer.model.settings import Settings
from designer.units import format_count

_CALLED = {
    "colour": "color",
    "resolved": "state",
    "turn_deg": "turn",
    "color_devices_by": "device colors",
    "color_links_by": "link colors",
    "link_lines": "lines of links",
    "cable": "cable number",
    "medium_id": "cable or optic",
    "medium_source": "cable or optic",
    "length_source": "source of the length",
}
_CHOSEN = {"typed": "chosen by hand", "picked": "chosen by the program"}
"""Who chose a cable or optic, by Link.medium_source."""
_UNITS = {"_m": "m", "_kg": "kg", "_w": "W", "_px": "px", "_u": "U"}
"""By the ends of names of fields."""


_OF_LINKS: Mapping[str, Callable[[Any], str]] = {
    "cable": cable_name,
    "medium_source": lambda value: _CHOSEN.get(value, value),
    "length_source": lambda value: SOURCES.get(value, value),
}


def field_title(name: str) -> str:
    """A field as people call it: "rack type" for rack_type_id."""
    bare = name[: -len(end)] if (end := _unit_end(name)) else name.removesuffix("_id")
    return _CALLED.get(name) or bare.replace("_", " ").replace("colour", "color")


def _unit_end(name: str) -> str:
    """The end of a field's name that is its unit; "" where it has none."""
    return next((end for end in _UNITS if name.endswith(end)), "")


def value_text(design: Design, entity: Any, name: str) -> str:
    """The value of a field as people read it; ids as the names of what they stand for."""
    value = getattr(entity, name)
    if isinstance(entity, Settings) and name == "name":
        return design.name
    if name == "image":
        return f"{format_count(len(value))} characters" if value else "none"
    if name == "cage_modes":
        return modes_text(value)
    if name == "resolved":
        return "resolved" if value else "open"
    if isinstance(entity, Link) and name in _OF_LINKS:
        return _OF_LINKS[name](value)
    if name.endswith("_id") or name == "pinned_to":
        found = design.entity(value) if value else None
        return title_of(design, found) if found is not None else str(value or "")
    text = _text(value)
    return f"{text} {_UNITS[end]}" if text and (end := _unit_end(name)) else text


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, tuple):
        return ", ".join(map(_text, value))
    return _stated(value) if is_dataclass(value) else str(value)


def _stated(record: Any) -> str:
    """What a record says beyond its defaults: "device d4, gpus 0, 1"."""
    stated = ((field, getattr(record, field.name)) for field in fields(record))
    return ", ".join(f"{field_title(field.name)} {_text(value)}" for field, value in stated if value != field.default)


def rack_text(design: Design, placement: Entity | None) -> str:
    """ "rack-1 unit 4"; "no rack"."""
    if not isinstance(placement, Placement) or placement.rack_id is None:
        return "no rack"
    rear = f" {placement.side}" if placement.side else ""
    unit = "" if placement.unit is None else f" unit {placement.unit}"
    return f"{design.racks[placement.rack_id].name}{unit}{rear}"


def floor_text(thing: Any) -> str:
    """Where a rack or fixture stands on the floor: "1.2, 3 m"."""
    if thing.x_m is None or thing.y_m is None:
        return "not on the floor"
    facing = f", facing {thing.facing}" if getattr(thing, "facing", "") else ""
    return f"{_text(thing.x_m)}, {_text(thing.y_m)} m{facing}"


def canvas_text(placement: Placement) -> str:
    """Where the middle of something is on the canvas."""
    return f"{_text(round(placement.x, 1))}, {_text(round(placement.y, 1))}"


def size_text(annotation: Any) -> str:
    """Width and height of an annotation."""
    return f"{_text(round(annotation.dx, 1))} x {_text(round(annotation.dy, 1))}"


def tip_text(annotation: Any) -> str:
    """How far the tip of a leader is from the middle of its annotation; "" without one."""
    if annotation.tip_dx is None or annotation.tip_dy is None:
        return ""
    return f"{_text(round(annotation.tip_dx, 1))}, {_text(round(annotation.tip_dy, 1))} from its middle"

"""A design as it was built: the planned one with the cables that were found."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from designer.exchange.as_built.fault import AsBuilt, Fault
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link

AS_BUILT = "as built"


@dataclass(frozen=True, slots=True)
class BuiltEdit:
    """What makes the planned design the built one, and what of the found could not be drawn."""

    edit: Edit
    left_out: tuple[str, ...]


def as_built_edit(design: Design, found: AsBuilt) -> BuiltEdit:
    """Links as they were found: missing ones removed, others at the ports that they are in, extra ones added.

    Cables at devices or ports that the design does not have are left out. Devices that were not found stay, without
    their cables.
    """
    changes, left_out = list[Change](), list[str]()
    new = 0
    first = int(design.new_ids("links", 1)[0][1:])
    for fault in found.faults:
        ends = fault.ends if len(fault.ends) == 2 and all(_is_port(design, end) for end in fault.ends) else None
        if fault.ends and ends is None:
            left_out.append(f"{fault.name} to {fault.found}: the design has no such device or port")
        if fault.link_id:
            changes += _changed(design.links[fault.link_id], fault, ends)
        elif ends is not None:
            changes.append(Change(None, Link(f"l{first + new}", *ends)))
            new += 1
    settings = design.settings
    changes.append(Change(settings, replace(settings, name=f"{design.name}, {AS_BUILT}")))
    return BuiltEdit(Edit("Take over as built", tuple(changes)), tuple(left_out))


def as_built_design(design: Design, found: AsBuilt) -> tuple[Design, tuple[str, ...]]:
    """The design as it was built, and what could not be drawn of it."""
    made = design.snapshot()
    built = as_built_edit(design, found)
    made.apply(built.edit)
    return made, built.left_out


def _is_port(design: Design, end: End) -> bool:
    return end.device_id in design.devices and design.port(end) is not None


def _changed(link: Link, fault: Fault, ends: tuple[End, ...] | None) -> Iterator[Change]:
    if ends is None:
        yield Change(link, None)
    elif set(ends) != {link.a, link.b}:
        kept = next(end for end in ends if end in (link.a, link.b))
        other = next(end for end in ends if end != kept)
        a, b = (kept, other) if kept == link.a else (other, kept)
        yield Change(link, replace(link, a=a, b=b, length_m=None, length_source=""))

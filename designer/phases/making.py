"""Phases of a plan: of a family by its parameters, of a drawn design by marks, or of several files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from designer.analysis.cable_numbers import number_cables
from designer.analysis.counterparts.alignment import align
from designer.analysis.growth import Growing, growing
from designer.analysis.new_designs import new_design
from designer.analysis.optical_parts import order_length_m
from designer.analysis.parts import is_optical, medium_of
from designer.analysis.regenerating import regenerated
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Link, Rack
from designer.model.removing import delete
from designer.phases.networks import extension
from designer.phases.request import MOST_PHASES, Phase, require_phases
from designer.regeneration.recipes import family_named, family_of, parameters_of
from designer.topologies.network_parameters import NetworkParameters
from designer.units import format_count, parse_whole, shortened

PHASE, PHASE_OUT = "phase", "phase-out"
"""Fields of devices, racks and links of a drawn design: the phase that brings it, and the one that takes it away."""


def phases_of_family(
    family_name: str, stages: Sequence[tuple[str, Mapping[str, str]]], catalog: Catalog, name: str
) -> tuple[Phase, ...]:
    """A fabric that grows: the parameters of each phase as texts by name, what a phase does not state stays.

    Each phase is the one before, generated again with the new parameters, so that what can stay where it is does. The
    networks other than compute are those of the first phase; later ones extend them to the servers that are new.
    Raises ParameterError for what cannot be built.
    """
    family = family_named(family_name)
    described, values = {**fields_of(NetworkParameters), **fields_of(family.parameters)}, dict[str, Any]()
    found: list[Phase] = []
    for title, texts in stages:
        for key, text in texts.items():
            field = described.get(key) or described.get(key.replace("-", "_"))
            if field is None:
                raise ParameterError(
                    f"{family.name} has no parameter {shortened(key)!r}; it has {', '.join(described)}"
                )
            if found and field.name not in fields_of(family.parameters):
                raise ParameterError(
                    f"phase {title!r}, {key}: the networks are those of the first phase; later ones extend them"
                )
            try:
                values[field.name] = field.read(text)
            except ParameterError as error:
                raise ParameterError(f"phase {title!r}, {key}: {error}") from None
        try:
            found.append(Phase(title, _grown(found[-1].design if found else None, family, values, catalog, name)))
        except ParameterError as error:
            raise ParameterError(f"phase {title!r}: {error}") from None
    require_phases(tuple(found))
    return tuple(found)


def _grown(before: Design | None, family: Any, values: Mapping[str, Any], catalog: Catalog, name: str) -> Design:
    if before is None:
        return new_design(family, values, catalog, name, "auto").design
    own = fields_of(family.parameters)
    values = {name: value for name, value in values.items() if name in own}
    return _regrown(before, type(_recipe_of(before)[1])(**values), catalog)


def _recipe_of(design: Design) -> tuple[str, Any]:
    """The group that a design was generated as, and its parameters. Raises ParameterError where there is none."""
    group = next((one for one in design.groups.values() if one.recipe is not None), None)
    if group is None:
        raise ParameterError(
            f"{design.name} was not generated: give devices a field {PHASE!r} with the number of the phase they come in"
        )
    return group.id, parameters_of(group)


def _regrown(before: Design, parameters: Any, catalog: Catalog) -> Design:
    """The design with other parameters, what can stay being where it was."""
    design = before.snapshot()
    design.apply(regenerated(design, _recipe_of(design)[0], parameters, catalog).edit)
    design.apply(extension(before, design, catalog))
    design.apply(reused_cables(before, design))
    design.apply(number_cables(design))
    return design


def growing_of(design: Design) -> tuple[Growing, int]:
    """What sizes of a generated design are numbers of, and the one that it has. Raises ParameterError."""
    group_id, parameters = _recipe_of(design)
    found = growing(family_of(design.groups[group_id]))
    if found is None:
        raise ParameterError(f"{design.name} has no size to grow by: write its phases in a plan")
    return found, found.size_of(parameters)


def phases_of_sizes(design: Design, sizes: Sequence[int], catalog: Catalog) -> tuple[Phase, ...]:
    """A generated design as it stands, and then at other sizes. Raises ParameterError for what cannot be built."""
    grows, _ = growing_of(design)
    numbered = design.snapshot()
    numbered.apply(number_cables(numbered))
    found = [Phase("Now", numbered)]
    for number, size in enumerate(sizes, start=2):
        before = found[-1].design
        title = f"{format_count(size)} {grows.noun}"
        if any(one.name == title for one in found):
            title = f"{title} (phase {number})"
        found.append(Phase(title, _regrown(before, grows.at(_recipe_of(before)[1], size), catalog)))
    require_phases(tuple(found))
    return tuple(found)


def has_marks(design: Design) -> bool:
    """Whether a device of the design says which phase it comes or goes in."""
    return any(name in (PHASE, PHASE_OUT) for one in design.devices.values() for name, _ in one.fields)


def reused_cables(before: Design, after: Design) -> Edit:
    """The edit that gives new links the cables of removed ones, where a cable has an end where it was, and fits.

    First those that stay in a port, then those that stay in a device. Cables of several links are left alone.
    """
    free: dict[object, list[Link]] = {}
    for link in before.links.values():
        if link.id not in after.links and link.cable and _is_alone(before, link):
            for key in _stays(before, link):
                free.setdefault(key, []).append(link)
    added = [link for link in after.links.values() if link.id not in before.links and _is_alone(after, link)]
    taken, given = set[str](), dict[str, Link]()
    for depth in (0, 1):
        for link in added:
            if link.id in given:
                continue
            for key in _stays(after, link)[2 * depth : 2 * depth + 2]:
                found = next((one for one in free.get(key, ()) if one.id not in taken), None)
                if found is not None:
                    taken.add(found.id)
                    given[link.id] = found
                    break
    changes = [Change(after.links[one], replace(after.links[one], cable=old.cable)) for one, old in given.items()]
    return Edit("Reuse Cables", tuple(changes))


def _is_alone(design: Design, link: Link) -> bool:
    medium = medium_of(design, link)
    return medium is not None and (is_optical(medium) or medium.links < 2)


def _stays(design: Design, link: Link) -> tuple[object, ...]:
    """What a cable has in common with one that takes its place: a port, or a device; and what it is ordered as."""
    medium = medium_of(design, link)
    assert medium is not None, "asked before"
    part = (medium.id, order_length_m(medium, link.length_m))
    ends = (link.a, link.b)
    return (*((end, part) for end in ends), *((end.device_id, part) for end in ends))


def phases_of_files(files: Sequence[tuple[str, Design]]) -> tuple[Phase, ...]:
    """Designs that follow each other, by name: each under the ids of the one before."""
    found: list[Phase] = []
    for title, design in files:
        found.append(Phase(title, align(found[-1].design, design).design if found else design))
    require_phases(tuple(found))
    return tuple(found)


def phases_of_marks(design: Design, names: Sequence[str] = ()) -> tuple[Phase, ...]:
    """A drawn design in phases, by its marks; what has none is there from the first phase to the last.

    A link is there while both its devices are. Raises ParameterError for a mark that is no number of a phase, and for
    a design without marks.
    """
    marked: Sequence[Device | Rack | Link] = (
        *design.devices.values(),
        *design.racks.values(),
        *design.links.values(),
    )
    marks = {one.id: _marks(one) for one in marked}
    last = max((number for pair in marks.values() for number in pair if number is not None), default=0)
    if not last:
        raise ParameterError(
            f"{design.name} has no phases: give devices a field {PHASE!r} with the number of the phase that brings them"
        )
    numbered = design.snapshot()
    numbered.apply(number_cables(numbered))
    titles = [*names, *(f"Phase {number}" for number in range(len(names) + 1, last + 1))]
    found = tuple(Phase(title, _at(numbered, marks, number)) for number, title in enumerate(titles, start=1))
    require_phases(found)
    return found


def _at(design: Design, marks: Mapping[str, tuple[int | None, int | None]], number: int) -> Design:
    away = [
        one for one, (since, until) in marks.items() if (since or 1) > number or (until is not None and until <= number)
    ]
    made = design.snapshot()
    made.apply(delete(made, away))
    made.apply(operations.set_settings(made, name=design.name))
    return made


def _marks(one: Device | Rack | Link) -> tuple[int | None, int | None]:
    texts = dict(one.fields)
    found = []
    for key in (PHASE, PHASE_OUT):
        text = texts.get(key, "").strip()
        try:
            found.append(parse_whole(text, 1, MOST_PHASES) if text else None)
        except ParameterError as error:
            called = getattr(one, "name", "") or one.id
            raise ParameterError(f"{called}, field {key}: {error}") from None
    return found[0], found[1]

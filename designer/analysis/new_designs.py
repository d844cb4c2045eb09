"""A whole new design from the parameters of a topology family: the fabric, its racks and cables, further networks."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from designer.analysis.cable_numbers import number_cables
from designer.analysis.outlook import outlook
from designer.analysis.oversubscription import switches
from designer.analysis.survey import survey
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model import operations, policies, waiving
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Device, Group
from designer.model.hardware.servers import ServerType
from designer.model.naming import stem_of
from designer.model.settings import UNTITLED
from designer.placement.preparation import STEPS_OF, Preparation, prepare, prepared_edit
from designer.regeneration import recipes
from designer.topologies import networks
from designer.topologies.families import Family
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.presets import Preset, origin_of, waivers_of
from designer.units import format_count, format_counted

UNIT = "scalable unit"
"""The kind of the groups that a name counts."""


@dataclass(frozen=True, slots=True)
class NewDesign:
    """A generated design and how it came about."""

    design: Design
    parameters: Any
    """Of the family."""
    prepared: Preparation
    """What was placed, routed and chosen."""
    networks: Edit | None
    """What added the networks other than compute; None where none was asked for."""
    networks_sentence: str
    """What that edit adds: "Adds 64 links and 8 leafs; ..."."""


def new_design(
    family: Family, values: Mapping[str, Any], catalog: Catalog, name: str, cables: str, preset: Preset | None = None
) -> NewDesign:
    """The design that a family makes of values, which are fields of its parameters and of NetworkParameters.

    Without a `name` it is called after the preset, else after its fabric.
    `cables` is "auto", "lengths" or "none". The notes of the design say which `preset` the values started from.
    Raises ParameterError for what cannot be built, and for values that are neither.
    """
    parameters, others = parameters_from(family, values)
    design = Design()
    made = recipes.generated_and_prepared(design, family, parameters, catalog, "none" if others.any else cables)
    design.apply(made.edit if name or preset is not None else with_name(design, made.edit, family))
    added, stated = networks.build(design, others, catalog) if others.any else None, ""
    if added is not None:
        stated = outlook(design, added).sentence
        design.apply(added)
        if design.racks:
            made = prepare(design, catalog.types, STEPS_OF[cables])  # with the racks of all networks at hand
            design.apply(made.edit)
    if cables != "none":
        design.apply(number_cables(design))
    if name:
        design.apply(operations.set_settings(design, name=name))
    design.apply(policies.set_limits(design, **_limits(design, parameters)))
    if preset is not None:
        design.apply(with_origin(design, preset, parameters, alone=True))
    return NewDesign(design, parameters, made, added, stated)


def fabric_name(design: Design, family: Family, edit: Edit) -> str:
    """What a design of nothing but the fabric that the edit adds is called: "Rail-optimized, 4 SU, 128 servers"."""
    added = [change.after for change in edit.changes if change.before is None]
    types = {one.id for one in (*design.types.values(), *added) if isinstance(one, ServerType)}
    servers = sum(isinstance(one, Device) and one.type_id in types for one in added)
    words = Counter(stem_of(one.name).strip(" -") for one in added if isinstance(one, Group) and one.kind == UNIT)
    units = [
        f"{format_count(n)} {word}" if word.isupper() else format_counted(n, word.lower()) for word, n in words.items()
    ]
    return ", ".join((family.title, *units, *([format_counted(servers, "server")] if servers else [])))


def with_name(design: Design, edit: Edit, family: Family) -> Edit:
    """The edit that adds a fabric, which also names a design that is empty and has no name yet after it."""
    if design.devices or design.settings.name != UNTITLED:
        return edit
    return joined(edit.label, (edit, operations.set_settings(design, name=fabric_name(design, family, edit))))


def with_origin(design: Design, preset: Preset, parameters: Any, *, alone: bool) -> Edit:
    """The edit that notes where a design comes from, and gives it the name of the preset where it has none yet.

    Findings that the published figures ask for are waived where the fabric is `alone` in the design.
    """
    settings, origin = design.settings, origin_of(preset, parameters)
    notes = settings.notes if origin in settings.notes else "\n\n".join(filter(None, (settings.notes, origin)))
    name = preset.title if settings.name == UNTITLED else settings.name
    noted = operations.set_settings(design, name=name, notes=notes)
    waivers = waivers_of(preset, parameters) if alone else ()
    return joined(noted.label, (noted, waiving.add_waivers(design, waivers))) if waivers else noted


def fabric_with_networks(
    design: Design, family: Family, parameters: Any, others: NetworkParameters, catalog: Catalog, cables: str
) -> Preparation:
    """The edit that adds a fabric to a design, and to its servers the networks asked for, placed and cabled as one.

    `cables` is "auto", "lengths" or "none". Raises ParameterError for what cannot be built.
    """
    if not others.any:
        return recipes.generated_and_prepared(design, family, parameters, catalog, cables)
    fabric = recipes.generated(design, family, parameters, catalog)
    made = design.snapshot()
    there = {server.id for server in made.servers()}
    made.apply(fabric)
    new = [server.id for server in made.servers() if server.id not in there] if there else None
    added = networks.build(made, others, catalog, new)
    return prepared_edit(design, joined(fabric.label, (fabric, added)), catalog.types, STEPS_OF[cables])


def parameters_from(family: Family, values: Mapping[str, Any]) -> tuple[Any, NetworkParameters]:
    """The parameters of a family and of further networks. Raises ParameterError for values that are neither."""
    of_networks = {field.name for field in fields(NetworkParameters)}
    of_family = {field.name for field in fields(family.parameters)}
    for value in values:
        if value not in of_networks | of_family:
            raise ParameterError(f"{family.name} has no parameter {value!r}; it has {', '.join(sorted(of_family))}")
    others = NetworkParameters(**{one: value for one, value in values.items() if one in of_networks})
    return family.parameters(**{one: value for one, value in values.items() if one in of_family}), others


def _limits(design: Design, parameters: Any) -> dict[str, float]:
    """What the design is to be held to: the oversubscription asked for, or that of the switches the numbers make."""
    surveyed = survey(design)
    worst = {1: 1.0, 2: 1.0}
    for row in switches(surveyed):
        tier = surveyed.tier.get(row.device_id, 0)
        if tier in worst and row.ratio is not None:
            worst[tier] = max(worst[tier], row.ratio)
    asked: float | None = getattr(parameters, "oversubscription", None)
    is_stated = asked is not None and getattr(parameters, "uplinks", None) is None
    leaf = max(1.0, asked) if asked is not None and is_stated else worst[1]
    return {"leaf_oversubscription": leaf, "spine_oversubscription": worst[2]}

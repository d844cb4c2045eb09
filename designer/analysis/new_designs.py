"""A whole new design from the parameters of a topology family: the fabric, its racks and cables, further networks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from designer.analysis.cable_numbers import number_cables
from designer.analysis.fabric_names import fabric_name
from designer.analysis.outlook import outlook
from designer.analysis.stated_limits import raised_limits
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.model import operations, waiving
from designer.model.design import Design
from designer.model.edit import Edit, joined, netted
from designer.model.settings import UNTITLED
from designer.placement.preparation import STEPS_OF, Preparation, prepared_edit
from designer.regeneration import recipes
from designer.topologies import networks
from designer.topologies.families import Family
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.parameters import CableParameters
from designer.topologies.presets import Preset, origin_of, waivers_of


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


BUILT, KEPT, PREPARED, APPLIED, LIMITED, NUMBERED = 0.3, 0.38, 0.45, 0.6, 0.7, 0.93
"""Shares of the time after which a fabric of 131,072 servers, without racks, has come so far."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A fabric that is to come into a design, with all that comes along with it."""

    edit: Edit
    prepared: Preparation
    """What is placed, routed and chosen."""
    networks: Edit | None
    """What adds the networks other than compute; None where none was asked for."""
    networks_sentence: str


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
    if name:
        design.apply(operations.set_settings(design, name=name))
    made = addition(design, family, parameters, others, catalog, cables, preset)
    design.apply(made.edit)
    return NewDesign(design, parameters, made.prepared, made.networks, made.networks_sentence)


def addition(
    design: Design,
    family: Family,
    parameters: Any,
    others: NetworkParameters,
    catalog: Catalog,
    cables: str,
    preset: Preset | None = None,
    progress: Callable[[float], None] = lambda _share: None,
) -> Addition:
    """One edit that adds a fabric, and to its servers the networks asked for, placed and cabled as `cables` says.

    It also raises the limits of the policy to the oversubscription asked for, and gives a design that was empty the
    name and the notes of its fabric, and its cables their numbers. `progress` hears shares of the time that a large one
    takes, and may raise Cancelled. Raises ParameterError for what cannot be built.
    """
    fields_of(CableParameters)["cables"].require(cables)
    alone = not design.devices
    built = family.build(design, parameters, catalog)
    progress(BUILT)
    edit, stated = recipes.with_recipe(design, built, family, parameters), ""
    progress(KEPT)
    networks_edit: Edit | None = None
    if others.any:
        made = design.snapshot()
        there = {server.id for server in made.servers()}
        made.apply(edit)
        new = [server.id for server in made.servers() if server.id not in there] if there else None
        networks_edit = networks.build(made, others, catalog, new)
        parts = outlook(made, networks_edit).sentence, networks.slow_uplinks(made, networks_edit)
        stated = " ".join(filter(None, parts))
        edit = joined(edit.label, (edit, networks_edit))
    prepared = prepared_edit(design, edit, catalog.types, STEPS_OF[cables])
    progress(PREPARED)
    made, edits = design.snapshot(), [prepared.edit]
    made.apply(prepared.edit)
    progress(APPLIED)

    def then(more: Edit) -> None:
        made.apply(more)
        edits.append(more)

    then(raised_limits(made, [one for one in made.devices if one not in design.devices], parameters))
    progress(LIMITED)
    if alone and cables != "none":
        then(number_cables(made))
    progress(NUMBERED)
    if preset is not None:
        then(with_origin(made, preset, parameters, alone=alone))
    elif alone and made.settings.name == UNTITLED:
        then(operations.set_settings(made, name=fabric_name(made, family, parameters)))
    whole = netted(joined(prepared.edit.label, edits)) if len(edits) > 1 else prepared.edit
    return Addition(whole, prepared, networks_edit, stated)


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


def parameters_from(family: Family, values: Mapping[str, Any]) -> tuple[Any, NetworkParameters]:
    """The parameters of a family and of further networks. Raises ParameterError for values that are neither."""
    of_networks = {field.name for field in fields(NetworkParameters)}
    of_family = {field.name for field in fields(family.parameters)}
    for value in values:
        if value not in of_networks | of_family:
            raise ParameterError(f"{family.name} has no parameter {value!r}; it has {', '.join(sorted(of_family))}")
    others = NetworkParameters(**{one: value for one, value in values.items() if one in of_networks})
    return family.parameters(**{one: value for one, value in values.items() if one in of_family}), others

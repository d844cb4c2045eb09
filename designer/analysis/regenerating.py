"""Generating a fabric again with what follows from it: numbers of cables, limits of the policy, the design's name."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from designer.analysis.cable_numbers import keep_numbered
from designer.analysis.fabric_names import follow_parameters
from designer.analysis.stated_limits import followed_limits
from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.edit import Edit, joined, netted
from designer.regeneration.recipes import parameters_of
from designer.regeneration.regenerate import Regeneration, regenerate


def regenerated(
    design: Design,
    group_id: str,
    parameters: Any,
    catalog: Catalog,
    progress: Callable[[float], None] | None = None,
    rename_labelled: bool = False,
) -> Regeneration:
    """The same as `regenerate`, with what follows from other parameters, as one edit.

    New cables are numbered where the design numbers its cables, limits of the policy that follow what the fabric is
    asked to be go on doing so, and a generated name of the design that nobody changed is made again.
    """
    found = regenerate(design, group_id, parameters, catalog, progress, rename_labelled)
    stood = parameters_of(design.groups[group_id])
    if stood == parameters:
        return found
    after, edits = design.snapshot(), list[Edit]()

    def then(more: Edit) -> None:
        after.apply(more)
        edits.append(more)

    then(keep_numbered(design, found.edit))
    then(followed_limits(design, after, stood, parameters))
    then(follow_parameters(design, after, group_id, catalog))
    return replace(found, edit=netted(joined(found.edit.label, edits)))

"""The plan of a design as a revision keeps it."""

from collections.abc import Sequence

from designer.analysis.optical_parts import NO_PARTS, parts_known
from designer.catalog import catalog
from designer.exchange.cable_plan import CableRow, cable_rows
from designer.exchange.labels.labels import with_own_labels
from designer.exchange.plans.snapshot import PlanSnapshot, packed, snapshot_of
from designer.model.design import Design


def plan_of(design: Design, rows: Sequence[CableRow] | None = None) -> PlanSnapshot:
    """The design's own plan; `rows` are those of its links, each once, where they are at hand."""
    return snapshot_of(design, _rows(design) if rows is None else rows)


def recorded_plan(design: Design) -> str:
    """The design's plan as the text that a revision keeps. Raises ExportError for one too large to be kept."""
    return packed(plan_of(design))


def _rows(design: Design) -> list[CableRow]:
    parts = NO_PARTS
    if any(link.medium_id for link in design.links.values()):
        parts = parts_known(design, catalog.load().types)
    return with_own_labels(design, cable_rows(design, parts=parts))

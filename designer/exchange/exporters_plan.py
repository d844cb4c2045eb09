"""Cable plans as files: the rows, what they lack, and the parts that the catalog knows for them."""

from pathlib import Path

from designer.analysis.optical_parts import NO_PARTS, optical_parts
from designer.catalog import catalog
from designer.exchange.cable_plan import CableRow, cable_rows, to_csv
from designer.exchange.plan_gaps import PlanGaps, plan_gaps
from designer.exchange.plan_options import CsvPlanOptions, PlanOptions
from designer.late import Late
from designer.model.design import Design

workbook = Late("designer.exchange.cable_plan_xlsx")


def plan_gaps_of(design: Design) -> PlanGaps:
    """What the design's cable plan lacks, as the shipped catalog and the design's own types allow it to be filled."""
    types = catalog.load().types
    return plan_gaps(design, types, optical_parts({**types, **design.types}.values()))


def _cable_rows(design: Design, options: PlanOptions, gaps: PlanGaps) -> list[CableRow]:
    parts = NO_PARTS
    if any(link.medium_id for link in design.links.values()):
        parts = optical_parts({**catalog.load().types, **design.types}.values())
    return cable_rows(design, both_ways=options.both_ways, parts=parts, notes=gaps.by_link())


def write_csv(design: Design, path: Path, options: CsvPlanOptions) -> None:
    """The plan as CSV."""
    text = to_csv(_cable_rows(design, options, plan_gaps_of(design)))
    path.write_bytes(text.encode("utf-8-sig" if options.byte_order_mark else "utf-8", errors="replace"))


def write_xlsx(design: Design, path: Path, options: PlanOptions) -> None:
    """The plan as a workbook with a sheet of what is open."""
    gaps = plan_gaps_of(design)
    workbook.write_workbook(_cable_rows(design, options, gaps), path, open_points(design, gaps))


def open_points(design: Design, gaps: PlanGaps) -> list[tuple[str, str, int, str]]:
    """The rows of the sheet of open points: what, why, how many links, and the first of them."""
    rows = []
    for gap in gaps.gaps:
        first = design.links[gap.links[0]]
        rows.append((gap.what, gap.reason, len(gap.links), f"{design.end_name(first.a)} to {design.end_name(first.b)}"))
    return rows

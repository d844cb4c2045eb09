"""Rules about the room between racks: aisles and trays."""

from collections.abc import Iterator

from designer.analysis.optical_parts import OpticalParts, parts_known
from designer.analysis.parts import OPTICAL, cable_ids, medium_of
from designer.analysis.survey import Run
from designer.model.furnishing import TOUCH_M
from designer.model.hardware.media import MediumType
from designer.placement.aisles import WIDE, aisles
from designer.placement.tray_fill import tray_fills
from designer.placement.tray_ways import drawn_trays
from designer.tables.columns import whole_percent
from designer.units import format_counted, format_length
from designer.validation.findings import Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, Stated, rule
from designer.validation.scope import CABLING, FIXTURES, PLACEMENTS, RACKS, SETTINGS
from designer.validation.sources import OF_POLICY, TIA_942


@rule(
    "ROOM-001",
    Severity.WARNING,
    "Aisle narrower than the policy",
    "People, lifts and open doors need room, and so does the air that the racks draw in.",
    example="Two rows whose fronts are 0.9 m apart, where the policy asks for 1.2 m.",
    remedy="Move the rows apart, or change the narrowest aisle in the policy.",
    policy=("least_aisle_m",),
    source=f"{TIA_942}: clearance in front of and behind racks. {OF_POLICY}",
    reads=(RACKS, SETTINGS),
)
def narrow_aisle(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds pairs of rows whose aisle is narrower than the policy asks for; one finding for each pair."""
    least_m = seen.design.policy.least_aisle_m
    if least_m is None:
        return
    stated: set[tuple[str, str]] = set()
    found = aisles(seen.design)
    for one in found:
        width_m = one.bottom_m - one.top_m
        if one.kind != WIDE and width_m < least_m - TOUCH_M and (one.above, one.below) not in stated:
            stated.add((one.above, one.below))
            racks = [
                rack
                for other in found
                if (other.above, other.below) == (one.above, one.below)
                for rack in (*other.fronts, *other.backs)
            ]
            yield this.finding(
                f"Rows {one.above} and {one.below} are {format_length(width_m)} apart, "
                f"the policy asks for {format_length(least_m)}",
                tuple(dict.fromkeys(racks)),
                value=round(width_m, 4),
                limit=least_m,
            )
    if not found:
        yield this.not_checked("there are no two rows of racks on the floor")


@rule(
    "ROOM-002",
    Severity.WARNING,
    "Tray fuller than the policy",
    "A full tray takes no further cable, presses on the lowest ones and keeps the heat in.",
    example="400 fibers of 3 mm in a tray of 100 by 50 mm: 57 % of it, where the policy allows 40 %.",
    remedy="Widen the tray, draw a second one, or change the tray fill in the policy.",
    policy=("tray_fill",),
    source=f"ANSI/TIA-569, pathways and spaces: fill of cable trays, by outer diameters. {OF_POLICY}",
    reads=(*CABLING, RACKS, PLACEMENTS, FIXTURES, SETTINGS),
)
def full_tray(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds drawn trays whose cables of known diameter fill more of their cross-section than the policy allows."""
    most = seen.design.policy.tray_fill
    if most is None:
        return
    if not drawn_trays(seen.design):
        yield this.not_checked("no tray is drawn on the floor")
        return
    unknown: set[str] = set()
    for fill in tray_fills(seen.design, _cables(seen, unknown)):
        if fill.share is None:
            yield this.not_checked(f"the height of {fill.tray.name or 'a tray'} is not known")
        elif fill.share > most + 1e-9:
            yield this.finding(
                f"{fill.tray.name or 'A tray'}: {format_counted(fill.n_cables, 'cable')} fill "
                f"{whole_percent(fill.share)} of it, limit {whole_percent(most)}",
                (fill.tray.id,),
                value=round(fill.share, 6),
                limit=most,
            )
    for model in sorted(unknown):
        yield this.not_checked(f"the outer diameter of {model} is not known: 0 mm is assumed")


def _cables(seen: Inspection, unknown: set[str]) -> Iterator[tuple[str, str, float, int]]:
    """Each cable from rack to rack, its outer diameter and number; models of unknown diameter are noted."""
    parts = parts_known(seen.design, seen.catalog.types)
    cable_of, stated = cable_ids(seen.survey.runs, seen.design.types), set[str]()
    known: dict[tuple[str, float | None], tuple[float, int]] = {}
    for run in seen.survey.runs:
        a, b = seen.rack_of(run.low.device_id), seen.rack_of(run.high.device_id)
        if a is None or b is None or a == b or cable_of[run.link.id] in stated:
            continue
        stated.add(cable_of[run.link.id])
        key = run.link.medium_id, run.link.length_m
        if key not in known:
            known[key] = _diameter(medium_of(seen.design, run.link), run, parts, unknown)
        yield (a, b, *known[key])


def _diameter(medium: MediumType | None, run: Run, parts: OpticalParts, unknown: set[str]) -> tuple[float, int]:
    """Outer diameter of what is pulled for a link, 0 where unknown, and how many pieces that is."""
    piece, count = medium, 1
    if medium is not None and medium.kind in OPTICAL:
        count = max(1, medium.fibres // medium.links)
        piece = parts.fibre(medium, run.link.length_m)
    if piece is None:
        unknown.add("links without a cable" if medium is None else f"the fiber of {medium.model}")
    elif piece.diameter_mm is None:
        unknown.add(piece.model)
    return (piece.diameter_mm or 0.0 if piece is not None else 0.0), count

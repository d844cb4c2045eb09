"""Rules about the room: power of racks, footprints on the floor, cables along their ways."""

from collections.abc import Iterator
from dataclasses import replace

from designer.model.edit import Change, Edit
from designer.model.entities import TYPED, Link
from designer.model.fixture import SOLID
from designer.model.furnishing import title_of
from designer.placement import floor
from designer.placement.aisles import MIXED, aisles
from designer.placement.obstructions import obstructions
from designer.placement.rack_contents import rack_power, standing_in
from designer.units import format_counted, format_power
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.recabling import reaches
from designer.validation.rule import Counts, Rule, Stated, rule
from designer.validation.scope import CABLING, DEVICES, FIXTURES, PLACEMENTS, RACKS, ROOM, TYPES, Scope, Tally
from designer.validation.sources import ASHRAE, DATA_SHEETS, FLOOR_PLAN, OF_POLICY

WITH_BUDGET, WITHOUT_BUDGET, MEASURED = Tally(("budget",)), Tally(("no budget",)), Tally("measured")
WITH_LENGTH = Tally("with a length")


def _without_power(counts: Counts) -> Iterator[str]:
    with_budget, without_budget = counts[WITH_BUDGET.key], counts[WITHOUT_BUDGET.key]
    unknown = sorted(key for key, count in counts.items() if isinstance(key, str) and count)
    if unknown:
        yield f"the power of {', '.join(unknown)} is not known: 0 W is assumed"
    if without_budget:
        some = f"{format_counted(without_budget, 'rack')} {'has' if without_budget == 1 else 'have'} no power budget"
        yield some if with_budget else "no rack has a power budget"


def _nothing_measured(counts: Counts) -> Iterator[str]:
    if counts[WITH_LENGTH.key] and not counts[MEASURED.key]:
        yield "no cable with a length has a route that can be measured"


@rule(
    "RACK-002",
    Severity.ERROR,
    "Rack power exceeded",
    "Drawing more power than the feeds supply trips them.",
    remedy="Move devices to another rack, or have feeds that supply more.",
    how="Enter the power that feeds supply in the inspector of the rack.",
    example="Four servers that draw 40.8 kW in a rack with 20 kW.",
    source=f"{DATA_SHEETS}: largest power draw. The budget is that of the rack in the design.",
    scope=Scope.RACK,
    reads=ROOM,
    unchecked=_without_power,
)
def rack_power_exceeded(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds racks whose devices draw more power at most than the rack's budget; racks without one are not checked."""
    for rack in seen.racks():
        power = rack_power(seen.design, rack.id)
        if power.budget_w is None:
            yield WITHOUT_BUDGET
            continue
        yield WITH_BUDGET
        yield from (Tally(seen.design.types[one].model) for one in power.unknown)
        if power.draw_w > power.budget_w:
            yield this.finding(
                f"{rack.name}: its devices draw up to {format_power(power.draw_w)}, "
                f"its budget is {format_power(power.budget_w)}",
                (rack.id, *(one.device_id for one in standing_in(seen.design, rack.id))),
                value=power.draw_w,
                limit=power.budget_w,
            )


@rule(
    "RACK-003",
    Severity.ERROR,
    "Racks overlap",
    "Two racks cannot stand in the same place.",
    remedy="Move one of the racks.",
    how="Room > Place Racks on Floor places all of them again.",
    example="Two racks 600 mm wide whose centers are 300 mm apart.",
    source=f"{FLOOR_PLAN}, and the footprints of its racks.",
    scope=Scope.WHOLE,
    reads=(RACKS, TYPES),
)
def racks_overlap(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds pairs of racks whose footprints on the floor overlap."""
    design = seen.design
    for one, other in floor.overlaps(design):
        yield this.finding(
            f"{design.racks[one].name} and {design.racks[other].name} stand in one place on the floor", (one, other)
        )
    if design.racks and not any(floor.place_of(rack) for rack in design.racks.values()):
        yield this.not_checked("no rack has a place on the floor")


@rule(
    "RACK-004",
    Severity.ERROR,
    "Rack in a wall, column or cooling unit",
    "A rack cannot stand where the room has something else.",
    remedy="Move the rack, or correct the wall, column or cooling unit on the floor plan.",
    example="A rack that stands where the room has a column.",
    source=f"{FLOOR_PLAN}, and the footprints of its racks.",
    scope=Scope.WHOLE,
    reads=(RACKS, TYPES, FIXTURES),
)
def rack_obstructed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds racks whose footprints share floor with a wall, column or cooling unit."""
    design = seen.design
    for rack_id, fixture_id in obstructions(design):
        rack, fixture = design.racks[rack_id], design.fixtures[fixture_id]
        yield this.finding(f"{rack.name} stands in {title_of(fixture)} on the floor", (rack_id, fixture_id))
    has_solid = any(one.kind in SOLID for one in design.fixtures.values())
    if has_solid and not any(floor.place_of(rack) for rack in design.racks.values()):
        yield this.not_checked("no rack has a place on the floor")


@rule(
    "RACK-005",
    Severity.WARNING,
    "Fronts face backs",
    "Racks draw in cold air at their fronts and blow hot air out at their backs.",
    remedy="Turn one of the rows, so that fronts face fronts and rears face rears.",
    how="Room > Face Rows to Cold Aisles does so for all rows.",
    example="Two rows that stand the same way round: the fronts of one face the backs of the other.",
    source=ASHRAE,
    scope=Scope.WHOLE,
    reads=(RACKS, TYPES, PLACEMENTS, DEVICES),
)
def fronts_face_backs(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds aisles in which the fronts of racks face the backs of others, up to 3 m wide."""
    racks = seen.design.racks
    for aisle in aisles(seen.design):
        if aisle.kind == MIXED:
            fronts, backs = (
                f"{racks[ids[0]].name}{f' and {len(ids) - 1} more' if len(ids) > 1 else ''}"
                for ids in (aisle.fronts, aisle.backs)
            )
            yield this.finding(
                f"Rows {aisle.above} and {aisle.below}: the front of {fronts} faces the back of {backs}",
                (*aisle.fronts, *aisle.backs),
            )


@rule(
    "MEDIA-002",
    Severity.WARNING,
    "Cable shorter than its route",
    "A cable must be at least as long as its route along the trays.",
    remedy="Use a longer cable, or move its ends closer together.",
    how="Calculate the cable lengths again, or enter a longer length.",
    fix="Enters the length of the route, and selects the simplest cable that reaches as far where this one does not.",
    example="5 m of cable between two racks whose route along the trays is 12 m long.",
    source=f"{FLOOR_PLAN}: the route along racks and trays.",
    scope=Scope.LINK,
    reads=(*CABLING, *ROOM, FIXTURES),
    unchecked=_nothing_measured,
)
def cable_shorter_than_its_way(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds links whose cable is shorter than its route; the fix makes it as long, of a type that reaches as far."""
    routes = seen.routes
    for link in seen.links():
        if link.length_m is None:
            continue
        way = routes.route(link)
        yield WITH_LENGTH if way is None else MEASURED
        if way is None:
            continue
        if link.length_m < way.length_m - 1e-9:
            yield this.finding(
                f"{seen.link_name(link)}: {link.length_m:g} m of cable for a route of {way.length_m:g} m",
                (link.id, link.a.device_id, link.b.device_id),
                value=link.length_m,
                limit=way.length_m,
                fix=_lengthened(seen, link, way.length_m),
            )


@rule(
    "MEDIA-003",
    Severity.WARNING,
    "Cable much longer than its route",
    "The surplus is paid for and takes room in trays and racks.",
    remedy="Use a shorter cable.",
    how="Enter a shorter length, or calculate the cable lengths again.",
    fix="Enters the length of the route.",
    example="A length of 30 m that was entered when the rack stood elsewhere, for a route of 12 m.",
    policy=("length_surplus",),
    source=f"{FLOOR_PLAN}: the route along racks and trays. {OF_POLICY}",
    scope=Scope.LINK,
    reads=(*CABLING, *ROOM, FIXTURES),
)
def cable_much_longer_than_its_route(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links whose entered length is longer than their route by more than the share of the policy."""
    surplus = seen.design.policy.length_surplus
    for link in seen.links() if surplus is not None else ():
        route = seen.routes.route(link) if link.length_m is not None and link.length_source == TYPED else None
        if route is None or surplus is None or link.length_m is None:
            continue
        most_m = route.length_m * (1 + surplus)
        if link.length_m > most_m + 1e-9:
            yield this.finding(
                f"{seen.link_name(link)}: {link.length_m:g} m of cable for a route of {route.length_m:g} m",
                (link.id, link.a.device_id, link.b.device_id),
                value=link.length_m,
                limit=most_m,
                fix=_made_as_long(link, _as_routed(link, route.length_m)),
            )


def _as_routed(link: Link, length_m: float) -> Link:
    """The link as long as its route."""
    return replace(link, length_m=length_m, length_source="routed")


def _made_as_long(link: Link, after: Link) -> Edit:
    return Edit(f"Make the cable {after.length_m:g} m long", (Change(link, after),))


def _lengthened(seen: Inspection, link: Link, length_m: float) -> Edit | None:
    """The link as long as its route, with another cable where its own does not reach; None where none does."""
    after = _as_routed(link, length_m)
    if reaches(seen.design.types.get(link.medium_id), length_m):
        return _made_as_long(link, after)
    return seen.recabling.lengthened(link, after)

"""Rules about what stands in racks: depth, weight, feeds, air, and what stands in no rack or nowhere."""

from collections import Counter
from collections.abc import Iterator

from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Rack
from designer.model.equipping import free_unit, height, mount
from designer.model.hardware.modules import LineCardType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import FRONT_TO_REAR, SwitchType
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.aisles import MIXED, aisles
from designer.placement.mounting import turn_mounted
from designer.placement.rack_contents import Standing, rack_power, standing_in
from designer.topologies.racking import is_chip, mounted_units
from designer.units import format_count, format_counted, format_power
from designer.validation.findings import Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Counts, Rule, Stated, rule
from designer.validation.scope import MODULES, READABLE, ROOM, SETTINGS, Scope, Tally
from designer.validation.sources import ASHRAE, DATA_SHEETS, TIA_606, TIA_942
from designer.validation.subjects import listed

TOLERANCE = 1e-6
NO_LOAD, NO_FEEDS = Tally(("no load",)), Tally(("no feeds",))


def _types(counts: Counts) -> list[str]:
    """What was tallied under its own name."""
    return sorted(key for key, count in counts.items() if isinstance(key, str) and count)


def _standing(design: Design, rack: Rack) -> Iterator[tuple[Standing, SwitchType | ServerType]]:
    """What stands in a rack, but for the systems that come with a rack of their own."""
    for one in standing_in(design, rack.id):
        type_ = design.device_type(one.device_id)
        if not type_.fills_rack:
            yield one, type_


def _depth_unknown(counts: Counts) -> Iterator[str]:
    if types := _types(counts):
        yield f"the depth of {', '.join(types)} is not known"


@rule(
    "RACK-006",
    Severity.ERROR,
    "Device deeper than the rack",
    "The doors of the rack do not close on a device that is deeper.",
    example="A server of 897 mm in a rack that is 800 mm deep.",
    remedy="Use a deeper rack.",
    how="Correct the depth of the racks in Room > Room Dimensions where it is another.",
    source=f"{DATA_SHEETS}: depths of devices and racks.",
    scope=Scope.RACK,
    reads=(*ROOM, SETTINGS),
    unchecked=_depth_unknown,
)
def too_deep(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds devices deeper than what their rack takes by its type, else than the racks of the room are deep."""
    for rack in seen.racks():
        type_ = seen.design.types[rack.type_id]
        stated_mm = type_.depth_mm if isinstance(type_, RackType) else None
        depth_mm = stated_mm if stated_mm is not None else seen.design.settings.rack_depth_m * 1000
        for one, its in _standing(seen.design, rack):
            if its.depth_mm is None:
                yield Tally(its.model)
            elif its.depth_mm > depth_mm + 1e-6:
                yield this.finding(
                    f"{seen.name(one.device_id)} is {its.depth_mm:g} mm deep, {rack.name} {depth_mm:g} mm",
                    (one.device_id, rack.id),
                    value=its.depth_mm,
                    limit=depth_mm,
                )


def _weight_unknown(counts: Counts) -> Iterator[str]:
    if types := _types(counts):
        yield f"the weight of {', '.join(types)} is not known"
    if none := counts[NO_LOAD.key]:
        yield f"the weight limit of {format_counted(none, 'rack')} is not known"


@rule(
    "RACK-007",
    Severity.ERROR,
    "Rack carries too much",
    "A rack loaded beyond its rating can give way, above all while it is moved.",
    example="Eight servers of 130 kg in a rack that carries 1,000 kg.",
    remedy="Move devices to another rack, or use one that carries more.",
    source=f"{DATA_SHEETS}: weights. What a rack carries is stated in its data sheet or in the design.",
    scope=Scope.RACK,
    reads=(*ROOM, MODULES),
    unchecked=_weight_unknown,
)
def too_heavy(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds racks whose devices of known weight are together heavier than what the rack carries."""
    design = seen.design
    for rack in seen.racks():
        limit_kg, held = _limit_kg(design, rack), [one for one, _ in _standing(design, rack)]
        if limit_kg is None:
            if held:
                yield NO_LOAD
            continue
        parts = list(_weighed(design, rack))
        yield from (Tally(part.model) for part in parts if part.weight_kg is None)
        weight_kg = sum(part.weight_kg or 0.0 for part in parts)
        if weight_kg > limit_kg + TOLERANCE:
            yield this.finding(
                f"{rack.name}: its devices weigh {weight_kg:,.10g} kg, it carries {limit_kg:,.10g} kg",
                (rack.id, *(one.device_id for one in held)),
                value=weight_kg,
                limit=limit_kg,
            )


def _limit_kg(design: Design, rack: Rack) -> float | None:
    """What a rack carries; None where neither it nor its type says so."""
    type_ = design.types[rack.type_id]
    stated_kg = type_.max_weight_kg if isinstance(type_, RackType) else None
    return rack.max_weight_kg if rack.max_weight_kg is not None else stated_kg


def _weighed(design: Design, rack: Rack) -> Iterator[SwitchType | ServerType | LineCardType]:
    """The types of what stands in a rack, and of the line cards in these."""
    for one, type_ in _standing(design, rack):
        yield type_
        cards = (design.module_type(module.id) for module in design.modules_of(one.device_id))
        yield from (card for card in cards if isinstance(card, LineCardType))


def _feeds_w(design: Design, rack: Rack) -> tuple[float, ...]:
    """What each feed of a rack supplies, as far as it or its type says so."""
    type_ = design.types[rack.type_id]
    return rack.feeds_w or (type_.feeds_w if isinstance(type_, RackType) else ())


def _left_w(design: Design, rack: Rack) -> float | None:
    """What the feeds of a rack supply when the largest is lost; None where two are not stated."""
    feeds_w = _feeds_w(design, rack)
    return sum(feeds_w) - max(feeds_w) if len(feeds_w) > 1 else None


def _is_overloaded(design: Design, rack: Rack) -> bool:
    """Whether what stands in a rack draws or weighs more than is known to be allowed."""
    power = rack_power(design, rack.id)
    weight_kg = sum(part.weight_kg or 0.0 for part in _weighed(design, rack))
    limits = (
        (power.draw_w, power.budget_w),
        (power.draw_w, _left_w(design, rack)),
        (weight_kg, _limit_kg(design, rack)),
    )
    return any(limit is not None and value > limit + TOLERANCE for value, limit in limits)


def _feeds_unknown(counts: Counts) -> Iterator[str]:
    if types := _types(counts):
        yield f"the power of {', '.join(types)} is not known: 0 W is assumed"
    if none := counts[NO_FEEDS.key]:
        yield f"two power feeds are not stated for {format_counted(none, 'rack')}"


@rule(
    "RACK-008",
    Severity.ERROR,
    "Rack does not survive the loss of a feed",
    "When one power feed is lost the others have to carry the whole rack, or they trip too.",
    example="A rack that draws 40.8 kW from two feeds of 34.5 kW each.",
    remedy="Move devices to another rack, or have feeds that supply more.",
    how="Enter what feeds supply in the inspector of the rack.",
    source=f"{TIA_942}: redundant power feeds. Their power is that of the rack in the design.",
    scope=Scope.RACK,
    reads=ROOM,
    unchecked=_feeds_unknown,
)
def feed_lost(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds racks that draw more at most than what is left of their feeds when the largest is lost."""
    for rack in seen.racks():
        left_w, held = _left_w(seen.design, rack), standing_in(seen.design, rack.id)
        if left_w is None:
            if held:
                yield NO_FEEDS
            continue
        power = rack_power(seen.design, rack.id)
        yield from (Tally(seen.design.types[one].model) for one in power.unknown)
        if power.draw_w > left_w + TOLERANCE:
            feeds = "the other feed supplies" if len(_feeds_w(seen.design, rack)) == 2 else "the other feeds supply"
            yield this.finding(
                f"{rack.name}: its devices draw up to {format_power(power.draw_w)}; "
                f"when one feed is lost, {feeds} {format_power(left_w)}",
                (rack.id, *(one.device_id for one in held)),
                value=power.draw_w,
                limit=left_w,
            )


@rule(
    "RACK-009",
    Severity.WARNING,
    "Device in no rack",
    "What stands in no rack has no place, no power and no cable length.",
    example="A leaf switch outside all racks, while the other leaf switches stand in some.",
    remedy="Put the device into a rack. What has no height, as generic types, is counted among what was not checked: "
    "give it a type that has one first.",
    fix="Puts the devices into free units of the racks in which others of the type stand, where there are enough.",
    hides=("MEDIA-001", "MEDIA-002"),
    source=f"{TIA_606}: each element has a location.",
    reads=(*ROOM, MODULES),
)
def in_no_rack(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds devices in no rack while others are in one: one finding for each type that has a height."""
    design = seen.design
    outside: dict[str, list[str]] = {}
    racks_of: dict[str, dict[str, None]] = {}
    n_inside = Counter[str]()
    for device in ordered(design.devices):
        rack_id = seen.rack_of(device.id)
        if rack_id is not None:
            racks_of.setdefault(device.type_id, {})[rack_id] = None
            n_inside[device.type_id] += 1
        elif not is_chip(design.device_type(device.id)):
            outside.setdefault(device.type_id, []).append(device.id)
    for type_id, devices in outside.items() if racks_of else ():
        type_ = design.device_type(devices[0])
        if type_id not in racks_of and mounted_units(type_) is None:
            are, they = ("is", "it has") if len(devices) == 1 else ("are", "they have")
            yield this.not_checked(f"{format_count(len(devices))} {type_.model} {are} in no rack: {they} no height")
            continue
        names, are = listed([seen.name(one) for one in devices]), "is" if len(devices) == 1 else "are"
        yield this.finding(
            f"{names} {are} in no rack, unlike {_others(design, devices[0], n_inside)}",
            tuple(devices),
            value=len(devices),
            limit=0,
            fix=_put_into(seen, devices, list(racks_of.get(type_id, ()))),
        )


def _others(design: Design, device_id: str, n_inside: Counter[str]) -> str:
    """How many devices do stand in racks, of the same type or else of others."""
    n_like_it = n_inside[design.device(device_id).type_id]
    if n_like_it == 1:
        return "1 other of its type"
    if n_like_it:
        return f"{format_count(n_like_it)} others of the type"
    n_inside_all = n_inside.total()
    if n_inside_all == 1:
        return "1 device of another type"
    return f"{format_count(n_inside_all)} devices of other types"


def _put_into(seen: Inspection, devices: list[str], racks: list[str]) -> Edit | None:
    """The devices in the lowest gaps of these racks, one after the other; None where there are too few.

    No rack gets more than it carries or its feeds supply, as far as that is known.
    """
    made, edits = seen.design.snapshot(), list[Edit]()
    for device_id in devices:
        units, name = height(made.device_type(device_id)), seen.name(device_id)
        while racks:
            try:
                unit = free_unit(made, racks[0], units, None, name, device_id)
            except EditError:
                racks = racks[1:]
                continue
            mounted = mount(made, device_id, racks[0], unit)
            made.apply(mounted)
            if _is_overloaded(made, made.racks[racks[0]]):
                made.apply(mounted.inverted())
                racks = racks[1:]
                continue
            edits.append(mounted)
            break
        else:
            return None
    where = seen.name(devices[0]) if len(devices) == 1 else format_counted(len(devices), "device")
    return joined(f"Put {where} into racks with free units", edits)


@rule(
    "RACK-010",
    Severity.WARNING,
    "Rack without a place",
    "Cables to a rack that has no place on the floor have no length.",
    example="A rack that was added after the others had been placed on the floor.",
    remedy="Place the rack on the floor.",
    fix="Places the racks in rows of their own, below those that stand.",
    hides=("MEDIA-001", "MEDIA-002", "RACK-005", "ROOM-001"),
    source=f"{TIA_606}: each rack has a location on the floor.",
    reads=READABLE,  # its fix arranges the racks by all that is in them
)
def nowhere(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds racks without a place on the floor while others have one: one finding for all."""
    racks = ordered(seen.design.racks)
    without = [rack for rack in racks if floor.place_of(rack) is None]
    if without and len(without) < len(racks):
        verb = "has" if len(without) == 1 else "have"
        yield this.finding(
            f"{listed([rack.name for rack in without])} {verb} no place on the floor",
            tuple(rack.id for rack in without),
            value=len(without),
            limit=0,
            fix=_placed(seen.design, frozenset(rack.id for rack in without)),
        )


def _placed(design: Design, rack_ids: frozenset[str]) -> Edit | None:
    """The racks placed on the floor; None where other fronts would face backs then, as where two racks overlap."""
    fix, after = floor.place_missing(design, rack_ids), design.snapshot()
    after.apply(fix)
    mixed, then = ({(*one.fronts, *one.backs) for one in aisles(each) if one.kind == MIXED} for each in (design, after))
    return None if any(rack_ids.isdisjoint(one) for one in then - mixed) else fix


def _air_unknown(counts: Counts) -> Iterator[str]:
    if types := _types(counts):
        yield f"where {', '.join(types)} {'takes' if len(types) == 1 else 'take'} in air is not known"


@rule(
    "RACK-011",
    Severity.WARNING,
    "Device takes in hot air",
    "Racks draw in cold air at their fronts; what draws in air at their backs gets what the others blow out.",
    example="A switch with air from its ports to its supplies, mounted with the ports to the back of the rack.",
    remedy="Turn the device round, or order it with air the other way.",
    fix="Turns the device round in its rack.",
    source=ASHRAE,
    scope=Scope.RACK,
    reads=ROOM,
    unchecked=_air_unknown,
)
def takes_in_hot_air(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds devices that draw in air at the back of their rack."""
    for rack in seen.racks():
        for one, its in _standing(seen.design, rack):
            if not its.airflow:
                yield Tally(its.model)
            elif (its.airflow == FRONT_TO_REAR) == one.rear:
                name = seen.name(one.device_id)
                yield this.finding(
                    f"{name} takes in air at the back of {rack.name}: its air goes {its.airflow.replace('-', ' ')}",
                    (one.device_id, rack.id),
                    value=its.airflow,
                    fix=Edit(f"Turn {name} round", turn_mounted(seen.design, [one.device_id]).changes),
                )

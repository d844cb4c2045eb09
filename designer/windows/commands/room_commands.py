"""Commands about the physical room and about generated fabrics."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, cast, runtime_checkable

from designer.analysis.cable_numbers import number_cables
from designer.errors import DesignerError, sentence
from designer.late import Late
from designer.model.design import Design
from designer.model.edit import Change, Edit, joined
from designer.model.entities import Device, Group, Placement, order_key
from designer.placement import floor, preparation
from designer.placement.aisles import face_rows, turn_rows
from designer.placement.cable_lengths import route_cables
from designer.placement.media import pick_media
from designer.placement.mounting import turn_mounted
from designer.placement.trays import trays_over_rows
from designer.session.jobs import Outcome, Progress
from designer.session.prepared import Prepared, prepared
from designer.session.session import Session
from designer.units import format_count
from designer.windows.commands.actions import ActionRow, has_links, needs
from designer.windows.commands.edit_commands import copy_rack
from designer.windows.desk import Desk
from designer.windows.files import price_lists

exporters = Late("designer.exchange.exporters")
prepared_steps = Late("designer.exchange.prepared_steps")

Steps = Sequence[object]
"""Of a preparation: PreparedStep, which loads late."""

ROOM = "Room"
COPIES = ("Duplicate", "Paste", "Array")
"""How the labels of edits begin that copy devices."""


def regenerate(desk: Desk) -> None:
    """Generate a fabric again with other parameters, hand edits kept."""
    desk.dialogs.show("regenerate")


def measures(desk: Desk) -> None:
    """Show the dialog of room dimensions."""
    desk.dialogs.show("room")


def phases(desk: Desk) -> None:
    """Show the dialog of growth in phases."""
    desk.dialogs.show("phases")


def cost_terms(desk: Desk) -> None:
    """Show the dialog of prices and terms."""
    desk.dialogs.show("cost")


def auto_place(desk: Desk) -> None:
    """All racks in rows on the floor, which is then shown."""
    session = desk.session
    if session.attempt(lambda: floor.auto_place(session.design)):
        desk.views.show_view(desk.views.floor)
        desk.views.floor.zoom_to_fit()
    else:
        desk.notice.say("The racks are already in these places.")


def unracked_copies(design: Design, changes: Sequence[Change], label: str) -> str:
    """What to say of copies that are in no rack though devices of their types are in racks; "" of all else."""
    if not label.startswith(COPIES):
        return ""
    places = design.placements
    arrived = [one.after for one in changes if one.before is None and isinstance(one.after, Device)]
    loose = [one for one in arrived if one.id in places and places[one.id].rack_id is None]
    types = {one.type_id for one in loose}
    if not loose or not any(one.type_id in types and _is_racked(places, one.id) for one in design.devices.values()):
        return ""
    are, them = ("copy is", "it") if len(loose) == 1 else ("copies are", "them")
    return f"{format_count(len(loose))} {are} in no rack: Room > Put into Racks… mounts {them}."


def _is_racked(places: Mapping[str, Placement], device_id: str) -> bool:
    place = places.get(device_id)
    return place is not None and place.rack_id is not None


def turn(desk: Desk) -> None:
    """Selected racks turned round, selected devices turned in their racks."""
    session = desk.session

    def make() -> Edit:
        racks, devices = _racks(desk), _mounted(desk)
        edits = [floor.turn_racks(session.design, racks)] if racks else []
        edits += [turn_mounted(session.design, devices)] if devices else []
        return edits[0] if len(edits) == 1 else joined("Flip racks and devices", edits)

    session.attempt(make)


def turn_row(desk: Desk) -> None:
    """The rows of the selected racks turned round, as wholes."""
    desk.session.attempt(lambda: turn_rows(desk.session.design, _racks(desk)))


def face(desk: Desk) -> None:
    """All rows turned so that cold and hot aisles take turns."""
    if not desk.session.attempt(lambda: face_rows(desk.session.design)):
        desk.notice.say("Fronts meet over every second aisle already.")


def off_floor(desk: Desk) -> None:
    """Take the selected racks off the floor plan, in one edit; they stay in the design."""
    session = desk.session
    places = {one: None for one in _racks(desk) if floor.place_of(session.design.racks[one]) is not None}
    session.attempt(lambda: floor.place_racks(session.design, places))


def route(desk: Desk) -> None:
    """Lengths of the selected links, or of all: along the trays, typed ones kept."""
    session = desk.session
    links = _links(desk)
    edits: list[Edit] = []

    def make() -> Edit:
        edits.append(route_cables(session.design, links or None))
        return edits[0]

    if session.attempt(make):
        desk.notice.say(_totals(desk, links))
    elif edits:
        desk.notice.say("No length has changed: to route a cable, both its devices must be in racks on the floor.")


def draw_trays(desk: Desk) -> None:
    """Trays over the rows and from row to row, drawn so that they can be changed by hand; the floor plan shows them."""
    if desk.session.attempt(lambda: trays_over_rows(desk.session.design)):
        desk.views.show_view(desk.views.floor)
        desk.notice.say("Cables follow these trays once their lengths are calculated again.")


def media(desk: Desk) -> None:
    """Cables and optics by reach, for the selected links or for all that have none yet."""
    session = desk.session
    links = _links(desk)
    edits: list[Edit] = []

    def make() -> Edit:
        edits.append(pick_media(session.design, desk.catalog.types, links or None, chosen_too=bool(links)))
        return edits[0]

    if session.attempt(make):
        desk.notice.say(_totals(desk, links))
    elif edits:
        points = preparation.open_points(session.design, desk.catalog.types)
        asked = set(links or session.design.links)
        reasons = [one.reason for one in points if one.what == preparation.NO_MEDIUM and asked & set(one.link_ids)]
        desk.notice.say(f"No cable has changed: {reasons[0] if reasons else 'every link already has a cable'}.")


def _totals(desk: Desk, links: Collection[str]) -> str:
    """What the cables of these links, or of all, add up to: "64 cables routed: 512 m, ...; 64 links over ...".

    Of those without a length, how many there are and why.
    """
    design = desk.session.design
    made = preparation.totals(design, links or None)
    without = [link for one in links or design.links if (link := design.links[one]).length_m is None]
    left = [one.sentence for one in preparation.unrouted(design, without)] if without else []
    return f"{made.sentence[:1].upper()}{'; '.join(filter(None, (made.sentence[1:], made.by_type, *left)))}."


@runtime_checkable
class Preparing(Protocol):
    """The dialog that prepares a hand-over and lists what it did."""

    def do(self) -> None:
        """Prepare the hand-over."""


def prepare(
    desk: Desk, then: Callable[[], None] = lambda: None, report: Callable[[Steps], None] = lambda _steps: None
) -> None:
    """Racks placed, cables routed and chosen in one step, in a worker; then the totals, and what stays open.

    `report` gets what each step did, none where it failed, `then` is what goes on with the prepared design.
    """
    session, types = desk.session, desk.catalog.types
    design, hidden = session.snapshot(), session.hidden_networks

    def build(_progress: Progress) -> tuple[Prepared, str, Steps]:
        made = preparation.prepare(design, types)
        after = design.snapshot()
        after.apply(made.edit)
        numbers = number_cables(after)
        edit = joined(made.edit.label, (made.edit, numbers))
        after.apply(numbers)
        gaps = exporters.plan_gaps_of(after)
        still_open = gaps.summary
        stated = (
            f"{made.totals.sentence}. Open: {still_open}" if still_open else f"{made.totals.sentence}. Nothing open"
        )
        steps: Steps = prepared_steps.prepared_steps(design, after, made.totals, gaps)
        return prepared(design, edit, hidden), f"{stated[:1].upper()}{stated[1:]}.", steps

    def refuse(text: str) -> None:
        desk.notice.complain(text)
        report(())

    def take(outcome: Outcome) -> None:
        if outcome.error is not None:
            refuse(sentence(outcome.error))
            return
        made, stated, steps = outcome.value
        try:
            if made.edit:
                session.push_prepared(made)
        except DesignerError as error:
            refuse(f"The design has changed in the meantime: {error}")
            return
        desk.notice.say(stated)
        report(steps)
        then()

    session.jobs.run("prepare", build, take)


def show_open_points(desk: Desk) -> None:
    """Prepare the hand-over, then list what was done and what it still lacks."""
    desk.dialogs.show("hand_over")
    cast(Preparing, desk.dialogs["hand_over"]).do()


def rear(desk: Desk) -> None:
    """From the front of the racks to their rear, and back."""
    shown = desk.views.current is desk.views.elevation
    desk.views.show_view(desk.views.elevation)
    desk.views.elevation.show_rear(not desk.views.elevation.rear if shown else True)


def generated_groups(session: Session) -> list[Group]:
    """Groups that keep a recipe, those of the selection first."""
    design = session.design
    found = sorted((one for one in design.groups.values() if one.recipe is not None), key=lambda g: order_key(g.id))
    around = {group_id for one in session.selection for group_id in _groups_around(design, one)}
    return sorted(found, key=lambda group: group.id not in around)


def _groups_around(design: Design, entity_id: str) -> list[str]:
    found = design.entity(entity_id)
    group_id = entity_id if isinstance(found, Group) else getattr(found, "group_id", None)
    chain: list[str] = []
    while group_id is not None and group_id not in chain:
        chain.append(group_id)
        group_id = design.groups[group_id].parent_id
    return chain


def _racks(desk: Desk) -> list[str]:
    return sorted(desk.session.selected.racks, key=order_key)


def _links(desk: Desk) -> list[str]:
    return sorted(desk.session.selected.links, key=order_key)


def _mounted(desk: Desk) -> list[str]:
    return sorted(desk.session.selected.mounted, key=order_key)


@needs("Select something of a generated fabric.")
def has_recipe(desk: Desk) -> bool:
    """Whether any fabric of the design was generated, so that it can be regenerated."""
    return any(group.recipe is not None for group in desk.session.design.groups.values())


@needs("The design has no racks yet: Room > Put into Racks makes them.")
def has_racks(desk: Desk) -> bool:
    """Whether the design has any rack."""
    return bool(desk.session.design.racks)


@needs("Select a rack.")
def rack_selected(desk: Desk) -> bool:
    """Whether a rack is selected."""
    return bool(desk.session.selected.racks)


@needs("Select a rack, or devices in a rack.")
def can_turn(desk: Desk) -> bool:
    """Whether a rack or a device in a rack is selected."""
    return bool(desk.session.selected.racks or desk.session.selected.mounted)


@needs("Select a rack that stands on the floor.")
def on_floor(desk: Desk) -> bool:
    """Whether a selected rack has a place on the floor."""
    racks = desk.session.design.racks
    return any(floor.place_of(racks[one]) is not None for one in _racks(desk))


@needs("No rack stands on the floor yet: Room > Place Racks on Floor.")
def on_floor_at_all(desk: Desk) -> bool:
    """Whether any rack has a place on the floor."""
    return any(floor.place_of(one) is not None for one in desk.session.design.racks.values())


def _rear_seen(desk: Desk) -> bool:
    return desk.views.current is desk.views.elevation and desk.views.elevation.rear


@needs("No price list is in use.")
def _shows_costs(desk: Desk) -> bool:
    return desk.session.costs.prices is not None


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "fabric.regenerate",
        "Regenerate…",
        "F9",
        "restore",
        has_recipe,
        regenerate,
        "File",
        hint="Generate the fabric again with other parameters; edits made by hand are kept where possible",
    ),
    ActionRow(
        "fabric.phases",
        "Growth in Phases…",
        "",
        "",
        run=phases,
        menu="File",
        hint="What each phase of a growing fabric buys, installs, moves and unplugs, and what that costs and takes",
    ),
    ActionRow(
        "room.prepare",
        "Prepare Hand-over",
        "",
        "cable",
        has_links,
        show_open_points,
        ROOM,
        hint="Place racks on the floor, calculate cable lengths, select and number cables; then list what is still "
        "missing. What was set by hand does not change",
    ),
    ActionRow(
        "room.auto_place",
        "Place Racks on Floor",
        "",
        "floor",
        has_racks,
        auto_place,
        ROOM,
        hint="Place scalable units around their leaf switches, spine switches in the middle of the room",
    ),
    ActionRow("room.copy_rack", "Copy Rack", "", "duplicate", rack_selected, copy_rack, ROOM),
    ActionRow(
        "room.turn",
        "Flip",
        "",
        "",
        can_turn,
        turn,
        ROOM,
        hint="Turn the fronts of the selected racks, or the ports of the selected devices, to the other side",
    ),
    ActionRow(
        "room.turn_row",
        "Flip Row",
        "",
        "",
        on_floor,
        turn_row,
        ROOM,
        hint="Turn the fronts of all racks in the rows of the selected ones to the other side",
    ),
    ActionRow(
        "room.face_rows",
        "Face Rows to Cold Aisles",
        "",
        "",
        on_floor_at_all,
        face,
        ROOM,
        hint="Turn rows so that fronts meet over one aisle and backs over the next, beginning with the first row",
    ),
    ActionRow("room.off_floor", "Remove from Floor", "", "", on_floor, off_floor, ROOM),
    ActionRow(
        "room.draw_trays",
        "Draw Trays over Rows",
        "",
        "",
        on_floor_at_all,
        draw_trays,
        ROOM,
        hint="Draw a cable tray over each row and from row to row, to change by hand: cables then follow these alone",
    ),
    ActionRow(
        "room.route",
        "Calculate Cable Lengths",
        "",
        "cable",
        has_links,
        route,
        ROOM,
        hint="Measure each cable up to the trays, along them and down, with slack: for the selected links, or for "
        "all links",
    ),
    ActionRow(
        "room.media",
        "Select Cables by Reach",
        "",
        "cable",
        has_links,
        media,
        ROOM,
        hint="Select the simplest cable or optic that fits and reaches: for the selected links, or for all links "
        "without one",
    ),
    ActionRow("room.measures", "Room Dimensions…", "", "settings", run=measures, menu=ROOM),
    ActionRow(
        "room.prices",
        "Price List…",
        "",
        "",
        run=price_lists.choose,
        menu=ROOM,
        hint="Show in the status bar what the design costs by a price list: a CSV file of part numbers and prices",
    ),
    ActionRow(
        "room.cost",
        "Prices and Terms…",
        "",
        "",
        run=cost_terms,
        menu=ROOM,
        hint="Capital, power and cooling over years by price lists, exchange rates, discounts, energy price and PUE",
    ),
    ActionRow("room.no_prices", "Stop Showing Costs", "", "", _shows_costs, price_lists.forget, ROOM),
    ActionRow("room.rear", "Rear View of Racks", "", "", has_racks, rear, ROOM, checked=_rear_seen),
)

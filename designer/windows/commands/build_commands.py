"""Commands that build by hand at the level of families, each with a preview: rails, rings, groups of routers."""

from collections.abc import Callable

from designer.drawing.link_rails import rails_text
from designer.errors import DesignerError, ParameterError, PortMismatchError, sentence
from designer.late import Late
from designer.model import operations
from designer.model.bookmark import CANVAS, FLOOR
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import DRAGONFLY_GROUP, order_key
from designer.model.hardware.switches import SwitchType
from designer.model.rails import sharing_rails
from designer.model.rewiring import MOST_RECONNECTED
from designer.model.rings import RING_OF_TWO
from designer.model.router_groups import most_links_per_pair
from designer.session.session import Session
from designer.topologies.rack_policy import FREE_UNITS, PLACES, SERVERS_PER_RACK, Mounting, RackPolicy
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.commands.arrange_commands import racks_in_front, selected_devices, several_devices
from designer.windows.commands.connect_evenly import CONNECT_EVENLY, in_modes, mode_of, remedy
from designer.windows.commands.edit_commands import arranged_selected
from designer.windows.commands.transform_commands import ARRAY, RACK_ARRAY
from designer.windows.desk import Desk
from designer.windows.shell.construction_bar import Choices, Construction, Option

reconnect = Late("designer.windows.commands.reconnect")
equipment = Late("designer.topologies.equipment")
hand_racks = Late("designer.topologies.hand_racks")

BUILD = "Arrange"
APART, IN_RUNS = "apart", "in runs"
MOST_NAMED = 4
"""Leaf switches whose rails a preview names."""


def _switches(session: Session) -> list[str]:
    return sorted(session.selected.switches, key=order_key)


def _servers(session: Session) -> list[str]:
    return sorted(session.selected.servers, key=order_key)


def _no_switches(session: Session) -> bool:
    return not _switches(session)


def _just_two(session: Session) -> bool:
    return len(selected_devices(session)) == 2


# -- what is done ------------------------------------------------------------------------------------------------------


def _rails(session: Session, choices: Choices) -> Edit:
    servers, leafs, leaf_type = _servers(session), _switches(session), session.catalog.types.get(choices["leaf_type"])
    design, changes = _in_modes(session, choices)
    try:
        if leafs or not isinstance(leaf_type, SwitchType):
            rails = operations.make_rails(design, servers, leafs, in_runs=choices["sharing"] == IN_RUNS)
        else:
            rails = operations.make_rails(
                design,
                servers,
                leaf_type=leaf_type,
                servers_per_leaf=choices["per_leaf"],
                catalog_types=session.catalog.types,
            )
    except PortMismatchError as error:
        fitting = remedy(design, ("of the servers", servers), ("of the leaf switches", leafs)) if leafs else ""
        raise ParameterError(f"{error}{fitting}") from None
    return Edit(rails.label, (*changes, *rails.changes))


def _in_modes(session: Session, choices: Choices) -> tuple[Design, list[Change]]:
    """The design with leaf switches and servers in the modes that are chosen, and what that changes."""
    return in_modes(session, choices, {"leaf_mode": _switches(session), "nic_mode": _servers(session)})


def _may_share_rails(session: Session) -> bool:
    """Whether NICs share the leaf switches that are selected, so that there are two ways to do so."""
    try:
        return bool(sharing_rails(session.design, _servers(session), _switches(session)))
    except DesignerError:
        return False


def _rails_note(session: Session, choices: Choices) -> str:
    """ "Rails 1 and 5 share leaf-01, rails 2 and 6 leaf-02."; "" where each leaf switch has a rail of its own."""
    in_runs = choices["sharing"] == IN_RUNS
    design, _ = _in_modes(session, choices)
    found = list(sharing_rails(design, _servers(session), _switches(session), in_runs=in_runs).items())
    named = [
        f"{rails_text(rails)} {'' if number else 'share '}{session.design.device(leaf).name}"
        for number, (leaf, rails) in enumerate(found[:MOST_NAMED])
    ]
    if len(found) > MOST_NAMED:
        named.append(f"and so on over {format_counted(len(found), 'leaf switch')}")
    text = ", ".join((*named[:1], *(one[0].lower() + one[1:] for one in named[1:])))
    return f"{text}." if text else ""


def _ring(session: Session, choices: Choices) -> Edit:
    return operations.close_ring(
        session.design, selected_devices(session), double=choices["double"] and _just_two(session)
    )


def _ring_note(session: Session, choices: Choices) -> str:
    return sentence(RING_OF_TWO) if _just_two(session) and not choices["double"] else ""


def _router_group(session: Session, choices: Choices) -> Edit:
    return operations.make_router_group(session.design, _switches(session), choices["per_pair"])


def _join(session: Session, choices: Choices) -> Edit:
    return operations.join_groups(session.design, _groups(session), choices["per_pair"])


def _join_note(session: Session, choices: Choices) -> str:
    groups = _groups(session)
    left = most_links_per_pair(session.design, groups) - (choices["per_pair"] or 0)
    return f"{len(groups)} groups, with ports for {left} more links per pair." if left > 0 else ""


def _groups(session: Session) -> list[str]:
    """Groups that are selected, else the innermost ones the selected devices are in; dragonfly groups first of all."""
    design, chosen = session.design, session.selected
    found = chosen.groups or chosen.groups_of_devices
    routed = {one for one in found if design.groups[one].kind == DRAGONFLY_GROUP}
    return sorted(routed if len(routed) > 1 else found, key=order_key)


def _mounting(session: Session, choices: Choices) -> Mounting:
    power_kw = choices["power_kw"]
    power_w, free_units = power_kw * 1000.0 if power_kw else None, choices["free_units"] or 0
    policy = RackPolicy(choices["servers"], choices["switches"], power_w, free_units)
    types = equipment.types_of(session.design, session.catalog)
    chosen = session.selected.devices or session.design.devices.keys()
    found: Mounting = hand_racks.mounted(session.design, chosen, policy, types)
    return found


def _mount(session: Session, choices: Choices) -> Edit:
    return _mounting(session, choices).edit


def _mount_report(session: Session, choices: Choices) -> str:
    return f"{_mounting(session, choices).report} Ctrl+Z takes them out again."


def _mount_note(session: Session, choices: Choices) -> str:
    found = _mounting(session, choices)
    return " ".join(filter(None, (f"{found.summary}.", found.spread, found.remark)))


# -- when --------------------------------------------------------------------------------------------------------------


@needs("Select servers.")
def _server_selected(desk: Desk) -> bool:
    return bool(desk.session.selected.servers)


@needs("Select two switches or more.")
def _several_switches(desk: Desk) -> bool:
    return len(desk.session.selected.switches) >= 2


@needs("Select two groups or more.")
def _several_groups(desk: Desk) -> bool:
    return len(_groups(desk.session)) >= 2


@needs(f"Select 1 to {MOST_RECONNECTED} links that end at one device.")
def _can_reconnect(desk: Desk) -> bool:
    """Whether links and nothing else are selected, which all end at one device."""
    chosen = desk.session.selected
    are_links = 0 < len(desk.session.selection) <= MOST_RECONNECTED and chosen.are_links
    return are_links and bool(reconnect.shared_devices(desk.session))


def _reconnect(desk: Desk) -> None:
    desk.construction.open(reconnect.RECONNECT)


CONSTRUCTIONS: tuple[Construction, ...] = (
    Construction(
        "room.mount",
        "Put into Racks",
        _mount,
        (
            Option(
                "servers",
                "Servers per rack",
                "count",
                hint="Leave empty for as many as fit",
                proposed=lambda _session, _picked: SERVERS_PER_RACK,
            ),
            Option(
                "power_kw",
                "Power limit per rack (kW)",
                "count",
                hint="Leave empty for the limit of the rack type",
                empty="by type",
            ),
            Option(
                "switches",
                "Switches",
                "choice",
                hint="Where switches that servers connect to are mounted; others get racks of their own",
                choices=tuple(PLACES.items()),
            ),
            Option(
                "free_units",
                "Free units per switch rack",
                "count",
                FREE_UNITS,
                hint="Kept free in each rack of switches, for cable managers and patch panels; next to chassis, one",
            ),
        ),
        _mount_note,
        needs_selection=False,
        report=_mount_report,
    ),
    CONNECT_EVENLY,
    Construction(
        "build.rails",
        "Make Rails from These Servers",
        _rails,
        (
            Option(
                "sharing",
                "Rails that share",
                "choice",
                shown=_may_share_rails,
                hint="Which NICs of a server go to the same leaf switch",
                choices=((APART, "far apart"), (IN_RUNS, "next to each other")),
            ),
            Option("leaf_type", "Leaf switches", "switch", shown=_no_switches),
            Option(
                "per_leaf",
                "Servers per leaf switch",
                "count",
                shown=_no_switches,
                hint="Leave empty for as many as a leaf switch has ports for, with none kept for uplinks",
            ),
            mode_of("leaf_mode", "Ports of leaf switches", _switches),
            mode_of("nic_mode", "Ports of NICs", _servers),
        ),
        _rails_note,
    ),
    Construction(
        "build.ring",
        "Close This Row into a Ring",
        _ring,
        (Option("double", "Second link between the two", "flag", False, shown=_just_two),),
        _ring_note,
    ),
    Construction(
        "build.router_group",
        "Make These Routers a Group",
        _router_group,
        (Option("per_pair", "Links per pair", "count", 1),),
    ),
    Construction(
        "build.join_groups",
        "Join Groups",
        _join,
        (Option("per_pair", "Links per pair of groups", "count", 1),),
        _join_note,
    ),
    ARRAY,
)


@needs("Select a device, rack or group.", (CANVAS, FLOOR))
def _can_array(desk: Desk) -> bool:
    """Whether something is selected that stands where the view in front shows it: on the canvas or the floor."""
    return bool(racks_in_front(desk)) if desk.views.name == FLOOR else arranged_selected(desk)


def _open_array(desk: Desk) -> None:
    if racks_in_front(desk):
        desk.construction.open(RACK_ARRAY)
    else:
        _BY_ID["arrange.array"](desk)


def _opening(construction: Construction) -> Callable[[Desk], None]:
    return lambda desk: desk.construction.open(construction)


_BY_ID = {one.id: _opening(one) for one in CONSTRUCTIONS}


def _add_networks(desk: Desk) -> None:
    desk.dialogs.show("networks")


@needs("The design has no servers yet.")
def _any_server(desk: Desk) -> bool:
    design = desk.session.design
    return any(map(design.is_server, design.devices))


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "room.mount",
        "Put into Racks…",
        "",
        "rack",
        has_devices,
        _BY_ID["room.mount"],
        "Room",
        hint="Mount the selected devices that are in no rack, or all of these where nothing is selected, in new racks: "
        "so many servers per rack, switches on top, in the middle or in racks of their own, within the power of a rack",
    ),
    ActionRow(
        "fabric.networks",
        "Add Networks…",
        "",
        "",
        _any_server,
        _add_networks,
        "File",
        hint="Add storage, in-band and out-of-band (BMC) networks with switches of their own",
    ),
    ActionRow(
        "link.connect_evenly",
        "Connect Evenly…",
        "Ctrl+L",
        "connect-evenly",
        several_devices,
        _BY_ID["link.connect_evenly"],
        BUILD,
        hint="Connect every lower device to every upper one with the same number of links per pair: the number "
        "entered, or as many as fit; of three tiers or more each to the next above",
    ),
    ActionRow(
        "link.reconnect",
        "Reconnect…",
        "",
        "",
        _can_reconnect,
        _reconnect,
        BUILD,
        hint="Lead the selected links, such as those of a rail, from the device that they share to another",
    ),
    ActionRow(
        "build.rails",
        "Make Rails from These Servers…",
        "Ctrl+Shift+R",
        "",
        _server_selected,
        _BY_ID["build.rails"],
        BUILD,
        hint="Connect NIC i of every selected server to leaf switch i: the selected leaf switches, or new ones",
    ),
    ActionRow(
        "build.ring",
        "Close This Row into a Ring…",
        "",
        "",
        several_devices,
        _BY_ID["build.ring"],
        BUILD,
        hint="Torus: connect each selected device to the next in order of position, and the last to the first",
    ),
    ActionRow(
        "build.router_group",
        "Make These Routers a Group…",
        "",
        "",
        _several_switches,
        _BY_ID["build.router_group"],
        BUILD,
        hint="Dragonfly: connect every pair of the selected switches and put them in one group",
    ),
    ActionRow(
        "build.join_groups",
        "Join Groups…",
        "",
        "",
        _several_groups,
        _BY_ID["build.join_groups"],
        BUILD,
        hint="Dragonfly: add global links between every pair of the selected groups, spread evenly over their routers",
    ),
    ActionRow(
        "arrange.array",
        "Array…",
        "Ctrl+Shift+D",
        "",
        _can_array,
        _open_array,
        BUILD,
        hint="Copies of the selection in columns and rows, with the links inside them, named on",
    ),
)

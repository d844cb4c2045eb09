"""Commands about failures: mark things as failed and restore them, search for the worst."""

from collections.abc import Callable, Mapping

from designer.graph.failures import covered, in_rack
from designer.model.design import Design
from designer.model.entities import Device, Link, Module
from designer.model.removing import in_words
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_links, needs
from designer.windows.desk import Desk

SIMULATE = "Simulate"
FAIL = "Fail"
Pick = Callable[[Desk], frozenset[str]]


def show_sweep(desk: Desk) -> None:
    """Go to the Failures panel, which finds the failures that hurt most."""
    desk.docks.focus("failures")


def _selected(desk: Desk) -> frozenset[str]:
    """What the selection breaks: devices, links and NICs themselves, racks and groups with all they hold."""
    return covered(desk.session.design, desk.session.selection)


def _racks_of_selected(desk: Desk) -> frozenset[str]:
    """Everything in the racks of the selected devices."""
    design = desk.session.design
    placed = (design.placements.get(one) for one in desk.session.selection if one in design.devices)
    racks = {placement.rack_id for placement in placed if placement is not None and placement.rack_id is not None}
    return frozenset().union(*(in_rack(design, rack_id) for rack_id in racks))


def _planes_of_selected(desk: Desk) -> frozenset[str]:
    """All switches of the planes that selected switches are in."""
    design = desk.session.design
    devices = (design.devices.get(one) for one in desk.session.selection)
    planes = {(device.network, device.plane) for device in devices if device is not None and device.plane is not None}
    switches = design.switches() if planes else ()
    return frozenset(switch.id for switch in switches if (switch.network, switch.plane) in planes)


def _fail(chosen: Pick) -> Callable[[Desk], None]:
    def run(desk: Desk) -> None:
        _take(desk, FAIL, desk.session.failed | chosen(desk))

    return run


def _take(desk: Desk, verb: str, failed: frozenset[str]) -> None:
    """Mark exactly these as failed, a step to undo that names what it adds or restores."""
    session = desk.session
    tables: tuple[Mapping[str, Device | Link | Module], ...]
    tables = (session.design.devices, session.design.links, session.design.modules)
    differing = failed ^ session.failed
    named = in_words([t[one] for t in tables for one in differing if one in t])
    before = _links_out(session.design, session.failed)
    session.mark_as_failed(failed, f"{verb} {named}")
    if differing:
        changed = _links_out(session.design, failed) - before
        desk.notice.say(f"{named} {_outcome(changed, is_failure=verb == FAIL)}")


def _links_out(design: Design, failed: frozenset[str]) -> int:
    """How many links are out of use while these have failed: themselves, or a device at one of their ends."""
    return sum(not failed.isdisjoint((one.id, one.a.device_id, one.b.device_id)) for one in design.links.values())


def _outcome(links: int, *, is_failure: bool) -> str:
    """ "marked as failed: 32 links out of use"; of a link alone, or of none, without the count."""
    counted = format_counted(abs(links), "link") if abs(links) > 1 else ""
    said, then = ("marked as failed", "out of use") if is_failure else ("restored", "back in use")
    return f"{said}: {counted} {then}" if counted else said


# What follows is asked after each change of the selection, which may be everything there is: it looks no further than
# the first that will do.


@needs("Select devices or links that work.")
def can_fail(desk: Desk) -> bool:
    """Whether anything in the selection can be marked as failed and is not yet."""
    design, failed = desk.session.design, desk.session.failed
    tables = (design.devices, design.links, design.modules, design.racks, design.groups)
    return any(one not in failed and any(one in table for table in tables) for one in desk.session.selection)


@needs("Select devices in a rack.")
def has_rack(desk: Desk) -> bool:
    """Whether a selected device stands in a rack."""
    return bool(desk.session.selected.mounted)


@needs("Select a device that belongs to a plane.")
def has_plane(desk: Desk) -> bool:
    """Whether a selected device belongs to a plane."""
    return desk.session.selected.is_in_plane


def restore_selected(desk: Desk) -> None:
    """Restore the failed devices, links and NICs of the selection, with all that its racks and groups hold."""
    _take(desk, "Restore", desk.session.failed - _selected(desk))


def restore_all(desk: Desk) -> None:
    """Restore everything that is marked as failed, as one step to undo."""
    _take(desk, "Restore", frozenset())


@needs("Select something that is marked as failed.")
def can_restore(desk: Desk) -> bool:
    """Whether anything that the selection covers is marked as failed."""
    failed = desk.session.failed
    return bool(failed) and bool(_selected(desk) & failed)


@needs("Nothing is marked as failed.")
def anything_failed(desk: Desk) -> bool:
    """Whether anything is marked as failed."""
    return bool(desk.session.failed)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "failures.sweep",
        "Failures…",
        "Ctrl+Shift+X",
        "warning",
        has_links,
        show_sweep,
        SIMULATE,
        hint="Find the failure that hurts most: each one in turn, pairs, or many at random",
    ),
    ActionRow(
        "simulate.fail",
        "Mark as Failed",
        "X",
        "fail",
        can_fail,
        _fail(_selected),
        SIMULATE,
        hint="Simulate as if the selected devices, links, racks or groups had failed; the design does not change",
    ),
    ActionRow(
        "simulate.fail_rack",
        "Mark Whole Rack as Failed",
        "",
        "fail",
        has_rack,
        _fail(_racks_of_selected),
        SIMULATE,
    ),
    ActionRow(
        "simulate.fail_plane",
        "Mark Whole Plane as Failed",
        "",
        "fail",
        has_plane,
        _fail(_planes_of_selected),
        SIMULATE,
    ),
    ActionRow("simulate.restore", "Restore Selected", "Shift+X", "restore", can_restore, restore_selected, SIMULATE),
    ActionRow("simulate.restore_all", "Restore All", "", "restore", anything_failed, restore_all, SIMULATE),
)

"""Commands that change or choose: undo, clipboard, duplicate, delete, select, find."""

from collections.abc import Callable

from designer.drawing.room.floor_plan import PER_M
from designer.late import Late
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Group, Link, Rack, order_key
from designer.model.fragments import Fragment, centre, centred_on_floor, labels_within
from designer.session.copies import arrivals, labels_left
from designer.session.jobs import Outcome
from designer.session.prepared import LARGE_EDIT
from designer.storage import document
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, needs
from designer.windows.desk import Desk

bending = Late("designer.model.bending")
extents = Late("designer.placement.extents")

EDIT = "Edit"
MAX_FRAGMENT_BYTES = 200_000_000
BYTES_A_RECORD = 80
"""About what a record of a fragment takes."""
COPYING = "copying"


def undo(desk: Desk) -> None:
    """Undo the last edit, in a worker if it is large."""
    desk.session.async_undo.undo()


def redo(desk: Desk) -> None:
    """Redo the last edit undone, in a worker if it is large."""
    desk.session.async_undo.redo()


def copy(desk: Desk) -> None:
    """Copy the selection to the clipboard, in a worker if it is large."""
    _copy(desk, lambda: None)


def cut(desk: Desk) -> None:
    """Copy the selection to the clipboard, then delete it, if the same is still selected by then.

    A group is deleted with all that was copied with it.
    """
    _copy(desk, lambda: _delete(desk, desk.session.selected.lit))


def _copy(desk: Desk, then: Callable[[], None]) -> None:
    """Put the selection on the clipboard, then do `then`; in a worker where very much is selected."""
    session, selection = desk.session, desk.session.selection

    def work(design: Design) -> str:
        return document.encode_fragment(operations.copy_fragment(design, sorted(selection)))

    def take(text: str) -> None:
        desk.clipboard.put(text)
        desk.notice.say(f"Copied {_counted(len(selection))}")
        if session.selection is selection:
            then()

    def take_outcome(outcome: Outcome) -> None:
        desk.notice.done()
        if outcome.value is None:
            session.message.emit(outcome.error or "")
        else:
            take(outcome.value)

    if len(selection) < LARGE_EDIT:
        take(work(session.design))
        return
    snapshot = session.snapshot()
    session.jobs.run(COPYING, lambda _progress: work(snapshot), take_outcome)
    desk.notice.wait(f"Copying {_counted(len(selection))} …", lambda: session.jobs.cancel(COPYING))


def paste(desk: Desk) -> None:
    """What the clipboard holds, at the pointer over the canvas or floor plan, else a step further each time.

    It goes to the nearest place from there where it covers nothing.
    """
    canvas = desk.views.canvas
    at = canvas.pointer_spot() if desk.views.current is canvas else None
    offset = desk.clipboard.next_offset() if at is None else 0.0
    spot = None if at is None else desk.clipboard.next_spot(*at)
    free_place = canvas.free_places()

    def shift(fragment: Fragment) -> tuple[float, float]:
        x, y = centre(fragment)
        dx, dy = (offset, offset) if spot is None else (spot[0] - x, spot[1] - y)
        room = extents.extent_of(fragment, with_notes=False)
        if room is None:
            return dx, dy
        left, top, right, bottom = room
        further = free_place((left + dx, top + dy, right + dx, bottom + dy))
        return dx + further[0], dy + further[1]

    floor = desk.views.floor
    on_floor = floor.pointer_spot() if desk.views.current is floor else None
    _paste(desk, shift, None if on_floor is None else (on_floor[0] / PER_M, on_floor[1] / PER_M))


def paste_in_place(desk: Desk) -> None:
    """What the clipboard holds, exactly where it was copied from."""
    _paste(desk, lambda _fragment: (0.0, 0.0))


def _paste(
    desk: Desk, shift: Callable[[Fragment], tuple[float, float]], to_m: tuple[float, float] | None = None
) -> None:
    """What the clipboard holds, a shift from where it was copied; it may come from another desk.

    Racks and fixtures come where they stood on the floor, or around `to_m`; racks where there is room to the right.
    """
    session = desk.session
    raw = desk.clipboard.content()
    if not raw.strip():
        session.message.emit("The clipboard is empty: copy devices first.")
    elif len(raw) > MAX_FRAGMENT_BYTES:
        session.message.emit("The clipboard content is too large to paste into a design.")
    else:
        n_labels = list[int]()

        def make(design: Design) -> Edit:
            fragment = document.decode_fragment(raw)
            n_labels.append(sum(1 for one in fragment.links if one.label))
            if to_m is not None:
                fragment = centred_on_floor(fragment, to_m)
            return operations.paste(design, fragment, *shift(fragment))

        def select(edit: Edit) -> None:
            new = arrivals(edit)
            session.select(new)
            for view in dict.fromkeys((desk.views.canvas, desk.views.current)):
                view.reveal(new)
            _tell_labels(desk, n_labels[-1], edit)

        session.large_edits.attempt("Pasting", len(raw) // BYTES_A_RECORD, make, select)


def duplicate(desk: Desk) -> None:
    """Add a copy of the selection beside it, or the step away that the last copy was moved, and select the copy.

    Racks are copied with what is in them; on the floor a copy takes the next free place in the row.
    """
    _duplicate(desk, desk.session.selection)


def copy_rack(desk: Desk) -> None:
    """The same for the selected racks alone."""
    _duplicate(desk, desk.session.selected.racks)


def _duplicate(desk: Desk, chosen: frozenset[str]) -> None:
    session, ids = desk.session, sorted(chosen)
    step = session.copies.step(session.design, chosen) or desk.views.canvas.step_beside(_drawn(session.design, chosen))

    def remember(edit: Edit) -> None:
        session.select(session.copies.remember(session.design, ids, edit))
        _tell_labels(desk, labels_within(session.design, ids), edit)

    session.large_edits.attempt(
        f"Duplicating {_counted(len(ids))}", len(ids), lambda design: operations.duplicate(design, ids, *step), remember
    )


def _tell_labels(desk: Desk, n_labels: int, edit: Edit) -> None:
    if left := labels_left(n_labels, edit):
        desk.notice.say_of_edit(left)


def _drawn(design: Design, chosen: frozenset[str]) -> list[str]:
    """These, and of racks that stand on the floor alone what is in them: that is drawn on the canvas."""
    undrawn = chosen & design.racks.keys() - design.placements.keys()
    return [*sorted(chosen), *(one for rack_id in sorted(undrawn) for one in design.mounted(rack_id))]


def delete(desk: Desk) -> None:
    """Delete the selection, in a worker if it is large; a note counts what was deleted where it is several things.

    Of a line whose bend was clicked last, only that.
    """
    session, at = desk.session, desk.session.held_bend
    session.held_bend = None
    if at is not None and (edit := bending.remove_bend(session.design, session.selection, at)):
        session.attempt(lambda: edit)
        return
    _delete(desk, session.selection)


def _delete(desk: Desk, ids: frozenset[str]) -> None:
    def tell(edit: Edit) -> None:
        if stated := _deleted(edit):
            desk.notice.say_of_edit(stated)

    desk.session.large_edits.attempt(
        f"Deleting {_counted(len(ids))}", len(ids), lambda design: operations.delete(design, sorted(ids)), tell
    )


def _deleted(edit: Edit) -> str:
    """What was deleted, where it is more than one thing that was drawn: "5 links deleted. Ctrl+Z brings them back."."""
    gone = [change.before for change in edit.changes if change.after is None]
    links = sum(isinstance(one, Link) for one in gone)
    others = sum(isinstance(one, Device | Rack | Group) for one in gone)
    if links + others < 2:
        return ""
    what = edit.label.removeprefix("Delete ")
    along = f" with {format_counted(links, 'link')}" if links and others else ""
    return f"{what}{along} deleted. Ctrl+Z brings them back."


def select_all(desk: Desk) -> None:
    """Select every device, rack, link and annotation that is shown; on the floor plan all that is on it."""
    session, design = desk.session, desk.session.design
    on_floor = desk.views.current is desk.views.floor
    drawn = design.annotations.values() if session.annotations_shown else ()
    notes = {one.id for one in drawn if one.is_on_floor == on_floor}
    if on_floor:
        session.select([*design.racks, *design.fixtures, *notes])
        return
    everything = frozenset(design.devices).union(design.racks.keys() & design.placements.keys(), design.links)
    shown = frozenset(filter(session.is_shown, everything)) if session.hidden_networks else everything
    session.select(shown | notes if notes else shown)


def select_none(desk: Desk) -> None:
    """Clear the selection."""
    desk.session.select([])


def select_neighbours(desk: Desk) -> None:
    """Also select the devices linked to selected ones, as far as they are shown."""
    design, selection = desk.session.design, desk.session.selection
    found = set(selection)
    for device_id in selection & design.devices.keys():
        for link in design.links_of(device_id):
            found |= {link.a.device_id, link.b.device_id}
    desk.session.select(filter(desk.session.is_shown, found))


def select_one_link(desk: Desk) -> None:
    """The busiest of the links selected alone, the first where no load is known; its page says whose load it is."""
    session = desk.session
    links, heat = sorted(session.selected.links, key=order_key), session.workbench.simulation.heat
    if heat is not None:
        links = [links[int(heat.loads.taken_for(links, 0.0).max(axis=1).argmax())]]
    session.select(links[:1])
    desk.docks.show("inspector")


def rename(desk: Desk) -> None:
    """Rename what is selected where it is drawn; in the Inspector what has no name there.

    Links of one line get the label that is typed. Several other things are renamed in a dialog, by a pattern.
    """
    if desk.views.current.write_in(*desk.session.selection):
        return
    if len(desk.session.selection) > 1:
        rename_many(desk)
        return
    desk.docks.show("inspector")
    desk.docks.inspector.focus_name()


def rename_many(desk: Desk) -> None:
    """Show the dialog that renames what is selected by a pattern, from a list, or by find and replace."""
    desk.dialogs.show("rename")


def browse_catalog(desk: Desk) -> None:
    """Show the catalog of hardware types."""
    desk.dialogs.show("catalog")


def settings(desk: Desk) -> None:
    """Show the settings of the program."""
    desk.dialogs.show("settings")


def _counted(number: int) -> str:
    return f"{number:,} item" + ("" if number == 1 else "s")


@needs("There is nothing to undo.")
def can_undo(desk: Desk) -> bool:
    """Whether there is an edit to undo."""
    return desk.session.undo_stack.canUndo()


@needs("There is nothing to redo.")
def can_redo(desk: Desk) -> bool:
    """Whether there is an undone edit to redo."""
    return desk.session.undo_stack.canRedo()


@needs("Nothing is selected.")
def something_selected(desk: Desk) -> bool:
    """Whether anything is selected."""
    return bool(desk.session.selection)


@needs("Select a device.")
def device_selected(desk: Desk) -> bool:
    """Whether a device is selected."""
    return bool(desk.session.selected.devices)


@needs("Select a device, rack or group.")
def arranged_selected(desk: Desk) -> bool:
    """Whether something that stands on the canvas is selected, by itself or with its group."""
    return bool(desk.session.selected.arranged)


@needs("Select devices, racks, groups, annotations or fixtures.")
def copyable_selected(desk: Desk) -> bool:
    """Whether something that stands on the canvas, a group, or a fixture of the room is selected."""
    return desk.session.selected.is_copyable


@needs("Select a line that stands for several links.")
def links_selected(desk: Desk) -> bool:
    """Several links and nothing else, as by a click on a line that stands for many."""
    return len(desk.session.selection) > 1 and desk.session.selected.are_links


@needs("The canvas is empty.")
def any_placed(desk: Desk) -> bool:
    """Whether any device or rack stands on the canvas, or the room has fixtures."""
    return bool(desk.session.design.placements or desk.session.design.fixtures)


ROWS: tuple[ActionRow, ...] = (
    ActionRow("edit.undo", "Undo", "Ctrl+Z", "undo", can_undo, undo, EDIT),
    ActionRow("edit.redo", "Redo", "Ctrl+Shift+Z; Ctrl+Y", "redo", can_redo, redo, EDIT),
    ActionRow("edit.cut", "Cut", "Ctrl+X", "cut", copyable_selected, cut, EDIT),
    ActionRow("edit.copy", "Copy", "Ctrl+C", "copy", copyable_selected, copy, EDIT),
    ActionRow("edit.paste", "Paste", "Ctrl+V", "paste", run=paste, menu=EDIT),
    ActionRow("edit.paste_in_place", "Paste in Place", "Ctrl+Shift+V", "", run=paste_in_place, menu=EDIT),
    ActionRow("edit.duplicate", "Duplicate", "Ctrl+D", "duplicate", copyable_selected, duplicate, EDIT),
    ActionRow("edit.delete", "Delete", "Del; Backspace", "delete", something_selected, delete, EDIT),
    ActionRow("edit.rename", "Rename", "F2", "rename", something_selected, rename, EDIT),
    ActionRow(
        "edit.rename_many",
        "Rename by Pattern…",
        "Shift+F2",
        "rename",
        something_selected,
        rename_many,
        EDIT,
        hint="Name everything selected by a pattern such as leaf-{su}-r{rail:02}, from a list, or by find and replace",
    ),
    ActionRow("edit.select_all", "Select All", "Ctrl+A", "select-all", any_placed, select_all, EDIT),
    ActionRow("edit.select_none", "Select None", "Ctrl+Shift+A", "", something_selected, select_none, EDIT),
    ActionRow(
        "edit.select_neighbours",
        "Select Neighbors",
        "Ctrl+Shift+L",
        "",
        device_selected,
        select_neighbours,
        EDIT,
        hint="Also select the devices that the selected ones are connected to",
    ),
    ActionRow(
        "edit.select_one_link",
        "Select One of These Links",
        "",
        "",
        links_selected,
        select_one_link,
        EDIT,
        hint="Select only the busiest of the selected links; Alt+click a line to step through its links",
    ),
    ActionRow(
        "catalog.browse",
        "Catalog…",
        "Ctrl+Shift+K",
        "nic",
        run=browse_catalog,
        menu=EDIT,
        hint="Hardware types with their sources; add types of your own, or import them from NetBox",
    ),
    ActionRow("edit.settings", "Settings…", "Ctrl+,", "settings", run=settings, menu=EDIT),
)

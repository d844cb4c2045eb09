"""Commands that change or choose: undo, clipboard, duplicate, delete, select, find."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Group, Link, Rack, order_key
from designer.session.jobs import Outcome
from designer.session.prepared import LARGE_EDIT
from designer.storage import document
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

EDIT = "Edit"
FRAGMENT_MIME = "application/x-fabric-fragment"
PASTE_STEP = 40.0
MAX_FRAGMENT_BYTES = 200_000_000
BYTES_A_RECORD = 80
"""About what a record of a fragment takes."""
COPYING = "copying"


def undo(window: "MainWindow") -> None:
    window.session.async_undo.undo()


def redo(window: "MainWindow") -> None:
    window.session.async_undo.redo()


def copy(window: "MainWindow") -> None:
    _copy(window, lambda: None)


def cut(window: "MainWindow") -> None:
    _copy(window, lambda: delete(window))


def _copy(window: "MainWindow", then: Callable[[], None]) -> None:
    """Put the selection on the clipboard, then do `then`; in a worker where very much is selected."""
    session, selection = window.session, window.session.selection

    def work(design: Design) -> str:
        return document.encode_fragment(operations.copy_fragment(design, sorted(selection)))

    def take(text: str) -> None:
        data = QMimeData()
        data.setData(FRAGMENT_MIME, text.encode())
        data.setText(text)
        QGuiApplication.clipboard().setMimeData(data)
        window.pasted_times = 0
        window.say(f"Copied {_counted(len(selection))}")
        if session.selection is selection:
            then()

    def take_outcome(outcome: Outcome) -> None:
        window.notice.done()
        if outcome.value is None:
            session.message.emit(outcome.error or "")
        else:
            take(outcome.value)

    if len(selection) < LARGE_EDIT:
        take(work(session.design))
        return
    snapshot = session.snapshot()
    session.jobs.run(COPYING, lambda _progress: work(snapshot), take_outcome)
    window.notice.wait(f"Copying {_counted(len(selection))} …", lambda: session.jobs.cancel(COPYING))


def paste(window: "MainWindow") -> None:
    """What the clipboard holds, a step further down and right each time; it may come from another window."""
    session = window.session
    data: QMimeData | None = QGuiApplication.clipboard().mimeData()  # None where another program has just let go of it
    if data is None:
        raw = b""
    else:
        raw = bytes(data.data(FRAGMENT_MIME).data()) if data.hasFormat(FRAGMENT_MIME) else data.text().encode()
    if not raw.strip():
        session.message.emit("The clipboard is empty: copy devices first.")
    elif len(raw) > MAX_FRAGMENT_BYTES:
        session.message.emit("The clipboard content is too large to be part of a fabric.")
    else:
        window.pasted_times += 1
        offset = PASTE_STEP * window.pasted_times
        _push_and_select_new(
            window,
            "Pasting",
            len(raw) // BYTES_A_RECORD,
            lambda design: operations.paste(design, document.decode_fragment(raw), offset, offset),
        )


def duplicate(window: "MainWindow") -> None:
    ids = window.session.selection
    _push_and_select_new(
        window,
        f"Duplicating {_counted(len(ids))}",
        len(ids),
        lambda design: operations.duplicate(design, sorted(ids), PASTE_STEP, PASTE_STEP),
    )


def delete(window: "MainWindow") -> None:
    ids = window.session.selection

    def tell(edit: Edit) -> None:
        if said := _deleted(edit):
            window.say(said)

    window.session.large_edits.attempt(
        f"Deleting {_counted(len(ids))}", len(ids), lambda design: operations.delete(design, sorted(ids)), tell
    )


def _deleted(edit: Edit) -> str:
    """What is gone, where it is more than one thing that was drawn: "5 links deleted. Ctrl+Z brings them back."."""
    gone = [change.before for change in edit.changes if change.after is None]
    links = sum(isinstance(one, Link) for one in gone)
    others = sum(isinstance(one, Device | Rack | Group) for one in gone)
    if links + others < 2:
        return ""
    what = edit.label.removeprefix("Delete ")
    along = f" with {format_counted(links, 'link')}" if links and others else ""
    return f"{what}{along} deleted. Ctrl+Z brings them back."


def select_all(window: "MainWindow") -> None:
    session, design = window.session, window.session.design
    everything = [*design.devices, *(r for r in design.racks if r in design.placements), *design.links]
    session.select(filter(session.is_shown, everything))


def select_none(window: "MainWindow") -> None:
    window.session.select([])


def select_neighbours(window: "MainWindow") -> None:
    design, selection = window.session.design, window.session.selection
    found = set(selection)
    for device_id in selection & design.devices.keys():
        for link in design.links_of(device_id):
            found |= {link.a.device_id, link.b.device_id}
    window.session.select(filter(window.session.is_shown, found))


def select_one_link(window: "MainWindow") -> None:
    """The busiest of the links selected alone, the first where no load is known; its page says whose load it is."""
    session = window.session
    links, heat = sorted(session.selected.links, key=order_key), session.workbench.simulation.heat
    if heat is not None:
        links = [links[int(heat.loads.taken_for(links, 0.0).max(axis=1).argmax())]]
    session.select(links[:1])
    window.show_panel("inspector")


def rename(window: "MainWindow") -> None:
    window.show_panel("inspector")
    window.inspector.focus_name()


def find(window: "MainWindow") -> None:
    window.show_find()


def browse_catalog(window: "MainWindow") -> None:
    window.dialogs.show("catalog")


def settings(window: "MainWindow") -> None:
    window.dialogs.show("settings")


def _push_and_select_new(window: "MainWindow", what: str, n_things: int, make: Callable[[Design], Edit]) -> None:
    def select(edit: Edit) -> None:
        arrived = (change.after for change in edit.changes if change.before is None)
        window.session.select(entity.id for entity in arrived if isinstance(entity, Device | Rack))

    window.session.large_edits.attempt(what, n_things, make, select)


def _counted(number: int) -> str:
    return f"{number:,} item" + ("" if number == 1 else "s")


def can_undo(window: "MainWindow") -> bool:
    return window.session.undo_stack.canUndo()


def can_redo(window: "MainWindow") -> bool:
    return window.session.undo_stack.canRedo()


def something_selected(window: "MainWindow") -> bool:
    return bool(window.session.selection)


def device_selected(window: "MainWindow") -> bool:
    return bool(window.session.selected.devices)


def placed_selected(window: "MainWindow") -> bool:
    return bool(window.session.selected.placed)


def links_selected(window: "MainWindow") -> bool:
    """Several links and nothing else, as by a click on a line that stands for many."""
    return len(window.session.selection) > 1 and window.session.selected.links == window.session.selection


def one_selected(window: "MainWindow") -> bool:
    return len(window.session.selection) == 1


def any_placed(window: "MainWindow") -> bool:
    return bool(window.session.design.placements)


ROWS: tuple[ActionRow, ...] = (
    ActionRow("edit.undo", "Undo", "Ctrl+Z", "undo", can_undo, undo, EDIT),
    ActionRow("edit.redo", "Redo", "Ctrl+Shift+Z; Ctrl+Y", "redo", can_redo, redo, EDIT),
    ActionRow("edit.cut", "Cut", "Ctrl+X", "cut", placed_selected, cut, EDIT),
    ActionRow("edit.copy", "Copy", "Ctrl+C", "copy", placed_selected, copy, EDIT),
    ActionRow("edit.paste", "Paste", "Ctrl+V", "paste", run=paste, menu=EDIT),
    ActionRow("edit.duplicate", "Duplicate", "Ctrl+D", "duplicate", placed_selected, duplicate, EDIT),
    ActionRow("edit.delete", "Delete", "Del; Backspace", "delete", something_selected, delete, EDIT),
    ActionRow("edit.rename", "Rename", "F2", "rename", one_selected, rename, EDIT),
    ActionRow("edit.select_all", "Select All", "Ctrl+A", "select-all", any_placed, select_all, EDIT),
    ActionRow("edit.select_none", "Select None", "Ctrl+Shift+A", "", something_selected, select_none, EDIT),
    ActionRow(
        "edit.select_neighbours",
        "Select Neighbours",
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
    ActionRow("edit.find", "Find Device…", "Ctrl+F", "search", any_placed, find, EDIT),
    ActionRow(
        "catalog.browse",
        "Catalog…",
        "Ctrl+Shift+K",
        "nic",
        run=browse_catalog,
        menu=EDIT,
        hint="hardware types own NetBox import sources",
    ),
    ActionRow("edit.settings", "Settings…", "Ctrl+,", "settings", run=settings, menu=EDIT),
)

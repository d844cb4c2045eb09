"""Commands that compare the design with another file, show another next to it, and take over what was built."""

from functools import partial
from pathlib import Path

from designer.exchange.as_built.fault import AsBuilt
from designer.late import Late
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.commands.document_commands import FILE, open_in_tab
from designer.windows.desk import Desk
from designer.windows.picker.quick_picker import Choice

as_designs = Late("designer.exchange.as_built.as_design")

FILTER = (
    "Designs and what was built (*.fabric *.csv *.tsv *.xlsx *.json *.txt *.topo *.net *.ibnet *.out *.dot *.graphml "
    "*.gexf *.drawio *.yaml *.yml);;All files (*)"
)


def choose_and_compare(desk: Desk) -> None:
    """Ask for a file, and show what differs from it."""
    path = desk.questions.open_path("Compare with", desk.preferences.folder("compared"), FILTER)
    if path is not None:
        compare_with(desk, path)


def compare_with(desk: Desk, path: Path) -> None:
    """Show what differs from a file, from now on."""
    desk.preferences.set_folder("compared", path.resolve().parent)
    _make_ready(desk)
    desk.session.workbench.comparison.compare(path)


def show_by_hand(desk: Desk) -> None:
    """Show what differs from the design as it was generated."""
    _make_ready(desk)
    desk.session.workbench.comparison.compare_with_generated(desk.catalog)


def _make_ready(desk: Desk) -> None:
    """Show the panel and all of the drawing, which is fitted again with what only the other side has."""
    desk.docks.show("comparison")
    desk.session.select(())  # what is selected is blue as well, whatever differs
    desk.views.canvas.zoom_to_fit()


@needs("Generate a fabric first.")
def has_generated(desk: Desk) -> bool:
    """Whether the design has a generated fabric."""
    return any(one.recipe is not None for one in desk.session.design.groups.values())


@needs("Compare the design with what was built first.")
def has_built(desk: Desk) -> bool:
    """Whether the design is compared with what was built, just as it is now, and differs."""
    job = desk.session.workbench.comparison
    found = job.found
    is_of_now = found is not None and not job.running and not job.is_stale
    return found is not None and is_of_now and isinstance(found.found, AsBuilt) and bool(found.rows)


def take_over(desk: Desk) -> None:
    """Have the cables of the design as they were built."""
    found = desk.session.workbench.comparison.found
    if found is None or not isinstance(found.found, AsBuilt):
        return
    built = as_designs.as_built_edit(desk.session.design, found.found)
    desk.session.push(built.edit)
    count = len(built.left_out)
    lead = "leads" if count == 1 else "lead"
    left = f" {format_counted(count, 'cable')} {lead} to what is not in the design." if count else ""
    desk.notice.say(f"The cables are as they were built.{left}")


@needs("Open a second design first.")
def may_show_beside(desk: Desk) -> bool:
    """Whether another design is open, or shown next to this one already."""
    if desk.tabs is None or desk.views.on_welcome():
        return False
    return is_beside(desk) or bool(desk.tabs.beside.others(desk.session))


@needs("Show a second design next to this one first.")
def is_beside(desk: Desk) -> bool:
    """Whether another design is shown next to this one."""
    return desk.tabs is not None and desk.tabs.beside.shown(desk.session) is not None


def show_beside(desk: Desk) -> None:
    """Show another open design next to this one, asking which where there are several; or show this one alone."""
    if desk.tabs is None:
        return
    beside = desk.tabs.beside
    others = beside.others(desk.session)
    if is_beside(desk):
        beside.end()
    elif len(others) == 1:
        beside.show(desk.session, others[0])
    else:
        choices = [
            Choice(one.name, format_counted(len(one.design.devices), "device"), partial(beside.show, desk.session, one))
            for one in others
        ]
        desk.picker.ask("Which design next to this one?", choices)


@needs("Compare the design with another design first.")
def has_compared(desk: Desk) -> bool:
    """Whether the design is compared with another one, which can be opened next to it."""
    found = desk.session.workbench.comparison.found
    return desk.tabs is not None and found is not None and found.can_swap


def compare_beside(desk: Desk) -> None:
    """Show both designs of a comparison next to each other, in its colors, before at the left."""
    job = desk.session.workbench.comparison
    path, found = job.path, job.found
    if desk.tabs is None or path is None or found is None:
        return
    first, are_versions = not found.is_swapped, not found.alternatives
    open_in_tab(desk, path)
    desk.tabs.beside.compare(desk.session, path, comes_first=first, are_versions=are_versions)


def move_together(desk: Desk) -> None:
    """Have both designs move and zoom alike, or each by itself."""
    if desk.tabs is not None:
        desk.tabs.beside.move_together(not desk.tabs.beside.moves_together)


def _moves_together(desk: Desk) -> bool:
    return is_beside(desk) and desk.tabs is not None and desk.tabs.beside.moves_together


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "file.compare",
        "Compare With…",
        "",
        "",
        has_devices,
        choose_and_compare,
        FILE,
        hint="What differs from another design, from a discovery or from a list of cables, in color and in figures",
    ),
    ActionRow(
        "file.compare_beside",
        "Compare Side by Side",
        "",
        "",
        has_compared,
        compare_beside,
        FILE,
        hint="Open the design that this one is compared with next to it: before at the left, both in the same colors",
    ),
    ActionRow(
        "file.by_hand",
        "Show Changes by Hand",
        "",
        "",
        has_generated,
        show_by_hand,
        FILE,
        hint="What was added, removed, recabled, renamed or tagged since the fabric was generated, listed and in color",
    ),
    ActionRow(
        "view.beside",
        "Another Design Side by Side",
        "Ctrl+Alt+B",
        "",
        may_show_beside,
        show_beside,
        "View",
        checked=is_beside,
        hint="Two open designs next to each other, with one scale of heat: a click in the other makes it current",
    ),
    ActionRow(
        "view.move_together",
        "Move Both Together",
        "",
        "",
        is_beside,
        move_together,
        "View",
        checked=_moves_together,
        hint="Zoom and pan of the two designs next to each other are the same",
    ),
    ActionRow(
        "file.take_over_built",
        "Take Over as Built",
        "",
        "",
        has_built,
        take_over,
        FILE,
        hint="Have the cables as they were found when the design was compared with what was built",
    ),
)

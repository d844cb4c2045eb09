"""Commands that compare the design with another file, and take over what was built."""

from pathlib import Path

from designer.exchange.as_built.fault import AsBuilt
from designer.late import Late
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.commands.document_commands import FILE
from designer.windows.desk import Desk

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
    desk.docks.show("comparison")
    desk.session.select(())  # what is selected is blue as well, whatever differs
    desk.session.workbench.comparison.compare(path)


def show_by_hand(desk: Desk) -> None:
    """Show what differs from the design as it was generated."""
    desk.docks.show("comparison")
    desk.session.select(())
    desk.session.workbench.comparison.compare_with_generated(desk.catalog)


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

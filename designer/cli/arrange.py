"""`arrange FILE -o FILE`: the boxes of a design laid out again."""

from collections.abc import Iterator
from pathlib import Path

import click

from designer.cli.files import check_output, open_design, save_design
from designer.cli.main import tell
from designer.cli.options import DESIGN_ARGUMENT, FORCE_OPTION, PATH
from designer.errors import ParameterError
from designer.model.bending import removal_note
from designer.model.design import Design
from designer.placement.layouts.closing import close_up
from designer.placement.layouts.tidy import LAYOUTS, tidy
from designer.units import format_counted

AUTO = "auto"
CHOICES = [layout.name or AUTO for layout in LAYOUTS]


@click.command()
@DESIGN_ARGUMENT
@click.option(
    "--layout",
    type=click.Choice(CHOICES),
    default=AUTO,
    show_default=True,
    help="How to lay out; auto takes what suits the links.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Lay out this group, rack or device alone; repeatable.")
@click.option(
    "--close-up", "is_closed", is_flag=True, help="Move everything nearer to collapsed boxes, and change nothing else."
)
@click.option("-o", "--output", type=PATH, required=True, help="The file to write.", metavar="FILE")
@FORCE_OPTION
def command(file: Path, layout: str, only: tuple[str, ...], is_closed: bool, output: Path, force: bool) -> None:
    """Lay out the devices of a design again: tiers in rows, rings, tori, groups, springs; locked ones stay."""
    check_output(output, force)
    design = open_design(file)
    if is_closed and (only or layout != AUTO):
        raise ParameterError("--close-up keeps the order of rows: give it without --layout and --only")
    edit = close_up(design) if is_closed else tidy(design, _named(design, only), "" if layout == AUTO else layout)
    design.apply(edit)
    save_design(design, output)
    moved = sum(change.subject.id in design.placements for change in edit.changes)
    note = removal_note(edit)
    tell(f"wrote {output}: {format_counted(moved, 'thing')} moved" + (f". {note}" if note else ""))


def _named(design: Design, names: tuple[str, ...]) -> Iterator[str]:
    """Ids of the groups, racks and devices of these names. Raises ParameterError for one that nothing has."""
    tables = (design.groups, design.racks, design.devices)
    ids = {entity.name: entity.id for table in reversed(tables) for entity in table.values()}
    for name in names:
        if name not in ids:
            raise ParameterError(f"no group, rack or device is named {name!r}")
        yield ids[name]

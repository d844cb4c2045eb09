"""`prepare FILE -o FILE`: what a hand-over needs, for any design, with totals and what stays open."""

from collections.abc import Mapping
from pathlib import Path

import click

from designer.analysis.cable_numbers import number_cables
from designer.catalog.catalog import Catalog, load
from designer.cli.files import check_output, open_design, save_design
from designer.cli.main import tell
from designer.cli.options import DESIGN_ARGUMENT, FORCE_OPTION, PATH
from designer.exchange.exporter import plan_gaps_of
from designer.model.design import Design
from designer.model.hardware.types import HardwareType
from designer.model.part_numbers import state_part_number
from designer.placement import floor
from designer.placement.preparation import ALL, Preparation, Steps, open_points
from designer.placement.preparation import prepare as prepare_design
from designer.topologies.equipment import types_of
from designer.topologies.hand_racks import is_mounted, mounted
from designer.topologies.rack_policy import RackPolicy
from designer.units import format_counted

OPEN_SHOWN = 8
"""Reasons that are listed before the rest is counted."""


@click.command()
@DESIGN_ARGUMENT
@click.option("--mount", is_flag=True, help="First put devices that are in no rack into new racks.")
@click.option("--place", is_flag=True, help="Place the racks that have no place on the floor yet.")
@click.option("--route", is_flag=True, help="Calculate cable lengths; lengths entered by hand are kept.")
@click.option("--choose", is_flag=True, help="Select cables and optics by reach; those selected by hand are kept.")
@click.option(
    "--part-number",
    "numbers",
    multiple=True,
    metavar="TYPE=NUMBER",
    help="The number that a type of device, NIC or rack is ordered by; repeatable. Without one, as TYPE=, none.",
)
@click.option("-o", "--output", type=PATH, required=True, help="The file to write.", metavar="FILE")
@FORCE_OPTION
def command(
    file: Path,
    mount: bool,
    place: bool,
    route: bool,
    choose: bool,
    numbers: tuple[str, ...],
    output: Path,
    force: bool,
) -> None:
    """Prepare a design for hand-over: place racks, route cables, choose cables and optics; or only what is named."""
    check_output(output, force)
    stated = [_stated(text) for text in numbers]
    design, catalog = open_design(file), load()
    types = catalog.types
    if mount:
        _mount(design, catalog)
    steps = Steps(place, route, choose) if place or route or choose else ALL
    made = prepare_design(design, types, steps)
    design.apply(made.edit)
    design.apply(number_cables(design))
    for type_id, number in stated:
        design.apply(state_part_number(design, type_id, number))
    save_design(design, output)
    tell(f"wrote {output}")
    report(design, made, types)


def _stated(text: str) -> tuple[str, str]:
    type_id, equals, number = text.partition("=")
    if not equals or not type_id:
        raise click.BadParameter(f"{text!r} is not of the form TYPE=NUMBER", param_hint="'--part-number'")
    return type_id.strip(), number


def _mount(design: Design, catalog: Catalog) -> None:
    """Put devices that are in no rack into new racks, four servers per rack, switches on top."""
    loose = [one for one in design.devices if not is_mounted(design, one)]
    if not loose:
        tell("all devices are in racks")
        return
    made = mounted(design, loose, RackPolicy(), types_of(design, catalog))
    design.apply(made.edit)
    tell(f"mounted {made.summary}")
    if made.remark:
        tell(made.remark)


def report(design: Design, made: Preparation, types: Mapping[str, HardwareType]) -> None:
    """What was prepared and what stays open, as messages."""
    if made.n_placed:
        rows = format_counted(len(floor.rows(design)), "row")
        tell(f"{format_counted(made.n_placed, 'rack')} placed; the floor has {rows}")
    tell(made.totals.sentence)
    if made.totals.by_model:
        tell(made.totals.by_type)
    points = open_points(design, types)
    for point in points[:OPEN_SHOWN]:
        tell(f"open: {point.sentence}")
    if len(points) > OPEN_SHOWN:
        more = sum(len(point.link_ids) for point in points[OPEN_SHOWN:])
        tell(f"open: {format_counted(len(points) - OPEN_SHOWN, 'more reason')} for {format_counted(more, 'link')}")
    gaps = plan_gaps_of(design)
    if gaps.summary:
        tell(f"in total {gaps.summary}" if points else gaps.summary)
    for gap in gaps.undecided:
        tell(f"to be decided: {gap.what} of {gap.counted}: {gap.advice}")

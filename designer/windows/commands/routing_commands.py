"""Commands about what a run takes from files: forwarding tables of the real subnet manager, constants of a model."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from designer.errors import DesignerError
from designer.late import Late
from designer.routing.given import ForwardingTables
from designer.session.jobs import Outcome
from designer.simulation.catalogue import model_title
from designer.windows.commands.actions import ActionRow, has_links
from designer.windows.commands.simulation_commands import SIMULATE, run
from designer.windows.desk import Desk

own_constants = Late("designer.exchange.acceptance.own_constants")
opensm = Late("designer.exchange.infiniband.opensm")
LANE = "forwarding tables"
CONSTANTS_FILTER = "Constants (*.yaml *.yml);;All files (*)"
FILTER = "Forwarding tables (*.dump *.lfts *.txt);;All files (*)"


def choose_tables(desk: Desk) -> None:
    """Ask for a dump of OpenSM, and simulate under its forwarding tables."""
    folder = desk.preferences.folder("exports")
    path = desk.questions.open_path("Routing from OpenSM: choose opensm-lfts.dump", str(folder), FILTER)
    if path is not None:
        take_file(desk, path)


def take_file(desk: Desk, path: Path) -> None:
    """Read forwarding tables in a worker, and run the simulation under them. A refusal is reported in a note."""
    desk.notice.say(f"Reading {path.name} …")
    desk.session.jobs.run(LANE, lambda _progress: opensm.read_tables(path), partial(_take, desk, path))


def _take(desk: Desk, path: Path, outcome: Outcome) -> None:
    tables = outcome.value
    if not isinstance(tables, ForwardingTables):
        if not outcome.cancelled:
            desk.notice.complain(f"The routing did not change: {outcome.error}")
        return
    desk.preferences.set_folder("exports", path.resolve().parent)
    simulation = desk.session.workbench.simulation
    simulation.scenario = replace(simulation.scenario, routing="tables", tables=tables)
    desk.notice.say(f"Routing goes by {tables.summary}")
    run(desk)


def choose_constants(desk: Desk) -> None:
    """Ask for a file that calibrate wrote, and simulate by the constants in it."""
    folder = desk.preferences.folder("measurements")
    path = desk.questions.open_path("Constants of a model: choose what calibrate wrote", str(folder), CONSTANTS_FILTER)
    if path is not None:
        take_constants(desk, path)


def take_constants(desk: Desk, path: Path) -> None:
    """Simulate under the model of a file's library by its constants. A refusal is reported in a note."""
    simulation = desk.session.workbench.simulation
    try:
        own = own_constants.read_constants(path)
        simulation.scenario = replace(simulation.scenario, model=own.library, constants=own, algorithm=None)
    except (DesignerError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        desk.notice.complain(f"The constants did not change: {reason}")
        return
    desk.preferences.set_folder("measurements", path.resolve().parent)
    desk.notice.say(f"Model {model_title(own.library)} goes by {own.place}: {own.summary}")
    run(desk)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "simulate.tables",
        "Routing from OpenSM…",
        "",
        "",
        has_links,
        choose_tables,
        SIMULATE,
        hint="Simulate under the forwarding tables that a subnet manager dumped (opensm-lfts.dump)",
    ),
    ActionRow(
        "simulate.constants",
        "Constants of the Model…",
        "",
        "",
        has_links,
        choose_constants,
        SIMULATE,
        hint="Simulate as NCCL or RCCL with constants that Calibrate fitted to logs of yours",
    ),
)

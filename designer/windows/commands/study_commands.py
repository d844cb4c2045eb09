"""Commands about studies: what takes more room and more runs than the simulation panel."""

from collections.abc import Callable
from pathlib import Path

from designer.windows.commands.actions import ActionRow, always, has_links, needs
from designer.windows.desk import Desk

SIMULATE = "Simulate"
LOGS = "measurements"
LOG_FILTER = "Measurements (*.log *.txt *.out *.json);;All files (*)"


def _show(name: str) -> Callable[[Desk], None]:
    def show(desk: Desk) -> None:
        desk.docks.studies.show_study(getattr(desk.docks.studies, name))
        desk.docks.focus("studies")

    return show


def pin(desk: Desk) -> None:
    """Keep the current result as a pinned run, for comparison; nothing where there is none or it is pinned."""
    pins = desk.session.workbench.pins
    run = pins.pin()
    if run is not None and pins.is_kept(run):
        desk.notice.say("Pinned. Simulate > Compare Runs shows pinned runs side by side.")


@needs("Run a simulation first; a run that is pinned already needs no second pin.")
def can_pin(desk: Desk) -> bool:
    """Whether there is a simulation result that is not pinned yet."""
    return desk.session.workbench.pins.current is not None and not desk.session.workbench.pins.current_is_pinned


def _colour_by(measure: str) -> Callable[[Desk], None]:
    return lambda desk: desk.session.workbench.heat_view.show_measure(measure)


def _coloured_by(measure: str) -> Callable[[Desk], bool]:
    def test(desk: Desk) -> bool:
        view = desk.session.workbench.heat_view
        return view.measure == measure and view.phase is None and view.pinned is None

    return test


def toggle_heat(desk: Desk) -> None:
    """Color links by their loads, or by what was chosen in the View menu while loads are known."""
    view = desk.session.workbench.heat_view
    view.hide(not view.is_hidden)


def heat_shown(desk: Desk) -> bool:
    """Whether links show loads where there are any."""
    return not desk.session.workbench.heat_view.is_hidden


@needs("There are no loads to show yet: run a simulation.")
def has_heat(desk: Desk) -> bool:
    """Whether there are loads to show."""
    view = desk.session.workbench.heat_view
    return view.is_hidden or view.heat is not None


@needs("The run has no peaks: it states mean loads only.")
def are_peaks_known(desk: Desk) -> bool:
    """Whether the loads shown have peaks."""
    return desk.session.workbench.heat_view.are_peaks_known


def _colour_row(measure: str, text: str) -> ActionRow:
    return ActionRow(
        f"heat.{measure}",
        text,
        enabled=are_peaks_known if measure == "peak" else always,
        run=_colour_by(measure),
        menu="Heat Shows",
        checked=_coloured_by(measure),
    )


def choose_measured(desk: Desk) -> None:
    """Ask for a log of measurements and lay it over the curves of bandwidth by size."""
    path = desk.questions.open_path("Import Measurements", desk.preferences.folder(LOGS), LOG_FILTER)
    if path is not None:
        show_measured(desk, path)


def show_measured(desk: Desk, path: Path) -> None:
    """Lay a log over the curves of bandwidth by size."""
    desk.preferences.set_folder(LOGS, path.resolve().parent)
    _show("curve")(desk)
    desk.docks.studies.curve.show_measured((path,))


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "study.curve",
        "Bandwidth by Size…",
        "Ctrl+F5",
        "histogram",
        has_links,
        _show("curve"),
        SIMULATE,
        hint="Time and bandwidth from 8 B to 8 GiB, as nccl-tests prints them, for several algorithms and routings",
    ),
    ActionRow(
        "study.measured",
        "Import Measurements…",
        "",
        "",
        has_links,
        choose_measured,
        SIMULATE,
        hint="Lay logs of nccl-tests, rccl-tests, OSU benchmarks or perftest over bandwidth by size, with residuals",
    ),
    ActionRow(
        "study.acceptance",
        "Acceptance…",
        "",
        "",
        has_links,
        lambda desk: desk.dialogs.show("acceptance"),
        SIMULATE,
        hint="What each part of the fabric should measure, and the faults that would explain logs that fall short",
    ),
    ActionRow("study.pin", "Pin Run", "Ctrl+F6", "", can_pin, pin, SIMULATE, hint="Keep this result for comparison"),
    ActionRow("study.runs", "Compare Runs…", "Ctrl+Shift+F6", "", has_links, _show("runs"), SIMULATE),
    ActionRow("study.timeline", "Timeline of Phases…", "", "", has_links, _show("timeline"), SIMULATE),
    ActionRow("study.tiers", "Load by Tier…", "", "", has_links, _show("tiers"), SIMULATE),
    ActionRow(
        "heat.shown",
        "Show Heat",
        "Shift+H",
        "",
        has_heat,
        toggle_heat,
        "Heat Shows",
        checked=heat_shown,
        hint="Color links by their loads; without it, by rail, speed or what else was chosen",
    ),
    _colour_row("peak", "Peak Utilization"),
    _colour_row("mean", "Mean Utilization"),
    _colour_row("bytes", "Bytes"),
)

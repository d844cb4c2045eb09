"""Commands about findings and simulation: check, run, live, train."""

from designer.units import format_counted
from designer.windows.commands.actions import ActionRow
from designer.windows.commands.document_commands import has_devices, has_links
from designer.windows.desk import Desk

SIMULATE = "Simulate"
CHECK = "Check"


def run(desk: Desk) -> None:
    desk.docks.show("simulation")
    if desk.docks.simulation.controls.finish():
        desk.session.workbench.simulation.run()


def toggle_live(desk: Desk) -> None:
    simulation = desk.session.workbench.simulation
    if simulation.live or desk.docks.simulation.controls.finish():
        simulation.live = not simulation.live


def show_training(desk: Desk) -> None:
    desk.dialogs.show("training")


def cancel(desk: Desk) -> None:
    desk.session.workbench.simulation.cancel()


def why_hot(desk: Desk) -> None:
    """Show the flows over the selected link; of several over the hottest, which is selected alone then."""
    session, links = desk.session, desk.session.selected.links
    heat = session.workbench.simulation.heat
    if heat is None or not links:
        return
    loads = heat.utilization
    hottest = max(sorted(links), key=lambda link_id: max(loads.get(link_id, (0.0, 0.0))))
    if session.selection != {hottest}:
        desk.notice.say(f"The hottest of {format_counted(len(links), 'link')}")
    session.select([hottest])
    desk.docks.focus("inspector")


def has_hot_link(desk: Desk) -> bool:
    return desk.session.workbench.simulation.heat is not None and bool(desk.session.selected.links)


def check_now(desk: Desk) -> None:
    desk.docks.show("findings")
    desk.session.workbench.validation.run_now()


def next_finding(desk: Desk) -> None:
    desk.docks.show("findings")
    desk.docks.findings.step(1)


def previous_finding(desk: Desk) -> None:
    desk.docks.show("findings")
    desk.docks.findings.step(-1)


def apply_fix(desk: Desk) -> None:
    desk.docks.findings.apply_fix()


def is_running(desk: Desk) -> bool:
    return desk.session.workbench.simulation.state == "running"


def is_live(desk: Desk) -> bool:
    return desk.session.workbench.simulation.live


def has_findings(desk: Desk) -> bool:
    report = desk.session.workbench.validation.report
    return report is not None and bool(report.findings)


def has_fix(desk: Desk) -> bool:
    finding = desk.docks.findings.current_finding()
    return finding is not None and finding.fix is not None and desk.session.workbench.validation.is_current


ROWS: tuple[ActionRow, ...] = (
    ActionRow("simulate.run", "Run Simulation", "F5", "play", has_links, run, SIMULATE),
    ActionRow(
        "simulate.live",
        "Live",
        "F6",
        "live",
        run=toggle_live,
        menu=SIMULATE,
        checked=is_live,
        hint="Simulate again after each edit",
    ),
    ActionRow("simulate.cancel", "Cancel Simulation", "Shift+F5", "stop", is_running, cancel, SIMULATE),
    ActionRow(
        "simulate.why",
        "Why Is This Link Hot",
        "W",
        "search",
        has_hot_link,
        why_hot,
        SIMULATE,
        hint="Show whose flows cross the selected link, in the Inspector",
    ),
    ActionRow(
        "simulate.training",
        "Training Step…",
        "",
        "histogram",
        has_links,
        show_training,
        SIMULATE,
        hint="Where the time of a training step goes on this fabric",
    ),
    ActionRow("check.now", "Check Design", "F7", "validate", has_devices, check_now, CHECK),
    ActionRow("check.next", "Next Finding", "F8", "", has_findings, next_finding, CHECK),
    ActionRow("check.previous", "Previous Finding", "Shift+F8", "", has_findings, previous_finding, CHECK),
    ActionRow("check.fix", "Apply Fix", "Ctrl+.", "fix", has_fix, apply_fix, CHECK),
)

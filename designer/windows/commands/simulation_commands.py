"""Commands about simulation: run, live, train."""

from functools import partial

from PySide6.QtCore import QTimer

from designer.drawing.geometry import around
from designer.drawing.heat import percent
from designer.late import Late
from designer.model.entities import order_key
from designer.simulation.paths.place import Place
from designer.units import format_count, format_counted
from designer.windows.commands.actions import ActionRow, has_links, needs
from designer.windows.desk import Desk

hot_links = Late("designer.panels.simulation.hot_links")
loads_files = Late("designer.windows.files.loads")

SIMULATE = "Simulate"
ALIKE = 1e-6
"""Loads that differ less are the same."""


def run(desk: Desk) -> None:
    """Show the Simulation panel and run its traffic, unless a field refuses its value."""
    desk.docks.show("simulation")
    if desk.docks.simulation.controls.finish():
        desk.session.workbench.heat_view.hide(False)
        desk.session.workbench.simulation.run()
        comparison = desk.session.workbench.comparison
        if comparison.is_on:
            text = "The drawing shows differences, not loads, until the comparison ends."
            desk.notice.offer(text, "End Comparison", comparison.end, tone="info", holds=lambda: comparison.is_on)


def toggle_live(desk: Desk) -> None:
    """Start or stop to simulate again after each edit; not started while a field refuses its value."""
    simulation = desk.session.workbench.simulation
    if simulation.live or desk.docks.simulation.controls.finish():
        simulation.live = not simulation.live


def show_training(desk: Desk) -> None:
    """Show the dialog of a training step."""
    desk.dialogs.show("training")


def show_explore(desk: Desk) -> None:
    """Show the dialog of a search."""
    desk.dialogs.show("explore")


def show_queues(desk: Desk) -> None:
    """Show the dialog of queues."""
    desk.dialogs.show("queues")


def show_inference(desk: Desk) -> None:
    """Show the dialog of inference."""
    desk.dialogs.show("inference")


def cancel(desk: Desk) -> None:
    """Cancel the simulation that is running."""
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


def go_to_hottest(desk: Desk) -> None:
    """Select the links with the highest load of the run, and bring them into view."""
    heat = desk.session.workbench.simulation.heat
    if heat is None:
        return
    found = hot_links.hottest(desk.session.design, heat)
    alike = [one for one in found if one.load >= found[0].load - ALIKE]
    if alike:
        more = " or more" if len(alike) == hot_links.MOST_ROWS else ""
        count = format_counted(len(alike), "link")
        desk.notice.say(f"{count}{more} with the highest load, {percent(alike[0].load)}")
        desk.views.go_to(frozenset(one.link_id for one in alike))


@needs("Run a simulation first (F5).")
def has_loads(desk: Desk) -> bool:
    """Whether loads from a simulation are known."""
    return desk.session.workbench.simulation.heat is not None


@needs("Select a link that a simulation has loaded.")
def has_hot_link(desk: Desk) -> bool:
    """Whether a link is selected and loads from a simulation are known."""
    return desk.session.workbench.simulation.heat is not None and bool(desk.session.selected.links)


def save_loads(desk: Desk) -> None:
    """Ask for a file and write the loads of all links to it, as CSV, Parquet or Prometheus text."""
    loads_files.save_loads(desk)


def add_to_runs(desk: Desk) -> None:
    """Ask for a folder and write the current run into it for TensorBoard."""
    loads_files.add_to_runs(desk)


@needs("Run a simulation first (F5).")
def has_result(desk: Desk) -> bool:
    """Whether there is a result of what stands there now."""
    return desk.session.workbench.simulation.current_result is not None


def advise(desk: Desk) -> None:
    """Show the Simulation panel and try what would make the current result faster."""
    desk.docks.show("simulation")
    desk.session.workbench.advice.run()


@needs("Run a simulation first (F5).")
def can_advise(desk: Desk) -> bool:
    """Whether there is a current result to improve."""
    return desk.session.workbench.advice.can_run


def show_paths(desk: Desk) -> None:
    """Light every path between the two devices or ports that are selected, and list them."""
    found, count = _path_ends(desk), len(desk.session.selection)
    if not has_path_ends(desk):
        now = f" (now {format_count(count)} {'is' if count == 1 else 'are'})" if count else ""
        desk.notice.say(f"Select two devices, links or one of each{now}, then Show Paths")
    elif len(found) == 2:
        desk.docks.show("paths")
        desk.session.workbench.paths.show((found[0], found[1]))
        QTimer.singleShot(0, desk.window, partial(_show_ends, desk))  # once the canvas has its size next to the list


def _show_ends(desk: Desk) -> None:
    """Bring both ends of the paths into sight; nothing moves where they are."""
    canvas = desk.views.canvas
    rects = (canvas.subject.rect_of(place.device_id) for place in desk.session.workbench.paths.asked or ())
    ends = around(rect for rect in rects if rect is not None)
    if ends is not None:
        canvas.bring_in(ends, 0.0)


def has_path_ends(desk: Desk) -> bool:
    """Whether two devices or links are selected: a link stands for its port on a server, or on its first end."""
    return len(desk.session.selected.devices) + len(desk.session.selected.links) == 2


def _path_ends(desk: Desk) -> list[Place]:
    """Servers before switches, by name: traffic is asked about from where it begins."""
    design, selected = desk.session.design, desk.session.selected
    ends: list[Place] = [Place(one) for one in selected.devices]
    for one in selected.links:
        link = design.links[one]
        end = link.b if design.is_server(link.b.device_id) and not design.is_server(link.a.device_id) else link.a
        ends.append(Place(end.device_id, None, end.port))
    return sorted(ends, key=lambda end: (not design.is_server(end.device_id), order_key(end.device_id), end.port or ""))


@needs("No simulation is running.")
def is_running(desk: Desk) -> bool:
    """Whether a simulation is running."""
    return desk.session.workbench.simulation.state == "running"


def is_live(desk: Desk) -> bool:
    """Whether the design is simulated again after each edit."""
    return desk.session.workbench.simulation.live


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
        "heat.hottest",
        "Go to Hottest Links",
        "Alt+W",
        "",
        has_loads,
        go_to_hottest,
        SIMULATE,
        hint="Select the links with the highest load of the run, and bring them into view",
    ),
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
        "simulate.save_loads",
        "Save Loads…",
        "",
        "",
        has_result,
        save_loads,
        SIMULATE,
        hint="Write the loads of all links as CSV, Parquet or Prometheus text",
    ),
    ActionRow(
        "simulate.add_to_runs",
        "Add to TensorBoard Runs…",
        "",
        "",
        has_result,
        add_to_runs,
        SIMULATE,
        hint="Write the current run into a folder of runs that TensorBoard reads",
    ),
    ActionRow(
        "simulate.advise",
        "What Would Help",
        "Shift+W",
        "",
        can_advise,
        advise,
        SIMULATE,
        hint="Try other routings, algorithms, rank orders, uplinks and repairs, and list what makes the run faster",
    ),
    ActionRow(
        "simulate.paths",
        "Show Paths",
        "P",
        "",
        has_links,
        show_paths,
        SIMULATE,
        hint="Light every path that the routing uses between two selected devices or links, hop by hop",
    ),
    ActionRow(
        "simulate.training",
        "Training Step…",
        "",
        "histogram",
        has_links,
        show_training,
        SIMULATE,
        hint="Show where the time of a training step goes on this fabric",
    ),
    ActionRow(
        "simulate.explore",
        "Explore…",
        icon="histogram",
        run=show_explore,
        menu=SIMULATE,
        hint="Build and simulate many fabrics for a job, and find the best under a budget and other limits",
    ),
    ActionRow(
        "simulate.inference",
        "Inference…",
        "",
        "histogram",
        has_links,
        show_inference,
        SIMULATE,
        hint="Bound how fast this fabric serves a model: first token, time per token, requests per second",
    ),
    ActionRow(
        "simulate.queues",
        "Queues…",
        "",
        "histogram",
        has_links,
        show_queues,
        SIMULATE,
        hint="Show queues, pauses and tails at the bottlenecks of the chosen traffic, on lossless Ethernet",
    ),
)

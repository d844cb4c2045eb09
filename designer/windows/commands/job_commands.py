"""Commands about jobs on the fabric: a job from what is selected, all of them run together, their marks and files."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from designer.errors import DesignerError, sentence
from designer.graph.endpoints import ranks_of_servers
from designer.model.placed_jobs import whole
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow
from designer.windows.commands.document_commands import has_devices

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

SIMULATE = "Simulate"


def selected_servers(window: "MainWindow") -> tuple[str, ...]:
    """Servers that are selected, or stand in selected racks and groups, in design order."""
    design = window.session.design
    found: set[str] = set()
    waiting = list(window.session.selection)
    while waiting:
        one = waiting.pop()
        if one in design.groups:
            waiting.extend(design.members(one))
        elif one in design.racks:
            waiting.extend(design.mounted(one))
        elif one in design.devices and design.is_server(one):
            found.add(one)
    return tuple(server.id for server in design.servers() if server.id in found) if found else ()


def any_servers(window: "MainWindow") -> bool:
    """Whether `selected_servers` might hold any; quick, as it is asked after every click."""
    chosen = window.session.selected
    return bool(chosen.groups or chosen.racks or chosen.servers)


def has_jobs(window: "MainWindow") -> bool:
    return bool(window.session.workbench.placed_jobs.jobs)


def from_selection(window: "MainWindow") -> None:
    servers = selected_servers(window)
    show(window)
    if not servers:
        window.say("Select servers, racks or groups first: a job runs on their GPUs")
    elif window.session.workbench.placed_jobs.add(servers) is not None:
        window.studies.jobs.form.name.setFocus()


def simulate_here(window: "MainWindow") -> None:
    if not window.simulation.controls.finish():
        window.show_panel("simulation")
        return
    simulation = window.session.workbench.simulation
    ranks = ranks_of_servers(window.session.design, frozenset(selected_servers(window)))
    try:
        simulation.scenario = replace(simulation.scenario, ranks=ranks)
    except DesignerError as error:
        window.say(sentence(str(error)))
        return
    window.show_panel("simulation")
    simulation.run()


def show(window: "MainWindow") -> None:
    window.studies.show_study(window.studies.jobs)
    window.show_panel("studies")


def go_to(window: "MainWindow", job_id: str) -> None:
    """Show a job in its study, its servers selected and in view."""
    job = window.session.design.jobs.get(job_id)
    if job is not None:
        show(window)
        window.studies.jobs.choose(job_id)
        window.go_to(frozenset(window.session.workbench.placed_jobs.servers_of(job)))


def run(window: "MainWindow") -> None:
    show(window)
    window.session.workbench.placed_jobs.run()


def move(window: "MainWindow", job_id: str) -> None:
    """Let a job run on all GPUs of the selected servers in place of where it runs."""
    job, servers = window.session.design.jobs.get(job_id), selected_servers(window)
    if job is None:
        return
    if not servers:
        window.say("First select the servers, racks or groups that the job should run on")
        return
    refusal = window.session.workbench.placed_jobs.change(job, servers=whole(servers))
    window.say(refusal or f"{job.name} runs on {format_counted(len(servers), 'server')}")


def choose_colour(window: "MainWindow", job_id: str) -> None:
    job = window.session.design.jobs.get(job_id)
    colour = window.questions.colour("Colour of the job", job.colour) if job is not None else None
    if job is not None and colour is not None:
        window.session.workbench.placed_jobs.change(job, colour=colour)


def open_file(window: "MainWindow") -> None:
    folder = window.preferences.folder("exports")
    path = window.questions.open_path("Open jobs file", str(folder), "Jobs (*.yaml *.yml *.json);;All files (*)")
    if path is not None:
        take_file(window, path)


def take_file(window: "MainWindow", path: Path) -> None:
    try:
        count = window.session.workbench.placed_jobs.take_file(path)
    except (DesignerError, OSError) as error:
        window.complain(f"{path.name} was not imported: {error}")
        return
    window.preferences.set_folder("exports", path.resolve().parent)
    show(window)
    window.say(f"Took {format_counted(count, 'job')} from {path.name}")


def save_file(window: "MainWindow") -> None:
    window.studies.jobs.save_jobs()


def marked(window: "MainWindow") -> bool:
    return window.session.workbench.placed_jobs.marked


def toggle_marks(window: "MainWindow") -> None:
    window.session.workbench.placed_jobs.marked = not window.session.workbench.placed_jobs.marked


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "job.from_selection",
        "Job from Selection",
        "J",
        "plus",
        has_devices,
        from_selection,
        SIMULATE,
        hint="Add a job on the selected servers, to run at the same time as other jobs",
    ),
    ActionRow(
        "job.simulate_here",
        "Simulate on Selected Servers",
        "Alt+F5",
        "play",
        any_servers,
        simulate_here,
        SIMULATE,
        hint="Run the traffic of the Simulation panel only between the GPUs of the selected servers",
    ),
    ActionRow("job.run", "Run Jobs Together", "Ctrl+Shift+F5", "play", has_jobs, run, SIMULATE),
    ActionRow(
        "job.show",
        "Jobs…",
        "",
        "server",
        run=show,
        menu=SIMULATE,
        hint="Several jobs on the fabric at once, each compared with itself alone",
    ),
    ActionRow(
        "job.marks",
        "Mark Servers by Job",
        "",
        "",
        has_jobs,
        toggle_marks,
        SIMULATE,
        checked=marked,
        hint="Colour the servers on the canvas by job",
    ),
    ActionRow(
        "job.open_file",
        "Open Jobs File…",
        "",
        "",
        run=open_file,
        menu=SIMULATE,
        hint="Add the jobs of a file to the design, replacing jobs of the same names",
    ),
    ActionRow(
        "job.save_file",
        "Save Jobs File…",
        "",
        "",
        has_jobs,
        save_file,
        SIMULATE,
        hint="Save the jobs with their ranks, to use on other designs with simulate --jobs",
    ),
)

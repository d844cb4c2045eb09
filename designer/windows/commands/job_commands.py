"""Commands about jobs on the fabric: a job from what is selected, all of them run together, their marks and files."""

from dataclasses import replace
from pathlib import Path

from designer.analysis.tiers import server_word
from designer.errors import DesignerError, sentence
from designer.graph.endpoints import ranks_of_servers
from designer.model.placed_jobs import whole
from designer.session.session import Session
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.desk import Desk

SIMULATE = "Simulate"


def selected_servers(session: Session) -> tuple[str, ...]:
    """Servers that are selected, or stand in selected racks and groups, in design order."""
    design = session.design
    found: set[str] = set()
    waiting = list(session.selection)
    while waiting:
        one = waiting.pop()
        if one in design.groups:
            waiting.extend(design.members(one))
        elif one in design.racks:
            waiting.extend(design.mounted(one))
        elif one in design.devices and design.is_server(one):
            found.add(one)
    return tuple(server.id for server in design.servers() if server.id in found) if found else ()


@needs("The design has no servers yet.")
def any_servers(desk: Desk) -> bool:
    """Whether `selected_servers` might hold any; quick, as it is asked after every click."""
    chosen = desk.session.selected
    return bool(chosen.groups or chosen.racks or chosen.servers)


@needs("The design has no jobs yet.")
def has_jobs(desk: Desk) -> bool:
    """Whether the design has any job."""
    return bool(desk.session.workbench.placed_jobs.jobs)


def from_selection(desk: Desk) -> None:
    """Add a job on the selected servers and go to its name in the Jobs study; with none selected, say so."""
    servers = selected_servers(desk.session)
    show(desk)
    if not servers:
        desk.notice.say("Select servers, racks or groups first: a job runs on their GPUs")
    elif desk.session.workbench.placed_jobs.add(servers) is not None:
        desk.docks.studies.jobs.form.name.setFocus()


def simulate_here(desk: Desk) -> None:
    """Simulate the traffic of the Simulation panel between the GPUs of the selected servers only.

    Where a field of the panel refuses its value, the panel is shown instead; refused ranks become a note.
    """
    if not desk.docks.simulation.controls.finish():
        desk.docks.show("simulation")
        return
    simulation = desk.session.workbench.simulation
    ranks = ranks_of_servers(desk.session.design, frozenset(selected_servers(desk.session)))
    try:
        simulation.scenario = replace(simulation.scenario, ranks=ranks)
    except DesignerError as error:
        desk.notice.say(sentence(str(error)))
        return
    desk.docks.show("simulation")
    simulation.run()


def show(desk: Desk) -> None:
    """Show the study of jobs."""
    desk.docks.studies.show_study(desk.docks.studies.jobs)
    desk.docks.show("studies")


def go_to(desk: Desk, job_id: str) -> None:
    """Show a job in its study, its servers selected and in view."""
    job = desk.session.design.jobs.get(job_id)
    if job is not None:
        show(desk)
        desk.docks.studies.jobs.choose(job_id)
        desk.views.go_to(frozenset(desk.session.workbench.placed_jobs.servers_of(job)))


def run(desk: Desk) -> None:
    """Show the study of jobs and run all of them at the same time."""
    show(desk)
    desk.session.workbench.placed_jobs.run()


def move(desk: Desk, job_id: str) -> None:
    """Let a job run on all GPUs of the selected servers in place of where it runs."""
    job, servers = desk.session.design.jobs.get(job_id), selected_servers(desk.session)
    if job is None:
        return
    if not servers:
        desk.notice.say("Select the servers, racks or groups that the job should run on first")
        return
    refusal = desk.session.workbench.placed_jobs.change(job, servers=whole(servers))
    desk.notice.say(
        refusal or f"{job.name} runs on {format_counted(len(servers), server_word(desk.session.design, servers))}"
    )


def map_job(desk: Desk) -> None:
    """Show the dialog that searches the best mapping of a job, that of the job chosen in the study first."""
    desk.dialogs.show("mapping")
    job = desk.docks.studies.jobs.current
    if job is not None:
        desk.dialogs["mapping"].choose(job.id)  # type: ignore[attr-defined]


def choose_colour(desk: Desk, job_id: str) -> None:
    """Ask for a color and give it to the job; nothing where the job does not exist any more."""
    job = desk.session.design.jobs.get(job_id)
    colour = desk.questions.colour("Color of the job", job.colour) if job is not None else None
    if job is not None and colour is not None:
        desk.session.workbench.placed_jobs.change(job, colour=colour)


def open_file(desk: Desk) -> None:
    """Ask for a jobs file and add its jobs to the design."""
    folder = desk.preferences.folder("exports")
    path = desk.questions.open_path("Open jobs file", str(folder), "Jobs (*.yaml *.yml *.json);;All files (*)")
    if path is not None:
        take_file(desk, path)


def take_file(desk: Desk, path: Path) -> None:
    """Add the jobs of a file to the design, replacing jobs of the same names, and show them.

    A file that is refused is reported in a note; the design does not change.
    """
    try:
        count = desk.session.workbench.placed_jobs.take_file(path)
    except (DesignerError, OSError) as error:
        desk.notice.complain(f"{path.name} was not imported: {error}")
        return
    desk.preferences.set_folder("exports", path.resolve().parent)
    show(desk)
    desk.notice.say(f"Added {format_counted(count, 'job')} from {path.name}")


def save_file(desk: Desk) -> None:
    """Ask for a file and save the jobs there, with their ranks."""
    desk.docks.studies.jobs.save_jobs()


def marked(desk: Desk) -> bool:
    """Whether servers are colored by job on the canvas."""
    return desk.session.workbench.placed_jobs.marked


def toggle_marks(desk: Desk) -> None:
    """Color the servers on the canvas by job, or stop it."""
    desk.session.workbench.placed_jobs.marked = not desk.session.workbench.placed_jobs.marked


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
        hint="Run several jobs at the same time and compare each with a run of its own",
    ),
    ActionRow(
        "job.map",
        "Best Mapping of a Job…",
        "",
        "",
        has_jobs,
        map_job,
        SIMULATE,
        hint="Search the servers and the rank order with which a job takes least time",
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
        hint="Color the servers on the canvas by job",
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

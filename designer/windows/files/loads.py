"""The loads of the current run as a file, or as a run of a folder that TensorBoard reads: asked for, written, said."""

from collections.abc import Callable
from pathlib import Path

from designer.errors import DesignerError, sentence
from designer.exchange.file_names import export_name
from designer.exchange.metrics.formats import FORMATS
from designer.exchange.metrics.run import Run, run_of, summary_of
from designer.exchange.metrics.tensorboard import of_run, write_run
from designer.session.jobs import Outcome
from designer.simulation.result import Result
from designer.storage.saving import replace_file
from designer.windows.desk import Desk

LANE = "loads"


def save_loads(desk: Desk) -> None:
    """Ask where to, and write the loads of all links in the format of the name's suffix; CSV for any other."""
    design = desk.session.design
    suggestion = Path(desk.preferences.folder("exports")) / export_name(design, "loads", FORMATS[0].suffix)
    filters = ";;".join(f"{one.title} (*{one.suffix})" for one in FORMATS)
    path = desk.questions.save_path("Save loads", str(suggestion), filters)
    if path is None:
        return
    wanted = next((one for one in FORMATS if one.suffix == path.suffix.lower()), FORMATS[0])
    path = path if path.suffix else path.with_suffix(wanted.suffix)

    def write(run: Run) -> Path:
        replace_file(path, wanted.render(run))
        return path

    _write(desk, write)


def add_to_runs(desk: Desk) -> None:
    """Ask for a folder of runs, and write the current run into it; one of the same name is replaced."""
    folder = desk.questions.open_folder("Folder of runs", str(desk.preferences.folder("exports")))
    if folder is not None:
        _write(desk, lambda run: write_run(folder, f"{run.design}-{run.scenario}", of_run(run), replace=True).parent)


def _write(desk: Desk, write: Callable[[Run], Path]) -> None:
    simulation = desk.session.workbench.simulation
    result, name = simulation.current_result, desk.session.design.name
    if result is None:
        return
    scenario = simulation.result_scenario
    said = summary_of(scenario) if scenario is not None else result.model.traffic

    def take(outcome: Outcome) -> None:
        if outcome.error is not None:
            desk.notice.complain(sentence(outcome.error))
            return
        path: Path = outcome.value
        desk.preferences.set_folder("exports", path.resolve().parent)
        desk.notice.say(f"Wrote {path}")

    desk.session.jobs.run(LANE, lambda _progress: _written(write, name, said, result), take)


def _written(write: Callable[[Run], Path], name: str, said: str, result: Result) -> Path:
    try:
        return write(run_of(name, said, result))
    except OSError as error:
        raise DesignerError(f"the loads were not written: {error.strerror or error}") from None

"""The hand-over from the window: packs, redacted copies, designs to look at only."""

from pathlib import Path

from designer.canvas.formats import formats
from designer.errors import DesignerError, sentence
from designer.exchange.file_names import export_name
from designer.exchange.pack.options import PackOptions
from designer.late import Late
from designer.session.jobs import Outcome, Progress
from designer.storage import document
from designer.storage.saving import SaveError, reason, replace_file
from designer.windows.desk import Desk
from designer.windows.files.saving import FABRIC_FILTER, SUFFIX

figure_rows = Late("designer.exchange.comparison.figure_rows")
packs = Late("designer.exchange.pack.pack")
runs = Late("designer.exchange.pack.runs")
redacting = Late("designer.exchange.redacting")
catalog = Late("designer.catalog.catalog")

REDACTING = "redacting"
ZIP_FILTER = "ZIP files (*.zip)"


def pack_path(desk: Desk) -> Path | None:
    """Where the user wants the pack; None where they cancel."""
    suggested = Path(desk.preferences.folder("exports")) / export_name(desk.session.design, "hand-over", ".zip")
    path = desk.questions.save_path("Export Hand-over Package", str(suggested), ZIP_FILTER)
    return path if path is None or path.suffix else path.with_suffix(".zip")


def start_packing(desk: Desk, path: Path, options: PackOptions) -> None:
    """Make the pack of the design as it stands in a worker and write it, whole or not at all."""
    design = desk.session.snapshot()
    simulation, failed = desk.session.workbench.simulation, desk.session.failed
    scenario = simulation.result_scenario if simulation.current_result is not None else None
    pins = desk.session.workbench.pins
    pinned = sorted(pins.runs, key=lambda run: run is not pins.baseline)

    def work(progress: Progress) -> object:
        try:
            asked = runs.Asked(scenario, failed) if scenario is not None else None
            of_designs = [(one, one.design) for one in pinned if one.design is not None]
            kept = [figure_rows.RunOfDesign(one.result, its, one.number) for one, its in of_designs]
            made = packs.make(design, formats(), options, progress, asked, kept)
            replace_file(path, made.data)
        except OSError as error:
            if isinstance(error, DesignerError):
                raise
            raise SaveError(f"{path.name} could not be saved: {reason(error, path)}") from None
        return made

    packing = desk.session.workbench.packing
    packing.ask(lambda: work)
    desk.notice.wait(f"Packing {path.name} …", packing.cancel)


def save_redacted_copy(desk: Desk) -> None:
    """Ask where to, and write a copy there that names nobody; the design stays as it is."""
    session = desk.session
    suggested = Path(desk.preferences.folder("designs")) / f"redacted{SUFFIX}"
    chosen = desk.questions.save_path("Save redacted copy", str(suggested), FABRIC_FILTER)
    if chosen is None:
        return
    path, design = chosen if chosen.suffix else chosen.with_suffix(SUFFIX), session.snapshot()
    if session.path is not None and path.exists() and path.samefile(session.path):
        desk.notice.complain(f"{path.name} is the design itself: choose another name for the redacted copy.")
        return

    def work(_progress: Progress) -> None:
        document.save(redacting.redacted(design, catalog.load().types), path)

    def take(outcome: Outcome) -> None:
        desk.notice.done()
        if outcome.error is not None:
            desk.notice.complain(sentence(outcome.error))
        else:
            desk.notice.say(f"Saved {path.name} without names, notes, labels, prices and sites")

    session.jobs.run(REDACTING, work, take)
    desk.notice.wait(f"Saving {path.name} …", lambda: session.jobs.cancel(REDACTING))

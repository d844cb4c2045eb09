"""Large files are read in a worker: the window goes on, says what it waits for, and can stop waiting."""

from collections.abc import Callable
from pathlib import Path

from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import NEAR_SCALES
from designer.model.design import Design
from designer.session.jobs import Outcome, Progress
from designer.storage import document
from designer.storage.on_disk import FileVersion
from designer.windows.desk import Desk
from designer.windows.files.saving import leave_document

OPENING = "opening"


def open_large(desk: Desk, path: Path, then: Callable[[Composition, FileVersion], None]) -> None:
    """Read the file and draw it up, then do `then`, unless the user has begun something else meanwhile."""
    versions: list[FileVersion] = []

    def read(progress: Progress) -> Design:
        design, version = document.load_version(path, progress)
        versions.append(version)
        return design

    read_in_background(desk, path.name, read, lambda drawing: then(drawing, versions[-1]), desk.notice.complain)


def read_in_background(
    desk: Desk,
    name: str,
    read: Callable[[Progress], Design],
    then: Callable[[Composition], None],
    refused: Callable[[str], None],
) -> None:
    """Do `then` with the design drawn up, or `refused` with the reason; what is changed meanwhile is asked about."""
    session = desk.session
    before, revision = session.design, session.design.revision

    def work(progress: Progress) -> Composition:
        composition = Composition(read(progress))
        composition.draw_up(NEAR_SCALES)  # so that no frame waits for them
        return composition

    def take(outcome: Outcome) -> None:
        desk.notice.done()
        if outcome.value is None:
            refused(outcome.error or f"{name} was not opened.")
        elif session.design is before and before.revision == revision:
            then(outcome.value)
        else:
            leave_document(desk, lambda: then(outcome.value))

    session.jobs.run(OPENING, work, take)
    desk.notice.wait(f"Opening {name} …", lambda: session.jobs.cancel(OPENING))

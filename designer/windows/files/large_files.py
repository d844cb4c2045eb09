"""Large files are read and written in a worker: the window goes on, says what it waits for, and can stop waiting."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from designer.drawing.composition import Composition
from designer.model.design import Design
from designer.session.jobs import Outcome, Progress
from designer.storage import document
from designer.storage.on_disk import FileVersion

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

OPENING = "opening"
LARGE_BYTES = 150_000
LARGE_RECORDS = 2_000
"""Less than this is read or written sooner than a tenth of a second."""


def is_large_file(path: Path) -> bool:
    try:
        return path.stat().st_size > LARGE_BYTES
    except OSError:
        return False


def is_large(design: Design) -> bool:
    return len(design.devices) + len(design.modules) + len(design.links) > LARGE_RECORDS


def open_large(window: "MainWindow", path: Path, then: Callable[[Composition, FileVersion], None]) -> None:
    """Read the file and draw it up, then do `then`, unless the user has begun something else meanwhile."""
    versions: list[FileVersion] = []

    def read(progress: Progress) -> Design:
        design, version = document.load_version(path, progress)
        versions.append(version)
        return design

    read_in_background(window, path.name, read, lambda drawing: then(drawing, versions[-1]), window.complain)


def read_in_background(
    window: "MainWindow",
    name: str,
    read: Callable[[Progress], Design],
    then: Callable[[Composition], None],
    refused: Callable[[str], None],
) -> None:
    """Do `then` with the design drawn up, or `refused` with the reason; what is changed meanwhile is asked about."""
    session = window.session
    before, revision = session.design, session.design.revision

    def work(progress: Progress) -> Composition:
        composition = Composition(read(progress))
        composition.draw_up()
        return composition

    def take(outcome: Outcome) -> None:
        window.notice.done()
        if outcome.value is None:
            refused(outcome.error or f"{name} was not opened.")
        elif session.design is before and before.revision == revision:
            then(outcome.value)
        else:
            window.leave_document(lambda: then(outcome.value))

    session.jobs.run(OPENING, work, take)
    window.notice.wait(f"Opening {name} …", lambda: session.jobs.cancel(OPENING))

"""Hand-over from the window: choose a file, write it, say so."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from designer.errors import DesignerError, sentence
from designer.exchange.exporters import EXPORTERS
from designer.session.jobs import Outcome, Progress
from designer.windows.commands import room_commands
from designer.windows.dialogs.questions import GapsAnswer
from designer.windows.files import large_files
from designer.windows.files.saving import file_stem

if TYPE_CHECKING:
    from designer.exchange.exporters import Exporter
    from designer.exchange.plan_gaps import PlanGaps
    from designer.windows.shell.main_window import MainWindow

DIAGRAMS = ("svg", "pdf", "png")


CHECKING, WRITING = "export check", "export"
"""The lanes in which a plan's gaps are found, and in which its file is written."""


def export(window: "MainWindow", name: str) -> None:
    """Ask where to, and write the hand-over file of that name; diagrams are as the window shows them.

    Where a plan will lack facts, that is said with the reasons before anything is written.
    """
    exporter = None if name in DIAGRAMS else _exporter(name)
    if exporter is None or exporter.gaps is None:
        _write_where_asked(window, name)
    else:
        _find_gaps(window, exporter, may_prepare=True)


def _find_gaps(window: "MainWindow", exporter: "Exporter", *, may_prepare: bool) -> None:
    """Find what the file will lack, in a worker; then ask about it, or go on where that is nothing."""
    session, find = window.session, exporter.gaps
    design, document = session.snapshot(), session.design
    assert find is not None

    def take(outcome: Outcome) -> None:
        window.notice.done()
        if outcome.error is not None:
            window.complain(sentence(outcome.error))
        elif session.design is document and document.revision != design.revision:
            _find_gaps(window, exporter, may_prepare=may_prepare)
        elif session.design is document:
            _ask_about(window, exporter, outcome.value, may_prepare=may_prepare)

    jobs = session.jobs
    jobs.run(CHECKING, lambda _progress: find(design), take)
    if large_files.is_large(design):
        window.notice.wait(f"Checking the {_word(exporter)} …", lambda: jobs.cancel(CHECKING))


def _ask_about(window: "MainWindow", exporter: "Exporter", gaps: "PlanGaps", *, may_prepare: bool) -> None:
    answer: GapsAnswer = "export"
    if gaps.headline:
        answer = window.questions.plan_gaps(exporter.title, gaps.headline, gaps.lines(), may_prepare=may_prepare)
    if answer == "prepare":
        room_commands.prepare(window, then=lambda: _find_gaps(window, exporter, may_prepare=False))
    elif answer == "export":
        _write_where_asked(window, exporter.name)


def _write_where_asked(window: "MainWindow", name: str) -> None:
    title, suffix = _exporter_facts(name)
    session = window.session
    stem = session.path.stem if session.path is not None else file_stem(session.design.name)
    folder = window.preferences.folder("exports")
    path = window.questions.save_path(title, str(Path(folder) / f"{stem}{suffix}"), f"{title} (*{suffix})")
    if path is None:
        return
    path = path if path.suffix else path.with_suffix(suffix)
    if name in DIAGRAMS:
        _report(window, path, _refused(path, lambda: _draw(window, name, path)))
    elif session.jobs.busy(WRITING):
        window.complain(f"{path.name} was not written: another export is still being written. Export again after it.")
    else:
        _write_in_worker(window, _exporter(name), path)


def _write_in_worker(window: "MainWindow", exporter: "Exporter", path: Path) -> None:
    """Write the design as it stands now."""
    design = window.session.snapshot()

    def work(_progress: Progress) -> str | None:
        return _refused(path, lambda: exporter.write(design, path, {}))

    def take(outcome: Outcome) -> None:
        window.notice.done()
        _report(window, path, outcome.error or outcome.value)

    window.session.jobs.run(WRITING, work, take)
    if large_files.is_large(design):
        window.notice.wait(f"Writing {path.name} …", lambda: None)


def _refused(path: Path, write: Callable[[], object]) -> str | None:
    """Why the file was not written, as a sentence; None where it was."""
    try:
        write()
    except (DesignerError, OSError) as error:
        return _refusal(error, path)
    return None


def _report(window: "MainWindow", path: Path, refusal: str | None) -> None:
    if refusal is not None:
        window.complain(refusal)
        return
    window.preferences.set_folder("exports", path.resolve().parent)
    window.say(f"Wrote {path}")


def _word(exporter: "Exporter") -> str:
    """ "cable plan" of "Cable plan as CSV"."""
    return exporter.title.partition(" as ")[0].lower()


def save(window: "MainWindow", title: str, suffix: str, write: Callable[[Path], object]) -> None:
    """Ask where to, let a panel write its table or plot there, and say so."""
    session = window.session
    stem = session.path.stem if session.path is not None else file_stem(session.design.name)
    what = title.partition(" as ")[0].lower().replace(" ", "-")
    folder = window.preferences.folder("exports")
    path = window.questions.save_path(title, str(Path(folder) / f"{stem}-{what}{suffix}"), f"{title} (*{suffix})")
    if path is None:
        return
    path = path if path.suffix else path.with_suffix(suffix)
    _report(window, path, _refused(path, lambda: write(path)))


def _refusal(error: Exception, path: Path) -> str:
    """A sentence with the name of the file in it, once."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return sentence(why if why.startswith(path.name) else f"{path.name} was not written: {why}")


def _exporter_facts(name: str) -> tuple[str, str]:
    if name in DIAGRAMS:
        return f"Diagram as {name.upper()}", f".{name}"
    exporter = _exporter(name)
    return exporter.title, exporter.suffix


def _exporter(name: str) -> "Exporter":
    for exporter in EXPORTERS:
        if exporter.name == name:
            return exporter
    raise DesignerError(f"there is no export format {name!r}")


def _draw(window: "MainWindow", name: str, path: Path) -> None:
    if name == "svg":
        window.canvas.render_svg(path)
    elif name == "pdf":
        window.view.render_pdf(path)
    else:
        window.view.render_png(path)

"""Hand-over from the window: choose a file, write it, say so."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from designer.errors import DesignerError, sentence
from designer.exchange.exporter import Exporter
from designer.exchange.exporters import EXPORTERS
from designer.exchange.file_names import export_name
from designer.exchange.options import keyed
from designer.exchange.plan_gaps import PlanGaps
from designer.model.design import Design
from designer.session.jobs import Outcome, Progress
from designer.windows.commands import room_commands
from designer.windows.desk import Desk
from designer.windows.dialogs.questions import GapsAnswer
from designer.windows.files import large_files, price_lists

DIAGRAMS = ("svg", "pdf", "png")


CHECKING, WRITING = "export check", "export"
"""The lanes in which a plan's gaps are found, and in which its file is written."""


def export(desk: Desk, name: str) -> None:
    """Ask where to, and write the hand-over file of that name; diagrams are as the window shows them.

    Where a plan will lack facts, that is said with the reasons before anything is written.
    """
    exporter = None if name in DIAGRAMS else _exporter(name)
    if exporter is None or exporter.gaps is None:
        _write_where_asked(desk, name)
    else:
        _find_gaps(desk, exporter, may_prepare=True)


def _find_gaps(desk: Desk, exporter: Exporter, *, may_prepare: bool) -> None:
    """Find what the file will lack, in a worker; then ask about it, or go on where that is nothing."""
    session, find = desk.session, exporter.gaps
    design, document = session.snapshot(), session.design
    assert find is not None

    def take(outcome: Outcome) -> None:
        desk.notice.done()
        if outcome.error is not None:
            desk.notice.complain(sentence(outcome.error))
        elif session.design is document and document.revision != design.revision:
            _find_gaps(desk, exporter, may_prepare=may_prepare)
        elif session.design is document:
            _ask_about(desk, exporter, outcome.value, may_prepare=may_prepare)

    jobs = session.jobs
    jobs.run(CHECKING, lambda _progress: find(design), take)
    if large_files.is_large(design):
        desk.notice.wait(f"Checking the {_word(exporter)} …", lambda: jobs.cancel(CHECKING))


def _ask_about(desk: Desk, exporter: Exporter, gaps: PlanGaps, *, may_prepare: bool) -> None:
    answer: GapsAnswer = "export"
    if gaps.headline:
        answer = desk.questions.plan_gaps(
            exporter.title, gaps.headline, gaps.lines(), may_prepare=may_prepare and gaps.can_be_prepared
        )
    if answer == "prepare":
        room_commands.prepare(desk, then=lambda: _find_gaps(desk, exporter, may_prepare=False))
    elif answer == "export":
        _write_where_asked(desk, exporter.name)


def _write_where_asked(desk: Desk, name: str) -> None:
    if name in DIAGRAMS:
        save(desk, f"Diagram as {name.upper()}", f".{name}", partial(_draw, desk, name))
        return
    exporter = _exporter(name)
    path = ask_where(desk, exporter, exporter.suffix)
    if path is not None:
        write(desk, exporter, path)


def ask_where(desk: Desk, exporter: Exporter, suffix: str) -> Path | None:
    """The file that the user chooses, of that kind or another that the format has; None where they cancel."""
    others = [one for one in (exporter.suffix, *exporter.other_suffixes) if one != suffix]
    return _ask_where(desk, exporter.title, export_name(desk.session.design, exporter.name, suffix), *others)


def _ask_where(desk: Desk, title: str, name: str, *others: str) -> Path | None:
    suffix = Path(name).suffix
    beside = desk.session.path.parent if desk.session.path is not None else Path()
    suggested = Path(desk.preferences.folder("exports") or beside) / name
    offered = " ".join(f"*{one}" for one in (suffix, *others))
    path = desk.questions.save_path(title, str(suggested), f"{title} ({offered})")
    return path if path is None or path.suffix else path.with_suffix(suffix)


def write(
    desk: Desk,
    exporter: Exporter,
    path: Path,
    options: Any = None,
    after: Callable[[str], object] = lambda _stated: None,
) -> None:
    """Write the design as it stands now, in a worker; `after` hears the sentence on how that ended."""
    if desk.session.jobs.busy(WRITING):
        stated = f"{path.name} was not written: another export is still being written. Export again after it."
        desk.notice.complain(stated)
        return
    design = desk.session.snapshot()
    known = keyed(exporter.options)
    if options is None and desk.preferences.price_list and "prices" in known:
        texts = {"prices": desk.preferences.price_list, **price_lists.stored_texts(desk)}
        options = {key: text for key, text in texts.items() if key in known}

    def work(progress: Progress) -> tuple[str | None, str]:
        refusal = _refused(path, lambda: exporter.write(design, path, options, progress))
        return refusal, _said_of(exporter, design, options) if refusal is None else ""

    def take(outcome: Outcome) -> None:
        desk.notice.done()
        written, said = outcome.value or (None, "")
        refusal = outcome.error or written
        _report(desk, path, refusal, said)
        after(refusal or f"{_written(path.name, said)}.")

    desk.session.jobs.run(WRITING, work, take)
    if large_files.is_large(design):
        desk.notice.wait(f"Writing {path.name} …", lambda: desk.session.jobs.cancel(WRITING))


def _refused(path: Path, write: Callable[[], object]) -> str | None:
    """Why the file was not written, as a sentence; None where it was."""
    try:
        write()
    except (DesignerError, OSError) as error:
        return _refusal(error, path)
    return None


def _said_of(exporter: Exporter, design: Design, options: Any) -> str:
    """What the written file says, in a line, where the format says that."""
    if exporter.outcome is None:
        return ""
    return exporter.outcome(design, options if isinstance(options, exporter.options) else exporter.read(options or {}))


def _written(path: str, said: str) -> str:
    return f"Wrote {path}: {said}" if said else f"Wrote {path}"


def _report(desk: Desk, path: Path, refusal: str | None, said: str = "") -> None:
    if refusal is not None:
        desk.notice.complain(refusal)
        return
    desk.preferences.set_folder("exports", path.resolve().parent)
    desk.notice.say(_written(str(path), said))


def _word(exporter: Exporter) -> str:
    """ "cable plan" of "Cable plan as CSV"."""
    return exporter.title.partition(" as ")[0].lower()


def save(desk: Desk, title: str, suffix: str, write_to: Callable[[Path], object]) -> None:
    """Ask where to, let a panel write its table or plot there, and say so."""
    what = title.partition(" as ")[0].lower().replace(" ", "-")
    path = _ask_where(desk, title, export_name(desk.session.design, what, suffix))
    if path is not None:
        _report(desk, path, _refused(path, lambda: write_to(path)))


def save_in_worker(desk: Desk, title: str, suffix: str, write_to: Callable[[Path], object]) -> None:
    """The same of what takes long to write, such as a page with a drawing: in a worker, which may be cancelled."""
    what = title.partition(" as ")[0].lower().replace(" ", "-")
    path = _ask_where(desk, title, export_name(desk.session.design, what, suffix))
    if path is None:
        return
    if desk.session.jobs.busy(WRITING):
        desk.notice.complain(f"{path.name} was not written: another file is still being written. Save again after it.")
        return

    def take(outcome: Outcome) -> None:
        desk.notice.done()
        _report(desk, path, outcome.error or outcome.value)

    desk.session.jobs.run(WRITING, lambda _progress: _refused(path, lambda: write_to(path)), take)
    desk.notice.wait(f"Writing {path.name} …", lambda: desk.session.jobs.cancel(WRITING))


def _refusal(error: Exception, path: Path) -> str:
    """A sentence with the name of the file in it, once."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return sentence(why if why.startswith(path.name) else f"{path.name} was not written: {why}")


def _exporter(name: str) -> Exporter:
    for exporter in EXPORTERS:
        if exporter.name == name:
            return exporter
    raise DesignerError(f"there is no export format {name!r}")


def _draw(desk: Desk, name: str, path: Path) -> None:
    if name == "svg":
        desk.views.canvas.render_svg(path)
    elif name == "pdf":
        desk.views.current.render_pdf(path)
    else:
        desk.views.current.render_png(path)

"""Hand-over from the window: choose a file, write it, say so."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from designer.errors import DesignerError, sentence
from designer.windows.saving import file_stem

if TYPE_CHECKING:
    from designer.exchange.exporters import Exporter
    from designer.windows.main_window import MainWindow

DIAGRAMS = ("svg", "pdf", "png")


def export(window: "MainWindow", name: str) -> None:
    """Ask where to, and write the hand-over file of that name; diagrams are as the window shows them."""
    title, suffix = _exporter_facts(name)
    session = window.session
    if not _gaps_accepted(window, name, title):
        return
    stem = session.path.stem if session.path is not None else file_stem(session.design.settings.name)
    folder = window.preferences.folder("exports")
    path = window.questions.save_path(title, str(Path(folder) / f"{stem}{suffix}"), f"{title} (*{suffix})")
    if path is None:
        return
    path = path if path.suffix else path.with_suffix(suffix)
    try:
        _write(window, name, path)
    except (DesignerError, OSError) as error:
        window.complain(_refusal(error, path))
        return
    window.preferences.set_folder("exports", path.resolve().parent)
    window.say(f"Wrote {path}")


def _gaps_accepted(window: "MainWindow", name: str, title: str) -> bool:
    """Whether to go on, where the file will lack facts: said with the reasons before anything is written."""
    exporter = None if name in DIAGRAMS else _exporter(name)
    gaps = exporter.gaps(window.session.design) if exporter is not None and exporter.gaps is not None else None
    if gaps is None or not gaps.headline:
        return True
    answer = window.questions.plan_gaps(title, gaps.headline, gaps.lines())
    if answer == "prepare":
        window.actions_table.trigger("room.prepare")
    return answer == "export"


def save(window: "MainWindow", title: str, suffix: str, write: Callable[[Path], object]) -> None:
    """Ask where to, let a panel write its table or plot there, and say so."""
    session = window.session
    stem = session.path.stem if session.path is not None else file_stem(session.design.settings.name)
    what = title.partition(" as ")[0].lower().replace(" ", "-")
    folder = window.preferences.folder("exports")
    path = window.questions.save_path(title, str(Path(folder) / f"{stem}-{what}{suffix}"), f"{title} (*{suffix})")
    if path is None:
        return
    path = path if path.suffix else path.with_suffix(suffix)
    try:
        write(path)
    except (DesignerError, OSError) as error:
        window.complain(_refusal(error, path))
        return
    window.preferences.set_folder("exports", path.resolve().parent)
    window.say(f"Wrote {path}")


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
    from designer.exchange.exporters import EXPORTERS

    for exporter in EXPORTERS:
        if exporter.name == name:
            return exporter
    raise DesignerError(f"there is no export format {name!r}")


def _write(window: "MainWindow", name: str, path: Path) -> None:
    if name == "svg":
        window.canvas.render_svg(path)
    elif name == "pdf":
        window.view.render_pdf(path)
    elif name == "png":
        window.view.render_png(path)
    else:
        _exporter(name).write(window.session.design, path, {})

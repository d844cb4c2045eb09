"""Hand-over from the window: choose a file, write it, say so."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from designer.errors import DesignerError, sentence
from designer.model.networks import NETWORKS
from designer.windows.saving import file_stem

if TYPE_CHECKING:
    from designer.exchange.exporters import Exporter
    from designer.windows.main_window import MainWindow


def export(window: "MainWindow", name: str) -> None:
    """Ask where to, and write the hand-over file of that name in EXPORTERS; PNG is what the canvas shows."""
    title, suffix = ("Diagram as PNG", ".png") if name == "png" else _exporter_facts(name)
    session = window.session
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
    exporter = _exporter(name)
    return exporter.title, exporter.suffix


def _exporter(name: str) -> "Exporter":
    from designer.exchange.exporters import EXPORTERS

    for exporter in EXPORTERS:
        if exporter.name == name:
            return exporter
    raise DesignerError(f"there is no export format {name!r}")


def _write(window: "MainWindow", name: str, path: Path) -> None:
    if name == "png":
        window.view.render_png(path)
        return
    session = window.session
    options: dict[str, object] = {}
    if name == "svg":
        shown = [network for network in NETWORKS if network not in session.hidden_networks]
        jobs = "yes" if session.placed_jobs.marked else "no"
        options = {"heat": session.shown_heat, "theme": window.appearance.theme, "networks": shown, "jobs": jobs}
    _exporter(name).write(session.design, path, options)

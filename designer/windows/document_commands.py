"""Commands about the document: new, open, save, generate, hand over, leave."""

from pathlib import Path
from typing import TYPE_CHECKING

from designer.drawing.composition import Composition
from designer.errors import DesignerError, sentence
from designer.windows import large_files
from designer.windows.actions import ActionRow

if TYPE_CHECKING:
    from designer.windows.main_window import MainWindow

FILE = "File"
FABRIC_FILTER = "Fabric designs (*.fabric);;All files (*)"
SUFFIX = ".fabric"


def new_document(window: "MainWindow") -> None:
    def start() -> None:
        window.session.new()
        window.show_canvas()

    window.leave_document(start)


def choose_and_open(window: "MainWindow") -> None:
    def choose() -> None:
        path = window.questions.open_path("Open design", window.preferences.folder("designs"), FABRIC_FILTER)
        if path is not None:
            open_path(window, path)

    window.leave_document(choose)


def open_path(window: "MainWindow", path: Path) -> None:
    """Open a file; what it refuses is said in the window, with everything as it was."""
    if large_files.is_large_file(path):
        large_files.open_large(window, path, lambda drawing: _show_opened(window, path, drawing))
        return
    try:
        window.session.open(path)
    except (DesignerError, OSError) as error:
        window.complain(_sentence(error, path))
        return
    _after_opening(window, path)


def _show_opened(window: "MainWindow", path: Path, drawing: Composition) -> None:
    window.session.replace(drawing.design, path, drawing)
    _after_opening(window, path)


def _after_opening(window: "MainWindow", path: Path) -> None:
    window.preferences.add_recent_file(path)
    window.preferences.set_folder("designs", path.resolve().parent)
    window.show_canvas()
    window.fit_later()
    window.say(f"Opened {path.name}")
    window.recovery.look(path)


def save(window: "MainWindow", *, at_once: bool = False) -> None:
    if window.session.path is None:
        save_as(window, at_once=at_once)
    else:
        save_to(window, window.session.path, at_once=at_once)


def save_as(window: "MainWindow", *, at_once: bool = False) -> None:
    session = window.session
    folder = window.preferences.folder("designs")
    suggestion = session.path or Path(folder) / f"{file_stem(session.design.settings.name)}{SUFFIX}"
    path = window.questions.save_path("Save design", str(suggestion), FABRIC_FILTER)
    if path is not None:
        save_to(window, path if path.suffix else path.with_suffix(SUFFIX), at_once=at_once)


def save_to(window: "MainWindow", path: Path, *, at_once: bool = False) -> None:
    """Write the design; where it is large and nobody waits for the end, in the background."""
    if large_files.is_large(window.session.design) and not at_once:
        large_files.save_large(window, path, lambda: _after_saving(window, path))
        return
    try:
        window.session.save(path)
    except (DesignerError, OSError) as error:
        window.complain(_sentence(error, path))
        return
    _after_saving(window, path)


def _after_saving(window: "MainWindow", path: Path) -> None:
    window.preferences.add_recent_file(path)
    window.preferences.set_folder("designs", path.resolve().parent)
    window.say(f"Saved {path.name}")


def generate(window: "MainWindow") -> None:
    window.dialogs.show("generate")


def show_welcome(window: "MainWindow") -> None:
    window.show_welcome()


def close_window(window: "MainWindow") -> None:
    window.close()


def _exporting(name: str) -> "ExportCommand":
    return ExportCommand(name)


class ExportCommand:
    """Writes one hand-over format to a chosen file."""

    def __init__(self, exporter: str) -> None:
        self._exporter = exporter

    def __call__(self, window: "MainWindow") -> None:
        from designer.windows.exporting import export

        export(window, self._exporter)


def file_stem(name: str) -> str:
    """A design's name as a file name without surprises."""
    stem = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name.strip()).strip("-.")
    return stem.lower() or "design"


def has_devices(window: "MainWindow") -> bool:
    return bool(window.session.design.devices)


def has_links(window: "MainWindow") -> bool:
    return bool(window.session.design.links)


def _sentence(error: Exception, path: Path) -> str:
    if isinstance(error, OSError):
        return f"{path.name}: {error.strerror or error}."
    return sentence(str(error))


ROWS: tuple[ActionRow, ...] = (
    ActionRow("file.new", "New", "Ctrl+N", "new", run=new_document, menu=FILE),
    ActionRow("file.open", "Open…", "Ctrl+O", "open", run=choose_and_open, menu=FILE),
    ActionRow(
        "file.generate",
        "Generate Fabric…",
        "Ctrl+Shift+N",
        "generate",
        run=generate,
        menu=FILE,
        hint="A fat-tree, rail-optimized, torus, dragonfly or other fabric from a few numbers",
    ),
    ActionRow("file.save", "Save", "Ctrl+S", "save", run=save, menu=FILE),
    ActionRow("file.save_as", "Save As…", "Ctrl+Shift+S", "", run=save_as, menu=FILE),
    ActionRow("export.svg", "Diagram as SVG…", "Ctrl+E", "export", has_devices, _exporting("svg"), "Export"),
    ActionRow("export.png", "Diagram as PNG…", "Ctrl+Shift+E", "export", has_devices, _exporting("png"), "Export"),
    ActionRow("export.cable_plan", "Cable Plan as CSV…", "", "cable", has_links, _exporting("cable-plan"), "Export"),
    ActionRow(
        "export.cable_plan_xlsx", "Cable Plan as XLSX…", "", "cable", has_links, _exporting("cable-plan-xlsx"), "Export"
    ),
    ActionRow("file.welcome", "Welcome Screen", "", "app", run=show_welcome, menu=FILE),
    ActionRow("file.quit", "Quit", "Ctrl+Q", "exit", run=close_window, menu=FILE),
)

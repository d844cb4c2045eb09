"""Commands about the document: new, open, save, generate, hand over, leave."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from designer.drawing.composition import Composition
from designer.errors import DesignerError
from designer.exchange.exporters import EXPORTERS
from designer.model.design import Design
from designer.storage import document
from designer.storage.on_disk import FileVersion
from designer.windows.commands.actions import ActionRow
from designer.windows.files import large_files, saving
from designer.windows.files.exporting import export
from designer.windows.files.saving import FABRIC_FILTER, refusal

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

FILE = "File"


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


def open_example(window: "MainWindow", path: Path) -> None:
    """Open an example as a design without a file: what is made of it is saved elsewhere."""

    def show(design: Design, drawing: Composition | None = None) -> None:
        window.session.replace(design, None, drawing)
        _show(window, f"Opened the example {design.name}: saving it asks for a file name")

    if large_files.is_large_file(path):
        large_files.open_large(window, path, lambda drawing, _version: show(drawing.design, drawing))
        return
    try:
        show(document.load(path))
    except (DesignerError, OSError) as error:
        window.complain(refusal(error, path))


def open_path(window: "MainWindow", path: Path) -> None:
    """Open a file; what it refuses is said in the window, with everything as it was."""
    if large_files.is_large_file(path):
        large_files.open_large(window, path, partial(_show_opened, window, path))
        return
    try:
        window.session.open(path)
    except (DesignerError, OSError) as error:
        window.complain(refusal(error, path))
        return
    _after_opening(window, path)


def _show_opened(window: "MainWindow", path: Path, drawing: Composition, version: FileVersion) -> None:
    window.session.replace(drawing.design, path, drawing, version=version)
    _after_opening(window, path)


def _after_opening(window: "MainWindow", path: Path) -> None:
    window.preferences.add_recent_file(path)
    window.preferences.set_folder("designs", path.resolve().parent)
    _show(window, f"Opened {path.name}")
    window.recovery.look(path)


def _show(window: "MainWindow", said: str) -> None:
    window.show_canvas()
    window.fit_later()
    window.say(said)


def save(window: "MainWindow") -> None:
    saving.save(window)


def save_as(window: "MainWindow") -> None:
    saving.save_as(window)


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
        export(window, self._exporter)


def has_devices(window: "MainWindow") -> bool:
    return bool(window.session.design.devices)


def has_links(window: "MainWindow") -> bool:
    return bool(window.session.design.links)


PLUGIN_EXPORTS: tuple[ActionRow, ...] = tuple(
    ActionRow(f"export.plugin.{one.name}", f"{one.title}…", "", "export", has_devices, _exporting(one.name), "Export")
    for one in EXPORTERS.added
)
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
    ActionRow("export.pdf", "Diagram as PDF…", "", "export", has_devices, _exporting("pdf"), "Export"),
    ActionRow("export.png", "Diagram as PNG…", "Ctrl+Shift+E", "export", has_devices, _exporting("png"), "Export"),
    ActionRow("export.cable_plan", "Cable Plan as CSV…", "", "cable", has_links, _exporting("cable-plan"), "Export"),
    ActionRow(
        "export.cable_plan_xlsx", "Cable Plan as XLSX…", "", "cable", has_links, _exporting("cable-plan-xlsx"), "Export"
    ),
    *PLUGIN_EXPORTS,
    ActionRow("file.welcome", "Welcome Screen", "", "app", run=show_welcome, menu=FILE),
    ActionRow("file.quit", "Quit", "Ctrl+Q", "exit", run=close_window, menu=FILE),
)

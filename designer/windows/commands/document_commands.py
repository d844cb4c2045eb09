"""Commands about the document: new, open, save, generate, hand over, leave."""

from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from designer.drawing.composition import Composition
from designer.errors import DesignerError
from designer.exchange.exporters import EXPORTERS
from designer.model.design import Design
from designer.storage import document
from designer.storage.on_disk import FileVersion
from designer.windows.commands.actions import ActionRow, has_devices, has_links
from designer.windows.desk import Desk
from designer.windows.files import large_files, opening, saving
from designer.windows.files.examples import example_files
from designer.windows.files.exporting import export
from designer.windows.files.saving import FABRIC_FILTER, leave_document, refusal

FILE = "File"


def new_document(desk: Desk) -> None:
    """Start an empty design on the canvas, after asking what to do with unsaved changes."""

    def start() -> None:
        desk.session.new()
        desk.views.show_canvas()

    leave_document(desk, start)


def choose_and_open(desk: Desk) -> None:
    """Ask for a file and open its design, after asking what to do with unsaved changes."""

    def choose() -> None:
        path = desk.questions.open_path("Open design", desk.preferences.folder("designs"), FABRIC_FILTER)
        if path is not None:
            open_path(desk, path)

    leave_document(desk, choose)


def choose_and_look(desk: Desk) -> None:
    """Ask for a file and show its design without changing it, after asking what to do with unsaved changes."""

    def choose() -> None:
        path = desk.questions.open_path("Open as read-only", desk.preferences.folder("designs"), FABRIC_FILTER)
        if path is not None:
            open_path(desk, path, read_only=True)

    leave_document(desk, choose)


def open_example(desk: Desk, path: Path) -> None:
    """Open an example as a design without a file: what is made of it is saved elsewhere."""

    def show(design: Design, drawing: Composition | None = None) -> None:
        desk.session.replace(design, None, drawing)
        _show(desk, f"Opened the example {design.name}: saving it asks for a file name")

    if large_files.is_large_file(path):
        opening.open_large(desk, path, lambda drawing, _version: show(drawing.design, drawing))
        return
    try:
        show(document.load(path))
    except (DesignerError, OSError) as error:
        desk.notice.complain(refusal(error, path))


def open_path(desk: Desk, path: Path, *, read_only: bool = False) -> None:
    """Open a file; what it refuses is said in the window, with everything as it was."""
    if large_files.is_large_file(path):
        opening.open_large(desk, path, partial(_show_opened, desk, path, read_only))
        return
    try:
        desk.session.open(path, read_only=read_only)
    except (DesignerError, OSError) as error:
        desk.notice.complain(refusal(error, path))
        return
    _after_opening(desk, path)


def open_after_asking(desk: Desk, path: Path) -> None:
    """Open a file, unless the user wants to keep unsaved changes."""
    leave_document(desk, partial(open_path, desk, path))


def open_listed(desk: Desk, path: Path) -> None:
    """Open a file that a list offers; an example is a design without a file, so that it stays as it is."""
    opened = open_example if path.resolve() in example_files() else open_path
    leave_document(desk, partial(opened, desk, path))


def _show_opened(desk: Desk, path: Path, read_only: bool, drawing: Composition, version: FileVersion) -> None:
    desk.session.replace(drawing.design, path, drawing, version=version, read_only=read_only)
    _after_opening(desk, path)


def _after_opening(desk: Desk, path: Path) -> None:
    desk.preferences.add_recent_file(path)
    desk.preferences.set_folder("designs", path.resolve().parent)
    if desk.session.is_read_only:
        _show(desk, f"Opened {path.name} as read-only: to change a copy, choose File > Save As")
        return
    _show(desk, f"Opened {path.name}")
    desk.look_for_unsaved_work(path)


def _show(desk: Desk, stated: str) -> None:
    desk.views.show_canvas()
    desk.views.fit_later()
    desk.notice.say(stated)


def save(desk: Desk) -> None:
    """Save the design to its file, or ask for a file where it has none."""
    saving.save(desk)


def save_as(desk: Desk) -> None:
    """Ask for a file and save the design there."""
    saving.save_as(desk)


def generate(desk: Desk) -> None:
    """Show the dialog that generates a fabric."""
    desk.dialogs.show("generate")


def export_as(desk: Desk) -> None:
    """Show the dialog that exports: formats, options, preview."""
    desk.dialogs.show("export")


def print_design(desk: Desk) -> None:
    """Show the same dialog with a format that has pages, to look at them before they are printed."""
    desk.dialogs.show("export")
    dialog = desk.dialogs["export"]
    assert isinstance(dialog, Printer), "it is the dialog of that name"
    dialog.choose_pages()


@runtime_checkable
class Printer(Protocol):
    """The dialog that prints."""

    def choose_pages(self) -> None:
        """Choose a format that has pages."""


def show_welcome(desk: Desk) -> None:
    """Show the welcome screen in place of the design, which stays open."""
    desk.views.show_welcome()


def close_window(desk: Desk) -> None:
    """Close the window, which asks what to do with unsaved changes."""
    desk.window.close()


def _exporting(name: str) -> "ExportCommand":
    return ExportCommand(name)


class ExportCommand:
    """Writes one hand-over format to a chosen file."""

    def __init__(self, exporter: str) -> None:
        self._exporter = exporter

    def __call__(self, desk: Desk) -> None:
        """Ask for a file and write it, after saying which facts it will lack."""
        export(desk, self._exporter)


def may_save(desk: Desk) -> bool:
    """Whether the design may be written to its own file."""
    return not desk.session.is_read_only


PLUGIN_EXPORTS: tuple[ActionRow, ...] = tuple(
    ActionRow(f"export.plugin.{one.name}", f"{one.title}…", "", "export", has_devices, _exporting(one.name), "Export")
    for one in EXPORTERS.added
)
ROWS: tuple[ActionRow, ...] = (
    ActionRow("file.new", "New", "Ctrl+N", "new", run=new_document, menu=FILE),
    ActionRow("file.open", "Open…", "Ctrl+O", "open", run=choose_and_open, menu=FILE),
    ActionRow(
        "file.open_read_only",
        "Open as Read-Only…",
        "",
        "open",
        run=choose_and_look,
        menu=FILE,
        hint="Look at a design, check it and simulate it; nothing of it can be changed",
    ),
    ActionRow(
        "file.generate",
        "Generate Fabric…",
        "Ctrl+Shift+N",
        "generate",
        run=generate,
        menu=FILE,
        hint="Generate a fat-tree, rail-optimized, torus, dragonfly or other fabric from a few numbers",
    ),
    ActionRow("file.save", "Save", "Ctrl+S", "save", may_save, save, FILE),
    ActionRow("file.save_as", "Save As…", "Ctrl+Shift+S", "", run=save_as, menu=FILE),
    ActionRow(
        "file.export",
        "Export…",
        "Ctrl+E",
        "export",
        has_devices,
        export_as,
        FILE,
        hint="Choose what to hand over, set its options, and look at its pages or rows before they are written",
    ),
    ActionRow("file.print", "Print…", "Ctrl+P", "print", has_devices, print_design, FILE),
    ActionRow("export.svg", "Diagram as SVG…", "", "export", has_devices, _exporting("svg"), "Export"),
    ActionRow("export.pdf", "Diagram as PDF…", "", "export", has_devices, _exporting("pdf"), "Export"),
    ActionRow("export.png", "Diagram as PNG…", "Ctrl+Shift+E", "export", has_devices, _exporting("png"), "Export"),
    ActionRow("export.cable_plan", "Cable Plan as CSV…", "", "cable", has_links, _exporting("cable-plan"), "Export"),
    ActionRow(
        "export.cable_plan_xlsx", "Cable Plan as XLSX…", "", "cable", has_links, _exporting("cable-plan-xlsx"), "Export"
    ),
    ActionRow(
        "export.bill", "Bill of Materials…", "", "export", has_devices, _exporting("bill-of-materials"), "Export"
    ),
    *PLUGIN_EXPORTS,
    ActionRow("file.welcome", "Welcome Screen", "", "app", run=show_welcome, menu=FILE),
    ActionRow("file.quit", "Quit", "Ctrl+Q", "exit", run=close_window, menu=FILE),
)

"""Commands about the document: new, open, save, generate, hand over, leave."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from designer import plugins
from designer.drawing.composition import Composition
from designer.errors import DesignerError
from designer.late import Late
from designer.model.design import Design
from designer.storage import document
from designer.storage.on_disk import FileVersion
from designer.windows.commands.actions import ActionRow, has_devices, has_links, needs
from designer.windows.desk import Desk
from designer.windows.files import large_files, opening, reopening, saving
from designer.windows.files.examples import example_files
from designer.windows.files.places import in_its_place, is_blank
from designer.windows.files.saving import FABRIC_FILTER, leave_document, refusal

exporters = Late("designer.exchange.exporters")
exporting = Late("designer.windows.files.exporting")

FILE = "File"


def new_document(desk: Desk) -> None:
    """Start an empty design on the canvas."""
    in_its_place(desk, _start)


def _start(desk: Desk) -> None:
    desk.session.new()
    desk.views.show_canvas()


def choose_and_open(desk: Desk) -> None:
    """Ask for a file and open its design."""
    _choose(desk, "Open design", read_only=False)


def choose_and_look(desk: Desk) -> None:
    """Ask for a file and show its design without changing it."""
    _choose(desk, "Open as read-only", read_only=True)


def _choose(desk: Desk, title: str, *, read_only: bool) -> None:
    def ask() -> Path | None:
        return desk.questions.open_path(title, desk.preferences.folder("designs"), FABRIC_FILTER)

    def choose() -> None:
        path = ask()
        if path is not None:
            open_path(desk, path, read_only=read_only)

    if desk.tabs is None:
        leave_document(desk, choose)
        return
    path = ask()
    if path is not None:
        open_in_tab(desk, path, read_only=read_only)


def open_in_tab(desk: Desk, path: Path, *, read_only: bool = False) -> None:
    """Open a file in a tab of its own; where one has it open already, that comes to the front."""
    if desk.tabs is not None and not read_only and desk.tabs.show_file(path):
        return
    in_its_place(desk, partial(open_path, path=path, read_only=read_only))


def open_all(desk: Desk, paths: Sequence[Path]) -> None:
    """Open files, each in a tab."""
    for path in paths:
        open_in_tab(desk, path)


def reopen(desk: Desk) -> None:
    """Open what was open when the window was closed last, each in a tab."""
    open_all(desk, _left_open(desk))
    if desk.tabs is not None:
        desk.tabs.beside.restore()


def _left_open(desk: Desk) -> list[Path]:
    return reopening.left_open(desk.preferences)


@needs("No files were open at the end of the last session.")
def _has_left_open(desk: Desk) -> bool:
    return bool(_left_open(desk))


def open_example(desk: Desk, path: Path) -> bool:
    """Open an example as a design without a file: what is made of it is saved elsewhere."""

    def show(design: Design, drawing: Composition | None = None) -> None:
        desk.session.replace(design, None, drawing)
        _show(desk, f"Opened the example {design.name}: saving it asks for a file name")

    if large_files.is_large_file(path):
        opening.open_large(desk, path, lambda drawing, _version: show(drawing.design, drawing))
        return True
    try:
        show(document.load(path))
    except (DesignerError, OSError) as error:
        desk.notice.complain(refusal(error, path))
        return False
    return True


def open_path(desk: Desk, path: Path, *, read_only: bool = False) -> bool:
    """Open a file; what it refuses is said in the window, with everything as it was: False."""
    if large_files.is_large_file(path):
        opening.open_large(desk, path, partial(_show_opened, desk, path, read_only))
        return True
    try:
        desk.session.open(path, read_only=read_only)
    except (DesignerError, OSError) as error:
        desk.notice.complain(refusal(error, path))
        return False
    _after_opening(desk, path)
    return True


def open_after_asking(desk: Desk, path: Path) -> None:
    """Open a file in a tab; without tabs, unless the user wants to keep unsaved changes."""
    open_in_tab(desk, path)


def open_listed(desk: Desk, path: Path) -> None:
    """Open a file that a list offers; an example is a design without a file, so that it stays as it is."""
    if path.resolve() in example_files():
        in_its_place(desk, partial(open_example, path=path))
    else:
        open_in_tab(desk, path)


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
    desk.views.show_whole()
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


def merge(desk: Desk) -> None:
    """Show the dialog that merges what a colleague made of the design."""
    desk.dialogs.show("merge")


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
    desk.window.window().close()


def close_design(desk: Desk) -> None:
    """Close the design that is seen, after asking what to do with unsaved changes."""
    if desk.tabs is not None:
        desk.tabs.close_tab()
    else:
        leave_document(desk, lambda: _close_to_welcome(desk))


def _close_to_welcome(desk: Desk) -> None:
    desk.session.new()
    desk.views.show_welcome()


def close_others(desk: Desk) -> None:
    """Close all tabs but the one that is seen."""
    if desk.tabs is not None:
        desk.tabs.close_others()


def _step(by: int) -> Callable[[Desk], None]:
    def step(desk: Desk) -> None:
        if desk.tabs is not None:
            desk.tabs.step(by)

    return step


@needs("Only one design is open.")
def has_tabs(desk: Desk) -> bool:
    """Whether several designs are open in the window."""
    return desk.tabs is not None and desk.tabs.count > 1


@needs("No design is open.")
def _has_design(desk: Desk) -> bool:
    return has_tabs(desk) or not (desk.views.on_welcome() and is_blank(desk))


def _exporting(name: str) -> "ExportCommand":
    return ExportCommand(name)


class ExportCommand:
    """Writes one hand-over format to a chosen file."""

    def __init__(self, exporter: str) -> None:
        self._exporter = exporter

    def __call__(self, desk: Desk) -> None:
        """Ask for a file and write it, after saying which facts it will lack."""
        exporting.export(desk, self._exporter)


@needs("The design is open as read-only: File > Save As… makes a copy to work on.")
def may_save(desk: Desk) -> bool:
    """Whether the design may be written to its own file."""
    return not desk.session.is_read_only


@needs("Open a design that may be changed first.")
def may_merge(desk: Desk) -> bool:
    """Whether something is open that may be changed."""
    return may_save(desk) and not desk.views.on_welcome()


PLUGIN_EXPORTS: tuple[ActionRow, ...] = tuple(
    ActionRow(f"export.plugin.{one.name}", f"{one.title}…", "", "export", has_devices, _exporting(one.name), "Export")
    for one in (exporters.EXPORTERS.added if plugins.adds("fabric_designer.exporters") else ())
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
    ActionRow(
        "file.reopen",
        "Reopen Last Designs",
        "",
        "",
        _has_left_open,
        reopen,
        FILE,
        hint="Open the designs that were open when the window was closed last; Settings can do so at each start",
    ),
    ActionRow("file.close", "Close", "Ctrl+W; Ctrl+F4", "close", _has_design, close_design, FILE),
    ActionRow("tab.next", "Next Tab", "Ctrl+Tab; Ctrl+PgDown", "", has_tabs, _step(1), "Tabs"),
    ActionRow("tab.previous", "Previous Tab", "Ctrl+Shift+Tab; Ctrl+PgUp", "", has_tabs, _step(-1), "Tabs"),
    ActionRow("tab.close_others", "Close Other Tabs", "", "", has_tabs, close_others, "Tabs"),
    ActionRow(
        "file.merge",
        "Merge a Colleague's Changes…",
        "",
        "",
        may_merge,
        merge,
        FILE,
        hint="Bring in what a colleague made of the same design, and choose where both changed the same",
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

"""The table of hand-over formats, from which the command line and the window's Export menu are built."""

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designer.drawing.pages import Page
from designer.errors import DesignerError, PluginError
from designer.exchange.bills.options import BillOptions
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.list_options import ListOptions
from designer.exchange.options import Progress, is_record, read_options, unheard
from designer.exchange.plan_options import (
    BothWaysOptions,
    ChangeOrderOptions,
    CsvPlanOptions,
    NetworkOptions,
    WorkbookOptions,
)
from designer.late import Late
from designer.model.design import Design
from designer.plugins import Entry, Table, guarded, of_kind
from designer.process import Temporary
from designer.storage.saving import SaveError, reason, replace_file

if TYPE_CHECKING:
    from designer.exchange.plan_gaps import PlanGaps

bills = Late("designer.exchange.bills.files")
lists = Late("designer.exchange.lists")
plans = Late("designer.exchange.exporters_plan")
diagrams = Late("designer.exchange.exporters_svg")
subnets = Late("designer.exchange.infiniband.files")


DRAWINGS, CABLES, PARTS, OTHER_TOOLS, ADDED = "Drawings", "Cables", "Parts", "Other tools", "Plug-ins"


@dataclass(frozen=True, slots=True)
class Exporter:
    """A hand-over format. `render` makes the file in a place of its own; `write` puts it where it belongs.

    `render(design, path, options, progress)` takes a record of the format's own `options` type, whose fields are
    settings: `--option`, `export --list`, the docs and the form of the window are made of them. What takes longer than
    a second calls `progress` with the share done, which may raise Cancelled.
    """

    name: str
    title: str
    suffix: str
    options: type[Any]
    render: Callable[[Design, Path, Any, Progress], None]
    gaps: Callable[[Design], "PlanGaps"] | None = None
    """What the file will lack, where the format has facts that may be missing."""
    pages: Callable[[Design, Any, Progress], Sequence[Page]] | None = None
    """The pages of a drawing, each drawn when it is looked at, for preview and print; other files are read back."""
    group: str = OTHER_TOOLS
    """Under what the window lists it."""
    other_suffixes: tuple[str, ...] = ()
    """Where the suffix of the path chooses between kinds of file: the others that `render` can make."""
    about: str = ""
    """What the file is for, in a sentence."""
    outcome: Callable[[Design, Any], str] | None = None
    """What a written file says, in a line; reported after writing."""

    def read(self, texts: Mapping[str, str]) -> Any:
        """The options that texts by name stand for. Raises ExportError naming an option the format does not have."""
        return read_options(self.options, texts, self.name)

    def write(self, design: Design, path: Path, options: Any = None, progress: Progress = unheard) -> None:
        """Write the file, whole or not at all: what was there stays until the new one is complete.

        `options` are a record of the format's type, or texts by name, or None for the defaults. Raises ExportError for
        an option, and DesignerError or OSError where it cannot be written.
        """
        record = options if isinstance(options, self.options) else self.read(options or {})
        with tempfile.TemporaryDirectory(prefix="fabric-designer-") as folder, Temporary(folder):
            made = Path(folder) / path.name  # what cannot be written there is said of the file that was asked for
            try:
                self.render(design, made, record, progress)
                data = made.read_bytes()
                progress(1.0)  # the last chance to stop
            except OSError as error:
                if isinstance(error, DesignerError):
                    raise
                raise SaveError(f"{path.name} could not be saved: {reason(error, made)}") from None
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)  # a pipe or a device: nothing there to keep
        else:
            replace_file(path, data)


def plan_gaps_of(design: Design) -> "PlanGaps":
    """What the design's cable plan lacks, as the shipped catalog and the design's own types allow it to be filled."""
    gaps: PlanGaps = plans.plan_gaps_of(design)
    return gaps


def _cable_plan(design: Design, path: Path, options: CsvPlanOptions, progress: Progress) -> None:
    plans.write_csv(design, path, options, progress)


def _cable_plan_xlsx(design: Design, path: Path, options: WorkbookOptions, progress: Progress) -> None:
    plans.write_xlsx(design, path, options, progress)


def _change_order(design: Design, path: Path, options: ChangeOrderOptions, progress: Progress) -> None:
    plans.write_change_order(design, path, options, progress)


def _change_summary(design: Design, options: ChangeOrderOptions) -> str:
    summary: str = plans.change_summary(design, options)
    return summary


def _preset(name: str) -> Callable[[Design, Path, NetworkOptions, Progress], None]:
    """What writes the plan as the tool of that name reads it."""

    def render(design: Design, path: Path, options: NetworkOptions, _progress: Progress) -> None:
        plans.write_preset(name, design, path, options)

    return render


def _bill(design: Design, path: Path, options: BillOptions, _progress: Progress) -> None:
    bills.write_bill(design, path, options)


def _list(design: Design, path: Path, options: ListOptions, _progress: Progress) -> None:
    lists.write_list(design, path, options)


def _ibsim(design: Design, path: Path, options: NetworkOptions, _progress: Progress) -> None:
    subnets.write_ibsim(design, path, options)


def _topo(design: Design, path: Path, options: NetworkOptions, _progress: Progress) -> None:
    subnets.write_topo(design, path, options)


def _svg(design: Design, path: Path, options: DiagramOptions, _progress: Progress) -> None:
    diagrams.write_svg(design, path, options)


def _svg_pages(design: Design, options: DiagramOptions, _progress: Progress) -> tuple[Page, ...]:
    return (diagrams.svg_page(design, options),)


PRESETS: tuple[tuple[str, str, str, tuple[str, ...], type[Any], str], ...] = (
    (
        "p2p-ethernet",
        "NVIDIA point-to-point Ethernet",
        ".xlsx",
        (".csv",),
        NetworkOptions,
        "Ethernet links for the NVIDIA Cable Validation Tool; server ports are named by rail.",
    ),
    (
        "p2p-infiniband",
        "NVIDIA point-to-point InfiniBand",
        ".xlsx",
        (".csv",),
        NetworkOptions,
        "InfiniBand links for the NVIDIA Cable Validation Tool; adapter ports are numbered in slot order.",
    ),
    (
        "cvt",
        "NVIDIA CVT 1.7.1, columns of Nodes unverified",
        ".xlsx",
        (),
        NetworkOptions,
        "Sheets Links and Nodes for version 1.7.1 of the Cable Validation Tool. Its documentation does not list the "
        "columns of Nodes: check them.",
    ),
    (
        "avd",
        "Arista AVD fabric topology",
        ".csv",
        (),
        BothWaysOptions,
        "Every link with the roles of its ends, as Arista AVD lists a fabric; AVD itself lists links both ways.",
    ),
    (
        "shcd",
        "HPE SHCD",
        ".xlsx",
        (),
        NetworkOptions,
        "A block of source and destination for each network, for the cabling diagram that HPE Cray systems start from.",
    ),
    (
        "opa",
        "Omni-Path topology",
        ".csv",
        (),
        NetworkOptions,
        "Every link for opaxlattopology, without commas in fields; switch ports are numbered in port order.",
    ),
)
"""Cable plans as other tools read them: name, title, suffixes, options, and what the file is for."""

BUILT_IN: tuple[Exporter, ...] = (
    Exporter(
        "cable-plan",
        "Cable plan as CSV",
        ".csv",
        CsvPlanOptions,
        _cable_plan,
        plan_gaps_of,
        group=CABLES,
        about="Every cable with both ends, length, medium, part number and rate, as text that any program reads.",
    ),
    Exporter(
        "cable-plan-xlsx",
        "Cable plan as workbook",
        ".xlsx",
        WorkbookOptions,
        _cable_plan_xlsx,
        plan_gaps_of,
        group=CABLES,
        about="Every cable, a sheet for each rack and each switch, totals, open points, and changes since a revision.",
    ),
    Exporter(
        "change-order",
        "Change order",
        ".csv",
        ChangeOrderOptions,
        _change_order,
        group=CABLES,
        other_suffixes=(".xlsx",),
        about="What an installer has to do since an earlier issue: remove, swap, move, pull and relabel cables.",
        outcome=_change_summary,
    ),
    *(
        Exporter(name, title, suffix, options, _preset(name), other_suffixes=others, about=about)
        for name, title, suffix, others, options, about in PRESETS
    ),
    Exporter(
        "ibsim",
        "InfiniBand netlist for ibsim",
        ".net",
        NetworkOptions,
        _ibsim,
        about="Switches and adapters with their links for the InfiniBand simulator ibsim, under which OpenSM runs.",
    ),
    Exporter(
        "topo",
        "InfiniBand topology for ibdiagnet",
        ".zip",
        NetworkOptions,
        _topo,
        other_suffixes=(".topo",),
        about="The topology file that ibdmchk and ibdiagnet check a fabric against, with the systems that it names.",
    ),
    Exporter(
        "bill-of-materials",
        "Bill of materials",
        ".xlsx",
        BillOptions,
        _bill,
        group=PARTS,
        other_suffixes=(".csv", ".json"),
        about="Every part to order, with quantities, spares and prices; the suffix chooses workbook, CSV or JSON.",
    ),
    Exporter(
        "devices",
        "List of devices",
        ".csv",
        ListOptions,
        _list,
        group=PARTS,
        other_suffixes=(".xlsx", ".json"),
        about="Devices with role, type, place, ports, tags and fields; an expression selects other things.",
    ),
    Exporter(
        "svg",
        "Diagram as SVG",
        ".svg",
        DiagramOptions,
        _svg,
        pages=_svg_pages,
        group=DRAWINGS,
        about="The diagram as the canvas shows it, in lines and letters that stay sharp and can be edited.",
    ),
)


def _accept(row: object, entry: Entry) -> Exporter:
    exporter = of_kind(row, Exporter)
    if not re.fullmatch(r"\.[a-z0-9]{1,16}", exporter.suffix):
        raise PluginError(f"its suffix {exporter.suffix!r} should look like .csv")
    if not is_record(exporter.options):
        raise PluginError("its options should be a dataclass of settings with defaults, such as ExportOptions")
    gaps = None if exporter.gaps is None else guarded(exporter.gaps, entry)
    pages = None if exporter.pages is None else guarded(exporter.pages, entry)
    return replace(exporter, render=guarded(exporter.render, entry), gaps=gaps, pages=pages, group=ADDED)


EXPORTERS: Table[Exporter] = Table(
    "fabric_designer.exporters", BUILT_IN, _accept, reserved=("labels", "drawings", "png", "pdf")
)
"""Formats that need no window, those of plug-ins too; those that the canvas draws join in designer.canvas.formats."""

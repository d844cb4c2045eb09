"""The table of hand-over formats, from which the command line and the window's Export menu are built."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from designer.drawing.pages import Page
from designer.errors import PluginError
from designer.exchange.acceptance import rows as acceptance
from designer.exchange.bills.options import BillOptions
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporter import ADDED, CABLES, DRAWINGS, PARTS, Exporter, plan_gaps_of, rendered_by, said_by
from designer.exchange.graphs import rows as graphs
from designer.exchange.infiniband import rows as infiniband
from designer.exchange.inventory import rows as inventory
from designer.exchange.labs import rows as labs
from designer.exchange.list_options import ListOptions
from designer.exchange.options import Progress, is_record
from designer.exchange.plan_options import (
    BothWaysOptions,
    ChangeOrderOptions,
    CsvPlanOptions,
    NetworkOptions,
    WorkbookOptions,
)
from designer.exchange.schedulers import rows as schedulers
from designer.exchange.simulators import rows as simulators
from designer.late import Late
from designer.model.design import Design
from designer.plugins import Entry, Table, guarded, of_kind

bills = Late("designer.exchange.bills.files")
lists = Late("designer.exchange.lists")
plans = Late("designer.exchange.exporters_plan")
diagrams = Late("designer.exchange.exporters_svg")


def _preset(name: str) -> Callable[[Design, Path, NetworkOptions, Progress], None]:
    """What writes the plan as the tool of that name reads it."""

    def render(design: Design, path: Path, options: NetworkOptions, _progress: Progress) -> None:
        plans.write_preset(name, design, path, options)

    return render


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
        rendered_by(lambda: plans.write_csv, hears=True),
        plan_gaps_of,
        group=CABLES,
        about="Every cable with both ends, length, medium, part number and rate, as text that any program reads.",
    ),
    Exporter(
        "cable-plan-xlsx",
        "Cable plan as workbook",
        ".xlsx",
        WorkbookOptions,
        rendered_by(lambda: plans.write_xlsx, hears=True),
        plan_gaps_of,
        group=CABLES,
        about="Every cable, a sheet for each rack and each switch, totals, open points, and changes since a revision.",
    ),
    Exporter(
        "change-order",
        "Change order",
        ".csv",
        ChangeOrderOptions,
        rendered_by(lambda: plans.write_change_order, hears=True),
        group=CABLES,
        other_suffixes=(".xlsx",),
        about="What an installer has to do since an earlier issue: remove, swap, move, pull and relabel cables.",
        outcome=said_by(lambda: plans.change_summary),
    ),
    *(
        Exporter(name, title, suffix, options, _preset(name), other_suffixes=others, about=about)
        for name, title, suffix, others, options, about in PRESETS
    ),
    *inventory.EXPORTERS,
    *infiniband.EXPORTERS,
    *schedulers.EXPORTERS,
    *acceptance.EXPORTERS,
    *graphs.EXPORTERS,
    *simulators.EXPORTERS,
    *labs.EXPORTERS,
    Exporter(
        "bill-of-materials",
        "Bill of materials",
        ".xlsx",
        BillOptions,
        rendered_by(lambda: bills.write_bill),
        group=PARTS,
        other_suffixes=(".csv", ".json"),
        about="Every part to order, with quantities, spares and prices; the suffix chooses workbook, CSV or JSON.",
    ),
    Exporter(
        "devices",
        "List of devices",
        ".csv",
        ListOptions,
        rendered_by(lambda: lists.write_list),
        group=PARTS,
        other_suffixes=(".xlsx", ".json"),
        about="Devices with role, type, place, ports, tags and fields; an expression selects other things.",
    ),
    Exporter(
        "svg",
        "Diagram as SVG",
        ".svg",
        DiagramOptions,
        rendered_by(lambda: diagrams.write_svg),
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

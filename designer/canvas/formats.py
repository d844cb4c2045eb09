"""The formats that the canvas draws, PNG and PDF, which need PySide6; it is loaded when they are asked for."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from designer.drawing.pages import Page, PaperPage, size_on
from designer.drawing.parts.document import Size
from designer.drawing.sheets.paper import paper_of
from designer.errors import ExportError
from designer.exchange.diagram_options import DEFAULT_WIDTH_PX, OWN_SIZE, PdfOptions, PngOptions
from designer.exchange.drawing_options import DrawingOptions
from designer.exchange.exporter import CABLES, DRAWINGS, Exporter, plan_gaps_of
from designer.exchange.exporters import EXPORTERS
from designer.exchange.labels.options import LabelOptions
from designer.exchange.options import Progress
from designer.late import Late
from designer.model.design import Design

export = Late("designer.canvas.export")
diagrams = Late("designer.exchange.exporters_diagram")
labels = Late("designer.exchange.labels.files")
sets = Late("designer.exchange.drawings")

PLANNED = 0.2
"""Share of the work on a set of drawings after which all its pages have their numbers."""


def _png(design: Design, path: Path, options: PngOptions, _progress: Progress) -> None:
    drawing = diagrams.drawing_of(design, options, Size(float(options.width or DEFAULT_WIDTH_PX)))
    _need_qt("PNG")
    export.draw_png(drawing, path, options.width, options.dpi)


def _pdf(design: Design, path: Path, options: PdfOptions, progress: Progress) -> None:
    if options.paper == OWN_SIZE:
        drawing = diagrams.drawing_of(design, options)
        _need_qt("PDF")
        export.draw_pdf(drawing, path)
    else:
        _need_qt("PDF")
        export.write_pages(path, design.name, _pdf_pages(design, options, progress), progress)


def _pdf_pages(design: Design, options: PdfOptions, _progress: Progress) -> tuple[Page, ...]:
    if options.paper == OWN_SIZE:
        return (export.page_of(diagrams.drawing_of(design, options)),)
    paper = paper_of(options.paper, options.orientation, options.margin)
    return (PaperPage(export.page_of(diagrams.drawing_of(design, options, size_on(paper))), paper),)


def _labels(design: Design, path: Path, options: LabelOptions, progress: Progress) -> None:
    if path.suffix.lower() == ".pdf":
        pages = labels.pages(design, options)
        _need_qt("PDF", "labels as CSV")
        export.write_pages(path, f"{design.name}: cable labels", pages, progress)
    else:
        path.write_bytes(labels.csv_bytes(design, options))


def _label_pages(design: Design, options: LabelOptions, _progress: Progress) -> Sequence[Page]:
    pages: Sequence[Page] = labels.pages(design, options)
    return pages


def _drawings(design: Design, path: Path, options: DrawingOptions, progress: Progress) -> None:
    pages = sets.drawing_pages(design, options, lambda share: progress(share * PLANNED))
    if path.suffix.lower() == ".svg":
        sets.write_svg(pages, path, options.page)
    else:
        _need_qt("PDF", "a page as SVG")
        export.write_pages(path, design.name, pages, lambda share: progress(PLANNED + share * (1 - PLANNED)))


def _drawings_pages(design: Design, options: DrawingOptions, progress: Progress) -> Sequence[Page]:
    pages: Sequence[Page] = sets.drawing_pages(design, options, progress)
    return pages


def _need_qt(format_: str, instead: str = "svg") -> None:
    try:
        import PySide6.QtGui  # noqa: F401
    except ImportError as error:
        raise ExportError(
            f"{format_} needs PySide6, which cannot be loaded here ({error}): export {instead}, "
            "or install PySide6-Essentials"
        ) from error


PNG = Exporter(
    "png",
    "Diagram as PNG",
    ".png",
    PngOptions,
    _png,
    group=DRAWINGS,
    about="The diagram as the canvas shows it, as pixels, for slides and messages.",
)
PDF = Exporter(
    "pdf",
    "Diagram as PDF",
    ".pdf",
    PdfOptions,
    _pdf,
    pages=_pdf_pages,
    group=DRAWINGS,
    about="The diagram as the canvas shows it, on one page, in lines and letters that stay sharp.",
)

LABELS = Exporter(
    "labels",
    "Cable labels",
    ".csv",
    LabelOptions,
    _labels,
    pages=_label_pages,
    group=CABLES,
    other_suffixes=(".pdf",),
    about="What is printed on both ends of each cable: a list for label printers, or sheets with QR codes.",
)

DRAWING_SET = Exporter(
    "drawings",
    "Drawings as PDF",
    ".pdf",
    DrawingOptions,
    _drawings,
    plan_gaps_of,
    _drawings_pages,
    group=DRAWINGS,
    other_suffixes=(".svg",),
    about="Topology, racks, switches, floor and cables on paper with title block and index, for those who build.",
)

BUILT_IN: tuple[Exporter, ...] = (*EXPORTERS.built_in, LABELS, DRAWING_SET, PDF, PNG)


def formats() -> Iterator[Exporter]:
    """Every format that a design can be written in, those of plug-ins last."""
    yield from BUILT_IN
    yield from EXPORTERS.added
